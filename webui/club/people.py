"""The people of a club at all its tables: found by name, merged, told apart, erased."""

import json
from collections.abc import Set
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from tracker.catalogue import msgid
from tracker.erasing import nobody
from tracker.events import Recorded, event_to_json
from tracker.games import game_of_rules
from tracker.renaming import entry_with_names, named_now
from webui.club.heads import Head
from webui.club.roles import ClubRole
from webui.club.schema import ENTRANTS, EVENINGS, EVENT_ROWS, MEMBERS, NAMES, PEOPLE, SEAT_ROWS, now_s
from webui.errors import EntryError
from webui.kept_file import json_of, value_in_json

_PLAYING_S: Final = 24 * 3600
"""Seconds without news after which an evening is no longer played."""


def person_called(connection: Connection, club: int, name: str) -> int:
    """The person who is called `name` at the club's tables; a new person if there is none.

    Anna and anna are one person, as at a table, unless the club knows two.
    """
    found = _known(connection, club, name)
    if found is not None:
        return found
    rows = connection.execute(select(NAMES.c.name, NAMES.c.person).filter_by(club=club))
    alike = {person for known, person in rows if known.casefold() == name.casefold()}
    return _named(connection, club, name, alike.pop() if len(alike) == 1 else None)


def _named(connection: Connection, club: int, name: str, person: int | None = None) -> int:
    """Let the unknown `name` mean that `person`, or else a new one; returns whom it means now."""
    new = person is None
    person = _new_person(connection, club, name) if person is None else person
    # Another table may have used the name first: then its person counts.
    connection.execute(_new_row(connection, NAMES, club=club, name=name, person=person))
    found = _known(connection, club, name)
    assert found is not None
    if new and found != person:
        connection.execute(delete(PEOPLE).where(PEOPLE.c.id == person))
    return found


def people_called(connection: Connection, called: Set[tuple[int, str]]) -> dict[tuple[int, str], int]:
    """The person who is called so, for each (club, name); new people if need be."""
    asked = select(NAMES.c.club, NAMES.c.name, NAMES.c.person)
    rows = connection.execute(asked.where(tuple_(NAMES.c.club, NAMES.c.name).in_(sorted(called))))
    found = {(club, name): person for club, name, person in rows}
    for club, name in sorted(called - found.keys()):
        found[club, name] = person_called(connection, club, name)
    return found


def _known(connection: Connection, club: int, name: str) -> int | None:
    asked = select(NAMES.c.person).where(NAMES.c.club == club, NAMES.c.name == name)
    found: int | None = connection.execute(asked).scalar_one_or_none()
    return found


def _new_person(connection: Connection, club: int, name: str) -> int:
    """A new person, called `name` or, if somebody else has that name, `name 2` and so on."""
    called, number = name, 1
    while True:
        row = _new_row(connection, PEOPLE, club=club, name=called, erased=False)
        added = connection.execute(row.returning(PEOPLE.c.id)).scalar_one_or_none()
        if added is not None:
            return int(added)
        number += 1
        called = f"{name} {number}"


def _new_row(connection: Connection, table: Table, **values: object) -> Any:
    """An insertion into `table` that does nothing where the row is there already."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table).values(values).on_conflict_do_nothing()


def name_of(connection: Connection, club: int, person: int) -> str:
    """The name of a person of the club. Raises EntryError."""
    asked = select(PEOPLE.c.name).where(PEOPLE.c.club == club, PEOPLE.c.id == person)
    name: str | None = connection.execute(asked).scalar_one_or_none()
    if name is None:
        raise EntryError("There is no such person.", 404)
    return name


def forget_unused(connection: Connection, club: int, name: str) -> None:
    """Forget whoever is called `name` at the tables, if nothing is known of that person but this name.

    Nobody sat there under a name that was corrected.
    """
    person = _known(connection, club, name)
    if person is None:
        return
    used = [select(table.c.person).filter_by(person=person) for table in (SEAT_ROWS, ENTRANTS, MEMBERS)]
    used.append(select(NAMES.c.person).where(NAMES.c.person == person, NAMES.c.name != name))
    if all(connection.execute(rows.limit(1)).first() is None for rows in used):
        connection.execute(delete(NAMES).filter_by(person=person))
        connection.execute(delete(PEOPLE).where(PEOPLE.c.id == person))


def merge(connection: Connection, club: int, one: int, other: int) -> None:
    """Merge `other` into `one`, who gets all evenings of both. Raises EntryError.

    Two people who sat at one table together cannot be merged.
    """
    name_of(connection, club, one), name_of(connection, club, other)
    if one == other:
        raise EntryError("Choose two different people.")
    for table, at, sentence in (
        (SEAT_ROWS, SEAT_ROWS.c.evening, msgid("They sat at one table together, so they are two.")),
        (ENTRANTS, ENTRANTS.c.tournament, msgid("They take part in one tournament, so they are two.")),
    ):
        both = select(at).where(table.c.person.in_((one, other))).group_by(at).having(func.count() > 1)
        if connection.execute(both.limit(1)).first() is not None:
            raise EntryError(sentence, 409)
    for table in (SEAT_ROWS, NAMES, MEMBERS, ENTRANTS):
        connection.execute(update(table).where(table.c.person == other).values(person=one))
    connection.execute(delete(PEOPLE).where(PEOPLE.c.id == other))


def tell_apart(connection: Connection, club: int, person: int, name: str) -> int:
    """Make whoever is called `name` at the tables a new person, other than `person`; returns him. Raises EntryError."""
    if name_of(connection, club, person) == name or _known(connection, club, name) != person:
        raise EntryError("“{name}” is not another name of this person.", name=name)
    connection.execute(delete(NAMES).filter_by(club=club, name=name))
    other = _named(connection, club, name)
    own = select(EVENINGS.c.id).where(EVENINGS.c.club == club)
    connection.execute(
        update(SEAT_ROWS)
        .where(SEAT_ROWS.c.person == person, SEAT_ROWS.c.name == name, SEAT_ROWS.c.evening.in_(own))
        .values(person=other)
    )
    return other


def give_seat(connection: Connection, club: int, evening: int, name: str, to: str) -> int:
    """Give the seat of `name` in that evening to the person called `to`, a new one if need be. Raises EntryError."""
    asked = (
        select(SEAT_ROWS.c.person)
        .join(EVENINGS, EVENINGS.c.id == SEAT_ROWS.c.evening)
        .where(EVENINGS.c.club == club, SEAT_ROWS.c.evening == evening, SEAT_ROWS.c.name == name)
    )
    if connection.execute(asked).first() is None:
        raise EntryError("There is no such evening.", 404)
    person = person_called(connection, club, to)
    taken = select(SEAT_ROWS.c.name).where(SEAT_ROWS.c.evening == evening, SEAT_ROWS.c.person == person)
    if connection.execute(taken).first() is not None:
        raise EntryError("{name} already sat there.", 409, name=to)
    connection.execute(update(SEAT_ROWS).filter_by(evening=evening, name=name).values(person=person))
    return person


def erase(connection: Connection, club: int, person: int) -> str:
    """Erase a person's names from all that the club has; the chips stay. Returns the name that stands there now.

    Raises EntryError while the person plays.
    """
    name_of(connection, club, person)
    sat = connection.execute(
        select(
            SEAT_ROWS.c.evening, SEAT_ROWS.c.name, EVENINGS.c.rules, EVENINGS.c.closed, EVENINGS.c.changed_at
        )
        .join(EVENINGS, EVENINGS.c.id == SEAT_ROWS.c.evening)
        .where(SEAT_ROWS.c.person == person)
    ).all()
    if any(not row.closed and now_s() - row.changed_at < _PLAYING_S for row in sat):
        raise EntryError("This person sits at a table whose evening is not over. Finish it first.", 409)
    taken = set(connection.execute(select(PEOPLE.c.name).where(PEOPLE.c.club == club)).scalars())
    new = nobody(taken)
    for row in sat:
        _erase_in(connection, row.evening, row.rules, row.name, new)
    connection.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(name=new, erased=True))
    connection.execute(delete(NAMES).where(NAMES.c.person == person))
    connection.execute(
        delete(MEMBERS).where(MEMBERS.c.person == person, MEMBERS.c.role < int(ClubRole.ADMIN))
    )
    # An admin's browser stays, as nobody's, because the club may have no other admin.
    connection.execute(update(MEMBERS).where(MEMBERS.c.person == person).values(person=None, label=""))
    return new


def _erase_in(connection: Connection, evening: int, rules: str, old: str, new: str) -> None:
    """Put the name `new` in place of `old` in the record of an evening, and in what is kept of it."""
    kinds = game_of_rules(rules).session.kinds
    rows = connection.execute(select(EVENT_ROWS).filter_by(evening=evening).order_by(EVENT_ROWS.c.seq)).all()
    record = named_now(
        Recorded(row.seq, kinds.from_json(json.loads(row.data)), row.at, row.by) for row in rows
    )
    for row, one in zip(rows, record, strict=True):
        erased = entry_with_names(one, {old: new})
        data = json.dumps(event_to_json(erased.event), ensure_ascii=False, separators=(",", ":"))
        if (data, erased.by) != (row.data, row.by):
            own = update(EVENT_ROWS).filter_by(evening=evening, seq=row.seq)
            connection.execute(own.values(data=data, by=erased.by))
    shown = connection.execute(select(EVENINGS.c.head).where(EVENINGS.c.id == evening)).scalar_one()
    head = value_in_json(shown, Head).renamed(old, new)
    connection.execute(update(EVENINGS).where(EVENINGS.c.id == evening).values(head=json_of(head).decode()))
    connection.execute(update(SEAT_ROWS).filter_by(evening=evening, name=old).values(name=new))
