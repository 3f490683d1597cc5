"""A phone as the camera: its address is tried on the set-up page, chosen, remembered, lost and found again."""

import json
import re
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from network_camera import NetworkCamera, Picture
from rtsp_camera import RtspCamera
from test_set_up import SettingUp
from webui_camera import HEALTH, seen
from webui_deals import OPENED, SIDES
from webui_until import until

from tracker.store import EventStore
from vision.camera.capture import frames
from vision.camera.trial import CameraTrial
from vision.watching.eyes import WatchUpdate
from webui.camera.loop import CameraLoop
from webui.camera.tried import TriedCamera
from webui.cli import main
from webui.table.backup import make_backup
from webui.table.live import LiveTable
from webui.texts import PROBLEMS, text


def table_of(width: int, height: int, noise: int = 40) -> Picture:
    """A grainy table."""
    return np.random.default_rng(1).integers(60, 60 + noise, (height, width, 3), dtype=np.uint8)


LARGE, SMALL = table_of(960, 720, 20), table_of(320, 240)


@pytest.fixture
def table(empty: LiveTable) -> SettingUp:
    """The set-up of a table at which nobody has played."""
    return SettingUp(empty, None)


def tried(table: SettingUp, address: str, **login: str) -> str:
    """What the page says of the camera at `address` once it was tried."""
    assert table.go("/setup/camera/try", address=address, **login) == "/setup/camera"
    assert table.cameras.trying.stop()
    return table.page.text("/setup/camera/seen")


@pytest.mark.slow
def test_a_phone_that_works_is_shown_with_its_figures_chosen_and_remembered(table: SettingUp) -> None:
    with NetworkCamera(lambda _: LARGE, password="anna:s@cret") as phone:
        host = phone.url.removeprefix("http://")
        words = tried(table, host, login="anna", password="s@cret")
        assert re.search(r"960×720 · \d+ pictures a second, at most \d+ ms apart · sharpness [1-9]", words)
        picture = table.page.client.get("/setup/camera/tried.jpg")
        assert picture.mimetype == "image/jpeg" and len(picture.get_data()) > 1000
        assert table.table.choices.camera == ""  # it was only tried
        assert table.go("/setup/camera", source="tried") == "/setup/camera"
        assert table.cameras.source == table.table.choices.camera == f"http://anna:s%40cret@{host}"
    for path in ("/setup/camera", "/setup/camera/seen", "/setup/ready", "/"):
        page = table.page.client.get(path).get_data(as_text=True)
        assert "s@cret" not in page and "s%40cret" not in page and "anna" not in page, path
    assert phone.url in table.page.client.get("/setup/camera").get_data(as_text=True)
    path = table.table.path
    with (
        closing(EventStore(path)) as store,
        zipfile.ZipFile(BytesIO(make_backup(store, path.parent))) as backup,
    ):
        assert json.loads(backup.read("host.json"))["camera"] == ""


@pytest.mark.slow
def test_what_is_wrong_with_an_address_is_said_in_words(table: SettingUp) -> None:
    with NetworkCamera(lambda _: LARGE, password="anna:secret") as phone:
        words = tried(table, phone.url, login="anna", password="guess")
        assert PROBLEMS["network_password"] in words and "guess" not in words
    words = tried(table, phone.url)
    # Nothing is played yet, and nobody tries again but the host.
    assert PROBLEMS["network_closed"] in words and "keeps trying" not in words and "Meanwhile" not in words
    assert PROBLEMS["network_outside"] in tried(table, "http://8.8.8.8/video")
    assert table.go("/setup/camera/try", address="my phone") == PROBLEMS["network_form"]
    assert table.go("/setup/camera/try", address="") == "Type the address."
    assert "is not a camera's number" in table.go("/setup/camera", source="tried")


def test_what_is_too_small_or_too_slow_is_said_with_its_figures(table: SettingUp) -> None:
    def told(trial: CameraTrial) -> str:
        table.cameras.trying.tried = TriedCamera("http://10.0.0.1", trial)
        return table.page.text("/setup/camera/seen")

    good = CameraTrial((1280, 720), LARGE, 24.0, 0.09, 20.0)
    words = told(good)
    assert "1280×720 · 24 pictures a second, at most 90 ms apart · sharpness 20" in words
    assert "router" not in words and "only" not in words.lower()
    assert "only 640×480" in told(CameraTrial((640, 480), LARGE, 24.0, 0.09, 20.0))
    assert "too slowly from the network: 3 a second" in told(CameraTrial((1280, 720), LARGE, 3.2, 0.4, 20.0))
    assert "720 · 1 picture a second, at most" in told(CameraTrial((1280, 720), LARGE, 1.2, 0.9, 20.0))
    assert "up to 1300 ms apart" in told(CameraTrial((1280, 720), LARGE, 24.0, 1.3, 20.0))


@pytest.mark.slow
def test_a_lost_phone_is_told_of_calmly_and_comes_back_by_itself(
    table: SettingUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.camera.loop._REOPEN_AFTER_S", 0.2)
    live = table.table
    with RtspCamera(lambda _: SMALL) as phone:
        pictures = lambda: (frame.picture for frame in frames(phone.url))  # noqa: E731
        loop = CameraLoop(live, lambda: iter(()), reopen=True, in_network=True, look=pictures)
        loop.start()
        until(lambda: live.camera.status.state == "waiting" and live.camera.picture is not None)
        phone.shoot = lambda _: None  # its screen is locked
        until(lambda: live.camera.status.problem == "network_lost")
        assert live.camera.status.reopens and live.camera.status.problem.startswith("network_")
        phone.shoot = lambda _: SMALL
        until(lambda: live.camera.status.state == "waiting")
        loop.stop()


@pytest.mark.parametrize(
    ("time_s", "frames_per_s", "latency_s", "told"),
    [
        (1.0, 0.0, 0.1, False),  # the first picture
        (9.0, 0.4, 2.3, False),  # the computer is busy with each
        (9.0, 2.0, 0.3, False),  # and with other programs
        (9.0, 0.4, 0.1, True),
        (9.0, 12.0, 0.1, False),
    ],
)
def test_the_network_is_called_slow_once_that_is_known_and_where_the_computer_is_not_busy(
    table: SettingUp, time_s: float, frames_per_s: float, latency_s: float, told: bool
) -> None:
    live = table.table
    live.open_evening(OPENED, SIDES)
    busy = ("slow",) if latency_s > 0.2 else ()
    health = replace(HEALTH, frames_per_s=frames_per_s, latency_s=latency_s, advice=busy)
    update = replace(seen(time_s=time_s), health=health)
    said: list[tuple[str, ...]] = []

    def source() -> Iterator[WatchUpdate]:
        while True:
            yield update
            said.append(live.camera.status.advice)
            time.sleep(0.01)

    loop = CameraLoop(live, source, reopen=True, in_network=True)
    loop.start()
    until(lambda: said)
    loop.stop()
    assert said[0] == (("network_slow",) if told else busy)


@pytest.mark.parametrize("lang", ["en", "da"])
def test_the_guide_has_its_drawings_and_says_what_each_message_means(table: SettingUp, lang: str) -> None:
    body = table.page.client.get(f"/phone-camera?lang={lang}").get_data(as_text=True)
    drawings = re.findall(r'<img src="(guide/[^"]+)"', body)
    assert len(drawings) == 2 and 'href="/host-guide"' in body and ".md" not in body
    for drawing in drawings:
        assert table.page.client.get(f"/{drawing}").mimetype == "image/svg+xml"
    with table.page.client.application.test_request_context(f"/?lang={lang}"):
        said = {key: text(sentence) for key, sentence in PROBLEMS.items() if key.startswith("network_")}
    del said["network_form"]  # it says itself what to do
    assert [key for key, sentence in said.items() if f"<td>{sentence}</td>" not in body] == []


@pytest.mark.slow
def test_the_command_tries_an_address_and_refuses_one_outside(capsys: pytest.CaptureFixture[str]) -> None:
    with RtspCamera(lambda _: SMALL, password="anna:secret") as phone:
        assert main(["cameras", phone.url.replace("//", "//anna:secret@")]) == 0
        assert re.match(rf"{phone.url}  320x240, \d+ pictures a second, at most", capsys.readouterr().out)
    for command in (["cameras"], ["serve"], ["watch", "--seats", "Anna@S,Bo@E,Carl@W"]):
        assert main([*command, "http://anna:secret@8.8.8.8/video"]) == 2
        said = capsys.readouterr().err
        assert said.startswith("tarok: http://8.8.8.8/video: is not in the local network")
        assert "secret" not in said and said.count("\n") == 1
