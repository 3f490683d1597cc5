"""News of the table: a lock to change it under, and a version to wait for."""

import threading
import time


class Changes:
    """The lock of the table, and the `version` of what is shown of it; `leaving`: the program ends.

    `with changes:` holds the lock, which the same thread may take again.
    """

    def __init__(self) -> None:
        self._lock = threading.Condition(threading.RLock())
        # From the clock: a page kept open over a restart must not take the new state for one it has.
        self.version = time.time_ns() // 1_000_000
        self.leaving = False

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def tell(self) -> None:
        """Something that the page shows has changed."""
        with self._lock:
            self.version += 1
            self._lock.notify_all()

    def leave(self) -> None:
        """The program ends: wake everybody who waits for news."""
        with self._lock:
            self.leaving = True
            self.tell()

    def wait(self, version: int, timeout_s: float) -> bool:
        """Wait until it is no longer at `version`; False after `timeout_s`."""
        with self._lock:
            return self._lock.wait_for(lambda: self.version != version, timeout_s)
