"""What must always hold in the Tarot of 1659, over random sessions: legal ones, with breaches, and spoilt ones."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tarot1659_deals import LEGAL, random_session, spoilt_session
from tarot1659_reference import Reckoning

from tracker.errors import TarokError
from tracker.events import Recorded, event_to_json
from tracker.games import read_session
from tracker.session_file import export, loads
from tracker.tarot1659.audit import audit
from tracker.tarot1659.audit_text import audit_text
from tracker.tarot1659.events import EVENTS
from tracker.tarot1659.session import Session1659

seeds = st.integers(0, 10**9)
many = settings(max_examples=150, deadline=None)
few = settings(max_examples=40, deadline=None)


def folded(session: dict) -> Session1659:
    return loads(json.dumps(session), Session1659).session()


def ordered(found: dict) -> dict:
    """An audit whose findings of one play stand in an order of their own."""
    for hand in found["hands"]:
        if "violations" in hand:
            hand["violations"].sort(key=lambda row: json.dumps(row, sort_keys=True))
    return found


@given(seeds)
@many
def test_the_audit_is_that_of_the_second_reckoning(seed: int) -> None:
    session = random_session(seed)
    assert ordered(audit(folded(session))) == ordered(Reckoning(session).audit)


@given(seeds)
@few
def test_a_legal_session_has_nothing_to_find(seed: int) -> None:
    assert not [finding for hand in folded(random_session(seed, LEGAL)).hands for finding in hand.findings]


@given(seeds)
@few
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


@given(seeds)
@few
def test_replaying_exporting_and_importing_give_the_same_audit(seed: int) -> None:
    file = loads(json.dumps(random_session(seed)), Session1659)
    expected = audit(file.session())
    stored = [Recorded(number, event) for number, event in enumerate(file.events, start=1)]
    assert [EVENTS.from_json(json.loads(json.dumps(event_to_json(item.event)))) for item in stored] == [
        item.event for item in stored
    ]
    assert audit(Session1659.replay(stored)) == expected
    written = json.dumps(export(file.events, Session1659))
    assert audit(loads(written, Session1659).session()) == expected


@given(seeds)
@few
def test_any_record_can_be_read_in_both_languages(seed: int) -> None:
    session = folded(random_session(seed))
    for language in ("da", "en"):
        text = audit_text(session, language)
        assert "None" not in text and "{" not in text


@given(seeds)
@many
def test_a_spoilt_session_is_refused_in_one_line(seed: int) -> None:
    what, session = spoilt_session(seed)
    with pytest.raises(TarokError) as told:
        read_session(json.dumps(session))[1].session()
    assert "\n" not in str(told.value) and ":" in str(told.value), what
