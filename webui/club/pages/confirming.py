"""Results from players' phones, which another player of the table confirms; the director's adjustments."""

from typing import Final

from flask import Blueprint, request

from tracker.catalogue import msgid
from webui.club import confirming
from webui.club.common import member
from webui.club.pages.changing import change_tournament
from webui.club.pages.tournaments import chips_entered, table_named, whole_number, why_said
from webui.club.seating import MOST_ROUNDS
from webui.errors import EntryError
from webui.pages import fields
from webui.serving.requests import Answer

blueprint = Blueprint("confirming", __name__)
_MOST_POINTS: Final = 100


@blueprint.post("/tournaments/<int:number>/propose")
def propose(number: int) -> Answer:
    """Enter, for a player, what everybody had at his table."""
    at, entered, me = table_named(number), chips_entered(), member()
    return change_tournament(
        number,
        msgid("entered round {round}, table {table}, to be confirmed (tournament {tournament})"),
        lambda connection, club: confirming.propose(connection, club, at, entered, me),
        round=at.round,
        table=at.table,
    )


@blueprint.post("/tournaments/<int:number>/answer")
def answer(number: int) -> Answer:
    """Confirm, or dispute, for another player of the table what was entered."""
    at, chips, me = table_named(number), chips_entered().chips, member()
    right = fields.is_yes("right")
    return change_tournament(
        number,
        msgid("confirmed round {round}, table {table} (tournament {tournament})")
        if right
        else msgid("disputed round {round}, table {table} (tournament {tournament})"),
        lambda connection, club: confirming.answer(connection, club, at, chips, me, right=right),
        round=at.round,
        table=at.table,
    )


@blueprint.post("/tournaments/<int:number>/adjust")
def adjust(number: int) -> Answer:
    """Give or take chips and table points for the director, who says why."""
    at, entrant = fields.number("round", 1, MOST_ROUNDS), fields.number("entrant")
    chips, points = (whole_number(request.form.get(name) or "0") for name in ("chips", "points"))
    reason = why_said()
    if not reason:
        raise EntryError("Say why.")
    if abs(points) > _MOST_POINTS:
        raise EntryError("“{value}” is not a number that can be used here.", value=points)
    return change_tournament(
        number,
        msgid("adjusted round {round} (tournament {tournament})"),
        lambda connection, club: confirming.adjust(
            connection, club, number, at, entrant, chips, points, reason
        ),
        round=at,
    )


@blueprint.post("/tournaments/<int:number>/adjust/back")
def take_back(number: int) -> Answer:
    """Take an adjustment back."""
    adjustment = fields.number("adjustment")
    return change_tournament(
        number,
        msgid("took an adjustment back (tournament {tournament})"),
        lambda connection, club: confirming.take_back(connection, number, adjustment),
    )
