"""`tarok serve` as a process of its own, and a visitor of it over real HTTP."""

import http.cookiejar
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, ClassVar

from webui_program import Program, ran

from tracker.store import EventStore
from webui.table.live import LiveTable

SEATS = ("--seats", "Anna@S,Bo@E,Carl@W", "--dealer", "Anna")
"""Words of `tarok serve`: three players, and a hand that Anna deals."""
ROOT = Path(__file__).resolve().parents[2]


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "webui.cli", *map(str, words)]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(home), "PYTHONUNBUFFERED": "1"}


def interruptible() -> None:
    """For a child: Ctrl+C and a closed terminal count, though this process may run in the background or under nohup."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def ran_in(home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """`tarok` with these `words`, run to its end; its files are in `home`."""
    return ran(*words, environment=environment(home))


class Server:
    """`tarok serve` with these `words` on a free port, its files in `folder`, without a camera.

    With the `source` "" the page asks for a camera. `kill` is a real SIGKILL, `start` goes on at the same port.
    """

    def __init__(self, folder: Path, *words: object, source: str = "none", host: str = "127.0.0.1") -> None:
        self.path = folder / "evening.sqlite3"
        self._home = dict.fromkeys(("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"), str(folder))
        self._served = ["serve", *([source] if source else []), "--host", host, "--no-browser"]
        self._words = list(map(str, words))
        self.port = "0"
        self.start()

    def start(self) -> None:
        self.program = Program([*self._served, "--port", self.port, *self._words], self._home)
        self.address = address_of(self.program.said)
        self.host_link = HOST_LINKS[self.address]
        self.port = str(urllib.parse.urlsplit(self.address).port)

    def kill(self) -> None:
        self.program.kill()

    def stored(self) -> LiveTable:
        """The table as its database has it, where that was served."""
        return LiveTable(EventStore(self.path))


@contextmanager
def serving(folder: Path, *words: object, **how: str) -> Iterator[Server]:
    """`tarok serve`, which is killed in the end; arguments as of `Server`."""
    server = Server(folder, *words, **how)
    try:
        yield server
    finally:
        server.kill()


def address_of(said: IO[str]) -> str:
    """Where the program serves; it prints that first, then the link that makes one browser the host."""
    links = (found[0] for line in said if (found := re.search(r"http://\S+", line)))
    address = next(links)
    HOST_LINKS[address] = next(links)
    Visitor.jars.pop(address, None)
    return address


HOST_LINKS: dict[str, str] = {}
"""The host's link of each running program, by its address."""


class Browser:
    """A browser with cookies, over real HTTP."""

    def __init__(self, address: str, jar: http.cookiejar.CookieJar) -> None:
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def get(self, path: str) -> str:
        with self.opener.open(self.address + path, timeout=20) as answer:
            return str(answer.read().decode())

    def form_token(self, path: str) -> str:
        """The token of the forms of a page."""
        return re.search(r'name="token" value="(\w+)"', self.get(path))[1]

    def send(self, path: str, fields: dict[str, str]) -> dict[str, Any]:
        """Send a form; what comes back."""
        data = urllib.parse.urlencode(fields).encode()
        asked = urllib.request.Request(self.address + path, data, {"Accept": "application/json"})
        with self.opener.open(asked, timeout=20) as answer:
            return dict(json.loads(answer.read()))


class Visitor(Browser):
    """A browser of the table: the host's if it is the first; more of them share its cookies."""

    jars: ClassVar[dict[str, http.cookiejar.CookieJar]] = {}
    _joining: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, address: str) -> None:
        with self._joining:
            first = address not in self.jars
            self.jar = self.jars.setdefault(address, http.cookiejar.CookieJar())
            super().__init__(address, self.jar)
            if first:
                with self.opener.open(HOST_LINKS[address], timeout=10) as answer:
                    assert answer.status == 200
            self.token = self.form_token("")
            if first:
                self.post("host/choices/fair_play", on="no")  # most tests look at a hand while it is played

    def waits_for(self, words: str) -> str:
        """The English page of the table, once it says `words`."""
        for _ in range(300):
            page = self.get("?lang=en")
            if words in page:
                return page
            time.sleep(0.1)
        raise AssertionError(f"{words!r} is not said: {page}")

    def post(self, path: str, **fields: str) -> str:
        return str(self.send(path, {"token": self.token, **fields})["message"])
