"""Past evenings, as rows of words and as a chart."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Any

from babel.numbers import format_decimal

from tracker.games import game_of
from tracker.hand import Hand
from tracker.owing import transfers, worth_of_points
from tracker.results import Tally
from tracker.seat_change import SeatChange
from tracker.session import Session
from tracker.session_file import cardless
from webui.table.host_choices import HostChoices
from webui.texts import begun, language, signed, text
from webui.view.payment_rows import part_title

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 400, 44, 112, 12, 30
_LINE_HEIGHT = 15
_LETTER_WIDTH = 6.5
_LONGEST_LABEL = 15


@dataclass(frozen=True)
class ChartLine:
    """One player's line. `look` is the number of its colour and dashes, `dots` are its corners.

    `label` is the name that stands at its end, at the height `label_y`; on paper there is room for the `whole` name.
    """

    name: str
    look: int
    dots: list[tuple[float, float]]
    label: str
    whole: str
    label_y: float

    @property
    def points(self) -> str:
        """The corners as SVG writes them."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.dots)


@dataclass(frozen=True)
class Chart:
    """Chips over time, in units of the chart: lines, the marks of its axes, and where 0 lies."""

    width: int
    height: int
    left: int
    right: int
    lines: list[ChartLine]
    ticks: list[tuple[float, str]]
    columns: list[tuple[float, str]]
    zero: float


def chips_chart(balances: Sequence[Mapping[str, int]], labels: Sequence[str]) -> Chart | None:
    """A line for each player through his `balances`, with a step for each; None without balances.

    The line of a player who sat down later begins at 0, one step before his first balance.
    """
    names = list(dict.fromkeys(name for step in balances for name in step))
    if not names:
        return None
    values = [0, *(chips for step in balances for chips in step.values())]
    unit = _round_step(max(values) - min(values) or 1)
    low, high = min(values) // unit * unit, -(-max(values) // unit) * unit or unit
    height = max(280, _TOP + _BOTTOM + _LINE_HEIGHT * len(names))
    across = (_WIDTH - _LEFT - _RIGHT) / len(balances)

    def x(step: int) -> float:
        return round(_LEFT + across * step, 1)

    def y(chips: int) -> float:
        return round(_TOP + (height - _TOP - _BOTTOM) * (high - chips) / (high - low), 1)

    dots = {name: list(_corners(name, balances, x, y)) for name in names}
    last = {name: next(step[name] for step in reversed(balances) if name in step) for name in names}
    places = _apart({name: dots[name][-1][1] for name in names}, _TOP, height - _BOTTOM)
    lines = [
        ChartLine(
            name,
            look,
            dots[name],
            _label(name, signed(last[name])),
            f"{name} {signed(last[name])}",
            places[name],
        )
        for look, name in enumerate(names)
    ]
    every = ceil(_LETTER_WIDTH * (max(map(len, labels)) + 1) / across)  # a letter's width between two
    columns = [(x(step), label) for step, label in enumerate(labels, start=1) if step % every == 0]
    ticks = [(y(chips), signed(chips)) for chips in range(low, high + 1, unit)]
    return Chart(_WIDTH, height, _LEFT, _WIDTH - _RIGHT, lines, ticks, columns, y(0))


def _corners(
    name: str,
    balances: Sequence[Mapping[str, int]],
    x: Callable[[int], float],
    y: Callable[[int], float],
) -> Iterator[tuple[float, float]]:
    first = next(step for step, chips in enumerate(balances) if name in chips)
    yield x(first), y(0)
    chips = 0
    for step in range(first, len(balances)):
        chips = balances[step].get(name, chips)
        yield x(step + 1), y(chips)


def _round_step(span: int) -> int:
    """The least of 5, 10, 20, 50, 100 … chips of which ten reach over `span`."""
    step, factors = 5, itertools.cycle((20, 20, 25))
    while span > 10 * step:
        step = step * next(factors) // 10
    return step


def _apart(wanted: Mapping[str, float], top: float, bottom: float) -> dict[str, float]:
    """Heights near those `wanted`, between `top` and `bottom` and at least a line apart."""
    names = sorted(wanted, key=wanted.__getitem__)
    places: dict[str, float] = {}
    free = top
    for name in names:
        places[name] = max(wanted[name], free)
        free = places[name] + _LINE_HEIGHT
    lowest = bottom
    for name in reversed(names):  # labels that were pushed out at the bottom move up again
        places[name] = round(min(places[name], lowest), 1)
        lowest = places[name] - _LINE_HEIGHT
    return places


def _label(name: str, value: str) -> str:
    """The name and the value at a line's end; a long name is cut, so that the value is seen."""
    most = _LONGEST_LABEL - len(f" {value}")
    return f"{name if len(name) <= most else name[: most - 1] + '…'} {value}"


@dataclass(frozen=True)
class TallyRow:
    """A hand, a change of seats or the settling: for each player the chips moved and his balance, None if he is away.

    `number` is the hand's number, None if the row is no hand. `mark` is its name under the chart.
    """

    title: str
    mark: str
    number: int | None
    cells: list[tuple[int, int] | None]


def tally_rows(found: Sequence[Tally], players: Sequence[str]) -> list[TallyRow]:
    """One row for each tally of an evening."""
    rows = []
    for tally in found:
        cells = [
            (tally.moved[name], tally.balances[name]) if name in tally.balances else None for name in players
        ]
        number = tally.part.number if isinstance(tally.part, Hand) else None
        rows.append(TallyRow(part_title(tally.part), _mark(tally.part), number, cells))
    return rows


def tally_table(found: Sequence[Tally], players: Sequence[str]) -> list[list[str | int]]:
    """The chips that each hand moved, as rows of a table for spreadsheets, with the players above them."""
    lines: list[list[str | int]] = [[text("Hand"), *players]]
    for row in tally_rows(found, players):
        title = row.number if row.number is not None else row.title
        lines.append([title, *(cell[0] if cell is not None else "" for cell in row.cells)])
    return lines


def _mark(part: Hand | SeatChange | None) -> str:
    if part is None:
        return "="
    return str(part.number) if isinstance(part, Hand) else ("+" if part.kind == "join" else "−")


def money_words(choices: HostChoices) -> Callable[[int], str]:
    """A function that says what so many chips are worth; it says "" if the club plays for no money."""

    def money(chips: int) -> str:
        if not choices.chip_hundredths:
            return ""
        return _money_text(chips * choices.chip_hundredths, choices)

    return money


def _money_text(hundredths: int, choices: HostChoices) -> str:
    said = format_decimal(Decimal(hundredths) / 100, format="#,##0.00;−#,##0.00", locale=language())
    return f"{said} {choices.currency}".strip()


@dataclass(frozen=True)
class MoneyOwed:
    """`source` owes `target` an amount of money, in words."""

    source: str
    target: str
    amount: str


def owed_for_points(points: Mapping[str, int], choices: HostChoices) -> list[MoneyOwed]:
    """Who pays whom for the `points` of a score sheet, in the fewest payments; nobody if a point is worth nothing."""
    settled = worth_of_points(points, choices.point_hundredths)
    return [
        MoneyOwed(source, target, _money_text(amount, choices))
        for source, target, amount in transfers(settled)
    ]


def without_cards(session: Session[Any, Any]) -> list[str]:
    """Which hands the file of the evening has without their cards, and why: a sentence for each."""
    words = game_of(session).words
    return [
        text(
            "{why}. The file of the evening has the hand without its cards.",
            why=begun(words.reason_text(reason, language())),
        )
        for reason in cardless(session)
    ]
