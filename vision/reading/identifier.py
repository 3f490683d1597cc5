"""The identifier: which card a crop shows."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float32Array, UInt8Array
from vision.picture import CROP_CORNERS_PX, NOT_A_CARD, aside, rectify
from vision.reading.network import as_input, open_network
from vision.reading.views import views
from vision.resources import models_dir

CLASSES = (*CARDS, NOT_A_CARD)
"""The identifier's classes, in the order of its output."""
NONE = CLASSES.index(NOT_A_CARD)
"""The place of no card among the `CLASSES`."""

UNSURE = 0.9
"""Probability of its likeliest card below which a crop is read again, cut out a little differently."""
ASIDE = ((0.02, 0.0, 1.02), (-0.02, 0.012, 0.98), (0.0, -0.015, 1.03), (0.01, 0.015, 0.97))
"""The other ways to cut out a card: its shift right and down, as shares of its sides, and the scale."""


class Identifier:
    """The classifier: crops in, a probability for each of `CLASSES` out."""

    def __init__(self, path: Path | None = None, threads: int = 1):
        """Load `path` (default: the shipped weights); raises `VisionError` when it cannot be run."""
        self._session = open_network(path or models_dir() / "identifier.onnx", threads)
        self._name = self._session.get_inputs()[0].name
        self._probabilities = self._session.get_outputs()[0].name

    def classify(self, crops: Sequence[UInt8Array]) -> Float32Array:
        """Probabilities (N, 79) float32 of `CLASSES` for N square crops, uint8 BGR, of `CROP_PX` px."""
        if not crops:
            return np.zeros((0, len(CLASSES)), np.float32)
        pictures = as_input([views(crop) for crop in crops])
        return np.asarray(self._session.run([self._probabilities], {self._name: pictures})[0])

    def classify_both_ways(self, crops: Sequence[UInt8Array]) -> Float32Array:
        """Probabilities (N, 79) of N crops, each read both ways up.

        An unsure crop is read once more for each of `ASIDE`, and all its readings count alike. A blurred or covered
        index may be misread at one place of the network's grid, but seldom at five.
        """
        readings = self.classify(both_ways(crops)).reshape(len(crops), 2, len(CLASSES))
        merged = _agreed(readings)
        unsure = np.flatnonzero(merged.max(1, initial=0.0) < UNSURE)
        if len(unsure):
            again = [rectify(crops[int(i)], aside(CROP_CORNERS_PX, *off)) for i in unsure for off in ASIDE]
            more = self.classify(both_ways(again)).reshape(len(unsure), 2 * len(ASIDE), len(CLASSES))
            merged[unsure] = _agreed(np.concatenate([readings[unsure], more], axis=1))
        return merged

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of `CLASSES` for N cards at `corners_px`, each (4, 2), in `frame` (H, W, 3) BGR."""
        return self.classify_both_ways([rectify(frame, corners) for corners in corners_px])


def _agreed(probabilities: Float32Array) -> Float32Array:
    """The geometric mean (N, 79), with sum 1, of K readings (N, K, 79) of N crops."""
    logs = np.log(np.maximum(probabilities, 1e-6)).mean(1)
    merged = np.exp(logs - logs.max(1, keepdims=True, initial=-100.0))
    return np.asarray(merged / merged.sum(1, keepdims=True), np.float32)


def both_ways(crops: Sequence[UInt8Array]) -> list[UInt8Array]:
    """Each crop followed by itself upside down: a card has no upper end."""
    return [way for crop in crops for way in (crop, np.ascontiguousarray(crop[::-1, ::-1]))]
