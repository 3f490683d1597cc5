"""The record on disk: durable, in order, from many threads, and through a kill."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tracker.danish.events import Declared
from tracker.danish.session import DanishSession
from tracker.errors import TarokError
from tracker.events import CardPlayed, HandStarted, PlayCorrected, SessionOpened
from tracker.french.events import BidMade
from tracker.store import EventStore, StoreError, Token, TokenUsedError

ROOT = Path(__file__).parents[2]
OPENED = SessionOpened("dtf-2011", (("count", False), ("tout", 90)), ("Anna", "Bo", "Carl"))


def fill_disk(store: EventStore) -> None:
    """From now on the disk is full."""
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count={pages}")


def test_events_come_back_as_they_went_in(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evening.sqlite3")
    first = store.open_session(OPENED, at=1.0)
    store.append(HandStarted("Bo"), at=2.0)
    play = store.append(CardPlayed("Carl", "S7", alternatives=("S9",), time_s=3.5), at=3.0)
    assert (play.seq, play.at) == (3, 3.0)
    assert [item.event for item in store.events()] == [OPENED, HandStarted("Bo"), play.event]
    assert store.events()[2:] == [play]
    second = store.open_session(OPENED)
    assert store.append(PlayCorrected(1, card="S8")).seq == 2
    assert [(info.id, info.event_count) for info in store.sessions()] == [(first, 3), (second, 2)]
    assert store.events(session=first)[-1] == play
    store.close()
    again = EventStore(tmp_path / "evening.sqlite3")
    assert DanishSession.replay(again.events(session=first)).hand is not None


def test_a_session_from_a_file_is_kept_beside_the_one_that_is_played(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evening.sqlite3")
    assert store.newest() is None
    first = store.import_session([OPENED, HandStarted("Bo")], at=5.0)
    assert store.newest() is None
    played = store.open_session(OPENED, at=9.0)
    last = store.import_session([OPENED], at=1.0)
    assert store.newest() == played and store.append(HandStarted("Anna")).seq == 2
    assert [(info.id, info.opened_at, info.imported) for info in store.sessions()] == [
        (first, 5.0, True), (played, 9.0, False), (last, 1.0, True),
    ]  # fmt: skip
    assert [item.event for item in store.events(session=first)] == [OPENED, HandStarted("Bo")]
    copy = EventStore(tmp_path / "copy.sqlite3")
    assert copy.take_over(store) == 3 and copy.sessions() == store.sessions()


def test_many_threads_write_without_gap_or_twin(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evening.sqlite3")
    store.open_session(OPENED)
    other = EventStore(tmp_path / "evening.sqlite3")  # as a second process would

    def write(target: EventStore) -> None:
        for _ in range(20):
            target.append(HandStarted(None))

    threads = [threading.Thread(target=write, args=(target,)) for target in (store, store, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [item.seq for item in store.events()] == list(range(1, 62))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    program = (
        "import sys\n"
        "from tracker.danish.events import EVENTS\n"
        "from tracker.events import HandStarted, SessionOpened\n"
        "from tracker.store import EventStore\n"
        "store = EventStore(sys.argv[1])\n"
        "store.open_session(SessionOpened('pagat-2024', (), ('Anna', 'Bo', 'Carl')))\n"
        "while True:\n"
        "    print(store.append(HandStarted(None)).seq, flush=True)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    acknowledged = [int(child.stdout.readline()) for _ in range(25)]
    os.kill(child.pid, signal.SIGKILL)
    acknowledged += [int(line) for line in child.stdout.read().splitlines()]
    child.wait()
    child.stdout.close()
    store = EventStore(path)
    stored = [item.seq for item in store.events()]
    assert stored == list(range(1, len(stored) + 1))
    assert stored[-1] >= acknowledged[-1]
    assert store.append(HandStarted(None)).seq == len(stored) + 1


def test_a_file_of_something_else_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear club, " * 500)
    with pytest.raises(StoreError, match=r"letter\.txt: file is not a database"):
        EventStore(tmp_path / "letter.txt")
    with pytest.raises(StoreError, match="unable to open"):
        EventStore(tmp_path / "no" / "such" / "folder.sqlite3")
    newer = sqlite3.connect(tmp_path / "newer.sqlite3")
    newer.execute("PRAGMA user_version=7")
    newer.close()
    with pytest.raises(StoreError, match="another version"):
        EventStore(tmp_path / "newer.sqlite3")


def test_a_store_without_a_session_takes_no_events(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evening.sqlite3")
    with pytest.raises(StoreError, match="no session was opened"):
        store.append(HandStarted(None))
    with pytest.raises(StoreError, match="no session 9"):
        store.append(HandStarted(None), session=9)


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evening.sqlite3")
    store.open_session(OPENED)
    fill_disk(store)
    written = 1
    with pytest.raises(StoreError, match="full"):
        for _ in range(10_000):
            store.append(HandStarted("Anna"))
            written += 1
    assert len(store.events()) == written
    store._database.execute("PRAGMA max_page_count=1000000")
    assert store.append(HandStarted("Anna")).seq == written + 1


def test_of_several_events_all_or_none_are_stored(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evening.sqlite3")
    store.open_session(OPENED)
    assert [record.seq for record in store.append_all([HandStarted("Bo"), HandStarted("Carl")])] == [2, 3]
    fill_disk(store)
    with pytest.raises(StoreError, match="full"):
        store.append_all([HandStarted("Anna"), HandStarted("Anna" * 10_000)])  # room for the first alone
    assert len(store.events()) == 3


def test_only_one_program_keeps_an_evening_and_others_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    store = EventStore(path, alone=True)
    store.open_session(OPENED)
    with pytest.raises(StoreError, match=r"evening\.sqlite3: a running program keeps its evening there"):
        EventStore(path, alone=True)
    assert EventStore(path).events() == store.events()
    store.close()
    assert len(EventStore(path, alone=True).events()) == 1


def test_the_events_of_each_session_are_of_the_game_that_it_was_opened_for(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evenings.sqlite3")
    danish = [OPENED, HandStarted("Bo"), Declared("Bo")]
    opened = SessionOpened("french-tarot", (), ("Anna", "Bo", "Carl"))
    french = [opened, HandStarted("Bo"), BidMade("Carl", "garde")]
    evenings = [store.import_session(events, at=1.0) for events in (danish, french)]
    assert [[one.event for one in store.events(session=evening)] for evening in evenings] == [danish, french]
    headless = store.import_session([HandStarted("Bo")], at=1.0)
    with pytest.raises(TarokError, match="the record does not begin with the opening of an evening"):
        store.events(session=headless)
    assert store.events(session=99) == []


def test_a_damaged_file_is_named_and_told_of(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with closing(EventStore(path)) as store:
        session = store.open_session(OPENED)
        store.append_all([HandStarted(None)] * 500, session=session)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"CREATE TABLE tokens", b"CREATE TABLE \x94okens"))
    with pytest.raises(StoreError, match=r"evening\.sqlite3: "):
        EventStore(path)
    half = len(whole) // 2
    path.write_bytes(whole[:half] + bytes(8192) + whole[half + 8192 :])
    named = pytest.raises(StoreError, match=r"evening\.sqlite3: database disk image is malformed")
    with closing(EventStore(path)) as store, named:
        store.copy_to(tmp_path / "copy.sqlite3")


def test_a_store_that_cannot_be_asked_says_so_and_names_its_file(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evening.sqlite3")
    store.open_session(OPENED)
    with pytest.raises(StoreError, match=r"no/copy\.sqlite3: unable to open"):
        store.copy_to(tmp_path / "no" / "copy.sqlite3")
    store.close()
    asked: list[Callable[[], object]] = [
        store.events,
        store.sessions,
        store.newest,
        lambda: store.seq_of("a"),
        lambda: store.is_stored(Token("a", "")),
        lambda: store.append(HandStarted("Bo")),
        lambda: store.open_session(OPENED),
        lambda: store.delete_session(1),
    ]
    for one in asked:
        with pytest.raises(StoreError, match=r"evening\.sqlite3: Cannot operate on a closed database"):
            one()


def test_a_token_is_stored_with_its_events_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    store = EventStore(path)
    opening, deal = Token("a", "opened"), Token("b", "Bo deals")
    store.open_session(OPENED, token=opening)
    assert not store.is_stored(deal)
    store.append_all([HandStarted("Bo")], token=deal)
    for again in (store, EventStore(path)):
        assert again.is_stored(opening) and again.is_stored(deal)
        with pytest.raises(TokenUsedError):
            again.is_stored(Token("b", "Carl deals"))
        with pytest.raises(TokenUsedError):
            again.append_all([HandStarted("Carl")], token=deal)
        with pytest.raises(TokenUsedError):
            again.open_session(OPENED, token=deal)
    assert len(store.events()) == 2 and len(store.sessions()) == 1
    fill_disk(store)
    with pytest.raises(StoreError, match="full"):
        store.append_all([HandStarted("Anna" * 10_000)], token=Token("c", ""))
    assert not store.is_stored(Token("c", ""))
