"""Array types of the eyes; the shapes are in the docstrings that use them."""

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
