"""Between the connections and the pages: each request is taken in whole, answered on a thread, and sent.

One thread (asyncio, uvicorn) holds all connections, so that a slow or silent one holds up no other. The Flask
application answers on threads of its own, of which strangers have few. A page that listens for news costs no thread
either: one thread waits for the table's news on behalf of all.
"""

import asyncio
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, Protocol

from a2wsgi import WSGIMiddleware
from flask import Flask

from webui.errors import tell_fault
from webui.serving.connections import Connection, Connections

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Iterable[tuple[bytes, bytes]]

_THREADS: Final = 8
_STRANGERS_THREADS: Final = 2
_HEARTBEAT_S: Final = 4.0
_STALLED_S: Final = 20.0
"""Seconds within which the peer must take a piece of an answer."""
_PIECE: Final = 64 * 1024
_LEAVE_S: Final = 3.0


class NewsSource(Protocol):
    """What pages listen to: a `version` that grows with each news. `leaving`: the program ends."""

    version: int
    leaving: bool

    def wait(self, version: int, timeout_s: float) -> bool:
        """Wait until the version is no longer `version`; False after `timeout_s`."""


class Teller(Protocol):
    """The news of one page."""

    def message(self) -> str | None:
        """The news since the last message, as a server-sent event; None if there are none."""


class Front:
    """`app` as an ASGI application.

    `known` gives the id of the browser that sent these headers, None for a stranger; it must take neither lock nor
    disk. `most_bytes` says how large a request to an address may be, from a known sender or not. `source` has the news.
    So many `threads` answer known browsers. `shown` is set once a page was sent.
    """

    def __init__(
        self,
        app: Flask,
        known: Callable[[Headers], str | None],
        most_bytes: Callable[[str, bool], int],
        source: NewsSource,
        threads: int = _THREADS,
    ) -> None:
        self._known = known
        self._most_bytes = most_bytes
        self._table = source
        self._connections = Connections()
        self.shown = threading.Event()

        def answer(environ: Any, start_response: Any) -> Iterable[bytes]:
            with self._answering():
                return app({**environ, "wsgi.errors": sys.stderr}, start_response)

        self._pages = WSGIMiddleware(answer, workers=threads)
        self._strangers_pages = WSGIMiddleware(answer, workers=_STRANGERS_THREADS)
        self._waiting = ThreadPoolExecutor(1, "news")
        self._drawing = ThreadPoolExecutor(1, "regions")
        self._reading = ThreadPoolExecutor(1, "files")
        self._streams: dict[str, asyncio.Future[None]] = {}
        self._lock = threading.Lock()
        self._under_way = 0

    @contextmanager
    def _answering(self) -> Iterator[None]:
        with self._lock:
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1

    def end(self) -> bool:
        """Begin no more answers, because the program ends; returns whether all others end within some seconds."""
        for pool in (
            self._pages.executor,
            self._strangers_pages.executor,
            self._waiting,
            self._drawing,
            self._reading,
        ):
            pool.shutdown(wait=False, cancel_futures=True)
        until_s = time.monotonic() + _LEAVE_S
        while self._under_way and time.monotonic() < until_s:
            time.sleep(0.02)
        return not self._under_way

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request (ASGI 3.0, https://asgi.readthedocs.io)."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        connection = self._connections.of(scope["client"])
        if connection is None:
            return  # it was closed since
        try:
            await self._answer(connection, scope, receive, send)
        except (
            TimeoutError,
            FileNotFoundError,
        ):  # the peer does not take the answer, or the file was deleted meanwhile
            connection.abort()
        except Exception as fault:  # noqa: BLE001 - a fault in one answer must not end the others
            tell_fault(f"answering {scope['path']}", fault)
            connection.abort()
        finally:
            connection.answered()

    async def _live(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        scope["state"]["connections"] = self._connections
        self._changed = asyncio.get_running_loop().create_future()
        await receive()
        tasks = [asyncio.create_task(self._connections.watch()), asyncio.create_task(self._wait_for_news())]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in tasks:
            task.cancel()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(
        self, connection: Connection, scope: MutableMapping[str, Any], receive: Receive, send: Send
    ) -> None:
        connection.since = connection.loop.time()
        phone = self._known(scope["headers"])
        self._connections.recognise(connection, phone)
        body = await _whole(receive, self._most_bytes(scope["path"], phone is not None))
        if body is None:
            return
        connection.busy = True
        headers = [
            pair for pair in scope["headers"] if pair[0] not in (b"content-length", b"transfer-encoding")
        ]
        if body:
            headers.append((b"content-length", str(len(body)).encode()))
        answer: list[Message] = []

        async def given() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def keep(message: Any) -> None:
            answer.append(message)

        pages = self._pages if phone is not None else self._strangers_pages
        own: dict[str, Any] = {**scope, "headers": headers}
        await pages(own, given, keep)  # type: ignore[arg-type]
        news, pieces = own["state"].get("news"), own["state"].get("pieces")
        if pieces is not None:
            await self._send_pieces(answer, pieces, send)
        elif news is None:
            await self._send_whole(answer, send)
            if answer[0]["status"] == 200:  # not for a redirection, which only leads to the page
                self.shown.set()
        else:
            await send(answer[0])
            await self._stream(news, f"{phone} {scope['path']}" if phone else "", receive, send)

    async def _send_whole(self, answer: list[Message], send: Send) -> None:
        for message in answer:
            body = memoryview(message.get("body", b""))
            for start in range(0, len(body) - _PIECE, _PIECE):
                await _sent(send, _piece(bytes(body[start : start + _PIECE])))
            last = bytes(body[(len(body) - 1) // _PIECE * _PIECE :]) if body else b""
            await _sent(send, {**message, "body": last} if "body" in message else message)

    async def _send_pieces(self, answer: list[Message], pieces: Iterator[bytes], send: Send) -> None:
        """Send a file that is too large to hold whole. If `pieces` raises, so does this, and the file is cut short."""
        loop = asyncio.get_running_loop()
        await send(answer[0])
        while (piece := await loop.run_in_executor(self._reading, next, pieces, None)) is not None:
            for start in range(0, len(piece), _PIECE):
                await _sent(send, _piece(piece[start : start + _PIECE]))
        await _sent(send, {"type": "http.response.body", "body": b""})

    async def _wait_for_news(self) -> None:
        """Wake those who listen whenever the table has changed, until cancelled."""
        loop = asyncio.get_running_loop()
        version = self._table.version
        while True:
            await loop.run_in_executor(self._waiting, self._table.wait, version, 1.0)
            if self._table.version != version:
                version = self._table.version
                self._changed.set_result(None)
                self._changed = loop.create_future()

    async def _stream(self, news: Teller, whose: str, receive: Receive, send: Send) -> None:
        """Send `news` as they happen, and signs of life, until the peer is gone or listens elsewhere.

        `whose` is the phone, which may listen with one page only; "" for a stranger.
        """
        loop = asyncio.get_running_loop()
        elsewhere: asyncio.Future[None] = loop.create_future()
        if whose:
            before = self._streams.get(whose)
            if before is not None and not before.done():
                before.set_result(None)
            self._streams[whose] = elsewhere
        gone = asyncio.create_task(_disconnected(receive))
        try:
            while not (self._table.leaving or gone.done() or elsewhere.done()):
                changed = self._changed
                message = await loop.run_in_executor(self._drawing, news.message)
                if message is not None:
                    await _sent(send, _piece(message.encode()))
                while not (
                    await asyncio.wait(
                        {changed, gone, elsewhere}, timeout=_HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED
                    )
                )[0]:
                    await _sent(send, _piece(b"event: alive\ndata: {}\n\n"))
            last = "event: elsewhere\ndata: {}\n\n" if elsewhere.done() else ""
            await _sent(send, {"type": "http.response.body", "body": last.encode()})
        finally:
            gone.cancel()
            if self._streams.get(whose) is elsewhere:
                del self._streams[whose]


def cookies_of(headers: Headers) -> str:
    """The Cookie header of a request."""
    return "; ".join(value.decode("latin-1") for name, value in headers if name == b"cookie")


async def _whole(receive: Receive, most: int) -> bytes | None:
    """The request's body; of one with more than `most` bytes one byte more than those. None if the peer is gone."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > most or not message.get("more_body"):
            return bytes(body[: most + 1])


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _sent(send: Send, message: Message) -> None:
    """Send `message`; raises TimeoutError if the peer does not take it."""
    async with asyncio.timeout(_STALLED_S):
        await send(message)


def _piece(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}
