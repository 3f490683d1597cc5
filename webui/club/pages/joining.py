"""Joining the club's server: by the code on the wall, or by a link that the admin made for one browser."""

from typing import Final

from flask import Blueprint, g

from tracker.catalogue import msgid
from webui.club.common import engine, member, members, note_trail, show
from webui.club.results import people_by_name, people_query
from webui.club.roles import ROLE_NAMES, ClubRole
from webui.club.security import become_member
from webui.errors import EntryError
from webui.pages import fields
from webui.pages.fields import ask_first
from webui.serving.requests import Answer, sent_to
from webui.texts import text

blueprint = Blueprint("joining", __name__)
_INVITES: Final = "club"


def new_invitation(club: int) -> str:
    """A word that lets a phone join the club, as a player's or as a screen, for some minutes."""
    return members().new_invitation(f"{_INVITES} {club}")


def _invited_to(word: str) -> int:
    invited = members().invited_to(word) or ""
    if not invited.startswith(_INVITES):
        raise EntryError("This invitation is too old. Scan the code on the club's screen again.", 403)
    return int(invited.split()[1])


@blueprint.get("/invitation/<word>")
def invitation(word: str) -> str:
    """The page that asks who joins. Nothing changes before that is answered."""
    _invited_to(word)
    return show("club/invitation.html", word=word, joined=g.member is not None)


@blueprint.post("/invitation/<word>")
def join(word: str) -> Answer:
    """Let the phone join, as a player's or as a screen on the wall."""
    club = _invited_to(word)
    if g.member is not None:
        return sent_to("/")
    role = ClubRole.WALL if fields.words("screen") else ClubRole.PLAYER
    joined = members().join(club, role)
    become_member(joined)
    note_trail(club, _by(joined.id), msgid("joined as {role}"), role=role.name)
    return sent_to("/" if role is ClubRole.WALL else "/me")


@blueprint.get("/link/<word>")
def link(word: str) -> str:
    """The page that says what the link is for. It is used only after a tap: some programs open every link they see."""
    found = members().link(word)
    if found is None:
        raise _used_up()
    return show("club/link.html", word=word, link_role=text(ROLE_NAMES[found[1]]))


@blueprint.post("/link/<word>")
def follow(word: str) -> Answer:
    """Let the browser join with the role of the link."""
    joined = members().follow(word, g.member)
    if joined is None:
        raise _used_up()
    become_member(joined)
    note_trail(joined.club, _by(joined.id), msgid("joined as {role}"), role=joined.role.name)
    return sent_to("/me" if joined.role is ClubRole.PLAYER else "/")


def _used_up() -> EntryError:
    if g.member is None:
        return EntryError(
            "This link has been used, or is too old. Ask the club's admin for another one.", 403
        )
    role = text(ROLE_NAMES[g.member.role])  # perhaps of this very link: its reader went back
    return EntryError(
        "This link has been used, or is too old. This browser has joined as {role}.", 403, role=role
    )


@blueprint.get("/me")
def me() -> str:
    """The page about this browser: its role, and its person."""
    with engine().begin() as connection:
        people = people_by_name(connection, member().club)
    return show("club/me.html", member=member(), people=[(row.id, row.name) for row in people])


@blueprint.post("/me")
def sit() -> Answer:
    """Choose whose browser this is."""
    person = fields.number("person")
    with engine().begin() as connection:
        if person not in {row[0] for row in connection.execute(people_query(member().club))}:
            raise EntryError("There is no such person.", 404)
    members().change(member(), person=person)
    return sent_to(f"/people/{person}")


@blueprint.post("/me/leave")
def leave() -> Answer:
    """Let the browser leave the club."""
    members().check_admin_stays(member())
    ask_first(
        text("This browser no longer sees the club, until it joins again by the code or a link."),
        text("Leave the club's server"),
    )
    members().remove(member())
    note_own(msgid("left"))
    return sent_to("/")


def _by(identity: str) -> str:
    """A browser's name in the trail: enough to tell it from others, too little to pass for it."""
    return f"browser {identity[:6]}"


def note_own(what: str, **about: int | str) -> None:
    """Note in the trail that the asking browser did `what`; arguments as in `note_trail`."""
    note_trail(member().club, _by(member().id), what, **about)
