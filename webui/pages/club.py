"""The club that the table reports to: the host joins it by a code, or leaves it."""

from flask import Blueprint, current_app

from webui.app_parts import app_parts
from webui.pages import forms
from webui.pages.common import Answer, EntryError, told
from webui.reporting.club_line import is_address, sentence_in
from webui.reporting.reporter import JoiningError, Reporter
from webui.texts import language, text

blueprint = Blueprint("club", __name__)


def reporter() -> Reporter:
    """What sends the table's evenings to its club."""
    return app_parts().reporter


@blueprint.post("/host/club/join")
def join() -> Answer:
    """Join the club at an address, by the code that it gave."""
    address, code = forms.field("address").rstrip("/"), forms.field("code")
    if current_app.config["DEMO"]:
        raise EntryError("The demo reports to nobody.", 409)
    if reporter().club is not None:
        raise EntryError("The table has joined a club already; leave that first.", 409)
    if not is_address(address):
        raise EntryError("“{address}” is no address such as https://club.example.org.", address=address)
    try:
        joined = reporter().join(address, code)
    except JoiningError as error:
        if error.sentences:
            reason = sentence_in(error.sentences, language())
            raise EntryError("The club says: {reason}", 502, reason=reason) from None
        raise EntryError("No club answers at {address}.", 502, address=address) from None
    return told(text("The table has joined {club} as {table}.", club=joined.club, table=joined.table))


@blueprint.post("/host/club/leave")
def leave() -> Answer:
    """Send nothing any more."""
    club = reporter().club
    if club is not None:
        forms.ask_first(
            text(
                "{table} sends {club} nothing any more. What was sent stays there. With a new code it goes on.",
                table=club.table,
                club=club.club,
            ),
            text("Leave the club"),
        )
    reporter().leave()
    return told(text("The table has left the club. Nothing is sent any more."))
