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
ENLARGED = ((0.65, False), (0.65, True), (0.5, False), (0.5, True))
"""The corners of an unsure card that are looked at larger: the share of an end, and whether it is at the right."""


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
        return self._read([views(crop) for crop in crops])

    def _read(self, pictures: Sequence[UInt8Array]) -> Float32Array:
        return np.asarray(self._session.run([self._probabilities], {self._name: as_input(pictures)})[0])

    def classify_both_ways(self, crops: Sequence[UInt8Array]) -> Float32Array:
        """Probabilities (N, 79) of N crops, each read both ways up.

        An unsure crop is read again. Cut out in the ways of `ASIDE`: a blurred or covered index may be misread at one
        place of the network's grid, but seldom at five. And with its corners `ENLARGED`: a small numeral is read there.
        """
        readings = self.classify(both_ways(crops)).reshape(len(crops), 2, len(CLASSES))
        merged = _agreed(readings)
        unsure = np.flatnonzero(merged.max(1, initial=0.0) < UNSURE)
        if len(unsure):
            again = [rectify(crops[int(i)], aside(CROP_CORNERS_PX, *off)) for i in unsure for off in ASIDE]
            more = self.classify(both_ways(again)).reshape(len(unsure), 2 * len(ASIDE), len(CLASSES))
            large = [views(crops[int(i)], share, at_right=right) for i in unsure for share, right in ENLARGED]
            corners = self._read(large).reshape(len(unsure), len(ENLARGED), len(CLASSES))
            merged[unsure] = _agreed(np.concatenate([readings[unsure], more, corners], axis=1))
        return merged

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of `CLASSES` for N cards at `corners_px`, each (4, 2), in `frame` (H, W, 3) BGR."""
        return self.classify_both_ways([rectify(frame, corners) for corners in corners_px])


def _agreed(probabilities: Float32Array) -> Float32Array:
    """What K readings (N, K, 79) of N crops come to: their geometric mean (N, 79), with sum 1.

    A reading counts with the square of its likeliest probability: one that sees nothing takes nothing from the others.
    """
    worth = probabilities.max(2, keepdims=True, initial=1e-6) ** 2
    logs = (np.log(np.maximum(probabilities, 1e-6)) * worth).sum(1) / worth.sum(1)
    merged = np.exp(logs - logs.max(1, keepdims=True, initial=-100.0))
    return np.asarray(merged / merged.sum(1, keepdims=True), np.float32)


def both_ways(crops: Sequence[UInt8Array]) -> list[UInt8Array]:
    """Each crop followed by itself upside down: a card has no upper end."""
    return [way for crop in crops for way in (crop, np.ascontiguousarray(crop[::-1, ::-1]))]
