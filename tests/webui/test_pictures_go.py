"""When the pictures of an evening go: on its settling, on every ordered end; after a kill, at the next start."""

import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from webui_camera import sees_card
from webui_deals import OPENED, SIDES, hand
from webui_page import Page
from webui_serving import command, environment, interruptible, serving
from webui_table import restarted

from tracker.events import SessionClosed
from tracker.store import EventStore
from vision.resources import datasets_dir
from webui.table.leftover_pictures import delete_left
from webui.table.live import LiveTable

SEATS = "Anna@S,Bo@E,Carl@N,Dora@W"
DEMO = str(datasets_dir() / "demo" / "hand.mp4")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no such signal is sent to a process there"),
]


def pictures(folder: Path) -> list[Path]:
    return list(folder.rglob("*.evidence/*/*.jpg"))


def started(folder: Path, *words: object) -> tuple[subprocess.Popen[str], str]:
    """The program, watching, once it has kept a picture; `folder` is its data folder and its temporary one."""
    process = subprocess.Popen(
        command(*words, "--port", 0), env={**environment(folder), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=interruptible,
    )  # fmt: skip
    found = re.search(r"http://\S+", process.stdout.readline())
    for _ in range(600):
        if pictures(folder):
            return process, found[0]
        time.sleep(0.1)
    process.kill()
    raise AssertionError("no picture was kept")


@pytest.mark.parametrize(
    ("name", "end"), [("serve", "SIGINT"), ("serve", "SIGHUP"), ("demo", "SIGINT"), ("demo", "SIGTERM")]
)
def test_on_every_ordered_end_the_pictures_go(tmp_path: Path, name: str, end: str) -> None:
    number = signal.Signals[end]
    words = {
        "serve": ("serve", DEMO, "--host", "127.0.0.1", "--seats", SEATS, "--no-browser"),
        "demo": ("demo", "--no-browser", "--speed", "3"),
    }[name]
    process, _ = started(tmp_path, *words)
    process.send_signal(number)
    said = process.communicate(timeout=60)
    assert process.returncode == 128 + number and said[1] == ""
    assert pictures(tmp_path) == [] and list(tmp_path.glob("tarok-demo-*")) == []


def test_after_a_kill_the_next_start_deletes_a_demos_and_keeps_those_of_an_evening_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, _ = started(tmp_path, "demo", "--no-browser", "--speed", "3")
    process.kill()
    process.wait()
    assert pictures(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with serving(tmp_path):
        assert list(tmp_path.glob("tarok-demo-*")) == []


def began(path: Path, hours_ago: float) -> None:
    """Let the evening in `path` have begun so long ago."""
    database = sqlite3.connect(path)
    database.execute("UPDATE events SET at = at - ?", (hours_ago * 3600,))
    database.commit()
    database.close()


@pytest.mark.parametrize(("hours_ago", "kept"), [(0.0, 4), (11.9, 4), (12.1, 0), (200.0, 0)])
def test_after_a_kill_pictures_are_kept_of_an_evening_that_began_lately(
    seen: LiveTable, hours_ago: float, kept: int
) -> None:
    began(seen.path, hours_ago)
    again = restarted(seen)
    assert len(again.pictures.evidence.known) == kept == len(pictures(seen.path.parent))


def test_pictures_go_with_the_settling(seen: LiveTable) -> None:
    seen.enter(SessionClosed())
    assert pictures(seen.path.parent) == [] and not seen.pictures.evidence.known
    seen.open_evening(OPENED, SIDES)
    sees_card(seen, hand(3)[1])
    assert len(pictures(seen.path.parent)) == 1


def test_a_start_on_one_evening_deletes_what_others_left(seen: LiveTable, tmp_path: Path) -> None:
    folder = seen.path.parent
    (folder / "lost.sqlite3.evidence" / "1").mkdir(parents=True)
    (folder / "lost.sqlite3.evidence" / "1" / "3.jpg").write_bytes(b"")
    delete_left(folder / "new.sqlite3")
    assert len(pictures(folder)) == 4  # that evening goes on
    began(seen.path, 13)
    delete_left(folder / "new.sqlite3")
    assert pictures(folder) == []


def test_what_has_such_a_name_and_was_not_made_here_stays(tmp_path: Path) -> None:
    """A folder of somebody's evidence, a file beside it that is no evening, and a picture in a folder of ours."""
    mine = [tmp_path / "trial.evidence" / "letters" / "1.txt", tmp_path / "theft.evidence" / "photo.jpg"]
    mine.append(tmp_path / "evening.sqlite3.evidence" / "mine.jpg")
    for path in mine:
        path.parent.mkdir(parents=True)
        path.write_bytes(b"mine")
    (tmp_path / "theft").touch()
    delete_left(tmp_path / "evening.sqlite3")
    LiveTable(EventStore(tmp_path / "evening.sqlite3", alone=True)).end()
    assert all(path.read_bytes() == b"mine" for path in mine)
    assert (tmp_path / "theft").read_bytes() == b"" and not (tmp_path / "theft.lock").exists()


def test_what_is_gone_is_told_from_what_never_was(seen: LiveTable) -> None:
    page = Page(seen)
    assert page.client.get("/evidence/3.jpg").status_code == 200
    seen.enter(SessionClosed())
    answer = page.client.get("/evidence/3.jpg?lang=en", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.get_json()["message"]) == (410, "The picture of that card is deleted.")
    assert page.client.get("/evidence/1.jpg").status_code == 404
    assert page.client.get("/evidence/999.jpg").status_code == 404


def test_a_start_that_fails_deletes_nothing_of_an_evening_that_goes_on(seen: LiveTable) -> None:
    taken = subprocess.run(
        command("serve", "none", "--host", "127.0.0.1", "--port", "1", "--db", seen.path, "--seats", "X@S,Y@E,Z@W"),
        env=environment(seen.path.parent), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert taken.returncode == 2 and len(pictures(seen.path.parent)) == 4
