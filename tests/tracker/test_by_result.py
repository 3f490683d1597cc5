"""A hand that is entered by its result comes to the same chips as with its cards, and accuses nobody."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import tracker_deals
from hypothesis import given
from hypothesis import strategies as st
from tracker_again import file_of, folded
from tracker_file import session_file
from tracker_live import numbered, plays
from tracker_random import random_evening

from tracker.american import result as american
from tracker.american.game import AMERICAN
from tracker.danish import result as danish
from tracker.danish.combination import Combination
from tracker.danish.events import Declared, Fined, Redealt, SkatShown
from tracker.danish.game import DANISH
from tracker.danish.session import DanishSession
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    Event,
    EventRetracted,
    HandStarted,
    PlayerJoined,
    Recorded,
    ResultChosen,
    SessionOpened,
    Unwatched,
    event_to_json,
)
from tracker.french import result as french
from tracker.french.game import FRENCH
from tracker.game import Game
from tracker.open_questions import unanswered
from tracker.reader import SessionFileError
from tracker.renaming import with_names
from tracker.session_file import export
from tracker.tarot1659 import events as of_1659
from tracker.tarot1659 import result as tarot1659
from tracker.tarot1659.game import TAROT_1659

seeds = st.integers(0, 10**9)
# Chips that were moved in the middle of a hand may empty a pot between two payments that a result makes at its end.
DANISH_PLAN = replace(tracker_deals.FAULTY, adjust=0.0)


AMERICAN_PLAYED = ("call", "talon", "take", "discard", "announce", "raise", "vitamin", "open")
FRENCH_PLAYED = ("bid", "contract", "call", "dog", "discard", "slam", "handful", "award")
PLAYED = ("play", "take_back", "name_fool", "call_fool", "skat", "exchange_fool")
"""What a hand known by its result does not have."""


def entered_by_result(session: dict[str, Any], game: Game, of: Callable[[Any], Any]) -> dict[str, Any]:
    """`session` with each hand that was played out entered by its result, where its last card fell."""
    hands = iter(folded(session).hands)
    changed = copy.deepcopy(session)
    played = {*PLAYED, *(FRENCH_PLAYED if game is FRENCH else AMERICAN_PLAYED)}
    for entry in changed["hands"]:
        if "join" in entry or "leave" in entry:
            continue
        hand = next(hands)
        if not hand.complete:
            continue
        events = entry["events"]
        over = max(place for place, event in enumerate(events) if "play" in event)
        events[over] = {"result": of(hand).stated()}
        entry["events"] = [event for event in events if not played & event.keys()]
    return changed


@pytest.mark.parametrize(
    ("game", "of"),
    [
        (DANISH, danish.result_so_far),
        (TAROT_1659, tarot1659.result_so_far),
        (AMERICAN, american.result_so_far),
        (FRENCH, french.result_so_far),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
@given(seed=seeds)
def test_a_hand_by_its_result_comes_to_the_same_chips_as_with_its_cards(
    game: Game, of: Callable[[Any], Any], seed: int
) -> None:
    session = random_evening(game.name, seed)
    if game is DANISH:
        session = tracker_deals.random_session(seed, DANISH_PLAN).session
    by_result = entered_by_result(session, game, of)
    cards = game.audit(folded(session))
    file = file_of(by_result)
    result = game.audit(file.session())
    assert (result["balances"], result["pots"]) == (cards["balances"], cards["pots"])
    for one, other in zip(result["hands"], cards["hands"], strict=True):
        if "result" in one:
            assert one["tricks"] == one["violations"] == []
            assert one["complete"] and one.get("points", {}).items() <= other.get("points", {}).items()
            assert one.get("next") == other.get("next")
    # It is written as it was read, live it comes to the same, and both languages tell it.
    written = export(file.events, game.session)
    assert game.audit(folded(written)) == result
    as_json = [json.loads(json.dumps(event_to_json(one))) for one in file.events]
    stored = [game.session.kinds.from_json(one) for one in as_json]
    assert stored == list(file.events)
    live = game.session.replay(numbered(*stored))
    assert game.audit(live) == result
    for language in ("en", "da", "fr"):
        assert game.audit_text(live, language)


# -- Danish Tarok, as it is entered --------------------------------------------------------------------------

OPENED = SessionOpened("pagat-2024", seats=("Anna", "Bo", "Carl"))
# Carl deals: Anna takes the last trick with a king, Carl goes bagud with another.
KING_ULTIMO = danish.ResultEntered(
    declarations=(("Anna", (Combination("trumps", count=10, pagat=False),)), ("Bo", ())),
    lost=(("Bo", "king"), ("Bo", "pagat")),
    winner="Anna",
    last=(("Anna", "king"), ("Carl", "king")),
    points=(("Anna", 31), ("Bo", 19)),
)


def evening(*events: Event) -> DanishSession:
    """A live session of Anna, Bo and Carl, in which Carl deals and `events` follow."""
    return DanishSession.replay(numbered(OPENED, HandStarted("Carl"), *events))


def test_a_result_pays_what_its_hand_of_cards_would() -> None:
    session = evening(KING_ULTIMO)
    hand = session.hands[0]
    assert hand.complete and not session.under_way and not hand.findings
    assert hand.points == {"Anna": 31, "Bo": 19, "Carl": 28}
    paid = [(one.reason, one.source, one.target, one.amount) for one in hand.payments if one.rule > "PAY-2"]
    assert paid == [
        ("declaration", "Bo", "Anna", 10),
        ("declaration", "Carl", "Anna", 10),
        ("king_lost", "Bo", "Anna", 5),
        ("king_lost", "Bo", "Carl", 5),
        ("king_lost", "Bo", "king", 5),
        ("pagat_lost", "Bo", "Anna", 5),
        ("pagat_lost", "Bo", "Carl", 5),
        ("pagat_lost", "Bo", "pagat", 5),
        ("king_ultimo", "Bo", "Anna", 40),
        ("king_ultimo", "Carl", "Anna", 40),
        ("ultimo_pot", "king", "Anna", 70),
        ("king_bagud", "Carl", "Anna", 40),
        ("king_bagud", "Carl", "Bo", 40),
        ("bagud_pot", "Carl", "king", 70),
        ("count", "Bo", "Anna", 5),
    ]


def test_in_the_middle_of_a_hand_its_cards_and_what_was_asked_about_them_no_longer_count() -> None:
    doubtful = CardPlayed("Bo", "S1", alternatives=("S2",))
    seen = [CardPlayed("Anna", "SR"), doubtful, CardPlayed("Bo", "S3"), Unwatched()]
    session = evening(*seen, Fined("Bo", "minor"))
    assert unanswered(session).questions == 3
    chosen = evening(*seen, Fined("Bo", "minor"), ResultChosen())
    assert chosen.hands[0].by_result and unanswered(chosen).questions == 0
    entered = evening(*seen, Fined("Bo", "minor"), ResultChosen(), KING_ULTIMO)
    assert not entered.hands[0].plays and unanswered(entered).questions == 0
    assert entered.balances == evening(Fined("Bo", "minor"), KING_ULTIMO).balances
    # Undone, the cards are there again.
    again = evening(*seen, Fined("Bo", "minor"), ResultChosen(), KING_ULTIMO, EventRetracted(9))
    assert len(again.hands[0].plays) == 2 and again.under_way and again.hands[0].by_result


def test_a_result_settles_no_question_about_who_joined_and_a_refused_one_settles_none() -> None:
    told = [CardPlayed("Anna", "SR"), PlayerJoined("Dora", "Bo"), CardPlayed("Anna", "S1")]
    settled = evening(*told, KING_ULTIMO)
    assert [alert.seq for alert in settled.alerts] == [4], "nobody joins during a hand"
    written = export(settled.record, DanishSession)
    assert folded(written).balances == settled.balances
    refused = evening(*told, replace(KING_ULTIMO, points=()))
    assert [alert.seq for alert in refused.alerts] == [4, 5, 6]


def test_a_result_entered_again_stands_in_the_place_of_the_first() -> None:
    other = replace(KING_ULTIMO, last=(), points=(("Anna", 40), ("Bo", 20)))
    expected = evening(other, Fined("Bo", "major"), HandStarted(), KING_ULTIMO)
    again = evening(KING_ULTIMO, Fined("Bo", "major"), replace(other, hand=1), HandStarted(), KING_ULTIMO)
    late = evening(KING_ULTIMO, Fined("Bo", "major"), HandStarted(), KING_ULTIMO, replace(other, hand=1))
    assert expected.payments == again.payments == late.payments
    assert export(late.record, DanishSession) == export(expected.record, DanishSession)


def test_an_earlier_hand_of_cards_can_be_given_its_result() -> None:
    told = [CardPlayed("Anna", "SR"), CardPlayed("Bo", "S1"), HandStarted("Bo")]
    joined = evening(*told, PlayerJoined("Dora", "Bo"))
    assert joined.alerts  # nobody joins during a hand
    session = evening(*told, replace(KING_ULTIMO, hand=1))
    assert session.hands[0].complete and session.hands[1].dealer == "Bo" and session.under_way
    assert evening(replace(KING_ULTIMO, hand=3)).alerts[0].reason.sentence == "there is no hand {number}"


@pytest.mark.rule("T59-FINE-3")
def test_a_fine_after_the_last_card_lies_in_the_pot_for_the_next_hand_also_once_the_result_is_entered() -> (
    None
):
    opened = SessionOpened("tarot-1659", (("cards", 1),), ("Anna", "Bo", "Carl", "Dora"))
    cards = plays("Anna S4  Bo S3  Carl S2  Dora S1")
    fines = [of_1659.Fined("Bo", 5), *cards, of_1659.Fined("Bo", 7)]
    told: list[Event] = [opened, HandStarted("Dora"), *fines]
    session = TAROT_1659.session.replay(numbered(*told))
    assert (session.balances["Anna"], session.pots["pot"]) == (30 + 5, 7)
    session.apply(tarot1659.ResultEntered(winners=("Carl",)))
    assert (session.balances["Carl"], session.pots["pot"]) == (30 + 5, 7) and not session.alerts
    written = export(session.record, TAROT_1659.session)
    assert folded(written).balances == session.balances


def test_an_evening_of_results_goes_on_hand_by_hand_until_the_cards_are_named_again() -> None:
    session = evening(ResultChosen(evening=True), KING_ULTIMO, HandStarted())
    assert session.by_result and session.hands[1].by_result
    for event in (ResultChosen(on=False), CardPlayed("Bo", "SR"), HandStarted("Bo")):
        session.apply(event)
    assert not session.hands[1].by_result and session.hands[1].plays and session.hands[2].by_result
    session.apply(ResultChosen(on=False, evening=True))
    assert not session.by_result and not session.hands[2].by_result


def test_what_follows_a_result() -> None:
    session = evening(KING_ULTIMO)
    before = session.balances | {}
    for event in (
        CardPlayed("Anna", "SR"),
        Declared("Anna"),
        Redealt("misdeal"),
        SkatShown(("S1", "S2", "S3")),
    ):
        session.apply(event)
    assert len(session.alerts) == 4 and session.balances == before
    session.apply(Fined("Bo", "misdeclaration", declarations=()))
    assert session.balances["Bo"] == before["Bo"] - 80
    session.apply(Fined("Anna", "misdeclaration", declarations=KING_ULTIMO.declarations[0][1]))
    assert session.balances["Anna"] == before["Anna"] - 80 - 20


def test_a_result_whose_players_did_not_play_is_told_and_not_counted() -> None:
    seats = replace(OPENED, seats=("Anna", "Bo", "Carl", "Dora"))
    told = [seats, HandStarted("Carl"), replace(KING_ULTIMO, winner="Bo", last=(("Bo", "king"),))]
    record = [Recorded(number, event) for number, event in enumerate(told, start=1)]
    session = DanishSession.replay(record)
    # Where Carl deals, Anna sits out; where Anna does, Carl.
    assert not session.hands[0].complete and session.alerts
    assert sum(session.balances.values()) + sum(session.pots.values()) == 0
    dealt = DanishSession.replay([*record, Recorded(4, DealerCorrected(2, "Anna"))])
    assert dealt.hands[0].complete and not dealt.alerts


def test_a_name_is_erased_from_a_result() -> None:
    changed = with_names(KING_ULTIMO, {"Anna": "N.N."})
    assert "Anna" not in json.dumps(event_to_json(changed)) and changed.winner == "N.N."  # type: ignore[attr-defined]


GOOD: dict[str, Any] = {"last_trick": {"winner": "Anna"}, "points": {"Anna": 30, "Bo": 20, "Carl": 28}}


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (GOOD | {"bagud": 1}, "unknown key 'bagud'"),
        (GOOD | {"last_trick": {}}, "nobody won the last trick"),
        (GOOD | {"last_trick": {"winner": "Dora"}}, "'Dora' is not seated"),
        (GOOD | {"lost": {"Bo": ["queen"]}}, "must be one of king, pagat, not 'queen'"),
        (GOOD | {"lost": {"Bo": ["king"] * 5}}, "there are four kings and one pagat"),
        (GOOD | {"lost": {"Bo": ["pagat"]}, "pagat_won": "Carl"}, "there are four kings and one pagat"),
        (GOOD | {"nolo": "Anna"}, "Anna cannot have won a trick"),
        ({"nolo": "Bo", "last_trick": {"cards": {"Anna": "king"}}}, "nobody won the last trick"),
        (GOOD | {"tout": "Bo"}, "Bo won every trick, so also the last"),
        (GOOD | {"tout": "Anna", "lost": {"Anna": ["king"]}}, "Anna cannot have won every trick"),
        (GOOD | {"tout": "Anna", "nolo": "Bo"}, "there is no nolo where one player won every trick"),
        (GOOD | {"points": {"Anna": 30}}, "the points of Bo are missing"),
        (GOOD | {"points": {"Anna": 30, "Bo": 20, "Carl": 27}}, "are 78 together, not 77"),
        ({"last_trick": {"winner": "Anna"}}, "the points of Anna are missing"),
        (GOOD | {"declarations": {"Anna": [{"kind": "matadors", "count": 2}]}}, "matadors are 3 to 22"),
    ],
)
def test_what_no_hand_comes_to_is_refused_by_its_place(result: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SessionFileError) as refused:
        folded(session_file("pagat-2024", OPENED.seats, {"dealer": "Carl", "result": result}))
    assert "hands[0]" in str(refused.value) and complaint in str(refused.value)


@pytest.mark.parametrize(("rules", "may_lie"), [("pagat-2024", True), ("dtf-2011", False)])
def test_the_fool_is_laid_where_the_rules_allow_it(rules: str, may_lie: bool) -> None:
    said = {"tout": "Carl", "fool_in_skat": True, "last_trick": {"winner": "Carl"}, "points": GOOD["points"]}
    laid, plain = (
        file_of(session_file(rules, OPENED.seats, {"dealer": "Carl", "result": result}))
        for result in (said, GOOD)
    )
    assert plain.session().hands[0].complete
    if may_lie:
        assert laid.session().hands[0].complete
    else:
        with pytest.raises(SessionFileError, match="by these rules the fool is never laid"):
            laid.session()


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({"result": GOOD, "events": []}, "has either 'events' or a 'result'"),
        ({"events": [{"result": GOOD}, {"result": GOOD}]}, "a hand has one result"),
        ({"events": [{"play": "Anna", "card": "SR"}, {"result": GOOD}]}, "has no cards"),
        ({"events": [{"result": GOOD}, {"play": "Anna", "card": "SR"}]}, "SR cannot be played"),
        ({"events": [{"result": GOOD}, {"take_back": 1}]}, "the hand was entered by its result"),
    ],
)
def test_a_result_stands_alone(entry: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SessionFileError, match=complaint):
        folded(session_file("pagat-2024", OPENED.seats, entry))
