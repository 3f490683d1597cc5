"""Deleting, at the next start, what a killed program left behind: pictures, and drafts of files."""

import contextlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

from tracker.errors import TarokError
from tracker.files import delete_drafts
from tracker.store import EventStore, StoreError

_DEMO_PREFIX = "tarok-demo-"
"""How the name of a demo's temporary folder begins."""
_WITH_DRAFTS = (
    "",
    "*.evidence/*",
    "saved/*",
    "rules",
    "clips",
    "decks/*/*",
    "decks/*/crops/*",
    "corrections/*",
)
"""The folders beside a database that the program writes to."""
_OLD_S = 3600


def delete_left(path: Path) -> None:
    """Delete pictures left beside the other databases in the folder of `path`, those of demos, and drafts of files.

    The pictures of a running program are kept, and so are those of an evening that goes on (see `LiveTable`). Files
    that only have such a name stay.
    """
    from webui.pictures.evidence import Evidence
    from webui.table.live import LiveTable

    for pattern in _WITH_DRAFTS:
        for folder in path.parent.glob(pattern) if pattern else [path.parent]:
            delete_drafts(folder)
    for pictures in path.parent.glob("*.evidence"):
        other = pictures.with_suffix("")
        if not other.is_file():
            Evidence(pictures).clear()
        elif other.resolve() != path.resolve() and other.stat().st_size:
            try:
                with closing(EventStore(other, alone=True)) as store:
                    LiveTable(store)
            except TarokError:
                continue  # a program uses it, or it cannot be read, so that its evening may go on
    _delete_copies()
    _delete_left_demos()


def _delete_copies() -> None:
    """Delete the copies of evenings that a killed backup or restore left."""
    for name in ("backup", "restore"):
        for folder in Path(tempfile.gettempdir()).glob(f"tarok-{name}-*"):
            with contextlib.suppress(OSError):
                found = folder.lstat()
                own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
                if stat.S_ISDIR(found.st_mode) and own and time.time() - found.st_mtime > _OLD_S:
                    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def demo_store(folder: Path | None = None) -> Iterator[EventStore]:
    """A database of its own, to the end of the block: in `folder`, or in a temporary one that is then deleted."""
    _delete_left_demos()
    # On Windows an open database cannot be deleted; the system removes it later.
    kept = (
        tempfile.TemporaryDirectory(prefix=_DEMO_PREFIX, ignore_cleanup_errors=True)
        if folder is None
        else nullcontext(folder)
    )
    with kept as name, closing(EventStore(Path(name) / "demo.sqlite3", alone=True)) as store:
        yield store


def _delete_left_demos() -> None:
    """Delete the folders of demos that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_DEMO_PREFIX}*"):
        if (folder / "demo.sqlite3.lock").is_file():
            try:
                EventStore(folder / "demo.sqlite3", alone=True).close()
            except StoreError:
                continue  # the demo still runs
            shutil.rmtree(folder, ignore_errors=True)
