"""Nearly every test of the eyes opens the shipped networks. Each file is opened once for all of them.

To open the finder takes half a second. To look at a picture takes a tenth, and films have many that are alike or are
watched by several tests: each network looks at a picture once, as long as it is among the last ones.
"""

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from vision.reading import network

LAST = 256
"""So many pictures, or batches of them, are kept of each network, at 0.2 MB and less."""

_open = network.open_network


class Remembering:
    """The `session` of a network, which gives the same answer to the same input."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._answers = OrderedDict[bytes, list[np.ndarray]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def run(self, outputs: Sequence[str] | None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        key = blake2b(
            repr((outputs, [(name, one.shape, one.dtype) for name, one in inputs.items()])).encode()
        )
        for one in inputs.values():
            key.update(np.ascontiguousarray(one))
        found = self._answers.pop(key.digest(), None)
        if found is None:
            found = self._session.run(outputs, inputs)
        self._answers[key.digest()] = found
        if len(self._answers) > LAST:
            self._answers.popitem(last=False)
        return [one.copy() for one in found]


@cache
def _opened(path: Path, written_ns: int, threads: int) -> Any:
    return Remembering(_open(path, threads))


def open_network(path: Path, threads: int) -> Any:
    """The network in this file, as an earlier test has opened it."""
    return _opened(path, path.stat().st_mtime_ns, threads) if path.is_file() else _open(path, threads)


network.open_network = open_network
