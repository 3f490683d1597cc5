"""The program ends cleanly: on Ctrl+C in the middle of its work, and on whatever is asked of it before."""

import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote

import cv2
import numpy as np
import pytest
from webui_page import Page
from webui_serving import Visitor, address_of, command, environment, interruptible, ran_in, serving

from vision.camera.capture import frames
from vision.errors import VisionError
from vision.lab.rendering.video_file import VideoFile
from vision.resources import datasets_dir

SEATS = "Anna@S,Bo@E,Carl@N,Dora@W"
DEMO = str(datasets_dir() / "demo" / "hand.mp4")
SERVED = ("serve", DEMO, "--host", "127.0.0.1", "--seats", SEATS, "--no-browser")


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="no Ctrl+C can be sent to a process on this system"
)
@pytest.mark.parametrize(
    ("words", "wait_s", "again_s"),
    [(SERVED, 0.0, 0.1), (("demo", "--no-browser"), 0.3, 0.0), (SERVED, 1.0, 0.0005)],
    ids=["serve", "demo", "serve a second later"],
)
def test_ctrl_c_while_pictures_are_read_and_shown_ends_it_with_status_130(words, wait_s, again_s, tmp_path):
    """The time after the first picture differs, so that it hits the eyes in different places."""
    line = command(*words, "--port", 0)
    process = subprocess.Popen(
        line, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=interruptible,
    )  # fmt: skip
    try:
        assert process.stdout is not None and process.stderr is not None
        visitor = Visitor(address_of(process.stdout))
        visitor.waits_for("pictures a second")

        def look() -> None:
            while True:
                try:
                    visitor.opener.open(visitor.address + "camera.jpg", timeout=10).read()
                except (OSError, http.client.HTTPException):
                    return

        for _ in range(2):
            threading.Thread(target=look, daemon=True).start()
        time.sleep(wait_s)
        process.send_signal(signal.SIGINT)
        time.sleep(again_s)
        process.send_signal(signal.SIGINT)  # impatient
        assert process.wait(30) == 130
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.wait()


TOLD_TWICE = """
import os, signal, sys, time
from webui.serving.ending import EndedError, told_to_end, waiting_for_the_end
first, second = (getattr(signal, name) for name in sys.argv[2:])
try:
    with told_to_end():
        try:
            if sys.argv[1] != "waiting":
                try:
                    os.kill(os.getpid(), first)
                    time.sleep(60)
                except EndedError:
                    if sys.argv[1] == "interrupted":
                        raise
                    raise ImportError("a library failed to import")
            else:
                with waiting_for_the_end() as told:
                    os.kill(os.getpid(), first)
                    while not told():
                        time.sleep(0.01)
                    print("waited", flush=True)
        finally:
            os.kill(os.getpid(), second)
            time.sleep(0.2)
            print("ended in order", flush=True)
except EndedError as ended:
    os.kill(os.getpid(), second)
    time.sleep(0.2)
    print(ended.number == first, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal on this system")
@pytest.mark.parametrize(
    ("first", "second"), [("SIGINT", "SIGINT"), ("SIGHUP", "SIGTERM"), ("SIGTERM", "SIGINT")]
)
@pytest.mark.parametrize("how", ["interrupted", "turned into an error", "waiting"])
def test_the_first_signal_ends_the_program_and_no_later_one_interrupts_that(how, first, second, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", TOLD_TWICE, how, first, second],
        env=environment(tmp_path), capture_output=True, text=True, timeout=60, preexec_fn=interruptible,
    )  # fmt: skip
    waited = ["waited"] if how == "waiting" else []
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n") == [*waited, "ended in order", "True", ""]


TOLD_WHILE_PYTHON_ENDS = """
import os, signal, sys
from webui.serving.ending import EndedError, told_to_end

class Late:
    def __del__(self, kill=os.kill, pid=os.getpid(), number=signal.SIGHUP):  # when the interpreter is nearly gone
        kill(pid, number)

try:
    with told_to_end():
        os.kill(os.getpid(), signal.SIGTERM)
        while True:
            pass
except EndedError:
    pass
late = Late()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal on this system")
def test_nor_does_a_later_signal_kill_it_while_python_ends(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", TOLD_WHILE_PYTHON_ENDS],
        env=environment(tmp_path), capture_output=True, text=True, timeout=60, preexec_fn=interruptible,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_a_port_in_use_is_one_line_though_a_recording_would_be_watched(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        words = ("serve", DEMO, "--host", "127.0.0.1", "--seats", SEATS, "--port", other.getsockname()[1])
        done = ran_in(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1 and "the port is in use" in done.stderr


NUMBERS = ("0", "1", "999999999", "9" * 300, "9" * 5000, "\u0663", "-1")


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:10])
def test_no_number_in_an_address_is_an_error_inside(playing, number):
    page = Page(playing)
    rules = [rule for rule in page.client.application.url_map.iter_rules() if rule.arguments]
    assert len(rules) > 10
    for rule in rules:
        path = re.sub(r"<[^>]*>", quote(number), rule.rule)
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            form = {"token": page.token} if method == "POST" else None
            answer = page.client.open(path, method=method, data=form)
            assert answer.status_code < 500, path
            if number != "1" and "<int:" in rule.rule:
                assert answer.status_code >= 400, path
    assert page.client.get(f"/state?since={quote(number)}").status_code == 200
    assert page.client.get(f"/declare?player={quote(number)}").status_code == 200


@pytest.mark.parametrize(
    "target",
    ["//evil.example/x", "/\\evil.example", "\\\\evil.example", "/\t/evil.example/x", "/\n/x", "/\r\nSet-Cookie: a=b",
     "/\x00", "/\u2028/evil.example", "\t//evil.example", "https://evil.example", "javascript:alert(1)", "", "x",
     "/a\\..\\\\evil.example"],
)  # fmt: skip
def test_the_language_leads_nowhere_but_to_a_page_of_the_table(page, target):
    answer = page.client.get("/language/da", query_string={"to": target})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_the_language_leads_back_to_the_page_it_was_chosen_on(page):
    for path in ("/ledger", "/decks"):
        link = re.search(r'href="(/language/en[^"]*)"', page.html(path))
        assert page.client.get(link[1]).headers["Location"] == path
    assert "Payments of this hand" in page.html("/")


def picture(path: Path, height: int, width: int) -> str:
    cv2.imwrite(str(path), np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8))
    return str(path)


def damaged_film(path: Path) -> str:
    """Twenty pictures, the second half of the file gone."""
    with VideoFile(path, (320, 180), 10, codec="mjpeg") as film:
        for seed in range(20):
            film.write(np.random.default_rng(seed).integers(0, 255, (180, 320, 3), np.uint8))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return str(path)


@pytest.mark.parametrize(
    ("size", "command_line"),
    [
        ((1, 1280), ("watch", "{}", "--seats", SEATS)),
        ((1280, 1), ("watch", "{}", "--seats", SEATS)),
        ((1, 1280), ("decks", "enrol", "Club", "--yes", "--source", "{}")),
    ],
)
def test_a_picture_too_small_to_show_a_table_is_one_line_and_status_2(tmp_path, size, command_line):
    path = picture(tmp_path / "thin.png", *size)
    done = ran_in(tmp_path, *(word.format(path) for word in command_line))
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert line == f"tarok: {path}: has no readable picture of at least 16 px each way"


def test_what_a_damaged_recording_still_shows_is_written_and_the_rest_is_said(tmp_path):
    path = damaged_film(tmp_path / "cut.avi")
    done = ran_in(tmp_path, "watch", path, "--seats", SEATS, "--out", tmp_path / "hand.json")
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith(f"tarok: {path}: is damaged; it ends after ") and line.endswith(" of 20 pictures")
    assert (tmp_path / "hand.json").is_file()


@pytest.mark.parametrize("seed", range(8))
def test_no_damage_to_a_recording_is_a_traceback(tmp_path, seed):
    """Bytes changed anywhere in the file, and pieces of it set to nothing."""
    rng = np.random.default_rng(seed)
    path = Path(damaged_film(tmp_path / "bad.avi"))
    data = bytearray(path.read_bytes())
    for place in rng.integers(0, len(data) if seed % 2 else 3000, 60):
        data[place] = rng.integers(256)
    start = int(rng.integers(len(data)))
    data[start : start + 3000] = bytes(len(data[start : start + 3000]))
    path.write_bytes(data)
    try:
        for frame in frames(str(path)):
            assert frame.picture.dtype == np.uint8 and frame.picture.ndim == 3
    except VisionError as error:
        assert str(path) in str(error) and "\n" not in str(error)


def test_a_recording_that_is_damaged_is_said_on_the_page(tmp_path):
    path = damaged_film(tmp_path / "cut.avi")
    with serving(tmp_path, "--seats", SEATS, source=path) as server:
        words = Visitor(server.address).waits_for("Camera trouble")
        assert "The recording cannot be read to its end." in words and "is damaged; it ends after" in words
