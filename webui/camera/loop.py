"""The thread that reads the camera or a recording into the live table."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tracker.errors import TarokError
from tracker.events import CardPlayed, Event, TrickTaken, Unwatched
from vision.camera.address import network_fault
from vision.errors import CameraLost, VisionError
from webui.errors import tell_fault
from webui.table.camera_status import CameraStatus, seeing
from webui.table.live import LiveTable
from webui.table.set_up import SetUp

if TYPE_CHECKING:
    from vision.arrays import UInt8Array
    from vision.watching.eyes import WatchUpdate
    from vision.watching.set_up import TableLook

_REOPEN_AFTER_S = 3.0
_HEALTH_EVERY_S = 2.0
_LATE_S = 0.5
_SHOWN_EVERY_S = 0.2
_BLIND_S = 3.0
_FEW_PER_S = 5
_KNOWN_S = 5.0  # seconds after which the rate of pictures is known


@dataclass(frozen=True)
class Talk:
    """An entry by hand that belongs to a recording, at `time_s` of it: its camera cannot see it."""

    time_s: float
    event: Event


def camera_problem(error: VisionError, in_network: bool) -> str:
    """The key in `webui.texts.PROBLEMS` of what is wrong with a camera; `in_network`: it has an address."""
    if in_network:
        return network_fault(error)
    return "problem_lost" if isinstance(error, CameraLost) else "problem_source"


class CameraLoop:
    """Feeds `table` from a camera or a recording, on a thread of its own.

    - `open_source` opens the source and yields its updates.
    - `reopen`: the source is opened again whenever it ends, as a camera is; otherwise it is read once.
    - `in_network`: the source is a camera's address, so no cable is to blame.
    - `speed` paces a recording: 1 is real time, 0 as fast as it can be read.
    - `talk` is entered as the recording reaches its times.
    - `look` yields bare pictures, which are shown until every player has a place.
    - `look_closely` reads the table for `set_up`, while that asks for it.
    """

    def __init__(
        self,
        table: LiveTable,
        open_source: "Callable[[], Iterator[WatchUpdate]]",
        *,
        reopen: bool,
        in_network: bool = False,
        speed: float = 0.0,
        talk: Iterable[Talk] = (),
        look: "Callable[[], Iterator[UInt8Array]] | None" = None,
        set_up: SetUp | None = None,
        look_closely: "Callable[[], Iterator[TableLook]] | None" = None,
    ) -> None:
        self._table = table
        self._open = open_source
        self._reopen = reopen
        self._speed = speed
        self._look = look
        self._set_up = set_up
        self._in_network = in_network
        self._look_closely = look_closely
        told = {record.event for record in table.recorded}
        self._talk = deque(entry for entry in talk if entry.event not in told)
        self._resume_s = _last_seen(table)
        self._stop = threading.Event()
        self.ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera loop", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> bool:
        """Ask the thread to end and wait up to 10 s for it; returns whether it has ended."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(timeout=10)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                try:
                    if self._table.camera.lent:
                        self._table.camera.set_status(CameraStatus("teaching"))
                    elif self._is_set_up():
                        self._watch_for_set_up()
                        continue
                    elif not self._seated():
                        self._show_where_people_sit()
                        if self._seated() or self._is_set_up():
                            continue
                    else:
                        self._opening(CameraStatus("starting"))
                        over = self._follow()
                        if self._is_set_up():
                            continue
                        if not self._reopen:
                            if not over:
                                continue  # it is opened anew, and goes on where it was
                            if self._table.camera.status.problem != "problem_disk":
                                self._table.camera.set_status(CameraStatus("ended"))
                            return
                except VisionError as error:
                    self._table.camera.set_status(
                        CameraStatus("trouble", self._problem(error), str(error), reopens=self._reopen)
                    )
                    if not self._reopen:
                        return
                except Exception as error:  # noqa: BLE001 - a fault of the program's own must not end an evening
                    self._tell(error)
                    if not self._reopen:
                        return
                self._stop.wait(_REOPEN_AFTER_S)
        finally:
            status = self._table.camera.status
            if status.state in ("starting", "seeing", "setting_up") or status.reopens:
                # The thread was asked to end, so nobody reads the camera.
                self._table.camera.set_status(CameraStatus("trouble", "problem_stopped"))
            self.ended.set()

    def _problem(self, error: VisionError) -> str:
        return camera_problem(error, self._in_network) if self._reopen else "problem_recording"

    def _tell(self, fault: Exception) -> None:
        """Say on the page that the program failed, and on the terminal also where in the code."""
        what = tell_fault("watching", fault)
        unopened = "network_silent" if self._in_network else "problem_source"
        key = unopened if self._reopen else "problem_stopped"
        self._table.camera.set_status(CameraStatus("trouble", key, what, reopens=self._reopen))

    def _seated(self) -> bool:
        return bool(self._table.sides) and not self._table.unplaced

    def _show_where_people_sit(self) -> None:
        """Show the picture without reading it until every player has a place in it."""
        self._opening(self._waiting())
        try:
            for picture in self._look() if self._look is not None else ():
                self._table.camera.set_status(self._waiting())
                self._table.camera.show(picture)
                others = self._table.camera.lent or self._is_set_up()
                if self._seated() or others or self._stop.wait(_SHOWN_EVERY_S):
                    return
        except VisionError as error:
            self._table.camera.set_status(
                CameraStatus("trouble", self._problem(error), str(error), reopens=True)
            )

    def _is_set_up(self) -> bool:
        return self._set_up is not None and self._look_closely is not None and self._set_up.is_asked

    def _watch_for_set_up(self) -> None:
        """Read the table for the set-up, while that asks for it. Nothing is booked."""
        assert self._set_up is not None and self._look_closely is not None
        self._opening(CameraStatus("starting"))
        self._set_up.began()
        started = time.monotonic()
        for look in self._look_closely():
            if self._stop.is_set() or self._table.camera.lent or not self._is_set_up():
                return
            self._set_up.take(look)
            self._table.camera.show(look.update)
            seen = seeing(look.update.health, look.update.view)
            self._table.camera.set_status(
                CameraStatus("setting_up", card_px=seen.card_px, tilt_deg=seen.tilt_deg, advice=seen.advice)
            )
            if not self._reopen:  # a recording, at its own pace
                self._stop.wait(max(0.0, started + look.update.time_s - time.monotonic()))

    def _opening(self, camera: CameraStatus) -> None:
        """Show the status `camera` while the source opens, but leave trouble on show until there is a picture."""
        if self._table.camera.status.state != "trouble":
            self._table.camera.set_status(camera)

    def _waiting(self) -> CameraStatus:
        return CameraStatus("waiting" if self._table.session is None else "unplaced")

    def _follow(self) -> bool:
        """Feed the table; returns whether the source has ended or the thread is to, and does not only open it anew."""
        from vision.watching.health import SAID_S

        started = time.monotonic()
        next_health = 0.0
        absence = _Absence(SAID_S)
        last_s = 0.0
        # Before the source is opened: whoever changes places meanwhile makes the eyes begin anew.
        seatings, deck = self._table.seatings, self._table.camera.deck
        for update in self._open():
            if self._stop.is_set():
                return True
            if self._table.seatings != seatings or self._table.unplaced:
                return False  # the players have changed places
            if self._table.camera.lent or self._is_set_up() or self._table.camera.deck is not deck:
                return False  # the camera is needed to teach a deck or to set up, or another deck is on the table
            if update.time_s <= self._resume_s and not self._reopen:
                started = time.monotonic() - self._paced(update.time_s)
                continue  # this part of the recording was booked before a restart
            late = time.monotonic() - started - self._paced(update.time_s)
            if late < 0:
                self._stop.wait(-late)
            elif late > _LATE_S:
                started += late  # the computer is slower than real time: go on from here and don't catch up
            self._say(update.time_s)
            if self._reopen and absence.ends(update):
                update = replace(update, events=(Unwatched(), *update.events))
            saved = self._table.saw(update)
            self._resume_s = last_s = update.time_s
            camera = self._seeing(update)
            now, before = time.monotonic(), self._table.camera.status
            # Figures are told now and then, trouble at once.
            if saved and (
                now >= next_health or (before.state, before.advice) != (camera.state, camera.advice)
            ):
                next_health = now + _HEALTH_EVERY_S
                self._table.camera.set_status(camera)
        while self._talk and not self._stop.is_set():
            self._stop.wait(max(0.0, self._paced(self._talk[0].time_s - last_s)))
            last_s = max(last_s, self._talk[0].time_s)
            self._say(last_s)
        return True

    def _seeing(self, update: "WatchUpdate") -> CameraStatus:
        """The status of the camera after `update`. It tells a network that holds pictures back from a busy computer."""
        camera, is_known = seeing(update.health, update.view), update.time_s > _KNOWN_S
        is_slow = update.health.frames_per_s < _FEW_PER_S and "slow" not in camera.advice
        if self._in_network and is_known and is_slow:
            camera = replace(camera, advice=(*camera.advice, "network_slow"))
        return camera

    def _paced(self, seconds: float) -> float:
        return seconds / self._speed if self._speed > 0 else 0.0

    def _say(self, until_s: float) -> None:
        """Enter the talk up to `until_s` of the recording."""
        while self._talk and self._talk[0].time_s <= until_s:
            entry = self._talk.popleft()
            try:
                self._table.enter(entry.event)
            except TarokError as error:
                print(f"tarok: at {entry.time_s:g} s of the recording: {error}", flush=True)


class _Absence:
    """Notices when a time ends in which nobody watched the table.

    Nobody watched before the first picture, or while the camera was blind for `_BLIND_S` or more. The camera is
    reported blind for up to `said_s` seconds after it sees again.
    """

    def __init__(self, said_s: float) -> None:
        self._said_s = said_s
        self._since_s: float | None = float("-inf")

    def ends(self, update: "WatchUpdate") -> bool:
        """Whether such a time ends with `update`: a card is played in it, or the camera is no longer reported blind."""
        blind = update.health.blind
        if blind and self._since_s is None:
            self._since_s = update.time_s
        # A play shows that the lens is free, before the report ends.
        if blind and not any(isinstance(event, CardPlayed) for event in update.events):
            return False
        ended = self._since_s is not None and update.time_s - self._since_s >= _BLIND_S
        if not blind:
            self._since_s = None
        elif ended:
            self._since_s = update.time_s + self._said_s
        return ended


def _last_seen(table: LiveTable) -> float:
    """The time in s, by the source's clock, of the last event that was read from it; -1 before any."""
    times = [
        record.event.time_s
        for record in table.recorded
        if isinstance(record.event, CardPlayed | TrickTaken) and record.event.time_s is not None
    ]
    return max(times, default=-1.0)
