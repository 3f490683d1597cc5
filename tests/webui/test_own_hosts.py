"""A request is taken where it was sent to this laptop, and an entry where this very page sent it."""

import http.client
import ipaddress
import json
import socket
from pathlib import Path
from urllib.parse import urlencode

import pytest
from webui_serving import SEATS, Visitor, serving

from webui.serving.addresses import OwnHosts, card_addresses, is_same_origin


def asked(
    address: str, method: str, path: str, headers: dict[str, str], body: str = ""
) -> tuple[int, str, object]:
    """Status, words and headers of an answer, with exactly these `headers`."""
    port = int(address.rstrip("/").rsplit(":", 1)[1])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        connection.putheader(name, value)
    connection.endheaders(body.encode())
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), answer.headers


def test_a_name_that_is_not_the_laptops_is_refused_on_every_page(tmp_path: Path) -> None:
    with serving(tmp_path, *SEATS) as server:
        for path in ("", "state", "stream", "session.json", "camera.jpg", "static/table.css", "no"):
            foreign = {"Host": "table.evil.example"}
            status, words, headers = asked(server.address, "GET", f"/{path}?lang=en", foreign)
            assert status == 403, path
            assert words.startswith("This address does not belong to the table.") and "Anna" not in words
            assert headers["Content-Type"].startswith("text/plain") and "Set-Cookie" not in headers


def test_a_foreign_name_that_leads_to_the_laptop_closes_no_evening(tmp_path: Path) -> None:
    """DNS rebinding: for the browser the foreign page and this one are of one origin, tokens and all."""
    with serving(tmp_path, *SEATS) as server:
        visitor = Visitor(server.address)
        port = server.address.rstrip("/").rsplit(":", 1)[1]
        evil = f"evil.example:{port}"
        cookie = next(f"{one.name}={one.value}" for one in visitor.jar)
        token = visitor.token
        headers = {
            "Host": evil, "Origin": f"http://{evil}", "Sec-Fetch-Site": "same-origin",
            "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded",
        }  # fmt: skip
        assert asked(server.address, "POST", "/settle", headers, urlencode({"token": token}))[0] == 403
        assert "closed" not in json.dumps(json.loads(visitor.get("session.json")))
        own = {**headers, "Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
        status, *_ = asked(server.address, "POST", "/hands", own, urlencode({"token": token, "dealer": "Bo"}))
        assert status in (200, 303, 422)


def test_each_of_the_laptops_addresses_and_names_is_answered(tmp_path: Path) -> None:
    names = ["localhost", "LOCALHOST", "localhost.", "127.0.0.1", "127.1.2.3", "[::1]", socket.gethostname()]
    names += [f"[{one}]" if one.version == 6 else str(one) for one in card_addresses()]
    with serving(tmp_path) as server:
        port = server.address.rstrip("/").rsplit(":", 1)[1]
        for name in names:
            for host in (name, f"{name}:{port}"):
                assert asked(server.address, "GET", "/source", {"Host": host})[0] == 200, host


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:8000", "0.0.0.0", "[::]",
     "192.0.2.77", "localhost@evil.example", "evil.example@localhost", "localhost/", "localhost:x", "localhost:99999",
     "[", "127.1", "2130706433", "\x7f"],
)  # fmt: skip
def test_what_is_no_name_of_this_laptop(host: str) -> None:
    assert not OwnHosts().has(host)


def test_a_request_without_any_host_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert asked(server.address, "GET", "/", {})[0] in (400, 403)


def test_an_address_got_in_the_middle_of_the_evening_is_answered_and_one_lost_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = 100.0
    monkeypatch.setattr("webui.serving.addresses.time.monotonic", lambda: now_s)
    cards = [ipaddress.IPv4Address("192.168.1.7")]
    hosts = OwnHosts(lambda: [*cards])
    assert hosts.has("192.168.1.7:8000")
    cards[:] = [ipaddress.IPv4Address("10.0.0.7")]
    now_s += 2
    assert hosts.has("10.0.0.7:8000") and not hosts.has("192.168.1.7:8000")
    cards[:] = [ipaddress.IPv4Address("10.0.0.8")]
    now_s += 31
    assert not hosts.has("10.0.0.7")


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://localhost:8000", "localhost:8000", True),
        ("http://LOCALHOST:8000", "localhost:8000", True),
        ("http://localhost", "localhost:80", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("https://localhost:8000", "localhost:8000", False),
        ("http://localhost:8001", "localhost:8000", False),
        ("http://localhost", "localhost:8000", False),
        ("http://127.0.0.1:8000", "localhost:8000", False),
        ("ftp://localhost:8000", "localhost:8000", False),
        ("http://localhost:8000/x", "localhost:8000", False),
        ("http://me@localhost:8000", "localhost:8000", False),
        ("localhost:8000", "localhost:8000", False),
        ("null", "localhost:8000", False),
        ("", "localhost:8000", False),
    ],
)
def test_an_origin_is_compared_with_scheme_host_and_port(origin: str, host: str, same: bool) -> None:
    assert is_same_origin(origin, "http", host) is same
