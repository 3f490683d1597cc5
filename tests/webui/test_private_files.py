"""What the program keeps on the laptop: for its owner alone, whole or as it was, one program to an evening."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from webui_serving import SEATS, Visitor, environment, ran_in, serving

from tracker.files import replace_file
from tracker.store import EventStore, StoreError
from webui.cli import main
from webui.table.host_choices import HostChoices, kept_choices

POSIX = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows keeps a user's folder to the user by itself"
)


def open_to_others(folder: Path) -> list[str]:
    """What in `folder`, itself included, others than its owner may read or write."""
    return [
        f"{path.relative_to(folder.parent)} {stat.S_IMODE(path.lstat().st_mode):o}"
        for path in (folder, *folder.rglob("*"))
        if stat.S_IMODE(path.lstat().st_mode) & 0o077
    ]


@POSIX
def test_data_are_for_their_owner_alone_also_those_of_an_older_program(tmp_path: Path) -> None:
    data = tmp_path / "tarok-table"
    (data / "decks" / "Club").mkdir(parents=True)
    (data / "evening.sqlite3.host.json").write_text("{}")
    data.chmod(0o755)
    with serving(tmp_path, *SEATS) as server:
        visitor = Visitor(server.address)
        visitor.post("plays", player="Bo", card="S7")
        visitor.post("host/choices/keep_corrections", on="yes")
        visitor.post("host/save")
        assert len(list(data.rglob("*.json"))) == 4 and list(data.glob("*.sqlite3-wal"))
        assert open_to_others(data) == []


@POSIX
def test_an_evening_kept_elsewhere_is_for_its_owner_alone_too(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    old = tmp_path / "club" / "ours.sqlite3"
    EventStore(old).close()
    old.chmod(0o644)
    with serving(tmp_path, *SEATS, "--db", old) as server:
        Visitor(server.address).post("host/save")
        kept = [path for path in (tmp_path / "club").iterdir() if open_to_others(path)]
        assert kept == [] and len(list((tmp_path / "club").iterdir())) >= 5


@POSIX
def test_a_full_disk_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    """The limit on a file's size stands for the disk: the system refuses to write on."""
    kept = kept_choices(tmp_path / "evening.sqlite3")
    kept.save(HostChoices(deck="Club"))
    program = (
        "import resource, signal, sys; from pathlib import Path; from tracker.files import replace_file\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "replace_file(Path(sys.argv[1]), b'x' * 10_000)\n"
    )
    line = [sys.executable, "-c", program, kept.path]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert "OSError" in done.stderr
    assert kept.load() == HostChoices(deck="Club")
    assert os.listdir(tmp_path) == ["evening.sqlite3.host.json"]


def test_a_file_is_replaced_where_a_link_to_it_leads_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    replace_file(tmp_path / "link.json", b"new")
    assert (tmp_path / "real.json").read_bytes() == b"new" and (tmp_path / "link.json").is_symlink()
    replace_file(Path(os.devnull), b"new")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("kind", ["symbolic link", "link to its folder", "hard link"])
def test_by_another_name_a_second_program_is_refused_too(tmp_path: Path, kind: str) -> None:
    with serving(tmp_path, *SEATS) as server:
        Visitor(server.address).post("plays", player="Bo", card="S7")
        path = tmp_path / "tarok-table" / "evening.sqlite3"
        other = tmp_path / "other.sqlite3"
        if kind == "symbolic link":
            other.symlink_to(path)
        elif kind == "hard link":
            os.link(path, other)
        else:
            (tmp_path / "linked").symlink_to(path.parent)
            other = tmp_path / "linked" / path.name
        second = ("serve", "none", "--host", "127.0.0.1", "--port", 0, "--db", other)
        done = ran_in(tmp_path, *second)
        assert (done.returncode, done.stdout) == (2, "")
        (line,) = done.stderr.splitlines()
        assert ("hard link" if kind == "hard link" else "a running program keeps its evening there") in line
        beside = [path.name for path in tmp_path.glob("other*")]
        assert beside == ([] if kind == "link to its folder" else ["other.sqlite3"])
        Visitor(server.address).post("plays", player="Carl", card="SR")


def test_a_link_to_an_evening_finds_what_lies_beside_the_evening(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.sqlite3").symlink_to(tmp_path / "real" / "evening.sqlite3")
    store = EventStore(tmp_path / "link.sqlite3", alone=True)
    assert store.path == (tmp_path / "real" / "evening.sqlite3").resolve()
    with pytest.raises(StoreError, match="a running program"):
        EventStore(tmp_path / "real" / "evening.sqlite3", alone=True)
    store.close()


def others_file(folder: Path, kind: str) -> Path:
    """Something at a path that is no evening's database, open to all."""
    path = folder / "theirs"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # as /dev/null
    elif kind == "another program's database":
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE letters (text)")
    else:
        path.write_bytes(b"a letter, not a database" * 100)
    path.chmod(0o755 if kind == "folder" else 0o666)
    return path


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "another program's database", "letter"])
def test_what_is_no_evening_is_refused_and_stays_as_it_is(tmp_path: Path, kind: str) -> None:
    try:
        path = others_file(tmp_path, kind)
    except PermissionError:
        pytest.skip("only root makes a device")
    before = (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
    words = ("serve", "none", "--host", "127.0.0.1", "--port", 0, "--db", path)
    done = ran_in(tmp_path, *words)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    assert (path.stat().st_mode, path.read_bytes() if path.is_file() else b"") == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["theirs"]


@POSIX
def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.touch(0o644)
    (tmp_path / "evening.sqlite3.lock").symlink_to(letter)
    with pytest.raises(StoreError, match="is in the way"):
        EventStore(tmp_path / "evening.sqlite3", alone=True)
    assert stat.S_IMODE(letter.stat().st_mode) == 0o644


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no process can be killed so on this system")
def test_drafts_of_killed_writes_go_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "tarok-table"
    inner = ("", "rules", "saved/2026-11-23 19.00", "decks/Club/crops/S7")
    folders = [data / path for path in inner]
    killed = "import os, sys, pathlib, tracker.files as f\nos.fsync = lambda _: os.kill(os.getpid(), 9)\n"
    killed += "f.replace_file(f.private_folder(pathlib.Path(sys.argv[1])) / 'a.json', b'x')\n"
    for folder in folders:
        subprocess.run([sys.executable, "-c", killed, folder], env=environment(tmp_path), timeout=60)
    drafts = {*data.rglob(".*.part")}
    assert len(drafts) == len(folders)
    (data / ".mine.part").touch()
    with serving(tmp_path):  # which may be writing a file of its own just now
        assert drafts.isdisjoint(data.rglob(".*.part")) and (data / ".mine.part").exists()


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deck of one card as the program teaches it, in its data folder."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    from vision.taught.crops import save_crop
    from webui.paths import deck_dir

    folder = deck_dir("Club")
    save_crop(folder / "crops", "S7", np.zeros((64, 64, 3), np.uint8))
    return folder


def test_a_forgotten_deck_leaves_nothing(deck: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decks", "forget", "Club"]) == 0
    assert not deck.exists() and capsys.readouterr().out == "Club is forgotten.\n"


@pytest.mark.parametrize("place", ["letter.txt", "crops/S7/holiday.png", "crops/mine/1.png", "mine/a.npz"])
def test_what_a_person_put_into_a_decks_folder_stays(
    deck: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own = deck / place
    own.parent.mkdir(exist_ok=True)
    _, picture = cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))
    own.write_bytes(picture.tobytes())
    assert main(["decks", "forget", "Club"]) == 0
    assert [path for path in deck.rglob("*") if path.is_file()] == [own]
    assert f"What else lies in {deck} stays" in capsys.readouterr().out
    assert main(["decks", "list"]) == 0 and "Club" not in capsys.readouterr().out


def test_a_deck_that_is_a_link_is_emptied_and_the_link_stays(deck: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    deck.rename(elsewhere)
    (elsewhere / "letter.txt").write_text("mine")
    deck.symlink_to(elsewhere)
    assert main(["decks", "forget", "Club"]) == 0
    assert deck.is_symlink() and os.listdir(elsewhere) == ["letter.txt"]
