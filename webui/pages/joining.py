"""Joining the table: by the code on the laptop's screen, or as the host by the link that the program prints."""

from typing import Final

from flask import Blueprint, Response, current_app, g, request

from webui.app_parts import app_parts
from webui.games.pages import PAGES
from webui.pages import fields
from webui.pages.common import Answer, EntryError, live, phones, render, sent_to, told
from webui.people.phones import FullError, Phone, UsedUpError
from webui.people.roles import Role, role_in_hand
from webui.serving.requests import see_other
from webui.serving.security import become
from webui.texts import text

blueprint = Blueprint("joining", __name__)
_MOST_SEATS: Final = max(page.game.session.players[1] for page in PAGES.values())
_MORE_THAN_MISSING: Final = 2
"""How many phones and screens may join by an invitation, besides one for each player who has none yet."""


def _seats() -> list[tuple[str, str]]:
    """The players at the table, each with the reason why this phone cannot be his, "" if it can."""
    session = live().session
    if session is None or session.closed:
        return []
    return [(name, "" if _is_free(name) else text("another phone")) for name in session.seats]


def _is_free(seat: str) -> bool:
    """Whether no other phone has the seat, or only one that cannot come back: it came by an address that is gone."""
    hosts = app_parts().hosts
    holder = phones().holder(seat)
    return holder is None or holder == g.phone or not hosts.has(holder.host)


def _chosen_seat() -> str:
    """The seat chosen in the form, which must be free; "" for none."""
    seat = fields.words("seat")
    if not seat:
        return ""
    if seat not in dict(_seats()):
        raise EntryError("Nobody at the table is called “{value}”.", value=seat)
    if not _is_free(seat):
        raise EntryError(
            "Another phone is {name}'s. The host can take the seat from it: “Menu”, “The host's choices”.",
            409,
            name=seat,
        )
    holder = phones().holder(seat)
    if holder is not None and holder != g.phone:
        phones().change(holder.id, seat="")
    return seat


def _sits_out(seat: str) -> bool:
    """Whether the phone of the player `seat` is the arbiter just now."""
    return role_in_hand(Role.PLAYER, seat, live().session) is Role.ARBITER


def _join(role: Role, seat: str = "") -> None:
    try:
        phone = phones().join(role, seat, request.host, vouched=not _sits_out(seat))
    except FullError:
        raise EntryError("Too many phones have joined; the host can remove some.", 503) from None
    become(phone)
    live().changes.tell()


def _checked(word: str) -> None:
    if not phones().is_invitation(word):
        raise EntryError("This invitation is too old. Scan the code on the laptop's screen again.", 403)


@blueprint.get("/invitation/<word>")
def invitation(word: str) -> str | Response:
    """The page that asks who joins. Nothing changes before that is answered."""
    if g.phone is not None:
        return see_other("/me")
    _checked(word)
    return render("dialogs/invitation.html", word=word, seats=_seats())


@blueprint.post("/invitation/<word>")
def join(word: str) -> Answer:
    """Let the phone join, as a player's or as a screen on the wall."""
    if g.phone is not None:
        return sent_to("/")
    _checked(word)
    missing = sum(not reason for _, reason in _seats()) if live().evening.is_open else _MOST_SEATS
    try:
        phones().use_invitation(word, missing + _MORE_THAN_MISSING)
    except UsedUpError:
        raise EntryError(
            "All the phones that were missing have joined by this code. The laptop shows a new code in a few minutes.",
            403,
        ) from None
    role = Role.WALL if fields.words("screen") else Role.PLAYER
    _join(role, _chosen_seat() if role is Role.PLAYER else "")
    return sent_to("/")


@blueprint.get("/laptop/<word>")
def laptop(word: str) -> Response:
    """Follow the link that the program prints: the browser that opens it first is the host's."""
    if g.role < Role.HOST:
        if not phones().take_host_link(word):
            raise EntryError(
                "This link has been used: it makes one browser the host. Start the program again for a new "
                "link, or let the host make this browser a host, too.",
                403,
            )
        if g.phone is not None:
            phones().change(g.phone.id, role=Role.HOST)
            live().changes.tell()
        else:
            _join(Role.HOST)
    # A table that was used before opens the table's page, learning opens the lessons; a new table is set up first.
    known = live().session is not None or current_app.config["LEARNING"]
    return see_other("/" if known else "/setup")


@blueprint.get("/me")
def me() -> str:
    """The page about this phone: what it may do, and whose it is."""
    return render("dialogs/me.html", phone=g.phone, seats=_seats())


@blueprint.post("/me")
def sit() -> Answer:
    """Choose whose phone this is."""
    seat = _chosen_seat()
    if g.phone is None:  # the table is open to everybody
        _join(Role.PLAYER, seat)
    else:
        vouched = not _sits_out(seat) or (seat == g.phone.seat and g.phone.vouched)
        phones().change(g.phone.id, seat=seat, vouched=vouched)
        live().changes.tell()
    if _sits_out(seat) and not phones().is_vouched(seat):
        return told(
            text(
                "The host is asked whether this is {name}'s phone. Until the host says yes, this phone is "
                "not the arbiter's.",
                name=seat,
            )
        )
    said = text("This is {name}'s phone.", name=seat) if seat else text("This phone has no seat.")
    return told(said)


@blueprint.post("/me/leave")
def leave() -> Answer:
    """Let the phone leave the table."""
    if g.phone is not None:
        check_host_stays(g.phone)
        fields.ask_first(
            text("This phone no longer sees the table, until it joins again by the code."),
            text("Leave the table"),
        )
        phones().remove(g.phone.id)
        live().changes.tell()
    return sent_to("/")


def check_host_stays(phone: Phone) -> None:
    """Raise EntryError if the table would have no host without `phone`."""
    if [one.id for one in phones().all() if one.role is Role.HOST] == [phone.id]:
        raise EntryError("This is the only host. Make another phone host first.", 409)
