"""How often a client may ask. Each client has a bucket of tokens, which fills again with time."""

import threading
import time
from collections import OrderedDict
from typing import Final

_MOST_KNOWN: Final = 20_000


class RateLimit:
    """Each client may ask `burst` times at once and `rate` times a second in the long run; for several threads."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, who: str) -> float:
        """0 if `who` may ask now, which is counted; otherwise the seconds until he may."""
        now = time.monotonic()
        with self._lock:
            left, at = self._left.pop(who, (float(self._burst), now))
            left = min(float(self._burst), left + (now - at) * self._rate)
            allowed = left >= 1
            self._left[who] = (left - 1 if allowed else left, now)
            while len(self._left) > _MOST_KNOWN:
                self._left.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._rate
