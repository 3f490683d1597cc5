"""Who leads a tournament: chips, and table points for the place at each table."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Ranked:
    """A player's place in a tournament: `rank` from 1, shared by those alike; `points` are table points."""

    rank: int
    player: int
    rounds: int
    chips: int
    points: Fraction


def table_points(chips: Mapping[int, int]) -> dict[int, Fraction]:
    """The table points of one table by everybody's `chips`: the last gets 0, each place above it 1 more.

    Those alike share what their places give. At a table of another size the points are scaled to three, so that the
    winner has 3 everywhere.
    """
    if len(chips) < 2:
        return dict.fromkeys(chips, Fraction(0))
    found = {}
    for player, own in chips.items():
        worse = sum(1 for other in chips.values() if other < own)
        alike = sum(1 for other in chips.values() if other == own)
        found[player] = Fraction(2 * worse + alike - 1, 2) * Fraction(3, len(chips) - 1)
    return found


def standings(tables: Iterable[Mapping[int, int]], *, by_points: bool = False) -> list[Ranked]:
    """The places after these `tables`, each with everybody's chips there; the best first.

    By chips, and where they are alike by table points; or the other way round.
    """
    rounds: dict[int, int] = defaultdict(int)
    chips: dict[int, int] = defaultdict(int)
    points: dict[int, Fraction] = defaultdict(Fraction)
    for table in tables:
        for player, own in table_points(table).items():
            rounds[player] += 1
            chips[player] += table[player]
            points[player] += own

    def worth(player: int) -> tuple[Fraction, Fraction]:
        both = (Fraction(chips[player]), points[player])
        return (both[1], both[0]) if by_points else both

    ordered = sorted(rounds, key=lambda player: (*(-one for one in worth(player)), player))
    return [
        Ranked(
            1 + sum(1 for other in ordered if worth(other) > worth(player)),
            player,
            rounds[player],
            chips[player],
            points[player],
        )
        for player in ordered
    ]
