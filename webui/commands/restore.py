"""`tarok restore`: restore what `tarok backup` wrote. An evening goes on in the middle of a hand."""

import argparse
from contextlib import closing
from pathlib import Path

from tracker.store import EventStore
from webui.errors import UserError, told_as
from webui.paths import database_of, decks_dir


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok restore`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the file that tarok backup wrote")
    parser.add_argument("--db", type=Path, help="the database to restore into (default: in your data folder)")


def run(args: argparse.Namespace) -> int:
    """Restore all of the backup, or nothing. A database that has evenings is refused."""
    from webui.table.backup import read_backup, restore_backup

    files = read_backup(args.file)
    path = database_of(args.db)
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}")
    with told_as(UserError, path), closing(EventStore(path, alone=True)) as store:
        count = restore_backup(files, store, decks_dir())
    print(f"{path}: evenings: {count}. tarok serve goes on with the last one.")
    return 0
