"""Serving the program in a process of its own, to measure it."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from urllib.parse import urlencode

from webui.errors import UserError


class Served:
    """`tarok` with these `words`, at a `port` of this machine alone; `start` goes on there after `kill`.

    Raises UserError, which names `what` is served, if no address is printed.
    """

    def __init__(self, what: str, words: Sequence[str]) -> None:
        self._what = what
        self._command = [sys.executable, "-m", "webui.cli", *words, "--host", "127.0.0.1", "--port"]
        self.port = 0
        self.start()

    def start(self) -> None:
        """Serve, at the port of before if there was one."""
        command = [*self._command, str(self.port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        found = re.search(r"http://\S+?:(\d+)", self._process.stdout.readline())
        if found is None:
            self.kill()
            raise UserError(f"the {self._what} could not be served")
        self.port = int(found[1])

    def kill(self) -> None:
        """End the program at once, as a power cut does."""
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """End the program as a person does."""
        self._process.terminate()
        self._process.wait()


@contextmanager
def serving(what: str, words: Sequence[str]) -> Iterator[int]:
    """Serve within the block, as `Served` does; yields the port."""
    served = Served(what, words)
    try:
        yield served.port
    finally:
        served.end()


def children_spent_s() -> float:
    """Processor time of this process's children that have ended, in s; 0 on Windows."""
    times = os.times()
    return times.children_user + times.children_system


async def asked(port: int, head: str, body: str = "") -> str:
    """The answer to a request on a connection of its own; `head` lacks what every head has. Raises OSError."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"{head}Host: localhost:{port}\r\nConnection: close\r\n\r\n{body}".encode())
        return (await reader.read()).decode()
    finally:
        writer.close()


async def visited(
    port: int, path: str, cookie: str, form: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Status and body of the answer to a browser that asks for a page, or sends a `form`. Raises OSError."""
    body = "" if form is None else urlencode(form)
    head = f"{'GET' if form is None else 'POST'} {path} HTTP/1.1\r\nCookie: {cookie}\r\nAccept: application/json\r\n"
    if form is not None:
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    begun, _, answer = (await asked(port, head, body)).partition("\r\n\r\n")
    if not begun:
        raise ConnectionResetError
    return int(begun.split()[1]), answer
