"""Tournaments: the rounds and who leads, for the wall and for phones; what the host draws, publishes and puts right."""

from collections.abc import Callable
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Final

from babel.numbers import format_decimal
from flask import Blueprint, Response, request
from sqlalchemy import Connection

from tracker.games import GAMES
from webui.club import organising
from webui.club import tournament as registry
from webui.club.common import GAME_TITLES, board, done, engine, member, members, note_trail, show
from webui.club.members import CardTable
from webui.club.pages.joining import browser_name
from webui.club.roles import club_may
from webui.club.seating import MOST_ENTRANTS, MOST_ROUNDS, TABLE_SIZES
from webui.club.tournament import DrawnRound, Tournament
from webui.downloads import csv_file, json_file
from webui.errors import EntryError, UserError
from webui.pages import fields
from webui.serving.requests import Answer
from webui.texts import language, text

blueprint = Blueprint("tournaments", __name__)
_MOST_CHIPS: Final = 1_000_000
_LONGEST_NAME: Final = 60


@blueprint.get("/tournaments")
def tournaments() -> str:
    """The club's tournaments."""
    with engine().begin() as connection:
        rows = connection.execute(registry.tournaments_query(member().club)).all()
    return show(
        "club/tournaments.html",
        rows=[(row, datetime.fromtimestamp(row.made_at).date()) for row in rows],
        games=GAME_TITLES,
        sizes=TABLE_SIZES,
    )


def _found(number: int) -> Tournament:
    with engine().begin() as connection:
        return registry.tournament(connection, member().club, number)


def table_points_text(points: Fraction) -> str:
    """Table points as the reader's language writes numbers."""
    return format_decimal(float(points), format="0.##", locale=language())


@blueprint.get("/tournaments/<int:number>")
def tournament(number: int) -> str:
    """A tournament: who leads, and the rounds that are published. Who may draw sees the others, too."""
    found = _found(number)
    by_points = request.args.get("by") == "points"
    runs = club_may(member().role, "tournaments.draw")
    rounds = [one for one in found.rounds if one.published or runs]
    tables = max((table.number for one in found.rounds for table in one.tables), default=0)
    own = next((one.id for one in found.entrants.values() if one.person == member().person), None)
    return show(
        "club/tournament.html",
        it=found,
        rounds=list(reversed(rounds)),
        standings=found.standings(by_points=by_points),
        by_points=by_points,
        table_points_text=table_points_text,
        own=own,
        card_tables=members().tables_of(member().club),
        tables=range(1, tables + 1),
        next_number=len(found.published) + 1,
        drafts=any(not one.published for one in found.rounds),
    )


def _changed(number: int, what: str, change: Callable[[Connection, int], Any]) -> Answer:
    """Carry out `change` of the tournament, and show it."""
    with engine().begin() as connection:
        organising.lock(connection, member().club, number)
        change(connection, member().club)
    note_trail(member().club, browser_name(), what, f"tournament {number}")
    board().changed(member().club)
    return done(f"/tournaments/{number}")


def _names() -> list[str]:
    """The names in the field `names`, one a line."""
    lines = request.form.get("names", "").splitlines()[: MOST_ENTRANTS + 1]
    names = [" ".join(line.split()) for line in lines if line.strip()]
    for name in names:
        fields.check_name(name)
    return names


@blueprint.post("/tournaments")
def make() -> Answer:
    """A new tournament."""
    fields.field("name")
    name, names = fields.words("name"), _names()
    fields.check_name(name, _LONGEST_NAME)
    game = fields.choice("game", tuple(GAMES))
    size, rounds = (
        fields.number("size", min(TABLE_SIZES), max(TABLE_SIZES)),
        fields.number("rounds", 1, MOST_ROUNDS),
    )
    with engine().begin() as connection:
        number = organising.make(connection, member().club, name, game, size, rounds, names)
    note_trail(member().club, browser_name(), "made a tournament", f"tournament {number}")
    return done(f"/tournaments/{number}")


@blueprint.post("/tournaments/<int:number>/enter")
def enter(number: int) -> Answer:
    """Who came late takes part, too."""
    names = _names()
    if not names:
        raise EntryError("Choose the players.")
    return _changed(
        number,
        "let players enter",
        lambda connection, club: organising.enter_players(connection, club, number, names),
    )


@blueprint.post("/tournaments/<int:number>/leave")
def leave(number: int) -> Answer:
    """Somebody plays no more."""
    entrant = fields.number("entrant", 1, 10**9)
    found = _found(number)
    if entrant not in found.entrants:
        raise EntryError("There is no such player.", 404)
    drafts = [str(one.number) for one in found.rounds if not one.published]
    question = text(
        "{name} plays no more in this tournament; what was played stands.", name=found.entrants[entrant].name
    )
    if drafts:
        question += " " + text(
            "The rounds that are not published are dropped: {rounds}.", rounds=", ".join(drafts)
        )
    fields.ask_first(question, text("Plays no more"))
    return _changed(
        number,
        "let a player leave",
        lambda connection, club: organising.leave(connection, club, number, entrant),
    )


@blueprint.post("/tournaments/<int:number>/draw")
def draw(number: int) -> Answer:
    """Draw the rounds that are not published."""
    return _changed(
        number, "drew the rounds", lambda connection, club: organising.draw(connection, club, number)
    )


@blueprint.post("/tournaments/<int:number>/publish")
def publish(number: int) -> Answer:
    """The next round is shown to everybody."""
    own = members().tables_of(member().club)

    def change(connection: Connection, club: int) -> None:
        at = organising.publish(connection, club, number)
        found = registry.tournament(connection, club, number)
        organising.set_places(connection, club, number, _with_known(found, at, own))

    return _changed(number, "published a round", change)


def _with_known(found: Tournament, at: int, own: list[CardTable]) -> dict[int, int]:
    """The tournament's tables; where one is nobody's yet, the card table that has its number in its name."""
    places = dict(found.places)
    drawn = next(one for one in found.rounds if one.number == at)
    for table in drawn.tables:
        called = [one.id for one in own if _digits(one.name) == str(table.number)]
        if table.number not in places and len(called) == 1 and called[0] not in places.values():
            places[table.number] = called[0]
    return places


def _digits(name: str) -> str:
    return "".join(letter for letter in name if letter.isdecimal()).lstrip("0")


@blueprint.post("/tournaments/<int:number>/withdraw")
def withdraw(number: int) -> Answer:
    """The newest round is published no more."""
    return _changed(
        number, "withdrew a round", lambda connection, club: organising.withdraw(connection, club, number)
    )


@blueprint.post("/tournaments/<int:number>/tables")
def places(number: int) -> Answer:
    """Which card table is which table of the tournament."""
    chosen = {
        int(key.removeprefix("table-")): fields.number(key, 1, 10**9)
        for key, value in request.form.items()
        if key.startswith("table-") and key.removeprefix("table-").isdecimal() and len(key) < 12 and value
    }
    return _changed(
        number,
        "set the tables",
        lambda connection, club: organising.set_places(connection, club, number, chosen),
    )


@blueprint.post("/tournaments/<int:number>/result")
def result(number: int) -> Answer:
    """Everybody's chips at a table, as they were counted there; or the evening's own again."""
    at, table = fields.number("round", 1, MOST_ROUNDS), fields.number("table", 1, MOST_ENTRANTS)
    chips = None if "evening" in request.form else _chips()
    return _changed(
        number,
        f"entered round {at}, table {table}"
        if chips
        else f"took back what was entered: round {at}, table {table}",
        lambda connection, club: organising.enter_result(connection, club, number, at, table, chips),
    )


def _chips() -> dict[int, int]:
    """The chips in the fields `chips-N`, by the entrant's number N."""
    found = {}
    for key in request.form:
        entrant = key.removeprefix("chips-")
        if key.startswith("chips-") and entrant.isdecimal() and len(entrant) < 10:
            found[int(entrant)] = _whole(fields.field(key))
    return found


def _whole(value: str) -> int:
    """A whole number that may be below 0."""
    plain = value.replace("−", "-").removeprefix("+")
    digits = plain.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10 and int(digits) <= _MOST_CHIPS):
        raise EntryError("“{value}” is not a number that can be used here.", value=value)
    return int(plain)


@blueprint.post("/tournaments/<int:number>/delete")
def delete(number: int) -> Answer:
    """The tournament goes; its evenings stay."""
    found = _found(number)
    fields.ask_first(
        text(
            "The tournament {name} goes, with {players} players, {rounds} published rounds and the results entered by "
            "hand. Its evenings stay. It can be brought back for 30 days.",
            name=found.name,
            players=len(found.entrants),
            rounds=len(found.published),
        ),
        text("Delete the tournament"),
    )
    with engine().begin() as connection:
        organising.remove(connection, member().club, number)
    note_trail(member().club, browser_name(), "deleted a tournament", f"tournament {number}")
    board().changed(member().club)
    return done("/tournaments")


# ---- files ----


@blueprint.get("/tournaments/<int:number>.csv")
def results_csv(number: int) -> Response:
    """Who sat where with how many chips, as a table for spreadsheets."""
    found = _found(number)
    head: list[str | int] = [text("Round"), text("Table"), text("Place"), text("Player"), text("Chips")]
    rows: list[list[str | int]] = [
        [
            one.number,
            table.number,
            place,
            seated.entrant.name,
            seated.chips if seated.chips is not None else "",
        ]
        for one in found.published
        for table in one.tables
        for place, seated in enumerate(table.seats, start=1)
    ]
    return csv_file([head, *rows], f"tarok-tournament-{number}.csv")


@blueprint.get("/tournaments/<int:number>.json")
def results_json(number: int) -> Response:
    """The tournament's published rounds and both standings, as JSON."""
    found = _found(number)
    data = {
        "format": "tarok-tournament/1",
        "name": found.name,
        "game": found.game,
        "rounds": [_round_data(one) for one in found.published],
        "by chips": _standings_data(found, by_points=False),
        "by table points": _standings_data(found, by_points=True),
    }
    return json_file(data, f"tarok-tournament-{number}.json", indent=1)


def _round_data(one: DrawnRound) -> dict[str, Any]:
    return {
        "tables": [
            {
                "table": table.number,
                "seats": [{"player": seated.entrant.name, "chips": seated.chips} for seated in table.seats],
            }
            for table in one.tables
        ],
        "resting": [entrant.name for entrant in one.resting],
    }


def _standings_data(found: Tournament, *, by_points: bool) -> list[dict[str, Any]]:
    return [
        {
            "rank": one.rank,
            "player": found.entrants[one.player].name,
            "rounds": one.rounds,
            "chips": one.chips,
            "points": str(one.points),
        }
        for one in found.standings(by_points=by_points)
    ]


@blueprint.get("/tournaments/<int:number>.pdf")
def lists(number: int) -> Response:
    """The rounds that were drawn as lists to print; needs the extra `print`."""
    from webui.printing.pages import seating_lists

    found = _found(number)
    if not found.rounds:
        raise EntryError("Draw the rounds first.", 409)
    rounds = [
        (
            [[seated.entrant.name for seated in table.seats] for table in one.tables],
            [entrant.name for entrant in one.resting],
        )
        for one in found.rounds
    ]
    try:
        pdf = seating_lists("a4", rounds, 1, language())
    except UserError:
        raise EntryError(
            "This server can make no PDF: the extra “print” is not installed there.", 501
        ) from None
    headers = {"Content-Disposition": f'attachment; filename="tarok-{date.today()}-{number}.pdf"'}
    return Response(pdf, mimetype="application/pdf", headers={**headers, "Cache-Control": "no-store"})
