"""History: past evenings, their hands, the season, who owes whom; and the files of evenings, given out and taken in."""

import re
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from babel.numbers import get_decimal_symbol
from flask import Blueprint, Response, g, request

from tracker.drills import question_count
from tracker.events import SessionClosed
from tracker.figures import PersonFigures, added_up
from tracker.hand import Hand
from tracker.owing import transfers
from tracker.reader import SessionFileError
from tracker.results import result_of, tallies
from webui.downloads import csv_file, json_file
from webui.games.pages import PAGES, page_of
from webui.pages import fields
from webui.pages.common import (
    Answer,
    EntryError,
    hand_called,
    live,
    past_evening,
    render,
    replayed_hands,
    sender,
    sent_to,
)
from webui.pages.fields import day_in, day_value, days_in
from webui.people.fair_play import Sight
from webui.people.roles import Role
from webui.serving.security import seat_of
from webui.table.history import (
    Past,
    Season,
    all_file,
    figures_past,
    import_file,
    is_day_of_play,
    is_of,
    past_evenings,
    seasons_of,
)
from webui.table.host_choices import LONGEST_CURRENCY
from webui.texts import damaged_text, language, ntext, short_day_text, text
from webui.view.hand_rows import past_tricks
from webui.view.history import (
    chips_chart,
    money_words,
    owed_for_points,
    tally_rows,
    tally_table,
    without_cards,
)
from webui.view.payment_rows import told_payments
from webui.view.persons import person_game, person_table, person_table_head
from webui.view.result_rows import ending_texts
from webui.view.review import can_be_reviewed

blueprint = Blueprint("history", __name__)
_AMOUNT: Final = re.compile(r"([0-9]{1,4})(?:[.,]([0-9]{1,2}))?")


def _season() -> list[Past]:
    """The evenings of the season that the address asks for, newest first, but none that is damaged."""
    return past_evenings(live(), *days_in(request.args))[0]


def _found(number: int) -> tuple[Past, Sight]:
    """The evening with this number, and what may be shown of it."""
    evening, shown = past_evening(number)
    return Past(evening, result_of(shown.session, shown.parts)), shown


@blueprint.get("/history")
def season() -> str:
    """The page of the evenings, and of the season's totals."""
    since, until = days_in(request.args)
    found, damaged = past_evenings(live(), since, until)
    titles = {
        past.evening.id: text(page.title) for past in found for page in PAGES.values() if is_of(past, page)
    }
    return render(
        "history/season.html",
        evenings=found,
        damaged=[damaged_text(one.day) for one in damaged],
        titles=titles if len(set(titles.values())) > 1 else {},
        seasons=[_season_row(season) for season in seasons_of(found)],
        money=money_words(live().choices),
        since=day_value(since),
        until=day_value(until),
        choices=live().choices,
        amount=_written_amount(live().choices.chip_hundredths),
        point=_written_amount(live().choices.point_hundredths),
        today=date.today().isoformat(),
    )


def _season_row(season: Season) -> dict[str, Any]:
    """A game's season as the page shows it: each player's total after each evening, and who owes whom."""
    sums: dict[str, int] = {}
    steps = []
    for past in reversed(season.settled):
        chips = past.result.chips
        sums = {name: sums.get(name, 0) + chips.get(name, 0) for name in {**sums, **chips}}
        steps.append(sums)
    dates = [short_day_text(past.day) for past in reversed(season.settled)]
    owed = transfers({one.player: one.chips for one in season.total}) if season.keeps_chips else []
    return {
        "title": text(season.page.title),
        "total": season.total,
        "chart": chips_chart(steps, dates),
        "owed": owed,
        "keeps_chips": season.keeps_chips,
    }


def _written_amount(hundredths: int) -> str:
    """An amount as a form shows it, such as 0,10; "" for none."""
    mark = get_decimal_symbol(language())
    return f"{hundredths // 100}{mark}{hundredths % 100:02}" if hundredths else ""


@blueprint.get("/history/<int:number>")
def evening(number: int) -> str:
    """The page of an evening: its chips hand by hand, and who owes whom."""
    past, shown = _found(number)
    page, players = page_of(shown.session), list(past.result.chips)
    found = tallies(shown.session, shown.parts)
    rows = tally_rows(found, players)
    return render(
        "history/evening.html",
        past=past,
        game=text(page.title),
        hidden=shown.hidden,
        settles="" if past.result.settled or number == live().evening.number else text(page.finish),
        left_out=without_cards(shown.session),
        players=players,
        rows=rows,
        replayed=bool(replayed_hands(number, shown)),
        chart=chips_chart([tally.balances for tally in found], [row.mark for row in rows]),
        owed=transfers(past.result.chips) if past.result.settled and past.result.keeps_chips else [],
        owed_money=owed_for_points(past.result.chips, live().choices)
        if past.result.settled and not past.result.keeps_chips
        else [],
        money=money_words(live().choices),
    )


@blueprint.post("/history/<int:number>/settle")
def settle(number: int) -> Answer:
    """Settle an evening that came from a file which does not close it, so that it counts in the season."""
    with live().locked():
        past, shown = _found(number)
        page = page_of(shown.session)
        if number == live().evening.number:
            raise EntryError("This evening is being played; finish it first.", 409)
        if not past.result.settled:
            said = (
                text("The pots are shared evenly, and the evening counts in the season. It cannot be undone.")
                if shown.session.pot_names
                else text("The evening counts in the season. It cannot be undone.")
            )
            fields.ask_first(said, text(page.finish))
            live().enter_past(number, SessionClosed(), sender())
    return sent_to(f"/history/{number}", text("Done."))


@blueprint.get("/history/<int:number>/hands/<int:hand>")
def hand(number: int, hand: int) -> str:
    """The page of a hand of an evening: its tricks and its payments."""
    (past, shown), lang = _found(number), language()
    hands = [part for part in shown.parts if isinstance(part, Hand)]
    one = hand_called(hand, hands)
    tally = next(tally for tally in tallies(shown.session, shown.parts) if tally.part is one)
    page = page_of(shown.session)
    return render(
        "history/hand.html",
        past=past,
        hand=one,
        moved=tally.moved,
        replayed=one in replayed_hands(number, shown),
        review=can_be_reviewed(shown.session, one),
        questions=question_count(one),
        tricks=past_tricks(one, page.game.words, lang),
        payments=told_payments(tally.payments, page, lang),
        facts=page.facts(one, lang),
        endings=ending_texts(shown.session, lang, one),
        before=hand - 1 if hand > 1 else None,
        after=hand + 1 if hand < len(hands) else None,
    )


# ---- persons ----


def _persons() -> tuple[dict[str, dict[str, PersonFigures]], bool]:
    """Everybody's figures of the season's settled evenings, by game; and whether all these evenings are counted.

    A player's phone is only told of the evenings at which he sat.
    """
    everything = g.role is Role.HOST
    seat = seat_of(g.phone)
    found = [past for past in _season() if everything or seat in past.result.chips]
    games = {
        season.page.game.name: added_up(figures_past(live(), past) for past in season.settled)
        for season in seasons_of(found)
    }
    return games, everything


@blueprint.get("/history/persons/<name>")
def person(name: str) -> str:
    """The page of a person: what he did in each game, and what chips that moved."""
    since, until = days_in(request.args)
    found, everything = _persons()
    span = urlencode({key: value for key, value in request.args.items() if key in ("from", "to") and value})
    return render(
        "history/person.html",
        name=name,
        games=[
            person_game(people[name], PAGES[game], language())
            for game, people in found.items()
            if name in people
        ],
        everything=everything,
        since=day_value(since),
        until=day_value(until),
        span=f"?{span}" if span else "",
    )


@blueprint.get("/history/persons/<name>.csv")
def person_csv(name: str) -> Response:
    """The figures of a person as a table for spreadsheets."""
    rows = [
        row
        for game, people in _persons()[0].items()
        for row in person_table({name: people[name]} if name in people else {}, PAGES[game], language())
    ]
    return csv_file([person_table_head(), *rows], "tarok-person.csv")


@blueprint.get("/history/persons.csv")
def persons_csv() -> Response:
    """Everybody's figures, and those of the pots, as a table for spreadsheets."""
    rows = [
        row for game, people in _persons()[0].items() for row in person_table(people, PAGES[game], language())
    ]
    return csv_file([person_table_head(), *rows], "tarok-persons.csv")


# ---- files ----


@blueprint.get("/history/<int:number>.csv")
def evening_csv(number: int) -> Response:
    """The chips that each hand moved, as a table for spreadsheets."""
    past, shown = _found(number)
    players = list(past.result.chips)
    rows = tally_table(tallies(shown.session, shown.parts), players)
    return csv_file([*rows, [text("Total"), *past.result.chips.values()]], f"tarok-{past.day}.csv")


@blueprint.get("/history/<int:number>.json")
def evening_json(number: int) -> Response:
    """The evening as a session file."""
    past, shown = _found(number)
    return json_file(shown.file(), f"tarok-{past.day}.tarok", indent=1)


@blueprint.get("/history.csv")
def all_csv() -> Response:
    """The season's totals as a table for spreadsheets, game by game."""
    head = [
        text("Player"), text("Evenings"), text("Hands played"), text("Chips or points"), text("Best"), text("Worst"),
        text("Game"),
    ]  # fmt: skip
    rows: list[list[str | int]] = [
        [one.player, one.evenings, one.hands, one.chips, one.best, one.worst, text(season.page.title)]
        for season in seasons_of(_season())
        for one in season.total
    ]
    return csv_file([head, *rows], "tarok-season.csv")


@blueprint.get("/history.json")
def all_json() -> Response:
    """Every evening of the season as a session file, in one file."""
    return json_file(all_file(live(), _season()), "tarok-season.json")


@blueprint.post("/history/import")
def take_in() -> Answer:
    """Keep the evenings of a file."""
    file = request.files.get("file")
    if file is None or not file.filename:
        raise EntryError("Choose the file of an evening.")
    day = day_in("day", request.form, date.today())
    if not is_day_of_play(day):
        raise EntryError("“{value}” is not a day. Write it as in 2026-09-01.", value=day)
    try:
        kept = import_file(live(), file.read(), day)
    except SessionFileError as error:
        raise error.within(file.filename) from None
    if not kept:
        raise EntryError("Every evening of that file is already in the history.", 409)
    said = ntext("{count} evening is now in the history.", "{count} evenings are now in the history.", kept)
    return sent_to("/history", said)


@blueprint.post("/history/chip")
def chip() -> Answer:
    """Set what a chip is worth, and what a point of a score sheet is worth."""
    chip, point = _hundredths("amount"), _hundredths("point")
    currency = fields.words("currency")[:LONGEST_CURRENCY]
    live().choose(chip_hundredths=chip, point_hundredths=point, currency=currency)
    return sent_to("/history")


def _hundredths(field: str) -> int:
    """The amount in a field, in hundredths; 0 if the field is empty. Raises EntryError."""
    value = fields.words(field)
    found = _AMOUNT.fullmatch(value or "0")
    if found is None:
        raise EntryError("“{value}” is not an amount. Write it as in 0.10.", value=value)
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))
