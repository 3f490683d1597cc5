"""Who sits where in a tournament: tables for each round such that as few as possible meet twice, and dealing is even.

The **objective**, in this order: if not all can be seated, rests are even; the sum over all pairs of m·(m−1)/2, where m
is how often the pair meets, is as small as can be (0: nobody meets twice); all sit equally often at tables of another
size; all have each place at the table equally often, of which the first deals first.

The **search** is simulated annealing: two players of one round change places, and a worse plan is taken with a chance
that falls with time. Where finite geometry has a plan in which nobody meets twice, the search begins there: with a
prime power q of tables, player k of group g sits in round r at table g + r·k in the field of q elements, so two of
different groups meet at most once. (Harvey and Winterer, "Solving the MOLR and social golfer problems", CP 2005.)
"""

import itertools
import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Tables = tuple[tuple[int, ...], ...]
"""The tables of a round. Each has its players in order of their places, counter-clockwise; the first deals first."""

TABLE_SIZES: Final = (3, 4, 5)
EFFORT: Final = 300_000
"""The most changes that the search tries."""
_TRIES: Final = 200
"""The most tries for each possible change of places: a short plan with few players has few, and is found at once."""
MOST_ENTRANTS: Final = 200
MOST_ROUNDS: Final = 30
_MEETING: Final = 10
_MEETING_BESIDE_STANDING: Final = 100
_APART: Final = 10.0
_REST: Final = 200
_HOT, _WARM, _COLD = 12.0, 3.0, 0.8


class SeatingError(Exception):
    """No plan can be made. The message says why."""


@dataclass(frozen=True)
class Round:
    """A round: its `tables`, and who rests."""

    tables: Tables
    resting: tuple[int, ...] = ()


@dataclass(frozen=True)
class Measure:
    """How good a plan is.

    - `repeats`: the sum over all pairs of m·(m−1)/2, for m meetings.
    - `bound`: a number below which `repeats` cannot be.
    - `twice`: how many pairs meet more than once.
    - `deals`: the fewest and the most times that somebody who plays all rounds deals first.
    """

    repeats: int
    bound: int
    twice: int
    deals: tuple[int, int]


def table_sizes(players: int, preferred: int = 4, allowed: Collection[int] = TABLE_SIZES) -> tuple[int, ...]:
    """The sizes of the tables for so many `players`, the larger first, and as near to `preferred` as can be.

    If not all players can be seated, as many as possible are. Raises SeatingError for too few players for one table.
    """
    if preferred not in allowed:
        raise SeatingError(f"a table of {preferred} is not one of {', '.join(map(str, sorted(allowed)))}")
    for seated in range(players, min(allowed) - 1, -1):
        found = [sizes for sizes in _partitions(seated, sorted(allowed, reverse=True))]
        if found:
            return min(found, key=lambda sizes: (sum((size - preferred) ** 2 for size in sizes), len(sizes)))
    raise SeatingError(f"too few players for a table of {min(allowed)}: {players}")


def _partitions(players: int, sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Every way to seat all `players` at tables of these `sizes`, which are sorted, the largest first."""
    if not sizes:
        return [()] if players == 0 else []
    size, *smaller = sizes
    return [
        (size,) * count + rest
        for count in range(players // size + 1)
        for rest in _partitions(players - size * count, smaller)
    ]


def seat(
    players: Sequence[int],
    rounds: int,
    *,
    preferred: int = 4,
    allowed: Collection[int] = TABLE_SIZES,
    played: Sequence[Round] = (),
    seed: int = 0,
    effort: int = EFFORT,
    near: Mapping[int, int] | None = None,
) -> list[Round]:
    """A plan for `rounds` more rounds of these `players` (numbers), after the rounds that were `played`.

    `near` has each player's place in the standings. With it players meet who stand near each other, but it weighs
    more that nobody meets twice. The same arguments give the same plan. Raises SeatingError.
    """
    sizes = table_sizes(len(players), preferred, allowed)
    plan = _Plan(list(players), rounds, sizes, played, random.Random(seed), near)
    plan.improve(min(effort, _TRIES * rounds * len(players) ** 2))
    return _placed(plan.rounds(), played)


def measured(rounds: Sequence[Round]) -> Measure:
    """How good the whole plan `rounds` is."""
    met: dict[frozenset[int], int] = {}
    deals: dict[int, int] = {}
    for one in rounds:
        for table in one.tables:
            deals[table[0]] = deals.get(table[0], 0) + 1
            for pair in itertools.combinations(table, 2):
                met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    seated = [{player for table in one.tables for player in table} | set(one.resting) for one in rounds]
    whole = set.intersection(*seated) if seated else set()
    counts = [deals.get(player, 0) for player in whole]
    repeats = sum(math.comb(count, 2) for count in met.values())
    twice = sum(1 for count in met.values() if count > 1)
    return Measure(repeats, least_repeats(rounds), twice, (min(counts, default=0), max(counts, default=0)))


def least_repeats(rounds: Sequence[Round]) -> int:
    """A number below which the repeats of no plan with the same players and table sizes can be.

    A player has so many meetings in all, and must repeat those that exceed the number of other players. Each repeat
    counts for two players. The sum over all pairs gives another bound.
    """
    people = {player for one in rounds for table in one.tables for player in table}
    company = dict.fromkeys(people, 0)
    for one in rounds:
        for table in one.tables:
            for player in table:
                company[player] += len(table) - 1
    others = len(people) - 1
    if others < 1:
        return 0
    return -(-sum(_least(meetings, others) for meetings in company.values()) // 2)


def _least(meetings: int, others: int) -> int:
    """The least sum of m·(m−1)/2 for so many `meetings` with `others`: that of meetings which are as even as can be."""
    each, more = divmod(meetings, others)
    return more * math.comb(each + 1, 2) + (others - more) * math.comb(each, 2)


class _Plan:
    """A plan that is being improved. Within it a player is his index in `players`, and the last table has who rests."""

    def __init__(
        self,
        players: list[int],
        rounds: int,
        sizes: tuple[int, ...],
        played: Sequence[Round],
        chance: random.Random,
        near: Mapping[int, int] | None = None,
    ) -> None:
        self._players = players
        places = [near[player] for player in players] if near is not None else None
        wide = max(1, max(places) - min(places)) if places else 1
        # The cost of two players who sit together, by how far apart they stand.
        self._apart = (
            [[_APART * abs(one - other) / wide for other in places] for one in places] if places else None
        )
        self._meeting = _MEETING if self._apart is None else _MEETING_BESIDE_STANDING
        self._chance = chance
        self._sizes = sizes
        count = len(players)
        self._resting = count - sum(sizes)
        tables = [table for table, size in enumerate((*sizes, self._resting)) for _ in range(size)]
        known = _geometric(count, rounds, sizes)[:rounds] if not played and near is None else []
        self._at = [*known, *(chance.sample(tables, count) for _ in range(rounds - len(known)))]
        self._begun_well = bool(known)
        self._met = [[0] * count for _ in range(count)]
        self._small = [0] * count
        self._rests = [0] * count
        place = {player: at for at, player in enumerate(players)}
        for one in played:
            for table in one.tables:
                here = [place[player] for player in table if player in place]
                self._note(here, 1)
                for known_player in here:
                    self._small[known_player] += len(table) != max(sizes)
            for player in one.resting:
                if player in place:
                    self._rests[place[player]] += 1
        self._mates: list[list[list[int]]] = []
        for at in self._at:
            mates: list[list[int]] = [[] for _ in range(len(sizes) + 1)]
            for player, number in enumerate(at):
                mates[number].append(player)
            for number, size in enumerate(sizes):
                self._note(mates[number], 1)
                for player in mates[number]:
                    self._small[player] += size != max(sizes)
            for player in mates[-1]:
                self._rests[player] += 1
            self._mates.append(mates)

    def _note(self, table: list[int], step: int) -> None:
        for one, other in itertools.permutations(table, 2):
            self._met[one][other] += step

    def rounds(self) -> list[Round]:
        """The rounds of the plan as it is now."""
        return [
            Round(
                tuple(tuple(self._players[player] for player in table) for table in mates[:-1]),
                tuple(self._players[player] for player in mates[-1]),
            )
            for mates in self._mates
        ]

    def improve(self, effort: int) -> None:
        """Try so many changes (`effort`), and keep the best plan."""
        rounds, count = len(self._at), len(self._players)
        if not rounds or len(self._sizes) + bool(self._resting) < 2:
            return
        chance, exp = self._chance.random, math.exp
        # A plan that begins near a good one is changed carefully.
        hot = _HOT if not self._begun_well else _WARM
        cost = best = 0.0
        kept = [[list(table) for table in mates] for mates in self._mates]
        repeats = sum(math.comb(met, 2) for row in self._met for met in row) // 2
        even = len(set(self._sizes)) == 1 and not self._resting and self._apart is None
        goal = least_repeats(self.rounds()) if even else -1
        least = repeats
        for step in range(effort):
            if least <= goal:
                break
            heat = hot * (_COLD / hot) ** (step / effort)
            turn, one, other = int(chance() * rounds), int(chance() * count), int(chance() * count)
            at = self._at[turn]
            if at[one] == at[other]:
                continue
            change, pairs = self._difference(turn, one, other)
            if change <= 0 or chance() < exp(-change / heat):
                self._swap(turn, one, other)
                cost += change
                repeats += pairs
                if cost < best:
                    best, least = cost, repeats
                    kept = [[list(table) for table in mates] for mates in self._mates]
        self._mates = kept

    def _difference(self, turn: int, one: int, other: int) -> tuple[float, int]:
        """What it would add to the cost, and to the repeats, if two players of a round changed places."""
        first, second = self._at[turn][one], self._at[turn][other]
        mates, last = self._mates[turn], len(self._sizes)
        pairs = 0
        own, others = self._met[one], self._met[other]
        # A pair that has met m times adds m when it meets once more.
        if first != last:
            for mate in mates[first]:
                if mate != one:
                    pairs += others[mate] - own[mate] + 1
        if second != last:
            for mate in mates[second]:
                if mate != other:
                    pairs += own[mate] - others[mate] + 1
        change: float = self._meeting * pairs
        if self._apart is not None:
            here, there = (mates[table] if table != last else [] for table in (first, second))
            change += _nearer(self._apart[one], self._apart[other], here, there, one, other)
        if first == last or second == last:
            rest, play = (one, other) if first == last else (other, one)
            change += _REST * (self._rests[play] - self._rests[rest] + 1)
        largest = self._sizes[0]
        small = [place != last and self._sizes[place] != largest for place in (first, second)]
        if small[0] != small[1]:
            leaves, comes = (one, other) if small[0] else (other, one)
            change += self._small[comes] - self._small[leaves] + 1
        return change, pairs

    def _swap(self, turn: int, one: int, other: int) -> None:
        at, mates, last = self._at[turn], self._mates[turn], len(self._sizes)
        for player, new in ((one, other), (other, one)):
            table = at[player]
            for mate in mates[table]:
                if mate != player and table != last:
                    for a, b, step in ((player, mate, -1), (new, mate, 1)):
                        self._met[a][b] += step
                        self._met[b][a] += step
        for player, where, step in (
            (one, at[one], -1),
            (other, at[one], 1),
            (other, at[other], -1),
            (one, at[other], 1),
        ):
            if where == last:
                self._rests[player] += step
            elif self._sizes[where] != self._sizes[0]:
                self._small[player] += step
        first, second = at[one], at[other]
        mates[first][mates[first].index(one)] = other
        mates[second][mates[second].index(other)] = one
        at[one], at[other] = second, first


def _nearer(
    own: list[float], others: list[float], here: list[int], there: list[int], one: int, other: int
) -> float:
    """What it adds to the distances in the standings of those who sit together if `one` and `other` change places.

    `own` and `others` are the distances of both; `here` and `there` are their tables.
    """
    added = sum(others[mate] - own[mate] for mate in here if mate != one)
    return added + sum(own[mate] - others[mate] for mate in there if mate != other)


def _geometric(players: int, rounds: int, sizes: tuple[int, ...]) -> list[list[int]]:
    """The table of each player in the first rounds, in which nobody meets twice, as far as finite geometry reaches."""
    tables, size = len(sizes), sizes[0]
    field = _field(tables)
    if field is None or set(sizes) != {size} or tables * size != players or size > tables:
        return []
    add, times = field
    plan = [
        [add[group][times[turn][place]] for place in range(size) for group in range(tables)]
        for turn in range(min(rounds, tables))
    ]
    if rounds > tables and tables % size == 0:
        # Players of one group have not met, so they sit together in one round more.
        own = tables // size
        plan.append([place * own + group // size for place in range(size) for group in range(tables)])
    return plan


def _field(order: int) -> tuple[list[list[int]], list[list[int]]] | None:
    """Sums and products in the field of `order` elements 0, 1, …; None if there is no such field, or above 32."""
    prime = next((number for number in range(2, order + 1) if order % number == 0), 0)
    degree = round(math.log(order, prime)) if prime else 0
    # x to the power of the degree, as a polynomial of lower degree: Conway polynomials, constant first.
    reduced = {
        4: (1, 1),
        8: (1, 1, 0),
        9: (1, 1),
        16: (1, 1, 0, 0),
        25: (3, 1),
        27: (2, 1, 0),
        32: (1, 0, 1, 0, 0),
    }
    if not prime or prime**degree != order or (degree > 1 and order not in reduced):
        return None
    power = reduced.get(order, ())

    def digits(number: int) -> list[int]:
        return [number // prime**place % prime for place in range(degree)]

    def joined(parts: Sequence[int]) -> int:
        return sum(part % prime * prime**place for place, part in enumerate(parts))

    def product(one: int, other: int) -> int:
        parts = [0] * (2 * degree - 1)
        for (i, a), (j, b) in itertools.product(enumerate(digits(one)), enumerate(digits(other))):
            parts[i + j] += a * b
        for place in range(2 * degree - 2, degree - 1, -1):
            for low, part in enumerate(power):
                parts[place - degree + low] += parts[place] * part
            parts[place] = 0
        return joined(parts[:degree])

    everything = range(order)
    add = [
        [joined([a + b for a, b in zip(digits(one), digits(other), strict=True)]) for other in everything]
        for one in everything
    ]
    return add, [[product(one, other) for other in everything] for one in everything]


def _placed(rounds: list[Round], played: Sequence[Round]) -> list[Round]:
    """The same tables, with everybody's places as even as can be, above all the dealer's.

    Table by table the best order is taken, again and again until no order is better.
    """
    had: dict[tuple[int, int], int] = {}
    for one in played:
        for table in one.tables:
            for place, player in enumerate(table):
                had[player, place] = had.get((player, place), 0) + 1
    plan = [list(one.tables) for one in rounds]
    for attempt in range(8):
        before = [list(tables) for tables in plan]
        for tables in plan:
            tables[:] = [_best_order(table, had, placed=attempt > 0) for table in tables]
        if attempt and before == plan:
            break
    return [Round(tuple(tables), one.resting) for tables, one in zip(plan, rounds, strict=True)]


def _best_order(table: tuple[int, ...], had: dict[tuple[int, int], int], *, placed: bool) -> tuple[int, ...]:
    """The order of a table that makes the places its players `had` most even; `placed`: `had` counts this table."""
    if placed:
        for place, player in enumerate(table):
            had[player, place] -= 1

    def cost(order: tuple[int, ...]) -> int:
        # Who deals first counts most.
        return sum(
            had.get((player, place), 0) * (4 if place == 0 else 1) for place, player in enumerate(order)
        )

    best = min(itertools.permutations(table), key=cost)
    if placed and cost(table) == cost(best):
        best = table
    for place, player in enumerate(best):
        had[player, place] = had.get((player, place), 0) + 1
    return best
