"""The club's card tables: those that report, and codes by which new ones join."""

from flask import Blueprint

from tracker.catalogue import msgid
from webui.club.common import address_for_others, member, members, show, tell_next, told_before
from webui.club.pages.joining import note_own
from webui.errors import EntryError
from webui.pages import fields
from webui.serving.requests import Answer, sent_to
from webui.texts import text

blueprint = Blueprint("tables", __name__)


@blueprint.get("/tables")
def tables() -> str:
    """The page of the tables that report to the club."""
    name, code = told_before() or ("", "")
    return show(
        "club/card_tables.html",
        tables=members().tables_of(member().club),
        code=code,
        name=name,
        address=address_for_others(),
    )


@blueprint.post("/tables/code")
def new_code() -> Answer:
    """Make a code by which one table joins."""
    name = fields.words("name")
    fields.check_name(name)
    code = members().new_code(member().club, name)
    note_own(msgid("made a code for the table {table}"), table=name)
    tell_next((name, code))
    return sent_to("/tables")


@blueprint.post("/tables/remove")
def remove() -> Answer:
    """Remove a table from the club; what it sent stays."""
    number = fields.number("table")
    gone = next((one for one in members().tables_of(member().club) if one.id == number), None)
    if gone is None:
        raise EntryError("There is no such table.", 404)
    fields.ask_first(
        text(
            "{table} no longer sends anything to the club. Its evenings stay. It can be brought back for 30 days.",
            table=gone.name,
        ),
        text("Remove the table"),
    )
    members().remove_table(gone)
    note_own(msgid("removed the table {table}"), table=gone.name)
    return sent_to("/tables")
