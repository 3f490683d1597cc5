"""`tarok open`: show the evening of a session file in the browser, as a double click on the file does.

The browser shows the file that a host shares of an evening: every hand on the felt, with its flags and payments.
Nothing is served, and the evening is not kept among the others.
"""

import argparse
import locale
import tempfile
import webbrowser
from datetime import date
from pathlib import Path

from tracker.errors import TarokError
from tracker.files import PUBLIC, read_at_most, replace_file
from tracker.reader import MOST_FILE_BYTES
from webui.errors import UserError, told_as
from webui.table.leftover_pictures import demo_store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok open`."""
    parser.add_argument("file", type=Path, help="a session file, as the page writes it")
    parser.add_argument("--out", type=Path, help="write the page there (default: open it in the browser)")


def run(args: argparse.Namespace) -> int:
    """Show the evening. Raises UserError if the file has no evening that can be shown."""
    with told_as(UserError, args.file):
        data = read_at_most(args.file, MOST_FILE_BYTES)
    try:
        page = _page_of(data)
    except TarokError as error:
        raise UserError(f"{args.file}: {error}") from None
    if page is None:
        raise UserError(
            f"{args.file}: no hand in it was played card by card; take it in on the page, under History"
        )
    if args.out is not None:
        with told_as(UserError, args.out):
            replace_file(args.out, page, mode=PUBLIC)
        print(f"The evening is in {args.out}.")
        return 0
    with tempfile.NamedTemporaryFile(prefix=f"{args.file.stem}-", suffix=".html", delete=False) as shown:
        shown.write(page)
    print(f"The evening is in {shown.name}; a browser should open it now.")
    webbrowser.open(Path(shown.name).as_uri())
    return 0


def _page_of(data: bytes) -> bytes | None:
    """The page of the evening in the session file `data`; None if no hand can be shown. Raises TarokError."""
    from webui.app import create_app
    from webui.people.phones import Phones
    from webui.table.history import import_file
    from webui.table.live import LiveTable

    with demo_store() as store:
        table = LiveTable(store)
        table.choose(fair_play=False)
        import_file(table, data, date.today())
        reader = create_app(table, learning=True).test_client()
        reader.get(f"/laptop/{Phones(store.path).new_invitation('host')}", base_url="http://localhost")
        (evening,) = table.kept.all()
        spoken = (locale.getlocale()[0] or "")[:2]
        answer = reader.get(
            f"/history/{evening.id}/replay.html?names&lang={spoken}", base_url="http://localhost"
        )
        table.end()
        return answer.data if answer.status_code == 200 else None
