"""The open connections of the page: how many there may be, and how long one may stay silent.

A joined phone is known by its token. Its address does not tell, because all phones of a club may share one. A
connection without a token is a stranger. Strangers share a bounded number of connections, and the newest is always let
in: a phone that scans the invitation is a stranger until its first request has come.
"""

import asyncio
import contextlib
import socket
import sys
from collections import Counter
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_STRANGERS: Final = 256
"""The most connections without a joined phone's token."""
MOST_OF_A_PHONE: Final = 12
"""The most connections of one phone. A browser opens six to a site."""
SILENT_S: Final = 10.0
"""Seconds, from its opening or its last answer, within which a connection must send a whole request."""
UNREACHED_S: Final = 15
"""Seconds after which a peer is gone that does not acknowledge what was sent to it."""

_FILES: Final = 4096
"""Open files that the system is asked for: each connection takes one."""
# The option for how long sent bytes may stay unacknowledged: its number on each system, and its unit in ms.
_UNREACHED_OPTION: Final = {"linux": (18, 1000), "darwin": (0x80, 1), "win32": (5, 1)}


class Connection(H11Protocol):
    """One connection. `phone` is the joined phone that it belongs to, None for a stranger's.

    `busy`: a whole request has come, and its answer is not sent yet. `since` is the loop's time in s at which the
    connection last began to wait for a request.
    """

    phone: str | None = None
    busy = False
    since = 0.0
    unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take in a peer that has connected."""
        super().connection_made(transport)
        peer = transport.get_extra_info("socket")
        # An answer is sent in pieces. Without this option each waits for the last one's acknowledgement (40 ms).
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _drop_when_unreached(peer)
        self.since = self.loop.time()
        _connections(self).add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, which is closed."""
        _connections(self).remove(self)
        super().connection_lost(exc)

    def answered(self) -> None:
        """Wait for the next request, because the answer is sent."""
        self.busy, self.since = False, self.loop.time()

    def abort(self) -> None:
        """Close the connection at once; what is not sent yet is lost."""
        _connections(self).remove(self)
        self.transport.abort()


def _connections(connection: Connection) -> "Connections":
    found = connection.app_state["connections"]
    assert isinstance(found, Connections)
    return found


def _drop_when_unreached(peer: socket.socket) -> None:
    number, in_a_second = _UNREACHED_OPTION.get(sys.platform, (0, 0))
    with contextlib.suppress(OSError):  # old systems lack the option
        if number:
            peer.setsockopt(socket.IPPROTO_TCP, number, UNREACHED_S * in_a_second)


class Connections:
    """All connections of a server; for the server's own thread only."""

    def __init__(self) -> None:
        self._by_peer: dict[Any, Connection] = {}
        self._strangers: dict[Connection, str] = {}

    def add(self, connection: Connection) -> None:
        """Let a new connection in. If there are too many, the address with the most strangers loses one."""
        assert connection.client is not None
        self._by_peer[connection.client] = connection
        self._strangers[connection] = connection.client[0]
        if len(self._strangers) > MOST_STRANGERS:
            (most, _), *_ = Counter(self._strangers.values()).most_common(1)
            _longest_waiting([one for one, address in self._strangers.items() if address == most]).abort()

    def remove(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        self._strangers.pop(connection, None)
        if connection.client is not None and self._by_peer.get(connection.client) is connection:
            del self._by_peer[connection.client]

    def of(self, peer: Any) -> Connection | None:
        """The connection of the peer with this address and port; None if it is closed."""
        return self._by_peer.get(peer)

    def recognise(self, connection: Connection, phone: str | None) -> None:
        """Note whose connection this is, as a request has shown. A phone with too many connections loses one."""
        connection.phone = phone
        if phone is None:
            self._strangers[connection] = connection.client[0] if connection.client else ""
            return
        self._strangers.pop(connection, None)
        own = [one for one in self._by_peer.values() if one.phone == phone]
        if len(own) > MOST_OF_A_PHONE:
            _longest_waiting([one for one in own if one is not connection]).abort()

    async def watch(self) -> None:
        """Close silent connections, every second, until cancelled."""
        while True:
            await asyncio.sleep(1)
            for one in [one for one in self._by_peer.values() if not one.busy]:
                waited_s = one.loop.time() - one.since
                unsent = one.transport.get_write_buffer_size()
                if unsent and unsent < one.unsent:
                    one.since = one.loop.time()  # its last answer is still on its way
                elif waited_s > SILENT_S:
                    one.abort()
                one.unsent = unsent


def _longest_waiting(connections: list[Connection]) -> Connection:
    """The connection that has waited longest for a request; a busy one only if all are busy."""
    return min(connections, key=lambda one: (one.busy, one.since))


def allow_many_files() -> None:
    """Let this process hold a file open for each connection, as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
