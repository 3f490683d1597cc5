"""A careful look at one picture: magnified, for cards too small for the finder, and with the close look's doubts."""

from dataclasses import replace

import numpy as np

from vision.arrays import UInt8Array
from vision.picture import overlap
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder, Found, is_part

PIECE = 0.6
"""Share of the picture's sides in each of four pieces. They overlap, so that no card is cut by all of them."""
SAME_CARD = 0.5
"""IoU from which two boxes are one card: two cards of a row, of which the lower shows 35 %, have 0.48."""
RIM_PX = 3
"""A box nearer than this to where a piece was cut is of half a card."""
DOUBT = 0.2
"""The close look's probability of no card from which the odds of a face fall, in inverse proportion to it.

A box across two cards is doubted more than a card. Where the close look sees a card the score stays as it is: it sees
one in a score sheet's column, too.
"""


class MagnifyingFinder:
    """A finder that looks at the whole picture, then at four pieces of it. It takes five times as long.

    A box across two cards of a row often scores more than either card. So each box is looked at closely before
    those that are of one card are told: of them the best stays.
    """

    def __init__(self, finder: Finder, close: CornerFinder):
        """`finder` looks at the whole picture and at each piece, `close` at each box."""
        self._finder = finder
        self._close = close

    def find(self, frame: UInt8Array, least_score: float = 0.35) -> list[Found]:
        """Cards in `frame` (H, W, 3) uint8 BGR, in frame px, best first, each card once.

        A frame that is no larger than the finder's input is looked at once. Scores are the finder's, less where
        the close look doubts that there is a card.
        """
        found = self._finder.find(frame, least_score)
        if max(frame.shape[:2]) > max(self._finder.size):
            for x in (0.0, 1 - PIECE):
                for y in (0.0, 1 - PIECE):
                    found += self._find_in_piece(frame, x, y, least_score)
        kept: list[Found] = []
        for box in sorted(self._doubted(frame, found), key=lambda box: -box.score):
            if box.score >= least_score and not any(_is_same_card(box, other) for other in kept):
                kept.append(box)
        return kept

    def _doubted(self, frame: UInt8Array, found: list[Found]) -> list[Found]:
        """The faces `found` with what the close look doubts taken off their scores; backs as they are."""
        faces = [box for box in found if box.face]
        looks = self._close.look(frame, [box.corners_px for box in faces])
        doubted = [
            replace(box, score=doubted_score(box.score, float(look.sides[2])))
            for box, look in zip(faces, looks, strict=True)
        ]
        return doubted + [box for box in found if not box.face]

    def _find_in_piece(self, frame: UInt8Array, x: float, y: float, least_score: float) -> list[Found]:
        """Cards in the piece whose upper left corner is at the shares `x` and `y` of the frame's sides."""
        high, wide = frame.shape[:2]
        x0, y0, x1, y1 = (round(v) for v in (x * wide, y * high, (x + PIECE) * wide, (y + PIECE) * high))
        corner = np.array([x0, y0], np.float32)
        found = [
            Found(box.corners_px + corner, box.face, box.score)
            for box in self._finder.find(frame[y0:y1, x0:x1], least_score)
        ]
        low = np.array([x0 + RIM_PX if x0 else -np.inf, y0 + RIM_PX if y0 else -np.inf])
        most = np.array([x1 - RIM_PX if x1 < wide else np.inf, y1 - RIM_PX if y1 < high else np.inf])
        return [box for box in found if ((low <= box.corners_px) & (box.corners_px <= most)).all()]


def doubted_score(score: float, none: float) -> float:
    """The score (0..1) of a face with the finder's `score`, which the close look takes for no card by `none` (0..1)."""
    share = DOUBT / max(DOUBT, none)
    return score * share / (1 - score + score * share)


def _is_same_card(box: Found, better: Found) -> bool:
    """Whether a box is of the card of a `better` one: in nearly its place, or one is a part of the other.

    All cards of a table are of one size, so what holds a whole card is no other card.
    """
    a, b = box.corners_px, better.corners_px
    return overlap(a, b) > SAME_CARD or is_part(a, b) or is_part(b, a)
