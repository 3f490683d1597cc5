"""The film of one hand while it is written: the camera's pictures as JPEG in one AVI file, five a second.

A picture of 1280 x 720 px costs about 4 ms of one core, so the watching hardly suffers. The file takes at most
`FILM_MB`, and leaves `LEAST_FREE_MB` of the disk to the evening.
"""

import os
import shutil
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from tracker.files import PRIVATE, private_folder
from webui.pictures.avi import AviWriter
from webui.pictures.footage import LEAST_FREE_MB
from webui.pictures.jpeg import jpeg_of
from webui.pictures.moments import Moments

if TYPE_CHECKING:
    from vision.watching.eyes import WatchUpdate

FILM_FPS: Final = 5
FILM_MB: Final = 900
"""Enough for half an hour. Every program can read an AVI file of up to 1 GB."""
_BEFORE_S, _AFTER_S = 20.0, 3.0
"""Seconds of film from before the hand is known to have begun, by its first trick, and from after it is over."""
_WIDTH_PX: Final = 1920
_AWAY_S: Final = 3.0
"""Seconds without a picture after which the film may lack a card."""


class HandFilm:
    """A film at `path`, on the clock of `moments`; safe to use from several threads.

    Before its hand it keeps the newest seconds in memory. It is written from `begin` on, and ends after `hand_over`.
    `trouble` says why it cannot be used: "disk", "long" or "away". Its file is then deleted.
    """

    def __init__(self, path: Path, *, film_mb: float = FILM_MB, least_free_mb: float = LEAST_FREE_MB) -> None:
        self.path = path
        self.moments = Moments()
        self.trouble = ""
        self.first_s = 0.0
        self._most, self._least_free = film_mb * 1e6, least_free_mb * 1e6
        self._lock = threading.RLock()
        self._waiting: deque[tuple[float, bytes, tuple[int, int]]] = deque(maxlen=round(_BEFORE_S * FILM_FPS))
        self._newest: bytes = b""
        self._size = (0, 0)
        self._file: BinaryIO | None = None
        self._video: AviWriter | None = None
        self._taken_s: float | None = None
        self._came = 0.0
        self._ends_s: float | None = None
        self._begun = self._done = False

    @property
    def frames(self) -> int:
        """How many pictures the film has by now."""
        return self._video.count if self._video is not None else 0

    def take(self, update: "WatchUpdate") -> None:
        """Keep the picture of `update` if it is time for one."""
        import cv2

        with self._lock:
            if self.trouble:
                return
            self.moments.take(update)
            if self._done:
                return
            now_s, came = self.moments.now_s, time.monotonic()
            away, self._came = came - self._came > _AWAY_S, came
            if self._video is not None and away and self._ends_s is None:
                self._fail("away")
                return
            if self._ends_s is not None and now_s > self._ends_s:
                self.finish()
                return
            if self._taken_s is not None and now_s - self._taken_s < 1 / FILM_FPS - 0.01:
                return
            self._taken_s = now_s
            try:
                jpeg, size = jpeg_of(update.frame, _WIDTH_PX)
                if self._video is None:
                    self._waiting.append((now_s, jpeg, size))
                    if self._begun:
                        self._open()
                else:
                    self._write(now_s, jpeg, size)
            except (OSError, cv2.error):
                self._fail("disk")

    def begin(self) -> None:
        """Write the newest seconds, and from now on every picture, because the hand has begun."""
        with self._lock:
            self._begun = True
            if not self.trouble and self._video is None and self._waiting:
                try:
                    self._open()
                except OSError:
                    self._fail("disk")

    def _open(self) -> None:
        self._size = self._waiting[-1][2]
        pictures = [one for one in self._waiting if one[2] == self._size]
        self.first_s = pictures[0][0]
        private_folder(self.path.parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(self.path, flags, PRIVATE), "wb")
        self._video = AviWriter(self._file, self._size, FILM_FPS)
        for now_s, jpeg, size in pictures:
            self._write(now_s, jpeg, size)
        self._waiting.clear()

    def _write(self, now_s: float, jpeg: bytes, size: tuple[int, int]) -> None:
        """Write the picture of `now_s`. The picture before it stands for the moments in between."""
        if self._video is None or self._done:
            return
        if size != self._size:
            self._fail("away")
            return
        frame = round((now_s - self.first_s) * FILM_FPS)
        missing = max(0, frame - self._video.count)
        room = shutil.disk_usage(self.path.parent).free - self._least_free
        if self._video.bytes + len(jpeg) > self._most or room < len(jpeg):
            self._fail("long" if room >= len(jpeg) else "disk")
            return
        for _ in range(missing):
            self._video.add(self._newest)
        if frame >= self._video.count:
            self._video.add(jpeg)
        self._newest = jpeg

    def hand_over(self, over: bool) -> None:
        """Note whether the hand is over: the film then ends some seconds later, and goes on otherwise."""
        with self._lock:
            if not over:
                self._ends_s = None
            elif self._ends_s is None:
                self._ends_s = self.moments.now_s + _AFTER_S

    def finish(self) -> None:
        """End the film now, and make the file whole."""
        with self._lock:
            if self._done or self._video is None or self._file is None:
                return
            try:
                self._video.finish()
                self._file.close()
                self._done = True
            except OSError:
                self._fail("disk")

    def _fail(self, why: str) -> None:
        self.delete()
        self.trouble = why

    def delete(self) -> None:
        """Delete the file, and take no more pictures."""
        with self._lock:
            self._done = True
            self._waiting.clear()
            if self._file is not None:
                with suppress(OSError):
                    self._file.close()
                self._file = None
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
