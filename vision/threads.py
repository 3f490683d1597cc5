"""How many processor threads the models run on."""

import os
from typing import Final

_MOST: Final = 4
"""Threads beyond which the models, small as they are, get no faster."""


def helping_threads() -> int:
    """As many threads as help: one for each core that this process may use, up to four."""
    # Python 3.13 has this as os.process_cpu_count.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(_MOST, cores))
