"""Danish Tarok: what must always hold, over random sessions with errors planted or not."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tracker_again import file_of, folded, read_again
from tracker_deals import FAULTY, random_session
from tracker_live import entered

from tracker.danish.audit import audit
from tracker.danish.events import Fined
from tracker.danish.session import DanishSession
from tracker.events import HandAbandoned, PlayerJoined, PlayerLeft, SessionClosed

seeds = st.integers(0, 10**9)


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
@pytest.mark.rule("FINE-4")
def test_a_late_fine_moves_no_payment_made_before_it(seed: int) -> None:
    opened, *body = file_of(random_session(seed, hands=3).session).events
    live = entered(opened, *(event for event in body if not isinstance(event, SessionClosed)))
    for hand in live.hands:
        before = list(live.payments)
        live.apply(Fined(random.Random(seed).choice(hand.active), "misdeclaration", hand=hand.number))
        assert live.payments[: len(before)] == before
        assert {payment.rule for payment in live.payments[len(before) :]} == {"FINE-1"}
    assert not live.alerts
    assert audit(read_again(live)) == audit(live) == audit(DanishSession.replay(live.record))


@given(seeds)
@pytest.mark.rule("PAY-10")
def test_an_evening_goes_on_the_same_once_somebody_joined_and_left_again_at_once(seed: int) -> None:
    """He adds his part and takes no more than it back; nobody else pays, and the deal goes on as it was."""
    opened, *body = file_of(random_session(seed).session).events
    live = entered(
        opened, *(event for event in body if not isinstance(event, SessionClosed)), HandAbandoned()
    )
    if len(live.seats) == live.rules.max_players:
        return
    before = live.next_dealer, live.seats, dict(live.balances)
    for player in live.seats:
        live.apply(PlayerJoined("Hans", after=player))
        live.apply(PlayerLeft("Hans"))
    assert (live.next_dealer, live.seats) == before[:2]
    assert live.balances == before[2] | {"Hans": live.balances["Hans"]} and live.balances["Hans"] <= 0
