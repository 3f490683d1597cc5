"""What names a camera: a number, a device, or an address in the local network, such as a phone's."""

import ipaddress
import re
import socket
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

from vision.errors import CameraLost, VisionError

FAULTS: Final = {
    "network_form": "is not an address of a camera; write one as http://192.168.1.20:8080/video or rtsp://…",
    "network_outside": "is not in the local network; only a camera in it is taken",
    "network_name": "is in no network that is reached from here; write the address in numbers",
    "network_silent": "does not answer",
    "network_closed": "answers, but no camera app sends there",
    "network_path": "answers, but has no video at this address",
    "network_password": "asks for a name and a password, or those given are wrong",
    "network_still": "gives a single picture at this address, and no video",
    "network_not_video": "sends something at this address that is no video",
    "network_stalled": "answers, but sends no pictures",
    "network_lost": "sends no more pictures",
}
"""What is wrong with a camera in the network, by key."""

_MOST_DIGITS: Final = 4
_PORTS: Final = {"http": 80, "rtsp": 554}
_LOCAL: Final = [
    ipaddress.ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
        *("fc00::/7", "fe80::/10", "::1/128"),
    )
]
"""Private, link-local and loopback addresses (RFC 1918, 3927, 4193, 4291)."""


class CameraUnreached(VisionError):  # noqa: N818 - what a camera does, not an error of the program
    """A camera in the network cannot be used; `problem` is a key of `FAULTS`."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(f"{shown_address(source)}: {FAULTS[problem]}")
        self.problem = problem


def network_fault(error: VisionError) -> str:
    """The key of `FAULTS` for an error of a camera in the network."""
    if isinstance(error, CameraUnreached):
        return error.problem
    return "network_lost" if isinstance(error, CameraLost) else "network_silent"


def is_in_network(source: str | int) -> bool:
    """Whether `source` is an address, and not a file or a camera of this computer."""
    return isinstance(source, str) and "://" in source


def is_camera(source: str | int) -> bool:
    """Whether `source` is a camera: a number (also as text of 4 digits at most), a device in /dev/, or an address.

    What lies in /dev/shm is a file.
    """
    if isinstance(source, int):
        return True
    is_device = source.startswith("/dev/") and not source.startswith("/dev/shm/")
    is_number = source.isdecimal() and len(source) <= _MOST_DIGITS
    return is_number or is_in_network(source) or is_device


def shown_address(source: str) -> str:
    """`source` as people may see it: without the name and password of an address."""
    scheme, mark, rest = source.partition("://") if "://" in source else ("", "", source)
    host, slash, path = re.split(r"[?#]", rest.rpartition("@")[2])[0].partition("/")
    return f"{scheme.rpartition('@')[2]}{mark}{host}{slash}{path if '=' not in path else '…'}"


def whole_address(host: str, name: str = "", password: str = "") -> str:
    """The address that a person typed as `host`, with `name` and `password`; http where it says nothing else.

    Raises `CameraUnreached` where it is no address.
    """
    address = host if "://" in host else f"http://{host}"
    parts = _parts(address)
    if name or password:
        login = f"{quote(name, safe='')}:{quote(password, safe='')}@"
        address = parts._replace(netloc=login + parts.netloc.rpartition("@")[2]).geturl()
    return address


def numeric_address(source: str) -> str:
    """`source` with its host as a number, so that the host's name is looked up only once.

    Raises `CameraUnreached` where it is no address, or its host is outside the local network.
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
    """Whether an IP address, given as a number, is private, link-local or loopback."""
    address = ipaddress.ip_address(number)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return any((mapped or address) in network for network in _LOCAL)


def check_address(source: str) -> None:
    """Raise `CameraUnreached` if `source` is no address, or one outside the local network."""
    try:
        numeric_address(source)
    except CameraUnreached as error:
        if error.problem in ("network_form", "network_outside"):
            raise


def _parts(address: str) -> SplitResult:
    """The parts of an address. Raises `CameraUnreached` where it is none."""
    try:
        parts = urlsplit(address)
        known = parts.scheme in _PORTS and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        known = None
    if not known or not address.isascii() or not address.isprintable() or re.search(r"[\s\\]", address):
        raise CameraUnreached(address, "network_form")
    return parts


def _login(parts: SplitResult) -> str:
    """Name and password as an address has them, with the @; "" where it has none."""
    if parts.username is None and parts.password is None:
        return ""
    return f"{_quoted(parts.username)}:{_quoted(parts.password)}@"


def _quoted(word: str | None) -> str:
    return quote(unquote(word or ""), safe="")
