"""A line of TCP that a test can slow down, cut and mend."""

import select
import socket
import threading
import time


class Line:
    """The network between a browser, or a table, and the server at `port`: slow for entries of cards, or cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: list[socket.socket] = []
        self._down = False
        self.delay_s = 0.0
        self.cut_at = 0
        """The line is cut before the answer to the entry of this number, from 1; 0 for never."""
        self.entries = 0
        self.upwards = b""
        """All that went to the server."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.address = f"http://localhost:{self.port}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if self._down:
                near.close()
            else:
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection(("127.0.0.1", self._to))
        except OSError:  # the server is away
            near.close()
            return
        self._open += [near, far]
        entry = 0  # the number of the entry that is to be answered
        try:
            while True:
                for ready in select.select([near, far], [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    if ready is near:
                        self.upwards += data
                    if ready is near and data.startswith(b"POST /plays "):
                        self.entries += 1
                        entry = self.entries
                    elif ready is far and entry:
                        if entry == self.cut_at:
                            self.cut()
                            return
                        time.sleep(self.delay_s)
                        entry = 0
                    (far if ready is near else near).sendall(data)
        except (OSError, ValueError):
            return
        finally:
            near.close()
            far.close()

    def cut(self) -> None:
        """No more answers, and nobody is let in."""
        self._down = True
        for one in self._open:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._open = []

    def mend(self) -> None:
        """The line carries again."""
        self._down, self.cut_at = False, 0

    def close(self) -> None:
        self._listening.close()
        self.cut()
