"""The address of a camera in the local network, such as a phone: what is taken, how it is shown, why nothing comes.

It needs the standard library alone.
"""

import base64
import http.client
import ipaddress
import re
import socket
import urllib.error
import urllib.request
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

from vision.errors import VisionError

FAULTS: Final = {
    "network_form": "is no address of a camera; it is written as http://192.168.1.20:8080/video or rtsp://…",
    "network_outside": "is not in the local network; only a camera in it is taken",
    "network_name": "is in no network that is reached from here; write the address in numbers",
    "network_silent": "does not answer",
    "network_closed": "answers, but no camera app sends there",
    "network_path": "answers, but has no video at this address",
    "network_password": "asks for a name and a password, or those given are wrong",
    "network_still": "gives a single picture at this address, and no video",
    "network_not_video": "sends something at this address that is no video",
    "network_stalled": "answers, but sends no pictures",
}
"""What is wrong with a camera in the network, by key."""

_PORTS: Final = {"http": 80, "rtsp": 554}
_LOCAL: Final = [
    ipaddress.ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
        *("fc00::/7", "fe80::/10", "::1/128"),
    )
]
"""Private, link-local and loopback addresses (RFC 1918, 3927, 4193, 4291)."""
_ASK_S: Final = 3.0


class CameraUnreached(VisionError):  # noqa: N818 - what a camera does, not an error of the program
    """A camera in the network cannot be used; `problem` is a key of `FAULTS`."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(f"{shown_address(source)}: {FAULTS[problem]}")
        self.problem = problem


def is_in_network(source: str | int) -> bool:
    """Whether `source` is an address, and no camera of this computer, nor a file."""
    return isinstance(source, str) and "://" in source


def shown_address(source: str) -> str:
    """`source` as people may see it: without name and password, wherever an address has them."""
    scheme, mark, rest = source.partition("://") if "://" in source else ("", "", source)
    host, slash, path = re.split(r"[?#]", rest.rpartition("@")[2])[0].partition("/")
    return f"{scheme.rpartition('@')[2]}{mark}{host}{slash}{path if '=' not in path else '…'}"


def whole_address(host: str, name: str = "", password: str = "") -> str:
    """The address in the words `host`, http where it does not say, for who logs in with `name` and `password`.

    Raises `CameraUnreached`.
    """
    address = host if "://" in host else f"http://{host}"
    parts = _parts(address)
    if name or password:
        login = f"{quote(name, safe='')}:{quote(password, safe='')}@"
        address = parts._replace(netloc=login + parts.netloc.rpartition("@")[2]).geturl()
    return address


def numeric_address(source: str) -> str:
    """`source` with its host in numbers, so that nothing asks for the host's name again.

    Raises `CameraUnreached` where it is no address, or has no host in the local network.
    """
    parts = _parts(source)
    port = parts.port or _PORTS[parts.scheme]
    try:
        answers = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise CameraUnreached(source, "network_name") from None
    numbers = sorted({str(answer[4][0]) for answer in answers if is_local(str(answer[4][0]))})
    if not numbers:
        raise CameraUnreached(source, "network_outside")
    number = next((one for one in numbers if ":" not in one), f"[{numbers[0]}]")
    return parts._replace(netloc=f"{_login(parts)}{number}:{port}", fragment="").geturl()


def is_local(number: str) -> bool:
    """Whether an IP address in numbers is private, link-local or loopback."""
    address = ipaddress.ip_address(number)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return any((mapped or address) in network for network in _LOCAL)


def why_unopened(source: str) -> str:
    """A key of `FAULTS`: what a camera at a `numeric_address` answers that sends no video; takes seconds."""
    parts = urlsplit(source)
    try:
        return _asked_by_http(parts) if parts.scheme == "http" else _asked_by_rtsp(parts)
    except urllib.error.HTTPError as error:
        return _refusal(error.code)
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = getattr(error, "reason", error)
        if isinstance(cause, ConnectionRefusedError):
            return "network_closed"
        return "network_silent" if isinstance(cause, OSError) else "network_not_video"


def _parts(address: str) -> SplitResult:
    """An address in its parts. Raises `CameraUnreached` where it is none."""
    try:
        parts = urlsplit(address)
        known = parts.scheme in _PORTS and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        known = None
    if not known or not address.isascii() or not address.isprintable() or re.search(r"[\s\\]", address):
        raise CameraUnreached(address, "network_form")
    return parts


def _login(parts: SplitResult) -> str:
    """Name and password as they stand in an address, with the @; "" where it has none."""
    if parts.username is None and parts.password is None:
        return ""
    return f"{_quoted(parts.username)}:{_quoted(parts.password)}@"


def _quoted(word: str | None) -> str:
    return quote(unquote(word or ""), safe="")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A camera that sends on to another address may send on to any."""

    def redirect_request(self, *_: object) -> None:
        return None


def _asked_by_http(parts: SplitResult) -> str:
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    logins = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if parts.username is not None:
        logins.add_password(None, bare, unquote(parts.username), unquote(parts.password or ""))
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        _NoRedirect,
        urllib.request.HTTPBasicAuthHandler(logins),
        urllib.request.HTTPDigestAuthHandler(logins),
    )
    with opener.open(bare, timeout=_ASK_S) as answer:
        kind = answer.headers.get_content_type()
    if kind.startswith("image/"):
        return "network_still"
    return "network_stalled" if kind == "multipart/x-mixed-replace" else "network_not_video"


def _asked_by_rtsp(parts: SplitResult) -> str:
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    lines = [f"DESCRIBE {bare} RTSP/1.0", "CSeq: 1", "Accept: application/sdp"]
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        lines.append(f"Authorization: Basic {base64.b64encode(login).decode()}")
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=_ASK_S) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b""
        while len(answer) < 1 << 16 and not (b"\r\n\r\n" in answer and b"m=video" in answer):
            try:
                part = line.recv(4096)
            except TimeoutError:
                break
            if not part:
                break
            answer += part
    if not answer:
        return "network_silent"
    status = re.match(rb"RTSP/\d\.\d (\d{3})\b", answer)
    if status is None:
        return "network_not_video"
    if status[1] != b"200":
        return _refusal(int(status[1]))
    return "network_stalled" if b"m=video" in answer else "network_not_video"


def _refusal(status: int) -> str:
    """What a status says that is no success, in HTTP and in RTSP."""
    if status in (401, 403):
        return "network_password"
    return "network_path" if status < 500 else "network_stalled"
