"""Tricks that nobody saw: the hand goes on, nobody is flagged by them, and what needs no card of them is paid."""

import itertools
import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from american_table import evening_of, game, plays
from french_table import deal_of
from tracker_again import folded
from tracker_live import entered, live
from tracker_live import plays as cards_of
from tracker_random import random_evening

from tracker.errors import EventError
from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandStarted,
    PlayInserted,
    SessionOpened,
    TrickMissed,
    TrickUnseen,
    Unwatched,
)
from tracker.findings import Finding
from tracker.games import ALL_RULE_SETS, game_of_rules, read_session
from tracker.reader import SessionFileError
from tracker.session import Session
from tracker.session_file import export
from tracker.tarot1659.events import FoolExchanged
from webui.commands.film import dealt_hands

SEATS = ("Anna", "Bo", "Carl", "Dora")
TWO_CARDS_EACH = SessionOpened("tarot-1659", (("cards", 2),), SEATS)
GAMES = ("dtf-2011", "pagat-2024", "tarot-1659", "american-tarock", "french-tarot")


def dealt(rules: str, seed: int) -> Session[Any, Any]:
    """A hand dealt by chance and played by the rules."""
    if rules == "french-tarot":
        deals = (random_evening("french", 1000 * seed + n, faulty=False, hands=1) for n in itertools.count())
        sessions = (folded(deal) for deal in deals)
        alone = (one for one in sessions if len(one.hands) == 1 and not one.seat_changes)
        return next(one for one in alone if one.hands[0].complete)
    return dealt_hands(seed, SEATS[: 3 if game_of_rules(rules).name == "danish" else 4], (rules, ()))


def events_of(session: Session[Any, Any]) -> list[Event]:
    return [HandStarted(session.hands[0].dealer), *(event for event, _ in session.hands[0].entries)]


def blind(session: Session[Any, Any], chance: random.Random) -> tuple[Session[Any, Any], set[int]]:
    """The same evening, and the numbers of the tricks of which some or all cards were not seen."""
    tricks = session.hands[0].tricks
    missed = {one.number: chance.randrange(len(one.plays)) for one in chance.sample(tricks, len(tricks) // 4)}
    after = {}
    unseen = set()
    for trick in tricks:
        if trick.number in missed:
            unseen |= {play.seq for play in trick.plays[missed[trick.number] :]}
            after[trick.plays[-1].seq] = TrickUnseen(trick.winner or "")
    again = type(session)(replace(session.opened, seats=session.hands[0].seats), strict=True)
    again.apply(HandStarted(session.hands[0].dealer))
    for event, seq in session.hands[0].entries:
        if seq not in unseen and not (isinstance(event, FoolExchanged) and not again.hands[0].fool):
            again.apply(event)
        if seq in after:
            again.apply(after[seq])
    return again, set(missed)


def key(payment: Any, pots: tuple[str, ...]) -> tuple[Any, ...]:
    """What a payment is; how much a pot holds rests on what was lost to it, seen or not."""
    amount = 0 if payment.source in pots or payment.reason.endswith("_pot") else payment.amount
    return payment.rule, payment.reason, payment.source, payment.target, amount, payment.trick


@pytest.mark.parametrize("rules", GAMES)
def test_what_is_paid_and_flagged_is_also_when_all_is_seen(rules: str) -> None:
    for seed in range(60):
        whole = dealt(rules, seed)
        part, missed = blind(whole, random.Random(seed))
        before, hand, pots = whole.hands[0], part.hands[0], part.pot_names
        assert hand.complete and hand.tricks_won == before.tricks_won
        assert [trick.winner for trick in hand.tricks] == [trick.winner for trick in before.tricks]
        paid, due = (Counter(key(one, pots) for one in which.payments) for which in (hand, before))
        assert paid <= due, (seed, paid - due)
        lost = {one[1] for one in due - paid if one[5] not in {*missed, None}}
        assert not lost, (seed, lost)
        if part.keeps_chips:
            assert sum(part.balances.values()) + sum(part.pots.values()) == 0
        assert {name(one) for one in hand.findings} <= {name(one) for one in before.findings}
        file = json.dumps(export(part.record, type(part)))
        assert read_session(file)[1].session().balances == part.balances


@pytest.mark.parametrize("game", ["american", "french", "tarot1659"])
def test_what_is_flagged_was_so_and_a_revoke_that_seen_tricks_show_is_flagged(game: str) -> None:
    flagged = 0
    for seed in range(80):
        whole = folded(random_evening(game, seed, faulty=True, hands=1))
        before = whole.hands[0]
        if before.result or before.void or not before.tricks or before.to_play:
            continue
        part, missed = blind(whole, random.Random(seed))
        hand = part.hands[0]
        seen = {play.card for trick in before.tricks if trick.number not in missed for play in trick.plays}
        surely = {
            name(one)
            for one in before.findings
            if one.kind == "revoke" and one.trick not in missed and {*one.evidence} <= seen
        }
        found = {name(one) for one in hand.findings}
        assert surely <= found <= {name(one) for one in before.findings}, seed
        flagged += len(surely)
    assert flagged > 10


def name(finding: Finding) -> tuple[object, ...]:
    return finding.kind, finding.player, finding.trick, finding.card


def test_a_tout_a_nolo_and_the_last_trick_are_paid_without_the_cards_of_another() -> None:
    found = set()
    for seed in range(300):
        hand = blind(dealt("dtf-2011", seed), random.Random(seed))[0].hands[0]
        assert hand.points is None, "what was not seen cannot be counted"
        found |= {payment.reason for payment in hand.payments if payment.rule == "PAY-5"}
    assert {"last_trick", "king_bagud"} <= found


def test_a_revoke_that_two_seen_tricks_show_is_flagged_and_no_other() -> None:
    """Anna trumps a spade in trick 1, and shows one in trick 3; trick 2 was not seen."""
    session = live(rules="dtf-2011")

    def trick(*cards: str) -> None:
        for player, card in zip(session.hand.turn, cards, strict=True):
            session.apply(CardPlayed(player, card))

    trick("H2", "H3", "H4")
    trick("S2", "T3", "S4")
    accused = session.hand.tricks[1].plays[1].player
    session.apply(TrickUnseen(accused))
    trick("S7", "S8", "S9")
    assert [(one.kind, one.player, one.trick) for one in session.hand.findings] == [("revoke", accused, 2)]
    # Nobody saw who led to the trick after it, had its winner been another.
    session.apply(TrickUnseen("Anna"))
    leader = next(name for name in session.hand.active if name != "Anna")
    session.apply(CardPlayed(leader, "D2"))
    assert len(session.hand.findings) == 1


def test_a_trick_is_told_where_it_was_missed_and_named_card_by_card() -> None:
    session = live(*cards_of("Anna S7  Anna H1  Bo H2  Carl H3"), rules="dtf-2011")
    assert session.alerts, "Anna has two cards in the trick"
    session.apply(TrickMissed(4, "Anna"))
    hand = session.hand
    assert session.alerts == [] and [len(trick.plays) for trick in hand.tricks] == [1, 3]
    assert (hand.tricks[0].unseen, hand.tricks[0].closed_by, hand.tricks_won["Anna"]) == (2, 7, 2)
    session.apply(PlayInserted(7, "Bo", "S8"))
    assert session.hand.tricks[0].unseen == 1


def test_plays_are_not_taken_back_behind_a_trick_that_was_not_seen() -> None:
    events = CardPlayed("Anna", "S7"), TrickUnseen("Anna"), CardPlayed("Anna", "H1")
    session = live(*events, rules="dtf-2011")
    assert not session.alerts and session.hand.taken_back(1)
    with pytest.raises(EventError, match="not seen"):
        session.hand.taken_back(2)


@pytest.mark.parametrize("rules", GAMES)
def test_a_hand_is_not_dealt_again_after_a_trick_that_nobody_saw(rules: str) -> None:
    redeal = game_of_rules(rules).session.kinds.from_json({"event": "Redealt", "reason": "misdeal"})
    session = live(TrickUnseen("Bo"), redeal, rules=rules)
    assert not session.hands[0].may_be_dealt_again
    asked = [alert.message for alert in session.alerts]
    assert asked == ["a hand cannot be dealt again once a card is played"]
    assert session.hands[0].tricks_won["Bo"] == 1


@pytest.mark.parametrize(
    ("events", "complaint"),
    [
        ([{"unseen_trick": "Bo"}], "hand 1 lacks its contract"),
        ([*game("three"), {"unseen_trick": "Bo"}], "hand 1 lacks its call"),
        ([*game("klop", None), {"unseen_trick": "Bo"}, {"skeench_a_tola": "Dora"}], "too late"),
    ],
)
def test_in_a_file_a_trick_unseen_comes_after_all_that_is_said_before_the_play(
    events: list[dict[str, Any]], complaint: str
) -> None:
    with pytest.raises(SessionFileError, match=complaint):
        evening_of(events)


def test_a_decided_round_that_is_played_on_may_have_tricks_that_nobody_saw() -> None:
    """Anna wins the first trick of her Barach, and has lost. Nobody is out of turn in the third, after one unseen."""
    first = plays("Anna DR  Bo D4  Carl D3  Dora D2")
    third = plays("Bo S7  Carl S8  Dora S9  Anna S10")
    hand = evening_of([*game("barach"), *first, {"unseen_trick": "Bo"}, *third]).hands[0]
    assert (hand.complete, hand.tricks_won["Bo"], hand.findings) == (True, 1, [])
    assert [trick.leader for trick in hand.tricks] == ["Anna", "Anna", "Bo"]


def test_a_fool_counts_for_nobody_where_the_cards_of_a_hand_are_unknown() -> None:
    """Bo or Anna wins the trick unseen. Only who won none has surely lost his fool."""
    for winner, state, said in (
        ("Anna", "open", "Anna played the fool to trick 2; it is not paid for yet."),
        ("Bo", "surrendered", "Anna won no trick, so the fool of trick 2 goes to Dora."),
    ):
        session = entered(TWO_CARDS_EACH, HandStarted("Dora"), TrickUnseen(winner))
        cards = {"Anna": "F", "Bo": "H2", "Carl": "H3", "Dora": "H4"}
        for player in session.hands[0].turn:
            session.apply(CardPlayed(player, cards[player]))
        hand = session.hands[0]
        assert (hand.complete, hand.points, hand.findings, hand.fool.state) == (True, None, [], state)
        assert said in game_of_rules("tarot-1659").audit_text(session, "en")


def test_nobody_is_said_not_to_have_played_a_fool_that_may_lie_in_a_trick_that_nobody_saw() -> None:
    """Once the cards of that trick are entered the exchange is, too."""
    session = entered(TWO_CARDS_EACH, HandStarted("Dora"), *cards_of("Anna SR  Bo S2  Carl S3  Dora S4"))
    session.apply(TrickUnseen("Dora"), unseen := 10)
    with pytest.raises(EventError, match="nobody saw the fool played: enter its trick first"):
        session.hand.exchange_fool(FoolExchanged("Anna", "S2"))
    for player, card in zip(SEATS, ("F", "H2", "H3", "H4"), strict=True):
        session.apply(PlayInserted(unseen, player, card))
    session.apply(EventRetracted(unseen))
    session.apply(FoolExchanged("Anna", "S2"))
    assert not session.alerts and session.hand.fool == ("Anna", 2, "Dora", "S2", "exchanged")


def test_a_trump_of_a_handful_may_have_been_played_to_a_trick_that_nobody_saw() -> None:
    """Bo shows T5, and throws off on a spade after a trick unseen: until he plays T5 nobody knows that he has it."""
    deal = """contract garde_sans Anna
    handful Bo T5
    Anna HR  Bo H2  Carl H3  Dora H4
    unseen Anna
    Anna HD  Bo H5  Carl H6  Dora H7
    Anna SR  Bo D1  Carl S2  Dora S3
    Anna C1  Bo C2  Carl C4  Dora C3
    """
    assert [one.kind for one in deal_of(deal).findings] == ["handful_incomplete"]
    shown = deal_of(f"{deal} Carl C5  Dora C6  Anna C7  Bo T5").findings[0]
    told = (shown.kind, shown.player, shown.trick, shown.known_at, shown.evidence)
    assert told == ("revoke", "Bo", 4, (6, 20), ("T5",))


@pytest.mark.parametrize("rules", GAMES)
def test_an_unwatched_time_is_asked_about_until_all_cards_of_the_hand_were_seen(rules: str) -> None:
    whole = dealt(rules, 0)
    session = type(whole)(whole.opened)
    events = events_of(whole)
    played = [at for at, event in enumerate(events) if isinstance(event, CardPlayed)]
    for at, event in enumerate(events):
        if at == played[5]:
            session.apply(Unwatched())
        assert (len(session.hands[0].gaps) if session.hands else 0) == (played[5] <= at <= played[-1])
        session.apply(event)
    assert session.hands[0].complete and not session.hands[0].gaps


def test_every_game_of_the_house_is_tried() -> None:
    assert {game_of_rules(rules).name for rules in GAMES} == {game_of_rules(r).name for r in ALL_RULE_SETS}


@pytest.mark.parametrize("rules", GAMES)
def test_a_hand_of_which_no_card_was_seen_is_told_in_words(rules: str) -> None:
    game, session = game_of_rules(rules), live(TrickUnseen("Bo"), rules=rules)
    for language in ("en", "da", "fr"):
        assert "Bo" in game.audit_text(session, language)
    assert "Bo won it; not all its cards were seen" in game.audit_text(session, "en")
