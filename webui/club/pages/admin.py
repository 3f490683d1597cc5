"""The club admin's pages: who has joined, links for others, the trail; deleting evenings."""

import json
from datetime import datetime

from flask import Blueprint, request

from tracker.catalogue import msgid
from webui.club.common import address_for_others, board, engine, member, members, show, tell_next, told_before
from webui.club.deleted import hide
from webui.club.members import Member
from webui.club.pages.joining import note_own
from webui.club.people import name_of
from webui.club.results import NEWEST, PAGE_ROWS, day_of, evening_at, people_query, seats_query, trail_query
from webui.club.roles import ROLE_NAMES, ClubRole
from webui.club.schema import EVENINGS
from webui.errors import EntryError
from webui.pages import fields
from webui.pages.fields import ask_first, number_in
from webui.serving.requests import Answer, sent_to
from webui.texts import day_text, text

blueprint = Blueprint("admin", __name__)
_GIVEN = tuple(role.name.lower() for role in ClubRole if role is not ClubRole.STRANGER)


@blueprint.get("/admin")
def admin() -> str:
    """The page of those who have joined, with what they may do."""
    with engine().begin() as connection:
        names = {row[0]: row[1] for row in connection.execute(people_query(member().club))}
    joined = [
        (place, one, names.get(one.person or 0, ""), datetime.fromtimestamp(one.seen_at))
        for place, one in enumerate(members().of_club(member().club), start=1)
    ]
    return show("club/admin.html", joined=joined, own=member(), link="".join(told_before()))


@blueprint.post("/admin/links")
def new_link() -> Answer:
    """Make a link that gives one browser a role."""
    role = ClubRole[fields.choice("role", _GIVEN).upper()]
    word = members().new_link(member().club, role, fields.words("label")[:40])
    note_own(msgid("made a link for another browser: {role}"), role=role.name)
    tell_next((f"{address_for_others()}/link/{word}",))
    return sent_to("/admin")


@blueprint.post("/admin/members")
def change() -> Answer:
    """Give a browser another role, or remove it."""
    identity = fields.field("member")
    one = next((one for one in members().of_club(member().club) if one.id[:12] == identity), None)
    if one is None:
        raise EntryError("That browser has not joined.", 404)
    what = fields.choice("do", ("remove", *_GIVEN))
    if what == "remove":
        members().check_admin_stays(one)
        ask_first(
            text(
                "{name} ({role}): this browser is no longer let in, until it joins by a new link or the club's code.",
                name=one.label or _owner(one) or text("without a name"),
                role=text(ROLE_NAMES[one.role]),
            ),
            text("Remove it"),
        )
    if what == "remove":
        members().remove(one)
        note_own(msgid("removed browser {browser}"), browser=one.id[:6])
    else:
        role = ClubRole[what.upper()]
        members().change(one, role=role)
        note_own(msgid("gave browser {browser} a role: {role}"), browser=one.id[:6], role=role.name)
    board().changed(member().club)
    return sent_to("/admin")


def _owner(one: Member) -> str:
    """The name of the browser's person; "" for nobody."""
    if one.person is None:
        return ""
    with engine().begin() as connection:
        return name_of(connection, one.club, one.person)


@blueprint.get("/trail")
def trail() -> str:
    """The page of the trail, newest entries first."""
    before = number_in("before", request.args, NEWEST)
    with engine().begin() as connection:
        rows = connection.execute(trail_query(member().club, before)).all()
    told = [(datetime.fromtimestamp(row.at), _who(row.by), _what(row.what, row.about)) for row in rows]
    return show("club/trail.html", rows=told, older=rows[-1].id if len(rows) == PAGE_ROWS else None)


def _who(by: str) -> str:
    """Who did something, in the reader's language: a browser or a table, by its name in the trail."""
    kind, number = by.split(" ", 1)
    if kind == "table":
        return text("table {number}", number=number)
    return text("browser {number}", number=number)


def _what(sentence: str, about: str) -> str:
    """What was done, in the reader's language: a `sentence` of the catalogue, with places filled from JSON."""
    values = json.loads(about)
    if "role" in values:
        role = ClubRole[values["role"]]
        values["role"] = text(ROLE_NAMES[role])
    return text(sentence, **values)


@blueprint.post("/evenings/<int:number>/delete")
def delete_evening(number: int) -> Answer:
    """Delete an evening, which then counts no more at the club. The table keeps its own record."""
    club = member().club
    with engine().begin() as connection:
        row = evening_at(connection, club, number)
        sat = [seat.person for seat in connection.execute(seats_query(number))]
    ask_first(
        text(
            "The evening of {table} on {day} with {players} is removed from all pages and from the ledger. It can be "
            "brought back for 30 days.",
            table=row.table,
            day=day_text(day_of(row), "medium"),
            players=", ".join(sat),
        ),
        text("Delete the evening"),
    )
    with engine().begin() as connection:
        hide(connection, EVENINGS, club, number)
    board().changed(club)
    note_own(msgid("deleted evening {number}"), number=number)
    return sent_to("/evenings")
