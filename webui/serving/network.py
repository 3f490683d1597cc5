"""The club's network: the addresses at which phones find the laptop, and why they may not find it."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from webui.app_parts import AppParts
from webui.serving.addresses import HERE, lan_addresses
from webui.serving.awake import Awake

_LOOK_S: Final = 5.0
MOVED_S: Final = 10 * 60
"""Seconds for which every page says that the address was changed."""
_EVERYWHERE: Final = ("0.0.0.0", "::", "")


class Network:
    """The laptop's addresses, as they were last looked up. `awake` keeps the laptop from falling asleep.

    `reached` is set once a request came from another machine. `moved_at` is when the shown address last changed
    (monotonic, s), None if it never did.
    """

    def __init__(self, read: Callable[[], list[str]] = lan_addresses) -> None:
        """`read` gives this machine's addresses on local networks, the likeliest first."""
        self._read = read
        self._host, self._port = "127.0.0.1", 0
        self.addresses: tuple[str, ...] = ()
        self.reached = False
        self.moved_at: float | None = None
        self.awake = Awake()

    def listen(self, host: str, port: int) -> None:
        """Note that the program listens on `host` (as in `--host`) and `port`."""
        self._host, self._port = host, port
        self.refresh()
        self.moved_at = None

    @property
    def only_here(self) -> bool:
        """Whether the program listens to this laptop alone, as the demo does."""
        return self._host in HERE

    def refresh(self) -> bool:
        """Look the addresses up again; returns whether they have changed."""
        now = tuple(self._read()) if self._host in _EVERYWHERE else () if self.only_here else (self._host,)
        if now == self.addresses:
            return False
        if now and now[0] not in self.addresses:
            self.moved_at = time.monotonic()
        self.addresses = now
        return True

    def links(self) -> list[str]:
        """The table's addresses for phones, such as `http://192.168.1.7:8000`, the likeliest first."""
        return [
            f"http://{one}:{self._port}" if self._port != 80 else f"http://{one}" for one in self.addresses
        ]

    @property
    def moved_lately(self) -> bool:
        """Whether the address changed in the last minutes."""
        return self.moved_at is not None and time.monotonic() - self.moved_at < MOVED_S

    def trouble(self) -> str:
        """Why no phone comes, as far as this laptop can tell; "" if one came.

        - `only_here`: the program listens to this laptop alone.
        - `no_network`: there is no network.
        - `firewall`: other machines are heard, so the network lets them through and the firewall may not.
        - `apart`: no machine is heard, so the Wi-Fi may keep its clients apart.
        - `unknown`: this system does not tell which (all systems but Linux).
        """
        if self.only_here:
            return "only_here"
        if not self.addresses:
            return "no_network"
        if self.reached:
            return ""
        heard = neighbours()
        return "unknown" if heard is None else "firewall" if heard else "apart"


def neighbours(proc: Path = Path("/proc/net")) -> set[str] | None:
    """The addresses of machines on the local network that were heard lately, without the router.

    They are read from Linux's ARP table; None where there is none.
    """
    try:
        arp = [line.split() for line in (proc / "arp").read_text().splitlines()[1:]]
        routes = [line.split() for line in (proc / "route").read_text().splitlines()[1:]]
    except OSError:
        return None
    routers = {_dotted(route[2]) for route in routes if len(route) > 2 and route[1] == "00000000"}
    return {row[0] for row in arp if len(row) > 2 and int(row[2], 16) & 2} - routers


def _dotted(word: str) -> str:
    """An address of /proc/net/route with dots: `0101A8C0` is 192.168.1.1."""
    return ".".join(str(byte) for byte in reversed(bytes.fromhex(word)))


def keep_up(parts: AppParts, ended: threading.Event) -> None:
    """Until `ended`, tell the pages when the address or the invitation has changed, and keep the laptop awake."""
    network, phones, table = parts.network, parts.phones, parts.live
    invitation, reached = phones.invitation(), network.reached
    while not ended.is_set():
        news = network.refresh()
        news |= network.awake.want(table.evening.is_open)
        if phones.invitation() != invitation or network.reached != reached:
            invitation, reached, news = phones.invitation(), network.reached, True
        if news:
            table.changes.tell()
        ended.wait(_LOOK_S)
    network.awake.want(False)
