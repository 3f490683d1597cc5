"""The queries of the club's pages. Each is a function of its own, so that its plan can be shown and timed."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, and_, func, select

from webui.club.heads import Head
from webui.club.schema import EVENINGS, NAMES, PEOPLE, PLACES, SEAT_ROWS, TRAIL, now_s
from webui.errors import EntryError
from webui.kept_file import value_in_json
from webui.texts import by_name

Query = Select[*tuple[Any, ...]]
"""A query that one of the functions below makes."""
WALL_S: Final = 24 * 3600
"""Age in s, by when it was received, up to which the wall shows an evening."""
PAGE_ROWS: Final = 100
"""Rows of a long list on one page."""
NEWEST: Final = 10**9 - 1
"""A number above those of all rows."""


@dataclass(frozen=True)
class WallTable:
    """A table on the wall: its `name`, its evening's number and game, and the evening at a glance."""

    name: str
    evening: int
    game: str
    head: Head


@dataclass(frozen=True)
class Standing:
    """A person's chips in one game over some evenings."""

    person: int
    name: str
    game: str
    evenings: int
    hands: int
    chips: int
    best: int
    worst: int


def still_there(table: Table, club: int) -> ColumnElement[bool]:
    """The condition for the club's rows of EVENINGS or TOURNAMENTS that are not deleted."""
    return and_(table.c.club == club, table.c.deleted_at.is_(None))


AT_TABLES: Final[Query] = select(
    EVENINGS.c.id, EVENINGS.c.opened_at, PLACES.c.name.label("table"), EVENINGS.c.game, EVENINGS.c.closed
).join(PLACES, PLACES.c.id == EVENINGS.c.place)
"""Evenings with the names of their tables."""


def wall_query(club: int, since: float) -> Query:
    """The club's tables with an evening received after `since` (Unix time, s), each table's newest first."""
    return (
        AT_TABLES.add_columns(EVENINGS.c.head)
        .where(still_there(EVENINGS, club), EVENINGS.c.received_at > since)
        .order_by(PLACES.c.name, EVENINGS.c.id.desc())
    )


def wall_tables(connection: Connection, club: int) -> list[WallTable]:
    """The tables on the wall, each with its newest evening; those that need an arbiter come first."""
    found: dict[str, WallTable] = {}
    for row in connection.execute(wall_query(club, now_s() - WALL_S)):
        shown = WallTable(row.table, row.id, row.game, value_in_json(row.head, Head))
        found.setdefault(row.table, shown)
    return sorted(
        found.values(), key=lambda one: (not one.head.open_flags, one.head.closed, by_name(one.name))
    )


def flags_query(club: int) -> Query:
    """The evenings in which flags wait."""
    return (
        AT_TABLES.add_columns(EVENINGS.c.head)
        .where(
            still_there(EVENINGS, club), EVENINGS.c.open_flags > 0, EVENINGS.c.received_at > now_s() - WALL_S
        )
        .order_by(EVENINGS.c.id)
    )


def day_bounds(since: date, until: date) -> tuple[float, float]:
    """The Unix times (s) between which the days from `since` to `until` lie, in the server's time zone."""
    first, last = max(since, _FIRST_DAY), min(until, _LAST_DAY)
    start = datetime.combine(first, clock()).timestamp()
    return start, datetime.combine(last + timedelta(days=1), clock()).timestamp()


_FIRST_DAY: Final = date(1970, 1, 2)
_LAST_DAY: Final = date(3000, 1, 1)
"""All evenings lie between these days. Near the ends of the calendar the clock's functions fail."""


def season_query(club: int, since: date, until: date) -> Query:
    """Each person's chips in each game over the settled evenings of those days."""
    start, end = day_bounds(since, until)
    sums = (
        select(
            SEAT_ROWS.c.person,
            EVENINGS.c.game,
            func.count().label("evenings"),
            func.sum(SEAT_ROWS.c.hands).label("hands"),
            func.sum(SEAT_ROWS.c.chips).label("chips"),
            func.max(SEAT_ROWS.c.chips).label("best"),
            func.min(SEAT_ROWS.c.chips).label("worst"),
        )
        .join(EVENINGS, EVENINGS.c.id == SEAT_ROWS.c.evening)
        .where(
            still_there(EVENINGS, club),
            EVENINGS.c.closed,
            EVENINGS.c.opened_at >= start,
            EVENINGS.c.opened_at < end,
        )
        .group_by(SEAT_ROWS.c.person, EVENINGS.c.game)
        .subquery()
    )
    _, *figures = sums.c
    return select(PEOPLE.c.id, PEOPLE.c.name, *figures).join(sums, sums.c.person == PEOPLE.c.id)


def season(connection: Connection, club: int, since: date, until: date) -> dict[str, list[Standing]]:
    """The standings of each game that was played on those days, the most chips first."""
    # PostgreSQL's sum of whole numbers is a Decimal.
    rows = [
        Standing(person, name, game, *map(int, figures))
        for person, name, game, *figures in connection.execute(season_query(club, since, until))
    ]
    rows.sort(key=lambda one: (-one.chips, one.name))
    games = sorted({one.game for one in rows})
    return {game: [one for one in rows if one.game == game] for game in games}


def sittings_query(club: int, person: int) -> Query:
    """The evenings of a person, newest first, and his name, chips and hands at each."""
    return (
        AT_TABLES.add_columns(SEAT_ROWS.c.name, SEAT_ROWS.c.chips, SEAT_ROWS.c.hands)
        .join(SEAT_ROWS, SEAT_ROWS.c.evening == EVENINGS.c.id)
        .where(SEAT_ROWS.c.person == person, still_there(EVENINGS, club))
        .order_by(EVENINGS.c.id.desc())
    )


def people_query(club: int) -> Query:
    """The club's people, and how many evenings each has."""
    return (
        select(PEOPLE.c.id, PEOPLE.c.name, func.count(EVENINGS.c.id))
        .outerjoin(SEAT_ROWS, SEAT_ROWS.c.person == PEOPLE.c.id)
        .outerjoin(EVENINGS, and_(EVENINGS.c.id == SEAT_ROWS.c.evening, EVENINGS.c.deleted_at.is_(None)))
        .where(PEOPLE.c.club == club)
        .group_by(PEOPLE.c.id, PEOPLE.c.name)
    )


def people_by_name(connection: Connection, club: int) -> list[Row[Any]]:
    """The club's people as they are listed, and how many evenings each has."""
    return sorted(connection.execute(people_query(club)), key=lambda row: by_name(row.name))


def names_query(club: int) -> Query:
    """The names of the club's people at the tables."""
    return select(NAMES.c.person, NAMES.c.name).where(NAMES.c.club == club).order_by(NAMES.c.name)


def evenings_query(club: int, before: int = NEWEST) -> Query:
    """A page of the club's evenings before the number `before`, newest first."""
    return (
        AT_TABLES.add_columns(EVENINGS.c.head)
        .where(still_there(EVENINGS, club), EVENINGS.c.id < before)
        .order_by(EVENINGS.c.id.desc())
        .limit(PAGE_ROWS)
    )


def evening_query(club: int, number: int) -> Query:
    """One evening of the club."""
    return AT_TABLES.where(still_there(EVENINGS, club), EVENINGS.c.id == number)


def evening_at(connection: Connection, club: int, number: int) -> Row[Any]:
    """That evening of the club. Raises EntryError."""
    row = connection.execute(evening_query(club, number)).one_or_none()
    if row is None:
        raise EntryError("There is no such evening.", 404)
    return row


def seats_query(evening: int) -> Query:
    """Who sat at the table in that evening: the name there, the person, chips and hands."""
    return (
        select(
            SEAT_ROWS.c.name, PEOPLE.c.id, PEOPLE.c.name.label("person"), SEAT_ROWS.c.chips, SEAT_ROWS.c.hands
        )
        .join(PEOPLE, PEOPLE.c.id == SEAT_ROWS.c.person)
        .where(SEAT_ROWS.c.evening == evening)
    )


def trail_query(club: int, before: int = NEWEST) -> Query:
    """A page of the trail before the entry with the number `before`, newest first."""
    return (
        select(TRAIL.c.id, TRAIL.c.at, TRAIL.c.by, TRAIL.c.what, TRAIL.c.about)
        .where(TRAIL.c.club == club, TRAIL.c.id < before)
        .order_by(TRAIL.c.id.desc())
        .limit(PAGE_ROWS)
    )


def day_of(row: Row[*tuple[Any, ...]]) -> date:
    """The day on which an evening began."""
    return datetime.fromtimestamp(row[1]).date()
