"""What is filmed between hands: the cards of the last one are counted, gathered, shuffled and dealt.

Lengths on the table are mm, times s.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.arrays import Rng
from vision.lab.rendering.film_table import FilmCard, FilmMoment, FilmTable
from vision.lab.rendering.footage import fetch, move_hand, nothing_moves, sideways
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.shown_cards import bring
from vision.picture import DIRECTIONS

_PACKETS = 3
"""Packets of cards that each player is dealt."""


@dataclass(frozen=True)
class FilmedDeal:
    """The players of `sides` count some of their tricks, and the one of `dealer` gathers, shuffles and deals.

    Cards lie face up before each player and in the middle, and two fall out of the pack. None is a play. `won` has the
    cards that each side counts (None: some by chance). What each side has left in its hand, `held`, is first thrown
    in, face up. After the deal nothing comes for `pause_s`, for instance while the hands are sorted.
    """

    dealer: str
    sides: tuple[str, ...]
    won: Mapping[str, Sequence[str]] | None = None
    held: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pause_s: float = 1.0
    cards: tuple[()] = ()
    taken_by: None = None
    parts: tuple[()] = ()

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        rng = np.random.default_rng((table.seed, 12, *[number] * (number > 0)))
        names = [str(name) for name in rng.permutation(sorted(table.deck.faces))]
        for side, left in self.held.items():
            yield from _throw_in(table, rng, side, left)
        for side in self.sides:
            count = int(rng.integers(3, 7))
            won = names if self.won is None else [name for name in names if name in self.won[side]]
            counted = won[-count:]
            names = [name for name in names if name not in counted]
            yield from _count(table, rng, side, counted[::-1])
        yield from _gather(table, rng, self.sides)
        yield from fetch(table, self.dealer, table.lying, 0.6, onto_pile=False)
        yield from self._shuffle(table, rng, names)
        yield from self._deal(table, rng)
        rested[number] = table.count
        yield from nothing_moves(table, self.pause_s)

    def _shuffle(self, table: FilmTable, rng: Rng, names: list[str]) -> Iterator[FilmMoment]:
        """The pack goes to and fro in the dealer's hands. Twice a card falls out, face up, and is taken back."""
        hold = np.array(DIRECTIONS[self.dealer]) * (table.edge_mm(self.dealer) - 50)
        for _ in range(2):
            for _ in range(table.frames_of(rng.uniform(1.5, 2.5))):
                at = hold + rng.normal(0, 6, 2)
                pack = FilmCard("pack", place_card(at, 0.0), self.dealer, down=True)
                yield FilmMoment((pack,), {self.dealer: at})
            fallen = rng.normal(0, 60, 2)
            yield from bring(table, self.dealer, [names.pop()], [fallen], 0.4)
            yield from nothing_moves(table, rng.uniform(0.8, 2.0))
            yield from fetch(table, self.dealer, table.lying[-1:], 0.4, onto_pile=False)

    def _deal(self, table: FilmTable, rng: Rng) -> Iterator[FilmMoment]:
        """Packets fly to all players, face down, and each takes his up."""
        for packet in range(_PACKETS):
            for side in self.sides:
                target = np.array(DIRECTIONS[side]) * (table.edge_mm(side) - 60) + rng.normal(0, 15, 2)
                yield from bring(table, self.dealer, [f"packet {packet} {side}"], [target], 0.3, down=True)
        for side in self.sides:
            mine = [card for card in table.lying if card.card.endswith(f" {side}")]
            yield from fetch(table, side, mine, 0.4, onto_pile=False)


def _throw_in(table: FilmTable, rng: Rng, side: str, names: Sequence[str]) -> Iterator[FilmMoment]:
    """The player of `side` throws in the cards that he has left, a fan before him, face up."""
    out = np.array(DIRECTIONS[side]) * min(table.edge_mm(side) - 60, 130)
    step_mm = min(22.0, 160 / max(len(names), 1))
    places = [
        out + sideways(side) * (at - len(names) / 2) * step_mm + rng.normal(0, 3, 2)
        for at in range(len(names))
    ]
    if names:
        yield from bring(table, side, list(names), places, 0.5)
        yield from nothing_moves(table, rng.uniform(0.5, 2.0))


def _count(table: FilmTable, rng: Rng, side: str, names: Sequence[str]) -> Iterator[FilmMoment]:
    """The player of `side` lays cards of his tricks before him, one on the other, to count them."""
    out = np.array(DIRECTIONS[side]) * rng.uniform(70, min(table.edge_mm(side) - 60, 170))
    table.take_pile(side)
    for name in names:
        place = out + sideways(side) * rng.normal(0, 45) + rng.normal(0, 12, 2)
        yield from bring(table, side, [name], [place], 0.35)
        yield from nothing_moves(table, rng.uniform(0.2, 1.0))


def _gather(table: FilmTable, rng: Rng, sides: Sequence[str]) -> Iterator[FilmMoment]:
    """The players push their cards to the middle, where some turn over."""
    for side in sides:
        mine = [card for card in table.lying if card.side == side]
        table.pick_up(mine)
        places = [rng.normal(0, 45, 2) for _ in mine]
        angles = [rng.uniform(-np.pi, np.pi) for _ in mine]
        hand = np.array(DIRECTIONS[side]) * 40.0
        steps = table.frames_of(0.7)
        for k in range(1, steps + 1):
            moving = []
            for card, place, angle in zip(mine, places, angles, strict=True):
                start = card.corners_mm.mean(0)
                at = start + (place - start) * k / steps
                moving.append(replace(card, corners_mm=place_card(at, angle * k / steps)))
            yield FilmMoment(
                tuple(moving), {side: table.beyond_mm(side) * (1 - k / steps) + hand * k / steps}
            )
        for card, place, angle in zip(mine, places, angles, strict=True):
            # Of a Talon that was never turned up the camera's deck has no faces.
            down = rng.random() < 0.4 or card.card not in table.deck.faces
            table.lay_down(FilmCard(card.card, place_card(place, angle), "", down=down))
        yield from move_hand(side, hand, table.beyond_mm(side), table.frames_of(0.4))
        yield from nothing_moves(table, rng.uniform(0.3, 2.0))
