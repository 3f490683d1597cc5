"""The evenings at the club's tables: chips hand by hand, flags that wait, files."""

from typing import Any

from flask import Blueprint, Response, request
from sqlalchemy import Row

from tracker.games import game_of
from tracker.open_questions import unanswered
from tracker.results import tallies
from tracker.session import Session
from webui.club.common import engine, member, show
from webui.club.intake import replayed, stored_events
from webui.club.results import NEWEST, day_of, evening_at, evenings_query, flags_query, seats_query
from webui.downloads import csv_file, json_file
from webui.pages.fields import number_in
from webui.people.fair_play import Sight, sight_of
from webui.texts import language
from webui.view.history import chips_chart, tally_rows, tally_table

blueprint = Blueprint("evenings", __name__)


def _found(number: int) -> tuple[Row[*tuple[Any, ...]], Sight]:
    """The evening, and what may be shown of it: not the hand that is played (ETI-1)."""
    with engine().begin() as connection:
        row = evening_at(connection, member().club, number)
        return row, sight_of(replayed(stored_events(connection, number)), fair_play=True)


@blueprint.get("/evenings")
def evenings() -> str:
    """The page of the club's evenings, newest first."""
    before = number_in("before", request.args, NEWEST)
    with engine().begin() as connection:
        rows = connection.execute(evenings_query(member().club, before)).all()
    return show(
        "club/evenings.html", rows=[(row, day_of(row)) for row in rows], oldest=rows[-1].id if rows else 0
    )


@blueprint.get("/evenings/<int:number>")
def evening(number: int) -> str:
    """The page of an evening: who sat there, and the chips hand by hand."""
    row, shown = _found(number)
    with engine().begin() as connection:
        sat = {seat.name: seat for seat in connection.execute(seats_query(number))}
    found = tallies(shown.session, shown.parts)
    players = list(shown.session.balances)
    seats = [sat[name] for name in players if name in sat]  # their order must not tell chips (ETI-1)
    rows = tally_rows(found, players)
    return show(
        "club/evening.html",
        row=row,
        day=day_of(row),
        players=players,
        rows=rows,
        seats=seats,
        chips=found[-1].balances if found else dict.fromkeys(players, 0),
        keeps_chips=shown.session.keeps_chips,
        hidden=shown.hidden,
        chart=chips_chart([tally.balances for tally in found], [one.mark for one in rows]),
    )


@blueprint.get("/evenings/<int:number>.csv")
def evening_csv(number: int) -> Response:
    """The chips that each hand moved, as a table for spreadsheets."""
    row, shown = _found(number)
    lines = tally_table(tallies(shown.session, shown.parts), list(shown.session.balances))
    return csv_file(lines, f"tarok-{day_of(row)}-{number}.csv")


@blueprint.get("/evenings/<int:number>.json")
def evening_json(number: int) -> Response:
    """The evening as a session file, without a hand that is played."""
    row, shown = _found(number)
    return json_file(shown.file(), f"tarok-{day_of(row)}-{number}.json", indent=1)


@blueprint.get("/flags")
def flags() -> str:
    """The page of the flags that wait for an arbiter, with the findings. Settled or doubtful findings are no flags."""
    with engine().begin() as connection:
        rows = connection.execute(flags_query(member().club)).all()
        sessions = [replayed(stored_events(connection, row.id)) for row in rows]
    found = [
        (row, number, [_flag_text(session, number, place) for place in places])
        for row, session in zip(rows, sessions, strict=True)
        for number, places in unanswered(session).flags.items()
    ]
    return show("club/flags.html", found=found)


def _flag_text(session: Session[Any, Any], hand: int, place: int) -> str:
    finding = session.hands[hand - 1].findings[place]
    return game_of(session).words.finding_text(finding, language())
