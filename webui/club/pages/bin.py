"""The page of what was deleted at the club in the last thirty days, which brings it back."""

from datetime import datetime

from flask import Blueprint
from sqlalchemy import Table

from tracker.catalogue import msgid
from webui.club.common import board, engine, member, members, show
from webui.club.deleted import (
    bring_back,
    deleted_evenings_query,
    deleted_tournaments_query,
    removed_tables_query,
)
from webui.club.pages.joining import note_own
from webui.club.roles import club_may
from webui.club.schema import EVENINGS, KEPT_S, TOURNAMENTS
from webui.errors import EntryError
from webui.serving.requests import Answer, sent_to

blueprint = Blueprint("bin", __name__)


@blueprint.get("/deleted")
def deleted() -> str:
    """The page of what can be brought back, and until when."""
    club, role = member().club, member().role
    queries = {
        "evening": deleted_evenings_query(club),
        "tournament": deleted_tournaments_query(club),
        "table": removed_tables_query(club),
    }
    with engine().begin() as connection:
        found = {
            kind: connection.execute(query).all()
            for kind, query in queries.items()
            if club_may(role, f"bin.{kind}")
        }
    return show(
        "club/bin.html",
        found=found,
        day_of=lambda seconds: datetime.fromtimestamp(seconds).date(),
        until=lambda row: datetime.fromtimestamp(row.deleted_at + KEPT_S).date(),
    )


def _brought_back(table: Table, number: int, what: str, path: str) -> Answer:
    with engine().begin() as connection:
        found = bring_back(connection, table, member().club, number)
    return _told(found, what, number, path)


def _told(found: bool, what: str, number: int, path: str) -> Answer:
    if not found:
        raise EntryError("It can no longer be brought back.", 404)
    board().changed(member().club)
    note_own(what, number=number)
    return sent_to(path)


@blueprint.post("/deleted/evenings/<int:number>")
def evening(number: int) -> Answer:
    """Bring back an evening, which counts again."""
    return _brought_back(EVENINGS, number, msgid("brought back evening {number}"), f"/evenings/{number}")


@blueprint.post("/deleted/tournaments/<int:number>")
def tournament(number: int) -> Answer:
    """Bring back a tournament."""
    return _brought_back(
        TOURNAMENTS, number, msgid("brought back tournament {number}"), f"/tournaments/{number}"
    )


@blueprint.post("/deleted/tables/<int:number>")
def table(number: int) -> Answer:
    """Bring back a removed table, which may send again with the key that it has."""
    return _told(
        members().bring_back_table(member().club, number),
        msgid("brought back table {number}"),
        number,
        "/tables",
    )
