"""`tarok serve`: watch a camera and show the table on the page."""

import argparse
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.errors import TarokError
from tracker.events import HandStarted, SessionOpened
from tracker.games import ALL_RULE_SETS, USUAL_RULES, rules_named
from tracker.rule_sets import Options
from tracker.store import DamagedError, EventStore, HeldError, StoreError
from webui.commands.options import add_threads, check_threads, port_number
from webui.errors import UserError
from webui.kept_file import file_beside
from webui.paths import database_of, deck_dir, decks_dir
from webui.people.seats import parse_seats

if TYPE_CHECKING:
    from vision.arrays import UInt8Array
    from vision.watching.eyes import WatchUpdate
    from vision.watching.set_up import TableLook
    from webui.camera.loop import CameraLoop
    from webui.table.live import LiveTable
    from webui.table.set_up import SetUp


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok serve`."""
    parser.add_argument(
        "source",
        nargs="?",
        help="camera number or address, a recording, or none to enter every card by hand "
        "(default: the one chosen on the page)",
    )
    parser.add_argument(
        "--seats",
        help="begin an evening with these players, such as Anna@S,Bo@E,Carl@W: sides as seen in the picture "
        "(default: they are seated on the page)",
    )
    parser.add_argument("--dealer", help="who deals the first hand (default: the first seat)")
    parser.add_argument(
        "--rules",
        default=USUAL_RULES,
        help=f"rules of a new evening: {', '.join(ALL_RULE_SETS)}, or a club's TOML file (default: {USUAL_RULES})",
    )
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: the whole network)")
    parser.add_argument("--port", type=port_number, default=8000, help="port to listen on (default: 8000)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in the browser")
    parser.add_argument(
        "--again", action="store_true", help="open the page of the program that is already running"
    )
    parser.add_argument("--deck", metavar="NAME", help="a deck that was taught with tarok decks enrol")
    add_threads(parser)
    parser.add_argument("--db", type=Path, help="the evening's database (default: in your data folder)")
    parser.add_argument(
        "--club", metavar="URL", help="address of a club's server; the table joins the club by --club-code"
    )
    parser.add_argument("--club-code", metavar="CODE", help="the code that the club gave for this table")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted. An evening that is open in the database goes on."""
    from vision.camera.address import check_address, is_camera, is_in_network
    from webui.app import create_app
    from webui.camera.cameras import Cameras
    from webui.serving.server import serve
    from webui.table.leftover_pictures import delete_left
    from webui.table.live import LiveTable
    from webui.table.set_up import SetUp

    check_threads(args)
    seats = parse_seats(args.seats) if args.seats else {}
    if args.dealer is not None and args.dealer not in seats:
        raise UserError(f"--dealer {args.dealer}: no such player in --seats")
    # A camera may be plugged in later; a recording must be there.
    if args.source not in (None, "none") and not is_camera(args.source) and not Path(args.source).is_file():
        raise UserError(f"source {args.source!r}: no such video file, and no camera's number or address")
    if args.source is not None and is_in_network(args.source):
        check_address(args.source)
    rules = rules_named(args.rules)
    path = database_of(args.db)
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}")
    try:
        store = EventStore(path, alone=True)
    except HeldError:
        if not args.again:
            raise
        # The program was started a second time, as by a double click.
        print("The program is already running; its page is opened.", flush=True)
        webbrowser.open(_link_to_running(path, args.port))
        return 0
    try:
        table = LiveTable(store)
    except TarokError as error:
        if isinstance(error, StoreError) and not isinstance(error, DamagedError):
            raise
        raise UserError(f"{path}: its evening cannot be read ({error}); begin another with --db") from None
    try:
        delete_left(path)
        _take_choices(table, args)
        if seats:
            seat_table(table, seats, args.dealer, rules)
        _join_club(table, args.club, args.club_code)
        setting_up = SetUp(table)
        source = _source(args.source, table)
        cameras = Cameras(
            table,
            lambda chosen: _camera_loop(chosen, table, setting_up, args.threads),
            source,
            asks=args.source != "none",
        )
        app = create_app(table, source=source, cameras=cameras, setting_up=setting_up, rules=rules)
        serve(
            app,
            args.host,
            args.port,
            open_browser=not args.no_browser,
            cameras=cameras,
            any_port=args.again,
            address_file=_address_file(path),
        )
    except UserError:
        store.close()  # so that the next try can open the evening
        raise
    except BaseException:
        table.end()  # also if the program was told to end before it served
        raise
    return 0


def _address_file(database: Path) -> Path:
    """The file that says how the browser reaches the program that holds `database`."""
    return file_beside(database, ".address")


def _link_to_running(database: Path, port: int) -> str:
    """The link that makes this user's browser the host at the program that holds `database`.

    That program is looked for at `port` if it has not said where it serves.
    """
    from webui.people.phones import Phones

    try:
        address = _address_file(database).read_text(encoding="utf-8")
    except OSError:
        address = f"http://localhost:{port}/"
    return f"{address}laptop/{Phones(database).new_invitation('host')}"


def _source(word: str | None, table: "LiveTable") -> str | None:
    """The source that watches the table: the command's, or the one chosen on the page; None for no camera."""
    source = word if word is not None else table.choices.camera
    return None if source in ("none", "") else source


def _join_club(table: "LiveTable", address: str | None, code: str | None) -> None:
    """Join the club that the command line names, and remember it. Raises UserError."""
    from webui.reporting.club_line import is_address
    from webui.reporting.reporter import JoiningError, Reporter

    if address is None and code is None:
        return
    if address is None or code is None:
        raise UserError("--club and --club-code go together")
    if not is_address(address.rstrip("/")):
        raise UserError(f"--club {address} is not an address; write it as in https://club.example.org")
    try:
        joined = Reporter(table).join(address.rstrip("/"), code, begin=False)
    except JoiningError as error:
        unreached = (
            f"no club answers at {address}; see that the address is right and that the network is there"
        )
        raise UserError(f"--club: {error}" if error.sentences else unreached) from None
    print(f"The table has joined {joined.club} as {joined.table}; its events are sent there.", flush=True)


def _take_choices(table: "LiveTable", args: argparse.Namespace) -> None:
    """Take over the deck on the command line, which replaces the one remembered."""
    if args.deck:
        from vision.taught.folders import open_deck

        table.choose(deck=open_deck(deck_dir(args.deck)).name)
    table.camera.deck = _remembered(table)


def _camera_loop(source: str, table: "LiveTable", setting_up: "SetUp", threads: int) -> "CameraLoop":
    """The loop that watches `source`."""
    from vision.camera.address import is_camera, is_in_network
    from webui.camera.loop import CameraLoop

    # The loop's own thread loads OpenCV and the networks, after the first page was sent.
    def bare() -> "Iterator[UInt8Array]":
        from vision.camera.capture import frames

        return (frame.picture for frame in frames(source))

    def closely() -> "Iterator[TableLook]":
        from vision.watching.set_up import table_looks

        return table_looks(source, deck=table.camera.deck, threads=threads)

    return CameraLoop(
        table,
        lambda: watch_table(source, table, threads),
        reopen=is_camera(source),
        in_network=is_in_network(source),
        speed=0.0 if is_camera(source) else 1.0,
        look=bare,
        set_up=setting_up,
        look_closely=closely,
    )


def _remembered(table: "LiveTable") -> Path | None:
    """The folder of the deck that was chosen for the table, if it is still there."""
    from vision.taught.folders import taught_decks

    folder = decks_dir()
    return folder / table.choices.deck if table.choices.deck in taught_decks(folder) else None


def seat_table(
    table: "LiveTable", seats: dict[str, str], dealer: str | None, rules: tuple[str, Options]
) -> None:
    """Open an evening with `seats` and `rules` (a base and options), or go on with the open evening.

    An open evening keeps its own rules. Raises UserError if it has other players.
    """
    session = table.session
    if session is not None and not session.closed:
        if set(session.seats) != set(seats):
            there = ", ".join(session.seats)
            raise UserError(
                f"{table.path}: an evening of {there} is open; leave out --seats, or use another --db"
            )
        table.seat(seats)
        return
    base, options = rules
    table.open_evening(SessionOpened(base, options, tuple(seats)), seats)
    if dealer is not None:
        table.enter(HandStarted(dealer))


def watch_table(source: str, table: "LiveTable", threads: int | None = None) -> "Iterator[WatchUpdate]":
    """What the eyes see at `source`. The game of `table` tells them what to expect.

    Without `threads` the models run on as many threads as help.
    """
    from vision.watching.eyes import watch
    from vision.watching.learnt import sides_of
    from webui.table.resuming import resumed
    from webui.table.set_up import kept_learnt

    learnt = kept_learnt(table.path).load()
    sides = table.begin_watching()
    if sides_of(learnt.laid) != sides:
        learnt = replace(learnt, laid={})  # people have changed places since the set-up
    return resumed(
        table,
        lambda expect: watch(source, sides, expect, threads=threads, deck=table.camera.deck, learnt=learnt),
    )
