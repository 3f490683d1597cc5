"""A second, magnified look at a large picture, for cards that are too small for the finder in the whole of it."""

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.picture import overlap
from vision.reading.finder import Finder, Found

PIECE = 0.6
"""Share of the picture's sides in each of four pieces. They overlap, so that no card is cut by all of them."""
SAME_CARD = 0.35
"""IoU from which two boxes are one card: less than two cards side by side ever have."""
PART = 0.85
"""Share of a box that lies in a larger one, from which it is part of that card."""
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
    shared = float(cv2.intersectConvexConvex(box.corners_px, better.corners_px)[0])
    area, larger = _area(box.corners_px), _area(better.corners_px)
    return overlap(box.corners_px, better.corners_px) > SAME_CARD or (area < larger and shared > PART * area)


def _area(corners_px: Float32Array) -> float:
    return max(float(cv2.contourArea(corners_px)), 1.0)
