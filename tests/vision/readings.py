"""What an identifier may say of a card: its rows of probabilities, by class."""

from collections.abc import Mapping, Sequence

import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.reading.identifier import CLASSES


def row_of(chances: Mapping[str, float]) -> Float32Array:
    """The row (79,) of a card that reads as `chances`; what is left goes evenly to the other classes."""
    rest = (1 - sum(chances.values())) / (len(CLASSES) - len(chances))
    return np.array([chances.get(name, rest) for name in CLASSES], np.float32)


def unsure(rows: Float32Array) -> Float32Array:
    """`rows` (N, 79) of one who is never sure: the next card in the pack is always likely, too."""
    return (0.6 * rows + 0.4 * np.roll(rows, 1, axis=1)).astype(np.float32)


class Guesses:
    """An identifier that reads every card alike: it takes the numerals or words on a back for a card's name."""

    def __init__(self, **chances: float) -> None:
        self._row = row_of(chances)

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        return np.stack([self._row] * len(corners_px))
