"""Nearly every test of the eyes opens the shipped networks. Each file is opened once for all of them.

To open the finder takes half a second.
"""

from functools import cache
from pathlib import Path
from typing import Any

from vision.reading import network

_open = network.open_network


@cache
def _opened(path: Path, written_ns: int, threads: int) -> Any:
    return _open(path, threads)


def open_network(path: Path, threads: int) -> Any:
    """The network in this file, as an earlier test has opened it."""
    return _opened(path, path.stat().st_mtime_ns, threads) if path.is_file() else _open(path, threads)


network.open_network = open_network
