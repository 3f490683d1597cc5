"""The page cannot be shut out: idle, slow and vanished connections, on the real server."""

import contextlib
import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest
from webui_serving import SEATS, Visitor, command, environment, serving

from webui.app import create_app
from webui.people.phones import Phones
from webui.people.roles import Role
from webui.people.signatures import PHONE_COOKIE
from webui.serving.connections import MOST_OF_A_PHONE, MOST_STRANGERS, SILENT_S, Connection, Connections
from webui.serving.front import Front
from webui.serving.server import listen_on, server_of
from webui.table.live import LiveTable

PATIENCE_S = SILENT_S + 20  # the machine may be busy


@pytest.fixture
def open_sockets() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def cookies(folder: Path, count: int) -> list[str]:
    """The Cookie headers of so many joined phones, at the table that will be served from `folder`."""
    phones = Phones(folder / "evening.sqlite3")
    return [f"{PHONE_COOKIE}={phones.cookie(phones.join(Role.PLAYER).id)}" for _ in range(count)]


@contextlib.contextmanager
def table(folder: Path) -> Iterator[tuple[str, int]]:
    """A table in `folder`: the address of its page, and the port."""
    with serving(folder, *SEATS, "--db", folder / "evening.sqlite3") as server:
        yield server.address, int(server.address.rstrip("/").rsplit(":", 1)[1])


@contextlib.contextmanager
def fronted(table: LiveTable) -> Iterator[tuple[Front, int]]:
    """The front of a table's application, which knows nobody, and the port where it answers."""
    listening = listen_on("127.0.0.1", 0)
    front = Front(create_app(table), lambda _: None, lambda *_: 0, table.changes)
    server = server_of(front)
    serving = threading.Thread(target=server.run, args=([listening],))
    serving.start()
    try:
        yield front, listening.getsockname()[1]
    finally:
        server.should_exit = True
        serving.join()
        front.end()


def connected(sockets: contextlib.ExitStack, port: int, source: str = "127.0.0.1") -> socket.socket:
    peer = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S, source_address=(source, 0))
    return sockets.enter_context(peer)


def ask(peer: socket.socket, path: str, cookie: str = "") -> None:
    own = f"Cookie: {cookie}\r\n" if cookie else ""
    peer.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{own}\r\n".encode())


def answered(sockets: contextlib.ExitStack, port: int, cookie: str = "") -> socket.socket:
    """A connection that has asked for a picture of the page, and got it."""
    peer = connected(sockets, port)
    ask(peer, "/static/icon.svg", cookie)
    heard(peer, b"</svg>")
    return peer


def heard(peer: socket.socket, words: bytes) -> bytes:
    """What `peer` is sent, once `words` are in it."""
    said = b""
    until_s = time.monotonic() + PATIENCE_S
    while words not in said:
        assert time.monotonic() < until_s, f"{words!r} is not said: {said[-500:]!r}"
        piece = peer.recv(65536)
        assert piece, f"closed; {words!r} was not said: {said[-500:]!r}"
        said += piece
    return said


def is_closed(peer: socket.socket, within_s: float = 0.0) -> bool:
    """Whether the server has closed the connection, or does so `within_s`."""
    until_s = time.monotonic() + within_s
    while select.select([peer], [], [], max(0.0, until_s - time.monotonic()))[0]:
        try:
            if not peer.recv(65536):
                return True
        except ConnectionError:
            return True
    return False


def test_beside_hundreds_of_silent_connections_a_page_is_answered(tmp_path, open_sockets):
    with table(tmp_path) as (address, port):
        for _ in range(2 * MOST_STRANGERS):
            connected(open_sockets, port)
        assert "Anna" in Visitor(address).get("?lang=en")


@pytest.mark.slow
def test_forty_phones_with_five_connections_and_a_stream_each_hear_the_news(tmp_path, open_sockets):
    """They share one address, as behind a club's router."""
    phones = cookies(tmp_path, 40)
    with table(tmp_path) as (address, port):
        streams = []
        for cookie in phones:
            for _ in range(5):
                answered(open_sockets, port, cookie)
            streams.append(connected(open_sockets, port))
            ask(streams[-1], "/stream?lang=en", cookie)
            heard(streams[-1], b"event: state")
        Visitor(address).post("plays", player="Bo", card="S7")
        for stream in streams:
            heard(stream, b"7 of spades")


@pytest.mark.slow
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
        b"POST /plays HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
    ],
    ids=["nothing", "header", "body"],
)
def test_a_request_that_does_not_end_is_ended(begun, tmp_path, open_sockets):
    with table(tmp_path) as (_, port):
        peer = connected(open_sockets, port)
        peer.sendall(begun)
        for _ in range(int(4 * PATIENCE_S)):
            if is_closed(peer, 0.25):
                return
            if begun:
                with contextlib.suppress(ConnectionError):
                    peer.sendall(b"x")
        pytest.fail("it was never closed")


def test_no_piece_of_an_answer_waits_for_an_acknowledgement(playing, monkeypatch, open_sockets):
    """Without TCP_NODELAY every answer on a kept connection comes 40 ms late: it is sent in two pieces."""
    found: list[int] = []
    recognise = Connections.recognise

    def look(connections: Connections, connection: Connection, phone: str | None) -> None:
        peer = connection.transport.get_extra_info("socket")
        found.append(peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        recognise(connections, connection, phone)

    monkeypatch.setattr(Connections, "recognise", look)
    with fronted(playing) as (_, port):
        answered(open_sockets, port)
    assert found and all(found)


def test_the_camera_waits_for_a_page_that_was_sent_whole(playing, open_sockets):
    with fronted(playing) as (front, port):
        peer = connected(open_sockets, port)
        ask(peer, "/laptop/spent")
        heard(peer, b"HTTP/1.1 40")
        assert not front.shown.is_set()
        ask(connected(open_sockets, port), "/static/icon.svg")
        assert front.shown.wait(60)


@pytest.mark.slow
def test_a_connection_that_rests_after_its_answer_is_closed(tmp_path, open_sockets):
    with table(tmp_path) as (_, port):
        peer = answered(open_sockets, port)
        assert not is_closed(peer)
        assert is_closed(peer, PATIENCE_S)


@pytest.mark.slow
def test_a_phone_listens_with_one_page_and_the_newest_goes_first(tmp_path, open_sockets):
    (anna, bo) = cookies(tmp_path, 2)
    with table(tmp_path) as (_, port):
        first, other, second = (connected(open_sockets, port) for _ in range(3))
        for peer, cookie in ((first, anna), (other, bo), (second, anna)):
            ask(peer, "/stream", cookie)
            heard(peer, b"event: state")
        heard(first, b"event: elsewhere")
        for peer in (other, second):
            assert b"elsewhere" not in heard(peer, b"event: alive")


@pytest.mark.slow
def test_strangers_make_room_for_each_other_and_take_none_from_phones(tmp_path, open_sockets):
    """The joined phone has the same address; its silence is news."""
    (anna,) = cookies(tmp_path, 1)
    with table(tmp_path) as (_, port):
        phone = connected(open_sockets, port)
        ask(phone, "/stream", anna)
        heard(phone, b"event: state")
        first = connected(open_sockets, port)
        for _ in range(MOST_STRANGERS):
            connected(open_sockets, port)
        answered(open_sockets, port)
        assert is_closed(first, SILENT_S / 2)
        heard(phone, b"event: alive")


def test_who_holds_the_most_connections_loses_one_first(tmp_path, open_sockets):
    with table(tmp_path) as (_, port):
        try:
            modest = connected(open_sockets, port, "127.0.0.2")
        except OSError:
            pytest.skip("this machine has one loopback address")
        greedy = [connected(open_sockets, port) for _ in range(MOST_STRANGERS + 5)]
        assert is_closed(greedy[0], SILENT_S / 2)
        assert not is_closed(modest)


def test_one_phone_holds_no_more_connections_than_it_needs(tmp_path, open_sockets):
    (anna,) = cookies(tmp_path, 1)
    with table(tmp_path) as (_, port):
        peers = [answered(open_sockets, port, anna) for _ in range(MOST_OF_A_PHONE + 1)]
        assert is_closed(peers[0], 2)
        assert not is_closed(peers[-1])


def test_those_who_do_not_read_what_they_asked_for_hold_nobody_up(tmp_path, open_sockets):
    with table(tmp_path) as (address, port):
        for _ in range(12):
            peer = open_sockets.enter_context(socket.socket())
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.connect(("127.0.0.1", port))
            ask(peer, "/source.zip")
        assert "Anna" in Visitor(address).get("?lang=en")


@pytest.mark.slow
def test_a_long_answer_reaches_a_slow_reader_whole(tmp_path):
    with table(tmp_path) as (address, _):
        visitor = Visitor(address)
        with visitor.opener.open(address + "source.zip", timeout=PATIENCE_S) as answer:
            whole = int(answer.headers["Content-Length"])
            assert len(answer.read(100_000)) == 100_000
            time.sleep(SILENT_S + 3)
            assert 100_000 + len(answer.read()) == whole


def test_an_entry_that_is_too_large_is_refused_in_words(tmp_path):
    with table(tmp_path) as (address, _):
        visitor = Visitor(address)
        with pytest.raises(urllib.error.HTTPError, match="413") as refused:
            visitor.post("plays", player="Bo", card="S" * 300_000)
        assert "intet er skrevet" in json.loads(refused.value.read())["message"]
        visitor.post("plays", player="Bo", card="S7")  # it goes on


# ---- phones that vanish: two network namespaces with a cable between them, which is pulled ----

IP = shutil.which("ip")


@pytest.fixture
def cable() -> Iterator[tuple[str, str]]:
    """The names of two network namespaces, the table's (10.99.0.1) and the phones'."""
    if not (sys.platform == "linux" and IP and os.geteuid() == 0):
        pytest.skip("no network can be made here")
    here, there = f"tarok-table-{os.getpid()}", f"tarok-phones-{os.getpid()}"
    made = [f"netns add {here}", f"netns add {there}"]
    made.append(f"link add eth0 netns {here} type veth peer name eth0 netns {there}")
    for name, address in ((here, "10.99.0.1/24"), (there, "10.99.0.2/24")):
        made += [f"-n {name} addr add {address} dev eth0"]
        made += [f"-n {name} link set {link} up" for link in ("lo", "eth0")]
    try:
        for words in made:
            if subprocess.run([IP, *words.split()], capture_output=True).returncode:
                pytest.skip("no network can be made here")
        yield here, there
    finally:
        for name in (here, there):
            subprocess.run([IP, "netns", "del", name], capture_output=True)


LISTEN = """
import socket, sys, time
peers = []
for line in sys.stdin:
    peer = socket.create_connection(("10.99.0.1", int(sys.argv[1])))
    peer.sendall(f"GET /stream HTTP/1.1\\r\\nHost: 10.99.0.1\\r\\nCookie: {line.strip()}\\r\\n\\r\\n".encode())
    assert b" 200 " in peer.recv(65536)
    peers.append(peer)
print("listening", flush=True)
time.sleep(600)
"""


@pytest.mark.slow
def test_phones_that_vanish_are_noticed(cable, tmp_path):
    """The cable is pulled, so that no goodbye arrives, and the table's end of it stays up."""
    here, there = cable
    joined = cookies(tmp_path, 40)
    served = command("serve", "none", "--no-browser", "--host", "10.99.0.1", "--port", 0, *SEATS)
    served += ["--db", str(tmp_path / "evening.sqlite3")]
    within = [str(IP), "netns", "exec"]
    with contextlib.ExitStack() as stack:
        table = subprocess.Popen(
            [*within, here, *served], env=environment(tmp_path), stdout=subprocess.PIPE, text=True
        )
        stack.callback(table.wait)
        stack.callback(table.kill)
        found = re.search(r":(\d+)/", table.stdout.readline())

        def held() -> int:
            """Connections to the phones that the table's side still has."""
            shown = subprocess.run(
                [*within, here, "cat", "/proc/net/tcp"], capture_output=True, text=True, check=True
            ).stdout
            return len(re.findall(r" 0200630A:\w+ 01 ", shown))

        phones = subprocess.Popen(
            [*within, there, sys.executable, "-c", LISTEN, found[1]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        stack.callback(phones.wait)
        stack.callback(phones.kill)
        phones.stdin.write("\n".join(joined) + "\n")
        phones.stdin.close()
        assert phones.stdout.readline() == "listening\n"
        assert held() == 40
        subprocess.run([str(IP), "-n", there, "addr", "del", "10.99.0.2/24", "dev", "eth0"], check=True)
        pulled_s = time.monotonic()
        while held() and time.monotonic() - pulled_s < 90:
            time.sleep(1)
        print(f"noticed after {time.monotonic() - pulled_s:.0f} s")
        assert held() == 0
