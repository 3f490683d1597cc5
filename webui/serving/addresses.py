"""The names and addresses of this laptop, and whether a request was sent to one of them.

A foreign site can make its own name lead to this laptop (DNS rebinding). To the browser that site's script and this
page are then one site, so a token does not help. But the request's Host header still has the foreign name.
"""

import ipaddress
import math
import socket
import threading
import time
from collections.abc import Callable
from urllib.parse import SplitResult, urlsplit

HERE = ("127.0.0.1", "localhost", "::1")
"""Names by which a machine reaches itself, and nobody else does."""
_OLD_S = 30.0
_NEW_S = 1.0
"""Seconds after which the addresses of the network cards are read again."""


_VIRTUAL = ("docker", "br-", "veth", "virbr", "vbox", "virtualbox", "vmnet", "vmware", "vethernet", "hyper-v",
            "tun", "tap", "utun", "wg", "zt", "tailscale")  # fmt: skip
"""How the names of network cards begin that reach no phone: containers, virtual machines, tunnels."""


def card_addresses() -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """The addresses of this machine's network cards, virtual ones last. Nothing is sent."""
    import ifaddr

    cards = sorted(ifaddr.get_adapters(), key=lambda card: card.nice_name.lower().startswith(_VIRTUAL))
    found = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for card in cards for ip in card.ips]
    return [ipaddress.ip_address(address.partition("%")[0]) for address in found]


def lan_addresses() -> list[str]:
    """This machine's IPv4 addresses on local networks; first those that phones likely reach."""
    v4 = [address for address in card_addresses() if address.version == 4]
    return [str(one) for one in v4 if not (one.is_loopback or one.is_link_local)]


def machine_names() -> set[str]:
    """The names of this machine, and those by which neighbours may know it (mDNS). Nothing is looked up."""
    name = socket.gethostname().lower().rstrip(".")
    short = name.partition(".")[0]
    return {"localhost", name, short, f"{short}.local"} - {"", ".local"}


class OwnHosts:
    """This laptop's names and addresses now: the network may change during an evening."""

    def __init__(
        self, read: Callable[[], list[ipaddress.IPv4Address | ipaddress.IPv6Address]] = card_addresses
    ) -> None:
        """`read` gives the addresses of the network cards."""
        self._read = read
        self._lock = threading.Lock()
        self._names = machine_names()
        self._addresses: set[ipaddress.IPv4Address | ipaddress.IPv6Address] = set()
        self._read_at = -math.inf  # they are read at the first question: most requests come from this laptop

    def add(self, name: str) -> None:
        """Add a `name` by which the server was told to listen."""
        self._names.add(name.lower().rstrip("."))

    def has(self, host: str) -> bool:
        """Whether `host`, a Host header (`name`, `name:8000`, `[::1]:8000`), names this laptop."""
        parts = _split(f"//{host}")
        if parts is None or parts.netloc != host or "@" in host or not parts.hostname:
            return False
        name = parts.hostname.removesuffix(".")
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        if address.is_loopback:
            return True
        with self._lock:
            age_s = time.monotonic() - self._read_at
            if age_s > _OLD_S or (address not in self._addresses and age_s > _NEW_S):
                self._addresses = set(self._read())
                self._read_at = time.monotonic()
            return address in self._addresses


def is_same_origin(origin: str, scheme: str, host: str) -> bool:
    """Whether `origin` (an Origin header) is the page reached by `scheme` and `host` (a Host header)."""
    theirs, own = _split(origin), _split(f"{scheme}://{host}")
    if theirs is None or own is None or origin != f"{theirs.scheme}://{theirs.netloc}" or "@" in origin:
        return False
    return _key(theirs) == _key(own)


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises if it is no port
    except ValueError:  # `http://[`
        return None
    return parts


def _key(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
