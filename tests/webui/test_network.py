"""Nothing leaves the laptop: every socket of the program is watched, from its start to its end."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from club_server import ClubServer
from webui_serving import Visitor, address_of, command, environment, interruptible
from webui_until import until

from vision.resources import datasets_dir

STRACE = shutil.which("strace")
CAN_WATCH = STRACE and subprocess.run([STRACE, "-o", os.devnull, "true"], capture_output=True).returncode == 0
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CAN_WATCH, reason="no strace is installed, or it may not watch a process here"),
]

SEATS = "Anna@S,Bo@E,Carl@N,Dora@W"
DEMO = str(datasets_dir() / "demo" / "hand.mp4")


def outside(trace: str) -> list[str]:
    """The calls of a trace that reach for another machine, or for the name of one.

    A Unix socket, the kernel's own (netlink) and this machine's loopback are no other machine.
    """
    calls = [line for line in trace.splitlines() if re.search(r"\b(connect|sendto|sendmsg|sendmmsg)\(", line)]
    named = [line for line in calls if re.search(r"sa_family=AF_INET6?\b", line)]
    loopback = re.compile(r'inet_addr\("127\.|inet_pton\(AF_INET6, "::1"')
    return [line for line in named if "htons(53)" in line or not loopback.search(line)]


@pytest.mark.parametrize(
    ("line", "is_outside"),
    [
        ('7 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("20.42.65.1")}, 16) = 0', True),
        ('7 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0', True),
        ('7 sendto(3, "", 0, 0, {sa_family=AF_INET6, sin6_port=htons(9), inet_pton(AF_INET6, "fe80::1")}, 28)', True),
        ('7 connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0', False),
        ('7 connect(3, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT', False),
        ('7 sendto(5, [{nlmsg_len=20}], 20, 0, {sa_family=AF_NETLINK}, 12) = 20', False),
        ('7 bind(3, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16) = 0', False),
        ('7 sendto(9, "HTTP/1.1 200 OK", 15, 0, NULL, 0) = 15', False),
    ],
)  # fmt: skip
def test_what_is_outside_is_told_from_what_is_not(line: str, is_outside: bool) -> None:
    assert outside(line) == ([line] if is_outside else [])


@contextmanager
def watched(trace: Path, home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`tarok` with these words and all its files in `home`; its sockets are written down in `trace` to its end."""
    home.mkdir()
    own = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), str(home))
    kept_out = {key: value for key, value in environment(home).items() if key != "ORT_DISABLE_TELEMETRY"}
    process = subprocess.Popen(
        [str(STRACE), "-f", "-e", "trace=network", "-o", str(trace), *command(*words)],
        env={**kept_out, **own}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=interruptible,
    )  # fmt: skip
    try:
        yield process
        assert "+++ exited with" in trace.read_text()
    finally:
        process.kill()
        process.wait()


def interrupt(process: subprocess.Popen[str]) -> None:
    """Ctrl+C for the program, and not for what watches it."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGINT)


@pytest.mark.parametrize("name", ["demo", "serve", "watch", "enrol"])
def test_no_command_reaches_outside(name: str, tmp_path: Path, filmed: str) -> None:
    words = {
        "demo": ("demo", "--once", "--speed", "0", "--no-browser", "--port", "0"),
        "serve": ("serve", DEMO, "--seats", SEATS, "--port", "0", "--no-browser"),
        "watch": ("watch", filmed, "--seats", SEATS, "--every", "5"),
        "enrol": ("decks", "enrol", "Club", "--source", filmed, "--yes"),
    }[name]
    trace, home = tmp_path / "trace", tmp_path / "home"
    with watched(trace, home, *words) as process:
        assert process.stdout is not None
        if name in ("demo", "serve"):
            Visitor(address_of(process.stdout)).waits_for("pictures a second")
            time.sleep(2)
            interrupt(process)
        said = process.communicate(timeout=120)
        assert process.returncode in ((130, 0) if name in ("demo", "serve") else (0,)), said
    assert outside(trace.read_text()) == []
    # Nor is anything put by to be sent later.
    left = [str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()]
    assert [path for path in left if not path.startswith("tarok-table")] == []


def test_a_table_that_joined_a_club_reaches_for_its_server_alone(
    tmp_path: Path, club_server: ClubServer
) -> None:
    admin = club_server.admin()
    trace, home = tmp_path / "trace", tmp_path / "home"
    joining = ("--club", f"http://127.0.0.1:{club_server.port}", "--club-code", admin.new_code("Bord 1"))
    words = ("serve", "none", "--seats", SEATS, "--dealer", "Anna", "--port", "0", "--no-browser", *joining)
    with watched(trace, home, *words) as process:
        assert "Lauget" in process.stdout.readline()
        address_of(process.stdout)
        until(lambda: "Bord 1" in admin.get("/"))  # its evening has arrived
        interrupt(process)
        said = process.communicate(timeout=120)
        assert process.returncode in (130, 0), said
    text = trace.read_text()
    assert outside(text) == []
    reached = re.findall(r"\bconnect\(.*sa_family=AF_INET6?\b.*?htons\((\d+)\)", text)
    assert set(reached) == {club_server.port}
