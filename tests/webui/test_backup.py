"""A backup, and back on another laptop: the evening goes on in the middle of a hand, or nothing is changed."""

import hashlib
import io
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from webui_serving import SEATS, Visitor, ran_in, serving

from tracker.errors import TarokError
from tracker.store import EventStore
from vision.taught.crops import save_crop
from webui.app import create_app
from webui.errors import UserError
from webui.table.backup import read_backup, restore_backup
from webui.table.live import LiveTable


@pytest.fixture
def backup(written: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(written, tmp_path))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Written while the program runs, two plays into a hand, with a taught deck chosen."""
    tmp_path = tmp_path_factory.mktemp("written")
    home = tmp_path / "old"
    data = home / "tarok-table"
    save_crop(data / "decks" / "Club" / "crops", "S7", np.zeros((64, 64, 3), np.uint8))
    save_crop(data / "corrections", "S7", np.zeros((64, 64, 3), np.uint8), "1-2")
    (data / "rules").mkdir()
    (data / "rules" / "Vores klub.toml").write_text('base = "dtf-2011"\nnolo = 40\n', encoding="utf-8")
    with serving(home, *SEATS, "--deck", "Club") as server:
        visitor = Visitor(server.address)
        visitor.post("plays", player="Bo", card="S7", once="one")
        visitor.post("plays", player="Carl", card="S8")
        done = ran_in(home, "backup", tmp_path / "club.zip")
        assert (done.returncode, done.stderr) == (0, "")
        by_page = visitor.opener.open(server.address + "host/backup.zip", timeout=10).read()
    whole = zipfile.ZipFile(tmp_path / "club.zip")
    assert zipfile.ZipFile(io.BytesIO(by_page)).namelist() == whole.namelist()
    return tmp_path / "club.zip"


def test_it_holds_evenings_decks_and_settings_and_nothing_else(backup: Path) -> None:
    assert sorted(zipfile.ZipFile(backup).namelist()) == [
        "backup.json", "decks/Club/crops/S7/1.png", "evenings.sqlite3", "host.json",
        "rules/Vores klub.toml", "seats.json",
    ]  # fmt: skip


def test_on_another_laptop_the_hand_goes_on(backup: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    done = ran_in(new, "restore", backup)
    assert (done.returncode, done.stderr) == (0, "")
    with serving(new) as server:
        visitor = Visitor(server.address)
        visitor.post("plays", player="Bo", card="S7", once="one")  # sent again: it is there
        visitor.post("plays", player="Anna", card="SR")
        (hand,) = json.loads(visitor.get("session.json"))["hands"]
        assert [event["card"] for event in hand["events"]] == ["S7", "S8", "SR"]
        assert "Club" in visitor.get("decks")
        assert "Vores klub" in visitor.get("rules")
    assert json.loads((new / "tarok-table" / "evening.sqlite3.seats.json").read_text())["sides"]["Bo"] == "E"
    again = ran_in(new, "restore", backup)
    assert again.returncode == 2 and "already has evenings" in again.stderr


def rewritten(backup: Path, name: str, change: object) -> Path:
    """The backup with one file changed and its sum put right."""
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


def with_sql(*statements: str) -> Callable[[bytes], bytes]:
    """The database after these statements."""

    def changed(data: bytes) -> bytes:
        database = sqlite3.connect(":memory:", isolation_level=None)
        database.deserialize(data)
        for statement in statements:
            database.execute(statement)
        return bytes(database.serialize())

    return changed


def with_bad_pages(data: bytes) -> bytes:
    """The roots of its tables overwritten."""
    page = int.from_bytes(data[16:18], "big")
    return data[: 2 * page] + b"\xff" * (len(data) - 2 * page)


ENDLESS = "CREATE VIEW sessions AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
NO_DATABASE = "is no evening's database"
DATABASES = {
    "a view that never ends": (
        with_sql(
            "ALTER TABLE sessions RENAME TO other", f"{ENDLESS} SELECT id, 1.0 opened_at, 0 imported FROM n"
        ),
        NO_DATABASE,
    ),
    "a trigger": (
        with_sql("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM sessions; END"), NO_DATABASE,
    ),
    "no table of events": (with_sql("DROP TABLE events"), NO_DATABASE),
    "bad pages": (with_bad_pages, "is damaged"),
    "a time in words": (with_sql("UPDATE events SET at = 'noon' WHERE seq = 2"), "event 2"),
    "the end of time": (with_sql("UPDATE sessions SET opened_at = 9e99"), "evening 1"),
    "an event that is missing": (with_sql("DELETE FROM events WHERE seq = 2"), "evening 1"),
    "a deep event": (
        with_sql(f"UPDATE events SET data = '{'[' * 9000}' WHERE seq = 3"), "nested too deeply",
    ),
    "a long event": (with_sql("UPDATE events SET data = hex(zeroblob(20000)) WHERE seq = 3"), "event 3"),
    "a name that leads out": (
        with_sql("UPDATE events SET data = replace(data, 'Anna', '../../x')"),
        "a name that no player can have",
    ),
}  # fmt: skip
TERAPIXEL = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0\x0f\0\0" * 2
FILES = {
    "deep choices": ("host.json", b"[" * 50_000, "host.json is not as"),
    "a text for a number": ("host.json", b'{"chip_hundredths": "9"}', "host.json is not as"),
    "a number beyond all": ("host.json", b'{"chip_hundredths": 1e999}', "host.json is not as"),
    "a long currency": ("host.json", b'{"currency": "kroner og oere"}', "host.json is not as"),
    "a side of no picture": ("seats.json", b'{"sides": {"Anna": "SE"}}', "seats.json is not as"),
    "sides that are none": ("seats.json", b"[1]", "seats.json is not as"),
    "a picture of a terapixel": ("decks/Club/crops/S7/2.png", TERAPIXEL, "which no backup has"),
}
HURTING = {
    **{case: ("evenings.sqlite3", change, said) for case, (change, said) in DATABASES.items()},
    **{case: (name, lambda _, data=data: data, said) for case, (name, data, said) in FILES.items()},
}


@pytest.mark.parametrize(("name", "change", "said"), HURTING.values(), ids=HURTING)
def test_a_hostile_backup_is_refused_in_a_sentence(
    backup: Path, name: str, change: object, said: str
) -> None:
    folder = backup.parent / "new"
    folder.mkdir()
    with closing(EventStore(folder / "evening.sqlite3", alone=True)) as store:
        with pytest.raises((UserError, TarokError), match=said) as refused:
            restore_backup(read_backup(rewritten(backup, name, change)), store, folder / "decks")
        assert "\n" not in str(refused.value) and store.sessions() == []
    assert sorted(path.name for path in folder.iterdir()) == ["evening.sqlite3", "evening.sqlite3.lock"]


def test_the_camera_of_another_laptop_is_not_opened(backup: Path, tmp_path: Path) -> None:
    """A backup from elsewhere could name any address; a camera's number is no more than a number."""
    for camera, restored in (("http://192.0.2.1/film", ""), ("2", "2")):
        data = json.dumps({"camera": camera}).encode()
        new = tmp_path / f"new{restored}"
        changed = rewritten(backup, "host.json", lambda _, data=data: data)
        assert ran_in(new, "restore", changed).returncode == 0
        kept = json.loads((new / "tarok-table" / "evening.sqlite3.host.json").read_text())
        assert kept["camera"] == restored


@pytest.mark.parametrize("end", ["host.json", "seats.json", "desk.json", "phones.json", "club.json"])
@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a": ' * 500 + "1" + "}" * 500, "9" * 5000, "[1e999]", "\0", '["x"]'],
    ids=["lists", "objects", "digits", "beyond all", "no text", "another form"],
)  # fmt: skip
def test_settings_that_are_damaged_do_not_stop_the_start(tmp_path: Path, end: str, text: str) -> None:
    path = tmp_path / "evening.sqlite3"
    (tmp_path / f"evening.sqlite3.{end}").write_text(text)
    with closing(EventStore(path, alone=True)) as store:
        assert create_app(LiveTable(store)).test_client().get("/").status_code == 403


CONJURED = with_sql('UPDATE events SET data = \'{"event": "Conjured"}\' WHERE seq = 3')
NEWER = with_sql("PRAGMA user_version=9")


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        pytest.param("evenings.sqlite3", NEWER, "another version", id="of a newer program"),
        pytest.param("evenings.sqlite3", CONJURED, "Conjured", id="an event of no program"),
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
    done = ran_in(tmp_path / "new", "restore", rewritten(backup, name, change))
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and said in line
    data = tmp_path / "new" / "tarok-table"
    assert [path for path in data.rglob("*.png")] == [] and not (data / "evening.sqlite3.host.json").exists()
    assert not (data / "evening.sqlite3").exists() or not EventStore(data / "evening.sqlite3").sessions()


def test_no_damage_to_a_backup_is_a_traceback(backup: Path, tmp_path: Path) -> None:
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
    done = ran_in(tmp_path / "new", "restore", backup)
    assert done.returncode == 2 and "another deck of that name" in done.stderr
    assert (other / "S7" / "1.png").read_bytes() == before
