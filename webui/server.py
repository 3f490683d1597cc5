"""The production server: waitress, in plain Python on every system."""

import errno
import socket
import threading
import webbrowser

from flask import Flask

from webui.errors import UserError
from webui.security import MAX_ENTRY_BYTES

# A page that listens for news holds a thread as long as it is open; the rest answer entries and pictures.
MAX_LISTENERS = 40
_OTHER_THREADS = 8


def serve(
    app: Flask, host: str, port: int, *, open_browser: bool = False, until: threading.Event | None = None
) -> None:
    """Serve `app` on `host:port` until interrupted or `until` is set; prints the addresses.

    Raises UserError, before anything is printed, if it cannot listen there.
    """
    import waitress.server

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
    bound = getattr(server, "effective_port", port)
    local = f"http://{'localhost' if host in ('0.0.0.0', '127.0.0.1', '') else host}:{bound}/"
    print(f"The table is on {local}", flush=True)
    if host in ("0.0.0.0", "") and (address := lan_address()):
        print(f"  and for phones on the same network on http://{address}:{bound}/", flush=True)
    print("Ctrl+C stops it; what was entered is kept.", flush=True)
    # Daemon threads, so that Ctrl+C ends at once: every event is on the disk before anybody sees it.
    threading.Thread(target=server.run, name="server", daemon=True).start()
    if open_browser:
        webbrowser.open(local)
    done = until or threading.Event()
    while not done.wait(0.5):  # a wait without a limit cannot be interrupted on Windows
        pass


def lan_address() -> str | None:
    """This machine's address on the local network, or None; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith(("127.", "0.")) else address


def _reason(error: Exception) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EADDRINUSE, 10048):
        return "the port is in use; choose another with --port"
    if number in (errno.EACCES, 10013):
        return "not permitted; choose a port above 1023 with --port"
    return str(error)
