"""The corner network: a card's corners in the full-resolution frame, and which side is up."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.reading.cutouts import CARD_SIDES, cut, moved_corners
from vision.reading.edges import refine_corners
from vision.reading.network import as_input, open_network
from vision.resources import models_dir

PASSES = 2
"""The second pass starts from the corners found by the first."""
EDGE_REACH = 0.05
"""How far from those corners edges are looked for, as a share of the card's height."""
ON_EDGES = 0.006
"""Spread of a corner both of whose sides were seen."""


@dataclass(frozen=True)
class CloseLook:
    """A card seen close up: its corners (4, 2) px in the order of the rough ones.

    `spread` (4,) is the expected error of each corner: the width of a Laplace distribution, in card heights.
    `sides` (3,) are the probabilities of `CARD_SIDES`: face, back, none.
    """

    corners_px: Float32Array
    spread: Float32Array
    sides: Float32Array


class CornerFinder:
    """The corner network: rough corners in, corners and sides out."""

    def __init__(self, path: Path | None = None, threads: int = 1):
        """Load `path` (default: the shipped weights); raises `VisionError` when it cannot be run."""
        self._session = open_network(path or models_dir() / "corners.onnx", threads)
        self._name = self._session.get_inputs()[0].name

    def look(self, frame: UInt8Array, rough_px: Sequence[Float32Array]) -> list[CloseLook]:
        """Look at each card at `rough_px` (4, 2), a short side first, in `frame` (H, W, 3) uint8 BGR."""
        corners = [np.asarray(rough, np.float32) for rough in rough_px]
        rows = np.zeros((0, 12 + len(CARD_SIDES)), np.float32)
        for _ in range(PASSES if corners else 0):
            pictures = as_input([cut(frame, c) for c in corners])
            rows = self._session.run(None, {self._name: pictures})[0]
            corners = [
                moved_corners(rough, row[:8].reshape(4, 2)) for rough, row in zip(corners, rows, strict=True)
            ]
        return [_closer(frame, found, row) for found, row in zip(corners, rows, strict=True)]


def _closer(frame: UInt8Array, corners_px: Float32Array, row: Float32Array) -> CloseLook:
    """The network's `row` (15,) as a `CloseLook`, the corners pulled onto the edges that can be seen."""
    spread = np.exp(np.clip(row[8:12], -7, 1))
    on_edges, seen = refine_corners(frame, corners_px, EDGE_REACH)
    both = seen & np.roll(seen, 1)
    return CloseLook(on_edges, np.where(both, np.minimum(spread, ON_EDGES), spread), _softmax(row[12:]))


def _softmax(logits: Float32Array) -> Float32Array:
    p = np.exp(logits - logits.max())
    return np.asarray(p / p.sum(), np.float32)
