"""A recording gives every frame in order; a camera gives its newest, or fails with one sentence."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from network_camera import NetworkCamera, Picture, number_of, striped

from vision.camera.capture import Camera, frames, list_cameras
from vision.camera.process import LOST_S, MOST_BYTES, as_picture
from vision.errors import CameraLost, VisionError
from vision.lab.rendering.video_file import VideoFile


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "twelve.mp4"
    with VideoFile(path, (160, 120), 10) as file:
        for k in range(12):
            file.write(np.full((120, 160, 3), 20 * k, np.uint8))
    return path


def test_a_recording_gives_every_frame_in_order_by_its_own_time(video: Path) -> None:
    seen = list(frames(str(video)))
    assert [round(frame.time_s, 2) for frame in seen] == [round(k / 10, 2) for k in range(12)]
    assert [round(float(frame.picture.mean()) / 20) for frame in seen] == list(range(12))
    assert seen[-1].progress == 1.0


def test_every_third_frame_of_a_recording(video: Path) -> None:
    assert [round(frame.time_s, 2) for frame in frames(str(video), 3)] == [0, 0.3, 0.6, 0.9]


def file_of(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def test_an_unreadable_recording_is_reported_in_one_line(tmp_path: Path, video: Path) -> None:
    cases = {
        str(tmp_path / "gone.mp4"): "no such video file",
        str(tmp_path): "no such video file",
        file_of(tmp_path / "empty.mp4", b""): "the file is empty",
        file_of(tmp_path / "text.mp4", b"not a video at all\n" * 50): "cannot be read as a video",
        file_of(tmp_path / "head.mp4", video.read_bytes()[:400]): "cannot be read as a video",
    }
    for source, sentence in cases.items():
        with pytest.raises(VisionError) as caught:
            list(frames(source))
        assert sentence in str(caught.value) and source in str(caught.value) and "\n" not in str(caught.value)


def test_a_truncated_recording_ends_early_or_is_reported(tmp_path: Path, video: Path) -> None:
    cut = file_of(tmp_path / "cut.mp4", video.read_bytes()[: video.stat().st_size * 2 // 3])
    try:
        assert len(list(frames(cut))) <= 12
    except VisionError as error:
        assert cut in str(error)


def error_of_camera(shoot: Callable[[int], Picture | bytes | None]) -> str:
    """The error when a camera sends what `shoot` returns, after a few good pictures."""
    with NetworkCamera(striped) as source, pytest.raises(CameraLost) as caught:
        for count, _ in enumerate(frames(source.url)):
            if count == 5:
                source.shoot = shoot
    assert source.url in str(caught.value) and "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.slow
def test_a_camera_that_fails_is_lost_within_three_seconds() -> None:
    finished = threading.Event()

    def stalled(_: int) -> Picture | bytes | None:
        finished.wait(20)
        return None

    cases: list[tuple[Callable[[int], Picture | bytes | None], str]] = [
        (lambda _: None, "sends no pictures"),
        (lambda _: np.zeros((120, 160, 3), np.uint8), "sends an empty picture, all of one colour"),
        (lambda _: b"no JPEG at all" * 30, "sends no pictures"),
        (stalled, "sends no pictures"),
    ]
    with ThreadPoolExecutor(len(cases)) as pool:
        for (_, sentence), error in zip(
            cases, pool.map(error_of_camera, [one for one, _ in cases]), strict=True
        ):
            assert sentence in error
    finished.set()
    assert LOST_S < 3


@pytest.mark.slow
def test_a_still_picture_that_repeats_byte_for_byte_is_no_loss() -> None:
    with NetworkCamera(lambda _: striped(7)) as source, Camera(source.url) as camera:
        until_s = time.monotonic() + 1.5 * LOST_S
        taken = []
        while time.monotonic() < until_s:
            picture, taken_s = camera.newest()
            taken.append(taken_s)
        assert len(taken) > 20 and taken == sorted(set(taken))
        assert number_of(picture) == 7


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signal stops a process there")
def test_a_stopped_or_killed_reading_process_is_reported() -> None:
    with NetworkCamera(striped) as source:
        with Camera(source.url) as camera:
            camera.newest()
            os.kill(camera.process.pid or 0, signal.SIGSTOP)
            with pytest.raises(CameraLost, match="has stopped answering"):
                camera.newest()
        assert not camera.process.is_alive()
        with Camera(source.url) as camera:
            camera.newest()
            camera.process.kill()
            with pytest.raises(CameraLost, match="the process that reads it has died"):
                camera.newest()
        with Camera(source.url) as camera:  # it can be opened again
            camera.newest()


def test_a_missing_camera_is_reported_in_one_line() -> None:
    present = {number for number, _ in list_cameras()}
    absent = next(number for number in range(20, 40) if number not in present)
    with pytest.raises(VisionError, match=f"camera {absent}: cannot be opened") as caught:
        next(iter(frames(absent)))
    assert "\n" not in str(caught.value)


def test_pictures_from_a_driver_are_converted_shrunk_or_refused() -> None:
    assert as_picture(None) is None
    assert as_picture(np.zeros((120, 160, 3), np.float32)) is None
    assert as_picture(np.zeros((0, 160, 3), np.uint8)) is None
    assert as_picture(np.zeros((120, 160, 2), np.uint8)) is None
    for shape in ((120, 160), (120, 160, 1), (120, 160, 4)):
        converted = as_picture(np.zeros(shape, np.uint8))
        assert converted is not None and converted.shape == (120, 160, 3)
    large = as_picture(np.zeros((2160, 3840, 3), np.uint8))
    assert large is not None and large.nbytes <= MOST_BYTES and large.shape[1] > 1900


def test_the_reading_process_loads_no_models() -> None:
    code = "import sys, vision.camera.process; print(sorted({'onnxruntime', 'torch', 'flask'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_command_lists_one_camera_per_line(capsys: pytest.CaptureFixture[str]) -> None:
    from webui.cli import main

    assert main(["cameras"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    cameras = list_cameras()
    assert len(lines) == max(1, len(cameras))
    for (number, name), line in zip(cameras, lines, strict=False):
        assert line.startswith(str(number)) and name in line
