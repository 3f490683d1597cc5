"""`tarok backup`: put evenings, decks and settings into one file, without keys and pictures."""

import argparse
from contextlib import closing
from pathlib import Path

from tracker.files import replace_file
from tracker.store import EventStore
from webui.errors import UserError, told_as
from webui.paths import database_of, decks_dir


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok backup`."""
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="the ZIP file to write, which must not be there yet"
    )
    parser.add_argument("--db", type=Path, help="the evening's database (default: in your data folder)")


def run(args: argparse.Namespace) -> int:
    """Write the backup, also while the program runs. A file that is there is not overwritten."""
    from webui.table.backup import make_backup

    path = database_of(args.db)
    if not path.is_file():
        raise UserError(f"{path}: there is no evening to back up")
    if args.file.exists():
        raise UserError(f"{args.file}: is there already; choose another name")
    with told_as(UserError, args.file), closing(EventStore(path)) as store:
        replace_file(args.file, make_backup(store, decks_dir()))
        count = len(store.sessions())
    print(f"{args.file}: evenings: {count}. No pictures are in it.")
    return 0
