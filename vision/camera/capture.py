"""Timed frames of a recording or a camera.

A recording gives every frame in order, with its own time stamps. A camera gives only its newest frame. It is read in
a separate process (`vision.camera.process`), so that a failing driver cannot stop the program.
"""

import ctypes
import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

try:
    import cv2
except ImportError as error:  # pragma: no cover - depends on the machine
    from vision.errors import VisionError as _VisionError

    raise _VisionError(f"OpenCV cannot start ({error}); install the program again") from error
import numpy as np

from vision.arrays import UInt8Array
from vision.camera.address import CameraUnreached, is_camera, is_in_network, shown_address
from vision.camera.process import LEAST_PX, LOST_S, MOST_BYTES, as_picture, serve_camera
from vision.errors import CameraLost, VisionError

OPEN_S = 20.0
"""Seconds a camera may take to open; some drivers on Windows need more than ten."""
_ANSWER_S = LOST_S + 0.4
_WHOLE = 0.9  # share of a file's frame count that makes it complete: some containers only estimate the count


@dataclass(frozen=True)
class Frame:
    """One picture (H, W, 3) uint8 BGR and its time in s from the start.

    `progress` is the share (0..1) of a file read so far; None for a camera.
    """

    picture: UInt8Array
    time_s: float
    progress: float | None


def frames(source: str | int, every: int = 1) -> Iterator[Frame]:
    """The frames of `source`: a video file's path or a camera (see `is_camera`).

    With `every` N only each Nth frame of a file is read.

    Raises `VisionError` when the source cannot be opened or has no picture. Raises `CameraLost` within three
    seconds of a camera's last new picture, and after the last readable picture of a damaged file.
    """
    if is_camera(source):
        yield from _camera_frames(source)
    else:
        yield from _file_frames(Path(str(source)), every)


def _file_frames(path: Path, every: int) -> Iterator[Frame]:
    if not path.is_file():
        raise VisionError(f"{path}: no such video file")
    if path.stat().st_size == 0:
        raise VisionError(f"{path}: the file is empty")
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise VisionError(f"{path}: cannot be read as a video")
        count = max(1, int(capture.get(cv2.CAP_PROP_FRAME_COUNT)))
        rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
        index, readable, damaged, last_s = 0, 0, 0, -1.0
        while _grabbed(capture):
            if index % every == 0:
                picture = _retrieved(capture)
                stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                # Some containers lack time stamps or repeat one: there the frame rate counts.
                last_s = stamp if stamp > last_s else max(index / rate, last_s + 1 / rate)
                if picture is None:
                    damaged += 1
                else:
                    readable += 1
                    yield Frame(picture, last_s, min(1.0, (index + 1) / count))
            index += 1
        if readable == 0:
            raise VisionError(f"{path}: has no readable picture of at least {LEAST_PX} px each way")
        if damaged:
            raise CameraLost(f"{path}: is damaged; {damaged} of its pictures cannot be read")
        if index < _WHOLE * count and last_s < _WHOLE * count / rate:
            raise CameraLost(f"{path}: is damaged; it ends after {index} of {count} pictures")
    finally:
        capture.release()


def _grabbed(capture: cv2.VideoCapture) -> bool:
    try:
        return capture.grab()
    except cv2.error:
        return False


def _retrieved(capture: cv2.VideoCapture) -> UInt8Array | None:
    """The grabbed picture at its own size; None if it is damaged or too small."""
    try:
        done, raw = capture.retrieve()
    except cv2.error:
        return None
    return as_picture(raw, most_bytes=None) if done else None


class Camera:
    """A camera, read by a separate process; a context manager.

    `size` is its picture's (width, height) in px. `mode` is the format and rate that its driver states, such as
    "MJPG 30/s", "" where it states none.
    """

    def __init__(self, source: str | int) -> None:
        """Open `source` (see `is_camera`) within `OPEN_S`.

        Raises `VisionError` when that fails; for a camera in the network that is a `CameraUnreached`.
        """
        number = int(source) if isinstance(source, int) or source.isdecimal() else None
        self.name = shown_address(str(source)) if number is None else f"camera {number}"
        context = multiprocessing.get_context("spawn")
        try:
            # Anonymous memory is freed however the two processes end.
            self._shared = context.RawArray(ctypes.c_uint8, MOST_BYTES)
            self._pipe, theirs = context.Pipe()
            self.process = context.Process(
                target=serve_camera,
                args=(source if number is None else number, theirs, self._shared),
                name=self.name,
                daemon=True,
            )
            self.process.start()
        except OSError as error:
            raise VisionError(
                f"{self.name}: the process that reads it cannot be started ({error})"
            ) from error
        theirs.close()
        try:
            answer = self._answer(OPEN_S)
            if answer is None and is_in_network(source):
                raise CameraUnreached(str(source), "network_stalled")
            if answer is None:
                raise VisionError(
                    f"{self.name}: did not open within {OPEN_S:.0f} s; unplug it and plug it in again"
                )
            if answer[0] == "refused" and answer[1]:
                raise CameraUnreached(str(source), answer[1])
            if answer[0] != "opened":
                raise VisionError(
                    f"{self.name}: cannot be opened; is it plugged in, or in use by another program?"
                )
        except BaseException:
            self.close()
            raise
        self.size: tuple[int, int] = answer[1], answer[2]
        self.mode: str = answer[3]

    def newest(self) -> tuple[UInt8Array, float]:
        """Wait for a new picture (H, W, 3) uint8 BGR and the time it was taken (s, monotonic clock).

        Raises `CameraLost` when none comes within three seconds.
        """
        try:
            self._pipe.send(())
        except OSError as error:
            raise CameraLost(f"{self.name}: the process that reads it has died") from error
        answer = self._answer(_ANSWER_S)
        if answer is None:
            raise CameraLost(f"{self.name}: has stopped answering")
        if answer[0] == "lost":
            raise CameraLost(f"{self.name}: {answer[1]}")
        _, height, width, taken_s = answer
        picture = (
            np.frombuffer(memoryview(self._shared), np.uint8, height * width * 3)
            .reshape(height, width, 3)
            .copy()
        )
        return picture, float(taken_s)

    def _answer(self, timeout_s: float) -> tuple[Any, ...] | None:
        try:
            answer: tuple[Any, ...] | None = self._pipe.recv() if self._pipe.poll(timeout_s) else None
        except (EOFError, OSError) as error:
            raise CameraLost(f"{self.name}: the process that reads it has died") from error
        return answer

    def close(self) -> None:
        """Release the camera."""
        self._pipe.close()
        self.process.join(0.5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(2.0)

    def __enter__(self) -> "Camera":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _camera_frames(source: str | int) -> Iterator[Frame]:
    with Camera(source) as camera:
        began: float | None = None
        size: tuple[int, ...] | None = None
        while True:
            picture, taken_s = camera.newest()
            if time.monotonic() - taken_s > LOST_S:
                continue  # taken before the computer slept
            if size is not None and picture.shape != size:
                raise CameraLost(f"{camera.name}: the size of its picture has changed")
            size = picture.shape
            began = taken_s if began is None else began
            yield Frame(picture, taken_s - began, None)


@dataclass(frozen=True)
class FoundCamera:
    """A camera of this computer. `name` ends with what it sends, `picture` is (H, W, 3) uint8 BGR.

    `picture` is None if the camera opens but sends nothing just now.
    """

    number: int
    name: str
    picture: UInt8Array | None


def find_cameras(without: str | None = None) -> Iterator[FoundCamera]:
    """The cameras that can be opened, each once it is found. The one numbered `without` is in use and left out."""
    names = _camera_names()
    linux = sys.platform.startswith("linux")
    for number in range(10):
        if str(number) == without or (linux and not Path(f"/dev/video{number}").exists()):
            continue
        try:
            with Camera(number) as camera:
                width, height = camera.size
                name = " ".join(f"{names.get(number, 'camera')} {width}x{height} {camera.mode}".split())
                try:
                    picture: UInt8Array | None = camera.newest()[0]
                except CameraLost:
                    picture = None
        except VisionError:
            if linux:
                continue  # a metadata node, or in use
            break
        yield FoundCamera(number, name, picture)


def list_cameras() -> list[tuple[int, str]]:
    """The cameras that can be opened: their numbers and names."""
    return [(one.number, one.name) for one in find_cameras()]


def _camera_names() -> dict[int, str]:
    """Camera names by number, where the system tells them.

    Outside Linux, the system's first name is assumed to be that of camera 0, and so on.
    """
    if sys.platform.startswith("linux"):
        nodes = Path("/sys/class/video4linux").glob("video*/name")
        return {int(path.parent.name[5:]): path.read_text().strip() for path in nodes}
    try:
        if sys.platform == "darwin":
            told = _run("system_profiler", "SPCameraDataType", "-json")
            return dict(enumerate(str(one["_name"]) for one in json.loads(told)["SPCameraDataType"]))
        told = _run(
            "powershell", "-NoProfile", "-Command",
            "Get-CimInstance Win32_PnPEntity -Filter \"PNPClass='Camera' OR PNPClass='Image'\" | % Name",
        )  # fmt: skip
        return dict(enumerate(line.strip() for line in told.splitlines() if line.strip()))
    except (OSError, subprocess.SubprocessError, ValueError, KeyError):
        return {}  # cameras work without names


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=15, check=True).stdout
