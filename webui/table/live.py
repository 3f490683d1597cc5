"""The live table: every event goes through here, from the camera and from people.

One lock makes one writer. An event is on the disk before anybody sees it. The game is a fold over the events
(`tracker.session`): a correction is one more event, and everything after it follows.
"""

import math
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracker.errors import TarokError
from tracker.events import (
    COMMON,
    CardPlayed,
    EntryCorrected,
    Event,
    PlayCorrected,
    Recorded,
    SessionOpened,
)
from tracker.findings import Alert
from tracker.games import game_of, game_of_rules
from tracker.results import Result
from tracker.session import Session
from tracker.store import EventStore, SessionInfo, Stored, StoreError, Token
from tracker.words import Words
from vision.watching.explanations import Expectation
from webui.errors import tell_fault
from webui.people.fair_play import Sight, sight_of
from webui.people.seats import Sides, kept_sides
from webui.pictures.clips import Clips, SoFar
from webui.pictures.corrected_cards import corrected_card, set_aside, touched
from webui.pictures.evidence import Evidence
from webui.pictures.footage import Footage
from webui.table.arbiter_desk import Ask, Desk, DeskFile, Opening
from webui.table.backup import make_backup
from webui.table.camera_status import CameraStatus
from webui.table.host_choices import HostChoices, kept_choices
from webui.table.kept_evenings import Evening, erase_name, evenings
from webui.table.replaying import FAULT, fold
from webui.table.scorekeeper import booked_as, expected, last_of_hand

if TYPE_CHECKING:
    from vision.arrays import UInt8Array
    from vision.watching.eyes import WatchUpdate

_MOST_UNTAKEN = 5
_MANY_REFUSED = 5
"""So many refused entries of one phone in a hand are told to the host: somebody may be trying out cards."""
_EVENING_S = 12 * 3600
"""After a kill, the pictures of an evening that began longer ago are deleted."""


class RefusedError(TarokError):
    """An entry cannot have happened, for the reason in `alert`; nothing was stored."""

    def __init__(self, alert: Alert, words: Words) -> None:
        super().__init__(words.alert_text(alert))
        self.alert = alert


class EveningOpenError(TarokError):
    """It cannot be done while the evening is played."""


@dataclass(frozen=True)
class Untaken:
    """An event of the camera that the program failed to take in; `number` counts from 1 since the start."""

    number: int
    event: Event


def _is_recent(recorded: Sequence[Recorded]) -> bool:
    return abs(time.time() - recorded[0].at) < _EVENING_S


class LiveTable:
    """The evening in `store`, from where it stood; safe to use from several threads.

    `choices` are the host's. `taught_deck` is the folder of the taught deck on the table. `corrections` is the
    folder for pictures of corrected cards, None if the host has not agreed. While `camera_lent` is set, the camera
    loop leaves the camera to the teaching of a deck. `untaken` are events for people to enter by hand. `results` are
    those of evenings that nobody plays any more, by their numbers, as far as they were asked for.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._changed = threading.Condition(threading.RLock())
        self.untaken: tuple[Untaken, ...] = ()
        self._count_untaken = 0
        self._refused: Counter[str] = Counter()
        self._refused_in = 0
        self._unsaved: deque[tuple[Event, WatchUpdate]] = deque()
        self._sides_file = kept_sides(store.path)
        self.evidence = Evidence(store.path.with_name(store.path.name + ".evidence"))
        self.clips = Clips(store.path.parent / "clips", Footage(self.evidence.root / "hand"), self.evidence)
        self.sides: dict[str, str] = dict(self._sides_file.load().sides)
        newest = store.newest()
        self.recorded: list[Recorded] = store.events() if newest is not None else []
        self.session: Session[Any, Any] | None = None
        if self.recorded:
            self.session, faults = fold(self.recorded)
            for seq, fault in faults.items():
                tell_fault(f"taking in event {seq} of {store.path}", fault)
        if newest is not None and self.is_open and _is_recent(self.recorded):
            self.evidence.begin(newest)
        else:
            self.evidence.clear()
        self.results: dict[int, Result] = {}
        self._choices_file = kept_choices(store.path)
        self.choices = self._choices_file.load()
        self._desk_file = DeskFile(store.path)
        self.desk = self._desk_file.load(self.session.kinds if self.session is not None else COMMON)
        self.camera = CameraStatus()
        self.taught_deck: Path | None = None
        self.corrections: Path | None = None
        self.camera_lent = False
        self.leaving = False
        # From the clock: a page kept open over a restart must not take the new state for one it has.
        self.version = time.time_ns() // 1_000_000
        self._update: WatchUpdate | UInt8Array | None = None
        self._picture: tuple[WatchUpdate | UInt8Array, bytes] | None = None
        self._drawing = threading.Lock()

    @property
    def path(self) -> Path:
        """The evening's database."""
        return self._store.path

    @property
    def has_camera(self) -> bool:
        """Whether a camera belongs to the table, be it in trouble; without one nothing speaks of it."""
        return self.camera.state != "none"

    @property
    def saved(self) -> Path:
        """The folder of the evenings that the host saved."""
        return self.path.parent / "saved"

    @property
    def rules_folder(self) -> Path:
        """The folder of the club's own rule sets."""
        return self.path.parent / "rules"

    def choose(self, choices: HostChoices) -> None:
        """Set and save the host's choices; raises StoreError when they cannot be saved."""
        with self._changed:
            self._choices_file.save(choices)
            self.choices = choices
            if not choices.keep_clips:
                self.clips.forget()
            self._publish()

    @property
    def sight(self) -> Sight | None:
        """What may be shown of the evening now; None where there is none. The caller holds `locked()`."""
        if self.session is None:
            return None
        number = len(self.session.hands)
        opened = {one.trick for one in self.desk.openings if one.hand == number}
        return sight_of(self.session, self.choices.fair_play, opened, practises=self.choices.training)

    def ask(self, by: str, *events: Event) -> None:
        """`by` asks that the arbiter enters `events`. Raises RefusedError if they cannot have happened, StoreError."""
        with self._changed:
            self._refuse_impossible(*self._trial(events), by)
            self._set_desk(self.desk.with_ask(by, events, self.recorded[-1].seq))

    def asked(self, number: int) -> Ask | None:
        """What is asked for under this number."""
        return next((ask for ask in self.desk.asks if ask.number == number), None)

    def settle_ask(self, number: int) -> None:
        """It is entered, or declined. Raises StoreError."""
        with self._changed:
            self._set_desk(self.desk.without_ask(number))

    def note_opening(self, opening: Opening) -> None:
        """Tell every screen that something hidden was opened. Raises StoreError when that cannot be saved."""
        with self._changed:
            self._set_desk(self.desk.of_hand(opening.hand).with_opening(opening))

    def _set_desk(self, desk: Desk) -> None:
        self._desk_file.save(desk)
        self.desk = desk
        self._publish()

    def _clear_desk(self) -> None:
        if self.desk != Desk():
            self._set_desk(Desk())

    def tell(self) -> None:
        """Something that the page shows has changed beside the evening: who joined, or the network."""
        with self._changed:
            self._publish()

    def evenings(self) -> list[Evening]:
        """The evenings in the database, newest first."""
        with self._changed:
            return evenings(self._store)

    @property
    def number(self) -> int | None:
        """The number of the table's own evening, the last one played here; None before there is one."""
        return self._store.newest()

    @property
    def is_open(self) -> bool:
        """Whether an evening is open at the table."""
        return self.session is not None and not self.session.closed

    def stored_evenings(self) -> list[SessionInfo]:
        """The evenings in the database that were played here, oldest first. Raises StoreError."""
        return [info for info in self._store.sessions() if not info.imported]

    def stored(self, number: int, after_seq: int, most: int) -> list[Stored]:
        """The first `most` events of the evening `number` after `after_seq`, as they lie on the disk."""
        return self._store.stored(number, after_seq, most)

    def record_of(self, number: int) -> list[Recorded]:
        """The record of the evening `number`; empty where there is none. Raises StoreError."""
        return self._store.events(session=number)

    def import_evening(self, events: Sequence[Event], at: float) -> int:
        """Keep an evening from a file, which began at `at` (Unix time, s); returns its number. Raises StoreError."""
        return self._store.import_session(events, at)

    def backup(self, decks: Path) -> bytes:
        """A backup, with the decks in the folder `decks`; raises StoreError."""
        try:
            return make_backup(self._store, decks)
        except OSError as error:
            raise StoreError(f"{decks}: {error.strerror}") from error

    def delete_evening(self, number: int) -> None:
        """Delete an evening for good. Raises EveningOpenError for the one that is played, and StoreError."""
        with self._changed:
            if self.is_open and self.number == number:
                raise EveningOpenError("the evening is open")
            self._store.delete_session(number)
            if self.session is None or self.session.closed:
                self._clear_desk()
            self._read_again()

    def erase_name(self, name: str) -> str:
        """Erase a player's name from all evenings; returns the name that stands there now.

        Raises EveningOpenError if he sits at the table, and StoreError.
        """
        with self._changed:
            number = self.number
            if number is not None and self.is_open and name in self._store.players(number):
                raise EveningOpenError(f"{name} plays now")
            new = erase_name(self._store, self.saved, name)
            if name in self.sides:
                self.seat({new if one == name else one: side for one, side in self.sides.items()})
            if self.session is None or self.session.closed:
                self._clear_desk()  # the name may stand there
            self._read_again()
            return new

    def _read_again(self) -> None:
        self.results.clear()
        self.recorded = self._store.events() if self._store.newest() is not None else []
        self.session = fold(self.recorded)[0] if self.recorded else None
        self._publish()

    def seat(self, sides: Mapping[str, str]) -> None:
        """Set and save who sits at which side of the picture; raises StoreError when it cannot be saved."""
        with self._changed:
            self._sides_file.save(Sides(sides))
            self.sides = dict(sides)
            self._publish()

    @property
    def unplaced(self) -> tuple[str, ...]:
        """The players who have no place in the picture; until all have one, the camera is not read."""
        seats = self.session.seats if self.session is not None else ()
        return tuple(name for name in seats if name not in self.sides)

    def end(self) -> None:
        """The program ends: delete the evening's pictures, and keep no more."""
        with self._changed:
            self.clips.end(self.for_clips())
            self.evidence.end()

    def leave(self) -> None:
        """The program ends: wake everybody who waits for news."""
        with self._changed:
            self.leaving = True
            self._publish()

    @contextmanager
    def locked(self) -> Iterator[Session[Any, Any] | None]:
        """Hold the lock, so that the session stands still while it is read."""
        with self._changed:
            yield self.session

    def wait(self, version: int, timeout_s: float) -> bool:
        """Wait until the table is no longer at `version`; False after `timeout_s`."""
        with self._changed:
            return self._changed.wait_for(lambda: self.version != version, timeout_s)

    # ---- what people enter ----

    def open_evening(
        self, opened: SessionOpened, sides: Mapping[str, str], once: Token | None = None, by: str = ""
    ) -> None:
        """Begin a new evening; `once` and `by` as in `enter`.

        Raises TarokError (unknown rules, too many players, a token used before) or StoreError.
        """
        with self._changed:
            if self.has_entered(once):
                return
            if self.session is not None and not self.session.closed:
                raise TarokError("an evening is open already")
            game = game_of_rules(opened.rules).session
            game.replay([Recorded(1, opened)])
            self._clear_desk()
            self._sides_file.save(Sides(sides))
            self.evidence.begin(self._store.open_session(opened, token=once, by=by))
            self.sides = dict(sides)
            self.recorded = self._store.events()
            self.session = game.replay(self.recorded)
            self._publish()

    def enter(self, *events: Event, once: Token | None = None, by: str = "") -> None:
        """Store what a person (`by`, see `webui.people.phones.Phone`) entered, all of it or nothing.

        `once` names the entry: sent twice, also over a restart, it is stored once. Raises RefusedError when it
        cannot have happened, TokenUsedError when another entry had its name, StoreError when it cannot be saved.
        """
        with self._changed:
            if self.has_entered(once):
                return
            if self.session is None:
                raise TarokError("no evening is open")
            records, session = self._trial(events)
            self._refuse_impossible(records, session, by)
            self._append(events, session, once, by)
            if self.choices.keep_clips:
                seen = self.camera.state == "seeing"
                self.clips.entered(events, self.for_clips(), watching=seen)
            if self.corrections is not None:
                for play in touched(events, self.recorded):
                    card = corrected_card(self.recorded, play)
                    name = f"{self.recorded[0].at:.0f}-{play}"
                    set_aside(self.corrections, name, card, self.evidence.picture(play))
            if session.closed:
                self.evidence.clear()
            self._publish()

    def for_clips(self) -> SoFar | None:
        """The evening as its clips tell of it; None before there is one. The caller holds `locked()`."""
        return SoFar(self.recorded, self.session, self.sides) if self.session is not None else None

    def _refuse_impossible(self, records: list[Recorded], session: Session[Any, Any], by: str) -> None:
        """Raise RefusedError where one of `records` cannot have happened, by what all may know.

        Where it cannot because of what fair play hides, a refusal would tell that to whoever asks. So it is booked, and
        the table is asked about it, as about what the camera sees.
        """
        corrected = {one.event.seq for one in records if isinstance(one.event, EntryCorrected)}
        for alert in session.alerts:
            is_new = alert.seq >= records[0].seq or alert.seq in corrected
            if is_new and not self._would_tell(alert):
                self._note_refused(by)
                raise RefusedError(alert, game_of(session).words)

    def _would_tell(self, alert: Alert) -> bool:
        sight = self.sight
        if sight is None or not sight.hidden or sight.session.hand is None:
            return False
        return alert.earlier and alert.card not in sight.played(sight.session.hand)

    def _note_refused(self, by: str) -> None:
        hand = len(self.session.hands) if self.session is not None else 0
        if hand != self._refused_in:
            self._refused_in, self._refused = hand, Counter()
        self._refused[by] += 1
        if self._refused[by] == _MANY_REFUSED:
            self._publish()

    @property
    def often_refused(self) -> dict[str, int]:
        """Who was refused many entries in this hand because they cannot have happened, and how many."""
        if self.session is None or len(self.session.hands) != self._refused_in:
            return {}
        return {by: count for by, count in self._refused.items() if count >= _MANY_REFUSED}

    def _trial(self, events: Sequence[Event]) -> tuple[list[Recorded], Session[Any, Any]]:
        """`events` as they would be stored, and the game after them; nothing is changed."""
        following = self.recorded[-1].seq + 1
        records = [Recorded(following + place, event) for place, event in enumerate(events)]
        session, faults = fold([*self.recorded, *records])
        for record in records:
            if record.seq in faults:
                tell_fault(f"taking in {record.event}", faults[record.seq])
        return records, session

    def _append(
        self, events: Sequence[Event], session: Session[Any, Any], once: Token | None = None, by: str = ""
    ) -> None:
        """Store `events`, all or none, and go on with `session`, the game after them."""
        self.recorded.extend(self._store.append_all(events, token=once, by=by))
        self.session = session

    def has_entered(self, once: Token | None) -> bool:
        """Whether the entry of `once` is stored already.

        Raises TokenUsedError when another entry was stored under its name.
        """
        return once is not None and self._store.is_stored(once)

    def entered_as(self, token: str) -> int | None:
        """The number of the first event that was entered in this evening under that name; None if none was."""
        return self._store.seq_of(token)

    # ---- what the camera saw ----

    def expectation(self) -> Expectation | None:
        """What the game expects now: a soft prior for reading the table."""
        with self._changed:
            last = last_of_hand(self.recorded)
            return expected(self.session, time.time() - last.at if last is not None else math.inf)

    def saw(self, update: "WatchUpdate") -> bool:
        """Take in the picture and the events of `update`; each event is stored before it is shown.

        Events that cannot be saved (a full disk) are kept and tried again, in order, with the next update.
        Returns whether all are saved.
        """
        session = self.session
        if self.choices.keep_clips and session is not None and not session.closed:
            self.clips.take(update, under_way=session.under_way)
        with self._changed:
            self._update = update
            self._unsaved.extend((event, update) for event in update.events)
            try:
                stored = self._store_seen()
            except StoreError as error:
                self.set_camera(CameraStatus("trouble", "problem_disk", str(error)))
                return False
            evening = self.for_clips()
            if self.choices.keep_clips and evening is not None and self.is_open:
                self.clips.follow(evening)
            if stored:
                self._publish()
            return True

    def _store_seen(self) -> bool:
        """Take in the waiting events in order; returns whether the page has news. After a StoreError the rest wait."""
        changed = False
        while self._unsaved:
            event, update = self._unsaved[0]
            try:
                changed |= self._take_in(event, update)
            except StoreError:
                raise
            except Exception as fault:  # noqa: BLE001 - whatever is wrong with one event, the next is taken in
                tell_fault(f"taking in {event}", fault)
                self._leave_out(event)
                changed = True
            self._unsaved.popleft()
        return changed

    def _take_in(self, event: Event, update: "WatchUpdate") -> bool:
        """Store an event of the camera; whether the page has news of it."""
        if self.session is None or self.session.closed:
            return False
        events = booked_as(self.session, self.sides, event, update.time_s)
        if not events:
            return False
        records, session = self._trial(events)
        if any(alert.kind == FAULT and alert.seq >= records[0].seq for alert in session.alerts):
            self._leave_out(event)
            return True
        self._append(events, session)
        if event in update.played:
            play = event.seq if isinstance(event, PlayCorrected) else records[-1].seq
            self.evidence.keep(play, update.played[event], update)
        if isinstance(event, CardPlayed) and self.choices.keep_clips:
            self.clips.footage.booked(records[-1].seq, update.played.get(event))
        return True

    def _leave_out(self, event: Event) -> None:
        self._count_untaken += 1
        self.untaken = (*self.untaken, Untaken(self._count_untaken, event))[-_MOST_UNTAKEN:]

    def settle_untaken(self, number: int) -> bool:
        """People have seen to an untaken event; False if there is none of that number."""
        with self._changed:
            others = tuple(one for one in self.untaken if one.number != number)
            found = others != self.untaken
            self.untaken = others
            self._publish()
            return found

    def set_camera(self, camera: CameraStatus) -> None:
        """Set how the camera is doing, and publish it if that is new."""
        with self._changed:
            if camera != self.camera:
                self.camera = camera
                self._publish()

    def show(self, picture: "WatchUpdate | UInt8Array | None") -> None:
        """Show a picture of which nothing is booked: the players choose their seats by it. None shows none."""
        self._update = picture

    def picture(self) -> bytes | None:
        """The newest picture, as JPEG, with the recognised cards drawn in; None before there is one."""
        update = self._update
        if update is None:
            return None
        with self._drawing:
            if self._picture is None or self._picture[0] is not update:
                from webui.pictures.jpeg import (
                    as_jpeg,  # loads the eyes' libraries: only where there is a picture
                )

                self._picture = (update, as_jpeg(update))
            return self._picture[1]

    def _publish(self) -> None:
        self.version += 1
        self._changed.notify_all()
