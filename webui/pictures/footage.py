"""The camera's pictures of the hand under way, if the host allows it: five a second, until the next hand.

They lie beside the evening's database, on this computer alone. They take at most `HAND_MB`, then the oldest go, and
leave `LEAST_FREE_MB` of the disk to the evening itself. After a kill the next start deletes them.
"""

import os
import shutil
import threading
from collections import deque
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracker.files import PRIVATE, private_folder
from webui.pictures.jpeg import jpeg_of
from webui.pictures.moments import Moments

if TYPE_CHECKING:
    from vision.watching.explanations import Judged
    from vision.watching.eyes import WatchUpdate

EVERY_S: Final = 0.2
HAND_MB: Final = 300
LEAST_FREE_MB: Final = 500
ROLLING_S: Final = 5.0
"""Seconds of pictures that are kept between two hands, so that they show how the next hand's first card came."""

_MB: Final = 1_000_000
_WIDTH_PX: Final = 1280
_MOST_JUDGED: Final = 5000
_NEAR_S: Final = 1.0


@dataclass(frozen=True)
class Shot:
    """A picture: when it was taken (s, on the footage's clock), its file, and its `size` (width, height) in px."""

    at_s: float
    path: Path
    bytes: int
    size: tuple[int, int]


class Footage:
    """The pictures in `folder`; safe to use from several threads.

    `moments` has the footage's clock, and when the cards of plays came to rest. `judged` has what the reader of plays
    said of each thing on the table, and when.
    """

    def __init__(
        self, folder: Path, *, hand_mb: float = HAND_MB, least_free_mb: float = LEAST_FREE_MB
    ) -> None:
        self._folder = folder
        self._most, self._least_free = hand_mb * _MB, least_free_mb * _MB
        self._lock = threading.RLock()
        self._ended = False
        self.clear()

    def clear(self) -> None:
        """Delete every picture, and forget the hand."""
        with self._lock:
            self.shots: list[Shot] = []
            self.moments = Moments()
            self.judged: deque[tuple[float, Judged]] = deque(maxlen=_MOST_JUDGED)
            self._over_s: float | None = None
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def now_s(self) -> float:
        """The time of the newest picture, on the footage's own clock."""
        return self.moments.now_s

    def end(self) -> None:
        """Delete every picture, and take no more."""
        with self._lock:
            self._ended = True
            self.clear()

    def take(self, update: "WatchUpdate", *, under_way: bool) -> None:
        """Keep the picture of `update` if it is time for one; `under_way`: a hand is played."""
        import cv2

        with self._lock:
            if self._ended:
                return
            self.moments.take(update)
            self.judged.extend((self.now_s, judged) for judged in update.judged)
            if self.shots and self.now_s - self.shots[-1].at_s < EVERY_S - 0.01:
                return
            self._forget_idle(under_way)
            try:
                self._keep(update)
            except (OSError, cv2.error):
                self._delete(self.shots)  # the disk is full, and the evening itself needs the room

    def _forget_idle(self, under_way: bool) -> None:
        if under_way:
            self._over_s = None
            return
        self._over_s = self.now_s if self._over_s is None else self._over_s
        last, first = self._over_s + ROLLING_S, self.now_s - ROLLING_S
        self._delete([shot for shot in self.shots if last < shot.at_s < first])

    def _keep(self, update: "WatchUpdate") -> None:
        private_folder(self._folder)
        jpeg, size = jpeg_of(update.frame, _WIDTH_PX)
        if shutil.disk_usage(self._folder).free < self._least_free + len(jpeg):
            self._delete(self.shots)
            return
        path = self._folder / f"{round(self.now_s * 1000):09}.jpg"
        try:
            with open(path, "wb", opener=lambda name, flags: os.open(name, flags, PRIVATE)) as file:
                file.write(jpeg)
        except OSError:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            raise
        self.shots.append(Shot(self.now_s, path, len(jpeg), size))
        over = sum(shot.bytes for shot in self.shots) - self._most
        gone = []
        for shot in self.shots:
            if over <= 0:
                break
            gone.append(shot)
            over -= shot.bytes
        self._delete(gone)

    def _delete(self, shots: list[Shot]) -> None:
        gone = set(shots)
        for shot in gone:
            with suppress(OSError):
                shot.path.unlink(missing_ok=True)
        if gone:
            self.shots = [shot for shot in self.shots if shot not in gone]

    def new_hand(self, plays: Collection[int]) -> None:
        """Begin another hand, so far with these `plays`: only the newest seconds of pictures stay."""
        with self._lock:
            first = self.now_s - ROLLING_S
            self._delete([shot for shot in self.shots if shot.at_s < first])
            self.moments.keep(plays)
            self.judged = deque([one for one in self.judged if one[0] >= first], maxlen=_MOST_JUDGED)

    def booked(self, play: int, sighting: int | None) -> None:
        """Note that the play with this number was booked for `sighting` in the newest picture."""
        with self._lock:
            self.moments.booked(play, sighting)

    def between(self, first_s: float, last_s: float) -> list[Shot]:
        """The pictures from `first_s` to `last_s`, oldest first."""
        with self._lock:
            return [shot for shot in self.shots if first_s <= shot.at_s <= last_s]

    def picture(self, at_s: float) -> bytes | None:
        """The JPEG taken nearest to `at_s`; None if there is none within a second."""
        with self._lock:
            near = min(self.shots, key=lambda shot: abs(shot.at_s - at_s), default=None)
            if near is None or abs(near.at_s - at_s) > _NEAR_S:
                return None
            try:
                return near.path.read_bytes()
            except OSError:
                return None
