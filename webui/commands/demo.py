"""`tarok demo`: watch the bundled recording on the page, with the same eyes and rules as at a table.

Every play is read from the picture. `datasets/demo/demo.toml` says who sits where, and what people entered by hand,
because a camera does not hear declarations.

Only Danish Tarok has a recording. With `--rules` (one of `BY_HAND`) a session of that game is dealt by chance and
entered by hand, entry by entry. The page and the terminal say so.
"""

import argparse
import tempfile
import threading
import tomllib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracker.errors import TarokError
from tracker.events import CardPlayed, Event, Kinds, PlayInserted, SessionOpened
from tracker.games import game_of_rules, read_session
from tracker.store import EventStore
from vision.resources import datasets_dir
from webui.camera.cameras import Cameras
from webui.camera.loop import CameraLoop, Talk
from webui.commands.options import port_number
from webui.commands.serve import watch_table
from webui.errors import UserError
from webui.people.seats import parse_seats
from webui.table.leftover_pictures import DEMO_PREFIX, delete_left_demos

if TYPE_CHECKING:
    from webui.table.live import LiveTable

BY_HAND: Final = ("tarot-1659", "american-tarock", "french-tarot")
"""Rule sets of games without a recording: a session is entered by hand."""
_ENTRY_S: Final = 2.0
"""Seconds between two entries."""


@dataclass(frozen=True)
class Demo:
    """A recording, who sits where in its picture, the rules, and what people entered by hand and when."""

    video: Path
    sides: dict[str, str]
    opened: SessionOpened
    talk: tuple[Talk, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok demo`."""
    parser.add_argument(
        "--rules", choices=BY_HAND, help="a session of that game entered by hand, without a recording"
    )
    parser.add_argument("--port", type=port_number, default=8000, help="default: 8000")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in the browser")
    parser.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        help="of the recording: 2 is twice as fast, 0 as fast as it can be read",
    )
    parser.add_argument("--data", type=Path, help="folder to keep the evening in (default: it is deleted)")
    parser.add_argument(
        "--once", action="store_true", help="end when the recording has, and print the ledger"
    )


def run(args: argparse.Namespace) -> int:
    """Serve the page, and watch the recording or enter the session of another game."""
    if args.rules is not None:
        return _by_hand(args)
    return _watch(args)


def _by_hand(args: argparse.Namespace) -> int:
    from webui.app import create_app
    from webui.serving.server import serve
    from webui.table.live import LiveTable

    path = datasets_dir() / "demo" / f"{args.rules}.json"
    opened, *events = read_session(path.read_bytes())[1].events
    assert isinstance(opened, SessionOpened)
    with ExitStack() as kept:
        delete_left_demos()
        store = EventStore(_folder(args.data, kept) / "demo.sqlite3", alone=True)
        kept.callback(store.close)
        table = LiveTable(store)
        if table.session is None:
            table.open_evening(opened, dict(zip(opened.seats, "SENW", strict=True)))
            table.choose(replace(table.choices, fair_play=False))
        print("This demo has no recording: a session is entered by hand, entry by entry.", flush=True)
        entering = Entering(table, events[len(table.recorded) - 1 :], args.speed)
        kept.callback(entering.stop)
        entering.start()
        serve(
            create_app(table, demo="by hand"),
            "127.0.0.1",
            args.port,
            open_browser=not args.no_browser,
            until=entering.ended if args.once else None,
        )
        _print_ledger(table)
    return 0


class Entering:
    """Enters `events` into `table` one after the other, as people do; `ended` is set after the last."""

    def __init__(self, table: "LiveTable", events: Sequence[Event], speed: float) -> None:
        self._table = table
        self._events = events
        self._pause_s = _ENTRY_S / speed if speed > 0 else 0.0
        self._stop = threading.Event()
        self.ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)

    def start(self) -> None:
        """Begin to enter."""
        self._thread.start()

    def stop(self) -> None:
        """Enter nothing more, and wait for an entry that is being made."""
        self._stop.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        try:
            for event in self._events:
                if self._stop.wait(self._pause_s):
                    return
                self._table.enter(event)
        except TarokError as error:
            print(f"tarok: {error}", flush=True)
        finally:
            self.ended.set()


def _watch(args: argparse.Namespace) -> int:
    from webui.app import create_app
    from webui.serving.server import serve
    from webui.table.live import LiveTable

    demo = load_demo(datasets_dir() / "demo" / "demo.toml")
    with ExitStack() as kept:
        delete_left_demos()
        store = EventStore(_folder(args.data, kept) / "demo.sqlite3", alone=True)
        kept.callback(store.close)
        table = LiveTable(store)
        if table.session is None:
            table.open_evening(demo.opened, demo.sides)
            # Nobody plays, so nothing is hidden: the demo shows all that the program knows.
            table.choose(replace(table.choices, fair_play=False))
        camera_loop = CameraLoop(
            table,
            lambda: watch_table(str(demo.video), table),
            reopen=False,
            speed=args.speed,
            talk=demo.talk,
        )
        serve(
            create_app(table, demo=True),
            "127.0.0.1",
            args.port,
            open_browser=not args.no_browser,
            until=camera_loop.ended if args.once else None,
            cameras=Cameras(table, lambda _: camera_loop, str(demo.video)),
        )
        _print_ledger(table)
        return 2 if table.camera.status.state == "trouble" else 0


def _print_ledger(table: "LiveTable") -> None:
    assert table.session is not None
    for name, chips in (*table.session.balances.items(), *table.session.pots.items()):
        print(f"{name:>8} {chips:+5d}")


def _folder(data: Path | None, kept: ExitStack) -> Path:
    """The folder of the database: `data`, or a temporary one that is deleted with `kept`. Raises UserError."""
    if data is None:
        # On Windows an open database cannot be deleted; the system removes it later.
        return Path(
            kept.enter_context(tempfile.TemporaryDirectory(prefix=DEMO_PREFIX, ignore_cleanup_errors=True))
        )
    if not data.is_dir():
        raise UserError(f"--data {data}: there is no such folder")
    return data


def load_demo(path: Path) -> Demo:
    """The demo's settings in the file at `path`. Raises UserError that names the file and what is wrong with it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        sides = parse_seats(data["seats"])
        options = tuple(dict(data.get("options", {})).items())
        opened = SessionOpened(data["rules"], options, tuple(sides))
        kinds = game_of_rules(opened.rules).session.kinds
        talk = [_talk(entry, kinds) for entry in data.get("talk", ())]
        return Demo(
            path.parent / data["video"], sides, opened, tuple(sorted(talk, key=lambda one: one.time_s))
        )
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    except KeyError as error:
        raise UserError(f"{path}: {error.args[0]} is missing") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError, TarokError) as error:
        raise UserError(f"{path}: {error}") from None


def _talk(entry: dict[str, object], kinds: Kinds) -> Talk:
    """The event, and its time, in an entry such as `{time_s = 1.5, event = "Declared", player = "Anna", …}`."""
    fields = dict(entry)
    time_s = fields.pop("time_s")
    if not isinstance(time_s, int | float):
        raise TypeError(f"time_s {time_s!r} is not a number")
    event = kinds.from_json(fields)
    if isinstance(event, CardPlayed | PlayInserted):
        raise TypeError("plays come from the picture, never from this file")
    return Talk(float(time_s), event)


def _speed(word: str) -> float:
    try:
        speed = float(word)
    except ValueError:
        speed = -1.0
    if not 0 <= speed <= 1000:
        raise argparse.ArgumentTypeError(f"{word!r} is not a speed from 0 to 1000")
    return speed
