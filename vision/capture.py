"""Frames of a recording or a camera, each with its time.

A recording gives every frame in order, by its own time stamps. A camera gives the newest frame only:
what was missed while the last one was looked at is let go.
"""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

try:
    import cv2
except ImportError as error:  # pragma: no cover - depends on the machine
    from vision.errors import VisionError as _VisionError

    raise _VisionError(
        f"OpenCV cannot start ({error}); on a bare Linux it needs libGL: apt-get install libgl1 libglib2.0-0"
    ) from error
import numpy as np

from vision.arrays import UInt8Array
from vision.errors import CameraLost, VisionError

LOST_S = 3.0
"""Seconds without a new picture after which a camera is given up."""


@dataclass(frozen=True)
class Frame:
    """One picture (H, W, 3) uint8 BGR, its time in s from the start, and the share of a file read so far."""

    picture: UInt8Array
    time_s: float
    progress: float | None


def frames(source: str | int, every: int = 1) -> Iterator[Frame]:
    """The frames of `source`: a video file's path, or a camera's number (also as text).

    `every` N takes each Nth frame of a file. Raises `VisionError` when the source cannot be opened or
    holds no picture, `CameraLost` when a camera stops giving new ones.
    """
    if isinstance(source, int) or source.isdecimal():
        yield from _camera_frames(int(source))
    else:
        yield from _file_frames(Path(source), every)


def _file_frames(path: Path, every: int) -> Iterator[Frame]:
    if not path.is_file():
        raise VisionError(f"{path}: no such video file")
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise VisionError(f"{path}: not a video that can be read")
        count = max(1, int(capture.get(cv2.CAP_PROP_FRAME_COUNT)))
        rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
        index, last_s = 0, -1.0
        while True:
            if not capture.grab():
                break
            if index % every == 0:
                done, picture = capture.retrieve()
                if not done:
                    break
                stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                # Some containers give no stamps, or the same one twice: then the frame rate tells.
                last_s = stamp if stamp > last_s else max(index / rate, last_s + 1 / rate)
                yield Frame(picture.astype(np.uint8, copy=False), last_s, min(1.0, (index + 1) / count))
            index += 1
        if index == 0:
            raise VisionError(f"{path}: holds no picture that can be read")
    finally:
        capture.release()


class _NewestFrame:
    """A thread that reads a camera and keeps its newest picture."""

    def __init__(self, number: int):
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            raise VisionError(f"camera {number}: cannot be opened; is it plugged in, and free?")
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1280)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 720)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._new = threading.Condition()
        self._picture: UInt8Array | None = None
        self._taken_s = 0.0
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=f"camera-{number}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stopped:
            done, picture = self._capture.read()
            if not done:
                time.sleep(0.05)
                continue
            with self._new:
                self._picture, self._taken_s = picture.astype(np.uint8, copy=False), time.monotonic()
                self._new.notify_all()

    def next(self, timeout_s: float) -> tuple[UInt8Array, float] | None:
        """The newest picture not handed out yet and when it was taken (monotonic s); None after `timeout_s`."""
        with self._new:
            if not self._new.wait_for(lambda: self._picture is not None, timeout_s):
                return None
            picture, self._picture = self._picture, None
            assert picture is not None
            return picture, self._taken_s

    def close(self) -> None:
        self._stopped = True
        self._thread.join(1.0)
        self._capture.release()


def _camera_frames(number: int) -> Iterator[Frame]:
    camera = _NewestFrame(number)
    began = time.monotonic()
    before: UInt8Array | None = None
    changed_s = began
    try:
        while True:
            newest = camera.next(LOST_S)
            if newest is None:
                raise CameraLost(f"camera {number}: no picture for {LOST_S:.0f} s; is it unplugged?")
            picture, taken_s = newest
            # A live sensor is never twice the same: the same bytes again are a frozen driver.
            tiny = picture[::16, ::16]
            if before is None or before.shape != tiny.shape or not np.array_equal(before, tiny):
                changed_s = taken_s
            elif taken_s - changed_s > LOST_S:
                raise CameraLost(f"camera {number}: the picture has stood still for {LOST_S:.0f} s")
            before = tiny.copy()
            yield Frame(picture, taken_s - began, None)
    finally:
        camera.close()


def list_cameras(most: int = 8) -> list[tuple[int, str]]:
    """The cameras that can be opened: number and name (on Linux the driver's name, elsewhere its size)."""
    found = []
    for number in range(most):
        if os.name == "posix" and os.uname().sysname == "Linux" and not Path(f"/dev/video{number}").exists():
            continue
        capture = cv2.VideoCapture(number)
        if capture.isOpened():
            label = Path(f"/sys/class/video4linux/video{number}/name")
            size = f"{int(capture.get(3))}x{int(capture.get(4))}"
            found.append((number, f"{label.read_text().strip()} {size}" if label.is_file() else size))
        capture.release()
    return found
