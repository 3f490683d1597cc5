"""What must always hold, over random sessions: legal ones and ones with errors planted."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tracker_deals import FAULTY, LEGAL, random_session
from tracker_reference import Reference, comparable

from tracker.audit import audit
from tracker.audit_text import audit_text
from tracker.events import (
    CardPlayed,
    EventRetracted,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    Recorded,
    event_from_json,
    event_to_json,
)
from tracker.session import Session, replay
from tracker.session_file import export, loads

seeds = st.integers(0, 10**9)
few = settings(max_examples=25, deadline=None)


def folded(session: dict) -> Session:
    return loads(json.dumps(session)).session()


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_the_audit_is_that_of_the_plain_reference(seed: int) -> None:
    session = random_session(seed).session
    expected = Reference(session)
    got = comparable(audit(folded(session)))
    assert got == {"chips": expected.chips, "hands": expected.hands}


@given(seeds)
@few
@pytest.mark.rule("REV-1")
def test_every_planted_revoke_comes_to_light_and_nobody_else_is_accused(seed: int) -> None:
    dealt = random_session(seed, FAULTY)
    for hand, planted in zip(folded(dealt.session).hands, dealt.revokes, strict=True):
        if hand.complete:
            revokes = [finding for finding in hand.findings if finding.kind == "revoke"]
            assert {(finding.player, finding.trick, finding.card) for finding in revokes} == planted
            assert not any(finding.kind == "contradiction" for finding in hand.findings)


@given(seeds)
@few
def test_a_legal_session_has_nothing_to_find_but_a_wrong_call(seed: int) -> None:
    session = random_session(seed, LEGAL).session
    kinds = {finding.kind for hand in folded(session).hands for finding in hand.findings}
    # The dealer of a random deal may have no three cards that he may lay.
    assert kinds <= {"fool_call_wrong", "bad_discard", "fool_discarded", "declaration_false"}


@given(seeds)
@few
@pytest.mark.rule("PAY-1")
def test_players_and_pots_sum_to_zero_after_every_payment(seed: int) -> None:
    session = folded(random_session(seed).session)
    chips = dict.fromkeys([*session.seats, "king", "pagat"], 0)
    for payment in session.payments:
        chips[payment.source] -= payment.amount
        chips[payment.target] += payment.amount
        assert payment.amount > 0 and payment.amount % 5 == 0
        assert sum(chips.values()) == 0
        assert chips["king"] >= 0 and chips["pagat"] >= 0
    assert chips == session.balances | session.pots


@given(seeds)
@few
def test_replaying_the_record_is_the_same_as_having_lived_it(seed: int) -> None:
    file = loads(json.dumps(random_session(seed).session))
    stored = [Recorded(number, event) for number, event in enumerate(file.events, start=1)]
    assert [event_from_json(json.loads(json.dumps(event_to_json(item.event)))) for item in stored] == [
        item.event for item in stored
    ]
    assert audit(replay(stored)) == audit(file.session())


@given(seeds)
@few
def test_exporting_and_importing_gives_the_same_audit(seed: int) -> None:
    file = loads(json.dumps(random_session(seed).session))
    written = json.dumps(export(file.events))
    assert audit(loads(written).session()) == audit(file.session())


@given(seeds)
@few
def test_undoing_a_correction_restores_everything(seed: int) -> None:
    chance = random.Random(seed)
    live = Session(loads(json.dumps(random_session(seed).session)).events[0])  # type: ignore[arg-type]
    for event in loads(json.dumps(random_session(seed).session)).events[1:]:
        live.apply(event)
    before = audit(live), len(live.alerts)
    plays = [item.seq for item in live.record if isinstance(item.event, CardPlayed)]
    if not plays:
        return
    seq = chance.choice(plays)
    correction = chance.choice(
        [
            PlayCorrected(seq, card=chance.choice(["S1", "T21", "F"])),
            PlayRemoved(seq),
            PlayInserted(seq, live.seats[0], "H5"),
            EventRetracted(seq),
        ]
    )
    live.apply(correction)
    assert sum((live.balances | live.pots).values()) == 0
    live.apply(EventRetracted(live.record[-1].seq))
    assert (audit(live), len(live.alerts)) == before


@given(seeds)
@few
def test_any_record_can_be_read_in_both_languages(seed: int) -> None:
    session = folded(random_session(seed).session)
    for language in ("da", "en"):
        text = audit_text(session, language)
        assert "None" not in text and "{" not in text
