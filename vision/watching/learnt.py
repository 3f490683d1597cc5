"""What the set-up learnt of the table: seats, the size of cards, and backs. The reader of plays begins with it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final

import cv2
import numpy as np

from vision.arrays import UInt8Array
from vision.picture import DIRECTIONS
from vision.watching.likeness import BACK_PX, is_plain, likeness

SAME_BACK: Final = 0.75
"""Correlation with a learnt back from which a card looks like that back.

Of 100 invented backs, each in another light and moved by a hundredth, 54 % reach it. Of 23 faces of the drawn deck
none does: `python -m pytest tests/vision/test_learnt_table.py -k share -s`. Other backs are told by the finder alone.
"""
_SAME_COLOUR: Final = 25.0
"""Difference in a colour (0..255) below which two plain backs are of one pack."""


@dataclass(frozen=True)
class LearntTable:
    """What the set-up learnt; empty where every step was skipped.

    - `laid`: where in the picture each player laid a card, (x, y) as shares (0..1) of the picture's width and height.
    - `card_px`: the height of a card in a picture `of_px` wide; 0 if unknown.
    - `backs`: the backs of the packs in play, (BACK_PX, BACK_PX, 3) uint8 BGR.
    """

    laid: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    card_px: float = 0.0
    of_px: int = 0
    backs: tuple[UInt8Array, ...] = ()

    def height_px(self, width_px: int) -> float:
        """The height of a card in a picture `width_px` wide; 0 if unknown."""
        return self.card_px * width_px / self.of_px if self.of_px else 0.0

    def with_back(self, back: UInt8Array) -> "LearntTable":
        """This with another pack's `back`, (BACK_PX, BACK_PX, 3), unless it is known.

        A plain back is known by its colour. The reader makes no use of it, because a cloth may be as plain.
        """
        if is_plain(back):
            known = any(is_plain(one) and _is_of_one_colour(one, back) for one in self.backs)
        else:
            known = is_learnt_back(back, self.backs)
        return self if known else replace(self, backs=(*self.backs, back))


NOTHING_LEARNT: Final = LearntTable()
"""Every step of the set-up was skipped."""


class BacksInView:
    """The backs of the packs in play: those that the set-up learnt, and those that the cards themselves show.

    All backs of a pack are alike. So a back is learnt from two places that surely show a card face down and look
    alike, as two players' piles do. One card alone may be a face that is taken for a back.
    """

    def __init__(self, learnt: Sequence[UInt8Array] = ()):
        """`learnt` are those that the set-up learnt."""
        self._table = LearntTable(backs=tuple(learnt))

    @property
    def backs(self) -> tuple[UInt8Array, ...]:
        """Each back known so far, (BACK_PX, BACK_PX, 3) uint8 BGR."""
        return self._table.backs

    def learn(self, face_down: Sequence[UInt8Array]) -> bool:
        """Learn from pictures of cards that lie apart and surely face down; returns whether a new back was learnt."""
        before = len(self.backs)
        for at, back in enumerate(face_down):
            if is_learnt_back(back, face_down[at + 1 :]):
                self._table = self._table.with_back(back)
        return len(self.backs) > before


def is_learnt_back(card: UInt8Array, backs: Sequence[UInt8Array]) -> bool:
    """Whether `card`, (N, N, 3) uint8 BGR, looks like one of `backs`, either way up and in any light."""
    return like_learnt_back(card, backs) >= SAME_BACK


def like_learnt_back(card: UInt8Array, backs: Sequence[UInt8Array]) -> float:
    """How much `card`, (N, N, 3) uint8 BGR, looks like one of `backs` (0..1), either way up and in any light."""
    return max([0.0, *(likeness(card, back) for back in backs if not is_plain(back))])


def _is_of_one_colour(one: UInt8Array, other: UInt8Array) -> bool:
    return float(np.abs(one.mean((0, 1)) - other.mean((0, 1))).max()) < _SAME_COLOUR


def sides_of(laid: Mapping[str, tuple[float, float]], *, alone: bool = False) -> dict[str, str]:
    """The side of the picture (S, E, N, W) of each player, in order of play from the one nearest to S.

    `laid` has where each laid a card, as in `LearntTable`. Players get the sides that fit best together; at a table
    of five, two share a side. With `alone` these are not all players, so the middle of the picture, and not that of
    their cards, stands for the middle of the table.
    """
    shape = np.array((16, 9))  # cameras' pictures are about so wide
    points = {name: np.array(at) * shape for name, at in laid.items()}
    if not points:
        return {}
    corners = np.array(list(points.values()))
    middle = (corners.min(0) + corners.max(0)) / 2 if not alone else shape / 2
    ways = {
        name: (at - middle) / max(float(np.linalg.norm(at - middle)), 1e-6) for name, at in points.items()
    }
    most = 2 if len(points) > 4 else 1

    def fit(seating: Iterable[str]) -> float:
        chosen = tuple(seating)
        if any(chosen.count(side) > most for side in DIRECTIONS):
            return -np.inf
        return sum(float(ways[name] @ DIRECTIONS[side]) for name, side in zip(ways, chosen, strict=True))

    seatings: list[tuple[str, ...]] = list(product("SENW", repeat=len(ways)))
    sides = dict(zip(ways, max(seatings, key=fit), strict=True))

    def place(name: str) -> tuple[int, float]:
        """Counter-clockwise from S: the side, then the angle from the middle of that side."""
        side, way = DIRECTIONS[sides[name]], ways[name]
        return list(DIRECTIONS).index(sides[name]), float(way[0] * side[1] - way[1] * side[0])

    return {name: sides[name] for name in sorted(sides, key=place)}


def back_as_png(back: UInt8Array) -> bytes:
    """A back, (BACK_PX, BACK_PX, 3) uint8 BGR, as a PNG file."""
    return cv2.imencode(".png", back)[1].tobytes()


def back_of_png(data: bytes) -> UInt8Array:
    """The back that `back_as_png` wrote. Raises ValueError for anything else."""
    try:
        back = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        back = None
    if back is None or back.shape != (BACK_PX, BACK_PX, 3):
        raise ValueError("not the picture of a back")
    return back.astype(np.uint8)
