"""What is filmed where chips change hands between plays: they go into two pots, to players, or among the cards.

Lengths on the table are mm, times s.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Rng, UInt8Array, one_of
from vision.decks import Sprite
from vision.lab.rendering.film_table import FilmCard, FilmMoment, FilmTable
from vision.lab.rendering.footage import FilmedPlay, FilmedStep, Script, move_hand, nothing_moves
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.props import random_color
from vision.picture import DIRECTIONS

_POTS_MM = ((165.0, -45.0), (165.0, 45.0))
"""Where the two pots stand, right of the cards or, with a minus sign, left of them."""
_CHIP_PX = 160


@dataclass(frozen=True)
class FilmedPayment:
    """Payment `number` of the film: chips go into a pot, among the cards, or to a player; or one takes all of them."""

    number: int
    cards: tuple[()] = ()
    taken_by: None = None
    parts: tuple[()] = ()

    def moments(self, table: FilmTable, rested: dict[int, int], number: int) -> Iterator[FilmMoment]:
        """As `FilmedStep` says."""
        looks = np.random.default_rng((table.seed, 13))
        kinds, size_mm = [_chip(looks) for _ in range(3)], float(looks.uniform(33, 42))
        left = looks.choice([-1, 1])
        rng = np.random.default_rng((table.seed, 13, self.number))
        payer, payee = (str(side) for side in rng.choice(list("SENW"), 2, replace=False))
        kind = rng.choice(["pot", "middle", "player", "all"], p=[0.5, 0.15, 0.25, 0.1])
        there = [card for card in table.lying if card.card in table.chips]
        if kind == "all" and there:
            yield from _take(table, payer, there)
        else:
            place = {
                "middle": np.zeros(2),
                "player": np.array(DIRECTIONS[payee]) * 120,
            }.get(str(kind), np.array(one_of(rng, _POTS_MM)) * (left, 1))
            chips: list[FilmCard] = []
            for at in place + rng.normal(0, 45 if kind == "middle" else 13, (rng.integers(1, 5), 2)):
                name = f"chip {self.number} {len(chips)}"
                table.chips[name] = one_of(rng, kinds)
                corners_mm = place_card(at, rng.uniform(-np.pi, np.pi), (size_mm, size_mm))
                chips.append(FilmCard(name, corners_mm, "", stays=True))
            yield from _lay(table, payer, chips, rng.uniform(0.4, 0.8))
            if kind == "player":
                yield from nothing_moves(table, rng.uniform(0.2, 1.0))
                yield from _take(table, payee, chips)
        rested[number] = table.count


def with_payments(script: Script, seed: int) -> list[FilmedPlay | FilmedStep]:
    """`script` with payments, drawn from `seed`: after every second play."""
    rng, paid = np.random.default_rng((seed, 13, 0)), list[FilmedPlay | FilmedStep]()
    for number, step in enumerate(script, start=1):
        paid.append(step)
        if isinstance(step, FilmedPlay) and not step.with_next and rng.random() < 0.5:
            paid.append(FilmedPayment(number))
    return paid


def _lay(table: FilmTable, side: str, chips: Sequence[FilmCard], reach_s: float) -> Iterator[FilmMoment]:
    """The hand of `side` brings `chips` to their places, and leaves."""
    beyond, steps = table.beyond_mm(side), table.frames_of(reach_s)
    grip = np.mean([chip.corners_mm.mean(0) for chip in chips], axis=0) + np.array(DIRECTIONS[side]) * 20
    for k in range(1, steps + 1):
        yield _held(side, chips, grip, (beyond - grip) * (1 - k / steps))
    for chip in chips:
        table.lay_down(chip)
    yield from move_hand(side, grip, beyond, table.frames_of(0.4))


def _take(table: FilmTable, side: str, chips: Sequence[FilmCard]) -> Iterator[FilmMoment]:
    """The hand of `side` draws `chips` in."""
    beyond, steps = table.beyond_mm(side), table.frames_of(0.6)
    grip = np.mean([chip.corners_mm.mean(0) for chip in chips], axis=0) + np.array(DIRECTIONS[side]) * 20
    yield from move_hand(side, beyond, grip, table.frames_of(0.5))
    table.pick_up(chips)
    for k in range(1, steps + 1):
        yield _held(side, chips, grip, (beyond - grip) * k / steps)


def _held(side: str, chips: Sequence[FilmCard], grip: np.ndarray, way: np.ndarray) -> FilmMoment:
    """The hand of `side` holds `chips`, all `way` (2,) mm from their places."""
    moved = tuple(replace(c, corners_mm=(c.corners_mm + way).astype(np.float32)) for c in chips)
    return FilmMoment(moved, {side: grip + way})


def _chip(rng: Rng) -> Sprite:
    """A round chip with stripes at its rim, seen from above."""
    art: UInt8Array = np.zeros((_CHIP_PX, _CHIP_PX, 3), np.uint8)
    mask: UInt8Array = np.zeros((_CHIP_PX, _CHIP_PX), np.uint8)
    middle, radius, stripes = (_CHIP_PX // 2, _CHIP_PX // 2), _CHIP_PX // 2 - 1, int(rng.choice((4, 6, 8)))
    cv2.circle(mask, middle, radius, 255, -1, cv2.LINE_AA)
    cv2.circle(art, middle, radius, random_color(rng), -1, cv2.LINE_AA)
    pale, axes = random_color(rng, 180), (round(radius * 0.88), round(radius * 0.88))
    for angle in np.arange(stripes) * 360 / stripes:
        cv2.ellipse(art, middle, axes, float(angle), 0, 150 / stripes, pale, round(radius * 0.24))
    cv2.circle(art, middle, round(radius * 0.62), pale, 2, cv2.LINE_AA)
    text = str(rng.choice(("", "1", "5", "10", "25")))
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.6, 3)
    spot = (middle[0] - wide // 2, middle[1] + high // 2)
    cv2.putText(art, text, spot, cv2.FONT_HERSHEY_DUPLEX, 1.6, pale, 3, cv2.LINE_AA)
    return (cv2.merge([art, mask]).astype(np.uint8),)
