"""What goes when an entry is undone: the play since, and what refers to it. Everything else stays."""

import pytest
from tracker_live import numbered

from tracker.danish.combination import Combination
from tracker.danish.events import Adjusted, Declared, Fined, FoolNamed
from tracker.danish.session import DanishSession
from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayInserted,
    PlaysTakenBack,
    Recorded,
    SessionOpened,
)
from tracker.undo import undone_with, without

KINGS = Declared("Anna", (Combination("kings", grade="full"),))
DEALT = (SessionOpened("dtf-2011", (), ("Anna", "Bo", "Carl")), HandStarted("Carl"))
"""Events 1 and 2."""
TRICK = (CardPlayed("Anna", "S7"), CardPlayed("Bo", "S2"), CardPlayed("Carl", "S3"))
"""Events 3 to 5."""
SEEN = CardPlayed("Anna", "S8", time_s=9.0)


def record(*events: Event) -> list[Recorded]:
    return numbered(*DEALT, *TRICK, *events)


@pytest.mark.parametrize(
    ("more", "undone", "gone"),
    [
        # The cards since go with a card; what was said and booked beside them stays.
        ([], 4, [5, 4]),
        ([KINGS, CardPlayed("Anna", "S8"), Adjusted("Bo", "king", 5, "a cup")], 5, [7, 5]),
        # What is not of the play goes alone.
        ([KINGS, CardPlayed("Anna", "S8")], 6, [6]),
        ([CardPlayed("Anna", "S8"), PlayCorrected(3, card="S9"), CardPlayed("Bo", "S1")], 7, [7]),
        # What refers to a card goes with it.
        ([PlayCorrected(5, card="S9")], 5, [6, 5]),
        ([PlayCorrected(3, card="S9")], 5, [5]),
        ([PlayInserted(5, "Carl", "S9")], 5, [6, 5]),
        ([CardPlayed("Anna", "F"), FoolNamed("Anna", "H")], 6, [7, 6]),
        ([PlaysTakenBack(1), CardPlayed("Carl", "S9")], 5, [7, 6, 5]),
        # The start of a hand takes the hand with it, but not what was fined or moved of the hands before.
        ([], 2, [5, 4, 3, 2]),
        (
            [
                HandAbandoned(),
                HandStarted("Anna"),
                KINGS,
                Fined("Bo", "minor", "late", (), 1),
                Adjusted("Bo", "king", 5, "a cup"),
            ],
            7,
            [8, 7],
        ),
        ([HandAbandoned(), HandStarted("Anna"), Fined("Bo", "minor", "now", (), 2)], 7, [8, 7]),
        ([HandAbandoned(), HandStarted("Anna")], 6, [7, 6]),
        # A camera's hand stays, and what made way for it; so does what the camera saw.
        ([HandAbandoned(), HandStarted(), SEEN], 5, [5]),
        ([SEEN], 6, []),
        # An undo is no entry, what was undone already cannot be undone, and nothing has no number 99.
        ([EventRetracted(5)], 5, []),
        ([EventRetracted(5)], 6, []),
        ([SEEN, EventRetracted(6)], 7, [7]),
        ([], 99, []),
    ],
)
def test_what_goes_with_an_entry(more: list[Event], undone: int, gone: list[int]) -> None:
    assert [one.seq for one in undone_with(record(*more), undone, DanishSession.replay)] == gone


def test_a_record_without_some_events_goes_on_with_their_undoings_newest_first() -> None:
    assert without(record(), {3, 5}) == [
        *record(),
        Recorded(6, EventRetracted(5)),
        Recorded(7, EventRetracted(3)),
    ]
