"""The camera of the table, for the page: how well it works, its picture, and what could not be booked."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracker.events import Event
from tracker.renaming import with_names
from tracker.store import StoreError
from webui.errors import tell_fault
from webui.table.camera_status import CameraStatus
from webui.table.changes import Changes

if TYPE_CHECKING:
    from vision.arrays import UInt8Array
    from vision.watching.eyes import WatchUpdate

_MOST_UNTAKEN: Final = 5


@dataclass(frozen=True)
class Untaken:
    """An event of the camera that the program failed to take in; `number` counts from 1 since the start."""

    number: int
    event: Event


class TableCamera:
    """The camera of a table; safe to use from several threads.

    While it is `lent`, the camera loop leaves it to the teaching of a deck. `deck` is the folder of the taught deck on
    the table. `untaken` are events that people must enter by hand.
    """

    def __init__(self, changes: Changes) -> None:
        self.status = CameraStatus()
        self.deck: Path | None = None
        self.lent = False
        self.untaken: tuple[Untaken, ...] = ()
        self._changes = changes
        self._count_untaken = 0
        self._unsaved: deque[tuple[Event, WatchUpdate]] = deque()
        self._shown: WatchUpdate | UInt8Array | None = None
        self._drawn: tuple[WatchUpdate | UInt8Array, bytes] | None = None
        self._drawing = threading.Lock()

    @property
    def is_there(self) -> bool:
        """Whether the table has a camera, even one in trouble. Without a camera the page says nothing of cameras."""
        return self.status.state != "none"

    def set_status(self, status: CameraStatus) -> None:
        """Set how well the camera works, and tell the pages if that is new."""
        with self._changes:
            if status != self.status:
                self.status = status
                self._changes.tell()

    def show(self, picture: "WatchUpdate | UInt8Array | None") -> None:
        """Show a picture, or none."""
        self._shown = picture

    def picture(self) -> bytes | None:
        """The newest picture, as JPEG, with the recognised cards drawn in; None before there is one."""
        shown = self._shown
        if shown is None:
            return None
        with self._drawing:
            if self._drawn is None or self._drawn[0] is not shown:
                from webui.pictures.jpeg import as_jpeg

                self._drawn = (shown, as_jpeg(shown))
            return self._drawn[1]

    def book(self, update: "WatchUpdate", book: "Callable[[Event, WatchUpdate], bool]") -> bool:
        """Show `update`, and `book` the events that wait and then its own, in order; returns whether the page has news.

        `book` stores an event and returns whether the page has news of it. After a StoreError, which is raised again,
        the rest wait for the next update. An event that fails otherwise is left out, and people must enter it.
        """
        with self._changes:
            self._shown = update
            self._unsaved.extend((event, update) for event in update.events)
            news = False
            while self._unsaved:
                event, seen = self._unsaved[0]
                try:
                    news |= book(event, seen)
                except StoreError:
                    raise
                except Exception as fault:  # noqa: BLE001 - whatever is wrong with one event, the next is taken in
                    tell_fault(f"taking in {event}", fault)
                    self.leave_out(event)
                    news = True
                self._unsaved.popleft()
            return news

    def leave_out(self, event: Event) -> None:
        """Leave `event` out; people must enter it by hand."""
        self._count_untaken += 1
        self.untaken = (*self.untaken, Untaken(self._count_untaken, event))[-_MOST_UNTAKEN:]

    def rename(self, names: Mapping[str, str]) -> None:
        """Call each player of `names` what it says, in what people must enter."""
        with self._changes:
            self.untaken = tuple(replace(one, event=with_names(one.event, names)) for one in self.untaken)

    def settle_untaken(self, number: int) -> bool:
        """Remove the untaken event `number`, which people have seen to; False if there is none."""
        with self._changes:
            others = tuple(one for one in self.untaken if one.number != number)
            found = others != self.untaken
            self.untaken = others
            self._changes.tell()
            return found
