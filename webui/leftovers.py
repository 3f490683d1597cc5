"""Pictures that a program left which was killed: deleted at the next start of any."""

import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from tracker.danish.events import EVENTS
from tracker.errors import TarokError
from tracker.store import EventStore, StoreError

DEMO_PREFIX = "tarok-demo-"
"""What the folder of a demo that is kept nowhere is called."""


def delete_left(path: Path) -> None:
    """Delete the pictures left beside other databases in the folder of `path`, and those of demos.

    Those of an evening that goes on are kept, as `LiveTable` has it, and so are those of a running program.
    """
    from webui.live import LiveTable

    for pictures in path.parent.glob("*.evidence"):
        other = pictures.with_suffix("")
        if not other.is_file():
            shutil.rmtree(pictures, ignore_errors=True)
        elif other.resolve() != path.resolve():
            try:
                with closing(EventStore(other, EVENTS, alone=True)) as store:
                    LiveTable(store)
            except TarokError:
                continue  # a program runs on it, or it cannot be read: then it is not known whether it goes on
    delete_left_demos()


def delete_left_demos() -> None:
    """Delete the folders of demos that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{DEMO_PREFIX}*"):
        if (folder / "demo.sqlite3.lock").is_file():
            try:
                EventStore(folder / "demo.sqlite3", EVENTS, alone=True).close()
            except StoreError:
                continue  # it runs
            shutil.rmtree(folder, ignore_errors=True)
