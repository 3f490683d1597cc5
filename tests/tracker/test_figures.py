"""What is counted of persons: against a plain reckoning from the payments of the audit, in every game."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_results import SEATS, evening
from tracker_random import random_evening

from tracker.danish.combination import Combination
from tracker.danish.events import Declared, Fined
from tracker.danish.result import ResultEntered
from tracker.events import FindingPassed, HandAbandoned, HandStarted, SessionClosed
from tracker.figures import PersonFigures, added_up, chips_of, figures_of
from tracker.game import Game
from tracker.games import GAMES, read_session
from tracker.results import result_of
from tracker.session import Session

seeds = st.integers(0, 10**9)
KINDS = ("trumps", "matadors", "cavallerie", "kings")


def folded(game: str, seed: int) -> tuple[Game, Session[Any, Any], list[dict[str, Any]]]:
    """A random evening, settled, and its payments as the audit of a session file has them."""
    found, file = read_session(json.dumps({**random_evening(game, seed), "close": True}))
    session = file.session()
    rows = found.audit(session)["hands"]
    return found, session, [one for row in rows for one in paid_in(row)]


def paid_in(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The payments of a hand of an audit; a line of the score sheet is one from or to nobody."""
    lines = row.get("scores", ())
    sheet = [
        {
            "reason": one["reason"],
            "from": "" if one["points"] > 0 else one["player"],
            "to": one["player"] if one["points"] > 0 else "",
            "amount": abs(one["points"]),
        }
        for one in lines
    ]
    return [*row.get("payments", ()), *sheet]


@pytest.mark.parametrize("game", list(GAMES))
@settings(max_examples=20)
@given(seed=seeds)
@example(seed=2584733)  # French: everybody misdealt
def test_figures_are_those_of_the_payments_one_by_one_and_each_column_of_chips_sums_to_zero(
    game: str, seed: int
) -> None:
    found, session, payments = folded(game, seed)
    figures = figures_of(session, found.counted)
    for name, own in figures.items():
        for other in figures:
            from_him = sum(one["amount"] for one in payments if (one["from"], one["to"]) == (other, name))
            assert own["from", other] == figures[other]["to", name] == from_him
        won = sum(one["amount"] for one in payments if one["to"] == name)
        assert chips_of(own) == won - sum(one["amount"] for one in payments if one["from"] == name)
    for kind in {kind for own in figures.values() for one, kind in own if one in ("won", "lost")}:
        assert sum(own["won", kind] - own["lost", kind] for own in figures.values()) == 0
    result = result_of(session, session.parts)
    for name, chips in result.chips.items():
        assert (chips_of(figures[name]), figures[name]["hands", ""]) == (chips, result.played[name])


def times(payments: list[dict[str, Any]], name: str, side: str, *reasons: str) -> int:
    """How many payments of these reasons `name` made or got."""
    return sum(one[side] == name and one["reason"] in reasons for one in payments)


@pytest.mark.parametrize("game", list(GAMES))
@settings(max_examples=20)
@given(seed=seeds)
def test_how_often_is_counted_as_by_hand(game: str, seed: int) -> None:
    found, session, payments = folded(game, seed)
    rows = [row for row in found.audit(session)["hands"] if "dealer" in row and not row.get("void")]
    for name, own in figures_of(session, found.counted).items():
        won = Counter({kind: number for (one, kind), number in own.items() if one == "times won"})
        lost = Counter({kind: number for (one, kind), number in own.items() if one == "times lost"})
        if name == "" or name in session.pot_names:
            continue
        if game == "danish":
            declared = sum(number for kind, number in won.items() if kind.split()[0] in KINDS)
            assert 2 * declared == times(payments, name, "to", "declaration")
            assert won["king_ultimo"] + won["pagat_ultimo"] == times(payments, name, "to", "ultimo_pot")
            assert lost["king_bagud"] + lost["pagat_bagud"] == times(payments, name, "from", "bagud_pot")
            # Who loses one pays both others and the pot.
            assert 3 * lost["king_lost"] == times(payments, name, "from", "king_lost")
            assert 3 * lost["pagat_lost"] == times(payments, name, "from", "pagat_lost")
            assert 2 * lost["fine"] == times(payments, name, "from", "fine")
        elif game == "tarot1659":
            assert won["win"] == times(payments, name, "to", "win")
        else:
            assert won == Counter(one["reason"] for one in payments if one["to"] == name)
            assert lost == Counter(one["reason"] for one in payments if one["from"] == name)
            mine = [row for row in rows if name == row.get("declarer", row.get("taker")) and "won" in row]
            assert sum(own["declared", one] for one in {row["contract"] for row in mine}) == len(mine)
            assert sum(own["made", one] for one in {row["contract"] for row in mine}) == sum(
                row["won"] for row in mine
            )
        assert own["dealt", ""] == sum(row["dealer"] == name for row in rows)
        whole = [row["tricks_won"] for row in rows if row["complete"] and "tricks_won" in row]
        assert own["tricks", ""] == sum(row.get(name, 0) for row in whole)
        assert own["in tricks", ""] == sum(name in row for row in whole)


TEN = Combination("trumps", count=10, pagat=False)


def test_two_who_declare_alike_are_two_and_a_fine_that_comes_twice_is_two() -> None:
    session = evening(
        HandStarted("Anna"), Declared("Anna", (TEN,)), Declared("Bo", (TEN,)), Declared("Carl", ()),
        Fined("Bo", "minor"), Fined("Bo", "minor"), FindingPassed("Carl", "revoke", 1),
        HandAbandoned(), SessionClosed(),
    )  # fmt: skip
    figures = figures_of(session, GAMES["danish"].counted)
    declared = {
        name: (own["times won", "trumps 10"], own["times lost", "trumps 10"]) for name, own in figures.items()
    }
    assert declared == {"Anna": (1, 1), "Bo": (1, 1), "Carl": (0, 2), "king": (0, 0), "pagat": (0, 0)}
    assert (figures["Bo"]["times lost", "fine"], figures["Bo"]["fined", ""]) == (2, 2)
    assert (figures["Carl"]["passed", ""], figures["Carl"]["fined", ""]) == (1, 0)
    assert (figures["Anna"]["dealt", ""], figures["Carl"]["dealt", ""]) == (1, 0)


@pytest.mark.parametrize(("kind", "chips"), [("king", 2 * 40 + 65), ("pagat", 2 * 45 + 65)])
def test_a_card_that_goes_bagud_is_lost_once_with_its_pot(kind: str, chips: int) -> None:
    none_declared = tuple((name, ()) for name in SEATS)
    points = (("Anna", 26), ("Bo", 26))
    said = ResultEntered(declarations=none_declared, winner="Anna", last=(("Carl", kind),), points=points)
    session = evening(HandStarted("Anna"), said, SessionClosed())
    own = figures_of(session, GAMES["danish"].counted)["Carl"]
    assert (own["times lost", f"{kind}_bagud"], own["lost", f"{kind}_bagud"]) == (1, chips)


def test_evenings_are_added_up_by_name() -> None:
    one = {"Anna": PersonFigures({("from", "Bo"): 5}), "Bo": PersonFigures({("to", "Anna"): 5})}
    two = {"Anna": PersonFigures({("to", "Bo"): 3}), "Bo": PersonFigures({("from", "Anna"): 3})}
    assert added_up([one, two]) == {
        "Anna": PersonFigures({("from", "Bo"): 5, ("to", "Bo"): 3}),
        "Bo": PersonFigures({("to", "Anna"): 5, ("from", "Anna"): 3}),
    }
