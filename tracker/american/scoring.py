"""What a round that was played out brings: lines for the sheet, from who has which cards."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tracker.american.contracts import BONUS_RULES, BONUSES, LOST_KING, Contract
from tracker.american.pack import KINGS_MASK, PAGAT_MASK, TRULA_MASK, counted, is_more_than_half

_HALF: Final = 35


class RoundOutcome(NamedTuple):
    """How a round ended: whether the declarer `won`, None in Klop.

    `points` and `cards` (how many) are those of each side ("declarer", "opponents") or, in Klop, of each player;
    None in the games that are won or lost by tricks alone.
    """

    won: bool | None
    points: dict[str, int] | None = None
    cards: dict[str, int] | None = None


class Played(NamedTuple):
    """A normal game or Solo No-Peek played out: all that its score depends on.

    `side` are the declarer and his partner, if he has one; `ours` and `theirs` their cards and those of the
    opponents, masks. `called` is the called card, 0 for none. `last_trick` are the cards of trick 12 by their
    players, each a mask, and `last_winner` who won it; `tricks` is how many the side won. `announced` are pairs of
    player and bonus.
    """

    contract: Contract
    side: Sequence[str]
    ours: int
    theirs: int
    called: int
    last_trick: Mapping[str, int]
    last_winner: str
    tricks: int
    announced: Sequence[tuple[str, str]]


Line = tuple[str, str, int]
"""A rule, a reason, and the points for each player of the side."""


def klop_lines(
    piles: Mapping[str, int], tricks_won: Mapping[str, int]
) -> tuple[RoundOutcome, list[tuple[str, str, int]]]:
    """Klop: how it ended, and (rule, player, points) for each who scores (AT-KLOP-1)."""
    points = {player: counted(cards) for player, cards in piles.items()}
    lines = []
    for player, cards in piles.items():
        if is_more_than_half(cards):
            lines.append(("AT-KLOP-3", player, -70))
        elif not tricks_won[player]:
            lines.append(("AT-KLOP-4", player, 70))
    # AT-KLOP-4: if anybody wins or loses so, only they score; AT-KLOP-5: otherwise each loses what he took.
    if not lines:
        lines = [("AT-KLOP-5", player, -taken) for player, taken in points.items()]
    return RoundOutcome(None, points, {player: cards.bit_count() for player, cards in piles.items()}), lines


def side_lines(played: Played, *, valat_alone: bool) -> tuple[RoundOutcome, list[Line]]:
    """A normal game or Solo No-Peek: how it ended, and the lines for each player of the declarer's side."""
    ours, theirs, contract = played.ours, played.theirs, played.contract
    points = counted(ours)
    won = is_more_than_half(ours)
    result = RoundOutcome(
        won,
        {"declarer": points, "opponents": counted(theirs)},
        {"declarer": ours.bit_count(), "opponents": theirs.bit_count()},
    )
    # AT-SCORE-2: the value, in a normal game with the difference; AT-HIGH-3: the value alone.
    lines: list[Line] = [(contract.rule, "game", contract.worth if won else -contract.worth)]
    if not contract.normal:
        return result, lines
    valat = _valat(played)
    if valat and valat_alone:
        return result, valat  # AT-BONUS-5: nothing else
    lines.append((contract.rule, "difference", max(0, points - _HALF) if won else min(0, points - _HALF)))
    # AT-CALL-7: taken by the opponents, in a trick or with the rest of the Talon.
    lines.append(("AT-CALL-7", "called_king_lost", -LOST_KING if theirs & played.called else 0))
    lines.append(_line("trula", _whole(TRULA_MASK, played)))
    lines.append(_line("king_ultimo", _king_ultimo(played)))
    lines += _announced(
        "kings", played, ours & KINGS_MASK == KINGS_MASK, theirs & KINGS_MASK == KINGS_MASK
    ) or [_line("kings", _whole(KINGS_MASK, played))]
    # AT-SCORE-3: bonuses won are added, those lost subtracted, whoever won the round.
    return result, [line for line in [*lines, *_pagat_ultimo(played), *valat] if line[2]]


def _line(bonus: str, sign: int, *, doubled: bool = False) -> Line:
    return BONUS_RULES[bonus], bonus, sign * BONUSES[bonus] * (2 if doubled else 1)


def _whole(cards: int, played: Played) -> int:
    """AT-BONUS-1 and AT-BONUS-3: 1 where the side has all of `cards`, -1 where the opponents do.

    AT-ANN-2: a part of them is worth nothing to either.
    """
    return (played.ours & cards == cards) - (played.theirs & cards == cards)


def _announced(bonus: str, played: Played, ours_won: bool, theirs_won: bool) -> list[Line]:
    """AT-ANN-7: an announced bonus is settled at double for each side that announced it, and not once more.

    Both partners announcing the same count once (AT-ANN-6). One that the opponents lose is added (AT-ANN-8).
    """
    sides = {player in played.side for player, announced in played.announced if announced == bonus}
    lines = []
    if True in sides:
        lines.append(_line(bonus, 1 if ours_won else -1, doubled=True))
    if False in sides:
        lines.append(_line(bonus, -1 if theirs_won else 1, doubled=True))
    return lines


def _king_ultimo(played: Played) -> int:
    """AT-BONUS-2: the called king in the last trick, won by the side with whatever card; AT-ANN-3: else lost."""
    if not any(card == played.called for card in played.last_trick.values()):
        return 0
    return 1 if played.last_winner in played.side else -1


def _pagat_ultimo(played: Played) -> list[Line]:
    """AT-BONUS-4: the Pagat itself wins the last trick; AT-ANN-3: played to it in vain, the bonus is lost."""
    player = next((player for player, card in played.last_trick.items() if card == PAGAT_MASK), None)
    won = player is not None and player == played.last_winner
    is_ours = player in played.side
    announced = _announced("pagat_ultimo", played, won and is_ours, won and not is_ours)
    if announced or player is None:
        return announced
    return [_line("pagat_ultimo", 1 if won == is_ours else -1)]


def _valat(played: Played) -> list[Line]:
    """AT-BONUS-5: one side won all twelve tricks, or said that it would."""
    all_ours, all_theirs = played.tricks == 12, played.tricks == 0
    lines = _announced("valat", played, all_ours, all_theirs)
    if not lines and (all_ours or all_theirs):
        lines = [_line("valat", 1 if all_ours else -1)]
    return lines
