"""Who leads a tournament: chips per active hand, chips, and table points for the place at each table. All are exact."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from webui.club.tournament_rules import Compared


class TableResult(NamedTuple):
    """A player's result at a table: his `chips`, and in how many `hands` he was active."""

    chips: int
    hands: Fraction


class AdjustedBy(NamedTuple):
    """Chips and table `points` that a `player` was given in a round in which he was active in so many `hands`."""

    player: int
    chips: int
    hands: Fraction
    points: int


@dataclass(frozen=True)
class Ranked:
    """A player's place in a tournament. `rank` is from 1, equal for equal players, None for one who stands apart.

    He played `rounds` and had `chips` and table `points` in them. `credited` rounds count as much as his average.
    `score` ranks the players, and includes the credited rounds.
    """

    rank: int | None
    player: int
    rounds: int
    credited: int
    chips: int
    points: Fraction
    score: Fraction


_ORDER: Final[dict[Compared, tuple[Compared, ...]]] = {
    "hands": ("hands", "points", "chips"),
    "chips": ("chips", "points"),
    "points": ("points", "hands", "chips"),
}
"""What ranks first, and what decides between equals."""


def table_points(chips: Mapping[int, int]) -> dict[int, Fraction]:
    """Everybody's table points at one table, by his `chips`: the last place gives 0, and each place above 1 more.

    Players with equal chips share the points of their places. Points are scaled so that a table's winner always has 3.
    """
    if len(chips) < 2:
        return dict.fromkeys(chips, Fraction(0))
    found = {}
    for player, own in chips.items():
        worse = sum(1 for other in chips.values() if other < own)
        alike = sum(1 for other in chips.values() if other == own)
        found[player] = Fraction(2 * worse + alike - 1, 2) * Fraction(3, len(chips) - 1)
    return found


def standings(
    tables: Iterable[Mapping[int, TableResult]],
    *,
    by: Compared = "hands",
    credited: Iterable[int] = (),
    apart: Collection[int] = (),
    adjusted: Iterable[AdjustedBy] = (),
    listed: Iterable[int] = (),
) -> list[Ranked]:
    """The places after these `tables` with everybody's results, the best first, then those who stand `apart`.

    `credited` names a player once for each round that counts as much as the average of those he played. Adjustments
    (`adjusted`) count in no average. Equal players stand as they are `listed`; those who are not, by their numbers.
    """
    rounds: Counter[int] = Counter()
    sums: dict[int, dict[Compared, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for table in tables:
        points = table_points({player: result.chips for player, result in table.items()})
        for player, result in table.items():
            own = sums[player]
            rounds[player] += 1
            own["chips"] += result.chips
            own["points"] += points[player]
            own["hands"] += result.chips / result.hands if result.hands else 0
    given: dict[int, dict[Compared, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for one in adjusted:
        own = given[one.player]
        own["chips"] += one.chips
        own["points"] += one.points
        own["hands"] += one.chips / one.hands if one.hands else 0
    extra = Counter(credited)

    def worth(player: int) -> tuple[Fraction, ...]:
        more = Fraction(rounds[player] + extra[player], rounds[player])
        return tuple(sums[player][measure] * more + given[player][measure] for measure in _ORDER[by])

    place = {player: at for at, player in enumerate(listed)}

    def in_order(player: int) -> tuple[object, ...]:
        worths = (-value for value in worth(player))
        return player in apart, *worths, place.get(player, player)

    found = []
    for player in sorted(rounds, key=in_order):
        better = sum(1 for other in rounds if other not in apart and worth(other) > worth(player))
        found.append(
            Ranked(
                None if player in apart else 1 + better,
                player,
                rounds[player],
                extra[player],
                int(sums[player]["chips"] + given[player]["chips"]),
                sums[player]["points"] + given[player]["points"],
                worth(player)[0],
            )
        )
    return found
