"""French Tarot: shared cases, recorded deals, and what must always hold over random sessions, legal and faulty."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from french_deals import LEGAL, random_session
from french_reference import PACK, Reckoning, comparable
from french_table import read_session_text
from hypothesis import given
from hypothesis import strategies as st
from tracker_again import folded, read_again
from tracker_entries import any_entry

from tracker.events import Event, HandStarted, PlayerJoined, PlayerLeft, TrickUnseen
from tracker.french.audit import audit
from tracker.french.audit_text import audit_text
from tracker.french.contracts import BIDS, CONTRACTS
from tracker.french.events import (
    Adjusted,
    BidMade,
    CardCalled,
    CardsAwarded,
    ContractNamed,
    DealAnnulled,
    DogTurned,
    HandfulShown,
    LaidFaceDown,
    LaidFaceUp,
    PenaltyBooked,
    Redealt,
    SlamAnnounced,
)
from tracker.french.findings import DENIAL_RULES
from tracker.french.hand import PERSONAL
from tracker.french.pack import CALLABLE
from tracker.french.session import FrenchSession
from tracker.session_file import loads

GAMES = sorted((Path(__file__).parents[1] / "games" / "french-tarot").glob("*.txt"))
SHARED = Path(__file__).parents[2].parent / "shared" / "rules" / "cases-french"
CASES = sorted(path for path in SHARED.glob("*.json") if not path.name.endswith(".audit.json"))
seeds = st.integers(0, 10**9)


def audited(session: dict[str, Any]) -> dict[str, Any]:
    return comparable(json.loads(json.dumps(audit(folded(session)))))


def reckoned(session: dict[str, Any]) -> dict[str, Any]:
    return comparable(json.loads(json.dumps(Reckoning(session).audit)))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_reference_agrees_with_the_shared_cases(path: Path) -> None:
    expected = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    assert reckoned(json.loads(path.read_text(encoding="utf-8"))) == comparable(expected)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_deal_has_the_audit_beside_it(path: Path) -> None:
    session = read_session_text(path.read_text(encoding="utf-8"))
    expected = json.loads(path.with_suffix(".audit.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(audit(folded(session)))) == expected
    assert reckoned(session) == comparable(expected)


@given(seeds)
def test_the_audit_is_that_of_the_plain_reference(seed: int) -> None:
    session = random_session(seed)
    assert audited(session) == reckoned(session)


@given(seeds)
def test_nobody_who_plays_by_the_rules_is_accused(seed: int) -> None:
    kinds = {one.kind for hand in folded(random_session(seed, LEGAL)).hands for one in hand.findings}
    # Who has nothing else to lay must lay a king, and a trump that he takes for the dog may be laid for nothing.
    assert kinds <= {"bad_discard", "handful_incomplete"}


@given(seeds)
def test_each_deal_sums_to_zero_and_the_sheet_is_the_sum_of_its_lines(seed: int) -> None:
    session = folded(random_session(seed))
    totals = dict.fromkeys(session.balances, 0)
    for hand in session.hands:
        for score in hand.scores:
            assert score.points
            totals[score.player] += score.points
        assert sum(score.points for score in hand.scores if score.reason not in PERSONAL) == 0
        assert {name: totals[name] for name in hand.totals} == hand.totals
    assert totals == session.balances


@given(seeds)
def test_every_play_that_is_accused_is_shown_by_cards_that_came_later(seed: int) -> None:
    for hand in folded(random_session(seed)).hands:
        for finding in hand.findings:
            if finding.kind in DENIAL_RULES and finding.card not in (None, "F") and hand.all_played:
                number = next(play.number for play in hand.plays if play.card == finding.card)
                later = {play.card for play in hand.plays[number:] if play.player == finding.player}
                assert finding.evidence and set(finding.evidence) <= later


def any_event(chance: random.Random, players: list[str], last: int) -> Event:
    """Anything that a camera or a thumb could enter, possible or not."""
    player, card = chance.choice(players), chance.choice(PACK)
    some = tuple(chance.sample(PACK, chance.randrange(7)))
    trumps = tuple(chance.sample([one for one in PACK if one[0] in "TF"], chance.randrange(14)))
    own = [
        BidMade(player, chance.choice(BIDS)),
        ContractNamed(chance.choice(list(CONTRACTS)), chance.choice([None, player])),
        CardCalled(chance.choice(CALLABLE)),
        DogTurned(tuple(chance.sample(PACK, chance.choice([3, 6])))),
        LaidFaceUp(some),
        LaidFaceDown(player, some),
        SlamAnnounced(player),
        HandfulShown(player, trumps, chance.random() < 0.5),
        Redealt("misdeal", chance.choice([None, player])),
        Redealt("petit_sec", player=player),
        DealAnnulled(chance.choice(["", "so"])),
        CardsAwarded(some, chance.choice(["taker", "defence"]), "so"),
        PenaltyBooked(player, chance.choice([None, 7]), hand=chance.choice([None, 1, 2])),
        Adjusted(player, chance.randrange(-5, 5), "so"),
        TrickUnseen(player),
        HandStarted(chance.choice([None, player])),
        PlayerJoined("Zoe", chance.choice(players)),
        PlayerLeft(player),
    ]
    return any_entry(chance, player, card, last, own)


@given(seeds)
def test_whatever_is_entered_nothing_is_lost_and_every_way_to_fold_it_agrees(seed: int) -> None:
    chance = random.Random(seed)
    opened, *body = loads(json.dumps(random_session(seed, deals=2)), FrenchSession).events
    live = FrenchSession(opened)
    players = [*opened.seats, "Zoe"]
    for event in body:
        live.apply(event)
        if chance.random() < 0.06:
            live.apply(any_event(chance, players, live.record[-1].seq + 1))
    assert audit(FrenchSession.replay(live.record)) == audit(live)
    for language in ("en", "da"):
        assert "{" not in audit_text(live, language)
    for hand in live.hands:
        assert sum(score.points for score in hand.scores if score.reason not in PERSONAL) == 0
    # What counts can be written and read again, also where contract or call of a hand were never entered.
    for read, lived in zip(audit(read_again(live))["hands"], audit(live)["hands"], strict=True):
        for key in ("dealer", "totals", "contract", "void", "next"):
            assert read.get(key) == lived.get(key), key
