"""Teaching a deck on the page: a thread finds the cards shown to the camera, and a person names each."""

import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.cards import CARDS
from vision.camera.address import is_in_network
from vision.errors import VisionError
from webui.camera.loop import camera_problem
from webui.errors import tell_fault
from webui.table.live import LiveTable

if TYPE_CHECKING:
    from vision.taught.enrolment import Shown
    from vision.taught.gallery import TaughtIdentifier

_REOPEN_AFTER_S = 2.0
_SAVED_WITHIN_S = 20.0
_MOST_WAITING = 6


@dataclass(eq=False)
class _Named:
    """A card that a person named: `shown` is kept as `card`, or its last look forgotten (None).

    Once it is `done` it is `saved`, or the disk refused it.
    """

    card: str
    shown: "Shown | None"
    done: threading.Event = field(default_factory=threading.Event)
    saved: bool = False


class Teaching:
    """Teaches one deck at a time from `source`, a camera or a video. Meanwhile nobody reads the table.

    - `missing`: the cards that are not taught yet.
    - `last`: the card that was named last.
    - `problem`: what is wrong with the camera, a key of `webui.texts.PROBLEMS`; "" if nothing is.
    - `detail`: the last trouble with camera or disk, in their own words.
    - `reading`: the cards that were taught before are still being loaded.
    - `failed`: teaching cannot go on, and the camera reads the table again.
    """

    def __init__(self, table: LiveTable, source: str | None) -> None:
        self._table = table
        self.source = source
        self.folder: Path | None = None
        self.missing: tuple[str, ...] = CARDS
        self.last = ""
        self.problem = ""
        self.detail = ""
        self.reading = False
        self.failed = False
        self._lock = threading.Lock()
        self._waiting: deque[tuple[int, Shown]] = deque(maxlen=_MOST_WAITING)
        self._named: deque[_Named] = deque()
        self._count = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, folder: Path) -> None:
        """Teach the deck in `folder`, from where that stood; teaching another deck ends."""
        self.stop()
        self.folder, self.missing, self.last = folder, CARDS, ""
        self.problem = self.detail = ""
        self.reading, self.failed = True, False
        self._waiting.clear()
        self._named.clear()
        self._stop = threading.Event()
        self._table.camera.lent = True
        self._thread = threading.Thread(
            target=self._run, args=(folder, self._stop), name="teaching", daemon=True
        )
        self._thread.start()

    def stop(self) -> bool:
        """Stop teaching, so that the camera reads the table again; returns whether the thread has ended.

        What was taught is kept.
        """
        ended = True
        if self._thread is not None:
            self._stop.set()
            self._thread.join(timeout=10)
            ended = not self._thread.is_alive()
            self._thread = None
        self.folder = None
        self._table.camera.lent = False
        return ended

    def shown(self) -> "tuple[int, Shown] | None":
        """The card on the table that waits for its name, with its number."""
        with self._lock:
            return self._waiting[0] if self._waiting else None

    def name(self, number: int, card: str | None) -> bool:
        """Name the shown card `number`, or leave it out (None); True once that is saved."""
        with self._lock:
            if not self._waiting or self._waiting[0][0] != number:
                return False
            _, shown = self._waiting.popleft()
        if card is None:
            return True
        return self._done(card, shown)

    def forget_last(self) -> bool:
        """Forget the card named last, so that it is asked for again; True once that is saved."""
        return bool(self.last) and self._done(self.last, None)

    def _done(self, card: str, shown: "Shown | None") -> bool:
        """Have the thread add or forget `card`; True once that is on the disk."""
        named, stop = _Named(card, shown), self._stop
        self._named.append(named)
        until_s = time.monotonic() + _SAVED_WITHIN_S
        while not named.done.wait(0.1):
            if self.failed or stop.is_set() or time.monotonic() > until_s:
                with suppress(ValueError):  # the thread has just taken it up
                    self._named.remove(named)  # people are told that it was not saved
                break
        return named.saved

    def _run(self, folder: Path, stop: threading.Event) -> None:
        try:
            self._teach(folder, stop)
        except VisionError as error:
            self._fail(str(error))
        except Exception as fault:  # noqa: BLE001 - a fault of the program's own must not keep the camera
            self._fail(tell_fault("teaching a deck", fault))
        finally:
            self.reading = False
            if self._stop is stop:
                self._table.camera.lent = False

    def _fail(self, why: str) -> None:
        self.detail, self.failed = why, True
        with self._lock:
            self._waiting.clear()

    def _teach(self, folder: Path, stop: threading.Event) -> None:
        # Loads the eyes' libraries.
        from vision.reading.corners import CornerFinder
        from vision.reading.finder import Finder
        from vision.taught.enrolment import shown_by_camera
        from vision.taught.gallery import TaughtIdentifier

        assert self.source is not None
        identifier = TaughtIdentifier(folder)
        finder, corners = Finder(), CornerFinder()
        self.reading = False
        identifier.gallery.on_table = True
        self.missing = identifier.gallery.missing
        while not stop.is_set():
            try:
                for shown in shown_by_camera(self.source, finder, corners, identifier):
                    if stop.is_set():
                        return
                    if shown is not None:
                        with self._lock:
                            self._count += 1
                            self._waiting.append((self._count, shown))
                    if self.problem:
                        self.problem = self.detail = ""
                    self._save(identifier)
            except VisionError as error:
                in_network = is_in_network(self.source)
                self.problem, self.detail = camera_problem(error, in_network), str(error)
            # Cards that were seen before the camera went are named meanwhile.
            opens_s = time.monotonic() + _REOPEN_AFTER_S
            while time.monotonic() < opens_s and not stop.wait(0.1):
                self._save(identifier)

    def _save(self, identifier: "TaughtIdentifier") -> None:
        """Save what people have named since."""
        while self._named:
            named = self._named.popleft()
            try:
                if named.shown is None:
                    identifier.gallery.forget(named.card)
                else:
                    identifier.gallery.add(named.card, named.shown.crop)
            except VisionError as error:
                self.detail = str(error)
            else:
                self.detail = ""
                self.last = named.card if named.shown is not None else ""
                self.missing = identifier.gallery.missing
                named.saved = True
            named.done.set()
