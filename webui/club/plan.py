"""A tournament's plan as a file: who sat where. When players come late or leave, drawing goes on from it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tracker.errors import TarokError
from tracker.files import read_at_most
from tracker.games import game_of_rules, rule_set, rules_named
from webui.club.seating import MOST_ENTRANTS, MOST_ROUNDS, Round
from webui.errors import UserError, told_as
from webui.kept_file import json_of, value_in_json

PLAN_FORMAT: Final = "tarok-seating/1"
_LONGEST: Final = 60
_MOST_BYTES: Final = 1 << 20
_MOST_AT_A_TABLE: Final = 8


@dataclass(frozen=True)
class Plan:
    """The `names` of everybody who ever took part, and the `rounds`, whose players are indices of `names`."""

    names: tuple[str, ...]
    rounds: tuple[Round, ...]

    def called(self, number: int) -> tuple[list[list[str]], list[str]]:
        """The tables of the round with that number, from 0, and who rests, by names."""
        one = self.rounds[number]
        return [[self.names[player] for player in table] for table in one.tables], [
            self.names[player] for player in one.resting
        ]


@dataclass(frozen=True)
class _RoundRow:
    """A round in the file: each table's players by name, and who rests."""

    tables: list[list[str]]
    resting: list[str]


@dataclass(frozen=True)
class _PlanFile:
    format: str
    rounds: list[_RoundRow]


def seats_allowed(rules: str) -> list[int]:
    """The numbers of players with whom a table can play by these rules. Raises RuleError."""
    base, options = rules_named(rules)
    session, chosen = game_of_rules(base).session, rule_set(base, options)
    found = []
    for count in range(2, 9):
        with suppress(TarokError):
            session.check_seats([f"player {number}" for number in range(count)], chosen)
            found.append(count)
    return found


def read_names(path: Path) -> list[str]:
    """The names in a text file with one on each line. Raises UserError."""
    names = [line.strip() for line in _text_of(path).splitlines() if line.strip()]
    if len(names) > MOST_ENTRANTS:
        raise UserError(f"{path}: {len(names)} names; a tournament has {MOST_ENTRANTS} players at most")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UserError(f"{path}: {twice} stands there twice")
    wrong = next((name for name in names if not _is_name(name)), None)
    if wrong is not None:
        raise UserError(f"{path}: {wrong[:20]!r} is not a name")
    return names


def read_plan(path: Path) -> Plan:
    """The plan in a file of `plan_text`. Raises UserError."""
    try:
        data = value_in_json(_text_of(path), _PlanFile)
        if data.format != PLAN_FORMAT:
            raise ValueError
        names: list[str] = []
        for row in data.rounds:
            seated = [name for table in [*row.tables, row.resting] for name in table]
            sizes = {len(table) for table in row.tables}
            if len(set(seated)) != len(seated) or not sizes <= set(range(1, _MOST_AT_A_TABLE + 1)):
                raise ValueError
            names += seated
        order = tuple(dict.fromkeys(names))
        if not all(map(_is_name, order)) or len(order) > 2 * MOST_ENTRANTS or len(data.rounds) > MOST_ROUNDS:
            raise ValueError
        place = {name: at for at, name in enumerate(order)}
        rounds = [
            Round(
                tuple(tuple(place[name] for name in table) for table in row.tables),
                tuple(place[name] for name in row.resting),
            )
            for row in data.rounds
        ]
    except ValueError:
        raise UserError(f"{path}: is no plan of a tournament ({PLAN_FORMAT})") from None
    return Plan(order, tuple(rounds))


def plan_text(plan: Plan) -> str:
    """The plan as the text of a file, with each round's tables by names, in order of the places."""
    rounds = [_RoundRow(*plan.called(number)) for number in range(len(plan.rounds))]
    return json_of(_PlanFile(PLAN_FORMAT, rounds), indent=1).decode() + "\n"


def as_rows(plan: Plan) -> Sequence[Sequence[str | int]]:
    """The plan as rows for a spreadsheet: round, table, place, name. Those at table 0 rest."""
    rows: list[list[str | int]] = [["round", "table", "place", "name"]]
    for number in range(len(plan.rounds)):
        tables, resting = plan.called(number)
        for at, table in enumerate([resting, *tables]):
            rows += [[number + 1, at, place, name] for place, name in enumerate(table, start=1)]
    return rows


def _is_name(name: str) -> bool:
    return 0 < len(name) <= _LONGEST and name.isprintable()


def _text_of(path: Path) -> str:
    """The text of a file. Raises UserError, also for a file that is too large or has no end."""
    try:
        with told_as(UserError, path):
            return read_at_most(path, _MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{path}: is no text in UTF-8") from None
