"""What the pages of a tournament show of its rounds besides the draw: clocks, tables that play, entered results."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select

from webui.club.clock import AtTable, RoundClock, at_table, clocks_of, heads_of, steady_s
from webui.club.confirming import EnteredResult, results_of
from webui.club.heads import Head
from webui.club.rounds import (
    OFFERED_S,
    Twice,
    recent_evenings,
    said_evenings,
    seated_twice,
    sitting_elsewhere,
)
from webui.club.schema import TOURNAMENTS, now_s
from webui.club.tournament import Tournament


@dataclass(frozen=True)
class RoundValues:
    """What is shown of a tournament's rounds.

    - `now`: the server's Unix time (s), as `steady_s`.
    - `length`: the minutes and the hands of a round, None if there is no such bound.
    - `clocks`: the rounds' clocks, by the round's number.
    - `heads`: the evenings at a glance, by the evening's number.
    - `twice`: the people who play at several tables at once.
    - `evenings`: the last day's evenings that may be a table's: (number, card table, names).
    - `elsewhere`: the card tables at which the people of a table that has not begun sit, by round and table.
    - `said`: the evenings that were said to be a table's, by round and table.
    - `results`: the results that were entered by hand, by round and table.
    """

    now: float
    length: tuple[int | None, int | None]
    clocks: Mapping[int, RoundClock]
    heads: Mapping[int, Head]
    twice: list[Twice]
    evenings: list[tuple[int, str, list[str]]]
    elsewhere: Mapping[tuple[int, int], str]
    said: Mapping[tuple[int, int], int]
    results: Mapping[tuple[int, int], EnteredResult]
    at_table: Callable[[RoundClock, Head | None, float], AtTable] = at_table

    @staticmethod
    def time_of_day(at: float) -> str:
        """The time of day at the Unix time `at` (s), in the server's time zone."""
        return time.strftime("%H:%M", time.localtime(at))


def round_values(connection: Connection, club: int, found: Tournament) -> RoundValues:
    """What is shown of the rounds of the tournament `found`."""
    asked = select(TOURNAMENTS.c.minutes, TOURNAMENTS.c.hands).where(TOURNAMENTS.c.id == found.id)
    minutes, hands = connection.execute(asked).one()
    shown = {table.evening for one in found.published for table in one.tables if table.evening is not None}
    return RoundValues(
        now=steady_s(),
        length=(minutes, hands),
        clocks=clocks_of(connection, found.id),
        heads=heads_of(connection, shown),
        twice=seated_twice(connection, club),
        evenings=recent_evenings(connection, club, found.game, now_s() - OFFERED_S),
        elsewhere=sitting_elsewhere(connection, club, found),
        said=said_evenings(connection, found.id),
        results=results_of(connection, found.id),
    )
