"""When the finder must look: only after something has changed since its last look."""

import cv2
import numpy as np

from vision.arrays import BoolArray, Float32Array, UInt8Array
from vision.reading.finder import Finds, Found
from vision.reading.magnified import MagnifyingFinder, are_of_one_card, best_boxes

FAINTEST = 0.15
"""Score of the finder from which a box is followed at all. The identifier then says what it shows."""
CHANGED = 8.0
"""Difference in grey (0..255) of one pixel of the small picture from which something has changed there.

A pixel is the mean of 64 of a frame's, so that a camera's noise changes it by far less.
"""
LOOK_S = 0.5
"""Seconds after which the finder looks though nothing has changed: it may find what it missed."""
CAREFULLY_S = 2.0
"""Seconds from one careful look at a table at rest to the next, so that it costs no more than looks at whole frames."""


class Attention:
    """A finder that looks when something has changed. A table at rest it looks at more carefully, one view a frame.

    At rest it finds what `tarok look` finds. Where the table still looks as it did at rest, what was found there
    stays found. So a card that only a magnified view shows is kept while a hand moves elsewhere.
    """

    def __init__(self, finder: Finds, magnifying: MagnifyingFinder | None = None):
        """`finder` looks at whole frames, and `magnifying` at a table at rest; without one `finder` does both."""
        self._finder = finder
        self._magnifying = magnifying
        self._looked_at: Float32Array | None = None
        self._next_s = 0.0  # when to look though nothing has changed
        self._found: list[Found] = []
        # The table at rest: the boxes in the views seen so far; its picture and its cards once all views were seen.
        self._views: list[list[Found]] = []
        self._at_rest: tuple[Float32Array, list[Found]] | None = None

    def find(self, frame: UInt8Array, small: Float32Array, time_s: float) -> list[Found]:
        """The cards in `frame` (H, W, 3) uint8 BGR at `time_s`, in frame px, best first.

        `small` is the frame as a small grey picture, evened to one light (see `vision.watching.motion.Light`).
        """
        if self._looked_at is None or _changes(small, self._looked_at).any():
            self._look(frame, small, time_s)
        elif time_s >= self._next_s:
            if self._magnifying is None:
                self._look(frame, small, time_s)
            else:
                self._look_at_rest(self._magnifying, frame, small, time_s)
        return self._found

    def _look(self, frame: UInt8Array, small: Float32Array, time_s: float) -> None:
        """Look at the whole frame, and keep what was found at rest where nothing has changed since."""
        self._looked_at, self._views = small, []
        self._next_s = time_s + LOOK_S if self._magnifying is None else time_s
        kept = self._unchanged(frame, small)
        new = [
            box
            for box in self._finder.find(frame, FAINTEST)
            if not any(are_of_one_card(box, other) for other in kept)
        ]
        self._found = sorted(kept + new, key=lambda box: -box.score)

    def _look_at_rest(
        self, magnifying: MagnifyingFinder, frame: UInt8Array, small: Float32Array, time_s: float
    ) -> None:
        """Look at the next view. After the last one decide which boxes of all views are cards."""
        self._views.append(magnifying.propose_in(frame, len(self._views), FAINTEST))
        if len(self._views) == magnifying.views_of(frame):
            boxes = [box for view in self._views for box in view]
            self._found = best_boxes(magnifying.candidates(frame, boxes, FAINTEST))
            self._at_rest = small, self._found
            self._views, self._next_s = [], time_s + CAREFULLY_S

    def _unchanged(self, frame: UInt8Array, small: Float32Array) -> list[Found]:
        """The cards found at rest whose places still look as they did then."""
        if self._at_rest is None:
            return []
        before, boxes = self._at_rest
        changes, scale = _changes(small, before), np.float32(small.shape[1] / frame.shape[1])
        return [box for box in boxes if not _is_within(changes, box.corners_px * scale)]


def _changes(now: Float32Array, before: Float32Array) -> BoolArray:
    """Where one small picture differs from another, (H, W) bool."""
    if now.shape != before.shape:
        return np.ones(now.shape, np.bool_)
    return np.asarray(np.abs(now - before) > CHANGED)


def _is_within(changes: BoolArray, corners: Float32Array) -> bool:
    """Whether something changed within the box at `corners` (4, 2), in px of the small picture."""
    box = np.zeros(changes.shape, np.uint8)
    cv2.fillConvexPoly(box, np.round(corners).astype(np.int32), 1)
    return bool(changes[box > 0].any())
