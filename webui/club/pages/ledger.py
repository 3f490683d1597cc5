"""The ledger of an evening or a season over all tables: standings, who owes whom, files."""

from datetime import date, timedelta

from flask import Blueprint, Response, request

from tracker.games import GAMES
from tracker.owing import Transfer, transfers
from webui.club.common import engine, member, show
from webui.club.results import Standing, season
from webui.downloads import csv_file, json_file
from webui.pages.fields import day_value, days_in
from webui.texts import text

blueprint = Blueprint("ledger", __name__)


def _asked() -> tuple[dict[str, list[Standing]], date, date]:
    """The standings of the days in the address, by game, and these days."""
    since, until = days_in(request.args)
    with engine().begin() as connection:
        return season(connection, member().club, since, until), since, until


def owed_in(standings: list[Standing]) -> list[Transfer] | None:
    """Who owes whom; None for a game with points, which do not sum to 0."""
    game = GAMES[standings[0].game]
    if not game.session.keeps_chips:
        return None
    return transfers({one.name: one.chips for one in standings})


@blueprint.get("/ledger")
def ledger() -> str:
    """The page of the settled evenings' totals."""
    found, since, until = _asked()
    today = date.today()
    return show(
        "club/ledger.html",
        found=found,
        owed={game: owed_in(standings) for game, standings in found.items()},
        since=day_value(since),
        until=day_value(until),
        today=today.isoformat(),
        yesterday=(today - timedelta(days=1)).isoformat(),
    )


@blueprint.get("/ledger.csv")
def ledger_csv() -> Response:
    """The standings as a table for spreadsheets."""
    found, _, _ = _asked()
    head: list[str | int] = [
        text("Game"), text("Player"), text("Evenings"), text("Hands played"), text("Chips"), text("Best"), text("Worst")
    ]  # fmt: skip
    rows: list[list[str | int]] = [
        [game, one.name, one.evenings, one.hands, one.chips, one.best, one.worst]
        for game, standings in found.items()
        for one in standings
    ]
    return csv_file([head, *rows], "tarok-club.csv")


@blueprint.get("/ledger.json")
def ledger_json() -> Response:
    """The standings and who owes whom, as JSON."""
    found, since, until = _asked()
    data = {
        "format": "tarok-club-ledger/1",
        "from": day_value(since) or None,
        "to": day_value(until) or None,
        "games": {
            game: {
                "standings": [
                    {key: value for key, value in vars(one).items() if key not in ("person", "game")}
                    for one in standings
                ],
                "owed": [
                    {"from": one.source, "to": one.target, "amount": one.amount}
                    for one in owed_in(standings) or ()
                ],
            }
            for game, standings in found.items()
        },
    }
    return json_file(data, "tarok-club.json", indent=1)
