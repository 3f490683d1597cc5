"""When the finder must look: a table on which nothing has changed since its last look shows what it showed then."""

import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.reading.finder import Finds, Found

FAINTEST = 0.15
"""Score of the finder from which a box is followed at all; what it shows is for the identifier to say."""
CHANGED = 8.0
"""Difference in grey (0..255) of one pixel of the small picture from which something has changed there.

A pixel is the mean of 64 of a frame's, so that a camera's noise changes it by far less.
"""
LOOK_S = 0.5
"""Seconds after which the finder looks though nothing has changed: what it misses once it may find the next time."""


class Attention:
    """A finder that looks only when something has changed; until then it tells what it found last."""

    def __init__(self, finder: Finds):
        self._finder = finder
        self._looked_at: Float32Array | None = None
        self._looked_s = 0.0
        self._found: list[Found] = []

    def find(self, frame: UInt8Array, small: Float32Array, time_s: float) -> list[Found]:
        """The cards in `frame` (H, W, 3) uint8 BGR at `time_s`, in frame px, best first.

        `small` is the frame as a small grey picture, evened to one light (see `vision.watching.motion.Light`).
        """
        if self._looked_at is None or time_s - self._looked_s >= LOOK_S or _differs(small, self._looked_at):
            self._looked_at, self._looked_s = small, time_s
            self._found = self._finder.find(frame, FAINTEST)
        return self._found


def _differs(now: Float32Array, before: Float32Array) -> bool:
    return now.shape != before.shape or bool((np.abs(now - before) > CHANGED).any())
