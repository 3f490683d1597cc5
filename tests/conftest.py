"""How many examples hypothesis tries, where the tests write, and which begin."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import Phase, settings

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
SLOW = (
    *("test_reachable", "test_typed_ahead", "test_browser", "test_browser_set_up", "test_american_browser"),
    *("test_browser_joining", "test_club_tournament", "test_club_pages", "test_club_line", "test_shut_out"),
    *("test_club_security", "test_two_evenings", "test_pictures_go", "test_network", "test_look_command"),
    *("test_watch_command", "test_ending", "test_fuzz", "test_situations", "test_watch", "test_menus"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the files; xdist gives each worker the next one."""
    items.sort(key=lambda item: SLOW.index(item.path.stem) if item.path.stem in SLOW else len(SLOW))
