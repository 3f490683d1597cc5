"""How a page changes a tournament: one change at a time, noted in the trail and told to every page that listens."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from webui.club import organising
from webui.club.common import board, engine, member
from webui.club.pages.joining import note_own
from webui.serving.requests import Answer, sent_to


def change_tournament(
    number: int, what: str, change: Callable[[Connection, int], Any], **about: int
) -> Answer:
    """Carry out `change`, which is given the connection and the club, and lead to the tournament's page.

    `what` is the sentence for the trail, whose places `about` fills. With False from `change` nothing was done.
    """
    club = member().club
    with engine().begin() as connection:
        organising.lock(connection, club, number)
        changed = change(connection, club)
    if changed is not False:
        note_own(what, tournament=number, **about)
        board().changed(club)
    return sent_to(f"/tournaments/{number}")
