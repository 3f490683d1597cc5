"""The length and the clock of a tournament's round, which the host starts, stops and prolongs."""

from typing import Final

from flask import Blueprint, request
from sqlalchemy import Connection

from tracker.catalogue import msgid
from webui.club import clock as clocks
from webui.club.pages.changing import change_tournament
from webui.club.seating import MOST_ROUNDS
from webui.pages import fields
from webui.serving.requests import Answer

blueprint = Blueprint("clock", __name__)
_DONE: Final = {
    "start": msgid("started the clock (tournament {tournament})"),
    "stop": msgid("stopped the clock (tournament {tournament})"),
    "more": msgid("prolonged a round (tournament {tournament})"),
    "less": msgid("shortened a round (tournament {tournament})"),
}
_STEP: Final = 5
"""Minutes by which a round is prolonged or shortened at once."""


@blueprint.post("/tournaments/<int:number>/length")
def length(number: int) -> Answer:
    """Set how long a round lasts, in minutes or in hands; an empty field sets none."""
    minutes = fields.number("minutes", 1, clocks.MOST_MINUTES) if request.form.get("minutes") else None
    hands = fields.number("hands", 1, clocks.MOST_ROUND_HANDS) if request.form.get("hands") else None
    return change_tournament(
        number,
        msgid("set the length of a round (tournament {tournament})"),
        lambda connection, club: clocks.set_length(connection, number, minutes, hands),
    )


@blueprint.post("/tournaments/<int:number>/clock")
def turn(number: int) -> Answer:
    """Start or stop the clock of a round, or let it run some minutes longer or shorter.

    To start a clock that runs, or to stop one that does not, changes nothing: somebody else was quicker.
    """
    what = fields.choice("do", tuple(_DONE))
    at = fields.number("round", 1, MOST_ROUNDS)

    def change(connection: Connection, club: int) -> bool:
        if what == "start":
            return clocks.start_clock(connection, number, at)
        if what == "stop":
            return clocks.stop_clock(connection, number, at)
        clocks.prolong(connection, number, at, _STEP if what == "more" else -_STEP)
        return True

    return change_tournament(number, _DONE[what], change)
