"""A camera in the local network: which addresses are taken, how fresh its pictures are, and what is wrong with it."""

import http.server
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from network_camera import NetworkCamera, number_of, striped
from rtsp_camera import RtspCamera

from vision.camera.address import CameraUnreached, numeric_address, shown_address, whole_address
from vision.camera.asking import why_unopened
from vision.camera.capture import Camera, frames
from vision.errors import CameraLost

KINDS = pytest.mark.parametrize("kind", [NetworkCamera, RtspCamera], ids=["http", "rtsp"])


@pytest.mark.parametrize(
    ("source", "taken"),
    [
        ("http://192.168.1.20:8080/video?x=1#y", "http://192.168.1.20:8080/video?x=1"),
        ("rtsp://10.0.0.5/live", "rtsp://10.0.0.5:554/live"),
        ("http://localhost", "http://127.0.0.1:80"),
        ("http://[fe80::7]:81/", "http://[fe80::7]:81/"),
        ("http://an na:a%40b/c@172.31.255.1/", "network_form"),
        ("http://anna:a%40b@172.31.255.1/", "http://anna:a%40b@172.31.255.1:80/"),
        ("http://8.8.8.8/video", "network_outside"),
        ("http://172.32.0.1/", "network_outside"),
        ("http://100.64.0.1/", "network_outside"),
        ("rtsp://[2001:db8::1]/", "network_outside"),
        ("http://[::ffff:8.8.8.8]/", "network_outside"),
        ("http://134744072/video", "network_outside"),  # 8.8.8.8 as one number
        ("http://127.0.0.1\\@8.8.8.8/", "network_form"),
        ("http://127.0.0.1:0/", "network_form"),
        ("http://127.0.0.1:x/", "network_form"),
        ("http:///video", "network_form"),
        ("file:///etc/passwd", "network_form"),
        ("https://192.168.1.20/", "network_form"),
        ("http://192.168.1.20/vidéo", "network_form"),
        ("http://nothing.invalid/video", "network_name"),
    ],
)
def test_an_address_is_taken_in_numbers_where_it_is_in_the_local_network(source: str, taken: str) -> None:
    try:
        found = numeric_address(source)
    except CameraUnreached as error:
        found = error.problem
    assert found == taken


@pytest.mark.parametrize(
    "source",
    [
        "http://anna:secret@192.168.1.20:8080/video",
        "rtsp://anna:://secret@192.168.1.20:8080/video",
        "http://192.168.1.20:8080/video?user=anna&password=secret#secret",
        "rtsp://192.168.1.20:8080/user=anna&password=secret&channel=1",
        "anna:secret@192.168.1.20:8080/video",
        "http//anna:secret@192.168.1.20/video",
        "anna:secret@http://192.168.1.20/video",
    ],
)
def test_nobody_is_shown_a_name_or_a_password(source: str) -> None:
    shown = shown_address(source)
    assert "192.168.1.20" in shown and "anna" not in shown and "secret" not in shown
    assert "secret" not in str(CameraUnreached(source, "network_silent"))


def test_what_an_app_shows_becomes_a_whole_address() -> None:
    assert whole_address("192.168.1.20:8080/video") == "http://192.168.1.20:8080/video"
    assert whole_address("rtsp://10.0.0.5/a", "anna", "p@ss/") == "rtsp://anna:p%40ss%2F@10.0.0.5/a"
    assert whole_address("http://x:y@10.0.0.5", "anna") == "http://anna:@10.0.0.5"


@pytest.mark.slow
@KINDS
def test_the_first_picture_is_the_newest_and_so_is_each_after_a_pause_and_the_older_ones_are_dropped(
    kind: type[NetworkCamera | RtspCamera],
) -> None:
    taken = []
    with kind(striped) as source, Camera(source.url) as camera:
        assert camera.size == (160, 120)
        for pause_s in (0.8, 0.0, 0.0):
            picture, taken_s = camera.newest()
            assert (source.sent - number_of(picture)) % 150 <= 4
            taken.append((number_of(picture), taken_s))
            time.sleep(pause_s)
    (first, first_s), (second, second_s), (third, _) = taken
    assert first + 6 < second < third and second_s - first_s > 0.5


@pytest.mark.slow
def test_a_network_that_was_lost_is_told_of_and_the_camera_can_be_opened_again() -> None:
    with RtspCamera(striped) as source:
        with pytest.raises(CameraLost, match="sends no pictures"):
            for count, _ in enumerate(frames(source.url)):
                if count == 3:
                    source.shoot = lambda _: None
        source.shoot = striped
        assert next(frames(source.url)).picture.shape == (120, 160, 3)


@pytest.mark.slow
@KINDS
def test_a_name_and_a_password_are_asked_for_and_taken(kind: type[NetworkCamera | RtspCamera]) -> None:
    with kind(striped, password="anna:s@cret") as source:
        host = source.url.partition("://")[2]
        for login, problem in (
            ("", "network_password"),
            ("anna:s%40cret@", ""),
            ("anna:guess@", "network_password"),
        ):
            address = source.url.replace(host, login + host)
            try:
                with Camera(address) as camera:
                    camera.newest()
                    assert camera.name == source.url and not problem
            except CameraUnreached as error:
                assert error.problem == problem and "guess" not in str(error)


class Answers(http.server.BaseHTTPRequestHandler):
    """Answers each path with what it names: /status/content-type."""

    def do_GET(self) -> None:
        """What is at the path."""
        status, _, kind = self.path[1:].partition("/")
        self.send_response(int(status))
        self.send_header("Content-Type", kind)
        self.send_header("Location", "http://8.8.8.8/")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    """The address of a server that sends no video."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("404/text/html", "network_path"),
        ("302/text/html", "network_path"),
        ("401/text/html", "network_password"),
        ("200/text/html", "network_not_video"),
        ("200/image/jpeg", "network_still"),
        ("200/multipart/x-mixed-replace", "network_stalled"),
        ("503/text/html", "network_stalled"),
    ],
)
def test_what_a_server_without_video_answers_is_told(web: str, path: str, problem: str) -> None:
    assert why_unopened(f"http://{web}/{path}") == problem


def test_why_nothing_comes_is_told_by_the_process_that_reads_the_camera(web: str) -> None:
    cases = {f"http://{web}/404/x": "network_path", f"http://{web}/200/image/jpeg": "network_still"}
    for address, problem in cases.items():
        with pytest.raises(CameraUnreached) as caught:
            Camera(address)
        assert caught.value.problem == problem and address in str(caught.value)


@pytest.mark.slow
def test_silence_a_closed_port_and_another_program_are_told_apart(web: str) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        number = silent.getsockname()[1]
        assert why_unopened(f"rtsp://127.0.0.1:{number}/") == "network_silent"
    assert why_unopened(f"rtsp://127.0.0.1:{number}/") == "network_closed"
    assert why_unopened(f"http://127.0.0.1:{number}/") == "network_closed"
    assert why_unopened(f"rtsp://{web}/") == "network_not_video"
    with RtspCamera(striped) as source:
        assert why_unopened(source.url) == "network_stalled"
        assert why_unopened(source.url.replace("live", "dead")) == "network_path"
