"""A second, magnified look at a large picture, for cards that are too small for the finder in the whole of it."""

import numpy as np

from vision.arrays import UInt8Array
from vision.picture import overlap
from vision.reading.finder import Finder, Found, is_part

PIECE = 0.6
"""Share of the picture's sides in each of four pieces. They overlap, so that no card is cut by all of them."""
SAME_CARD = 0.35
"""IoU from which two boxes are one card: less than two cards side by side ever have."""
RIM_PX = 3
"""A box nearer than this to where a piece was cut is of half a card."""


class MagnifyingFinder:
    """A finder that looks at the whole picture, then at four pieces of it. It takes five times as long."""

    def __init__(self, finder: Finder):
        """`finder` looks at the whole picture and at each piece."""
        self._finder = finder

    def find(self, frame: UInt8Array, least_score: float = 0.35) -> list[Found]:
        """Cards in `frame` (H, W, 3) uint8 BGR, in frame px, best first, each card once.

        A frame that is no larger than the finder's input is looked at once.
        """
        found = self._finder.find(frame, least_score)
        if max(frame.shape[:2]) > max(self._finder.size):
            for x in (0.0, 1 - PIECE):
                for y in (0.0, 1 - PIECE):
                    found += self._find_in_piece(frame, x, y, least_score)
        kept: list[Found] = []
        for box in sorted(found, key=lambda box: -box.score):
            if not any(_is_same_card(box, other) for other in kept):
                kept.append(box)
        return kept

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


def _is_same_card(box: Found, better: Found) -> bool:
    return overlap(box.corners_px, better.corners_px) > SAME_CARD or is_part(
        box.corners_px, better.corners_px
    )
