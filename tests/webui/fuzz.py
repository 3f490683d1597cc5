"""Random requests and damaged files, by the thousand: nothing of it may fail, and nothing may change unsaid.

`python tests/webui/fuzz.py pages [--count 2000]` sends that many random requests to each address of the page; `… club`
does so with a club's server, and sends it as many damaged batches of a table. `… taps [--count 50]` taps at random what
the page offers, through as many evenings of each game.
`… files [--count 500]` damages as many pictures and recordings, and as many session files, rules, backups and
settings, and has every command read them that reads such a file. Each must end within 60 s with status 0, or with
one line and status 2. `--seed` begins elsewhere; `--only WORD` takes only what has WORD in its name. Each fault is
told with what it takes to do it again; status 1 says that there was one.
"""

import argparse
import json
import os
import queue
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from fuzz_pages import fuzz_pages
from fuzz_taps import fuzz_taps

from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, HandStarted, SessionOpened
from tracker.session_file import export
from tracker.store import EventStore
from vision.lab.rendering.video_file import VideoFile
from vision.resources import datasets_dir
from webui.cli import main as tarok

LIMIT_S = 60.0
SEATS = "Anna@S,Bo@E,Carl@N,Dora@W"
_CLUB = 'base = "dtf-2011"\nname = "Lauget"\nfoundation = 30\ndeal = 10\nnolo = 35\nmax_players = 4\ncount = false\n'


# ---- damage ----


def damaged(rng: random.Random, data: bytes) -> bytes:
    """`data` with bytes changed, cut off, doubled, moved or put in."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        # The beginning says the most.
        at = rng.randrange(min(len(out), rng.choice((64, 600, len(out)))) if out else 1)
        match rng.randrange(7):
            case 0 if out:
                out[at % len(out)] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
            case 1:
                del out[at:]
            case 2:
                del out[at : at + rng.choice((1, 4, 100))]
            case 3:
                out[at:at] = out[at : at + rng.choice((1, 4, 100))]
            case 4:
                out[at:at] = rng.randbytes(rng.choice((1, 4, 40)))
            case 5:
                out[at : at + 4] = rng.choice(
                    (b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"\0\0\0\1")
                )
            case 6:
                end = at + rng.choice((4, 100, 3000))
                out[at:end] = bytes(len(out[at:end]))
    return bytes(out)


_ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 75, 10**9, 10**30, 1e308, float("nan"), float("inf"), 0.5),
    *("", "Anna", "S7", "T21", "F", "king", "pagat", "dtf-2011", "x" * 3000, "\0", "\ud800", "٣"),
    *([], {}, [[]], {"": {}}, [None], ["Anna", "Anna"]),
)


def altered(rng: random.Random, value: Any, often: float = 0.02) -> Any:
    """A JSON `value` with parts of it replaced, left out, doubled or put under another key."""
    if rng.random() < often:
        return rng.choice(_ODD)
    if isinstance(value, dict):
        rows = [(key, altered(rng, one, often)) for key, one in value.items() if rng.random() >= often / 2]
        if rows and rng.random() < often:
            rows.append((rng.choice([*value, "play", "card", "x", ""]), rng.choice(rows)[1]))
        return dict(rows)
    if isinstance(value, list):
        items = [altered(rng, one, often) for one in value if rng.random() >= often / 2]
        if items and rng.random() < 3 * often:
            items.insert(rng.randrange(len(items)), rng.choice(items))
        if rng.random() < often:
            rng.shuffle(items)
        return items
    return value


def _hurting(rng: random.Random, text: str) -> str:
    """JSON or TOML of a shape that takes long to read: deep, of many digits or keys, of thousands of entries."""
    many = rng.choice((100, 5000, 60_000))
    try:
        hand = json.loads(text)
        entries = hand["hands"][0]["events"]
    except (ValueError, KeyError, TypeError, IndexError):
        return text + rng.choice(
            ("deal = " + "[" * many, "deal = " + "9" * many, "a" + ".a" * (many // 2) + " = 1")
        )
    match rng.randrange(6):
        case 0:
            return "[" * many + "]" * many
        case 1:
            return "{" + ",".join(f'"{rng.randrange(many)}": 1' for _ in range(many)) + "}"
        case 2:
            return text.replace("1", "9" * rng.choice((39, 41, 4000, 5000)), 1)
        case 3:
            entries += [{"fine": hand["seats"][0], "category": "minor"}] * many
        case 4:
            entries[:] = entries[:2] + [{"take_back": 1}, entries[1]] * min(many, 2000)
        case 5:
            hand["hands"] = [{"events": []}] * many
    return json.dumps(hand)


_SQL = (
    "DROP TABLE tokens",
    "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM sessions; END",
    "CREATE VIEW v AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n",
    "UPDATE events SET at = 'noon'",
    "UPDATE sessions SET opened_at = 9e99",
    "UPDATE events SET data = x'00ff' WHERE seq = 2",
    "DELETE FROM events WHERE seq = 1",
)
"""What a hostile database may have had done to it."""


def _damaged_database(rng: random.Random, data: bytes) -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.deserialize(data[:18] + b"\1\1" + data[20:])  # without the write-ahead log of a file
        database.execute(rng.choice(_SQL))
        return bytes(database.serialize())


def _damaged_text(rng: random.Random, text: str) -> bytes:
    """JSON or TOML, altered as what it says or as bytes, or of a shape that hurts."""
    if rng.random() < 0.25:
        return _hurting(rng, text).encode()
    if rng.random() < 0.7:
        with suppress(ValueError):
            return json.dumps(altered(rng, json.loads(text))).encode("utf-8", "surrogatepass")
    return damaged(rng, text.encode())


# ---- commands in a process of their own ----


class Runner:
    """Runs `tarok` commands one after the other in a process that is started anew when one hangs or dies."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()

    def run(self, words: list[str]) -> str:
        """What is wrong with how the command ended; "" for nothing."""
        if self._process is None:
            self._start()
        process = self._process
        assert process is not None and process.stdin is not None
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()
        try:
            line = self._answers.get(timeout=LIMIT_S)
        except queue.Empty:
            self.close()
            return f"goes on after {LIMIT_S:.0f} s"
        if not line:
            status = process.wait()
            self.close()
            return f"the process died with {status}"
        status, said = json.loads(line)
        lines = said.strip().splitlines()
        if "Traceback" in said:
            return f"a traceback: {lines[-1]}"
        if status == 0 or (status == 2 and len(lines) == 1 and lines[0].startswith("tarok: ")):
            return ""
        return f"status {status} and {len(lines)} lines: {said.strip()[:600]}"

    def _start(self) -> None:
        environment = {**os.environ, "XDG_DATA_HOME": str(self._home), "OMP_NUM_THREADS": "1"}
        line = [sys.executable, __file__, "commands"]
        process = subprocess.Popen(
            line, env=environment, cwd=self._home, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._answers = queue.Queue()
        threading.Thread(target=_pass_on, args=(process, self._answers), daemon=True).start()
        self._process = process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _pass_on(process: subprocess.Popen[str], to: "queue.Queue[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        to.put(line)
    to.put("")


def run_commands() -> None:
    """Run the commands that come as JSON lines; answer with status and standard error."""
    sys.path.append(str(Path(__file__).parents[1] / "vision"))
    import opened_once  # noqa: F401 - all commands find the networks opened

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    for line in sys.stdin:
        err = StringIO()
        with redirect_stderr(err), redirect_stdout(StringIO()):
            try:
                status = tarok(json.loads(line))
            except SystemExit as stopped:
                status = stopped.code if isinstance(stopped.code, int) else 1
            except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
                traceback.print_exc()
                status = 1
        answers.write(json.dumps([status, err.getvalue()]) + "\n")
        answers.flush()


# ---- what is damaged, and who reads it ----


def _samples(folder: Path) -> dict[str, bytes]:
    """One small, whole file of each kind, by its name."""
    rng = np.random.default_rng(1)
    card = cv2.imread(str(datasets_dir() / "drawn" / "S7.png"))
    assert card is not None
    table = rng.integers(60, 90, (180, 320, 3)).astype(np.uint8)
    table[20:150, 40:110] = cv2.resize(card, (70, 130))
    made = {}
    for kind in ("png", "jpg", "bmp", "webp", "tiff"):
        made[f"photo.{kind}"] = cv2.imencode(f".{kind}", table)[1].tobytes()
    for name, codec in (("film.avi", "mjpeg"), ("film.mp4", "h264")):
        with VideoFile(folder / name, (320, 180), 10, codec=codec) as film:
            for shift in range(6):
                film.write(np.roll(table, 3 * shift, axis=1))
        made[name] = (folder / name).read_bytes()
    made["hand.json"] = (datasets_dir() / "demo" / "script.json").read_bytes()
    store = EventStore(folder / "evening.sqlite3")
    store.open_session(SessionOpened("dtf-2011", (("count", True),), ("Anna", "Bo", "Carl", "Dora")))
    store.append_all([HandStarted("Anna"), CardPlayed("Bo", "S7", time_s=1.0), CardPlayed("Carl", "SR")])
    made["short.json"] = json.dumps(export(store.events(), DanishSession)).encode()
    store.close()
    made["evening.sqlite3"] = (folder / "evening.sqlite3").read_bytes()
    assert tarok(["backup", str(folder / "backup.zip"), "--db", str(folder / "evening.sqlite3")]) == 0
    made["backup.zip"] = (folder / "backup.zip").read_bytes()
    made["club.toml"] = _CLUB.encode()
    made["truth.json"] = (datasets_dir() / "demo" / "hand.json").read_bytes()
    return made


def cases(rng: random.Random, folder: Path, only: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Endless damaged files in `folder`, by turns of each kind: its name and the commands that read it."""
    whole = _samples(folder)
    (folder / "short.json").write_bytes(whole["short.json"])
    names = [name for name in whole if only in name]
    while True:
        for name in names:
            path = folder / f"damaged-{name}"
            if name.endswith((".json", ".toml")):
                path.write_bytes(_damaged_text(rng, whole[name].decode()))
            elif name == "evening.sqlite3" and rng.random() < 0.5:
                path.write_bytes(_damaged_database(rng, whole[name]))
            else:
                path.write_bytes(damaged(rng, whole[name]))
            yield name, _readers(rng, name, path, folder)


def _readers(rng: random.Random, name: str, path: Path, folder: Path) -> list[list[str]]:
    file, out = str(path), str(folder / "out")
    kind = path.suffix
    if name.startswith("photo"):
        deck = folder / "deck"
        shutil.rmtree(deck, ignore_errors=True)
        deck.mkdir()
        (deck / f"S7{kind}").write_bytes(path.read_bytes())
        return [
            ["look", file, "--annotate", out],
            ["watch", file, "--seats", SEATS, "--out", f"{out}.json"],
            ["decks", "enrol", "Club", "--yes", "--source", rng.choice((file, str(deck)))],
            ["bench", "stills", str(deck)],
        ]
    if name.startswith("film"):
        return [
            ["watch", file, "--seats", SEATS, "--out", f"{out}.json"],
            ["decks", "enrol", "Club", "--yes", "--source", file],
        ]
    match name:
        case "hand.json" | "short.json":
            return [["audit", file], ["audit", file, "--format", "text", "--language", "da"]]
        case "club.toml":
            return [["rules", file], ["audit", str(folder / "short.json"), "--rules", file]]
        case "backup.zip":
            target = folder / "restored"
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            return [["restore", file, "--db", str(target / "evening.sqlite3")]]
        case "evening.sqlite3":
            for left in (*folder.glob("damaged-evening.sqlite3-*"), folder / "out.zip"):
                left.unlink(missing_ok=True)
            return [["backup", f"{out}.zip", "--db", file]]
        case "truth.json":
            films = folder / "films"
            films.mkdir(exist_ok=True)
            shutil.copy(path, films / "hand.json")
            shutil.copy(folder / "film.avi", films / "hand.mp4")
            return [["bench", "vision", str(films)]]
    raise AssertionError(name)


def fuzz_files(
    runner: Runner, count: int, seed: int, only: str = "", *, tell: Callable[[str], None] = print
) -> list[str]:
    """Damage `count` files and have the `runner` read them; what is wrong, a line for each."""
    faults = []
    with tempfile.TemporaryDirectory(prefix="tarok-fuzz-") as name:
        folder = Path(name)
        rng = random.Random(seed)
        slowest = 0.0
        turns = cases(rng, folder, only)
        for number in range(count):
            what, commands = next(turns)
            for words in commands:
                begun_s = time.monotonic()
                wrong = runner.run(words)
                slowest = max(slowest, time.monotonic() - begun_s)
                if wrong:
                    kept = Path(tempfile.gettempdir()) / f"tarok-fuzz-{seed}-{number}-{what}"
                    shutil.copy(folder / f"damaged-{what}", kept)
                    faults.append(
                        f"{what} {number} (seed {seed}; kept as {kept}): {' '.join(words)}: {wrong}"
                    )
                    tell(faults[-1])
        tell(f"{count} damaged files, slowest command {slowest:.1f} s, {len(faults)} faults")
    return faults


def main() -> int:
    """Run one of the two; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("pages", "club", "files", "taps", "commands"))
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="WORD")
    args = parser.parse_args()
    if args.what == "commands":
        run_commands()
        return 0
    if args.what == "pages":
        return bool(fuzz_pages(args.count or 2000, args.seed, args.only, tell=print))
    if args.what == "taps":
        return bool(fuzz_taps(args.count or 50, args.seed, tell=print))
    if args.what == "club":
        from fuzz_club import ClubSite, fuzz_batches

        count = args.count or 2000
        faults = fuzz_pages(count, args.seed, args.only, tell=print, make=ClubSite)
        return bool(faults + fuzz_batches(count, args.seed, tell=print))
    with tempfile.TemporaryDirectory() as home:
        runner = Runner(Path(home))
        try:
            return bool(fuzz_files(runner, args.count or 500, args.seed, args.only))
        finally:
            runner.close()


if __name__ == "__main__":
    sys.exit(main())
