"""Trying a camera in the network before it is chosen: its pictures of three seconds are judged."""

import time
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from vision.arrays import UInt8Array
from vision.camera.address import CameraUnreached, check_address
from vision.camera.capture import Camera
from vision.errors import CameraLost
from vision.picture import half_gray, sharpness_of

LEAST_SIDE_PX: Final = 540
"""The shorter side of a picture, in px, below which the cards of a whole table are less than 80 px high."""
LEAST_RATE: Final = 8.0
"""Pictures a second below which a card that lies only for a moment is missed."""
LONGEST_WAIT_S: Final = 0.8
"""Seconds from one picture to the next from which advice is given."""
_SETTLES_S: Final = 0.5
_TRIED_S: Final = 2.5


@dataclass(frozen=True)
class CameraTrial:
    """What a camera sends: `size` (width, height) in px, its newest `picture` (H, W, 3) uint8 BGR, and how it comes.

    `longest_wait_s` is the longest time from one picture to the next. `sharpness` is that of
    `vision.picture.sharpness_of`.
    """

    size: tuple[int, int]
    picture: UInt8Array
    frames_per_s: float
    longest_wait_s: float
    sharpness: float

    @property
    def advice(self) -> tuple[str, ...]:
        """Keys of what a person should fix: "network_small", "network_slow", "network_halting"."""
        faults = {
            "network_small": min(self.size) < LEAST_SIDE_PX,
            "network_slow": self.frames_per_s < LEAST_RATE,
            "network_halting": self.frames_per_s >= LEAST_RATE and self.longest_wait_s > LONGEST_WAIT_S,
        }
        return tuple(key for key, present in faults.items() if present)


def try_camera(address: str) -> CameraTrial:
    """Look at the camera at `address` for three seconds. Raises `VisionError`, mostly `CameraUnreached`."""
    check_address(address)
    times: list[float] = []
    with Camera(address) as camera:
        try:
            picture, began_s = camera.newest()
            while time.monotonic() < began_s + _SETTLES_S + _TRIED_S:
                picture, taken_s = camera.newest()
                if taken_s >= began_s + _SETTLES_S:
                    times.append(taken_s)
        except CameraLost:
            if not times:
                raise CameraUnreached(address, "network_stalled") from None
        height, width = picture.shape[:2]
        size = camera.size if min(camera.size) > 0 else (width, height)
    waits = [later - sooner for sooner, later in pairwise(times)]
    return CameraTrial(
        size,
        picture,
        len(waits) / (times[-1] - times[0]) if waits else 1 / _TRIED_S,
        max(waits, default=_TRIED_S),
        sharpness_of(half_gray(picture)),
    )
