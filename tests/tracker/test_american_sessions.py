"""American Tarock: shared cases, and what must always hold over random sessions, legal and faulty."""

import json
import random
from pathlib import Path

import pytest
from american_deals import FAULTY, LEGAL, NAMES, random_session
from american_reference import Reference, comparable
from hypothesis import example, given
from hypothesis import strategies as st
from tracker_again import folded, read_again
from tracker_entries import any_entry

from tracker.american.audit import audit
from tracker.american.contracts import ANNOUNCED, BIDS, CONTRACTS
from tracker.american.events import (
    CALLS,
    REDEALT_FOR,
    Adjusted,
    BidMade,
    BonusAnnounced,
    ContractNamed,
    GameRaised,
    GroupTaken,
    HandLaidOpen,
    LaidFaceUp,
    PartnerCalled,
    Redealt,
    RenonceBooked,
    SkeenchCalled,
    TalonTurned,
    VitaminTurned,
)
from tracker.american.findings import DENIAL_RULES
from tracker.american.pack import PACK
from tracker.american.session import AmericanSession
from tracker.events import Event, HandStarted, SessionOpened, TrickUnseen
from tracker.session_file import loads

SHARED = Path(__file__).parents[2].parent / "shared" / "rules" / "cases-games"
CASES = sorted(path for path in SHARED.glob("at-*.json") if not path.name.endswith(".audit.json"))
seeds = st.integers(0, 10**9)


@given(seeds)
def test_the_audit_is_that_of_the_plain_reference(seed: int) -> None:
    session = random_session(seed)
    expected = Reference(session)
    sheet = {"totals": expected.totals, "asterisks": expected.asterisks, "rounds": expected.rounds}
    assert comparable(audit(folded(session))) == sheet


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_reference_agrees_with_the_shared_cases(path: Path) -> None:
    expected = Reference(json.loads(path.read_text(encoding="utf-8")))
    audited = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    assert comparable(audited)["rounds"] == expected.rounds


@given(seeds)
def test_nobody_who_plays_by_the_rules_is_accused(seed: int) -> None:
    session = random_session(seed, LEGAL)
    kinds = {finding.kind for hand in folded(session).hands for finding in hand.findings}
    # Who has no other card to lay must lay a king, and a hand made up for a game may have no tarock.
    assert kinds <= {"bad_discard", "no_tarocks"}


@given(seeds)
@pytest.mark.rule("AT-REV-2")
def test_all_that_is_found_in_the_play_was_so(seed: int) -> None:
    """Every play that is accused was illegal with the cards that its player then held; the deal is known here."""
    session = random_session(seed, FAULTY)
    for hand in folded(session).hands:
        for finding in hand.findings:
            if finding.kind in DENIAL_RULES and hand.complete and len(hand.plays) == 48:
                number = next(play.number for play in hand.plays if play.card == finding.card)
                later = {play.card for play in hand.plays[number:] if play.player == finding.player}
                assert set(finding.evidence) and set(finding.evidence) <= later


@given(seeds)
@pytest.mark.rule("AT-SCORE-1")
def test_the_sheet_is_the_sum_of_its_lines_and_partners_score_alike(seed: int) -> None:
    session = folded(random_session(seed))
    totals = dict.fromkeys(NAMES, 0)
    personal = ("misdeal", "mond", "klop", "renonce", "adjustment")
    for hand in session.hands:
        shared: dict[str, list[tuple[str, int]]] = {}
        for score in hand.scores:
            assert score.points
            totals[score.player] += score.points
            if score.reason not in personal:
                shared.setdefault(score.player, []).append((score.reason, score.points))
        assert totals == hand.totals
        side = {player for player in (hand.declarer, hand.call.partner) if player is not None}
        assert shared.keys() in (set(), side)
        assert len({tuple(lines) for lines in shared.values()}) <= 1
    assert totals == session.balances


def any_event(chance: random.Random, last: int) -> Event:
    """Anything that a camera or a thumb could enter, possible or not."""
    player, card = chance.choice(NAMES), chance.choice(PACK.cards)
    some = tuple(chance.sample(PACK.cards, chance.randrange(7)))
    own = [
        TrickUnseen(player),
        BidMade(player, chance.choice(BIDS)),
        ContractNamed(chance.choice(list(CONTRACTS)), chance.choice([None, player])),
        PartnerCalled(chance.choice(CALLS)),
        TalonTurned(tuple(chance.sample(PACK.cards, 6))),
        GroupTaken(chance.randrange(3)),
        LaidFaceUp(some),
        BonusAnnounced(player, chance.choice(ANNOUNCED)),
        GameRaised(),
        SkeenchCalled(player),
        Redealt(chance.choice(REDEALT_FOR)),
        VitaminTurned(card, chance.choice([None, 1, 2])),
        HandLaidOpen(some),
        RenonceBooked(player, chance.choice([None, 3]), hand=chance.choice([None, 1, 2])),
        Adjusted(player, chance.randrange(-5, 5), "so"),
        HandStarted(chance.choice([None, player])),
    ]
    return any_entry(chance, player, card, last, own)


def begun(seed: int) -> tuple[AmericanSession, list[Event]]:
    """A session that was just opened, and what is still to happen in it."""
    opened, *body = loads(json.dumps(random_session(seed)), AmericanSession).events
    assert isinstance(opened, SessionOpened)
    return AmericanSession(opened), body


@given(seeds)
@example(190428)  # three kings are played, so that the fourth is known, while nobody has told the exchange
def test_whatever_is_entered_nothing_is_lost_and_every_way_to_fold_it_agrees(seed: int) -> None:
    chance = random.Random(seed)
    live, body = begun(seed)
    for event in body:
        live.apply(event)
        if chance.random() < 0.06:
            live.apply(any_event(chance, live.record[-1].seq + 1))
    assert audit(AmericanSession.replay(live.record)) == audit(live)
    again, lived = audit(read_again(live)), audit(live)
    for hand, read, row in zip(live.hands, again["hands"], lived["hands"], strict=True):
        if hand.what_is_missing():  # a file has its cards only after game, call and exchange
            assert not read["tricks"]
            told_by_cards = "complete tricks tricks_won called partner violations"  # called: the fourth king
            row |= {key: read[key] for key in told_by_cards.split()}
    assert again == lived
