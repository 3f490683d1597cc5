"""Results: chips hand by hand, and totals over evenings."""

from itertools import pairwise

from tracker_live import numbered

from tracker.danish.events import Adjusted
from tracker.danish.session import DanishSession
from tracker.events import Event, HandAbandoned, HandStarted, PlayerJoined, SessionClosed, SessionOpened
from tracker.results import Result, Total, result_of, tallies, totals
from tracker.seat_change import SeatChange

SEATS = ("Anna", "Bo", "Carl")


def evening(*events: Event) -> DanishSession:
    return DanishSession.replay(numbered(SessionOpened("dtf-2011", (), SEATS), *events))


def test_the_chips_after_each_hand_and_each_change_and_the_settling_by_itself() -> None:
    session = evening(
        HandStarted("Anna"), Adjusted("Anna", "Bo", 50, "x"), HandAbandoned(),
        PlayerJoined("Dora", after="Carl"),
        HandStarted(None), Adjusted("Dora", "Carl", 20, "x"), HandAbandoned(), SessionClosed(),
    )  # fmt: skip
    found = tallies(session, session.parts)
    kinds = [None if one.part is None else isinstance(one.part, SeatChange) for one in found]
    assert kinds == [False, True, False, None]
    assert "Dora" not in found[0].balances and "Dora" in found[1].balances
    assert found[0].balances["Bo"] - found[0].balances["Carl"] == 50
    assert found[-1].balances == session.balances and sum(found[-1].balances.values()) == 0
    for before, now in pairwise(found):
        for name in now.balances:
            assert before.balances.get(name, 0) + now.moved[name] == now.balances[name]


def test_an_evening_by_the_hands_that_are_shown() -> None:
    session = evening(HandStarted("Anna"), HandAbandoned(), HandStarted("Bo"), Adjusted("Bo", "Anna", 5, "x"))
    whole, shown = result_of(session, session.parts), result_of(session, session.parts[:1])
    assert (whole.hands, shown.hands, whole.settled) == (2, 1, False)
    first = evening(HandStarted("Anna"), HandAbandoned())
    assert whole.chips == session.balances and shown.chips == first.balances
    assert result_of(evening(), []) == Result(
        dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0), 0, False, rules="dtf-2011"
    )


def test_totals_are_of_settled_evenings_alone_and_begin_with_the_most_chips() -> None:
    one = Result({"Anna": 30, "Bo": -30}, {"Anna": 4, "Bo": 3}, 4, True)
    two = Result({"Bo": 10, "Anna": -15, "Carl": 5}, {"Anna": 2, "Bo": 2, "Carl": 1}, 2, True)
    played = Result({"Anna": 900, "Bo": 900}, {"Anna": 1, "Bo": 1}, 1, False)
    assert totals([one, two, played]) == [
        Total("Anna", 2, 6, 15, 30, -15),
        Total("Carl", 1, 1, 5, 5, 5),
        Total("Bo", 2, 5, -20, 10, -30),
    ]
    assert totals([]) == []
