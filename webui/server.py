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

from webui.addresses import lan_addresses
from webui.ending import end_undisturbed
from webui.errors import UserError
from webui.security import MAX_ENTRY_BYTES

if TYPE_CHECKING:
    from webui.watcher import Watcher

# A page that listens for news holds a thread as long as it is open; the rest answer entries and pictures.
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
    watcher: "Watcher | None" = None,
) -> None:
    """Serve `app` on `host:port` until interrupted or `until` is set; prints the addresses.

    `watcher` watches for as long. Raises UserError, before anything is printed, if it cannot listen there.
    """
    import waitress.server

    logging.getLogger("waitress").setLevel(logging.ERROR)  # how long its queue is helps nobody at the table
    try:
        server = waitress.server.create_server(
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
    if host not in ("0.0.0.0", "::", ""):
        app.extensions["hosts"].add(host)
    bound = getattr(server, "effective_port", port)
    local = f"http://{'localhost' if host in ('0.0.0.0', '127.0.0.1', '') else host}:{bound}/"
    print(f"The table is on {local}", flush=True)
    for address in lan_addresses() if host in ("0.0.0.0", "") else ():
        print(f"  and for phones on the same network on http://{address}:{bound}/", flush=True)
    print("Ctrl+C stops it; what was entered is kept.", flush=True)
    # A daemon thread: it runs nothing but Python.
    threading.Thread(target=server.run, name="server", daemon=True).start()
    done = until or threading.Event()
    try:
        if watcher is not None:
            watcher.start()
        if open_browser:
            webbrowser.open(local)
        while not done.wait(0.5):  # a wait without a limit cannot be interrupted on Windows
            pass
    finally:
        _close(app, server.task_dispatcher, watcher)


def _close(app: Flask, answering: Any, watcher: "Watcher | None") -> None:
    """End every thread that may be inside OpenCV or ONNX Runtime; a second Ctrl+C does not break this off.

    Then the evening's pictures are deleted.

    Such a thread, as Python ends, is torn out of their C++ code, and that aborts the process (SIGABRT). So each
    is waited for; past one that hangs, the process leaves as it stands: every event is on the disk.
    """
    end_undisturbed()
    app.extensions["live"].leave()
    ended = [app.extensions["teaching"].stop(), watcher is None or watcher.stop()]
    # What is left of these after a while waits for a browser to read, in Python's own code, where it may end.
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
