"""The production server: waitress, in plain Python on every system."""

import contextlib
import errno
import logging
import os
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

from flask import Flask

from webui.ending import end_undisturbed
from webui.errors import UserError
from webui.network import keep_up
from webui.security import MAX_ENTRY_BYTES

if TYPE_CHECKING:
    from webui.camera_loop import CameraLoop

# A page that listens for news holds a thread while it is open. The rest answer entries and pictures.
MAX_LISTENERS = 40
_OTHER_THREADS = 8
_LEAVE_S = 3


def serve(
    app: Flask,
    host: str,
    port: int,
    *,
    open_browser: bool = False,
    until: threading.Event | None = None,
    camera_loop: "CameraLoop | None" = None,
) -> None:
    """Serve `app` on `host:port` until interrupted or `until` is set; prints the addresses.

    `camera_loop` runs for as long. Raises UserError, before anything is printed, if it cannot listen there.
    """
    server = _create_server(app, host, port)
    if host not in ("0.0.0.0", "::", ""):
        app.extensions["hosts"].add(host)
    port = getattr(server, "effective_port", port)
    app.extensions["network"].listen(host, port)
    host_link = _announce(app, host, port)
    # A daemon thread: it runs nothing but Python.
    threading.Thread(target=server.run, name="server", daemon=True).start()
    done = until or threading.Event()
    ended = threading.Event()
    keeping_up = threading.Thread(target=keep_up, args=(app, ended), name="network", daemon=True)
    keeping_up.start()
    try:
        if camera_loop is not None:
            camera_loop.start()
        if open_browser:
            webbrowser.open(host_link)
        while not done.wait(0.5):  # Windows cannot interrupt a wait without a limit
            pass
    finally:
        ended.set()
        _close(app, server.task_dispatcher, camera_loop)


def _create_server(app: Flask, host: str, port: int) -> Any:
    import waitress.server

    logging.getLogger("waitress").setLevel(logging.ERROR)  # nobody at the table needs the length of its queue
    try:
        return waitress.server.create_server(
            app,
            host=host,
            port=port,
            threads=MAX_LISTENERS + _OTHER_THREADS,
            connection_limit=200,
            max_request_body_size=4 * MAX_ENTRY_BYTES,
            channel_timeout=60,
            ident="tarok",
            clear_untrusted_proxy_headers=True,
        )
    except (OSError, ValueError) as error:
        raise UserError(f"cannot serve on {host} port {port}: {_reason(error)}") from None


def _announce(app: Flask, host: str, port: int) -> str:
    """Print the addresses of the page; returns the link that makes this computer's browser the host."""
    local = f"http://{'localhost' if host in ('0.0.0.0', '127.0.0.1', '') else host}:{port}/"
    host_link = f"{local}laptop/{app.extensions['phones'].new_host_link()}"
    print(f"The table is on {local}", flush=True)
    print(f"This link makes the browser that opens it the host, once: {host_link}", flush=True)
    if app.extensions["network"].links():
        print("Phones on the same network join by the code on that page.", flush=True)
    print("Ctrl+C stops it; what was entered is kept.", flush=True)
    return host_link


def _close(app: Flask, answering: Any, camera_loop: "CameraLoop | None") -> None:
    """Wait for every thread that may be inside OpenCV or ONNX Runtime; a second Ctrl+C does not interrupt this.

    If Python ended while a thread is inside their C++ code, the process would abort (SIGABRT). If a thread hangs,
    the process exits at once: every event is on the disk. Before that, the evening's pictures are deleted.
    """
    end_undisturbed()
    app.extensions["live"].leave()
    ended = [app.extensions["teaching"].stop(), camera_loop is None or camera_loop.stop()]
    # A thread that still runs after that waits for a browser, in Python code, and may be ended there.
    answering.shutdown(timeout=_LEAVE_S)
    app.extensions["live"].end()
    if not all(ended):
        with contextlib.suppress(OSError):  # the terminal may be gone
            sys.stdout.flush()
        os._exit(130)


def _reason(error: Exception) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EADDRINUSE, 10048):
        return "the port is in use; choose another with --port"
    if number in (errno.EACCES, 10013):
        return "not permitted; choose a port above 1023 with --port"
    return str(error)
