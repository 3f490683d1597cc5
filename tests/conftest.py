"""How many examples hypothesis tries, where the tests write, and which begin."""

import gc
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

# Where no compiled code is kept, every worker and every program that a test starts compiles all of it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Each worker has a core to itself at most; what several threads wait for each other would be lost.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import Phase, settings  # noqa: E402 - pytest rewrites the assertions of hypothesis, too

# A disk takes milliseconds to store an event for good. Memory takes none, and no test cuts the power.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2 * 1024**3:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

QUICK = settings(max_examples=20, deadline=None)
settings.register_profile("quick", QUICK)
settings.register_profile("thorough", QUICK, max_examples=1000)  # for a night
# A mutant needs one example that fails, not the smallest one; and the same ones each time.
FOUND = [Phase.explicit, Phase.generate]
settings.register_profile("mutants", QUICK, derandomize=True, database=None, phases=FOUND)
settings.load_profile("quick")

# What takes long is begun first, so that no worker is alone with it at the end.
FIRST = (
    *("test_reachable", "test_watch_command", "test_browser", "test_taps", "test_typed_ahead", "test_fuzz"),
    *("test_fair_play", "test_club_benchmark", "test_watch", "test_situations", "test_browser_set_up"),
    *("test_look_command", "test_nothing_lost", "test_browser_joining", "test_network", "test_pictures_go"),
    *("test_club_pages", "test_club_line", "test_plays_conditions", "test_club_tournament", "test_counting"),
    *("test_every_game", "test_plays_not_made", "test_club_security"),
    *("test_french_page", "test_figures", "test_ending", "test_recording", "test_menus"),
)


EVERYTHING = pytest.StashKey[bool]()
"""Whether the tests were asked for without saying which."""


def pytest_configure(config: pytest.Config) -> None:
    """Let each worker read the files beginning with another one, so that what one compiles the others find."""
    everything = config.args == config.getini("testpaths")
    config.stash[EVERYTHING] = everything and not (config.option.markexpr or config.option.keyword)
    worker = getattr(config, "workerinput", None)
    if worker is not None and everything:
        files = sorted(str(path) for path in Path(__file__).parent.rglob("test_*.py"))
        first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args[:] = files[first:] + files[:first]


def pytest_collection_finish() -> None:
    """Spare the collector of garbage what was imported and collected: looking through it takes a tenth of the time."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests where none were named, and order the files; xdist gives each worker the next one."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
    if config.stash[EVERYTHING]:
        left_out = {item for item in items if item.get_closest_marker("slow")}
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]
    places = {name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: (places.get(item.path.stem, len(FIRST)), item.path))


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs `tarok` with words that it refuses: with status 2, one line and nothing else; gives the line."""

    def line_of(*words: object) -> str:
        from webui.cli import main

        capfd.readouterr()  # what was said before
        assert main([str(word) for word in words]) == 2
        told = capfd.readouterr()  # also what OpenCV itself writes
        (line,) = told.err.splitlines()
        assert told.out == "" and line.startswith("tarok: ")
        return line

    return line_of


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the program keeps of its own goes into a folder of the test's."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
