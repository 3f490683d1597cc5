"""The process that holds a camera open and keeps its newest picture.

A driver that hangs or crashes takes down only this process. Pictures are handed over on request, through
shared memory, so old ones never queue up behind a slow reader. This process loads only OpenCV and NumPy.
"""

import ctypes
import os
import signal
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

import cv2
import numpy as np
import numpy.typing as npt

ASKED_WIDTH_PX, ASKED_HEIGHT_PX = 1280, 720
"""The picture size in px requested from a camera."""
MOST_BYTES = 1920 * 1080 * 3
"""Bytes of the largest picture handed over; larger ones are shrunk to fit."""
LEAST_PX = 16
"""The shortest side in px that a picture may have."""
LOST_S = 2.5
"""Seconds without a new picture after which the camera counts as lost."""

_SILENT = "sends no pictures; is it unplugged?"

Picture = npt.NDArray[np.uint8]


class _NewestPicture:
    """A thread that keeps reading `capture` and keeps the newest picture."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture
        self._new = threading.Condition()
        self._picture: Picture | None = None
        self._taken_s = 0.0
        self._trouble = _SILENT
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        before: Picture | None = None
        while True:
            try:
                done, raw = self._capture.read()
            except cv2.error:
                done, raw = False, None
            taken_s = time.monotonic()
            picture = as_picture(raw) if done else None
            if picture is None:
                self._trouble = "sends data that is not a picture" if done else _SILENT
            elif int(np.ptp(picture[::8, ::8])) <= 4:
                # The driver's filler: even a covered lens shows the sensor's noise.
                self._trouble = "sends an empty picture, all of one colour"
            elif before is not None and np.array_equal(before, picture):
                # An old picture: sensor noise never repeats byte for byte.
                self._trouble = "sends the same picture again and again"
            else:
                before, self._trouble = picture, _SILENT
                with self._new:
                    self._picture, self._taken_s = picture, taken_s
                    self._new.notify()
                continue
            time.sleep(0.02)

    def wait(self) -> tuple[Picture, float] | str:
        """The next new picture and its time (s, monotonic clock); after `LOST_S` without one, what is wrong."""
        with self._new:
            if not self._new.wait_for(lambda: self._picture is not None, LOST_S):
                return self._trouble
            picture, self._picture = self._picture, None
            assert picture is not None
            return picture, self._taken_s


def as_picture(raw: Any, most_bytes: int | None = MOST_BYTES) -> Picture | None:
    """`raw`, from a driver or a file, as (H, W, 3) uint8 BGR of at most `most_bytes`; None if it is no picture."""
    if (
        not isinstance(raw, np.ndarray)
        or raw.dtype != np.uint8
        or raw.ndim not in (2, 3)
        or min(raw.shape) < 1
    ):
        return None
    channels = 1 if raw.ndim == 2 else raw.shape[2]
    if channels not in (1, 3, 4) or min(raw.shape[:2]) < LEAST_PX:
        return None
    picture = raw
    if channels != 3:
        picture = cv2.cvtColor(raw, cv2.COLOR_GRAY2BGR if channels == 1 else cv2.COLOR_BGRA2BGR)
    if most_bytes is not None and picture.nbytes > most_bytes:
        scale = (most_bytes / picture.nbytes) ** 0.5
        size = (int(picture.shape[1] * scale), int(picture.shape[0] * scale))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture, np.uint8)


def serve_camera(source: int | str, pipe: Connection, shared: "ctypes.Array[ctypes.c_uint8]") -> None:
    """Open `source`, then answer each message on `pipe` by putting the newest picture into `shared`.

    First sends `("opened", width, height)` or `("refused",)`. Then answers each message with `("picture",
    height, width, taken_s)`, the time on the monotonic clock, or with `("lost", what is wrong)`. Ends when the
    other side closes the pipe.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is handled by the parent process
    # The parent reports errors in one sentence. Older OpenCV (4.10) has the function in another place.
    getattr(cv2.utils, "logging", cv2).setLogLevel(0)
    capture = cv2.VideoCapture(source)
    try:
        if not capture.isOpened():
            pipe.send(("refused",))
            return
        if isinstance(source, int):
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, ASKED_WIDTH_PX)
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, ASKED_HEIGHT_PX)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        size = [int(capture.get(key)) for key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)]
        pipe.send(("opened", *size))
        newest = _NewestPicture(capture)
        memory = np.frombuffer(memoryview(shared), np.uint8)
        while True:
            pipe.recv()
            found = newest.wait()
            if isinstance(found, str):
                pipe.send(("lost", found))
            else:
                picture, taken_s = found
                memory[: picture.size] = picture.reshape(-1)
                pipe.send(("picture", *picture.shape[:2], taken_s))
    except (EOFError, OSError):
        pass  # the other side closed the pipe or died
    finally:
        # A normal exit would wait forever for a read that hangs in the driver.
        os._exit(0)
