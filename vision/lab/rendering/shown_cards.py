"""Cards that a film shows and that are no plays: a talon in its groups, discards, vitamins, open hands, handfuls."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Float64Array
from vision.decks import CARD_MM
from vision.lab.rendering.film_table import FilmCard, FilmMoment, FilmTable
from vision.lab.rendering.footage import SIDE_ANGLE, fetch, move_hand, nothing_moves, sideways, sweep_trick
from vision.lab.rendering.layouts import place_card
from vision.picture import DIRECTIONS

_GROUP_STEP_MM, _GROUP_GAP_MM = 30.0, 74.0
"""From a card of a group to the next, which covers part of it; and from the last card of a group to the next group."""
_FAN_STEP_MM, _FAN_FROM_MM = 24.0, 95.0
"""An open hand beside its player's row: from card to card, and from the row's line to the first card."""
_FETCHED_S = 0.45
"""How long a hand takes to reach for cards that it draws in."""
_SHOWN_STEP_MM = (26.0, 44.0)
"""From a trump of a handful to the next, least and most, where there is room."""


@dataclass(frozen=True)
class FilmedBunch:
    """The side of `dealer` lays `count` cards of the talon face down in the middle; with `aside` it puts them away."""

    dealer: str
    aside: bool = False
    count: int = 6
    cards: tuple[()] = ()
    taken_by: None = None
    parts: tuple[()] = ()

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        names = [f"talon {at}" for at in range(self.count)]
        places = [table.rng.normal(0, 2, 2) for _ in names]
        yield from bring(table, self.dealer, names, places, 0.6, stays=True, down=True)
        rested[number] = table.count
        yield from nothing_moves(table, 1.0)
        if self.aside:
            yield from fetch(table, self.dealer, _talon(table), _FETCHED_S)


@dataclass(frozen=True)
class FilmedTalon:
    """The side of `dealer` turns up `cards` in groups of `size`; that of `taker` takes number `group`, or all if None.

    The others are put aside face down.
    """

    dealer: str
    cards: tuple[str, ...]
    size: int
    taker: str
    group: int | None
    taken_by: None = None

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """The group that is taken."""
        if self.group is None:
            return ()
        return (self.cards[self.group * self.size : (self.group + 1) * self.size],)

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        along = sideways(self.dealer)
        if bunch := _talon(table):
            yield from fetch(table, self.dealer, bunch, _FETCHED_S, onto_pile=False)
        places = [
            _GROUP_STEP_MM * at + (_GROUP_GAP_MM - _GROUP_STEP_MM) * (at // self.size)
            for at in range(len(self.cards))
        ]
        laid = []
        for card, place in zip(self.cards, places, strict=True):
            at = along * (place - places[-1] / 2) + table.rng.normal(0, 2, 2)
            yield from bring(table, self.dealer, [card], [at], 0.35)
            laid.append(table.lying[-1])
        rested[number] = table.count
        yield from nothing_moves(table, 2.5)
        taken = [card for card in laid if not self.parts or card.card in self.parts[0]]
        yield from fetch(table, self.taker, taken, _FETCHED_S, onto_pile=False)
        yield from nothing_moves(table, 1.5)
        if left := [card for card in laid if card not in taken]:
            yield from fetch(table, self.dealer, left, _FETCHED_S)


@dataclass(frozen=True)
class FilmedDiscard:
    """The player of `side` lays `cards` face up before him, `down` more face down, and then puts them on his pile."""

    side: str
    cards: tuple[str, ...]
    down: int = 0
    taken_by: None = None
    parts: tuple[()] = ()

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        out, along = _before(table, self.side, 60, 200), sideways(self.side)
        before = len(table.lying)
        for at, card in enumerate(self.cards):
            target = out + along * 70.0 * (at - (len(self.cards) - 1) / 2) + table.rng.normal(0, 3, 2)
            yield from bring(table, self.side, [card], [target], 0.5)
        if self.down:
            names = [f"laid {at}" for at in range(self.down)]
            beside = out - along * 70.0 * (len(self.cards) + 1) / 2
            places = [beside + table.rng.normal(0, 6, 2) for _ in names]
            yield from bring(table, self.side, names, places, 0.6, down=True)
        rested[number] = table.count
        yield from nothing_moves(table, 2.5)
        yield from fetch(table, self.side, table.lying[before:], _FETCHED_S)


@dataclass(frozen=True)
class FilmedVitamin:
    """`side` turns up the Talon's top `card` onto the trick in the middle, and `taken_by` takes them all."""

    side: str
    card: str
    taken_by: str | None
    parts: tuple[()] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The one card."""
        return (self.card,)

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        place = table.rng.normal(0, 12, 2)
        if bunch := _talon(table):
            yield from _turn_up(table, self.side, bunch[-1], self.card, place)
        else:
            yield from bring(table, self.side, [self.card], [place], 0.6)
        rested[number] = table.count
        yield from nothing_moves(table, table.style.pause_s * table.rng.uniform(0.5, 1.5))
        if self.taken_by is not None:
            yield from sweep_trick(table, self.taken_by)


@dataclass(frozen=True)
class FilmedRest:
    """The player of `side` throws the `rest` of the talon open onto the called king that was played last.

    `taken_by` takes the trick with it, if it was the trick's last card.
    """

    side: str
    rest: tuple[str, ...]
    taken_by: str | None
    cards: tuple[()] = ()
    parts: tuple[()] = ()

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        king = table.lying[-1].corners_mm.mean(0).astype(np.float64)
        along = sideways(self.side)
        spread = [at - (len(self.rest) - 1) / 2 for at in range(len(self.rest))]
        places = [king + along * _GROUP_STEP_MM * at + table.rng.normal(0, 6, 2) for at in spread]
        yield from bring(table, self.side, self.rest, places, 0.6)
        rested[number] = table.count
        yield from nothing_moves(table, table.style.pause_s * table.rng.uniform(0.5, 1.5))
        if self.taken_by is not None:
            yield from sweep_trick(table, self.taken_by)


@dataclass(frozen=True)
class FilmedOpenHand:
    """The player of `side` lays his hand open, the `cards` overlapping in a row."""

    side: str
    cards: tuple[str, ...]
    taken_by: None = None
    parts: tuple[()] = ()

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        out, along = _before(table, self.side, 65, 300), sideways(self.side)
        places = [out + along * (_FAN_FROM_MM + _FAN_STEP_MM * at) for at in range(len(self.cards))]
        yield from bring(table, self.side, self.cards, places, 0.9, stays=True)
        rested[number] = table.count


@dataclass(frozen=True)
class FilmedHandful:
    """The player of `side` shows `cards` before him, each over part of the one before it, and takes them up again."""

    side: str
    cards: tuple[str, ...]
    taken_by: None = None
    parts: tuple[()] = ()

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        out, along = _before(table, self.side, 62, 200), sideways(self.side)
        half = min(table.edge_mm("SENW"["SENW".index(self.side) - at]) for at in (1, 3)) - CARD_MM[0] / 2 - 10
        room = 2 * half / (len(self.cards) - 1)
        step = min(room, table.rng.uniform(*_SHOWN_STEP_MM))
        places = [
            out + along * step * (at - (len(self.cards) - 1) / 2) + table.rng.normal(0, 2, 2)
            for at in range(len(self.cards))
        ]
        laid = len(table.lying)
        for part in (slice(0, 4), slice(4, 8), slice(8, None)):  # as many as a hand carries
            if cards := self.cards[part]:
                yield from bring(table, self.side, cards, places[part], 0.5)
        rested[number] = table.count
        yield from nothing_moves(table, 3.5)
        yield from fetch(table, self.side, table.lying[laid:], _FETCHED_S, onto_pile=False)


@dataclass(frozen=True)
class FilmedGift:
    """The player of `side` hands `card`, one that he has won, to the player of side `to`, and lays it before him.

    `to` puts it on his pile. `told` is False where the game is not told of it: a fool that is given up at the end.
    """

    side: str
    card: str
    to: str
    taken_by: None = None
    parts: tuple[()] = ()
    told: bool = True

    @property
    def cards(self) -> tuple[str, ...]:
        """The one card, if it means something."""
        return (self.card,) if self.told else ()

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        place = _before(table, self.to, 70, 170) + table.rng.normal(0, 12, 2)
        yield from bring(table, self.side, [self.card], [place], 0.7)
        rested[number] = table.count
        yield from nothing_moves(table, 1.5)
        yield from fetch(table, self.to, table.lying[-1:], _FETCHED_S)


def bring(
    table: FilmTable,
    side: str,
    cards: tuple[str, ...] | list[str],
    places: list[Float64Array],
    reach_s: float,
    *,
    stays: bool = False,
    down: bool = False,
) -> Iterator[FilmMoment]:
    """The hand of `side` brings `cards` to `places` (mm), lays them down together, and leaves.

    They lie face up, or with `down` face down.
    """
    direction = np.array(DIRECTIONS[side])
    way = direction * (table.edge_mm(side) + 120)
    angle = SIDE_ANGLE[side] + table.rng.normal(0, 0.03)
    laid = [
        FilmCard(card, place_card(at, angle), side, stays=stays, down=down)
        for card, at in zip(cards, places, strict=True)
    ]
    middle = np.mean(places, axis=0)
    grip = middle + direction * CARD_MM[1] * 0.4
    steps = table.frames_of(reach_s)
    for k in range(1, steps + 1):
        left = way * (1 - k / steps)
        moving = tuple(replace(card, corners_mm=(card.corners_mm + left).astype(np.float32)) for card in laid)
        yield FilmMoment(moving, {side: grip + left})
    for card in laid:
        table.lay_down(card)
    yield from move_hand(side, grip, grip + way, table.frames_of(0.4))


def _before(table: FilmTable, side: str, within_mm: float, most_mm: float) -> Float64Array:
    """The place (2,) before the player of `side`: `within_mm` inside the edge, at most `most_mm` from the middle."""
    return np.array(DIRECTIONS[side]) * min(table.edge_mm(side) - within_mm, most_mm)


def _talon(table: FilmTable) -> list[FilmCard]:
    """The cards of the talon that lie face down, the top one last."""
    return [card for card in table.lying if card.down and card.stays]


def _turn_up(
    table: FilmTable, side: str, top: FilmCard, card: str, place: Float64Array
) -> Iterator[FilmMoment]:
    """The hand of `side` turns up the `top` card of the talon, which is `card`, and lays it at `place` (mm)."""
    beyond, grip = table.beyond_mm(side), place + np.array(DIRECTIONS[side]) * CARD_MM[1] * 0.4
    yield from move_hand(side, beyond, grip, table.frames_of(0.45))
    table.pick_up([top])
    angle = SIDE_ANGLE[side] + table.rng.normal(0, 0.1)
    table.lay_down(FilmCard(card, place_card(place, angle), side))
    yield from move_hand(side, grip, beyond, table.frames_of(0.45))
