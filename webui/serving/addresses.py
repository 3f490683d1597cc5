"""The names and addresses of this laptop, and whether a request was sent to one of them.

A foreign site can make its own name lead to this laptop (DNS rebinding). To the browser that site's script and
this page are then the same site, so a token does not help. But the Host header of the request still has its name.
"""

import ipaddress
import math
import socket
import threading
import time
from collections.abc import Callable
from urllib.parse import SplitResult, urlsplit

_OLD_S = 30.0
_NEW_S = 1.0
"""Seconds after which the network cards are read again: in any case, and for an unknown Host."""


_VIRTUAL = ("docker", "br-", "veth", "virbr", "vbox", "virtualbox", "vmnet", "vmware", "vethernet", "hyper-v",
            "tun", "tap", "utun", "wg", "zt", "tailscale")  # fmt: skip
"""How the names of cards begin that lead to no phone: containers, virtual machines, tunnels."""


def card_addresses() -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """The addresses of this machine's network cards, virtual ones last; nothing is sent."""
    import ifaddr

    cards = sorted(ifaddr.get_adapters(), key=lambda card: card.nice_name.lower().startswith(_VIRTUAL))
    found = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for card in cards for ip in card.ips]
    return [ipaddress.ip_address(address.partition("%")[0]) for address in found]


def lan_addresses() -> list[str]:
    """This machine's IPv4 addresses on local networks, the likeliest to be reached by phones first."""
    v4 = [address for address in card_addresses() if address.version == 4]
    return [str(one) for one in v4 if not (one.is_loopback or one.is_link_local)]


def machine_names() -> set[str]:
    """What this machine calls itself, and what neighbours may call it (mDNS); nothing is looked up."""
    name = socket.gethostname().lower().rstrip(".")
    short = name.partition(".")[0]
    return {"localhost", name, short, f"{short}.local"} - {"", ".local"}


class OwnHosts:
    """This laptop's names and addresses as they are now, since the network may change during an evening."""

    def __init__(
        self, read: Callable[[], list[ipaddress.IPv4Address | ipaddress.IPv6Address]] = card_addresses
    ) -> None:
        """`read` gives the addresses of the network cards."""
        self._read = read
        self._lock = threading.Lock()
        self._names = machine_names()
        self._addresses: set[ipaddress.IPv4Address | ipaddress.IPv6Address] = set()
        self._read_at = -math.inf  # read when they are first asked for: most requests come from this laptop

    def add(self, name: str) -> None:
        """The server was told to listen by this `name`."""
        self._names.add(name.lower().rstrip("."))

    def has(self, host: str) -> bool:
        """Whether `host`, as in an HTTP header (`name`, `name:8000`, `[::1]:8000`), is this laptop."""
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
        _ = parts.port  # raises for what is no port
    except ValueError:  # `http://[`
        return None
    return parts


def _key(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
