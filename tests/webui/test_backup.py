"""A backup, and back on another laptop: the evening goes on in the middle of a hand, or nothing is changed."""

import io
import json
import sqlite3
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest
from test_serve import Visitor, command, environment, serving

from tracker.danish.events import EVENTS
from tracker.store import EventStore
from vision.taught.crops import save_crop

SEATS = ("--seats", "Anna@S,Bo@E,Carl@W", "--dealer", "Anna")


def tarok(home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    home.mkdir(exist_ok=True)
    return subprocess.run(command(*words), env=environment(home), capture_output=True, text=True, timeout=60)


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Written while the program runs, two plays into a hand, with a taught deck chosen."""
    home = tmp_path / "old"
    data = home / "tarok-table"
    save_crop(data / "decks" / "Club" / "crops", "S7", np.zeros((64, 64, 3), np.uint8))
    save_crop(data / "corrections", "S7", np.zeros((64, 64, 3), np.uint8), "1-2")
    (data / "rules").mkdir()
    (data / "rules" / "Vores klub.toml").write_text('base = "dtf-2011"\nnolo = 40\n', encoding="utf-8")
    with serving(home, *SEATS, "--deck", "Club") as (_, address):
        visitor = Visitor(address)
        visitor.post("plays", player="Bo", card="S7", once="one")
        visitor.post("plays", player="Carl", card="S8")
        done = tarok(home, "backup", tmp_path / "club.zip")
        assert (done.returncode, done.stderr) == (0, "")
        by_page = visitor.opener.open(address + "host/backup.zip", timeout=10).read()
    assert (
        zipfile.ZipFile(io.BytesIO(by_page)).namelist() == zipfile.ZipFile(tmp_path / "club.zip").namelist()
    )
    return tmp_path / "club.zip"


def test_it_holds_evenings_decks_and_settings_and_nothing_else(backup: Path) -> None:
    assert sorted(zipfile.ZipFile(backup).namelist()) == [
        "backup.json", "decks/Club/crops/S7/1.png", "evenings.sqlite3", "host.json",
        "rules/Vores klub.toml", "seats.json",
    ]  # fmt: skip


def test_on_another_laptop_the_hand_goes_on(backup: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    done = tarok(new, "restore", backup)
    assert (done.returncode, done.stderr) == (0, "")
    with serving(new) as (_, address):
        visitor = Visitor(address)
        visitor.post("plays", player="Bo", card="S7", once="one")  # sent again: it is there
        visitor.post("plays", player="Anna", card="SR")
        (hand,) = json.loads(visitor.get("session.json"))["hands"]
        assert [event["card"] for event in hand["events"]] == ["S7", "S8", "SR"]
        assert "Club" in visitor.get("decks")
        assert "Vores klub" in visitor.get("rules")
    assert json.loads((new / "tarok-table" / "evening.sqlite3.seats.json").read_text())["sides"]["Bo"] == "E"
    again = tarok(new, "restore", backup)
    assert again.returncode == 2 and "has evenings already" in again.stderr


def rewritten(backup: Path, name: str, change: object) -> Path:
    """The backup with one file changed and its sum put right."""
    import hashlib

    with zipfile.ZipFile(backup) as archive:
        files = {one: archive.read(one) for one in archive.namelist()}
    about = json.loads(files.pop("backup.json"))
    assert callable(change)
    files[name] = change(files.get(name, b""))
    about["files"] = {one: hashlib.sha256(data).hexdigest() for one, data in files.items()}
    path = backup.with_name("changed.zip")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("backup.json", json.dumps(about))
        for one, data in files.items():
            archive.writestr(one, data)
    return path


def newer(data: bytes) -> bytes:
    database = sqlite3.connect(":memory:")
    database.deserialize(data)
    database.execute("PRAGMA user_version=9")
    return bytes(database.serialize())


def unreadable(data: bytes) -> bytes:
    database = sqlite3.connect(":memory:")
    database.deserialize(data)
    database.execute('UPDATE events SET data = \'{"event": "Conjured"}\' WHERE seq = 3')
    database.commit()
    return bytes(database.serialize())


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        pytest.param("evenings.sqlite3", newer, "another version", id="of a newer program"),
        pytest.param("evenings.sqlite3", unreadable, "Conjured", id="an event of no program"),
        pytest.param("evenings.sqlite3", lambda data: b"letter" * 500, "not a database", id="no database"),
        pytest.param(
            "../../evil.json", lambda data: b"{}", "which no backup has", id="a path that leads out"
        ),
        pytest.param("decks/Club/crops/S7/2.png", lambda data: b"no", "which no backup has", id="no picture"),
    ],
)
def test_what_cannot_be_restored_is_one_line_and_changes_nothing(
    backup: Path, tmp_path: Path, name: str, change: object, said: str
) -> None:
    done = tarok(tmp_path / "new", "restore", rewritten(backup, name, change))
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and said in line
    data = tmp_path / "new" / "tarok-table"
    assert [path for path in data.rglob("*.png")] == [] and not (data / "evening.sqlite3.host.json").exists()
    assert (
        not (data / "evening.sqlite3").exists() or not EventStore(data / "evening.sqlite3", EVENTS).sessions()
    )


def test_no_damage_to_a_backup_is_a_traceback(backup: Path, tmp_path: Path) -> None:
    from webui.errors import UserError
    from webui.table.backup import read_backup

    whole = backup.read_bytes()
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(200):
        data = bytearray(whole[: int(rng.integers(len(whole)))] if rng.random() < 0.3 else whole)
        for place in rng.integers(0, max(len(data), 1), 5):
            data[place : place + 1] = bytes([int(rng.integers(256))])
        (tmp_path / "bad.zip").write_bytes(data)
        try:
            read_backup(tmp_path / "bad.zip")
        except UserError as error:
            refused += 1
            assert "bad.zip: " in str(error) and "\n" not in str(error)
    assert refused > 100


def test_a_deck_of_the_same_name_is_not_overwritten(backup: Path, tmp_path: Path) -> None:
    other = tmp_path / "new" / "tarok-table" / "decks" / "Club" / "crops"
    save_crop(other, "S7", np.full((64, 64, 3), 9, np.uint8))
    before = (other / "S7" / "1.png").read_bytes()
    done = tarok(tmp_path / "new", "restore", backup)
    assert done.returncode == 2 and "another deck of that name" in done.stderr
    assert (other / "S7" / "1.png").read_bytes() == before
