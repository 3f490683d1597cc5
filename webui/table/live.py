"""The table: its evening, its pictures and its camera, and what happens to all three at once.

One lock makes one writer. An event is on the disk before anybody sees it. The game is a fold over the events
(`tracker.session`): a correction is one more event, and everything after it follows.
"""

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracker.errors import TarokError
from tracker.events import (
    COMMON,
    EntryCorrected,
    EntryInserted,
    Event,
    PlayerRenamed,
    Recorded,
    SessionOpened,
)
from tracker.findings import Alert
from tracker.games import game_of
from tracker.renaming import named_now
from tracker.session import Session
from tracker.store import EventStore, StoreError, Token
from tracker.words import Words
from vision.watching.expectation import Expectation
from webui.errors import EntryError
from webui.people.fair_play import Sight, sight_of
from webui.people.seats import Sides, kept_sides
from webui.pictures.clips import SoFar
from webui.pictures.table_pictures import TablePictures
from webui.table.arbiter_desk import ArbiterDesk
from webui.table.camera_status import CameraStatus
from webui.table.changes import Changes
from webui.table.eye_names import EyeNames
from webui.table.host_choices import kept_choices
from webui.table.kept_evenings import KeptEvenings
from webui.table.live_evening import LiveEvening, is_fault_of
from webui.table.scorekeeper import as_first_trick_shows, booked_as, expected, last_of_hand
from webui.table.table_camera import TableCamera

if TYPE_CHECKING:
    from vision.watching.eyes import WatchUpdate

_EVENING_S = 12 * 3600
"""Age of an evening, in s, from which its pictures are deleted at the start after a kill."""


class RefusedError(TarokError):
    """An entry that cannot have happened, for the reason in `alert`. Nothing was stored."""

    def __init__(self, alert: Alert, words: Words) -> None:
        super().__init__(words.alert_text(alert))
        self.alert = alert


class LiveTable:
    """The table whose evenings are in `store`; safe to use from several threads. It goes on where it stood.

    `choices` are the host's, `sides` has each player's side of the picture, `desk` what waits for the arbiter.
    `seatings` counts how often the players got places, so that the eyes begin anew.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.changes = Changes()
        self.evening = LiveEvening(store)
        self.pictures = TablePictures(store.path)
        self.camera = TableCamera(self.changes)
        self.kept = KeptEvenings(store, self.changes)
        kinds = self.session.kinds if self.session is not None else COMMON
        self.desk = ArbiterDesk(store.path, kinds, self.changes)
        self._sides_file = kept_sides(store.path)
        self.sides: dict[str, str] = dict(self._sides_file.load().sides)
        self.seatings = 0
        self._eye_names = EyeNames()
        self._choices_file = kept_choices(store.path)
        self.choices = self._choices_file.load()
        self.pictures.keeps_clips = self.choices.keep_clips
        self.pictures.keeps_corrections = self.choices.keep_corrections
        number = self.evening.number
        recent = self.recorded and abs(time.time() - self.recorded[0].at) < _EVENING_S
        if number is not None and self.evening.is_open and recent:
            self.pictures.evidence.begin(number)
        else:
            self.pictures.evidence.clear()

    @property
    def path(self) -> Path:
        """The evenings' database."""
        return self._store.path

    @property
    def rules_folder(self) -> Path:
        """The folder of the table's own rule sets."""
        return self.path.parent / "rules"

    @property
    def session(self) -> Session[Any, Any] | None:
        """The game of the evening; None before the first evening."""
        return self.evening.session

    @property
    def recorded(self) -> list[Recorded]:
        """The record of the evening."""
        return self.evening.recorded

    @contextmanager
    def locked(self) -> Iterator[Session[Any, Any] | None]:
        """Hold the lock, so that the session does not change while it is read."""
        with self.changes:
            yield self.session

    @property
    def sight(self) -> Sight | None:
        """What may be shown of the evening now; None before the first evening. The caller holds `locked()`."""
        if self.session is None:
            return None
        number = len(self.session.hands)
        opened = {one.trick for one in self.desk.openings if one.hand == number}
        return sight_of(self.session, self.choices.fair_play, opened, practises=self.choices.training)

    def choose(self, **changes: Any) -> None:
        """Change and save choices of the host, fields of `HostChoices`; raises StoreError when they cannot be saved."""
        with self.changes:
            choices = replace(self.choices, **changes)
            self._choices_file.save(choices)
            self.choices = choices
            self.pictures.keep_clips(choices.keep_clips)
            self.pictures.keeps_corrections = choices.keep_corrections
            self.changes.tell()

    def seat(self, sides: Mapping[str, str]) -> None:
        """Set and save each player's side of the picture; raises StoreError when it cannot be saved."""
        with self.changes:
            self._sides_file.save(Sides(sides))
            self.sides = dict(sides)
            self.seatings += 1
            self.changes.tell()

    @property
    def unplaced(self) -> tuple[str, ...]:
        """The players without a place in the picture. Until there are none, the camera is not read."""
        with self.changes:
            seats = self.session.seats if self.session is not None else ()
            return tuple(name for name in seats if name not in self.sides)

    # ---- what people enter ----

    def open_evening(
        self, opened: SessionOpened, sides: Mapping[str, str], once: Token | None = None, by: str = ""
    ) -> None:
        """Begin a new evening; `once` and `by` as in `enter`.

        Raises TarokError (unknown rules, too many players, a token used before) or StoreError.
        """
        with self.changes:
            if self.evening.has_entered(once):
                return
            self.evening.check_opening(opened)
            self.desk.clear()
            self._sides_file.save(Sides(sides))
            self.pictures.recording.stop()
            self.pictures.evidence.begin(self.evening.open(opened, once, by))
            self.sides = dict(sides)
            self.seatings += 1
            self.changes.tell()

    def enter(self, *events: Event, once: Token | None = None, by: str = "") -> None:
        """Store what a person (`by`, see `webui.people.phones.Phone`) entered, all of it or nothing.

        `once` names the entry, so that it is stored once though it is sent twice, even over a restart.

        Raises RefusedError when the entry cannot have happened, TokenUsedError when another entry had its name,
        StoreError when it cannot be saved.
        """
        with self.changes:
            if self.evening.has_entered(once):
                return
            records, session = self.evening.trial(events)
            self._refuse_impossible(records, session, by)
            tricks = [trick for trick in session.hand.tricks if trick.plays] if session.hand else []
            self.desk.forget_openings(len(session.hands), len(tricks))
            self.evening.append(events, session, once, by)
            evening = SoFar(self.recorded, session, self.sides)
            self.pictures.entered(events, evening, watching=self.camera.status.state == "seeing")
            self.changes.tell()

    def ask(self, by: str, *events: Event) -> None:
        """Note that `by` asks the arbiter to enter `events`.

        Raises RefusedError if they cannot have happened, StoreError if the request cannot be saved.
        """
        with self.changes:
            self._refuse_impossible(*self.evening.trial(events), by)
            self.desk.ask(by, events, self.recorded[-1].seq)

    def rename(self, old: str, new: str, once: Token | None = None, by: str = "") -> None:
        """Call the player `old` `new`, in all of the evening; `once` and `by` as in `enter`. The eyes watch on.

        Raises TarokError where the game allows no player of that name, TokenUsedError and StoreError as `enter` does.
        """
        with self.changes:
            if self.evening.has_entered(once):
                return
            self.evening.trial([PlayerRenamed(old, new)])  # a name that the game refuses comes into no copy
            self.kept.rename_saved(self.recorded[0].at, old, new)
            self.evening.rename(old, new, once, by)
            self._eye_names.rename(old, new)
            names = {old: new}
            self.camera.rename(names)
            sides = {names.get(name, name): side for name, side in self.sides.items()}
            self._sides_file.save(Sides(sides))
            self.sides = sides
            self.desk.rename(names)
            self.pictures.recording.rename(names)
            self.changes.tell()

    def _refuse_impossible(self, records: list[Recorded], session: Session[Any, Any], by: str) -> None:
        """Raise RefusedError if one of `records` cannot have happened, by what everybody may know.

        If it cannot have happened because of something that fair play hides, a refusal would tell that thing. So such
        an entry is booked, and the table is asked about it, as about the camera's plays. So is a bid that is put right,
        as another bid may still be to put right. What is entered late may take away no hand that was dealt since.
        """
        corrected = {
            one.event.seq
            for one in records
            if isinstance(one.event, EntryCorrected) and not one.event.entry.said_in_turn
        }
        late = any(isinstance(one.event, EntryInserted) for one in records)
        before = {alert.seq for alert in self.session.alerts} if self.session is not None else set()
        # While it is asked who dealt, a card may be played by either deal.
        by_first_trick = {alert.seq for alert in as_first_trick_shows(session).alerts}
        for alert in session.alerts:
            is_new = alert.seq >= records[0].seq or alert.seq in corrected
            undeals = late and not alert.of_hand and alert.seq not in before
            if (is_new or undeals) and alert.seq in by_first_trick and not self._would_tell(alert):
                if self.evening.note_refused(by):
                    self.changes.tell()
                raise RefusedError(alert, game_of(session).words)

    def _would_tell(self, alert: Alert) -> bool:
        sight = self.sight
        if sight is None or not sight.hidden or sight.session.hand is None:
            return False
        return alert.earlier and alert.card not in sight.played(sight.session.hand)

    # ---- what the camera saw ----

    def begin_watching(self) -> dict[str, str]:
        """Each player's side of the picture, by the names that `expectation` and `saw` have from now on."""
        with self.changes:
            self._eye_names.begin()
            return self.sides

    def expectation(self) -> Expectation | None:
        """What the game expects now: a soft prior for reading the table. Players are called as the eyes know them."""
        with self.changes:
            last = last_of_hand(self.recorded)
            # Once the clock was put back, the last entry lies ahead of now: it counts as that old, not as new.
            now = expected(self.session, abs(time.time() - last.at) if last is not None else math.inf)
            return self._eye_names.as_known(now) if now is not None else None

    def saw(self, update: "WatchUpdate") -> bool:
        """Take in the picture and the events of `update`; returns whether all events are saved.

        Each event is stored before it is shown. Events that cannot be saved, as on a full disk, are kept and tried
        again, in order, with the next update.
        """
        session = self.session
        if session is not None and not session.closed:
            self.pictures.take(update, under_way=session.under_way)
        with self.changes:
            try:
                news = self.camera.book(update, self._book)
            except StoreError as error:
                self.camera.set_status(CameraStatus("trouble", "problem_disk", str(error)))
                return False
            evening = self._so_far()
            if evening is not None and self.evening.is_open:
                news |= self.pictures.follow(evening)
            if news:
                self.changes.tell()
            return True

    def _book(self, event: Event, update: "WatchUpdate") -> bool:
        """Store an event of the camera; returns whether the page has news of it."""
        if self.session is None or self.session.closed:
            return False
        told = self._eye_names.told_now(event)
        events = booked_as(self.session, self.sides, told, update.time_s)
        if not events:
            return False
        records, session = self.evening.trial(events)
        if is_fault_of(records, session):
            self.camera.leave_out(told)
            return True
        self.evening.append(events, session)
        self.pictures.booked(event, records, update)
        return True

    # ---- what goes ----

    def delete_evening(self, number: int) -> None:
        """Delete an evening for good. Raises EntryError for the one that is played, and StoreError."""
        with self.changes:
            if self.evening.is_open and self.evening.number == number:
                raise EntryError("This evening is being played; finish it first.", 409)
            self._store.delete_session(number)
            self._read_again()

    def enter_past(self, number: int, event: Event, by: str) -> None:
        """Store `event` in the past evening `number`; `by` as in `enter`. Raises TarokError and StoreError."""
        with self.changes:
            if isinstance(event, PlayerRenamed):
                recorded = self._store.events(number)
                named_now([*recorded, Recorded(0, event)])  # refuses more names than can be read again
                self.kept.rename_saved(recorded[0].at, event.player, event.called)
            self._store.append_all([event], session=number, by=by)
            self.kept.results.pop(number, None)
            self.kept.figures.pop(number, None)
            self.changes.tell()

    def erase_name(self, name: str) -> str:
        """Erase a player's name from all evenings; returns the name that stands there now.

        Raises EntryError if he sits at the table, and StoreError.
        """
        with self.changes:
            number = self.evening.number
            if number is not None and self.evening.is_open and name in self._store.players(number):
                raise EntryError("{name} plays this evening; finish it first.", 409, name=name)
            new = self.kept.erase(name)
            if name in self.sides:
                self.seat({new if one == name else one: side for one, side in self.sides.items()})
            self._read_again()
            return new

    def _read_again(self) -> None:
        """Read the record anew, after something was deleted from it. The requests of a past evening go, too."""
        if not self.evening.is_open:
            self.desk.clear()
        self.kept.results.clear()
        self.kept.figures.clear()
        self.evening.read()
        self.changes.tell()

    def end(self) -> None:
        """Delete the evening's pictures, and keep no more, because the program ends."""
        with self.changes:
            self.pictures.end(self._so_far())

    def _so_far(self) -> SoFar | None:
        return SoFar(self.recorded, self.session, self.sides) if self.session is not None else None
