"""The club's database: its tables, and how it is opened. It is PostgreSQL, or SQLite to try the program out.

Times are Unix times in s. `migrations/` brings the tables of an older database up to date step by step. A test compares
what comes of it with these.
"""

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    event,
    inspect,
)
from sqlalchemy import text as sql
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from tracker.files import PRIVATE, make_empty
from webui.errors import UserError

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 0x7A40CC1B
"""The number of PostgreSQL's advisory lock while the tables are brought up to date."""
_A_FILE: Final = "sqlite:////srv/club.sqlite3"
_BUSY_S: Final = 10.0
KEPT_S: Final = 30 * 86400
"""Seconds for which what was deleted can be brought back."""

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
_Number = BigInteger().with_variant(Integer, "sqlite")


def _id() -> Column[int]:
    return Column("id", _Number, primary_key=True, autoincrement=True)


def _of(name: str, other: str, *, nullable: bool = False, primary_key: bool = False) -> Column[int]:
    reference = ForeignKey(f"{other}.id", ondelete="CASCADE" if not nullable else "SET NULL")
    return Column(name, _Number, reference, nullable=nullable, primary_key=primary_key)


SETTINGS: Final = Table(
    "settings", METADATA, Column("name", Text, primary_key=True), Column("value", Text, nullable=False)
)
"""The server's settings: `key` is the key with which it signs, in hex."""
CLUBS: Final = Table("clubs", METADATA, _id(), Column("name", Text, nullable=False, unique=True))
PLACES: Final = Table(
    "places",
    METADATA,
    _id(),
    _of("club", "clubs"),
    Column("name", Text, nullable=False),
    Column("key_hash", Text, nullable=False, unique=True),
    Column("joined_at", Float, nullable=False),
    Column("removed_at", Float, nullable=True),
    Index(None, "club"),
)
"""The card tables that report here, each known by its secret key. A removed table can send no more."""
CODES: Final = Table(
    "codes",
    METADATA,
    Column("code_hash", Text, primary_key=True),
    _of("club", "clubs"),
    Column("name", Text, nullable=False),
    Column("until", Float, nullable=False),
    _of("place", "places", nullable=True),
    Index(None, "club"),
)
"""The codes by which tables join, each once. `name` is the table's name then."""
EVENINGS: Final = Table(
    "evenings",
    METADATA,
    _id(),
    _of("club", "clubs"),
    _of("place", "places"),
    Column("key", Text, nullable=False),
    Column("opened_at", Float, nullable=False),
    Column("received_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("game", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("last", Integer, nullable=False),
    Column("digest", Text, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("open_flags", Integer, nullable=False),
    Column("head", Text, nullable=False),
    Column("deleted_at", Float, nullable=True),
    Index("uq_evenings_place_key", "place", "key", unique=True),
    Index("ix_evenings_club_opened_at", "club", "opened_at"),
    Index("ix_evenings_club_received_at", "club", "received_at"),
)
"""The evenings, numbered as they were received. An evening belongs to the `place` that opened it, and has its `key`.

`opened_at` is the table's own time, or `received_at` if that is impossible. `last` and `digest` say how far the evening
has come. `head` is what the wall shows of it (JSON, `webui.club.heads`).
"""
DELETED: Final = Table(
    "deleted",
    METADATA,
    _of("place", "places", primary_key=True),
    Column("key", Text, primary_key=True),
    Column("last", Integer, nullable=False),
    Column("digest", Text, nullable=False),
)
"""Evenings that are gone for good, with how far they had come, so that no table sends them again."""
EVENT_ROWS: Final = Table(
    "events",
    METADATA,
    _of("evening", "evenings", primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("by", Text, nullable=False),
    Column("data", Text, nullable=False),
)
PEOPLE: Final = Table(
    "people",
    METADATA,
    _id(),
    _of("club", "clubs"),
    Column("name", Text, nullable=False),
    Column("erased", Boolean, nullable=False),
    Index("uq_people_club_name", "club", "name", unique=True),
)
NAMES: Final = Table(
    "names",
    METADATA,
    _of("club", "clubs", primary_key=True),
    Column("name", Text, primary_key=True),
    _of("person", "people"),
    Index(None, "person"),
)
"""The person whom a name at the club's tables means."""
SEAT_ROWS: Final = Table(
    "seats",
    METADATA,
    _of("evening", "evenings", primary_key=True),
    Column("name", Text, primary_key=True),
    _of("person", "people"),
    Column("chips", Integer, nullable=False),
    Column("hands", Integer, nullable=False),
    Index(None, "person"),
)
"""Who sat at the table in an evening, under which name, with how many chips and hands so far."""
MEMBERS: Final = Table(
    "members",
    METADATA,
    Column("id", Text, primary_key=True),
    _of("club", "clubs"),
    Column("role", Integer, nullable=False),
    _of("person", "people", nullable=True),
    Column("label", Text, nullable=False),
    Column("joined_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Index(None, "club"),
    Index(None, "person"),
)
"""The browsers that joined. `label` is the admin's name for one."""
LINKS: Final = Table(
    "links",
    METADATA,
    Column("word_hash", Text, primary_key=True),
    _of("club", "clubs"),
    Column("role", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("until", Float, nullable=False),
    Index(None, "club"),
)
"""Links that make one browser a member, once."""
TOURNAMENTS: Final = Table(
    "tournaments",
    METADATA,
    _id(),
    _of("club", "clubs"),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("minutes", Integer, nullable=True),
    Column("hands", Integer, nullable=True),
    Column("choices", Text, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("deleted_at", Float, nullable=True),
    Index(None, "club"),
)
"""The tournaments. So many (`size`) sit at most tables. So many `rounds` last so many `minutes` or `hands`.

`choices` are the tournament's rules (JSON).
"""
ENTRANTS: Final = Table(
    "entrants",
    METADATA,
    _id(),
    _of("tournament", "tournaments"),
    _of("person", "people"),
    Column("active", Boolean, nullable=False),
    Column("substitute", Boolean, nullable=False),
    Index("uq_entrants_tournament_person", "tournament", "person", unique=True),
    Index(None, "person"),
)
"""Who takes part in a tournament; not `active`: he has left. A `substitute` is not drawn, and replaces others."""
ABSENCES: Final = Table(
    "absences",
    METADATA,
    _of("tournament", "tournaments", primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    _of("entrant", "entrants", primary_key=True),
    Column("number", Integer, nullable=True),
    Column("place", Integer, nullable=True),
    Index(None, "entrant"),
)
"""Who does not play in a round, although he takes part; `number` and `place` say where he sat, as in `ROUND_SEATS`."""
TOURNAMENT_TABLES: Final = Table(
    "tournament_tables",
    METADATA,
    _of("tournament", "tournaments", primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _of("place", "places"),
    Index(None, "place"),
)
"""The club's card table that is the tournament's table with this number."""
ROUNDS: Final = Table(
    "rounds",
    METADATA,
    _of("tournament", "tournaments", primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("published", Boolean, nullable=False),
    Column("after", _Number, nullable=False),
    Column("key", Text, nullable=False),
    Column("published_at", Float, nullable=True),
    Column("ends_at", Float, nullable=True),
    Column("left_s", Float, nullable=True),
)
"""The drawn rounds. A round's evenings have numbers above `after`, the newest evening when it was published.

`key` is "" before the round is published, and another each time that is done. The clock runs until `ends_at`. While it
is stopped, `left_s` seconds are left. Both are NULL before it was started.
"""
ROUND_EVENINGS: Final = Table(
    "round_evenings",
    METADATA,
    _of("place", "places", primary_key=True),
    Column("key", Text, primary_key=True),
    _of("tournament", "tournaments"),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Index(None, "tournament"),
)
"""The table of a round that an evening is, by the evening's key. A table may say so before it sends the evening."""
ROUND_SEATS: Final = Table(
    "round_seats",
    METADATA,
    _of("tournament", "tournaments", primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    _of("entrant", "entrants", primary_key=True),
    Column("number", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("chips", Integer, nullable=True),
    Column("hands", Integer, nullable=True),
    _of("stands_for", "entrants", nullable=True),
    Index(None, "entrant"),
    Index(None, "stands_for"),
)
"""Who sits where in a round: the table's `number`, 0 for those who rest, and the place there. The first place deals.

`chips` were entered by hand, after so many `hands` at the table; without them those of the table's evening count. A
player `stands_for` the entrant whose place he took.
"""
RESULTS: Final = Table(
    "results",
    METADATA,
    _of("tournament", "tournaments", primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    Column("chips", Text, nullable=False),
    _of("entrant", "entrants", nullable=True),
    _of("other", "entrants", nullable=True),
    Column("browser", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Index(None, "entrant"),
    Index(None, "other"),
)
"""The results that were entered by hand for a table of a round, with their state (`webui.club.confirming`).

`chips` are everybody's, by entrant, in JSON. `entrant` entered them with that `browser`, `other` confirmed or disputed
them. `reason` says why they were corrected.
"""
ADJUSTMENTS: Final = Table(
    "adjustments",
    METADATA,
    _id(),
    _of("tournament", "tournaments"),
    Column("round", Integer, nullable=False),
    _of("entrant", "entrants"),
    Column("chips", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Index(None, "tournament"),
    Index(None, "entrant"),
)
"""Chips and table points that the director gave an entrant in a round, or took from him, and why."""
SEASONS: Final = Table(
    "seasons",
    METADATA,
    _id(),
    _of("club", "clubs"),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("since", Text, nullable=False),
    Column("until", Text, nullable=False),
    Column("best", Integer, nullable=True),
    Column("least", Integer, nullable=False),
    Column("points", Text, nullable=False),
    Index(None, "club"),
)
"""The seasons: which evenings are counted together (`webui.club.seasons`). `since` and `until` are days: 2026-09-01."""
TRAIL: Final = Table(
    "trail",
    METADATA,
    _id(),
    _of("club", "clubs"),
    Column("at", Float, nullable=False),
    Column("by", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("about", Text, nullable=False),
    Index(None, "club", "at"),
)
"""The trail: who did what. It has nobody's name, so that it stays true when somebody is erased."""


def now_s() -> float:
    """The Unix time now, in s, as a column has it."""
    return time.time()


def open_database(url: str) -> Engine:
    """The database at `url` (`postgresql://…` or `sqlite:///file`), with its tables brought up to date.

    Raises UserError if it cannot be opened.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        raise UserError(f"{url!r} is not the address of a database, such as postgresql:///tarok") from None
    told = address.render_as_string()
    if address.drivername in ("postgresql", "postgres"):
        address = address.set(drivername="postgresql+psycopg")
    if address.drivername not in ("postgresql+psycopg", "sqlite"):
        raise UserError(f"--db {address.drivername}: only postgresql and sqlite are known")
    if address.drivername == "sqlite":
        _make_own_file(address)
        engine = create_engine(address, connect_args={"timeout": _BUSY_S})
        _prepare_sqlite(engine)
    else:
        engine = create_engine(address, pool_size=24, max_overflow=4, pool_pre_ping=True)
    try:
        migrate(engine)
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        other = "" if address.drivername == "sqlite" else f"; a file will do instead: --db {_A_FILE}"
        raise UserError(f"{told}: cannot be opened ({reason}){other}") from None
    return engine


def _make_own_file(address: URL) -> None:
    """Make sure that the SQLite file at `address` is a club's, and that nobody else may read it: it has the key.

    A missing file is made. Raises UserError for a file that is no club's database, which stays as it is.
    """
    told = address.render_as_string()
    if not address.database or address.database == ":memory:" or address.query:
        raise UserError(f"{told}: names no file, as {_A_FILE} does")
    path = Path(address.database)
    try:
        make_empty(path)
        if path.exists() and not path.is_file():
            raise UserError(f"{told}: is not a file")
        with closing(sqlite3.connect(path, timeout=_BUSY_S)) as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if tables and "alembic_version" not in tables:
            raise UserError(f"{told}: is the database of another program")
        for end in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + end).chmod(PRIVATE)
    except (OSError, sqlite3.Error) as error:
        raise UserError(f"{told}: cannot be opened ({getattr(error, 'strerror', None) or error})") from None
    except UnicodeDecodeError:  # in the names of its tables
        raise UserError(f"{told}: cannot be opened (it is damaged)") from None


def _prepare_sqlite(engine: Engine) -> None:
    """Make SQLite behave like PostgreSQL: it checks foreign keys, and writers wait for one another from the start."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: object) -> None:
        assert isinstance(connection, sqlite3.Connection)
        connection.isolation_level = None  # transactions are begun below only
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def migrate(engine: Engine) -> None:
    """Make the tables, or bring them up to date. If several programs start at once, one does it and the others wait."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sql("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config.attributes["connection"] = connection
        if inspect(connection).has_table("alembic_version"):
            command.upgrade(config, "head")
        else:
            METADATA.create_all(connection, checkfirst=False)
            command.stamp(config, "head")
