"""A long evening at the real program: `python tests/webui/soak.py` (Linux; full disks need root).

It serves a network camera that shows the demo's recording over and over, with 50 phones that listen, fines and
adjustments entered by the host, and everything that happens to a club's laptop: the program is killed, the camera's
cable is pulled, the disk is full, the clock jumps, phones come and go. By default it is an evening of 4 hours at twice
the pace. At the end stands what went wrong: acknowledged entries that are not in the evening, or twice; phones whose
page, as put together from the news, is not what the server shows; and how memory, threads and open files grew from
minute 10 on. Status 1 says that something was lost or grew by more than 5 %.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
from network_camera import NetworkCamera, Picture

from tracker.danish.events import Adjusted, Fined
from tracker.store import EventStore
from vision.resources import datasets_dir
from webui.bench.serving import visited
from webui.people.phones import Phones
from webui.people.roles import Role
from webui.people.signatures import PHONE_COOKIE
from webui.serving.ending import told_to_end

SEATS = "Anna@S,Bo@E,Carl@N,Dora@W"
FROM_MINUTE = 10
MOST_GROWTH = 0.05
_PLAYERS = ("Anna", "Bo", "Carl", "Dora")
_AWAY = (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError)
_PATIENCE_S = 60.0
# The program, with a clock that is wrong by as many seconds as the file says.
_PROGRAM = """
import sys, time
clock, real_s, real_ns = sys.argv.pop(1), time.time, time.time_ns
def wrong():
    with open(clock) as file:
        return int(file.read() or 0)
time.time, time.time_ns = lambda: real_s() + wrong(), lambda: real_ns() + wrong() * 10**9
from webui.cli import main
sys.exit(main())
"""


@dataclass
class Found:
    """What went wrong, and what was counted on the way."""

    acknowledged: set[str] = field(default_factory=set)
    compared: int = 0
    gaps: int = 0
    lost: int = 0
    doubled: int = 0
    told: list[str] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)


class Table:
    """The program at a table, which may be killed and started again on the same port."""

    def __init__(self, folder: Path, camera: str, phones: int) -> None:
        self.folder = folder
        self.database = folder / "evening.sqlite3"
        joined = Phones(self.database)
        self.host, *self.cookies = (
            f"{PHONE_COOKIE}={joined.cookie(joined.join(role).id)}"
            for role in (Role.HOST, *[Role.PLAYER] * phones)
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._camera = camera
        self._clock = folder / "clock"
        self.left: list[Path] = []
        self._errors = folder / "errors.txt"
        self.jump(0)
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        words = ["serve", self._camera, "--no-browser", "--host", "127.0.0.1", "--port", str(self.port)]
        words += ["--db", str(self.database), "--seats", SEATS]
        with self._errors.open("ab") as errors:
            return subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, str(self._clock), *words],
                env={**os.environ, "XDG_DATA_HOME": str(self.folder), "OMP_NUM_THREADS": "1"},
                stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip

    def jump(self, seconds: int) -> None:
        """Set the program's clock so many seconds off."""
        self._clock.write_text(str(seconds), encoding="ascii")

    def kill(self) -> None:
        """SIGKILL, and a new start."""
        self.process.kill()
        self.process.wait()
        self.process = self._started()

    def end_twice(self, wait_s: float) -> int:
        """Told to end, and again after `wait_s`; its status. Then a new start."""
        self.process.send_signal(signal.SIGTERM)
        time.sleep(wait_s)
        self.process.send_signal(signal.SIGHUP)
        status = self.process.wait(60)
        self.left = list(self.folder.rglob("*.evidence/*/*.jpg"))
        self.process = self._started()
        return status

    def end(self) -> int:
        """End it in order; its status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def faults(self) -> list[str]:
        """What it told on the terminal."""
        return self._errors.read_text(encoding="utf-8").splitlines()

    def uses(self) -> tuple[float, float, float]:
        """Memory (MB), threads and open files of the program and the processes that it started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        memory = threads = files = 0.0
        for pid in (str(self.process.pid), *children):
            status = Path(f"/proc/{pid}/status").read_text()
            memory += int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024
            threads += int(re.findall(r"Threads:\s+(\d+)", status)[0])
            files += len(os.listdir(f"/proc/{pid}/fd"))
        return memory, threads, files

    async def asked(self, path: str, cookie: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """The status and the body of the answer; a connection of its own."""
        async with asyncio.timeout(_PATIENCE_S):
            return await visited(self.port, path, cookie, form)


class Phone:
    """A page that listens: the regions as put together from the news."""

    def __init__(self, table: Table, cookie: str) -> None:
        self._table = table
        self.cookie = cookie
        self.version = 0
        self.regions: dict[str, str] = {}
        self._writer: asyncio.StreamWriter | None = None

    async def listen(self) -> None:
        """Hear the news, and come back after a second when turned away, until cancelled."""
        while True:
            with contextlib.suppress(*_AWAY):
                reader, self._writer = await asyncio.open_connection(
                    "127.0.0.1", self._table.port, limit=2**22
                )
                try:
                    head = f"Host: localhost:{self._table.port}\r\nCookie: {self.cookie}\r\n\r\n"
                    self._writer.write(f"GET /stream?lang=en HTTP/1.1\r\n{head}".encode())
                    async with asyncio.timeout(None) as patience:
                        while True:
                            # As the page does: no sign of life for 12 s means that the table is gone.
                            patience.reschedule(asyncio.get_running_loop().time() + 12)
                            line = await reader.readline()
                            if not line:
                                break
                            if line.startswith(b"data: ") and b'"regions"' in line:
                                news = json.loads(line.removeprefix(b"data: "))
                                self.version = news["version"]
                                self.regions |= news["regions"]
                finally:
                    self._writer.close()
            await asyncio.sleep(1)

    def leave(self) -> None:
        """The page is closed, and opened again."""
        if self._writer is not None:
            self._writer.close()

    async def is_right(self) -> bool:
        """Whether what the page shows is what the server does, at the same version, within a minute."""
        until_s = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until_s:
            with contextlib.suppress(*_AWAY):
                status, body = await self._table.asked("/state?lang=en", self.cookie)
                shown = json.loads(body) if status == 200 else {"version": 0}
                for _ in range(20):
                    if self.version >= shown["version"]:
                        break
                    await asyncio.sleep(0.2)
                if status == 200 and self.version == shown["version"]:
                    return bool(self.regions == shown["regions"])
            await asyncio.sleep(0.5)
        return False


class Evening:
    """All that happens. `minute_s` is how long a minute of the evening takes, in s."""

    def __init__(self, table: Table, camera: NetworkCamera, args: argparse.Namespace) -> None:
        self._table = table
        self._camera = camera
        self._show = camera.shoot
        self._minutes = 60 * args.hours
        self.minute_s = 60 / args.pace
        self._rng = random.Random(args.seed)
        self._phones = [Phone(table, cookie) for cookie in table.cookies]
        self.found = Found()
        self._uses: list[tuple[float, tuple[float, float, float]]] = []
        self._calm = asyncio.Event()
        self._calm.set()

    async def play(self) -> None:
        """From the first minute to the last; then settle what was found."""
        begun_s = time.monotonic()
        tasks = [asyncio.create_task(phone.listen()) for phone in self._phones]
        tasks.append(asyncio.create_task(self._enter()))
        troubles = self._planned()
        checked = 0
        while (minute := (time.monotonic() - begun_s) / self.minute_s) < self._minutes:
            while troubles and troubles[0][0] <= minute:
                _, trouble = troubles.pop(0)
                self.found.happened[trouble] += 1
                print(f"minute {minute:5.1f}: {trouble}", flush=True)
                await getattr(self, f"_{trouble}")()
            if self._table.process.poll() is not None:
                self.found.told.append(f"the program ended with {self._table.process.returncode}")
                self._table.process = self._table._started()
            with contextlib.suppress(OSError, IndexError):
                self._uses.append((minute, self._table.uses()))
                if len(self._uses) % 20 == 0:
                    memory, threads, files = self._uses[-1][1]
                    print(
                        f"minute {minute:5.1f}: {memory:.0f} MB, {threads:.0f} threads, {files:.0f} files",
                        flush=True,
                    )
            self._rng.choice(self._phones).leave()
            phone = self._phones[checked % len(self._phones)]
            checked += 1
            await self._compare(phone)
            await asyncio.sleep(self.minute_s / 10)
        for phone in self._phones:
            await self._compare(phone)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._settle()

    def _planned(self) -> list[tuple[float, str]]:
        """When each trouble comes. Kills come early and late: growth is measured over the time between."""
        all_minutes = self._minutes
        plan = [(all_minutes * share, "killed") for share in (0.05, 0.1, 0.15, 0.9, 0.94)]
        for trouble, times in (
            ("camera_unplugged", 8),
            ("disk_full", 4),
            ("clock_jumps", 6),
            ("told_twice", 6),
            ("phones_vanish", 4),
        ):
            plan += [(all_minutes * self._rng.uniform(0.2, 0.88), trouble) for _ in range(times)]
        return sorted(plan)

    async def _compare(self, phone: Phone) -> None:
        self.found.compared += 1
        if not await phone.is_right():
            self.found.gaps += 1
            print("a phone does not show what the server does", flush=True)

    # ---- troubles ----

    async def _killed(self) -> None:
        self._table.kill()

    async def _told_twice(self) -> None:
        status = await asyncio.to_thread(self._table.end_twice, self._rng.uniform(0, 0.001))
        begun = status not in (-signal.SIGTERM, -signal.SIGHUP)  # else it was still being loaded
        if (begun and status not in (143, 129)) or self._table.left:
            self.found.told.append(
                f"told to end twice: status {status}, {len(self._table.left)} pictures left"
            )

    async def _camera_unplugged(self) -> None:
        self._camera.shoot = lambda _: None
        await asyncio.sleep(self.minute_s / 2)
        self._camera.shoot = self._show

    async def _disk_full(self) -> None:
        filler = self._table.folder / "filler"
        with contextlib.suppress(OSError), filler.open("wb") as file:
            while os.path.ismount(self._table.folder):
                file.write(bytes(2**16))
                file.flush()
        await asyncio.sleep(self.minute_s / 2)
        filler.unlink(missing_ok=True)

    async def _clock_jumps(self) -> None:
        self._table.jump(self._rng.choice((-86400, -3600, -60, 60, 3600, 7200)))

    async def _phones_vanish(self) -> None:
        for phone in self._phones:
            phone.leave()

    # ---- entries ----

    async def _enter(self) -> None:
        """Fines and chips moved, each with a number of its own; sent again until it is acknowledged."""
        for number in itertools.count():
            path, form = self._entry(number)
            token = ""
            while True:
                with contextlib.suppress(*_AWAY):
                    if not token:
                        _, page = await self._table.asked("/", self._table.host)
                        found = re.findall(r'name="token" value="([^"]*)"', page)
                        if not found:
                            raise ValueError(f"no page to enter from: {page[:200]!r}")
                        token = found[0]
                    status, _ = await self._table.asked(path, self._table.host, {"token": token, **form})
                    if status == 200:
                        self.found.acknowledged |= {form["reason"]} - {""}
                        break
                    if status != 503:
                        self.found.told.append(f"{path} {form}: {status}")
                        break
                await asyncio.sleep(1)
            await asyncio.sleep(self.minute_s * self._rng.uniform(0.05, 0.4))

    def _entry(self, number: int) -> tuple[str, dict[str, str]]:
        if number == 0:
            return "/hands", {"dealer": "Dora", "reason": ""}
        reason = f"entry {number}."
        if number % 2:
            fine = {"player": self._rng.choice(_PLAYERS), "category": "superficial"}
            return "/fines", {"once": reason, "reason": reason, **fine}
        moved = dict(zip(("source", "target"), self._rng.sample(_PLAYERS, 2), strict=True))
        return "/adjust", {"once": reason, "reason": reason, "amount": "5", **moved}

    # ---- at the end ----

    def _settle(self) -> None:
        status = self._table.end()
        if status != 143:
            self.found.told.append(f"told to end, it ended with {status}")
        self.found.told += self._table.faults()
        with contextlib.closing(EventStore(self._table.database)) as store:
            events = [record.event for record in store.events()]
        stored = Counter(one.reason for one in events if isinstance(one, Fined | Adjusted))
        self.found.lost = len(self.found.acknowledged - stored.keys())
        self.found.doubled = sum(count > 1 for count in stored.values())
        print(f"events in the evening {len(events)}")

    def growth(self) -> list[tuple[str, float, float]]:
        """What was used early and late in the time without kills, from `FROM_MINUTE` after its beginning on."""
        begin, end = self._minutes * 0.15 + FROM_MINUTE, self._minutes * 0.9
        calm = [use for minute, use in self._uses if begin <= minute < end]
        part = max(1, len(calm) // 5)
        rows = []
        for place, name in enumerate(("memory in MB", "threads", "open files")):
            figures = [use[place] for use in calm]
            if figures:
                rows.append((name, statistics.median(figures[:part]), statistics.median(figures[-part:])))
        return rows


@contextlib.contextmanager
def small_disk() -> Iterator[Path]:
    """A folder on a disk of its own that can be filled; without root on the common disk."""
    with tempfile.TemporaryDirectory(prefix="tarok-soak-") as name:
        words = ["mount", "-t", "tmpfs", "-o", "size=96m,mode=700", "tmpfs", name]
        mounted = os.geteuid() == 0 and subprocess.run(words, capture_output=True).returncode == 0
        if not mounted:
            print("no disk of its own can be made here: it is never full")
        try:
            yield Path(name)
        finally:
            if mounted:
                subprocess.run(["umount", name], check=True)


def recording(pictures_a_second: float) -> "list[Picture]":
    """The demo's recording, so many pictures of each of its seconds."""
    film = cv2.VideoCapture(str(datasets_dir() / "demo" / "hand.mp4"))
    step = max(1, round(film.get(cv2.CAP_PROP_FPS) / pictures_a_second))
    pictures: list[Picture] = []
    number = 0
    while film.grab():
        if number % step == 0:
            pictures.append(film.retrieve()[1])
        number += 1
    return pictures


def main() -> int:
    """Play the evening and print what was found; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hours", type=float, default=4.0, help="of the evening; default: 4")
    parser.add_argument("--pace", type=float, default=2.0, help="default: 2, twice as fast as a real one")
    parser.add_argument("--phones", type=int, default=50, help="default: 50")
    parser.add_argument(
        "--fps", type=float, default=4.0, help="pictures the camera gives a second; default: 4"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pictures = [cv2.imencode(".jpg", one)[1].tobytes() for one in recording(args.fps / args.pace)]

    def shoot(number: int) -> bytes:
        time.sleep(max(0.0, 1 / args.fps - 0.05))
        return pictures[number % len(pictures)]

    with told_to_end(), small_disk() as folder, NetworkCamera(shoot) as camera:
        table = Table(folder, camera.url, args.phones)
        try:
            return asyncio.run(_played(table, camera, args))
        finally:
            table.process.kill()
            table.process.wait()


async def _played(table: Table, camera: NetworkCamera, args: argparse.Namespace) -> int:
    evening = Evening(table, camera, args)
    await evening.play()
    found = evening.found
    print(f"happened: {', '.join(f'{name} {count}' for name, count in found.happened.items())}")
    print(f"entries acknowledged {len(found.acknowledged)}, lost {found.lost}, entered twice {found.doubled}")
    print(f"pages compared {found.compared}, gaps {found.gaps}")
    grown = False
    for name, early, late in evening.growth():
        share = late / early - 1
        grown |= share > MOST_GROWTH
        print(f"{name}: {early:.0f} after minute {FROM_MINUTE}, {late:.0f} at the end, {100 * share:+.1f} %")
    print(f"told on the terminal: {len(found.told)}", *found.told[:20], sep="\n  ")
    return int(grown or found.lost + found.doubled + found.gaps > 0)


if __name__ == "__main__":
    sys.exit(main())
