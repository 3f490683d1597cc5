"""What a round that was played out brings: lines for the score sheet, from who has which cards."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tracker.american.contracts import BONUS_RULES, BONUSES, LOST_KING, Contract
from tracker.american.pack import KINGS_MASK, PAGAT_MASK, TRULA_MASK, counted, is_more_than_half

_HALF: Final = 35


class RoundOutcome(NamedTuple):
    """How a round ended: whether the declarer `won`, None in Klop.

    `points` and `cards` (how many) are those of each side ("declarer", "opponents") or, in Klop, of each player. Both
    are None in the games that are won or lost by tricks alone. `cards` is None also where only the result is known.
    `achieved` is what decided a normal game or Solo No-Peek.
    """

    won: bool | None
    points: dict[str, int] | None = None
    cards: dict[str, int] | None = None
    achieved: "Achieved | None" = None


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


Line = tuple[str, str, str, int]
"""A line for the score sheet: rule, reason, player and points."""
_Share = tuple[str, str, int]  # rule, reason, and the points for each player of the side


class Achieved(NamedTuple):
    """What decides the score of a normal game or Solo No-Peek: of a hand of cards, or as it is known by its result.

    `points` are those of the declarer's side, `won` whether they are more than half. `king_lost`: the opponents took
    the called card. `trula`, `kings`, `king_ultimo` and `valat` are 1 for the side, -1 for the opponents, 0 for nobody.
    So are `pagat`, by who won the last trick with it, and `pagat_tried`, by who played it there. `announced` are pairs:
    whether by the side, and the bonus.
    """

    contract: Contract
    points: int
    won: bool
    king_lost: bool
    trula: int
    kings: int
    king_ultimo: int
    pagat: int
    pagat_tried: int
    valat: int
    announced: frozenset[tuple[bool, str]]


def klop_lines(piles: Mapping[str, int], tricks_won: Mapping[str, int]) -> tuple[RoundOutcome, list[Line]]:
    """Klop: how it ended, and a line for each who scores, by what lies in the `piles`."""
    points = {player: counted(cards) for player, cards in piles.items()}
    lost = [player for player, cards in piles.items() if is_more_than_half(cards)]
    outcome = RoundOutcome(None, points, {player: cards.bit_count() for player, cards in piles.items()})
    return outcome, klop_scores(points, lost, [player for player in piles if not tricks_won[player]])


def klop_scores(points: Mapping[str, int], lost: Collection[str], trickless: Collection[str]) -> list[Line]:
    """A line for each who scores in a Klop (AT-KLOP-1).

    `points` are what each took; the players in `lost` took more than half, the `trickless` won no trick.
    """
    lines = []
    for player in points:
        if player in lost:
            lines.append(("AT-KLOP-3", "klop", player, -70))
        elif player in trickless:
            lines.append(("AT-KLOP-4", "klop", player, 70))
    # AT-KLOP-4: if anybody wins or loses so, only they score; AT-KLOP-5: otherwise each loses what he took.
    return lines or [("AT-KLOP-5", "klop", player, -taken) for player, taken in points.items()]


def side_lines(played: Played, *, valat_alone: bool) -> tuple[RoundOutcome, list[Line]]:
    """A normal game or Solo No-Peek: how it ended, and the lines for each player of the declarer's side."""
    achieved = _achieved(played)
    outcome = RoundOutcome(
        achieved.won,
        {"declarer": achieved.points, "opponents": counted(played.theirs)},
        {"declarer": played.ours.bit_count(), "opponents": played.theirs.bit_count()},
        achieved,
    )
    return outcome, achieved_lines(achieved, played.side, valat_alone=valat_alone)


def _achieved(played: Played) -> Achieved:
    """What the cards come to."""
    holder = next((player for player, card in played.last_trick.items() if card == PAGAT_MASK), None)
    tried = 0 if holder is None else 1 if holder in played.side else -1
    last = 1 if played.last_winner in played.side else -1
    return Achieved(
        played.contract,
        counted(played.ours),
        is_more_than_half(played.ours),
        # AT-CALL-7: taken by the opponents, in a trick or with the rest of the Talon.
        king_lost=bool(played.theirs & played.called),
        trula=_whole(TRULA_MASK, played),
        kings=_whole(KINGS_MASK, played),
        # AT-BONUS-2: the called king in the last trick, won by the side with whatever card; AT-ANN-3: else lost.
        king_ultimo=last if played.called and played.called in played.last_trick.values() else 0,
        pagat=tried if holder == played.last_winner else 0,
        pagat_tried=tried,
        valat=(played.tricks == 12) - (played.tricks == 0),
        announced=frozenset((player in played.side, bonus) for player, bonus in played.announced),
    )


def _whole(cards: int, played: Played) -> int:
    """AT-BONUS-1 and AT-BONUS-3: 1 where the side has all of `cards`, -1 where the opponents do.

    AT-ANN-2: a part of them is worth nothing to either.
    """
    return (played.ours & cards == cards) - (played.theirs & cards == cards)


def achieved_lines(achieved: Achieved, side: Iterable[str], *, valat_alone: bool) -> list[Line]:
    """The lines of the players of the declarer's `side`; AT-SCORE-1: each the same."""
    players = tuple(side)
    return [
        (rule, reason, player, points)
        for rule, reason, points in _shares(achieved, valat_alone=valat_alone)
        for player in players
    ]


def _shares(achieved: Achieved, *, valat_alone: bool) -> list[_Share]:
    contract, points, won = achieved.contract, achieved.points, achieved.won
    # AT-SCORE-2: the value, in a normal game with the difference; AT-HIGH-3: the value alone.
    lines: list[_Share] = [(contract.rule, "game", contract.worth if won else -contract.worth)]
    if not contract.normal:
        return lines
    # AT-BONUS-5: one side won all twelve tricks, or said that it would.
    valat = _settled("valat", achieved, achieved.valat)
    if valat and valat_alone:
        return valat  # AT-BONUS-5: nothing else
    lines.append((contract.rule, "difference", max(0, points - _HALF) if won else min(0, points - _HALF)))
    lines.append(("AT-CALL-7", "called_king_lost", -LOST_KING if achieved.king_lost else 0))
    lines.append(_line("trula", achieved.trula))
    lines.append(_line("king_ultimo", achieved.king_ultimo))
    lines += _settled("kings", achieved, achieved.kings)
    # AT-BONUS-4: the Pagat itself wins the last trick; AT-ANN-3: played to it in vain, the bonus is lost.
    lines += _announced("pagat_ultimo", achieved, achieved.pagat) or [
        _line("pagat_ultimo", achieved.pagat or -achieved.pagat_tried)
    ]
    # AT-SCORE-3: bonuses won are added, those lost subtracted, whoever won the round.
    return [line for line in [*lines, *valat] if line[2]]


def _line(bonus: str, sign: int, *, doubled: bool = False) -> _Share:
    return BONUS_RULES[bonus], bonus, sign * BONUSES[bonus] * (2 if doubled else 1)


def _settled(bonus: str, achieved: Achieved, sign: int) -> list[_Share]:
    """A bonus that `sign` won, doubled where it was announced. Empty if it was neither won nor announced."""
    return _announced(bonus, achieved, sign) or ([_line(bonus, sign)] if sign else [])


def _announced(bonus: str, achieved: Achieved, sign: int) -> list[_Share]:
    """AT-ANN-7: an announced bonus is settled at double for each side that announced it, and not once more.

    Both partners announcing the same count once (AT-ANN-6). One that the opponents lose is added (AT-ANN-8).
    """
    lines = []
    if (True, bonus) in achieved.announced:
        lines.append(_line(bonus, 1 if sign > 0 else -1, doubled=True))
    if (False, bonus) in achieved.announced:
        lines.append(_line(bonus, -1 if sign < 0 else 1, doubled=True))
    return lines
