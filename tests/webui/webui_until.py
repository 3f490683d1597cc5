"""Waiting for what another thread or program does."""

import time
from collections.abc import Callable


def until(so: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until it is `so`: a busy machine may need seconds, to open a camera for one."""
    end_s = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end_s
        time.sleep(0.01)
