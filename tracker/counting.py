"""Where unseen cards may lie, by counting deals: for games in which places differ by what they may hold alone.

A deal gives each place as many unseen cards as it has room for, each card to a place that may hold it. All deals are
equally likely. They are counted card by card. The state is how many cards each place has so far. Places that may hold
the same cards count as one, and the last one has what the others leave. So most positions have few states. Where there
are many, deals are drawn by chance instead (importance sampling): each card in turn goes to one of its places, in
proportion to the room that they have left, and a deal weighs as much as it was unlikely to be drawn.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import Final

from tracker.pack import indices

MOST_STEPS: Final = 4_000_000
"""The most steps from state to state that are counted: well within a second. Beyond that deals are sampled."""
SAMPLES: Final = 2_000
"""How many deals are drawn then."""
_WIDTH: Final = 7
_FIELD: Final = (1 << _WIDTH) - 1
# What a sampled chance is rounded to. Where several places may hold a card, none of them is said to be sure.
_PARTS: Final = 1000


@dataclass(frozen=True, slots=True)
class Chances:
    """The chance of each unseen card, by its place in the pack, to lie at each of the places; `exact` or sampled."""

    chances: dict[int, tuple[Fraction, ...]]
    exact: bool


def where_cards_lie(unseen: int, room: Sequence[int], cases: Sequence[Sequence[int]]) -> Chances | None:
    """The chances of the `unseen` cards, a mask; None if no deal agrees.

    `room` is how many of them each place holds, and sums to their number. Each of `cases`, which exclude one
    another, says for each place the cards that it may hold, as masks; the deals of all cases count the same.
    """
    assert sum(room) == unseen.bit_count(), (unseen, room)
    positions = [_Position(unseen, room, allowed) for allowed in cases]
    exact = sum(position.steps for position in positions) <= MOST_STEPS
    tally: dict[int, list[Fraction]] = {card: [Fraction(0)] * len(room) for card in indices(unseen)}
    for position in positions:
        if exact:
            position.count(tally)
        else:
            position.sample(tally, SAMPLES // len(positions))
    found = {}
    for card, weights in tally.items():
        total = sum(weights)
        if not total:
            return None
        shares = tuple(weight / total for weight in weights)
        may = [any(case[place] >> card & 1 and room[place] for case in cases) for place in range(len(room))]
        found[card] = shares if exact else _rounded(shares, may)
    return Chances(found, exact)


def _rounded(shares: Sequence[Fraction], may: Sequence[bool]) -> tuple[Fraction, ...]:
    """Sampled shares as parts of a thousand, which sum to 1; each place that `may` hold the card has one at least."""
    if sum(may) == 1:
        return tuple(Fraction(int(one)) for one in may)
    parts = [max(1, round(share * _PARTS)) if one else 0 for share, one in zip(shares, may, strict=True)]
    parts[parts.index(max(parts))] += _PARTS - sum(parts)
    return tuple(Fraction(part, _PARTS) for part in parts)


class _Position:
    """One case: its cards in groups that the same places may hold, and its places in classes that may hold the same.

    The last class has what the others leave, so the state has a field for each of the others alone.
    """

    def __init__(self, unseen: int, room: Sequence[int], allowed: Sequence[int]) -> None:
        self.room = room
        alike: dict[int, list[int]] = {}
        for place, mask in enumerate(allowed):
            if room[place]:
                alike.setdefault(mask & unseen, []).append(place)
        size = {mask: sum(room[place] for place in places) for mask, places in alike.items()}
        masks = sorted(alike, key=size.__getitem__)
        self.classes = [alike[mask] for mask in masks]
        self.sizes = [size[mask] for mask in masks]
        # In how many ways the cards of each class are shared out among its places.
        self.shared = prod(
            factorial(size[mask]) // prod(factorial(room[place]) for place in alike[mask]) for mask in masks
        )
        groups: dict[tuple[int, ...], list[int]] = {}
        for card in indices(unseen):
            holders = tuple(number for number, mask in enumerate(masks) if mask >> card & 1)
            groups.setdefault(holders, []).append(card)
        # Those with the fewest holders first: what must go somewhere goes there while there is room.
        self.groups = sorted(groups.items(), key=lambda group: len(group[0]))
        self.steps = self._work()

    def _work(self) -> int:
        """About how many steps counting takes: the states that there can be before each card, and its holders."""
        steps = cards = 0
        for holders, group in self.groups:
            for _ in group:
                states = 1
                for size in self.sizes[:-1]:
                    states *= min(size, cards) + 1
                steps += states * len(holders)
                cards += 1
        return 2 * steps

    def count(self, tally: dict[int, list[Fraction]]) -> None:
        """Add to `tally` the number of deals in which each place has each card."""
        last = len(self.sizes) - 1
        full = sum(size << _WIDTH * number for number, size in enumerate(self.sizes[:-1]))
        states = {0: 1}
        before = []  # for each group the states before its last card, after its others
        for holders, group in self.groups:
            for _ in group[1:]:
                states = self._forward(states, holders)
            before.append(states)
            states = self._forward(states, holders)
        ways = {full: 1} if full in states else {}
        for (holders, group), begun in zip(reversed(self.groups), reversed(before), strict=True):
            for number in holders:
                step = 1 << _WIDTH * number if number != last else 0
                deals = sum(count * ways.get(state + step, 0) for state, count in begun.items())
                self._note(tally, group, number, Fraction(deals))
            for _ in group:
                ways = self._backward(ways, holders)

    def _forward(self, states: dict[int, int], holders: Sequence[int]) -> dict[int, int]:
        """The ways to reach each state with one card more, which a class of `holders` has."""
        found: dict[int, int] = {}
        last = len(self.sizes) - 1
        for number in holders:
            if number == last:
                for state, ways in states.items():
                    found[state] = found.get(state, 0) + ways
                continue
            shift, size = _WIDTH * number, self.sizes[number]
            for state, ways in states.items():
                if state >> shift & _FIELD < size:
                    reached = state + (1 << shift)
                    found[reached] = found.get(reached, 0) + ways
        return found

    def _backward(self, ways: dict[int, int], holders: Sequence[int]) -> dict[int, int]:
        """The ways to complete each state, before one card more, which a class of `holders` has."""
        found: dict[int, int] = {}
        last = len(self.sizes) - 1
        for number in holders:
            shift = _WIDTH * number
            for state, deals in ways.items():
                if number == last:
                    found[state] = found.get(state, 0) + deals
                elif state >> shift & _FIELD:
                    begun = state - (1 << shift)
                    found[begun] = found.get(begun, 0) + deals
        return found

    def sample(self, tally: dict[int, list[Fraction]], samples: int) -> None:
        """What `count` adds, estimated from so many `samples`: deals drawn by chance, always the same ones."""
        chance = random.Random(0)
        held = [[0.0] * len(self.sizes) for _ in self.groups]
        for _ in range(samples):
            left = list(self.sizes)
            taken = [[0] * len(self.sizes) for _ in self.groups]
            weight = 1.0
            for (holders, group), of_group in zip(self.groups, taken, strict=True):
                for _ in group:
                    rooms = [left[number] for number in holders]
                    total = sum(rooms)
                    if not total:
                        weight = 0.0
                        break
                    at = chance.randrange(total)
                    number = next(n for n in holders if (at := at - left[n]) < 0)
                    weight *= total / left[number]
                    left[number] -= 1
                    of_group[number] += 1
            if weight:
                for sums, of_group in zip(held, taken, strict=True):
                    for number, count in enumerate(of_group):
                        sums[number] += weight * count
        for (holders, group), sums in zip(self.groups, held, strict=True):
            for number in holders:
                self._note(tally, group, number, Fraction(sums[number]) / len(group))

    def _note(
        self, tally: dict[int, list[Fraction]], group: Sequence[int], number: int, deals: Fraction
    ) -> None:
        """In so many `deals` the class `number` has a given card of `group`; its places share them by their room."""
        for place in self.classes[number]:
            share = deals * self.shared * self.room[place] / self.sizes[number]
            for card in group:
                tally[card][place] += share
