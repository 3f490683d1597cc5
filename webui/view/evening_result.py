"""How an evening ended: everybody's chips or points, and who pays whom."""

from collections.abc import Callable
from dataclasses import dataclass

from tracker.games import game_of
from tracker.owing import Transfer, transfers
from tracker.results import result_of
from webui.people.fair_play import Sight
from webui.table.live import LiveTable
from webui.texts import ntext, text
from webui.view.history import MoneyOwed, money_words, owed_for_points


@dataclass(frozen=True)
class EveningResult:
    """The final table: each player with his chips (points if `owed` is None), the most first.

    `won` says who has the most. `owed` are the fewest payments that settle the chips. `money` says in words what so
    many chips are worth, "" for nothing. `owed_money` settles points, if a point is worth something. `number` is the
    evening's number in the history.
    """

    number: int
    rows: list[tuple[str, int]]
    won: str
    owed: list[Transfer] | None
    money: Callable[[int], str]
    owed_money: list[MoneyOwed]


def build_evening_result(table: LiveTable, sight: Sight, lang: str) -> EveningResult | None:
    """The result of the evening at `table` once it is settled; None before."""
    number = table.evening.number
    if number is None or not sight.session.closed:
        return None
    result = result_of(sight.session, sight.parts)
    rows = sorted(result.chips.items(), key=lambda entry: -entry[1])
    winners = [name for name, chips in rows if chips == rows[0][1]]
    names = game_of(sight.session).words.listed(winners, lang)
    won = ntext("{players} wins the evening", "{players} share the first place", len(winners), players=names)
    return EveningResult(
        number,
        rows,
        won if len(winners) < len(rows) else text("Nobody won: all have the same"),
        transfers(result.chips) if result.keeps_chips else None,
        money_words(table.choices),
        [] if result.keeps_chips else owed_for_points(result.chips, table.choices),
    )
