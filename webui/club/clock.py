"""The length of a round, in minutes or in hands, and its clock, which the host starts, stops and prolongs.

When the time is up, the hand in play is a table's last. When the number of hands is reached, the round is over.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Connection, Row, select, update

from webui.club.heads import Head
from webui.club.schema import EVENINGS, ROUNDS, TOURNAMENTS, now_s
from webui.errors import EntryError
from webui.kept_file import value_in_json

MOST_MINUTES: Final = 600
MOST_ROUND_HANDS: Final = 200


@dataclass(frozen=True)
class RoundClock:
    """The clock of one round, which lasts so many `minutes` or `hands`; each is None if the host set none.

    The clock runs until the Unix time `ends_at` (s). While it is stopped, `left_s` seconds are left. Both are None
    before it was started.
    """

    minutes: int | None
    hands: int | None
    ends_at: float | None
    left_s: float | None

    @property
    def running(self) -> bool:
        """Whether the time passes, or is up."""
        return self.ends_at is not None

    @property
    def stopped(self) -> bool:
        """Whether the clock was started, and stands still."""
        return self.left_s is not None

    def is_up(self, now: float) -> bool:
        """Whether the time has run out."""
        return self.ends_at is not None and now >= self.ends_at


AtTable = Literal["waits", "plays", "last hand", "over"]


def at_table(clock: RoundClock, head: Head | None, now: float) -> AtTable:
    """How far a table has come in the round; `head` is its evening at a glance, None if it has none yet."""
    if head is None:
        return "waits"
    enough = clock.hands is not None and head.hand >= clock.hands
    if not (enough or clock.is_up(now)):
        return "plays"
    return "last hand" if head.playing else "over"


def clocks_of(connection: Connection, number: int) -> dict[int, RoundClock]:
    """The clocks of a tournament's rounds, by the rounds' numbers."""
    rows = connection.execute(
        select(ROUNDS.c.number, TOURNAMENTS.c.minutes, TOURNAMENTS.c.hands, ROUNDS.c.ends_at, ROUNDS.c.left_s)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == ROUNDS.c.tournament)
        .where(ROUNDS.c.tournament == number)
    )
    return {at: RoundClock(*row) for at, *row in rows}


def heads_of(connection: Connection, evenings: Collection[int]) -> Mapping[int, Head]:
    """These evenings at a glance, by their numbers."""
    rows = connection.execute(
        select(EVENINGS.c.id, EVENINGS.c.head).where(EVENINGS.c.id.in_(sorted(evenings)))
    )
    return {evening: value_in_json(head, Head) for evening, head in rows}


def set_length(connection: Connection, number: int, minutes: int | None, hands: int | None) -> None:
    """Set how many minutes or hands a round of the tournament lasts; None sets no length."""
    changed = update(TOURNAMENTS).where(TOURNAMENTS.c.id == number)
    connection.execute(changed.values(minutes=minutes, hands=hands))


def _round(connection: Connection, number: int, at: int) -> Row[Any, Any, Any]:
    """The minutes and the clock of the round `at`, which must be published. Raises EntryError."""
    row = connection.execute(
        select(TOURNAMENTS.c.minutes, ROUNDS.c.ends_at, ROUNDS.c.left_s)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == ROUNDS.c.tournament)
        .where(ROUNDS.c.tournament == number, ROUNDS.c.number == at, ROUNDS.c.published)
    ).one_or_none()
    if row is None:
        raise EntryError("This round is not published.", 409)
    return row


def _set(connection: Connection, number: int, at: int, ends_at: float | None, left_s: float | None) -> None:
    own = update(ROUNDS).filter_by(tournament=number, number=at)
    connection.execute(own.values(ends_at=ends_at, left_s=left_s))


def start_clock(connection: Connection, number: int, at: int) -> None:
    """Start the clock of the round `at`, from where it was stopped. Raises EntryError."""
    row = _round(connection, number, at)
    if row.ends_at is not None:
        raise EntryError("The clock runs already.", 409)
    if row.left_s is None and row.minutes is None:
        raise EntryError("First say how many minutes a round lasts.", 409)
    left_s = row.left_s if row.left_s is not None else 60.0 * (row.minutes or 0)
    _set(connection, number, at, now_s() + left_s, None)


def stop_clock(connection: Connection, number: int, at: int) -> None:
    """Stop the clock of the round `at`. Raises EntryError."""
    row = _round(connection, number, at)
    if row.ends_at is None:
        raise EntryError("The clock does not run.", 409)
    _set(connection, number, at, None, max(0.0, row.ends_at - now_s()))


def prolong(connection: Connection, number: int, at: int, minutes: int) -> None:
    """Let the round `at` last so many minutes longer (below 0: shorter); if its time is up, they count from now.

    Raises EntryError.
    """
    row = _round(connection, number, at)
    if row.ends_at is not None:
        start = max(row.ends_at, now_s()) if minutes > 0 else row.ends_at
        _set(connection, number, at, start + 60 * minutes, None)
    elif row.left_s is not None:
        _set(connection, number, at, None, max(0.0, row.left_s + 60 * minutes))
    else:
        raise EntryError("The clock does not run.", 409)
