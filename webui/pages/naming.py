"""Putting a player's name right, in the middle of an evening or afterwards."""

from typing import Any, Final

from flask import request

from tracker.catalogue import msgid
from tracker.events import PlayerRenamed
from tracker.session import Session
from webui.app_parts import app_parts
from webui.pages import fields, forms
from webui.pages.common import (
    Answer,
    EntryError,
    TableBlueprint,
    live,
    past_evening,
    phones,
    render,
    sender,
    sent_to,
    told,
)
from webui.pages.entering import once, sent_again
from webui.people.seats import sits_among
from webui.texts import text

blueprint = TableBlueprint("naming", __name__)
blueprint.before_request(sent_again)
_DONE: Final = msgid("The name is now {name}, in the whole evening.")


@blueprint.get("/rename")
def dialog() -> str:
    """The dialog that asks how a player's name is really written."""
    return render("dialogs/rename.html", player=_player(forms.session()))


@blueprint.post("/rename")
def rename() -> Answer:
    """Put a player's name right, in all that the table knows of the evening."""
    return told(text(_DONE, name=_renamed()))


@blueprint.post("/history/<int:number>/rename")
def rename_past(number: int) -> Answer:
    """Put a player's name right in an evening of the history."""
    if number == live().evening.number:
        new = _renamed()
    else:
        old, new = _names(past_evening(number)[1].session)
        if new != old:
            live().enter_past(number, PlayerRenamed(old, new), sender())
    return sent_to(f"/history/{number}", text(_DONE, name=new))


def _renamed() -> str:
    """Put a player's name right in the evening at the table; returns the name."""
    old, new = _names(forms.session())
    if app_parts().reporter.rounds.has_named(old):
        raise EntryError("The club named the players of this round. A name is corrected there.", 409)
    if new != old:
        live().rename(old, new, once=once(), by=sender())
        app_parts().set_up.rename(old, new)
        holder = phones().holder(old)
        if holder is not None:
            phones().change(holder.id, seat=new)
    return new


def _names(session: Session[Any, Any]) -> tuple[str, str]:
    """The player whose name is put right, and what he is really called. Raises EntryError."""
    old, new = _player(session), forms.new_name(fields.field("called", fields.NAMELESS))
    if sits_among(new, (name for name in session.seats if name != old)):
        raise EntryError("{player} already sits at the table.", player=new)
    if sits_among(new, (name for name in session.balances if name != old)):
        raise EntryError("{name} already sat there.", name=new)
    return old, new


def _player(session: Session[Any, Any]) -> str:
    """The player whose name is put right: anybody who sat down in that evening."""
    wanted = request.values.get("player", "")
    if wanted not in session.balances:
        raise EntryError("Nobody at the table is called “{value}”.", value=wanted)
    return wanted
