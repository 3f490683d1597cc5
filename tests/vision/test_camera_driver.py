"""What is asked of a camera's driver. No camera is here: a stand-in answers as the drivers' sources say they do."""

import time

import cv2
import numpy as np
import pytest
from network_camera import Picture, striped

from vision.camera.driver import JUDGED_S, OTHER_LIGHT_S, SAME_LIGHT_S, Holding, ask, mode_of, open_camera
from vision.camera.process import LOST_S, NewestPicture

AUTO, HELD = 3.0, 1.0  # V4L2's aperture priority and manual
EXPOSURE = cv2.CAP_PROP_AUTO_EXPOSURE
FOCUS = cv2.CAP_PROP_AUTOFOCUS


class Webcam:
    """A webcam over a table: it exposes to a mean grey of 100 by itself, and focuses by itself.

    `lamp` is the light in the room, `blur` what its lens does when focus is held. `lies` is a driver that forgets
    its exposure when it is to be held.
    """

    def __init__(self, *, card: bool = True, lies: bool = False, offers: bool = True) -> None:
        self.lamp, self.card, self.lies = 1.0, card, lies
        self.properties = {EXPOSURE: AUTO, cv2.CAP_PROP_EXPOSURE: 200.0, FOCUS: 1.0, cv2.CAP_PROP_FOCUS: 30.0}
        if not offers:
            self.properties = {}
        self.asked: list[int] = []

    def get(self, key: int, /) -> float:
        return self.properties.get(key, -1.0)

    def set(self, key: int, value: float, /) -> bool:
        self.asked.append(key)
        if key in self.properties:
            self.properties[key] = value
            if self.lies and key == cv2.CAP_PROP_EXPOSURE:
                self.properties[key] = 20.0
        return key in self.properties

    def picture(self) -> Picture:
        if self.properties.get(EXPOSURE, AUTO) == AUTO:
            gain = 100.0
            if cv2.CAP_PROP_EXPOSURE in self.properties:
                self.properties[cv2.CAP_PROP_EXPOSURE] = 200.0 / self.lamp
        else:
            gain = 100.0 * self.lamp * self.properties[cv2.CAP_PROP_EXPOSURE] / 200.0
        cloth = np.full((240, 320, 3), 0.7 * gain, np.float32)
        if self.card:
            cloth[60:170, 120:180] = 2.0 * gain
        return cloth.clip(0, 255).astype(np.uint8)


def watched(camera: Webcam, holding: Holding, seconds: float, since_s: float = 0.0) -> float:
    """Look at `camera` four times a second for so long; the time then."""
    for step in range(round(seconds * 4)):
        holding.judge(camera.picture(), since_s + step / 4)
    return since_s + seconds


def test_exposure_and_focus_are_held_once_the_light_is_steady_and_given_back() -> None:
    camera = Webcam()
    holding = Holding(camera, "V4L2")
    now_s = watched(camera, holding, SAME_LIGHT_S)
    assert not camera.asked
    watched(camera, holding, 10.0, now_s)
    assert camera.get(EXPOSURE) == HELD and camera.get(cv2.CAP_PROP_EXPOSURE) == 200.0
    assert camera.get(FOCUS) == 0.0 and camera.get(cv2.CAP_PROP_FOCUS) == 30.0
    holding.let_go()
    assert camera.get(EXPOSURE) == AUTO and camera.get(FOCUS) == 1.0


def test_nothing_is_held_while_nothing_sharp_is_in_view() -> None:
    camera = Webcam(card=False)  # a plain cloth: the lens may be anywhere
    holding = Holding(camera, "V4L2")
    now_s = watched(camera, holding, 10.0)
    assert not camera.asked
    camera.card = True
    watched(camera, holding, 5.0, now_s)
    assert camera.get(EXPOSURE) == HELD


def test_what_a_driver_does_wrong_is_undone_for_good() -> None:
    camera = Webcam(lies=True)
    holding = Holding(camera, "V4L2")
    now_s = watched(camera, holding, SAME_LIGHT_S + JUDGED_S + 1.0)
    assert camera.get(EXPOSURE) == AUTO
    asked = len(camera.asked)
    watched(camera, holding, 20.0, now_s)
    assert len(camera.asked) == asked


def test_a_lamp_that_is_switched_makes_the_camera_look_anew_and_an_arm_does_not() -> None:
    camera = Webcam()
    holding = Holding(camera, "V4L2")
    now_s = watched(camera, holding, 5.0)
    camera.lamp = 0.5
    now_s = watched(camera, holding, OTHER_LIGHT_S - 2.0, now_s)
    camera.lamp = 1.0
    now_s = watched(camera, holding, 5.0, now_s)
    assert camera.asked.count(EXPOSURE) == 1  # still held from the first time
    camera.lamp = 0.5
    now_s = watched(camera, holding, OTHER_LIGHT_S + SAME_LIGHT_S + 2.0, now_s)
    assert camera.get(EXPOSURE) == HELD and camera.get(cv2.CAP_PROP_EXPOSURE) == 400.0


@pytest.mark.parametrize("back_end", ["V4L2", "DSHOW", "MSMF", "AVFOUNDATION", "FFMPEG"])
def test_a_camera_without_these_controls_is_left_alone(back_end: str) -> None:
    camera = Webcam(offers=False)
    holding = Holding(camera, back_end)
    watched(camera, holding, 10.0)
    assert not camera.asked


def test_a_camera_set_by_hand_stays_as_it_was_set() -> None:
    camera = Webcam()
    camera.properties |= {EXPOSURE: HELD, FOCUS: 0.0}
    watched(camera, Holding(camera, "V4L2"), 10.0)
    assert not camera.asked


def test_the_format_is_asked_for_before_size_and_rate() -> None:
    camera = Webcam(offers=False)
    ask(camera)
    assert camera.asked == [
        cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS,
    ]  # fmt: skip


def test_what_a_camera_sends_is_told_as_far_as_its_driver_knows() -> None:
    camera = Webcam()
    cases = {
        (float(cv2.VideoWriter.fourcc(*"MJPG")), 30.0): "MJPG 30/s",
        (float(cv2.VideoWriter.fourcc(*"YUYV")), -1.0): "YUYV",
        (-1.0, 25.0): "25/s",
        (0.0, 0.0): "",
    }
    for (code, rate), told in cases.items():
        camera.properties |= {cv2.CAP_PROP_FOURCC: code, cv2.CAP_PROP_FPS: rate}
        assert mode_of(camera) == told


def test_a_camera_that_is_not_there_is_not_opened_by_any_back_end() -> None:
    assert open_camera(37) is None


class Driver:
    """A driver that hands out its last picture at once, or, with `frames`, one that waits for each new one.

    With `busy` the computer is: every third picture comes late.
    """

    def __init__(self, *, frames: bool, stamped: bool = False, busy: bool = False) -> None:
        self.frames, self.stamped, self.busy, self.count = frames, stamped, busy, 0

    def grab(self) -> bool:
        self.count += 1
        if self.frames:
            time.sleep(0.03)
        elif self.busy and self.count % 3 == 0:
            time.sleep(0.005)
        return True

    def retrieve(self) -> tuple[bool, Picture]:
        return True, striped(7)

    def get(self, key: int, /) -> float:
        return 33.0 * self.count if self.stamped else 0.0


def test_frames_are_told_apart_by_number_and_not_by_their_bytes() -> None:
    waits = NewestPicture(Driver(frames=True), None)
    stamped = NewestPicture(Driver(frames=False, stamped=True), None)
    stale = NewestPicture(Driver(frames=False, busy=True), None)
    until_s = time.monotonic() + LOST_S
    assert not isinstance(stale.wait(), str)  # its first
    while time.monotonic() < until_s:
        assert not isinstance(waits.wait(), str) and not isinstance(stamped.wait(), str)
    asked_s = time.monotonic()
    assert stale.wait() == "sends the same picture again and again"
    assert time.monotonic() - asked_s < LOST_S  # counted from its last picture, and not from the question
    for one in (waits, stamped, stale):
        one.stop()
