"""News of the table: a lock for those who change it, and a version for those who wait."""

import threading
import time


class Changes:
    """The lock of the table, and the `version` of what is shown. `leaving`: the program ends.

    `with changes:` holds the lock, which the same thread may take again.
    """

    def __init__(self) -> None:
        self._lock = threading.Condition(threading.RLock())
        # From the clock, so that a page left open over a restart sees that the state is new.
        self.version = time.time_ns() // 1_000_000
        self.leaving = False

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def tell(self) -> None:
        """Tell all who wait that something which the page shows has changed."""
        with self._lock:
            self.version += 1
            self._lock.notify_all()

    def leave(self) -> None:
        """Wake all who wait, because the program ends."""
        with self._lock:
            self.leaving = True
            self.tell()

    def wait(self, version: int, timeout_s: float) -> bool:
        """Wait until the version is no longer `version`; False after `timeout_s`."""
        with self._lock:
            return self._lock.wait_for(lambda: self.version != version, timeout_s)
