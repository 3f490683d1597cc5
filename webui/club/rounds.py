"""Which round a card table plays: the round it is offered, which of its evenings that is, and who plays twice at once.

A table says which evening it began for a round, and may say so before it sends the evening itself. In that evening the
names of the round mean the round's own people, even if others have these names at other tables.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, func, insert, select, tuple_, update

from webui.club.clock import steady_s
from webui.club.heads import Head
from webui.club.results import WALL_S, Query, still_there
from webui.club.schema import (
    ENTRANTS,
    EVENINGS,
    NAMES,
    PEOPLE,
    PLACES,
    ROUND_EVENINGS,
    ROUND_SEATS,
    ROUNDS,
    SEAT_ROWS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
    now_s,
)
from webui.club.tournament import SAID_TO_BE, RoundTable, Tournament
from webui.errors import EntryError
from webui.kept_file import value_in_json
from webui.people.seats import MAX_NAME, is_name

OFFERED_S: Final = 24 * 3600
"""Seconds for which a round is offered to its tables after it was published."""
_MOST_EVENINGS: Final = 200
_PLAYS_S: Final = 1800
"""Seconds without news after which a table with an open evening no longer counts as playing."""


def offered_query(club: int, place: int) -> Query:
    """The newest published round in which the card table `place` is a table."""
    return (
        select(
            TOURNAMENTS.c.id,
            TOURNAMENTS.c.name,
            TOURNAMENTS.c.game,
            TOURNAMENTS.c.minutes,
            TOURNAMENTS.c.hands,
            ROUNDS.c.number,
            ROUNDS.c.key,
            ROUNDS.c.ends_at,
            ROUNDS.c.left_s,
            TOURNAMENT_TABLES.c.number.label("table"),
        )
        .join(TOURNAMENT_TABLES, TOURNAMENT_TABLES.c.tournament == TOURNAMENTS.c.id)
        .join(ROUNDS, ROUNDS.c.tournament == TOURNAMENTS.c.id)
        .where(
            TOURNAMENT_TABLES.c.place == place,
            still_there(TOURNAMENTS, club),
            ROUNDS.c.published,
            ROUNDS.c.published_at > now_s() - OFFERED_S,
        )
        .order_by(ROUNDS.c.published_at.desc())
        .limit(1)
    )


def offer_for(connection: Connection, club: int, place: int) -> dict[str, Any] | None:
    """The round that the card table `place` is to play, in the form it is told; None if none, or if it has a result.

    `left_s` are the seconds until the round's time is up, `running` says whether they pass.
    """
    found = connection.execute(offered_query(club, place)).first()
    if found is None:
        return None
    at = RoundTable(found.id, found.number, found.table)
    entered = select(ROUND_SEATS).filter_by(**at.columns).where(ROUND_SEATS.c.chips.is_not(None))
    names = round_names(connection, at)
    if not names or connection.execute(entered).first() is not None:
        return None
    return {
        "key": f"{found.key}/{found.table}",
        "tournament": found.name,
        "round": found.number,
        "table": found.table,
        "game": found.game,
        "seats": list(names),
        "hands": found.hands,
        "left_s": _left_s(found),
        "running": found.ends_at is not None,
    }


def _left_s(one: Row[Any]) -> float | None:
    if one.ends_at is not None:
        return float(one.ends_at) - steady_s()
    return float(one.left_s) if one.left_s is not None else None


def round_names(connection: Connection, at: RoundTable) -> dict[str, int]:
    """The people at that table of a round, in order of their places, by the names for the card table."""
    seats = connection.execute(
        select(PEOPLE.c.id, PEOPLE.c.name)
        .join(ENTRANTS, ENTRANTS.c.person == PEOPLE.c.id)
        .join(ROUND_SEATS, ROUND_SEATS.c.entrant == ENTRANTS.c.id)
        .where(
            ROUND_SEATS.c.tournament == at.tournament,
            ROUND_SEATS.c.round == at.round,
            ROUND_SEATS.c.number == at.table,
            ROUND_SEATS.c.number > 0,
        )
        .order_by(ROUND_SEATS.c.place)
    ).all()
    found: dict[str, int] = {}
    for person, name in seats:
        called = name
        if not is_name(name):  # the club may have made “… 2” of a long name
            others = select(NAMES.c.name).where(NAMES.c.person == person).order_by(NAMES.c.name)
            own = [one for one in connection.execute(others).scalars() if is_name(one)]
            called = own[0] if own else name.replace("/", " ")[: MAX_NAME - 4]
        while called in found:
            called = f"{called[: MAX_NAME - 2]} 2"
        found[called] = person
    return found


def note_round_evening(connection: Connection, club: int, place: int, key: str, offer: str) -> None:
    """Note that the evening with the key `key`, of the table `place`, is the round with the key `offer`.

    Nothing is noted if that round is no longer published: it was withdrawn, or drawn anew.
    """
    round_key, _, number = offer.rpartition("/")
    if not (round_key and number.isdecimal() and len(number) < 6):
        return
    found = connection.execute(
        select(ROUNDS.c.tournament, ROUNDS.c.number)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == ROUNDS.c.tournament)
        .where(TOURNAMENTS.c.club == club, ROUNDS.c.published, ROUNDS.c.key == round_key)
        .with_for_update()
    ).first()
    if found is None:
        return
    at = RoundTable(found.tournament, found.number, int(number))
    names = round_names(connection, at)
    if not names:
        return
    _set_round_evening(connection, place, key, at)
    asked = select(EVENINGS.c.id).filter_by(place=place, key=key)
    evening = connection.execute(asked).scalar_one_or_none()
    for name, person in names.items() if evening is not None else ():
        own = update(SEAT_ROWS).filter_by(evening=evening, name=name)
        connection.execute(own.values(person=person))


def _set_round_evening(connection: Connection, place: int, key: str, at: RoundTable) -> None:
    own = {"place": place, "key": key}
    connection.execute(delete(ROUND_EVENINGS).filter_by(**own))
    connection.execute(insert(ROUND_EVENINGS), own | at.columns)


def attach_evening(connection: Connection, club: int, at: RoundTable, evening: int | None) -> None:
    """Set by hand that a table of a round is played in `evening`; None sets no evening. Raises EntryError."""
    of_round = select(ROUNDS.c.number).filter_by(tournament=at.tournament, number=at.round, published=True)
    seats = connection.execute(select(ROUND_SEATS.c.entrant).filter_by(**at.columns)).first()
    if not (seats and connection.execute(of_round).first() and at.table):
        raise EntryError("There is no such table in a round that is published.", 404)
    connection.execute(delete(ROUND_EVENINGS).filter_by(**at.columns))
    if evening is None:
        return
    found = connection.execute(
        select(EVENINGS.c.place, EVENINGS.c.key)
        .join(TOURNAMENTS, TOURNAMENTS.c.game == EVENINGS.c.game)
        .where(still_there(EVENINGS, club), EVENINGS.c.id == evening, TOURNAMENTS.c.id == at.tournament)
    ).one_or_none()
    if found is None:
        raise EntryError("There is no such evening.", 404)
    _set_round_evening(connection, found.place, found.key, at)


def said_evenings(connection: Connection, tournament: int) -> dict[tuple[int, int], int]:
    """The evenings that were said to be tables of a tournament, by round and table."""
    rows = connection.execute(
        select(ROUND_EVENINGS.c.round, ROUND_EVENINGS.c.number, EVENINGS.c.id)
        .join(EVENINGS, SAID_TO_BE)
        .where(ROUND_EVENINGS.c.tournament == tournament, EVENINGS.c.deleted_at.is_(None))
        .order_by(EVENINGS.c.id)
    )
    return {(at, number): evening for at, number, evening in rows}


def recent_evenings(
    connection: Connection, club: int, game: str, since: float
) -> list[tuple[int, str, list[str]]]:
    """The evenings of a game received after `since` (Unix time, s), newest first: number, card table and names."""
    rows = connection.execute(
        select(EVENINGS.c.id, PLACES.c.name, EVENINGS.c.head)
        .join(PLACES, PLACES.c.id == EVENINGS.c.place)
        .where(still_there(EVENINGS, club), EVENINGS.c.received_at > since, EVENINGS.c.game == game)
        .order_by(EVENINGS.c.id.desc())
        .limit(_MOST_EVENINGS)
    )
    return [(evening, place, value_in_json(head, Head).seats) for evening, place, head in rows]


def sitting_elsewhere(connection: Connection, club: int, found: Tournament) -> dict[tuple[int, int], str]:
    """Where the people of a table that has not begun sit all the same: a card table's name, by round and table."""
    waiting = {
        (one.number, table.number): {seated.entrant.person for seated in table.seats}
        for one in found.published
        for table in one.tables
        if table.chips is None and not table.under_way
    }
    if not waiting:
        return {}
    rows = connection.execute(
        select(ROUNDS.c.number, EVENINGS.c.id, PLACES.c.name, SEAT_ROWS.c.person)
        .join(EVENINGS, EVENINGS.c.id > ROUNDS.c.after)
        .join(PLACES, PLACES.c.id == EVENINGS.c.place)
        .join(SEAT_ROWS, SEAT_ROWS.c.evening == EVENINGS.c.id)
        .where(
            ROUNDS.c.tournament == found.id,
            ROUNDS.c.published,
            ROUNDS.c.published_at > now_s() - OFFERED_S,
            still_there(EVENINGS, club),
            EVENINGS.c.game == found.game,
        )
        .order_by(EVENINGS.c.id)
    )
    sat: dict[tuple[int, int, str], set[int]] = {}
    for at, evening, place, person in rows:
        sat.setdefault((at, evening, place), set()).add(person)
    return {
        (at, number): place
        for (at, number), people in waiting.items()
        for (in_round, _, place), there in sat.items()
        if in_round == at and people <= there
    }


def people_of_rounds(
    connection: Connection, evenings: Collection[tuple[int, str]]
) -> Mapping[tuple[int, str], Mapping[str, int]]:
    """For those of the `evenings` (table, key) that are of a round: the people whom their names mean."""
    rows = connection.execute(
        select(ROUND_EVENINGS).where(
            tuple_(ROUND_EVENINGS.c.place, ROUND_EVENINGS.c.key).in_(sorted(evenings))
        )
    ).all()
    return {
        (row.place, row.key): round_names(connection, RoundTable(row.tournament, row.round, row.number))
        for row in rows
    }


@dataclass(frozen=True)
class Twice:
    """A person who plays at several tables at once: his `name`, and the names of those tables."""

    person: int
    name: str
    tables: tuple[str, ...]


def twice_query(club: int, place: int | None = None) -> Query:
    """All seats, at tables that play, of people with more than one; with `place` only of those who have one there."""
    now = now_s()
    plays = (
        still_there(EVENINGS, club),
        EVENINGS.c.closed.is_(False),
        EVENINGS.c.received_at > now - WALL_S,
        EVENINGS.c.changed_at > now - _PLAYS_S,
    )
    seats = select(SEAT_ROWS.c.person).join(EVENINGS, EVENINGS.c.id == SEAT_ROWS.c.evening).where(*plays)
    meant = (
        seats.where(EVENINGS.c.place == place)
        if place is not None
        else seats.group_by(SEAT_ROWS.c.person).having(func.count() > 1)
    )
    return (
        select(
            SEAT_ROWS.c.person,
            PEOPLE.c.name.label("called"),
            SEAT_ROWS.c.name,
            EVENINGS.c.head,
            PLACES.c.name.label("table"),
        )
        .join(EVENINGS, EVENINGS.c.id == SEAT_ROWS.c.evening)
        .join(PLACES, PLACES.c.id == EVENINGS.c.place)
        .join(PEOPLE, PEOPLE.c.id == SEAT_ROWS.c.person)
        .where(*plays, SEAT_ROWS.c.person.in_(meant))
        .order_by(PEOPLE.c.name, EVENINGS.c.id)
    )


def seated_twice(connection: Connection, club: int, place: int | None = None) -> list[Twice]:
    """The people who play at several of the club's tables at once; with `place` only those who also play there."""
    found: dict[tuple[int, str], dict[str, None]] = {}
    for person, called, name, head, table in connection.execute(twice_query(club, place)):
        if name in value_in_json(head, Head).seats:  # somebody who left the table still has his chips there
            found.setdefault((person, called), {})[table] = None
    return [Twice(person, name, tuple(tables)) for (person, name), tables in found.items() if len(tables) > 1]
