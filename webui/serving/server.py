"""The production server: uvicorn in this process, on every system, with the bounds of `webui.serving.connections`."""

import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

from tracker.files import PRIVATE, replace_file
from webui.app_parts import AppParts, app_parts
from webui.errors import UserError
from webui.serving.ending import waiting_for_the_end

if TYPE_CHECKING:
    import uvicorn

    from webui.camera.cameras import Cameras
    from webui.serving.front import Front

_LEAVE_S = 3
_PAGE_FIRST_S = 1.5
"""Seconds for which the eyes wait, at most, for the first page to be sent: loading them takes a core for a second."""
_LOOK_UP_S = 0.2
_BACKLOG = 1024


def serve(
    app: Flask,
    host: str,
    port: int,
    *,
    open_browser: bool = False,
    until: threading.Event | None = None,
    cameras: "Cameras | None" = None,
    any_port: bool = False,
    address_file: Path | None = None,
) -> None:
    """Serve `app` on `host:port` until interrupted, ended on the page, or `until` is set; prints the addresses.

    `cameras` watch meanwhile. `any_port`: if another program has the port, a free one is taken. Meanwhile
    `address_file` has the address of the page. Raises UserError, before anything is printed, if it cannot listen.
    """
    from webui.serving.network import keep_up

    with waiting_for_the_end() as told:
        listening = _listen_or_elsewhere(host, port) if any_port else listen_on(host, port)
        parts = app_parts(app)
        front, server = _create_server(app, parts)
        if host not in ("0.0.0.0", "::", ""):
            parts.hosts.add(host)
        port = listening.getsockname()[1]
        parts.network.listen(host, port)
        host_link = _announce(parts, host, port)
        # The evening of a demo, and copies of evenings to learn from, are deleted at the end.
        kept = not (app.config["DEMO"] or app.config["LEARNING"])
        print("Ctrl+C stops it; what was entered is kept." if kept else "Ctrl+C stops it.", flush=True)
        if address_file is not None:
            with contextlib.suppress(OSError):  # the page tells of a full disk
                replace_file(address_file, host_link.partition("laptop/")[0].encode(), PRIVATE)
        # It may be a daemon thread, because it runs only Python.
        serving = threading.Thread(target=server.run, args=([listening],), name="server", daemon=True)
        serving.start()
        ended = threading.Event()
        keeping_up = threading.Thread(target=keep_up, args=(parts, ended), name="network", daemon=True)
        keeping_up.start()
        parts.reporter.start()
        try:
            if open_browser:
                webbrowser.open(host_link)
            if cameras is not None:
                front.shown.wait(_PAGE_FIRST_S)
                cameras.start()
            while not (told() or parts.told_to_end.is_set() or (until is not None and until.is_set())):
                time.sleep(_LOOK_UP_S)
        finally:
            ended.set()
            if address_file is not None:
                address_file.unlink(missing_ok=True)
            keeping_up.join(timeout=_LEAVE_S)
            _close(parts, cameras, server, serving, front, told)


def listen_on(host: str, port: int) -> socket.socket:
    """A socket that listens on `host:port`. Raises UserError."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = min(found, key=lambda one: one[0] != socket.AF_INET)
        return socket.create_server(address, family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:  # Python cannot even ask for a name such as a..b
        raise UserError(f"cannot serve on {host} port {port}: {_reason(error)}") from None


def _listen_or_elsewhere(host: str, port: int) -> socket.socket:
    """A socket on that port, or on a free one if another program has it. Raises UserError."""
    try:
        return listen_on(host, port)
    except UserError:
        return listen_on(host, 0)


def _create_server(app: Flask, parts: AppParts) -> "tuple[Front, uvicorn.Server]":
    from webui.serving.front import Front, Headers, cookies_of
    from webui.serving.security import most_bytes

    def known(headers: Headers) -> str | None:
        joined = parts.phones.joined(cookies_of(headers))
        return joined.id if joined is not None else None

    front = Front(app, known, lambda path, joined: most_bytes(path if joined else ""), parts.live.changes)
    return front, server_of(front)


def server_of(front: "Front") -> "uvicorn.Server":
    """The server of a `front`, with the bounds of `webui.serving.connections`."""
    import uvicorn

    from webui.serving.connections import Connection, allow_many_files

    # Bad requests are no news for the people at the table.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    allow_many_files()
    config = uvicorn.Config(
        front,
        interface="asgi3",
        http=Connection,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=_LEAVE_S - 1,
        h11_max_incomplete_event_size=16 * 1024,
    )
    return uvicorn.Server(config)


def _announce(parts: AppParts, host: str, port: int) -> str:
    """Print the addresses of the page; returns the link that makes this computer's browser the host."""
    local = f"http://{'localhost' if host in ('0.0.0.0', '127.0.0.1', '') else host}:{port}/"
    host_link = f"{local}laptop/{parts.phones.new_host_link()}"
    print(f"The table is on {local}", flush=True)
    print(f"This link makes the browser that opens it the host, once: {host_link}", flush=True)
    if parts.network.links():
        print("Phones on the same network join by the code on that page.", flush=True)
    return host_link


def _close(
    parts: AppParts,
    cameras: "Cameras | None",
    server: "uvicorn.Server",
    serving: threading.Thread,
    front: "Front",
    told: Callable[[], int],
) -> None:
    """Wait for every thread that may be inside OpenCV or ONNX Runtime; no signal interrupts this.

    If Python ended while a thread is inside their C++ code, the process would abort (SIGABRT). If a thread hangs, the
    evening's pictures are deleted and the process exits at once: every event is on the disk.
    """
    parts.live.changes.leave()
    parts.reporter.stop()
    server.should_exit = True
    ended = [parts.teaching.stop(), cameras is None or cameras.stop()]
    serving.join(timeout=_LEAVE_S)
    ended.append(front.end())
    parts.live.end()
    if not all(ended):
        with contextlib.suppress(OSError):  # the terminal may be closed
            sys.stdout.flush()
        os._exit(128 + (told() or signal.SIGINT))


def _reason(error: Exception) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EADDRINUSE, 10048):
        return "the port is in use; choose another with --port"
    if number in (errno.EACCES, 10013):
        return "not permitted; choose a port above 1023 with --port"
    if number in (errno.EADDRNOTAVAIL, 10049):
        return "this computer does not have that address; choose another with --host, or leave it out"
    if isinstance(error, socket.gaierror | UnicodeError):
        return "no address is found for that name; choose another with --host, or leave it out"
    return str(error)
