"""The first trick shows who dealt: with whom its plays fell in order."""

from collections.abc import Sequence

import pytest
from tracker_live import live, plays

from tracker.danish.session import DanishSession
from tracker.dealing import dealer_that_fits
from tracker.events import DealerCorrected, Event, HandAbandoned, PlaysTakenBack, SessionOpened

SEATS = ("Anna", "Bo", "Carl", "Dora")
ANOTHERS = "Carl S7  Anna S2  Bo S3"


def fitting(*events: Event, seats: Sequence[str] = SEATS[:3]) -> str | None:
    """Who dealt, where Anna was booked as the dealer."""
    return dealer_that_fits(live(*events, rules="dtf-2011", seats=seats, dealer="Anna"))


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


def test_nobody_is_asked_of_plays_taken_back_or_of_a_deal_that_was_given_up_or_settled() -> None:
    taken_back = [*plays(ANOTHERS), PlaysTakenBack(3)]
    assert fitting(*taken_back) is None
    assert fitting(*taken_back, *plays("Bo S7  Carl S2  Anna S3")) is None
    assert fitting(*plays("Bo S7"), PlaysTakenBack(1), *plays(ANOTHERS)) == "Bo"
    assert dealer_that_fits(DanishSession(SessionOpened("dtf-2011", (), SEATS))) is None
    assert fitting(*plays(ANOTHERS), HandAbandoned()) is None
    assert fitting(*plays(ANOTHERS), DealerCorrected(2, "Anna")) is None
