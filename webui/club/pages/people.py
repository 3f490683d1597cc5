"""The club's people: each one's evenings at all tables; merging, telling apart and erasing people."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from flask import Blueprint
from sqlalchemy import Connection

from tracker.catalogue import msgid
from webui.club import people as registry
from webui.club.common import board, engine, intake, member, members, show
from webui.club.pages.joining import note_own
from webui.club.results import day_of, names_query, people_by_name, sittings_query
from webui.pages import fields
from webui.serving.requests import Answer, sent_to
from webui.texts import short_day_text, text
from webui.view.history import chips_chart

blueprint = Blueprint("people", __name__)


@blueprint.get("/people")
def people() -> str:
    """The page of everybody who ever sat at one of the club's tables."""
    with engine().begin() as connection:
        rows = people_by_name(connection, member().club)
        names = _names(connection)
    return show("club/people.html", rows=rows, names=names)


def _names(connection: Connection) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for person, name in connection.execute(names_query(member().club)):
        found[person].append(name)
    return found


def _called(person: int) -> str:
    with engine().begin() as connection:
        return registry.name_of(connection, member().club, person)


@blueprint.get("/people/<int:number>")
def person(number: int) -> str:
    """The page of a person's evenings and chips."""
    club = member().club
    with engine().begin() as connection:
        name = registry.name_of(connection, club, number)
        rows = connection.execute(sittings_query(club, number)).all()
        names = _names(connection)[number]
    games: dict[str, dict[str, Any]] = {}
    for game in sorted({row.game for row in rows if row.closed}):
        own = [row for row in reversed(rows) if row.game == game and row.closed]
        chips = 0
        steps = [{name: (chips := chips + row.chips)} for row in own]
        games[game] = {
            "evenings": len(own),
            "hands": sum(row.hands for row in own),
            "chips": chips,
            "chart": chips_chart(steps, [short_day_text(day_of(row)) for row in own]),
        }
    return show(
        "club/person.html", number=number, name=name, rows=rows, day_of=day_of, games=games, names=names
    )


def _changed(change: Callable[[Connection, int], Any]) -> Any:
    """Carry out `change`, and forget what the memory has of people; returns what `change` returns."""
    with engine().begin() as connection:
        told = change(connection, member().club)
    members().people_changed()
    intake().forget_all()
    board().changed(member().club)
    return told


@blueprint.post("/people/merge")
def merge() -> Answer:
    """Merge two people, who are one."""
    one, other = fields.number("one"), fields.number("other")
    question = text(
        "All evenings of {other} are {one}'s from now on.", other=_called(other), one=_called(one)
    )

    def change(connection: Connection, club: int) -> None:
        registry.merge(connection, club, one, other)
        fields.ask_first(question, text("Merge them"))  # and nobody is asked about what cannot be

    _changed(change)
    note_own(msgid("merged person {other} into person {one}"), other=other, one=one)
    return sent_to(f"/people/{one}")


@blueprint.post("/people/<int:number>/apart")
def tell_apart(number: int) -> Answer:
    """Make one of a person's names a new person."""
    name = fields.field("name")
    other = _changed(lambda connection, club: registry.tell_apart(connection, club, number, name))
    note_own(msgid("separated person {other} from person {one}"), other=other, one=number)
    return sent_to(f"/people/{other}")


@blueprint.post("/people/seat")
def give_seat() -> Answer:
    """Give a seat of an evening to another person."""
    evening, name, to = fields.number("evening"), fields.field("name"), fields.words("to")
    fields.check_player(to)
    person = _changed(lambda connection, club: registry.give_seat(connection, club, evening, name, to))
    note_own(msgid("gave a seat of evening {evening} to person {person}"), evening=evening, person=person)
    return sent_to(f"/evenings/{evening}")


@blueprint.post("/people/<int:number>/erase")
def erase(number: int) -> Answer:
    """Erase a person's name; the chips stay."""
    fields.ask_first(
        text(
            "The name {name} is removed from all evenings, lists and tournaments at the club. This cannot be undone.",
            name=_called(number),
        ),
        text("Erase the name"),
    )
    _changed(lambda connection, club: registry.erase(connection, club, number))
    note_own(msgid("erased person {number}"), number=number)
    return sent_to("/people")
