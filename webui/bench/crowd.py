"""`tarok bench crowd`: how the page bears a crowd: phones that listen and ask, and slow strangers beside them.

A table is served in a process of its own, and asked over HTTP on this machine's loopback. Strangers are connections
without a joined phone's token. A third of them say nothing, a third send a request that never ends, and a third ask
for a page and do not read it. A stranger who is turned away comes back at once.
"""

import argparse
import asyncio
import contextlib
import itertools
import re
import tempfile
import time
from pathlib import Path

from webui.bench.serving import children_spent_s, serving, visited
from webui.errors import require_positive
from webui.people.phones import Phones
from webui.people.roles import Role
from webui.people.signatures import PHONE_COOKIE
from webui.serving.connections import allow_many_files

_PATIENCE_S = 60.0
_ENTRY_EVERY_S = 2.0
_TURNED_AWAY = (ConnectionError, asyncio.IncompleteReadError, TimeoutError)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench crowd`."""
    parser.add_argument("--phones", type=int, default=200, help="default: 200")
    parser.add_argument("--strangers", type=int, default=500, help="default: 500; 0 for none")
    parser.add_argument("--seconds", type=int, default=60, help="default: 60")
    parser.add_argument("--pages-every", type=int, default=20, metavar="S", help="of each phone; default: 20")


def run(args: argparse.Namespace) -> int:
    """Serve, let the crowd come, and print how long a page and the news took."""
    require_positive(args, "phones", "seconds", "pages_every")
    allow_many_files()
    with tempfile.TemporaryDirectory(prefix="tarok-crowd-") as folder:
        database = Path(folder) / "evening.sqlite3"
        phones = Phones(database)
        host = _cookie(phones, Role.HOST)
        joined = [_cookie(phones, Role.PLAYER) for _ in range(args.phones)]
        begun_s, spent_s = time.monotonic(), children_spent_s()
        words = ["serve", "none", "--no-browser", "--db", str(database)]
        with serving("table", [*words, "--seats", "Anna@S,Bo@E,Carl@W", "--dealer", "Anna"]) as port:
            asyncio.run(_Crowd(port, host, joined).measured(args))
        share = (children_spent_s() - spent_s) / (time.monotonic() - begun_s)
        print(f"the program     {100 * share:.0f} % of one core, its start included")
    return 0


def _cookie(phones: Phones, role: Role) -> str:
    return f"{PHONE_COOKIE}={phones.cookie(phones.join(role).id)}"


class _Crowd:
    """Everybody at the page. Times are in s on the clock of `time.perf_counter`."""

    def __init__(self, port: int, host: str, joined: list[str]) -> None:
        self._port = port
        self._host = host
        self._joined = joined
        self._page_s: list[float] = []
        self._news_s: list[float] = []
        self._lost = 0
        self._entered: dict[int, float] = {}
        self._listening = 0
        self._held = 0

    async def measured(self, args: argparse.Namespace) -> None:
        """Let the crowd come, measure for `args.seconds`, and print the figures."""
        _, page = await visited(self._port, "/?lang=en", self._host)
        token = re.search(r'name="token" value="([^"]*)"', page)
        assert token is not None
        crowd = [asyncio.create_task(self._stranger(number % 3)) for number in range(args.strangers)]
        crowd += [asyncio.create_task(self._listen(cookie)) for cookie in self._joined]
        arriving_s = time.perf_counter()
        while self._listening < args.phones and time.perf_counter() - arriving_s < _PATIENCE_S:
            await asyncio.sleep(0.1)
        arrived_s = time.perf_counter() - arriving_s
        crowd += [
            asyncio.create_task(self._ask(cookie, args.pages_every, number / args.phones))
            for number, cookie in enumerate(self._joined)
        ]
        crowd.append(asyncio.create_task(self._enter(token[1])))
        await asyncio.sleep(args.seconds)
        print(
            f"phones          {args.phones}, of which {self._listening} hear the news; to come took {arrived_s:.1f} s"
        )
        print(f"slow strangers  {args.strangers}, of which {self._held} held a connection at the end")
        print(
            f"a page          {told_times(self._page_s)}; "
            f"{self._lost} not answered within {_PATIENCE_S:.0f} s or cut off"
        )
        print(f"the news        {told_times(self._news_s)}, from an entry's sending until a phone has it")
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    async def _ask(self, cookie: str, every_s: float, phase: float) -> None:
        """Ask for the page again and again, as a phone."""
        await asyncio.sleep(every_s * phase)
        while True:
            begun_s = time.perf_counter()
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    status, _ = await visited(self._port, "/", cookie)
                if status == 200:
                    self._page_s.append(time.perf_counter() - begun_s)
                else:
                    self._lost += 1
            except _TURNED_AWAY:
                self._lost += 1
            await asyncio.sleep(max(0.0, every_s - (time.perf_counter() - begun_s)))

    async def _listen(self, cookie: str) -> None:
        """Listen to the news, as a phone that comes back when it is turned away."""
        while True:
            with contextlib.suppress(*_TURNED_AWAY):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
                listening = False
                try:
                    head = f"Host: localhost:{self._port}\r\nCookie: {cookie}\r\n\r\n"
                    writer.write(f"GET /stream?lang=en HTTP/1.1\r\n{head}".encode())
                    while line := await reader.readline():
                        if line.startswith(b"event: state") and not listening:
                            listening = True
                            self._listening += 1
                        if line.startswith(b"data: ") and b'"regions"' in line:
                            self._hear(line)
                finally:
                    self._listening -= listening
                    writer.close()
            await asyncio.sleep(1)

    def _hear(self, line: bytes) -> None:
        now_s = time.perf_counter()
        latest = max(map(int, re.findall(r"entry (\d+)\b", line.decode())), default=0)
        if latest in self._entered:
            self._news_s.append(now_s - self._entered[latest])

    async def _enter(self, token: str) -> None:
        """Book a fine again and again, as the host. A number in its reason tells the news apart."""
        for number in itertools.count(1):
            entry = {"token": token, "player": "Bo", "category": "minor", "reason": f"entry {number}"}
            self._entered[number] = time.perf_counter()
            with contextlib.suppress(*_TURNED_AWAY):
                await visited(self._port, "/fines", self._host, entry)
            await asyncio.sleep(_ENTRY_EVERY_S)

    async def _stranger(self, kind: int) -> None:
        """Hold a connection, as a stranger who says nothing, never ends his request, or does not read the answer."""
        while True:
            with contextlib.suppress(*_TURNED_AWAY):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1024)
                self._held += 1
                try:
                    if kind == 1:
                        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
                    elif kind == 2:
                        writer.write(b"GET /source HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    while not reader.at_eof():
                        await asyncio.sleep(1)
                        if kind == 1:
                            writer.write(b"x")
                            await writer.drain()
                        elif kind == 0:
                            async with asyncio.timeout(_PATIENCE_S):
                                await reader.read(1)
                finally:
                    self._held -= 1
                    writer.close()
            await asyncio.sleep(0.05)


def told_times(seconds: list[float]) -> str:
    """How often something happened, and how long it took in ms, in words."""
    if not seconds:
        return "never came"
    ordered = sorted(seconds)
    p50, p95, longest = (1000 * ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.95, 1.0))
    return f"{len(ordered)} times, p50 {p50:.0f} ms, p95 {p95:.0f} ms, longest {longest:.0f} ms"
