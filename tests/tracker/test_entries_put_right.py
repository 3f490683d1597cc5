"""What was entered beside the cards is put right in its place, or entered in the hand where it belongs."""

import json

import pytest
from tracker_live import numbered

from tracker.danish.combination import Combination
from tracker.danish.events import EVENTS, Declared, Fined, FoolCalled
from tracker.danish.session import DanishSession
from tracker.errors import TarokError
from tracker.events import (
    CardPlayed,
    EntryCorrected,
    EntryInserted,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    Recorded,
    SessionOpened,
    event_to_json,
)
from tracker.renaming import with_names
from tracker.session_file import export

KINGS = (Combination("kings", grade="full"),)
OPENED = SessionOpened("dtf-2011", (), ("Anna", "Bo", "Carl"))
TWO_HANDS: tuple[Event, ...] = (
    OPENED, HandStarted("Carl"), Declared("Anna", KINGS), CardPlayed("Anna", "S7"), HandAbandoned(),
    HandStarted("Anna"), CardPlayed("Bo", "S7"),
)  # fmt: skip


def session(*more: Event) -> DanishSession:
    return DanishSession.replay(numbered(*TWO_HANDS, *more))


def test_an_entry_of_an_earlier_hand_is_corrected_in_its_place() -> None:
    put_right = session(EntryCorrected(3, Declared("Bo", KINGS)))
    assert put_right.hands[0].declared["Bo"] == KINGS and not put_right.hands[0].declared["Anna"]
    assert [hand.plays[0].card for hand in put_right.hands] == ["S7", "S7"] and put_right.alerts == []
    assert session(EntryCorrected(3, Declared("Bo", KINGS)), EventRetracted(8)).balances == session().balances
    twice = session(EntryCorrected(3, Declared("Bo", KINGS)), EntryCorrected(3, Declared("Anna", ())))
    assert twice.hands[0].declared["Anna"] == () and twice.hands[0].declared["Bo"] is None


def test_what_was_missed_in_an_earlier_hand_is_entered_there() -> None:
    late = session(EntryInserted(1, Declared("Bo", KINGS)))
    assert late.hands[0].declared["Bo"] == KINGS and late.hands[1].declared["Bo"] is None
    file = export([Recorded(*one) for one in late.record], DanishSession)
    assert [event.get("declare") for event in file["hands"][0]["events"]] == ["Anna", "Bo", None]
    assert [event.get("declare") for event in file["hands"][1]["events"]] == [None]


@pytest.mark.parametrize(
    "wrong",
    [
        EntryCorrected(3, FoolCalled("Anna")),
        EntryCorrected(4, CardPlayed("Anna", "S8")),
        EntryCorrected(99, Declared("Bo", KINGS)),
        EntryInserted(3, Declared("Bo", KINGS)),
        EntryInserted(0, Declared("Bo", KINGS)),
        EntryInserted(1, HandStarted("Bo")),
        EntryInserted(1, EntryCorrected(3, Declared("Bo", KINGS))),
    ],
    ids=["another kind", "a play", "nothing", "no such hand", "before the first", "a hand", "a correction"],
)
def test_a_correction_of_nothing_is_a_question_and_changes_nothing(wrong: Event) -> None:
    asked = session(wrong)
    assert [alert.seq for alert in asked.alerts] == [8]
    assert asked.balances == session().balances and len(asked.hands) == 2


@pytest.mark.parametrize(
    "event", [EntryCorrected(3, Declared("Anna", KINGS)), EntryInserted(1, Fined("Anna", "minor"))]
)
def test_an_event_within_another_is_stored_read_and_renamed(event: Event) -> None:
    assert EVENTS.from_json(json.loads(json.dumps(event_to_json(event)))) == event
    assert with_names(event, {"Anna": "N.N."}).entry.player == "N.N."  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "inner", [{"event": "Nonsense"}, {}, "Declared", None, {"event": "Declared", "player": 3}]
)
def test_a_damaged_event_within_another_is_refused_in_a_sentence(inner: object) -> None:
    with pytest.raises(TarokError):
        EVENTS.from_json({"event": "EntryCorrected", "seq": 3, "entry": inner})
