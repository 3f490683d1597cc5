"""What must always hold, over random sessions: legal ones and ones with errors planted."""

import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tracker_again import folded, read_again
from tracker_deals import FAULTY, LEGAL, PACK, random_session
from tracker_entries import any_entry
from tracker_reference import Reference, comparable

from tracker.danish.audit import audit
from tracker.danish.events import (
    Adjusted,
    Declared,
    Fined,
    FoolCalled,
    FoolNamed,
    Redealt,
    SkatShown,
    ToutAnnounced,
)
from tracker.danish.session import DanishSession
from tracker.danish.words import WORDS
from tracker.events import (
    DealerCorrected,
    Event,
    HandAbandoned,
    PlayerJoined,
    PlayerLeft,
    SessionClosed,
    SessionOpened,
)
from tracker.session_file import loads

seeds = st.integers(0, 10**9)


@given(seeds)
def test_the_audit_is_that_of_the_plain_reference(seed: int) -> None:
    session = random_session(seed).session
    expected = Reference(session)
    got = comparable(audit(folded(session)))
    assert got == {"chips": expected.chips, "hands": expected.hands}


@example(15035005)  # a hand in which nothing has happened when somebody is fined
@given(seeds)
@pytest.mark.rule("REV-1")
def test_every_planted_revoke_comes_to_light_and_nobody_else_is_accused(seed: int) -> None:
    dealt = random_session(seed, FAULTY)
    for hand, planted in zip(folded(dealt.session).hands, dealt.revokes, strict=True):
        if hand.complete:
            revokes = [finding for finding in hand.findings if finding.kind == "revoke"]
            assert {(finding.player, finding.trick, finding.card) for finding in revokes} == planted
            assert not any(finding.kind == "contradiction" for finding in hand.findings)


@given(seeds)
def test_a_legal_session_has_nothing_to_find_but_a_wrong_call(seed: int) -> None:
    session = random_session(seed, LEGAL).session
    kinds = {finding.kind for hand in folded(session).hands for finding in hand.findings}
    # The dealer of a random deal may have no three cards that he may lay.
    assert kinds <= {"fool_call_wrong", "bad_discard", "fool_discarded", "declaration_false"}


@given(seeds)
@pytest.mark.rule("PAY-1")
def test_players_and_pots_sum_to_zero_after_every_payment(seed: int) -> None:
    session = folded(random_session(seed).session)
    chips = dict.fromkeys([*session.balances, "king", "pagat"], 0)
    for payment in session.payments:
        chips[payment.source] -= payment.amount
        chips[payment.target] += payment.amount
        assert payment.amount > 0 and payment.amount % 5 == 0
        assert sum(chips.values()) == 0
        assert chips["king"] >= 0 and chips["pagat"] >= 0
    assert chips == session.balances | session.pots


@given(seeds)
@pytest.mark.rule("FINE-4")
def test_a_late_fine_moves_no_payment_made_before_it(seed: int) -> None:
    opened, *body = loads(json.dumps(random_session(seed, hands=3).session), DanishSession).events
    assert isinstance(opened, SessionOpened)
    live = DanishSession(opened)
    for event in body:
        if not isinstance(event, SessionClosed):
            live.apply(event)
    for hand in live.hands:
        before = list(live.payments)
        live.apply(Fined(chance_of(seed, hand.active), "misdeclaration", hand=hand.number))
        assert live.payments[: len(before)] == before
        assert {payment.rule for payment in live.payments[len(before) :]} == {"FINE-1"}
    assert not live.alerts
    assert audit(read_again(live)) == audit(live) == audit(DanishSession.replay(live.record))


@given(seeds)
@pytest.mark.rule("PAY-10")
def test_an_evening_goes_on_the_same_once_somebody_joined_and_left_again_at_once(seed: int) -> None:
    """He adds his part and takes no more than it back; nobody else pays, and the deal goes on as it was."""
    opened, *body = loads(json.dumps(random_session(seed).session), DanishSession).events
    assert isinstance(opened, SessionOpened)
    live = DanishSession(opened)
    for event in [*body, HandAbandoned()]:
        if not isinstance(event, SessionClosed):
            live.apply(event)
    if len(live.seats) == live.rules.max_players:
        return
    before = live.next_dealer, live.seats, dict(live.balances)
    for player in live.seats:
        live.apply(PlayerJoined("Hans", after=player))
        live.apply(PlayerLeft("Hans"))
    assert (live.next_dealer, live.seats) == before[:2]
    assert live.balances == before[2] | {"Hans": live.balances["Hans"]} and live.balances["Hans"] <= 0


def chance_of(seed: int, players: tuple[str, ...]) -> str:
    return random.Random(seed).choice(players)


def any_event(chance: random.Random, players: list[str], last: int) -> Event:
    """Anything that a camera or a thumb could enter, possible or not."""
    player, card = chance.choice(players), chance.choice(PACK)
    own = [
        FoolNamed(player, chance.choice("SHDCTX")),
        FoolCalled(player),
        Fined(player, chance.choice(["minor", "misdeclaration"]), hand=chance.choice([None, 1, 2])),
        Declared(player),
        ToutAnnounced(player),
        SkatShown(tuple(chance.sample(PACK, 3))),
        Redealt("misdeal"),
        PlayerJoined("Zoe", chance.choice(players)),
        PlayerLeft(player),
        Adjusted(player, chance.choice(["king", "pagat", *players]), 5 * chance.randrange(4), "so"),
        Adjusted("king", player, chance.choice([5, 65, 85]), "so"),
        DealerCorrected(2, player),
    ]
    return any_entry(chance, player, card, last, own)


@given(seeds)
def test_whatever_is_entered_nothing_is_lost_and_every_way_to_fold_it_agrees(seed: int) -> None:
    chance = random.Random(seed)
    dealt = random_session(seed, hands=chance.choice([1, 2])).session
    opened, *body = loads(json.dumps(dealt), DanishSession).events
    for _ in range(chance.choice([1, 3, 10])):
        event = any_event(chance, [*opened.seats, "Zoe"], len(body) + 2)
        body.insert(chance.randrange(len(body) + 1), event)
    live = DanishSession(opened)
    for event in body:
        live.apply(event)
    assert sum((live.balances | live.pots).values()) == 0
    assert audit(DanishSession.replay(live.record)) == audit(live)
    again = DanishSession.replay(live.record)
    assert len(again.alerts) == len(live.alerts)
    assert [hand.gaps for hand in again.hands] == [hand.gaps for hand in live.hands]
    assert all(WORDS.alert_text(alert, language) for alert in live.alerts for language in ("da", "en"))
    assert audit(read_again(live)) == audit(live)
