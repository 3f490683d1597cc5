"""`tarok demo`: watch the bundled recording on the page, with the same eyes and rules as at a table.

Every play is read from the picture. `datasets/demo/demo.toml` says who sits where, and what people entered by hand,
because a camera does not hear declarations.

Only Danish Tarok has a recording. With `--rules` (one of `BY_HAND`) a session of that game is dealt by chance and
entered by hand, entry by entry. The page and the terminal say so.
"""

import argparse
import threading
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from tracker.errors import TarokError
from tracker.events import CardPlayed, Event, Kinds, PlayInserted, SessionOpened
from tracker.games import game_of_rules, read_session
from vision.resources import datasets_dir
from webui.camera.cameras import Cameras
from webui.camera.loop import CameraLoop, Talk
from webui.commands.options import port_number
from webui.commands.serve import watch_table
from webui.errors import UserError
from webui.people.seats import parse_seats
from webui.table.leftover_pictures import demo_store

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
    parser.add_argument("--port", type=port_number, default=8000, help="port to listen on (default: 8000)")
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
    """Serve the page, and watch the recording or enter the session of another game; in the end print the ledger."""
    from webui.table.live import LiveTable

    if args.data is not None and not args.data.is_dir():
        raise UserError(f"--data {args.data}: there is no such folder")
    with demo_store(args.data) as store:
        table = LiveTable(store)
        if args.rules is not None:
            _enter(table, args)
        else:
            _watch(table, args)
        assert table.session is not None
        for name, chips in (*table.session.balances.items(), *table.session.pots.items()):
            print(f"{name:>8} {chips:+5d}")
        return 2 if table.camera.status.state == "trouble" else 0


def _enter(table: "LiveTable", args: argparse.Namespace) -> None:
    path = datasets_dir() / "demo" / f"{args.rules}.json"
    opened, *events = read_session(path.read_bytes())[1].events
    assert isinstance(opened, SessionOpened)
    _begin(table, opened, dict(zip(opened.seats, "SENW", strict=True)), args.data)
    print("This demo has no recording: a session is entered by hand, entry by entry.", flush=True)
    stop, ended = threading.Event(), threading.Event()
    left = events[len(table.recorded) - 1 :]
    entering = threading.Thread(
        target=enter_all, args=(table, left, args.speed, stop, ended), name="demo", daemon=True
    )
    entering.start()
    try:
        _serve(table, args, ended, demo="by hand")
    finally:
        stop.set()
        entering.join(timeout=10)  # an entry that is being made is waited for


def _watch(table: "LiveTable", args: argparse.Namespace) -> None:
    demo = load_demo(datasets_dir() / "demo" / "demo.toml")
    _begin(table, demo.opened, demo.sides, args.data)
    watching = CameraLoop(
        table, lambda: watch_table(str(demo.video), table), reopen=False, speed=args.speed, talk=demo.talk
    )
    cameras = Cameras(table, lambda _: watching, str(demo.video))
    _serve(table, args, watching.ended, demo=True, cameras=cameras)


def _begin(table: "LiveTable", opened: SessionOpened, sides: dict[str, str], folder: Path | None) -> None:
    """Open the evening, unless it goes on. Nobody plays, so the demo shows all that the program knows.

    Raises UserError if `folder` keeps the evening of another demo.
    """
    if table.session is not None and table.session.opened != opened:
        raise UserError(f"--data {folder}: keeps an evening of another demo; choose another folder")
    if table.session is None:
        table.open_evening(opened, sides)
        table.choose(fair_play=False)


def _serve(
    table: "LiveTable",
    args: argparse.Namespace,
    ended: threading.Event,
    *,
    demo: bool | Literal["by hand"],
    cameras: Cameras | None = None,
) -> None:
    from webui.app import create_app
    from webui.serving.server import serve

    serve(
        create_app(table, demo=demo),
        "127.0.0.1",
        args.port,
        open_browser=not args.no_browser,
        until=ended if args.once else None,
        cameras=cameras,
    )


def enter_all(
    table: "LiveTable", events: Sequence[Event], speed: float, stop: threading.Event, ended: threading.Event
) -> None:
    """Enter `events` into `table` one after the other, as people do, until `stop` is set; then set `ended`."""
    pause_s = _ENTRY_S / speed if speed > 0 else 0.0
    try:
        for event in events:
            if stop.wait(pause_s):
                return
            table.enter(event)
    except TarokError as error:
        print(f"tarok: {error}", flush=True)
    finally:
        ended.set()


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
