"""Array types of the eyes, whose shapes are in the docstrings that use them; and the random generator of drawings."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

UInt8Array = npt.NDArray[np.uint8]
"""Pictures: (H, W, 3) BGR or (H, W, 4) BGRA."""

Float32Array = npt.NDArray[np.float32]
"""Points, corners, probabilities."""

Float64Array = npt.NDArray[np.float64]
"""Homographies."""

BoolArray = npt.NDArray[np.bool_]
"""Masks."""

Rng = np.random.Generator
"""The random number generator that drawing functions take."""

T = TypeVar("T")


def one_of(rng: Rng, things: Sequence[T]) -> T:
    """One of the `things`, each as likely as the others."""
    return things[int(rng.integers(len(things)))]
