"""Taking in what a table sends: each batch is replayed by the game itself, and stored whole or not at all.

A batch says after which event it comes, with a digest of all events before. Only the next batch of the same record is
taken. To any other the answer is how far the club has come, and the table goes on from there. So a batch that is sent
twice is stored once, and none can be left out. A batch that does not balance is refused.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, bindparam, insert, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from tracker.errors import TarokError
from tracker.events import Event, Kinds, PlayerRenamed, Recorded, SessionOpened
from tracker.games import game_of_rules
from tracker.renaming import called_now
from tracker.session import Session
from tracker.store import Stored
from webui.club.batch import Batch
from webui.club.board import Board
from webui.club.heads import balances_out, head_of
from webui.club.people import forget_unused, people_called
from webui.club.rounds import people_of_rounds
from webui.club.schema import DELETED, EVENINGS, EVENT_ROWS, NAMES, SEAT_ROWS, now_s
from webui.errors import EntryError
from webui.kept_file import json_of
from webui.pages.fields import check_name
from webui.reporting.club_line import START, digest_of
from webui.table.replaying import FAULT, fold

_MOST_SESSIONS: Final = 2000
_MOST_TOGETHER: Final = 64
_MOST_CHIPS: Final = 10**9
_LATE_S: Final = 30 * 86400
"""The most seconds by which a table sends an evening late, without a network. If it seems older, its clock is wrong."""
_EARLY_S: Final = 3600
_OPEN_EVENING: Final = insert(EVENINGS).returning(EVENINGS.c.id, sort_by_parameter_order=True)
_GO_ON: Final = update(EVENINGS).where(EVENINGS.c.id == bindparam("this"))
_PAY: Final = update(SEAT_ROWS).where(
    SEAT_ROWS.c.evening == bindparam("this"), SEAT_ROWS.c.name == bindparam("sat")
)
_Key = tuple[int, str]
"""An evening: its table's number, and the table's key of it."""


class ElsewhereError(Exception):
    """The batch is not the next one: the club has come to the event `last`, with the `digest` of all up to it."""

    def __init__(self, last: int, digest: str) -> None:
        super().__init__()
        self.last = last
        self.digest = digest


@dataclass
class _Evening:
    """An evening as it stands in the database, with its game; `number` is None before the evening is stored."""

    number: int | None
    last: int
    digest: str
    session: Session[Any, Any] | None = None
    seats: Mapping[str, tuple[int, int]] | None = None


@dataclass
class _Job:
    """A batch of the table `place` that waits to be stored. Then it has `taken`, how far its evening is, or `error`."""

    club: int
    place: int
    batch: Batch
    taken: tuple[int, str] | None = None
    error: BaseException | None = None

    @property
    def key(self) -> _Key:
        return self.place, self.batch.evening

    @property
    def done(self) -> bool:
        return self.taken is not None or self.error is not None


@dataclass(frozen=True)
class _Ready:
    """A batch that was replayed, with the columns of its evening to store (`values`)."""

    job: _Job
    evening: _Evening
    session: Session[Any, Any]
    values: dict[str, Any]


class Intake:
    """Takes batches into the database `engine`, and tells the `board` of them; safe to use from several threads.

    One thread at a time stores. The batches that came meanwhile are then stored together, in one transaction: the more
    tables send, the less each batch costs.
    """

    def __init__(self, engine: Engine, board: Board) -> None:
        self._engine = engine
        self._board = board
        self._lock = threading.Lock()
        self._storing = threading.Lock()
        self._waiting: list[_Job] = []
        self._kept: OrderedDict[_Key, _Evening] = OrderedDict()

    def places(self, place: int, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
        """How far the club has come with a table's evenings: for each the last event, and the digest up to that."""
        with self._engine.begin() as connection:
            return {
                key: (last, digest)
                for table in (DELETED, EVENINGS)
                for key, last, digest in connection.execute(
                    select(table.c.key, table.c.last, table.c.digest).where(
                        table.c.place == place, table.c.key.in_(keys)
                    )
                )
            }

    def take(self, club: int, place: int, batch: Batch) -> tuple[int, str]:
        """Store `batch`, of the table `place`; returns the last event of the evening and its digest.

        Raises ElsewhereError, and EntryError for a batch that cannot be replayed or does not balance.
        """
        job = _Job(club, place, batch)
        with self._lock:
            self._waiting.append(job)
        while not job.done:
            with self._storing:
                if not job.done:
                    self._take_together(self._next())
        if job.taken is None:
            assert job.error is not None
            raise job.error
        self._board.changed(club)
        return job.taken

    def forget(self, key: _Key) -> None:
        """Forget an evening's game in memory, so that the evening is read from the database next time."""
        with self._lock:
            self._kept.pop(key, None)

    def forget_all(self) -> None:
        """Forget all games in memory, because what is stored was rewritten."""
        with self._lock:
            self._kept.clear()

    def _next(self) -> list[_Job]:
        """The jobs that wait, one of each evening."""
        with self._lock:
            found: dict[_Key, _Job] = {}
            for job in self._waiting:
                if len(found) < _MOST_TOGETHER:
                    found.setdefault(job.key, job)
            jobs = list(found.values())
            self._waiting = [job for job in self._waiting if found.get(job.key) is not job]
        return jobs

    def _take_together(self, jobs: Sequence[_Job]) -> None:
        """Store these batches of different evenings in one transaction; those that cannot be stored get an error."""
        try:
            with self._engine.begin() as connection:
                ready = self._ready(connection, jobs)
                if ready:
                    _store(connection, ready)
        except BaseException as error:  # noqa: BLE001 - each who waits raises it
            for job in jobs:
                self.forget(job.key)  # its game in memory may be ahead of the database
            if isinstance(error, IntegrityError):  # another program stored an evening at the same time
                error = ElsewhereError(0, START)
            if len(jobs) > 1 and isinstance(error, Exception):
                for job in jobs:  # one of them may be at fault, and the others must not suffer for it
                    job.error = None
                    self._take_together([job])
            else:
                for job in jobs:
                    job.error = error
            return
        # Only now the batches are known to be stored.
        with self._lock:
            for one in ready:
                one.evening.session = one.session if not _faulty(one.session) else None
                self._kept[one.job.key] = one.evening
                self._kept.move_to_end(one.job.key)
            while len(self._kept) > _MOST_SESSIONS:
                self._kept.popitem(last=False)
        for one in ready:
            one.job.taken = one.evening.last, one.evening.digest

    def _ready(self, connection: Connection, jobs: Sequence[_Job]) -> list[_Ready]:
        """Replay the batches that are the next of their evenings; the others get their errors."""
        evenings = self._evenings(connection, [job.key for job in jobs])
        ready = []
        for job in jobs:
            evening, batch = evenings[job.key], job.batch
            try:
                if evening is None:
                    raise EntryError("The club has deleted this evening.", 410)
                if (batch.after, batch.digest) != (evening.last, evening.digest):
                    raise ElsewhereError(evening.last, evening.digest)
                session = _replayed(connection, evening, batch)
                _check_names(session)
                _check_balance(session, batch.chips)
            except ElsewhereError as error:
                job.error = error
                continue
            except EntryError as error:
                self.forget(job.key)  # its game may be ahead of the database
                job.error = error
                continue
            evening.last += len(batch.events)
            evening.digest = digest_of(batch.events, evening.digest)
            ready.append(_Ready(job, evening, session, _values(evening, session)))
        return ready

    def _evenings(self, connection: Connection, keys: Sequence[_Key]) -> dict[_Key, _Evening | None]:
        """The evenings as they are stored, with their rows locked until the transaction ends; None for deleted ones."""
        rows = connection.execute(
            select(
                EVENINGS.c.id,
                EVENINGS.c.last,
                EVENINGS.c.digest,
                EVENINGS.c.place,
                EVENINGS.c.key,
                EVENINGS.c.deleted_at,
            )
            .where(tuple_(EVENINGS.c.place, EVENINGS.c.key).in_(keys))
            .order_by(EVENINGS.c.id)
            .with_for_update()
        ).all()
        found: dict[_Key, _Evening | None] = {}
        for number, last, digest, place, name, deleted_at in rows:
            with self._lock:
                kept = self._kept.get((place, name))
            same = kept is not None and (kept.number, kept.last, kept.digest) == (number, last, digest)
            evening = kept if same else _Evening(number, last, digest)
            found[place, name] = evening if deleted_at is None else None
        new = [key for key in keys if key not in found]
        if new:
            asked = select(DELETED.c.place, DELETED.c.key).where(
                tuple_(DELETED.c.place, DELETED.c.key).in_(new)
            )
            deleted = {tuple(row) for row in connection.execute(asked)}
            found |= {key: None if key in deleted else _Evening(None, 0, START) for key in new}
        return found


def _values(evening: _Evening, session: Session[Any, Any]) -> dict[str, Any]:
    """The columns of the evening that change with each batch."""
    head = head_of(session)
    return {
        "changed_at": now_s(),
        "last": evening.last,
        "digest": evening.digest,
        "closed": session.closed,
        "open_flags": head.open_flags,
        "head": json_of(head).decode(),
    }


def _store(connection: Connection, ready: Sequence[_Ready]) -> None:
    """Store the batches, all rows of one kind at once."""
    new = [one for one in ready if one.evening.number is None]
    known = [one for one in ready if one.evening.number is not None]
    if new:
        numbers = connection.execute(_OPEN_EVENING, [_opened(one) for one in new]).scalars().all()
        for one, number in zip(new, numbers, strict=True):
            one.evening.number, one.evening.seats = number, {}
    if known:
        connection.execute(_GO_ON, [{"this": one.evening.number, **one.values} for one in known])
    connection.execute(
        insert(EVENT_ROWS),
        [
            {"evening": one.evening.number, **event._asdict()}
            for one in ready
            for event in one.job.batch.events
        ],
    )
    _store_seats(connection, ready)


def _opened(one: _Ready) -> dict[str, Any]:
    """The columns of a new evening."""
    rules = one.session.opened.rules
    received_at = one.values["changed_at"]
    opened_at = one.job.batch.opened_at
    return {
        "club": one.job.club,
        "place": one.job.place,
        "key": one.job.batch.evening,
        "opened_at": opened_at if -_LATE_S < opened_at - received_at < _EARLY_S else received_at,
        "received_at": received_at,
        "rules": rules,
        "game": game_of_rules(rules).name,
        **one.values,
    }


def _replayed(connection: Connection, evening: _Evening, batch: Batch) -> Session[Any, Any]:
    """The game after `batch`. Raises EntryError if that cannot be read or replayed."""
    try:
        if evening.session is not None:
            return _gone_on(evening.session, batch)
    except (TarokError, ValueError, RecursionError) as error:
        raise _unreadable(error) from None
    except Exception:  # noqa: BLE001 - a fault of the game's own: below the event is left out, as at the table
        evening.session = None
    try:
        before = stored_events(connection, evening.number) if evening.number is not None else []
        return replayed([*before, *batch.events])
    except (TarokError, ValueError, RecursionError) as error:
        raise _unreadable(error) from None


def _gone_on(session: Session[Any, Any], batch: Batch) -> Session[Any, Any]:
    for row in batch.events:
        record = _recorded(session.kinds, row)
        session.apply(record.event, record.seq)
    return session


def _unreadable(error: Exception) -> EntryError:
    return EntryError("The events cannot be read: {reason}.", 422, reason=error)


def _faulty(session: Session[Any, Any]) -> bool:
    """Whether events of the session were left out, so that no more can be applied to it."""
    return any(alert.kind == FAULT for alert in session.alerts)


def _kinds_of(rows: Sequence[Stored]) -> Kinds:
    """The kinds of events of the game that the first event names. Raises TarokError and ValueError."""
    opened = json.loads(rows[0].data)
    rules = opened.get("rules") if isinstance(opened, dict) else None
    if not isinstance(rules, str) or opened.get("event") != SessionOpened.__name__:
        raise TarokError("the record does not begin with the opening of an evening")
    return game_of_rules(rules).session.kinds


def _recorded(kinds: Kinds, row: Stored) -> Recorded:
    data = json.loads(row.data)
    if not isinstance(data, dict):
        raise TarokError(f"event {row.seq} is no object")
    event: Event = kinds.from_json(data)
    return Recorded(row.seq, event, row.at, row.by)


def _check_names(session: Session[Any, Any]) -> None:
    """Raise EntryError for a name or a number of chips that no real table has."""
    for name, chips in session.balances.items():
        check_name(name)
        if abs(chips) > _MOST_CHIPS:
            raise EntryError("“{value}” is not a number that can be used here.", value=chips)


def _check_balance(session: Session[Any, Any], chips: Mapping[str, int] | None) -> None:
    """Raise EntryError unless the chips sum to 0 and are those that the table sent."""
    own = {**session.balances, **session.pots}
    if not balances_out(session):
        raise EntryError("The chips do not balance; nothing was stored.", 422)
    for name in own.keys() | (chips or own).keys():
        theirs = (chips or own).get(name)
        if theirs != own.get(name):
            raise EntryError(
                "{name} has {theirs} chips at the table, but {ours} by the club's count; nothing was stored. "
                "Do both run the same version of the program?",
                422,
                name=name,
                theirs=theirs if theirs is not None else "–",
                ours=own.get(name, "–"),
            )


def _store_seats(connection: Connection, ready: Sequence[_Ready]) -> None:
    """Bring up to date who sat at the tables, with chips and hands."""
    new, changed = [], []
    given: dict[tuple[_Key, str], int] = {}
    for one in ready:
        evening = one.evening
        renamed = _renamed(one)
        anew = {name for event in renamed for name in (event.player, event.called)}
        if anew:
            given |= {(one.job.key, called_now(name, renamed)): who for name, who in _given(connection, one)}
        played = dict.fromkeys(one.session.balances, 0)
        for hand in one.session.hands:
            for name in hand.active:
                played[name] += 1
        now = {name: (chips, played[name]) for name, chips in one.session.balances.items()}
        before = _seats_before(connection, evening)
        for name, (chips, hands) in now.items():
            if name not in before or name in anew:
                new.append((one.job.key, one.job.club, evening.number, name, chips, hands))
            elif before[name] != (chips, hands):
                changed.append({"this": evening.number, "sat": name, "chips": chips, "hands": hands})
        # After a correction somebody may never have sat there.
        gone = {name for name in before if name in anew or name not in now}
        if gone:
            connection.execute(
                SEAT_ROWS.delete().where(SEAT_ROWS.c.evening == evening.number, SEAT_ROWS.c.name.in_(gone))
            )
            for name in sorted(gone - now.keys()):
                forget_unused(connection, one.job.club, name)
        evening.seats = now
    if changed:
        connection.execute(_PAY, changed)
    if new:
        of_rounds = people_of_rounds(connection, {key for key, *_ in new})
        known = {(key, name): person for key, names in of_rounds.items() for name, person in names.items()}
        known |= given
        called = {(club, name) for key, club, _, name, _, _ in new if (key, name) not in known}
        people = people_called(connection, called)
        rows = [
            {
                "evening": evening,
                "name": name,
                "person": known.get((key, name)) or people[club, name],
                "chips": chips,
                "hands": hands,
            }
            for key, club, evening, name, chips, hands in new
        ]
        connection.execute(insert(SEAT_ROWS), rows)


def _renamed(one: _Ready) -> list[PlayerRenamed]:
    """How names were corrected in the batch, one after the other."""
    rows = [row for row in one.job.batch.events if PlayerRenamed.__name__ in row.data]
    events = [_recorded(one.session.kinds, row).event for row in rows]
    return [event for event in events if isinstance(event, PlayerRenamed)]


def _given(connection: Connection, one: _Ready) -> list[tuple[str, int]]:
    """The seats whose people the club named, in a round or because others sat there than are called so."""
    called = select(NAMES.c.person).where(NAMES.c.club == one.job.club, NAMES.c.name == SEAT_ROWS.c.name)
    own = select(SEAT_ROWS.c.name, SEAT_ROWS.c.person).where(SEAT_ROWS.c.evening == one.evening.number)
    rows = connection.execute(own.where(SEAT_ROWS.c.person.is_distinct_from(called.scalar_subquery())))
    drawn = people_of_rounds(connection, {one.job.key}).get(one.job.key, {})
    return [*drawn.items(), *((name, person) for name, person in rows)]


def _seats_before(connection: Connection, evening: _Evening) -> Mapping[str, tuple[int, int]]:
    if evening.seats is not None:
        return evening.seats
    asked = select(SEAT_ROWS.c.name, SEAT_ROWS.c.chips, SEAT_ROWS.c.hands)
    rows = connection.execute(asked.where(SEAT_ROWS.c.evening == evening.number))
    return {name: (chips, hands) for name, chips, hands in rows}


def stored_events(connection: Connection, evening: int) -> list[Stored]:
    """The events of an evening in order, as the table sent them."""
    rows = connection.execute(
        select(EVENT_ROWS.c.seq, EVENT_ROWS.c.at, EVENT_ROWS.c.by, EVENT_ROWS.c.data)
        .where(EVENT_ROWS.c.evening == evening)
        .order_by(EVENT_ROWS.c.seq)
    ).all()
    return [Stored(*row) for row in rows]


def replayed(events: Sequence[Stored]) -> Session[Any, Any]:
    """The game that follows from stored events, as at the table. Raises TarokError."""
    kinds = _kinds_of(events)
    return fold([_recorded(kinds, row) for row in events])[0]
