"""The print network: how alike two crops are as pictures of one printed card."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.reading.identifier import both_ways
from vision.reading.network import as_input, open_network
from vision.reading.views import views
from vision.resources import models_dir

EMBEDDING = 1536
"""How many numbers an embedding has."""
_BATCH = 32


class Prints:
    """Crops in, an embedding of each out; the dot product of two embeddings (-1..1) is how alike the crops are."""

    def __init__(self, path: Path | None = None, threads: int = 1):
        """Load `path` (default: the shipped weights); raises `VisionError` when it cannot be run."""
        self._session = open_network(path or models_dir() / "prints.onnx", threads)
        self._name = self._session.get_inputs()[0].name

    def embed(self, crops: Sequence[UInt8Array]) -> Float32Array:
        """Unit vectors (N, EMBEDDING) of N square BGR crops of `CROP_PX` px, each as it lies."""
        rows = [np.zeros((0, EMBEDDING), np.float32)]
        for first in range(0, len(crops), _BATCH):
            pictures = as_input([views(crop) for crop in crops[first : first + _BATCH]])
            rows.append(self._session.run(None, {self._name: pictures})[0])
        return np.concatenate(rows)

    def embed_both_ways(self, crops: Sequence[UInt8Array]) -> Float32Array:
        """Unit vectors (N, 2, EMBEDDING) of N crops, each as it lies and upside down."""
        return self.embed(both_ways(crops)).reshape(len(crops), 2, EMBEDDING)
