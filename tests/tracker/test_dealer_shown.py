"""The first trick shows who dealt: with whom its plays fell in order."""

from collections.abc import Sequence

import pytest
from tracker_live import live, plays

from tracker.doubts import doubt_of
from tracker.events import (
    DealerCorrected,
    Event,
    HandAbandoned,
    HandStarted,
    PlayerJoined,
    PlayInserted,
    PlaysTakenBack,
    SessionClosed,
    TrickUnseen,
)
from tracker.open_questions import dealers_asked, unanswered

SEATS = ("Anna", "Bo", "Carl", "Dora")
ANOTHERS = "Carl S7  Anna S2  Bo S3"


def fitting(*events: Event, seats: Sequence[str] = SEATS[:3]) -> str | None:
    """Who dealt, where Anna was booked as the dealer."""
    return live(*events, rules="dtf-2011", seats=seats, dealer="Anna").hands[0].dealer_shown


@pytest.mark.parametrize(
    ("text", "dealer"),
    [
        ("Bo S7  Carl S2  Anna S3", None),  # Anna dealt: Bo leads, and she is last
        ("Carl S7  Anna S2", None),  # the trick is not whole yet
        (ANOTHERS, "Bo"),
        (f"{ANOTHERS}  Anna S4  Bo S5  Carl S6", "Bo"),  # what comes later changes nothing
        ("Bo S7  Anna S2  Carl S3", None),  # that is nobody's deal
    ],
)
def test_the_first_trick_shows_who_dealt(text: str, dealer: str | None) -> None:
    assert fitting(*plays(text)) == dealer


def test_among_four_the_trick_shows_it_by_who_sat_out() -> None:
    assert fitting(*plays("Bo S7  Dora S2  Anna S3"), seats=SEATS) is None
    assert fitting(*plays("Anna S7  Carl S2  Dora S3"), seats=SEATS) == "Dora"


def test_nobody_is_asked_of_plays_taken_back_or_once_people_have_said_who_dealt() -> None:
    taken_back = [*plays(ANOTHERS), PlaysTakenBack(3)]
    assert fitting(*taken_back) is None
    assert fitting(*taken_back, *plays("Bo S7  Carl S2  Anna S3")) is None
    assert fitting(*plays("Bo S7"), PlaysTakenBack(1), *plays(ANOTHERS)) == "Bo"
    assert fitting(*plays(ANOTHERS), DealerCorrected(2, "Anna")) is None


def test_a_second_trick_shows_nothing_where_the_first_was_not_seen() -> None:
    assert fitting(TrickUnseen("Carl"), *plays(ANOTHERS)) is None


def test_a_card_that_was_missed_counts_in_its_place() -> None:
    assert fitting(*plays("Anna S2  Bo S3"), PlayInserted(3, "Carl", "S7")) == "Bo"


@pytest.mark.parametrize(
    "later",
    [
        (HandAbandoned(),),
        (HandAbandoned(), HandStarted("Bo")),
        (HandAbandoned(), PlayerJoined("Dora", "Carl"), HandStarted("Bo")),
        (HandAbandoned(), SessionClosed()),
    ],
    ids=["given up", "another hand", "one who joined", "the end"],
)
def test_the_question_stays_open_whatever_comes_after_the_hand_and_nobody_is_accused(
    later: tuple[Event, ...],
) -> None:
    session = live(*plays(ANOTHERS), *later, rules="dtf-2011", seats=SEATS[:3], dealer="Anna")
    hand = session.hands[0]
    assert dealers_asked(session) == [hand] and unanswered(session).questions == 1
    assert [one.kind for one in hand.findings] == ["lead_out_of_turn"]
    assert [doubt_of(hand, one) for one in hand.findings] == ["dealer"] and not unanswered(session).flags
    session.apply(DealerCorrected(hand.started, "Bo"))
    assert not dealers_asked(session) and session.hands[0].findings == []
