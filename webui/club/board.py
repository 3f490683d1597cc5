"""News of the tables for the pages that listen, at most once a second."""

import threading
import time
from typing import Final

_EVERY_S: Final = 1.0


class Board:
    """The version of each club's tables; safe to use from several threads.

    `version` grows when any table has changed. `leaving`: the program ends.
    """

    def __init__(self) -> None:
        # From the clock, so that a page left open over a restart sees that the state is new.
        self.version = time.time_ns() // 1_000_000
        self.leaving = False
        self._first = self.version
        self._clubs: dict[int, int] = {}
        self._stirred = threading.Event()

    def changed(self, club: int) -> None:
        """Note that something of that club has changed."""
        self._clubs[club] = self._clubs.get(club, self._first) + 1
        self._stirred.set()

    def version_of(self, club: int) -> int:
        """The version of one club's tables."""
        return self._clubs.get(club, self._first)

    def leave(self) -> None:
        """Wake all who wait, because the program ends."""
        self.leaving = True
        self._stirred.set()

    def wait(self, version: int, timeout_s: float) -> bool:
        """Wait until the version is no longer `version`; False after `timeout_s`. Only one thread may wait."""
        if self.version == version and self._stirred.wait(timeout_s):
            self._stirred.clear()
            if not self.leaving:
                time.sleep(_EVERY_S)  # many changes become one piece of news
            self.version += 1
        return self.version != version
