"""Deleting the pictures that a killed program left behind, at the next start of any program."""

import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from tracker.errors import TarokError
from tracker.store import EventStore, StoreError

DEMO_PREFIX = "tarok-demo-"
"""How the name of a demo's temporary folder begins."""


def delete_left(path: Path) -> None:
    """Delete the pictures left beside other databases in the folder of `path`, and those of demos.

    The pictures of a running program are kept, and those of an evening that goes on (see `LiveTable`).
    """
    from webui.table.live import LiveTable

    for pictures in path.parent.glob("*.evidence"):
        other = pictures.with_suffix("")
        if not other.is_file():
            shutil.rmtree(pictures, ignore_errors=True)
        elif other.resolve() != path.resolve():
            try:
                with closing(EventStore(other, alone=True)) as store:
                    LiveTable(store)
            except TarokError:
                continue  # a program uses it, or it cannot be read and nobody knows whether the evening goes on
    delete_left_demos()


def delete_left_demos() -> None:
    """Delete the folders of demos that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{DEMO_PREFIX}*"):
        if (folder / "demo.sqlite3.lock").is_file():
            try:
                EventStore(folder / "demo.sqlite3", alone=True).close()
            except StoreError:
                continue  # the demo still runs
            shutil.rmtree(folder, ignore_errors=True)
