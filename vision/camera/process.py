"""The process that holds a camera open and keeps its newest picture.

A driver that hangs or crashes takes down only this process. Pictures are handed over on request, through shared
memory, so that no old ones queue up behind a slow reader. This process loads only OpenCV and NumPy.
"""

import ctypes
import os
import signal
import statistics
import threading
import time
from collections import deque
from multiprocessing.connection import Connection
from typing import Any, Protocol

os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

# OpenCV would wait ten seconds for a driver that has stopped. MSMF's hardware transforms take long to start.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "3")
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.address import CameraUnreached, is_in_network
from vision.camera.driver import Holding, mode_of, open_camera

MOST_BYTES = 1920 * 1080 * 3
"""Bytes of the largest picture that is handed over; larger ones are shrunk to fit."""
LEAST_PX = 16
"""The shortest side in px that a picture may have."""
LOST_S = 2.5
"""Seconds without a new picture after which the camera counts as lost."""

_SILENT = "sends no pictures"
_NO_WAIT_S = 0.002
"""Seconds within which no driver answers that had to wait for the camera."""
_WAITS = 5
"""The last looks of which most must have been waited for: on a busy computer any driver is late now and then."""
_LEAST_WAIT_S = 0.5
"""Seconds for which the next picture is awaited at least: the clock may have run on while the computer slept."""
_LOOK_EVERY_S = 0.25
_LEAVE_S = 0.3

Picture = npt.NDArray[np.uint8]


class Grabs(Protocol):
    """The part of `cv2.VideoCapture` that reads a camera."""

    def grab(self) -> bool:
        """Wait for the next frame; returns whether there is one."""
        ...

    def retrieve(self) -> tuple[bool, Any]:
        """Whether the grabbed frame is a picture, and that picture."""
        ...

    def get(self, key: int, /) -> float:
        """The value of a property."""
        ...


class NewestPicture:
    """A thread that reads `capture` and keeps the newest picture; `holding` holds its exposure and focus."""

    def __init__(self, capture: Grabs, holding: Holding | None) -> None:
        self._capture = capture
        self._holding = holding
        self._new = threading.Condition()
        self._picture: Picture | None = None
        self._taken_s = time.monotonic()
        self._trouble = _SILENT
        self._stop = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        stamp, before = -1.0, None
        next_look_s = 0.0
        waits_s: deque[float] = deque(maxlen=_WAITS)
        while not self._stop:
            asked_s = time.monotonic()
            done = self._grabbed()
            taken_s = time.monotonic()
            waits_s.append(taken_s - asked_s)
            waited = statistics.median(waits_s) >= _NO_WAIT_S
            raw = self._retrieved() if done else None
            before_stamp, stamp = stamp, self._stamp()
            picture = as_picture(raw)
            if picture is None:
                self._trouble = "sends data that is not a picture" if raw is not None else _SILENT
            elif int(np.ptp(picture[::8, ::8])) <= 4:
                # A driver's filler has no noise; even a covered lens shows the sensor's.
                self._trouble = "sends an empty picture, all of one colour"
            elif (
                stamp == before_stamp
                and not waited
                and before is not None
                and np.array_equal(before, picture)
            ):
                # The driver had no new frame and handed out its last one again, at once. Equal bytes alone prove
                # nothing: compressed pictures of a still table repeat.
                self._trouble = "sends the same picture again and again"
                time.sleep(_NO_WAIT_S)
                continue
            else:
                before, self._trouble = picture, _SILENT
                with self._new:
                    self._picture, self._taken_s = picture, taken_s
                    self._new.notify()
                if self._holding is not None and taken_s >= next_look_s:
                    next_look_s = taken_s + _LOOK_EVERY_S
                    self._holding.judge(picture, taken_s)
                continue
            time.sleep(0.02)
        if self._holding is not None:
            self._holding.let_go()

    def _grabbed(self) -> bool:
        try:
            return self._capture.grab()
        except cv2.error:
            return False

    def _retrieved(self) -> Any:
        """The grabbed frame as the driver gives it; None where that fails."""
        try:
            done, raw = self._capture.retrieve()
        except cv2.error:
            return None
        return raw if done else None

    def _stamp(self) -> float:
        """The driver's time of the newest frame in ms, which tells frames apart; 0 where it has none."""
        try:
            return float(self._capture.get(cv2.CAP_PROP_POS_MSEC))
        except cv2.error:
            return 0.0

    def wait(self) -> tuple[Picture, float] | str:
        """The next new picture and its time (s, monotonic clock); if none comes for `LOST_S`, what is wrong."""
        with self._new:
            left_s = self._taken_s + LOST_S - time.monotonic()
            if not self._new.wait_for(lambda: self._picture is not None, max(left_s, _LEAST_WAIT_S)):
                return self._trouble
            picture, self._picture = self._picture, None
            assert picture is not None
            return picture, self._taken_s

    def stop(self) -> None:
        """Let the camera go as it was found, if its driver answers in time. Cameras in the network keep no settings."""
        self._stop = True
        if self._holding is not None:
            self._thread.join(_LEAVE_S)


def as_picture(raw: Any, most_bytes: int | None = MOST_BYTES) -> Picture | None:
    """`raw`, from a driver or a file, as (H, W, 3) uint8 BGR within `most_bytes`; None if it is no picture."""
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

    The first message sent is `("opened", width, height, mode)` or `("refused", fault)`. `fault` is a key of
    `vision.camera.address.FAULTS` for a camera in the network, and "" for one of this computer. The answers are
    `("picture", height, width, taken_s)`, with the time on the monotonic clock, or `("lost", what is wrong)`. The
    process ends when the other side closes the pipe.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is handled by the parent process
    # The parent reports errors, in one sentence. OpenCV 4.10 has the function in another place.
    getattr(cv2.utils, "logging", cv2).setLogLevel(0)
    newest: NewestPicture | None = None
    try:
        try:
            capture = open_camera(source)
        except CameraUnreached as error:
            pipe.send(("refused", error.problem))
            return
        if capture is None:
            pipe.send(("refused", ""))
            return
        size = [int(capture.get(key)) for key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)]
        own = not is_in_network(source)
        pipe.send(("opened", *size, mode_of(capture) if own else ""))
        holding = Holding(capture, capture.getBackendName()) if own else None
        newest = NewestPicture(capture, holding)
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
        if newest is not None:
            newest.stop()
        # A normal exit would wait forever for a read that hangs in the driver.
        os._exit(0)
