"""Taking in what a table sends: each batch is replayed by the game itself, and stored whole or not at all.

A batch says after which event it comes, with a digest of all before. Only the next batch of the same record is taken;
to any other the answer is how far the club has come, and the table goes on from there. So what is sent twice is
stored once, and nothing can be left out. What does not balance is refused.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, insert, select, update
from sqlalchemy.exc import IntegrityError

from tracker.catalogue import msgid
from tracker.errors import TarokError
from tracker.events import Event, Kinds, Recorded, SessionOpened
from tracker.games import game_of_rules
from tracker.session import Session
from tracker.store import Stored
from webui.club.board import Board
from webui.club.heads import balances_out, head_as_data, head_of
from webui.club.people import person_called
from webui.club.schema import DELETED, EVENINGS, EVENT_ROWS, SEAT_ROWS, now_s
from webui.club_line import MOST_EVENTS, START, digest_of
from webui.folding import FAULT, fold
from webui.pages.common import EntryError
from webui.seats import MAX_NAME

_MOST_SESSIONS: Final = 2000
_MOST_SEQ: Final = 1_000_000
_MOST_KEY: Final = 60
_SHAPE: Final = msgid("That is no batch of events: {what}.")


class ElsewhereError(Exception):
    """The batch is not the next one; the club has come to the event `last`, with the digest of all up to it."""

    def __init__(self, last: int, digest: str) -> None:
        super().__init__()
        self.last = last
        self.digest = digest


@dataclass(frozen=True)
class Batch:
    """What a table sent: events after the number `after` of the `evening` with that name, and everybody's `chips` then.

    `digest` is that of the record before them. `chips` is None where the table has later events already.
    """

    evening: str
    opened_at: float
    after: int
    digest: str
    events: list[Stored]
    chips: dict[str, int] | None


def read_batch(data: Any) -> Batch:
    """The batch in a JSON value. Raises EntryError saying what is wrong with it."""
    keys = {"evening", "opened_at", "after", "digest", "events", "chips"}
    if not isinstance(data, dict) or data.keys() != keys:
        raise EntryError(_SHAPE, what=", ".join(sorted(keys)))
    evening, after, digest, rows = data["evening"], data["after"], data["digest"], data["events"]
    if not (isinstance(evening, str) and 0 < len(evening) <= _MOST_KEY and evening.isprintable()):
        raise EntryError(_SHAPE, what="evening")
    if not (type(after) is int and 0 <= after < _MOST_SEQ):
        raise EntryError(_SHAPE, what="after")
    if not (isinstance(digest, str) and len(digest) == len(START)):
        raise EntryError(_SHAPE, what="digest")
    if not (isinstance(rows, list) and 0 < len(rows) <= MOST_EVENTS):
        raise EntryError(_SHAPE, what="events")
    events = [_event(after + 1 + place, row) for place, row in enumerate(rows)]
    return Batch(evening, _time("opened_at", data["opened_at"]), after, digest, events, _chips(data["chips"]))


def _event(seq: int, row: Any) -> Stored:
    if not (isinstance(row, list) and len(row) == 3 and isinstance(row[1], str) and isinstance(row[2], str)):
        raise EntryError(_SHAPE, what=f"events, {seq}")
    # PostgreSQL has no NUL in a text; nor has any event of ours.
    if len(row[1]) > 2 * MAX_NAME or "\0" in row[1] + row[2]:
        raise EntryError(_SHAPE, what=f"events, {seq}")
    return Stored(seq, _time(f"events, {seq}", row[0]), row[1], row[2])


def _time(what: str, value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < 1e11:
        raise EntryError(_SHAPE, what=what)
    return float(value)


def _chips(value: Any) -> dict[str, int] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not all(type(chips) is int for chips in value.values()):
        raise EntryError(_SHAPE, what="chips")
    return dict(value)


@dataclass
class _Evening:
    """An evening as it stands in the database, with its game in memory; `number` is None before it is stored."""

    number: int | None
    last: int
    digest: str
    session: Session[Any, Any] | None = None
    seats: Mapping[str, tuple[int, int]] | None = None


class Intake:
    """Takes batches into the database `engine`, and tells the `board` of them; safe to use from several threads."""

    def __init__(self, engine: Engine, board: Board) -> None:
        self._engine = engine
        self._board = board
        self._lock = threading.Lock()
        self._locks: dict[tuple[int, str], threading.Lock] = {}
        self._kept: OrderedDict[tuple[int, str], _Evening] = OrderedDict()

    def places(self, club: int, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
        """How far the club has come with these evenings: the last event, and the digest of all up to it."""
        with self._engine.begin() as connection:
            return {
                key: (last, digest)
                for table in (DELETED, EVENINGS)
                for key, last, digest in connection.execute(
                    select(table.c.key, table.c.last, table.c.digest).where(
                        table.c.club == club, table.c.key.in_(keys)
                    )
                )
            }

    def take(self, club: int, place: int, batch: Batch) -> tuple[int, str]:
        """Store `batch`, of the table `place`; returns the last event of the evening and its digest.

        Raises ElsewhereError, and EntryError for what cannot be replayed or does not balance.
        """
        key = (club, batch.evening)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            try:
                taken = self._take(club, place, batch, key)
            except IntegrityError:  # another server stored it at the same time
                self.forget(key)
                raise ElsewhereError(0, START) from None
            except BaseException:
                self.forget(key)  # its game may be ahead of the database
                raise
        self._board.changed(club)
        return taken

    def forget(self, key: tuple[int, str]) -> None:
        """Read the evening from the database when it is needed next."""
        with self._lock:
            self._kept.pop(key, None)

    def forget_all(self) -> None:
        """What is stored was rewritten."""
        with self._lock:
            self._kept.clear()

    def _take(self, club: int, place: int, batch: Batch, key: tuple[int, str]) -> tuple[int, str]:
        with self._engine.begin() as connection:
            evening = self._evening(connection, club, batch.evening, key)
            if (batch.after, batch.digest) != (evening.last, evening.digest):
                raise ElsewhereError(evening.last, evening.digest)
            session = _replayed(connection, evening, batch)
            _check_balance(session, batch.chips)
            evening.last += len(batch.events)
            evening.digest = digest_of(batch.events, evening.digest)
            self._store(connection, club, place, batch, evening, session)
        # Only now is it known to be stored.
        evening.session = session if not _faulty(session) else None
        with self._lock:
            self._kept[key] = evening
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST_SESSIONS:
                self._kept.popitem(last=False)
        return evening.last, evening.digest

    def _evening(self, connection: Connection, club: int, name: str, key: tuple[int, str]) -> _Evening:
        """The evening as it is stored, its row locked until the end of the transaction."""
        row = connection.execute(
            select(EVENINGS.c.id, EVENINGS.c.last, EVENINGS.c.digest)
            .where(EVENINGS.c.club == club, EVENINGS.c.key == name)
            .with_for_update()
        ).one_or_none()
        if row is None:
            deleted = connection.execute(
                select(DELETED.c.last, DELETED.c.digest).where(DELETED.c.club == club, DELETED.c.key == name)
            ).one_or_none()
            if deleted is not None:
                raise EntryError("The club has deleted this evening.", 410)
            return _Evening(None, 0, START)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and (kept.number, kept.last, kept.digest) == tuple(row):
            return kept
        return _Evening(row.id, row.last, row.digest)

    def _store(
        self,
        connection: Connection,
        club: int,
        place: int,
        batch: Batch,
        evening: _Evening,
        session: Session[Any, Any],
    ) -> None:
        head = head_of(session)
        values = {
            "place": place,
            "changed_at": now_s(),
            "last": evening.last,
            "digest": evening.digest,
            "closed": session.closed,
            "open_flags": head.open_flags,
            "head": json.dumps(head_as_data(head), ensure_ascii=False),
        }
        if evening.number is None:
            rules = session.opened.rules
            new = {
                "club": club,
                "key": batch.evening,
                "opened_at": batch.opened_at,
                "rules": rules,
                "game": game_of_rules(rules).name,
            }
            added = connection.execute(insert(EVENINGS).values(**new, **values).returning(EVENINGS.c.id))
            evening.number = added.scalar_one()
        else:
            connection.execute(update(EVENINGS).where(EVENINGS.c.id == evening.number).values(**values))
        connection.execute(
            insert(EVENT_ROWS), [{"evening": evening.number, **event._asdict()} for event in batch.events]
        )
        _store_seats(connection, club, evening, session)


def _replayed(connection: Connection, evening: _Evening, batch: Batch) -> Session[Any, Any]:
    """The game after `batch`. Raises EntryError where it cannot be read or replayed."""
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
    """Whether events were left out, so that it cannot be gone on with."""
    return any(alert.kind == FAULT for alert in session.alerts)


def _kinds_of(rows: Sequence[Stored]) -> Kinds:
    """The kinds of event of the game that the first event names. Raises TarokError and ValueError."""
    opened = json.loads(rows[0].data)
    rules = opened.get("rules") if isinstance(opened, dict) else None
    if not isinstance(rules, str) or opened.get("event") != SessionOpened.__name__:
        raise TarokError("the record does not begin with the opening of a session")
    return game_of_rules(rules).session.kinds


def _recorded(kinds: Kinds, row: Stored) -> Recorded:
    data = json.loads(row.data)
    if not isinstance(data, dict):
        raise TarokError(f"event {row.seq} is no object")
    event: Event = kinds.from_json(data)
    return Recorded(row.seq, event, row.at, row.by)


def _check_balance(session: Session[Any, Any], chips: Mapping[str, int] | None) -> None:
    """Raise EntryError unless the chips sum to 0, and are those that the table has."""
    own = {**session.balances, **session.pots}
    if not balances_out(session):
        raise EntryError("The chips do not balance; nothing was stored.", 422)
    for name in own.keys() | (chips or own).keys():
        theirs = (chips or own).get(name)
        if theirs != own.get(name):
            raise EntryError(
                "The table has {theirs} chips for {name} and the club's replay {ours}; nothing was stored. "
                "Do both run the same version of the program?",
                422,
                name=name,
                theirs=theirs if theirs is not None else "–",
                ours=own.get(name, "–"),
            )


def _store_seats(connection: Connection, club: int, evening: _Evening, session: Session[Any, Any]) -> None:
    """Bring who sat there, with their chips and hands, up to date."""
    played = dict.fromkeys(session.balances, 0)
    for hand in session.hands:
        for name in hand.active:
            played[name] += 1
    now = {name: (chips, played[name]) for name, chips in session.balances.items()}
    if evening.seats is None:
        rows = connection.execute(
            select(SEAT_ROWS.c.name, SEAT_ROWS.c.chips, SEAT_ROWS.c.hands).where(
                SEAT_ROWS.c.evening == evening.number
            )
        ).all()
        evening.seats = {name: (chips, hands) for name, chips, hands in rows}
    for name, (chips, hands) in now.items():
        if name not in evening.seats:
            person = person_called(connection, club, name)
            row = {"evening": evening.number, "name": name, "person": person, "chips": chips, "hands": hands}
            connection.execute(insert(SEAT_ROWS).values(row))
        elif evening.seats[name] != (chips, hands):
            connection.execute(
                update(SEAT_ROWS)
                .where(SEAT_ROWS.c.evening == evening.number, SEAT_ROWS.c.name == name)
                .values(chips=chips, hands=hands)
            )
    # A correction may say that somebody never sat there.
    gone = evening.seats.keys() - now.keys()
    if gone:
        connection.execute(
            SEAT_ROWS.delete().where(SEAT_ROWS.c.evening == evening.number, SEAT_ROWS.c.name.in_(gone))
        )
    evening.seats = now


def stored_events(connection: Connection, evening: int) -> list[Stored]:
    """The events of an evening, in order, as they came."""
    rows = connection.execute(
        select(EVENT_ROWS.c.seq, EVENT_ROWS.c.at, EVENT_ROWS.c.by, EVENT_ROWS.c.data)
        .where(EVENT_ROWS.c.evening == evening)
        .order_by(EVENT_ROWS.c.seq)
    ).all()
    return [Stored(*row) for row in rows]


def replayed(events: Sequence[Stored]) -> Session[Any, Any]:
    """The game of stored events, as the table has it. Raises TarokError."""
    kinds = _kinds_of(events)
    return fold([_recorded(kinds, row) for row in events])[0]
