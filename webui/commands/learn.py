"""`tarok learn`: look at hands again and answer questions about them, without a table, a camera or phones.

The program works on a copy of the evenings and deletes it at the end. So they stay as they are, and a table may be
served meanwhile.
"""

import argparse
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

from tracker.errors import TarokError
from tracker.events import HandStarted, Recorded
from tracker.files import read_at_most
from tracker.reader import MOST_FILE_BYTES
from tracker.store import DamagedError, EventStore
from webui.commands.options import port_number
from webui.errors import UserError, told_as
from webui.paths import database_of
from webui.table.leftover_pictures import demo_store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok learn`."""
    parser.add_argument(
        "what",
        nargs="?",
        metavar="FILE or EVENING",
        help="a session file, or the number of an evening in the history (default: all evenings)",
    )
    parser.add_argument("--db", type=Path, help="the evenings' database (default: in your data folder)")
    parser.add_argument("--port", type=port_number, default=8001, help="port to listen on (default: 8001)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in the browser")


def run(args: argparse.Namespace) -> int:
    """Serve the pages to this computer alone, until interrupted. Raises UserError and TarokError."""
    from webui.app import create_app
    from webui.serving.server import serve
    from webui.table.history import import_file
    from webui.table.live import LiveTable

    file = _file(args.what)
    with demo_store() as store:
        table = LiveTable(store)
        # The pages are served to this computer alone, so nobody needs to join.
        table.choose(open_table=True)
        if file is not None:
            try:
                import_file(table, file, date.today())
            except TarokError as error:
                raise UserError(f"{args.what}: {error}") from None
        else:
            for record in _evenings(args.db, args.what):
                store.import_session([one.event for one in record], record[0].at)
        serve(create_app(table, learning=True), "127.0.0.1", args.port, open_browser=not args.no_browser)
    return 0


def _file(what: str | None) -> bytes | None:
    """The session file called `what`; None if `what` is an evening's number or missing. Raises UserError."""
    if what is None or (what.isascii() and what.isdecimal()):
        return None
    try:
        with told_as(UserError, what):
            return read_at_most(Path(what), MOST_FILE_BYTES)
    except ValueError:  # a null byte in the name
        raise UserError("that is not a file name") from None


def _evenings(database: Path | None, number: str | None) -> Iterator[list[Recorded]]:
    """The evenings of `database`, or the one with that number, without unfinished hands.

    A damaged one is named and left out. Raises UserError, also where none can be read.
    """
    path = database_of(database)
    if not path.is_file():
        raise UserError(f"{path}: there is no evening yet; name a session file")
    with closing(EventStore(path)) as store:
        found = [one.id for one in store.sessions() if number is None or str(one.id) == number]
        if number is not None and not found:
            raise UserError(f"{path}: there is no evening {number}")
        damaged = []
        for one in found:
            try:
                record = store.events(session=one)
            except DamagedError as error:
                damaged.append(str(error))
            else:
                yield _played(record)
        if damaged and len(damaged) == len(found):
            raise UserError(damaged[0] if number else f"{path}: no evening can be read")
        for said in damaged:
            print(said, flush=True)


def _played(record: list[Recorded]) -> list[Recorded]:
    """`record` without its last hand while that is not over: somebody may be playing it (ETI-1)."""
    from webui.table.replaying import fold

    if not record or not fold(record)[0].under_way:
        return record
    begun = max(one.seq for one in record if isinstance(one.event, HandStarted))
    return [one for one in record if one.seq < begun]
