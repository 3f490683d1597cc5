"""The club admin's page: who has joined, links for others, the trail, evenings to delete."""

from datetime import datetime

from flask import Blueprint, request
from sqlalchemy import delete, insert, select

from webui.club.common import (
    board,
    done,
    engine,
    intake,
    member,
    members,
    note_trail,
    show,
    tell_next,
    told_before,
)
from webui.club.pages.joining import browser_name
from webui.club.results import people_query, trail_query
from webui.club.roles import ClubRole
from webui.club.schema import DELETED, EVENINGS
from webui.errors import EntryError
from webui.pages import fields
from webui.serving.requests import Answer

blueprint = Blueprint("admin", __name__)
_GIVEN = tuple(role.name.lower() for role in ClubRole if role is not ClubRole.STRANGER)


@blueprint.get("/admin")
def admin() -> str:
    """Who has joined, and what they may do."""
    with engine().begin() as connection:
        names = {row[0]: row[1] for row in connection.execute(people_query(member().club))}
    joined = [
        (place, one, names.get(one.person or 0, ""), datetime.fromtimestamp(one.seen_at))
        for place, one in enumerate(members().of_club(member().club), start=1)
    ]
    return show("club/admin.html", joined=joined, own=member(), link="".join(told_before()))


@blueprint.post("/admin/links")
def new_link() -> Answer:
    """A link that gives one browser a role."""
    role = ClubRole[fields.choice("role", _GIVEN).upper()]
    word = members().new_link(member().club, role, fields.words("label")[:40])
    note_trail(
        member().club, browser_name(), f"made a link for {role.name.lower()}", fields.words("label")[:40]
    )
    tell_next((f"{request.url_root}link/{word}",))
    return done("/admin")


@blueprint.post("/admin/members")
def change() -> Answer:
    """Give a browser another role, or make it a stranger's."""
    identity = fields.field("member")
    one = next((one for one in members().of_club(member().club) if one.id[:12] == identity), None)
    if one is None:
        raise EntryError("That browser has not joined.", 404)
    what = fields.choice("do", ("remove", *_GIVEN))
    if what != "admin" and members().is_last_admin(one):
        raise EntryError("This is the club's only admin. Make another one first.", 409)
    if what == "remove":
        members().remove(one)
    else:
        members().change(one, role=ClubRole[what.upper()])
    board().changed(member().club)
    note_trail(member().club, browser_name(), f"{what}: a member", f"browser {one.id[:6]}")
    return done("/admin")


@blueprint.get("/trail")
def trail() -> str:
    """Who did what, newest first."""
    before = request.args.get("before", 2**31 - 1, type=int)
    with engine().begin() as connection:
        rows = connection.execute(trail_query(member().club, before)).all()
    return show("club/trail.html", rows=[(row, datetime.fromtimestamp(row.at)) for row in rows])


@blueprint.post("/evenings/<int:number>/delete")
def delete_evening(number: int) -> Answer:
    """An evening goes from the club's database for good; the table keeps its own record."""
    with engine().begin() as connection:
        row = connection.execute(
            select(EVENINGS.c.club, EVENINGS.c.key, EVENINGS.c.last, EVENINGS.c.digest).where(
                EVENINGS.c.club == member().club, EVENINGS.c.id == number
            )
        ).one_or_none()
        if row is None:
            raise EntryError("There is no such evening.", 404)
        connection.execute(insert(DELETED).values(**row._mapping))
        connection.execute(delete(EVENINGS).where(EVENINGS.c.id == number))
    intake().forget_all()
    board().changed(member().club)
    note_trail(member().club, browser_name(), "deleted an evening", str(number))
    return done("/evenings")
