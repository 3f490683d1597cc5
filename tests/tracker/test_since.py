"""A record that grows: what is settled is not folded again, and nothing differs from the fold of all of it."""

import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tracker_again import file_of
from tracker_entries import any_entry
from tracker_live import numbered
from tracker_random import random_evening

from tracker.events import (
    CardPlayed,
    DealerCorrected,
    EntryInserted,
    Event,
    EventRetracted,
    FindingPassed,
    HandAbandoned,
    HandStarted,
    PlayerRenamed,
    Recorded,
    ResultChosen,
    SessionClosed,
)
from tracker.games import GAMES

seeds = st.integers(0, 10**9)


def told(value: Any) -> Any:
    """All that is in `value`, to compare. A hand has the ledger of when it was folded; `_settled` is what is tested."""
    if isinstance(value, dict):
        beside = ("ledger", "_ledger", "_settled")
        return [(told(key), told(one)) for key, one in value.items() if key not in beside]
    if isinstance(value, list | tuple):
        return [told(one) for one in value]
    if value is None or callable(value) or type(value).__eq__ is not object.__eq__:
        return value
    return type(value), told(value.__getstate__())


def one_entry(game: str, chance: random.Random, players: list[str], record: list[Recorded]) -> Event:
    """What somebody may enter who is late, wrong, or thinks better of it."""
    last, deals = record[-1].seq, [one.seq for one in record if isinstance(one.event, HandStarted)]
    player, hand = chance.choice(players), chance.randrange(1, len(deals) + 2)
    entry = any_entry(game, chance, players, last + 1)
    return chance.choice(
        [
            entry,
            any_entry(game, chance, players, last + 1),
            HandStarted(chance.choice([None, player])),
            DealerCorrected(chance.choice([*deals, last]), player),
            EventRetracted(last),
            EventRetracted(chance.choice([*deals, last])),
            FindingPassed(player, "revoke R1", hand),
            EntryInserted(hand, entry),
            ResultChosen(chance.random() < 0.5, chance.random() < 0.5),
            PlayerRenamed(player, player + "a") if chance.random() < 0.1 else entry,
        ]
    )


@pytest.mark.parametrize("game", GAMES)
@given(seeds)
@example(0)
def test_what_is_settled_is_not_folded_again_and_nothing_differs(game: str, seed: int) -> None:
    chance, kind, audit = random.Random(seed), GAMES[game].session, GAMES[game].audit
    opened, *body = file_of(random_evening(game, seed)).events
    record = [Recorded(1, opened)]
    known = kind.replay(record)
    for event in body:
        record.append(Recorded(record[-1].seq + 1, event))
        while chance.random() < 0.05:
            record.append(Recorded(record[-1].seq + 1, one_entry(game, chance, list(known.seats), record)))
        if isinstance(event, CardPlayed) and chance.random() < 0.7:
            continue  # several at once
        refused = one_entry(game, chance, list(known.seats), record)
        if not isinstance(refused, PlayerRenamed):
            kind.replay([*record, Recorded(record[-1].seq + 1, refused)], known)  # only tried
        known = kind.replay(record, known)
        if isinstance(event, SessionClosed | HandStarted) or chance.random() < 0.04:
            whole = kind.replay(record)
            assert told(known) == told(whole)
            assert told(known.ledger) == told(whole.ledger)
            assert audit(known) == audit(whole)
            if known.keeps_chips:
                assert sum((known.balances | known.pots).values()) == 0
            for hand, again in zip(known.hands, whole.hands, strict=True):
                assert (hand.findings, hand.turn) == (again.findings, again.turn)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_about_an_earlier_hand_is_gone_once_it_is_undone(game: str) -> None:
    opened = file_of(random_evening(game, 0)).events[0]
    record = numbered(opened, HandStarted(), HandAbandoned(), HandStarted())
    known = GAMES[game].session.replay(record)
    for event in (FindingPassed(known.seats[1], "revoke R1", 1), EventRetracted(5)):
        record.append(Recorded(record[-1].seq + 1, event))
        known = GAMES[game].session.replay(record, known)
        assert list(known.hands[0].fines) == ([5] if len(record) == 5 else [])
