"""The corner network: a card's corners in the full-resolution frame, and which side is up."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.picture import overlap
from vision.reading.cutouts import CARD_SIDES, cut, moved_corners
from vision.reading.network import as_input, open_network, shipped_network

PASSES = 2
"""Passes of a first look: the second starts from the corners found by the first."""


@dataclass(frozen=True)
class CloseLook:
    """A card seen close up: its corners (4, 2) px in the order of the rough ones.

    `spread` (4,) is the expected error of each corner: the width of a Laplace distribution, in card heights.
    `sides` (3,) are the probabilities of `CARD_SIDES`: face, back, none.
    """

    corners_px: Float32Array
    spread: Float32Array
    sides: Float32Array

    def is_of(self, box_px: Float32Array) -> bool:
        """Whether a card was seen, and it is the one in the finder's box (4, 2) px."""
        return float(self.sides[2]) < 0.5 and overlap(self.corners_px, box_px) > 0.4


class LooksClosely(Protocol):
    """What finds a card's corners and its side: a `CornerFinder`, or something built on one."""

    def close_looks(
        self, frame: UInt8Array, rough_px: Sequence[Float32Array], passes: int = PASSES
    ) -> list[CloseLook]:
        """A close look at each card at `rough_px` (4, 2), a short side first, in `frame` (H, W, 3) uint8 BGR.

        Each pass starts from the corners that the pass before found.
        """
        ...


class CornerFinder:
    """The corner network: rough corners in, corners and sides out."""

    def __init__(self, path: Path | None = None, threads: int = 1):
        """Load `path` (default: the shipped weights); raises `VisionError` when it cannot be run."""
        self._session = open_network(path or shipped_network("corners"), threads)
        self._name = self._session.get_inputs()[0].name

    def close_looks(
        self, frame: UInt8Array, rough_px: Sequence[Float32Array], passes: int = PASSES
    ) -> list[CloseLook]:
        """As `LooksClosely` says."""
        corners = [np.asarray(rough, np.float32) for rough in rough_px]
        rows = np.zeros((0, 12 + len(CARD_SIDES)), np.float32)
        for _ in range(passes if corners else 0):
            pictures = as_input([cut(frame, c) for c in corners])
            rows = self._session.run(None, {self._name: pictures})[0]
            corners = [
                moved_corners(rough, row[:8].reshape(4, 2)) for rough, row in zip(corners, rows, strict=True)
            ]
        return [
            CloseLook(found, np.exp(np.clip(row[8:12], -7, 1)), _softmax(row[12:]))
            for found, row in zip(corners, rows, strict=True)
        ]


def _softmax(logits: Float32Array) -> Float32Array:
    p = np.exp(logits - logits.max())
    return np.asarray(p / p.sum(), np.float32)
