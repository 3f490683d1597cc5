"""How a camera is asked for its pictures, and how its exposure and focus are held.

Every setting here can be done without: what a driver does not offer is left as it is. The values for V4L2 were tried on
Linux. Those for Windows and macOS follow OpenCV 4's sources (modules/videoio/src/cap_*.cpp) and are untried.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.address import CameraUnreached, is_in_network, numeric_address
from vision.camera.asking import why_unopened

ASKED_WIDTH_PX, ASKED_HEIGHT_PX, ASKED_FPS = 1280, 720, 30
"""The picture size in px and the rate in frames/s requested from a camera."""

_MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")
_FIRST_PICTURE_S: Final = 4.0

_BACK_ENDS: Final = {
    "linux": (cv2.CAP_V4L2,),
    "win32": (cv2.CAP_DSHOW, cv2.CAP_MSMF),  # MSMF takes seconds to open, and rarely gives MJPG
    "darwin": (cv2.CAP_AVFOUNDATION,),
}

_NETWORK_OPTIONS: Final = {
    # Only MJPEG over HTTP and RTSP are taken, so that no playlist leads FFmpeg to other addresses or files.
    "format_whitelist": "mpjpeg,rtsp",
    "protocol_whitelist": "http,tcp,rtp,rtsp",
    "max_redirects": "0",
    "rtsp_transport": "tcp",
    "allowed_media_types": "video",
    # No picture waits while FFmpeg guesses the rate.
    "flags": "low_delay",
    "analyzeduration": "500000",
    "fpsprobesize": "0",
}
"""FFmpeg's options for a camera in the network, by FFmpeg's names."""
_NETWORK_OPEN_MS: Final = 6000
_NETWORK_READ_MS: Final = 4000

SAME_LIGHT_S = 1.0
"""Seconds for which the light must be steady before exposure and focus are held."""
STEADY = 0.03
"""Change in brightness, as a share, up to which the light is steady."""
EDGES = 50.0
"""Steps in grey (0..255) over 2 px at the sharpest thousandth of a picture in focus in which a card lies."""
JUDGED_S = 1.5
"""Seconds after which it is judged whether holding did harm."""
HARMED_LIGHT, HARMED_EDGES = 1.25, 0.6
"""Factor of brightness, and share of the edges that is left, from which holding did harm and is undone for good."""
OTHER_LIGHT, OTHER_LIGHT_S = 1.5, 5.0
"""Factor of brightness, and the seconds it must last, from which the room's light has changed."""


class Driver(Protocol):
    """The part of `cv2.VideoCapture` that sets a camera."""

    def get(self, key: int, /) -> float:
        """The value of a property; 0 or -1 where there is none."""
        ...

    def set(self, key: int, value: float, /) -> bool:
        """Set a property; returns whether the driver took it."""
        ...


def open_camera(source: int | str) -> cv2.VideoCapture | None:
    """`source` opened: a camera's number, a path in /dev, or an address. None if no back end opens it.

    A camera of this machine is asked for MJPG: in no other format USB carries 1280x720 at 30 frames/s. If it then
    sends nothing, it is left at its own format. Raises `CameraUnreached`, with the reason, for a camera in the network.
    """
    if is_in_network(source):
        return _opened_in_network(str(source))
    opened: cv2.VideoCapture | None = None
    for back_end, asked in _ways():
        if opened is not None:
            opened.release()
        capture = cv2.VideoCapture(source, back_end)
        if not capture.isOpened():
            continue
        opened = capture
        if asked:
            ask(capture)
        if _sends_a_picture(capture):
            break
    if opened is not None:
        opened.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return opened


def _opened_in_network(source: str) -> cv2.VideoCapture:
    """The camera at an address. Raises `CameraUnreached`."""
    address = numeric_address(source)
    os.environ["no_proxy"] = "*"  # a proxy would see the pictures
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = "|".join(map(";".join, _NETWORK_OPTIONS.items()))
    settings = {
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: _NETWORK_OPEN_MS,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC: _NETWORK_READ_MS,
        cv2.CAP_PROP_N_THREADS: 1,  # each further thread holds a picture back
    }
    capture = cv2.VideoCapture(
        address, cv2.CAP_FFMPEG, [number for pair in settings.items() for number in pair]
    )
    if not capture.isOpened():
        raise CameraUnreached(source, why_unopened(address))
    return capture


def _ways() -> Iterator[tuple[int, bool]]:
    """The back ends to try in turn, each with whether to ask for MJPG."""
    for back_end in _BACK_ENDS.get(sys.platform, ()):
        yield back_end, True
        yield back_end, False
    yield cv2.CAP_ANY, False


def ask(driver: Driver) -> None:
    """Ask for MJPG, the size and the rate, in the order that V4L2 and DirectShow need."""
    for key, value in (
        (cv2.CAP_PROP_FOURCC, _MJPG),
        (cv2.CAP_PROP_FRAME_WIDTH, ASKED_WIDTH_PX),
        (cv2.CAP_PROP_FRAME_HEIGHT, ASKED_HEIGHT_PX),
        (cv2.CAP_PROP_FPS, ASKED_FPS),
    ):
        driver.set(key, value)


def _sends_a_picture(capture: cv2.VideoCapture) -> bool:
    until_s = time.monotonic() + _FIRST_PICTURE_S
    while time.monotonic() < until_s:
        try:
            if capture.read()[0]:
                return True
        except cv2.error:
            return False
        time.sleep(0.05)
    return False


def mode_of(driver: Driver) -> str:
    """The format and rate that the driver states, such as "MJPG 30/s"; "" where it states none."""
    code, rate = int(driver.get(cv2.CAP_PROP_FOURCC)), driver.get(cv2.CAP_PROP_FPS)
    letters = bytes(code >> shift & 255 for shift in (0, 8, 16, 24)) if 0 < code < 1 << 32 else b""
    words = [letters.decode("ascii", "replace")] if letters.isalnum() else []
    return " ".join([*words, f"{rate:.0f}/s"] if 1 <= rate <= 240 else words)


@dataclass(frozen=True)
class _Control:
    """One thing that a camera sets by itself, by OpenCV's numbers.

    `switch` is the property that turns this on and off: on with the values `by_itself`, off with `held`. `value` is
    the property that is held.
    """

    switch: int
    by_itself: tuple[int, ...]
    held: float
    value: int


def _controls(back_end: str) -> tuple[_Control, ...]:
    """Exposure and focus as `back_end` (OpenCV's name for it) has them."""
    exposure = {
        # V4L2_CID_EXPOSURE_AUTO: 0 auto, 1 manual, 2 shutter priority, 3 aperture priority.
        "V4L2": ((0, 2, 3), 1.0),
        # The flags of IAMCameraControl: 1 auto. OpenCV rounds what it is given for DirectShow.
        "DSHOW": ((1,), 0.25),
        "MSMF": ((1,), 0.0),
    }.get(back_end)
    if exposure is None:
        return ()
    return (
        _Control(cv2.CAP_PROP_AUTO_EXPOSURE, *exposure, cv2.CAP_PROP_EXPOSURE),
        _Control(cv2.CAP_PROP_AUTOFOCUS, (1,), 0.0, cv2.CAP_PROP_FOCUS),
    )


class Holding:
    """Holds a camera's exposure and focus, so that an arm over the table changes neither.

    They are held once the light is steady and something in view is sharp. If that makes the picture worse, it is
    undone for good. If the room's light changes, the camera sets itself again, and what it finds is held.
    """

    def __init__(self, driver: Driver, back_end: str) -> None:
        """`back_end` is OpenCV's name for it, such as V4L2."""
        self._driver = driver
        self._controls = _controls(back_end)
        self._before: list[tuple[_Control, float]] = []  # what is held, and the value of its switch before
        self._light = 0.0
        self._edges = 0.0
        self._since_s: float | None = None
        self._judge_s: float | None = None

    def judge(self, picture: npt.NDArray[np.uint8], time_s: float) -> None:
        """Decide by the newest `picture` (H, W, 3) uint8 BGR, at `time_s`, whether to hold, to go on, or to let go."""
        if not self._controls:
            return
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        light, edges = float(gray.mean()) + 1.0, _edges(gray.astype(np.int16))
        if not self._before:
            self._settle(light, edges, time_s)
        elif self._judge_s is not None:
            if time_s >= self._judge_s:
                self._judge_s = None
                if _ratio(light, self._light) > HARMED_LIGHT or edges < HARMED_EDGES * self._edges:
                    self.let_go()
                    self._controls = ()
        elif _ratio(light, self._light) < OTHER_LIGHT:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = time_s
        elif time_s - self._since_s >= OTHER_LIGHT_S:
            self.let_go()

    def _settle(self, light: float, edges: float, time_s: float) -> None:
        """Hold once the light has been steady for `SAME_LIGHT_S` and something is sharp."""
        if self._since_s is None or _ratio(light, self._light) > 1 + STEADY:
            self._since_s, self._light = time_s, light
        elif time_s - self._since_s >= SAME_LIGHT_S and edges >= EDGES:
            self._edges = edges
            for control in self._controls:
                switch, value = self._driver.get(control.switch), self._driver.get(control.value)
                if round(switch) in control.by_itself and self._driver.set(control.switch, control.held):
                    self._before.append((control, switch))
                    self._driver.set(control.value, value)
            self._since_s, self._judge_s = None, time_s + JUDGED_S
            if not self._before:
                self._controls = ()  # nothing to hold

    def let_go(self) -> None:
        """Let the camera set itself again. Drivers would keep the settings for the next program."""
        for control, switch in self._before:
            # For DirectShow OpenCV rounds the value to 1, "auto".
            self._driver.set(control.switch, switch)
        self._before, self._since_s, self._judge_s = [], None, None


def _ratio(one: float, other: float) -> float:
    return max(one, other) / min(one, other)


def _edges(gray: npt.NDArray[np.int16]) -> float:
    """The steps in grey (0..255) over 2 px across, at the sharpest thousandth of the picture."""
    steps = np.abs(gray[::2, 2:] - gray[::2, :-2])
    return float(np.partition(steps, -(steps.size // 1000 + 1), axis=None)[-(steps.size // 1000 + 1)])
