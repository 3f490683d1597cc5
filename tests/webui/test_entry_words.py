"""Every kind of event is said in words on the page, for the undo and for those who listen to it."""

import pytest
from webui_page import Page

from tracker.danish.combination import Combination
from tracker.danish.events import (
    EVENTS,
    Adjusted,
    Declared,
    Fined,
    FoolCalled,
    FoolNamed,
    Redealt,
    SkatShown,
    ToutAnnounced,
)
from tracker.danish.result import ResultEntered
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    EntryCorrected,
    EntryInserted,
    Event,
    EventRetracted,
    FindingPassed,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    ResultChosen,
    SessionClosed,
    SessionOpened,
    TrickMissed,
    TrickTaken,
    TrickUnseen,
    Unwatched,
)
from webui.games.danish.page import DanishPage
from webui.view.event_text import event_text

ONE_OF_EACH: list[Event] = [
    SessionOpened("pagat-2024", seats=("Anna", "Bo", "Carl")),
    HandStarted("Anna"),
    PlayerJoined("Dora", after="Anna"),
    PlayerLeft("Anna"),
    PlayerRenamed("Ana", "Anna"),
    SessionClosed(),
    CardPlayed("Anna", "S7"),
    PlaysTakenBack(1),
    TrickTaken("Anna"),
    Unwatched(),
    ResultChosen(),
    ResultEntered(winner="Anna"),
    HandAbandoned(),
    FindingPassed("Anna", "revoke", 1),
    PlayCorrected(3, card="S8"),
    PlayRemoved(3),
    PlayInserted(3, "Anna", "S7"),
    TrickMissed(3, "Anna"),
    TrickUnseen("Anna"),
    DealerCorrected(2, "Bo"),
    EntryCorrected(3, FoolCalled("Bo")),
    EntryInserted(3, FoolCalled("Bo")),
    EventRetracted(3),
    Declared("Anna", (Combination("kings", grade="full"),)),
    ToutAnnounced("Anna"),
    FoolNamed("Anna", "S"),
    FoolCalled("Anna"),
    Fined("Anna", "minor"),
    Adjusted("Anna", "king", 5, "a cup fell over"),
    SkatShown(("S1", "S2", "S3")),
    Redealt("misdeal"),
]


def test_each_kind_is_here() -> None:
    assert {type(event) for event in ONE_OF_EACH} == set(EVENTS.by_name.values())


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda event: type(event).__name__)
def test_an_event_has_words(event: Event, page: Page) -> None:
    with page.client.application.test_request_context():
        assert event_text(event, "en", DanishPage()).strip()


def test_what_was_entered_late_names_its_hand(page: Page) -> None:
    late = EntryInserted(3, FoolCalled("Bo"))
    with page.client.application.test_request_context(query_string={"lang": "en"}):
        assert event_text(late, "en", DanishPage()) == "Entered late in hand 3: Bo calls for the fool"
