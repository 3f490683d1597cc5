"""Putting a player's name right in the middle of an evening."""

from typing import Final

from flask import request

from tracker.catalogue import msgid
from webui.app_parts import app_parts
from webui.pages import forms
from webui.pages.common import Answer, EntryError, TableBlueprint, live, phones, render, sender, told
from webui.pages.entering import once, sent_again
from webui.people.seats import sits_among
from webui.texts import text

blueprint = TableBlueprint("naming", __name__)
blueprint.before_request(sent_again)
_NAMELESS: Final = msgid("Type a name.")


@blueprint.get("/rename")
def dialog() -> str:
    """The dialog that asks how a player's name is really written."""
    return render("dialogs/rename.html", player=_player())


@blueprint.post("/rename")
def rename() -> Answer:
    """Put a player's name right, in all that the table knows of the evening."""
    old, new = _player(), forms.new_name(forms.field("called", _NAMELESS))
    session = forms.session()
    if sits_among(new, (name for name in session.seats if name != old)):
        raise EntryError("{player} already sits at the table.", player=new)
    if sits_among(new, (name for name in session.balances if name != old)):
        raise EntryError("{name} already sat there.", name=new)
    if app_parts().reporter.rounds.has_named(old):
        raise EntryError("The club named the players of this round. A name is corrected there.", 409)
    if new != old:
        live().rename(old, new, once=once(), by=sender())
        app_parts().set_up.rename(old, new)
        holder = phones().holder(old)
        if holder is not None:
            phones().change(holder.id, seat=new)
    return told(text("The name is now {name}, in the whole evening.", name=new))


def _player() -> str:
    """The player whose name is put right: anybody who sat down this evening."""
    wanted = request.values.get("player", "")
    if wanted not in forms.session().balances:
        raise EntryError("Nobody at the table is called “{value}”.", value=wanted)
    return wanted
