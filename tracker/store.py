"""The evening's record on disk: events in SQLite, durable before `append` returns.

One file holds any number of sessions. Each numbers its events from 1 without gaps. Write-ahead logging with full
synchronisation means that what was acknowledged survives a kill or a power cut, and that other processes can read
while one writes. Nothing is changed or deleted, unless the host deletes an evening or erases a name.

A person's entry comes with a token, stored in the same transaction as its events. If the entry is sent again,
even after a restart, the token shows that it is stored. Another entry with the same token is refused.
"""

import contextlib
import json
import os
import secrets
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tracker.errors import TarokError
from tracker.events import (
    COMMON,
    Event,
    Kinds,
    PlayerJoined,
    PlayerRenamed,
    Recorded,
    SessionOpened,
    event_to_json,
)
from tracker.files import PRIVATE, make_empty
from tracker.games import game_of_rules
from tracker.reader import parsed
from tracker.renaming import named_now

_VERSION = 1
"""Of the file: its `user_version`."""
_SCHEMA = (
    """
    CREATE TABLE sessions (
        id INTEGER PRIMARY KEY,
        opened_at REAL NOT NULL,
        imported INTEGER NOT NULL DEFAULT 0,
        key TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE events (
        session INTEGER NOT NULL REFERENCES sessions (id),
        seq INTEGER NOT NULL,
        at REAL NOT NULL,
        data TEXT NOT NULL,
        by TEXT NOT NULL,
        PRIMARY KEY (session, seq)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE tokens (
        name TEXT PRIMARY KEY,
        content TEXT NOT NULL,
        session INTEGER NOT NULL REFERENCES sessions (id),
        seq INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
)
"""`key` is what a club calls a session, `by` who entered an event, `seq` of a token the first event of its entry."""
_FIRST_S, _LAST_S = 86_400.0, 7_200_000_000.0
"""From when to when an evening can be (Unix time, s): 1970 to 2198."""
_MOST_SECONDS_TO_CHECK = 30.0
_WRONG_ROWS = (
    "SELECT 'evening ' || quote(id) FROM sessions WHERE id NOT BETWEEN 1 AND 999999999"
    " OR typeof(opened_at) != 'real' OR opened_at NOT BETWEEN :first AND :last OR imported NOT IN (0, 1)",
    "SELECT 'evening ' || quote(session) || ', event ' || substr(quote(seq), 1, 20) FROM events WHERE"
    " session NOT IN (SELECT id FROM sessions) OR typeof(seq) != 'integer' OR typeof(at) != 'real'"
    " OR at NOT BETWEEN :first AND :last OR typeof(data) != 'text' OR length(data) > 20000"
    " OR typeof(by) != 'text' OR length(by) > 100",
    "SELECT 'evening ' || quote(id) FROM sessions LEFT JOIN events ON session = id GROUP BY id"
    " HAVING count(seq) NOT BETWEEN 1 AND 20000 OR min(seq) != 1 OR max(seq) != count(seq)",
    "SELECT 'tokens' FROM tokens WHERE typeof(name) != 'text' OR typeof(content) != 'text'"
    " OR typeof(seq) != 'integer' OR length(name) > 100 OR length(content) > 100",
    "SELECT 'more than 5000 evenings' FROM sessions LIMIT 1 OFFSET 5000",
)
"""Each gives a row where a record is not as `EventStore` writes it."""


class StoreError(TarokError):
    """The record cannot be read or written; what was acknowledged before is kept."""


class DamagedError(StoreError):
    """The record of the evening that began at `at` (Unix time, s) cannot be read; the other evenings can."""

    def __init__(self, said: str, at: float) -> None:
        super().__init__(said)
        self.at = at


class HeldError(StoreError):
    """A running program holds the record."""


class TokenUsedError(TarokError):
    """The token was used before; nothing was stored now."""


@dataclass(frozen=True, slots=True)
class Token:
    """Marks an entry: the `name` that the sending page gave it, and its `content`. One name has one content."""

    name: str
    content: str


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A stored session: its id, when it was opened (Unix time, s), how many events it has.

    `imported`: it came from a file, and was not played at this table. `key` is what a club calls it: drawn by chance,
    so that nobody guesses it.
    """

    id: int
    opened_at: float
    event_count: int
    imported: bool
    key: str


class Stored(NamedTuple):
    """An event as it lies on the disk: its number, when (Unix time, s) and by whom, its JSON text."""

    seq: int
    at: float
    by: str
    data: str


class EventStore:
    """The append-only record at `path`; safe to use from several threads.

    A session's events are of the kinds of its game, which its rules name.

    A program that keeps an evening in it opens it `alone`. No other can then do the same; reading stays free.
    `append` and `events` mean the newest session that was played here unless told otherwise. Raises StoreError if
    the file cannot be opened or written (a full disk), is no record of this program, or is held by another program.
    """

    def __init__(self, path: str | Path, *, alone: bool = False) -> None:
        self.path = Path(os.path.realpath(path))
        self._lock = threading.Lock()
        self._holding: sqlite3.Connection | None = None
        self._refuse_other_files(alone)
        with _errors_of(self.path):
            make_empty(self.path)
            # Autocommit: each transaction below is begun by hand, so that nothing is left open by accident.
            self._database = sqlite3.connect(
                self.path, isolation_level=None, check_same_thread=False, timeout=10.0
            )
        try:
            with _errors_of(self.path):
                self._begin(alone)
        except StoreError:
            self.close()
            raise

    def _begin(self, alone: bool) -> None:
        """Make sure that the file is of this program, hold it to be kept `alone`, and make the tables of a new one."""
        self._database.execute("BEGIN")  # another program may be making its tables
        version = self._version()
        self._database.execute("COMMIT")
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.execute("PRAGMA secure_delete=ON")
        if alone:
            self._hold()
            self._make_private()
        if version != _VERSION:
            self._make_tables()

    def _version(self) -> int:
        """The version of the file, 0 for a new one. Raises StoreError where another program made it, or changed it."""
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            raise StoreError(f"{self.path}: written by another version of the program ({version})")
        with closing(sqlite3.connect(":memory:")) as blank:
            for statement in _SCHEMA if version else ():
                blank.execute(statement)
            if _made_of(self._database) != _made_of(blank):
                raise StoreError(f"{self.path}: is no evening's database of this program")
        return int(version)

    def _make_tables(self) -> None:
        """Make the tables, in one transaction."""
        with self._transaction():
            if self._version() != _VERSION:  # asked again: another program may have been first
                for statement in _SCHEMA:
                    self._database.execute(statement)
                self._database.execute(f"PRAGMA user_version={_VERSION}")

    def _refuse_other_files(self, alone: bool) -> None:
        """Refuse what is no file of its own, before anything is written or its mode is changed.

        That is a device, a pipe or a folder. To be held `alone` it has no hard link either: SQLite keeps its log beside
        the name, so by two names two programs could write.
        """
        lock = self.path.with_name(self.path.name + ".lock")
        with contextlib.suppress(OSError):  # SQLite will say what is wrong with the file
            if self.path.exists() and not self.path.is_file():
                raise StoreError(f"{self.path}: is not a file; an evening needs a file of its own")
            if alone and self.path.is_file() and self.path.stat().st_nlink > 1:
                raise StoreError(
                    f"{self.path}: the file has a second name (a hard link), by which another program could"
                    " write to it; make a copy and use that"
                )
            if alone and (
                lock.is_symlink() or (lock.exists() and (not lock.is_file() or lock.stat().st_size))
            ):
                raise StoreError(f"{lock}: is in the way; an evening needs that name for its lock")

    def _hold(self) -> None:
        """Hold the record until it is closed or the process ends, however it ends.

        The lock is a transaction on an empty database beside it, which works alike on every system. `self.path`
        has no symbolic links, so everybody finds the same lock.
        """
        beside = self.path.with_name(self.path.name + ".lock")
        make_empty(beside)
        self._holding = sqlite3.connect(beside, isolation_level=None, check_same_thread=False, timeout=0.0)
        try:
            self._holding.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise HeldError(
                f"{self.path}: a running program keeps its evening there; stop it, or choose another file"
            ) from None

    def _make_private(self) -> None:
        """Close to others what was left open to them."""
        for end in ("", "-wal", "-shm", ".lock"):
            path = self.path.with_name(self.path.name + end)
            with contextlib.suppress(OSError):
                if stat.S_ISREG(path.lstat().st_mode):
                    path.chmod(PRIVATE)

    def open_session(
        self, opened: SessionOpened, at: float | None = None, token: Token | None = None, by: str = ""
    ) -> int:
        """Begin a new session with `opened` as its first event; returns the session's id.

        `token` is stored with it. Raises TokenUsedError if its name is stored already, whatever the content.
        """
        now = time.time() if at is None else at
        with self._lock, self._transaction():
            session = self._new_session(now, imported=False)
            self._insert(session, Recorded(1, opened, now, by))
            self._insert_token(token, session, 1)
            return session

    def _new_session(self, at: float, *, imported: bool) -> int:
        cursor = self._database.execute(
            "INSERT INTO sessions (opened_at, imported, key) VALUES (?, ?, ?)",
            (at, imported, secrets.token_urlsafe(24)),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def append(self, event: Event, at: float | None = None, session: int | None = None) -> Recorded:
        """Store `event` and return it with its number; when this returns, it is on the disk."""
        return self.append_all([event], at, session)[0]

    def append_all(
        self,
        events: Sequence[Event],
        at: float | None = None,
        session: int | None = None,
        token: Token | None = None,
        by: str = "",
    ) -> list[Recorded]:
        """Store `events`, all of them or none, and return them with their numbers, as `append` does.

        `by` says who entered them. `token` is stored with them. Raises TokenUsedError if its name is stored already,
        whatever the content.
        """
        now = time.time() if at is None else at
        with self._lock, self._transaction():
            identity = self._newest() if session is None else session
            (last,) = self._database.execute(
                "SELECT max(seq) FROM events WHERE session = ?", (identity,)
            ).fetchone()
            if last is None:
                raise StoreError(f"{self.path}: no session {identity}")
            records = [Recorded(last + 1 + place, event, now, by) for place, event in enumerate(events)]
            for record in records:
                self._insert(identity, record)
            self._insert_token(token, identity, last + 1)
            return records

    def is_stored(self, token: Token) -> bool:
        """Whether the entry of `token` is stored. Raises TokenUsedError if its name has another content there."""
        with self._reading():
            row = self._database.execute(
                "SELECT content FROM tokens WHERE name = ?", (token.name,)
            ).fetchone()
        if row is not None and row[0] != token.content:
            raise TokenUsedError("this entry was sent before with another content")
        return row is not None

    def seq_of(self, name: str) -> int | None:
        """The number of the first event of the entry with the token `name`; None if the newest session has none."""
        with self._reading():
            row = self._database.execute(
                "SELECT seq FROM tokens WHERE name = ? AND session = ?", (name, self._newest())
            ).fetchone()
        return row[0] if row is not None else None

    def events(self, session: int | None = None) -> list[Recorded]:
        """The events of a session in order, with the names as they are now. Raises StoreError, DamagedError."""
        with self._reading():
            return self._record_of(self._newest() if session is None else session)

    def _record_of(self, session: int) -> list[Recorded]:
        with self._telling_damage(session):
            rows = self._database.execute(
                "SELECT seq, data, at, by FROM events WHERE session = ? ORDER BY seq", (session,)
            ).fetchall()
            kinds = self._kinds_of(session)
            return named_now(Recorded(seq, _as_event(data, kinds), at, by) for seq, data, at, by in rows)

    @contextlib.contextmanager
    def _telling_damage(self, session: int) -> Iterator[None]:
        """What cannot be read of a session is a DamagedError."""
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError, TarokError) as error:
            (at,) = self._database.execute(
                "SELECT opened_at FROM sessions WHERE id = ?", (session,)
            ).fetchone()
            raise DamagedError(f"{self.path}: evening {session} is damaged: {error}", at) from error

    def _kinds_of(self, session: int) -> Kinds:
        """The kinds of event of a session's game; those of every game where there is no such session.

        Raises TarokError if the session does not begin with rules of a game.
        """
        row = self._database.execute(
            "SELECT data FROM events WHERE session = ? AND seq = 1", (session,)
        ).fetchone()
        if row is None:
            return COMMON
        opened = _as_event(row[0], COMMON)
        if not isinstance(opened, SessionOpened):
            raise TarokError("the record does not begin with the opening of an evening")
        return game_of_rules(opened.rules).session.kinds

    def stored(self, session: int, after_seq: int, most: int) -> list[Stored]:
        """The first `most` events of a session with a number above `after_seq`, as they lie on the disk."""
        with self._reading():
            rows = self._database.execute(
                "SELECT seq, at, by, data FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
                (session, after_seq, most),
            ).fetchall()
        return [Stored(*row) for row in rows]

    def sessions(self) -> list[SessionInfo]:
        """Every session of the file, oldest first."""
        with self._reading():
            rows = self._database.execute(
                "SELECT id, opened_at, (SELECT count(*) FROM events WHERE session = id), imported, key"
                " FROM sessions ORDER BY id"
            ).fetchall()
        return [
            SessionInfo(number, at, count, bool(imported), str(key))
            for number, at, count, imported, key in rows
        ]

    def mark(self) -> tuple[int, int]:
        """A mark that is another one once another program wrote to the file; `append` may change it, too."""
        with self._reading():
            (changes,) = self._database.execute("PRAGMA data_version").fetchone()
            return int(changes), self.path.stat().st_mtime_ns

    def newest(self) -> int | None:
        """The id of the newest session that was played here; None before there is one."""
        with self._reading():
            (newest,) = self._database.execute("SELECT max(id) FROM sessions WHERE NOT imported").fetchone()
        return newest if newest is None else int(newest)

    def import_session(self, events: Sequence[Event], at: float) -> int:
        """Store a whole session from a file, opened at the Unix time `at` (s); returns its id. Raises StoreError."""
        with self._lock, self._transaction():
            session = self._new_session(at, imported=True)
            for seq, event in enumerate(events, start=1):
                self._insert(session, Recorded(seq, event, at))
            return session

    def players(self, session: int) -> tuple[str, ...]:
        """Everybody who sat down in a session, in the order in which they came. Raises StoreError, DamagedError."""
        with self._reading(), self._telling_damage(session):
            rows = self._database.execute(
                "SELECT data FROM events WHERE session = ?"
                """ AND (seq = 1 OR data LIKE '{"event":"PlayerJoined"%' OR data LIKE '{"event":"PlayerRenamed"%')"""
                " ORDER BY seq",
                (session,),
            ).fetchall()
            record = named_now(
                Recorded(seq, _as_event(data, COMMON)) for seq, (data,) in enumerate(rows, start=1)
            )
        events = [one.event for one in record]
        first = [seat for event in events if isinstance(event, SessionOpened) for seat in event.seats]
        joined = [event.player for event in events if isinstance(event, PlayerJoined)]
        return tuple(dict.fromkeys((*first, *joined)))

    def renamed(self) -> list[PlayerRenamed]:
        """How names were corrected in the newest session, in order; with the names as they were then."""
        with self._reading():
            rows = self._database.execute(
                """SELECT data FROM events WHERE session = ? AND data LIKE '{"event":"PlayerRenamed"%' ORDER BY seq""",
                (self._newest(),),
            ).fetchall()
        events = [_as_event(data, COMMON) for (data,) in rows]
        return [event for event in events if isinstance(event, PlayerRenamed)]

    def copy_to(self, path: Path) -> None:
        """Copy the whole record, as it is now, to a new file at `path`. Raises StoreError."""
        with self._lock:
            try:
                self._database.execute("VACUUM INTO ?", (str(path),))
            except sqlite3.Error as error:
                is_damaged = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CORRUPT
                raise StoreError(f"{self.path if is_damaged else path}: {error}") from error

    def take_over(self, other: "EventStore") -> int:
        """Copy every session of `other` into this record, all or none; returns how many.

        Raises StoreError, also if this record has sessions already.
        """
        tables = {"sessions": 4, "events": 5, "tokens": 4}
        with other._reading():
            rows = {table: other._database.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
        with self._lock, self._transaction():
            if self._database.execute("SELECT count(*) FROM sessions").fetchone() != (0,):
                raise StoreError(f"{self.path}: already has evenings")
            for table, columns in tables.items():
                places = ", ".join("?" * columns)
                self._database.executemany(f"INSERT INTO {table} VALUES ({places})", rows[table])
        return len(rows["sessions"])

    def delete_session(self, session: int) -> None:
        """Delete a session for good: its events are overwritten on the disk. Raises StoreError."""
        with self._lock:
            with self._transaction():
                for table, column in (("tokens", "session"), ("events", "session"), ("sessions", "id")):
                    self._database.execute(f"DELETE FROM {table} WHERE {column} = ?", (session,))
            self._forget_old_pages()

    def rewrite(self, change: Callable[[list[Recorded]], list[Recorded]]) -> None:
        """Replace the record of every session by `change(record)`, all or none, and overwrite the old events.

        A record is given with the names as they are now; numbers and times stay. If `change` returns it as it is,
        nothing is written. Raises StoreError.
        """
        with self._lock:
            with self._transaction():
                for (session,) in self._database.execute("SELECT id FROM sessions").fetchall():
                    record = self._record_of(session)
                    new = change(record)
                    if new != record:
                        self._database.executemany(
                            "UPDATE events SET data = ?, by = ? WHERE session = ? AND seq = ?",
                            [(_as_text(one.event), one.by, session, one.seq) for one in new],
                        )
            self._forget_old_pages()

    def check(self) -> None:
        """Raise StoreError where the file is damaged, or has what this program does not write."""
        until_s = time.monotonic() + _MOST_SECONDS_TO_CHECK
        try:
            self._database.set_progress_handler(lambda: time.monotonic() > until_s, 100_000)
            with self._reading():
                if self._database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                    raise StoreError(f"{self.path}: is damaged")
                for wrong in _WRONG_ROWS:
                    found = self._database.execute(wrong, {"first": _FIRST_S, "last": _LAST_S}).fetchone()
                    if found is not None:
                        raise StoreError(f"{self.path}: has what this program does not write ({found[0]})")
        finally:
            self._database.set_progress_handler(None, 0)

    def _forget_old_pages(self) -> None:
        """Remove what was deleted from the write-ahead log, too."""
        with _errors_of(self.path):
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file; a closed store cannot be used again."""
        with self._lock:
            self._database.close()
            if self._holding is not None:
                self._holding.close()

    def _newest(self) -> int:
        (newest,) = self._database.execute("SELECT max(id) FROM sessions WHERE NOT imported").fetchone()
        if newest is None:
            raise StoreError(f"{self.path}: no session was opened yet")
        return int(newest)

    def _insert(self, session: int, record: Recorded) -> None:
        row = (session, record.seq, record.at, _as_text(record.event), record.by)
        self._database.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)

    def _insert_token(self, token: Token | None, session: int, seq: int) -> None:
        if token is None:
            return
        try:
            row = (token.name, token.content, session, seq)
            self._database.execute("INSERT INTO tokens VALUES (?, ?, ?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise TokenUsedError("this entry was sent before") from error

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Hold the lock; a file that cannot be read is a StoreError."""
        with _errors_of(self.path), self._lock:
            yield

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Begin a transaction, then commit it or roll it back. Raises StoreError.

        The number of the next event is read inside it, so that two processes never use the same number.
        """
        with _errors_of(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:  # a full disk has rolled back by itself
                    self._database.execute("ROLLBACK")
                raise


def _made_of(database: sqlite3.Connection) -> set[tuple[str, ...]]:
    """The tables of `database` with their columns, and all else that is in it."""
    made = database.execute(
        "SELECT substr(sql, 1, 13), name FROM sqlite_master WHERE sql NOT NULL"
    ).fetchall()
    columns = "SELECT name || hidden FROM pragma_table_xinfo(?)"
    return {
        (kind, name, *(column for (column,) in database.execute(columns, (name,)) if kind == "CREATE TABLE "))
        for kind, name in made
    }


@lru_cache(maxsize=4096)
def _as_event(data: object, kinds: Kinds) -> Event:
    """The event in `data`, which must be as `_as_text` wrote it. Raises TarokError.

    Most texts come again in every hand: the same player plays the same card.
    """
    if not isinstance(data, str):
        raise TarokError("an event is not a text")
    return kinds.from_json(parsed(data))


def _as_text(event: Event) -> str:
    return json.dumps(event_to_json(event), ensure_ascii=False, separators=(",", ":"))


@contextlib.contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """What SQLite says is wrong is a StoreError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error
    except UnicodeDecodeError as error:
        raise StoreError(f"{path}: is damaged") from error
