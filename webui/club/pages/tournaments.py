"""Tournaments: rounds and standings for the wall and for phones; what the host draws, publishes and puts right."""

import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Final, TypeVar, get_args

from babel.numbers import format_decimal
from flask import Blueprint, Response, request
from sqlalchemy import Connection

from tracker.catalogue import msgid
from tracker.games import GAMES
from webui.club import confirming, organising
from webui.club import tournament as registry
from webui.club.common import GAME_TITLES, board, engine, list_file, member, members, show
from webui.club.confirming import EnteredResult
from webui.club.pages.changing import change_tournament
from webui.club.pages.joining import note_own
from webui.club.pages.round_values import round_values
from webui.club.pages.wall import invitation_code
from webui.club.roles import ClubRole, club_may
from webui.club.rounds import attach_evening
from webui.club.seating import MOST_ENTRANTS, MOST_ROUNDS, TABLE_SIZES
from webui.club.standings import Ranked
from webui.club.tournament import DrawnRound, EnteredChips, Entrant, RoundTable, Tournament
from webui.club.tournament_rules import ABOUT, CHOICES, TIE_BREAKS, Compared, TournamentRules
from webui.downloads import csv_file, json_file
from webui.errors import EntryError
from webui.pages import fields
from webui.serving.requests import Answer, see_other, sent_to
from webui.texts import language, signed, text

blueprint = Blueprint("tournaments", __name__)
_Row = TypeVar("_Row")
_MOST_CHIPS: Final = 1_000_000
_MOST_HANDS: Final = 500
_MOST_TABLES: Final = 6
_MOST_TABLES_OF_FIVE: Final = 4
_MOST_PLACES: Final = 15
"""How many tables, and places in the standings, fit on a wall in letters that are read from ten metres."""
_COMPARED: Final = CHOICES["compare"]


@blueprint.get("/tournaments")
def tournaments() -> str:
    """The page of the club's tournaments."""
    with engine().begin() as connection:
        rows = connection.execute(registry.tournaments_query(member().club)).all()
    return show(
        "club/tournaments.html",
        rows=[(row, datetime.fromtimestamp(row.made_at).date()) for row in rows],
        games=GAME_TITLES,
        sizes=TABLE_SIZES,
        choices=CHOICES,
        about=ABOUT,
        rules=TournamentRules(),
    )


def _found(number: int) -> Tournament:
    with engine().begin() as connection:
        return registry.tournament(connection, member().club, number)


def decimal_text(value: Fraction) -> str:
    """Table points as the reader's language writes numbers, with at most two decimals."""
    return format_decimal(float(value), format="0.##", locale=language())


def score_text(value: Fraction) -> str:
    """A score as the reader's language writes numbers, with two decimals."""
    return format_decimal(float(value), format="0.00", locale=language()).replace("-", "−")


@blueprint.get("/tournaments/<int:number>")
def tournament(number: int) -> str:
    """The page of a tournament: the round that is played, who leads, the other rounds, and for the host the drafts."""
    found = _found(number)
    by = next((one for one in get_args(Compared) if one == request.args.get("by")), found.rules.compare)
    runs = club_may(member().role, "tournaments.draw")
    tables = max((table.number for one in found.rounds for table in one.tables), default=0)
    own = next((one.id for one in found.entrants.values() if one.person == member().person), None)
    played = found.played
    with engine().begin() as connection:
        rounds = round_values(connection, member().club, found)
    return show(
        "club/tournament.html",
        it=found,
        played=played,
        earlier=[one for one in reversed(found.published) if one is not played],
        drafts=[one for one in found.rounds if not one.published] if runs else [],
        standings=found.standings(by),
        by=by,
        tie_breaks=TIE_BREAKS,
        choices=CHOICES,
        about=ABOUT,
        decimal_text=decimal_text,
        score_text=score_text,
        own=own,
        card_tables=members().tables_of(member().club),
        tables=range(1, tables + 1),
        next_number=len(found.published) + 1,
        r=rounds,
    )


@blueprint.get("/tournaments/<int:number>/wall")
def on_the_wall(number: int) -> str | Response:
    """The page of the round that is played beside the standings, for a screen that is read from ten metres.

    What does not fit is on a next part, to which the page turns by itself. The shorter of both lists begins again.
    A screen that turns so leaves a tournament that is not today's any more: nobody stands there to tell it.
    """
    with engine().begin() as connection:
        today = connection.execute(registry.tournament_of_today_query(member().club)).first()
        if (
            member().role is ClubRole.WALL
            and "part" in request.args
            and (today is None or today.id != number)
        ):
            return see_other("/")
        found = registry.tournament(connection, member().club, number)
        values = round_values(connection, member().club, found)
    played = found.played
    seated = played.tables if played is not None else ()
    most = max((len(table.seats) for table in seated), default=0)
    tables = _parts(seated, _MOST_TABLES if most < 5 else _MOST_TABLES_OF_FIVE)
    standings = _parts(found.standings(), _MOST_PLACES)
    parts = max(len(tables), len(standings))
    part = min(fields.number_in("part", request.args, 0), parts - 1)
    return show(
        "club/tournament_wall.html",
        it=found,
        r=values,
        played=played,
        tables=tables[part % len(tables)],
        standings=standings[part % len(standings)],
        most=most,
        score_text=score_text,
        code=invitation_code(member().club),
        next_part=(part + 1) % parts,
    )


def _parts(rows: Sequence[_Row], most: int) -> list[Sequence[_Row]]:
    """The rows in parts of about the same length, with at most `most` rows each."""
    count = max(1, math.ceil(len(rows) / most))
    each = math.ceil(len(rows) / count)
    return [rows[part * each : (part + 1) * each] for part in range(count)]


def _names() -> list[str]:
    """The names in the field `names`, one on each line."""
    lines = request.form.get("names", "").splitlines()[: MOST_ENTRANTS + 1]
    names = [" ".join(line.split()) for line in lines if line.strip()]
    for name in names:
        fields.check_player(name)
    return names


@blueprint.post("/tournaments")
def make() -> Answer:
    """Make a new tournament."""
    name, names = fields.title(), _names()
    game = fields.choice("game", tuple(GAMES))
    size = fields.number("size", min(TABLE_SIZES), max(TABLE_SIZES))
    rounds = fields.number("rounds", 1, MOST_ROUNDS)
    rules = _rules(TournamentRules())
    with engine().begin() as connection:
        number = organising.make(connection, member().club, name, game, size, rounds, names, rules)
    note_own(msgid("made tournament {tournament}"), tournament=number)
    return sent_to(f"/tournaments/{number}")


def _rules(before: TournamentRules) -> TournamentRules:
    """The rules of `before`, with the choices that were sent."""
    sent = {
        name: fields.choice(name, tuple(words)) for name, words in CHOICES.items() if name in request.form
    }
    return TournamentRules(**{**vars(before), **sent})


@blueprint.post("/tournaments/<int:number>/rules")
def rules(number: int) -> Answer:
    """Change how the tournament is counted and drawn."""
    chosen = _rules(_found(number).rules)
    return change_tournament(
        number,
        msgid("chose how it is counted (tournament {tournament})"),
        lambda connection, club: organising.choose_rules(connection, number, chosen),
    )


@blueprint.post("/tournaments/<int:number>/enter")
def enter(number: int) -> Answer:
    """Let players who came late take part; one of them may sit down at a table of the round that is played."""
    names = _names()
    if not names:
        raise EntryError("Choose the players.")
    table = fields.number_in("table", request.form, 0)
    if table and len(names) > 1:
        raise EntryError("Let them sit down one after the other.")

    def change(connection: Connection, club: int) -> None:
        if table:
            organising.seat_late(connection, club, number, table, names[0])
        else:
            organising.enter_players(connection, club, number, names)

    return change_tournament(number, msgid("let players enter (tournament {tournament})"), change)


@blueprint.post("/tournaments/<int:number>/leave")
def leave(number: int) -> Answer:
    """Let somebody miss a round, or leave; another may sit in for him."""
    entrant = fields.number("entrant")
    found = _found(number)
    name = found.entrant(entrant).name
    when = fields.field("round")
    after = when == "after"
    at = 0 if when in ("after", "left") else fields.number("round", 1, MOST_ROUNDS)
    instead = fields.words("substitute")
    if instead:
        fields.check_player(instead)
    drafts = [str(one.number) for one in found.rounds if not one.published]
    if not at:
        question = text("{name} no longer plays in this tournament; what was played stands.", name=name)
        if drafts:
            question += " " + text(
                "The rounds that are not published are dropped: {rounds}.", rounds=", ".join(drafts)
            )
        fields.ask_first(question, text("No longer plays"))

    def change(connection: Connection, club: int) -> None:
        if at:
            organising.rest(connection, club, number, at, entrant, instead)
        else:
            organising.leave(connection, club, number, entrant, instead, at_once=not after)

    return change_tournament(
        number,
        msgid("let a player rest in round {round} (tournament {tournament})")
        if at
        else msgid("let a player leave (tournament {tournament})"),
        change,
        round=at,
    )


@blueprint.post("/tournaments/<int:number>/present")
def present(number: int) -> Answer:
    """Let somebody play in a coming round after all."""
    entrant, at = fields.number("entrant"), fields.number("round", 1, MOST_ROUNDS)
    return change_tournament(
        number,
        msgid("let a player play in round {round} after all (tournament {tournament})"),
        lambda connection, club: organising.rest_no_more(connection, club, number, at, entrant),
        round=at,
    )


@blueprint.post("/tournaments/<int:number>/draw")
def draw(number: int) -> Answer:
    """Draw the rounds that are not published."""
    return change_tournament(
        number,
        msgid("drew the rounds (tournament {tournament})"),
        lambda connection, club: organising.draw(connection, club, number),
    )


@blueprint.post("/tournaments/<int:number>/publish")
def publish(number: int) -> Answer:
    """Publish the next round. The host is asked first while the round before is still played."""
    at, own = fields.number("round", 1, MOST_ROUNDS), members().tables_of(member().club)
    played = _found(number).played
    if played is not None and played.number == at - 1 and not played.over:
        playing = [str(table.number) for table in played.tables if table.chips is None]
        question = text(
            "Round {number} is not over at these tables: {tables}.",
            number=played.number,
            tables=", ".join(playing),
        )
        fields.ask_first(question, text("Publish round {number}", number=at))

    def change(connection: Connection, club: int) -> None:
        organising.publish(connection, club, number, at)
        organising.find_places(connection, club, number, own)

    return change_tournament(number, msgid("published a round (tournament {tournament})"), change)


@blueprint.post("/tournaments/<int:number>/withdraw")
def withdraw(number: int) -> Answer:
    """Withdraw the newest round."""
    at = fields.number("round", 1, MOST_ROUNDS)
    return change_tournament(
        number,
        msgid("withdrew a round (tournament {tournament})"),
        lambda connection, club: organising.withdraw(connection, club, number, at),
    )


@blueprint.post("/tournaments/<int:number>/tables")
def places(number: int) -> Answer:
    """Set which card table is which table of the tournament."""
    chosen = {
        int(key.removeprefix("table-")): fields.number(key)
        for key, value in request.form.items()
        if key.startswith("table-") and key.removeprefix("table-").isdecimal() and len(key) < 12 and value
    }
    return change_tournament(
        number,
        msgid("set the tables (tournament {tournament})"),
        lambda connection, club: organising.set_places(connection, club, number, chosen),
    )


@blueprint.post("/tournaments/<int:number>/result")
def result(number: int) -> Answer:
    """Enter everybody's chips at a table, as they were counted there, or let the evening's chips count again."""
    at, reason = table_named(number), why_said()
    entered = None if "evening" in request.form else chips_entered()
    return change_tournament(
        number,
        msgid("entered round {round}, table {table} (tournament {tournament})")
        if entered
        else msgid("took back what was entered: round {round}, table {table} (tournament {tournament})"),
        lambda connection, club: confirming.correct(connection, club, at, entered, reason),
        round=at.round,
        table=at.table,
    )


def table_named(number: int) -> RoundTable:
    """The table of a round of the tournament `number` that the form is about."""
    at, table = fields.number("round", 1, MOST_ROUNDS), fields.number("table", 1, MOST_ENTRANTS)
    return RoundTable(number, at, table)


def why_said() -> str:
    """The reason that was typed, "" for none. Raises EntryError for one that is too long."""
    reason = " ".join(fields.words("reason").split())
    if len(reason) > confirming.LONGEST_REASON:
        raise EntryError("A reason has {most} characters at most.", most=confirming.LONGEST_REASON)
    return reason


def chips_entered() -> EnteredChips:
    """The chips in the fields `chips-N`, by the entrant's number N, and how many hands were played at the table."""
    found = {}
    for key in request.form:
        entrant = key.removeprefix("chips-")
        if key.startswith("chips-") and entrant.isdecimal() and len(entrant) < 10:
            found[int(entrant)] = whole_number(fields.field(key))
    hands = fields.number("hands", 1, _MOST_HANDS) if request.form.get("hands") else None
    return EnteredChips(found, hands)


def whole_number(value: str) -> int:
    """A whole number that may be below 0."""
    plain = value.replace("−", "-").removeprefix("+")
    digits = plain.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10 and int(digits) <= _MOST_CHIPS):
        raise EntryError("“{value}” is not a number that can be used here.", value=value)
    return int(plain)


@blueprint.post("/tournaments/<int:number>/evening")
def attach(number: int) -> Answer:
    """Set which evening is that table of a round; an empty field sets none."""
    at = table_named(number)
    evening = fields.number("evening") if request.form.get("evening") else None
    return change_tournament(
        number,
        msgid("said which evening is round {round}, table {table} (tournament {tournament})"),
        lambda connection, club: attach_evening(connection, club, at, evening),
        round=at.round,
        table=at.table,
    )


@blueprint.post("/tournaments/<int:number>/delete")
def delete(number: int) -> Answer:
    """Delete a tournament; its evenings stay."""
    found = _found(number)
    fields.ask_first(
        text(
            "The tournament {name} is deleted, with {players} players, {rounds} published rounds and the "
            "results that were typed in. Its evenings stay. It can be brought back for 30 days.",
            name=found.name,
            players=len(found.entrants),
            rounds=len(found.published),
        ),
        text("Delete the tournament"),
    )
    with engine().begin() as connection:
        organising.remove(connection, member().club, number)
    note_own(msgid("deleted tournament {tournament}"), tournament=number)
    board().changed(member().club)
    return sent_to("/tournaments")


# ---- files ----


@blueprint.get("/tournaments/<int:number>.csv")
def results_csv(number: int) -> Response:
    """Who sat where with how many chips, as a table for spreadsheets."""
    found, entered = _found(number), _entered(number)
    head: list[str | int] = [
        text("Round"), text("Table"), text("Place"), text("Player"), text("Chips"), text("Hands played"),
        text("Stands in for"), text("Why it was corrected"),
    ]  # fmt: skip
    rows: list[list[str | int]] = [
        [
            one.number,
            table.number,
            place,
            seated.entrant.name,
            seated.chips if seated.chips is not None else "",
            str(seated.hands) if seated.chips is not None else "",
            found.entrants[seated.stands_for].name if seated.stands_for is not None else "",
            _reason(entered.get((one.number, table.number))),
        ]
        for one in found.published
        for table in one.tables
        for place, seated in enumerate(table.seats, start=1)
    ]
    rows += [
        [one.round, text("Adjustment"), "", found.entrants[one.entrant].name, one.chips, "", "", one.reason]
        for one in found.adjustments
    ]
    return csv_file([head, *rows], f"tarok-tournament-{number}.csv")


@blueprint.get("/tournaments/<int:number>.json")
def results_json(number: int) -> Response:
    """The tournament's published rounds and its standings, as JSON."""
    found, entered = _found(number), _entered(number)
    data = {
        "format": "tarok-tournament/1",
        "name": found.name,
        "game": found.game,
        "rounds": [_round_data(one, found, entered) for one in found.published],
        "adjustments": [
            {
                "round": one.round,
                "player": found.entrants[one.entrant].name,
                "chips": one.chips,
                "points": one.points,
                "reason": one.reason,
            }
            for one in found.adjustments
        ],
        "rules": vars(found.rules),
        "standings": _standings_data(found, found.standings()),
        "by chips": _standings_data(found, found.standings("chips")),
        "by table points": _standings_data(found, found.standings("points")),
    }
    return json_file(data, f"tarok-tournament-{number}.json", indent=1)


def _entered(number: int) -> dict[tuple[int, int], EnteredResult]:
    with engine().begin() as connection:
        return confirming.results_of(connection, number)


def _reason(result: EnteredResult | None) -> str:
    return result.reason if result is not None else ""


def _round_data(
    one: DrawnRound, found: Tournament, entered: Mapping[tuple[int, int], EnteredResult]
) -> dict[str, Any]:
    names = {number: entrant.name for number, entrant in found.entrants.items()}
    return {
        "tables": [
            {
                "table": table.number,
                "entered": entered[at].state if (at := (one.number, table.number)) in entered else None,
                "reason": _reason(entered.get(at)),
                "seats": [
                    {
                        "player": seated.entrant.name,
                        "chips": seated.chips,
                        "hands": str(seated.hands),
                        "stands in for": names.get(seated.stands_for or 0),
                    }
                    for seated in table.seats
                ],
            }
            for table in one.tables
        ],
        "resting": [entrant.name for entrant in one.resting],
        "away": [entrant.name for entrant in one.away],
    }


def _standings_data(found: Tournament, standings: list[Ranked]) -> list[Mapping[str, Any]]:
    return [
        {
            "rank": one.rank,
            "player": found.entrants[one.player].name,
            "rounds": one.rounds,
            "credited": one.credited,
            "chips": one.chips,
            "points": str(one.points),
            "score": str(one.score),
        }
        for one in standings
    ]


@blueprint.get("/tournaments/<int:number>.pdf")
def lists(number: int) -> Response:
    """The drawn rounds as lists to print, in a PDF; needs the extra `print`."""
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
    return list_file(lambda: seating_lists(rounds, 1, language()), f"tarok-{date.today()}-{number}.pdf")


@blueprint.get("/tournaments/<int:number>/standings.pdf")
def final_standings(number: int) -> Response:
    """The final standings to print, in a PDF; needs the extra `print`."""
    from webui.printing.pages import final_list

    found = _found(number)
    if not found.over:
        raise EntryError("The final standings are known once all rounds are over.", 409)
    about = [
        f"{text('Final standings')} · {text(GAME_TITLES[found.game])}",
        text(_COMPARED[found.rules.compare]),
    ]
    rows = [
        (
            str(one.rank or "–"),
            _name_listed(found.entrants[one.player]),
            f"{one.rounds} + {one.credited}" if one.credited else str(one.rounds),
            signed(one.chips),
            decimal_text(one.points),
            score_text(one.score),
        )
        for one in found.standings()
    ]
    return list_file(
        lambda: final_list(found.name, about, rows, language()), f"tarok-tournament-{number}.pdf"
    )


def _name_listed(entrant: Entrant) -> str:
    """The name, and what sets the entrant apart from those who played from the first round to the last."""
    if not entrant.active:
        return f"{entrant.name} ({text('has left')})"
    return f"{entrant.name} ({text('substitute')})" if entrant.substitute else entrant.name
