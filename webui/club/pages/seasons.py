"""Seasons: who leads over many evenings, as a page, a table for spreadsheets and a PDF to print."""

from datetime import date
from typing import Final

from flask import Blueprint, Response, request

from tracker.catalogue import msgid
from tracker.games import GAMES
from webui.club import seasons as kept
from webui.club.common import GAME_TITLES, engine, list_file, member, show
from webui.club.pages.joining import note_own
from webui.club.pages.tournaments import score_text
from webui.club.seasons import ClubSeason, InSeason
from webui.downloads import csv_file
from webui.errors import EntryError
from webui.pages import fields
from webui.serving.requests import Answer, sent_to
from webui.texts import day_text, language, text

blueprint = Blueprint("seasons", __name__)
_MOST: Final = 366


@blueprint.get("/seasons")
def seasons() -> str:
    """The page of the club's seasons."""
    with engine().begin() as connection:
        rows = kept.club_seasons(connection, member().club)
    return show("club/seasons.html", rows=rows, games=GAME_TITLES)


def _found(number: int) -> tuple[ClubSeason, list[InSeason]]:
    with engine().begin() as connection:
        found = kept.season_called(connection, member().club, number)
        return found, kept.standings_of_season(connection, member().club, found)


@blueprint.get("/seasons/<int:number>")
def season(number: int) -> str:
    """The page of a season: who leads, and how it is counted."""
    found, standings = _found(number)
    return show("club/season.html", it=found, standings=standings, own=member().person, score_text=score_text)


@blueprint.post("/seasons")
def make() -> Answer:
    """Make a new season."""
    name = fields.title()
    since = fields.day_in("since", request.form, date.today())
    until = fields.day_in("until", request.form, date.today())
    if until < since:
        raise EntryError("A season ends after it begins.")
    best = fields.number_in("best", request.form, 0)
    least = fields.number_in("least", request.form, 1)
    points = request.form.get("points", "").replace(",", " ").split()
    if not (best <= _MOST and 1 <= least <= _MOST and len(points) <= _MOST):
        raise EntryError("A season has {count} evenings at most.", count=_MOST)
    made = ClubSeason(
        0,
        name,
        fields.choice("game", tuple(GAMES)),
        since,
        until,
        best or None,
        least,
        tuple(_place_points(value) for value in points),
    )
    with engine().begin() as connection:
        number = kept.make_season(connection, member().club, made)
    note_own(msgid("made season {number}"), number=number)
    return sent_to(f"/seasons/{number}")


def _place_points(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 5):
        raise EntryError("“{value}” is not a number that can be used here.", value=value)
    return int(value)


@blueprint.post("/seasons/<int:number>/delete")
def delete(number: int) -> Answer:
    """Delete a season; its evenings stay."""
    found, _ = _found(number)
    question = text("The season {name} is deleted for good. Its evenings stay.", name=found.name)
    fields.ask_first(question, text("Delete the season"))
    with engine().begin() as connection:
        kept.remove_season(connection, member().club, number)
    note_own(msgid("deleted season {number}"), number=number)
    return sent_to("/seasons")


@blueprint.get("/seasons/<int:number>.csv")
def standings_csv(number: int) -> Response:
    """The standings as a table for spreadsheets. Scores are exact: whole numbers or fractions."""
    _, standings = _found(number)
    head: list[str | int] = [text("Rank"), text("Player"), text("Evenings"), text("Counted"), text("Score")]
    rows: list[list[str | int]] = [
        [one.rank or "", one.name, one.evenings, len(one.counted), str(one.score)] for one in standings
    ]
    return csv_file([head, *rows], f"tarok-season-{number}.csv")


@blueprint.get("/seasons/<int:number>.pdf")
def standings_pdf(number: int) -> Response:
    """The standings as a PDF to print; needs the extra `print`."""
    from webui.printing.pages import season_sheet

    found, standings = _found(number)
    rows = [
        (str(one.rank or "–"), one.name, f"{len(one.counted)}/{one.evenings}", score_text(one.score))
        for one in standings
    ]
    days = f"{day_text(found.since, 'medium')} – {day_text(found.until, 'medium')}"
    return list_file(lambda: season_sheet(found.name, days, rows, language()), f"tarok-season-{number}.pdf")
