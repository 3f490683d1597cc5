"""The open connections of the page: how many there may be, and how long one may stay silent.

A joined phone is known by its token, and not by its address, which a club's phones may share. A connection without
a token is a stranger. Strangers share a bounded number of connections, and the newest is always let in: the phone
that scans the invitation is a stranger until its first request has come.
"""

import asyncio
import contextlib
import socket
import sys
from collections import Counter
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_STRANGERS: Final = 256
"""Connections without a joined phone's token."""
MOST_OF_A_PHONE: Final = 12
"""Connections of one phone. A browser opens six to a site."""
SILENT_S: Final = 10.0
"""A whole request comes within this time of the connection's opening or its last answer."""
UNREACHED_S: Final = 15
"""A peer that does not acknowledge what was sent to it for so long is gone."""

_FILES: Final = 4096
"""Open files that the system is asked for: each connection is one."""
# What the systems call the option: how long sent bytes may stay unacknowledged, and its unit in ms.
_UNREACHED_OPTION: Final = {"linux": (18, 1000), "darwin": (0x80, 1), "win32": (5, 1)}


class Connection(H11Protocol):
    """One connection. `phone` is the joined phone it belongs to, None for a stranger's.

    `busy`: a whole request has come, and its answer is not sent yet. `since` is the loop's time in s when it
    last began to wait for a request.
    """

    phone: str | None = None
    busy = False
    since = 0.0
    unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A peer has connected."""
        super().connection_made(transport)
        peer = transport.get_extra_info("socket")
        # An answer is sent in pieces: none of them waits until the one before it is acknowledged (40 ms).
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _drop_when_unreached(peer)
        self.since = self.loop.time()
        _connections(self).add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        _connections(self).remove(self)
        super().connection_lost(exc)

    def answered(self) -> None:
        """The answer is sent; the next request may come."""
        self.busy, self.since = False, self.loop.time()

    def abort(self) -> None:
        """Close it at once; what is not sent is lost."""
        _connections(self).remove(self)
        self.transport.abort()


def _connections(connection: Connection) -> "Connections":
    found = connection.app_state["connections"]
    assert isinstance(found, Connections)
    return found


def _drop_when_unreached(peer: socket.socket) -> None:
    number, in_a_second = _UNREACHED_OPTION.get(sys.platform, (0, 0))
    with contextlib.suppress(OSError):  # an old system has no such option
        if number:
            peer.setsockopt(socket.IPPROTO_TCP, number, UNREACHED_S * in_a_second)


class Connections:
    """All connections of a server. Used on the server's own thread only."""

    def __init__(self) -> None:
        self._by_peer: dict[Any, Connection] = {}
        self._strangers: dict[Connection, str] = {}

    def add(self, connection: Connection) -> None:
        """Let a new connection in; the strangers who hold the most lose one where there are too many."""
        assert connection.client is not None
        self._by_peer[connection.client] = connection
        self._strangers[connection] = connection.client[0]
        if len(self._strangers) > MOST_STRANGERS:
            (most, _), *_ = Counter(self._strangers.values()).most_common(1)
            _longest_waiting([one for one, address in self._strangers.items() if address == most]).abort()

    def remove(self, connection: Connection) -> None:
        """It is closed."""
        self._strangers.pop(connection, None)
        if connection.client is not None and self._by_peer.get(connection.client) is connection:
            del self._by_peer[connection.client]

    def of(self, peer: Any) -> Connection | None:
        """The connection of the peer with this address and port; None if it is closed."""
        return self._by_peer.get(peer)

    def recognise(self, connection: Connection, phone: str | None) -> None:
        """A request showed whose connection this is. A phone that holds too many loses one of them."""
        connection.phone = phone
        if phone is None:
            self._strangers[connection] = connection.client[0] if connection.client else ""
            return
        self._strangers.pop(connection, None)
        own = [one for one in self._by_peer.values() if one.phone == phone]
        if len(own) > MOST_OF_A_PHONE:
            _longest_waiting([one for one in own if one is not connection]).abort()

    async def watch(self) -> None:
        """Close the silent ones, every second, until cancelled."""
        while True:
            await asyncio.sleep(1)
            for one in [one for one in self._by_peer.values() if not one.busy]:
                waited_s = one.loop.time() - one.since
                unsent = one.transport.get_write_buffer_size()
                if unsent and unsent < one.unsent:
                    one.since = one.loop.time()  # the end of its last answer is still on its way
                elif waited_s > SILENT_S:
                    one.abort()
                one.unsent = unsent


def _longest_waiting(connections: list[Connection]) -> Connection:
    """The one that has waited for a request longest; one whose answer is on its way only if all are such."""
    return min(connections, key=lambda one: (one.busy, one.since))


def allow_many_files() -> None:
    """Let this process have a file open for each connection, as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
