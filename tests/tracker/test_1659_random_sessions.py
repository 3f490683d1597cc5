"""What must always hold in the Tarot of 1659, over random sessions: legal ones, and ones with breaches."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tarot1659_deals import LEGAL, random_session
from tarot1659_reference import PACK, Reckoning
from tracker_again import folded, read_again
from tracker_entries import any_entry

from tracker.events import DealerCorrected, Event, HandStarted, PlayerJoined, PlayerLeft
from tracker.session_file import loads
from tracker.tarot1659.audit import audit
from tracker.tarot1659.events import Adjusted, Fined, FoolExchanged, Redealt
from tracker.tarot1659.session import Session1659
from tracker.tarot1659.words import WORDS

seeds = st.integers(0, 10**9)


def ordered(found: dict) -> dict:
    """An audit whose findings of one play stand in an order of their own."""
    for hand in found["hands"]:
        if "violations" in hand:
            hand["violations"].sort(key=lambda row: json.dumps(row, sort_keys=True))
    return found


@given(seeds)
def test_the_audit_is_that_of_the_second_reckoning(seed: int) -> None:
    session = random_session(seed)
    assert ordered(audit(folded(session))) == ordered(Reckoning(session).audit)


@given(seeds)
def test_a_legal_session_has_nothing_to_find(seed: int) -> None:
    assert not [finding for hand in folded(random_session(seed, LEGAL)).hands for finding in hand.findings]


@given(seeds)
@pytest.mark.rule("T59-ANTE-1")
def test_players_and_pot_sum_to_zero_after_every_payment(seed: int) -> None:
    session = folded(random_session(seed))
    chips = dict.fromkeys([*session.balances, "pot"], 0)
    for payment in session.payments:
        chips[payment.source] -= payment.amount
        chips[payment.target] += payment.amount
        assert payment.amount > 0
        assert sum(chips.values()) == 0
        assert chips["pot"] >= 0
    assert chips == session.balances | session.pots


def any_event(chance: random.Random, players: list[str], last: int) -> Event:
    """Anything that a camera or a thumb could enter, possible or not."""
    player, card = chance.choice(players), chance.choice(PACK)
    own = [
        FoolExchanged(player, card),
        Fined(player, chance.randrange(-1, 9), hand=chance.choice([None, 1, 2])),
        Redealt(),
        HandStarted(chance.choice([None, player])),
        PlayerJoined("Zoe", chance.choice(players)),
        PlayerLeft(player),
        Adjusted(player, chance.choice(["pot", *players]), chance.randrange(4), "so"),
        Adjusted("pot", player, chance.choice([1, 5, 40]), "so"),
        DealerCorrected(2, player),
    ]
    return any_entry(chance, player, card, last, own)


@given(seeds)
def test_whatever_is_entered_nothing_is_lost_and_every_way_to_fold_it_agrees(seed: int) -> None:
    chance = random.Random(seed)
    opened, *body = loads(json.dumps(random_session(seed)), Session1659).events
    for _ in range(chance.choice([1, 3, 10])):
        event = any_event(chance, [*opened.seats, "Zoe"], len(body) + 2)
        body.insert(chance.randrange(len(body) + 1), event)
    live = Session1659(opened)
    for event in body:
        live.apply(event)
        assert sum((live.balances | live.pots).values()) == 0 <= live.pots["pot"]
    again = Session1659.replay(live.record)
    assert audit(again) == audit(live)
    assert len(again.alerts) == len(live.alerts)
    assert all(WORDS.alert_text(alert, language) for alert in live.alerts for language in ("da", "en"))
    assert audit(read_again(live)) == audit(live)
