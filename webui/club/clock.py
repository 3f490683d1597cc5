"""The length of a round, in minutes or in hands, and its clock, which the host starts, stops and prolongs.

When the time is up, the hand in play is a table's last. When the number of hands is reached, the round is over.

A round's time passes by `steady_s`, which goes on as if nothing had happened when the computer's clock is set. The ends
in the database are Unix times, so that they are right after a restart. `keep_in_step` moves them when that was set.
"""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Connection, Engine, Row, select, update

from webui.club.heads import Head
from webui.club.schema import EVENINGS, ROUNDS, TOURNAMENTS
from webui.errors import EntryError
from webui.kept_file import value_in_json

MOST_MINUTES: Final = 600
MOST_ROUND_HANDS: Final = 200
_WAS_SET_S: Final = 1.0
"""By how much the computer's clock must have jumped to count as set."""
_SLEEPS_TOO: Final = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC_RAW", None))
"""The clock that nobody sets and that goes on while the computer sleeps; None where `time.monotonic` is that."""


def _ticks_s() -> float:
    return time.monotonic() if _SLEEPS_TOO is None else time.clock_gettime(_SLEEPS_TOO)


_offset_s = time.time() - _ticks_s()
"""What is added to the ticks to make a Unix time of them."""


def steady_s() -> float:
    """The Unix time (s), which does not jump when the computer's clock is set."""
    return _ticks_s() + _offset_s


def keep_in_step(engine: Engine, now: float) -> None:
    """Move the ends of all running clocks as far as the computer's clock, which says `now` (Unix time, s), was set."""
    global _offset_s
    step = now - steady_s()
    if abs(step) < _WAS_SET_S:
        return
    with engine.begin() as connection:
        running = update(ROUNDS).where(ROUNDS.c.ends_at.is_not(None))
        connection.execute(running.values(ends_at=ROUNDS.c.ends_at + step))
    _offset_s += step


@dataclass(frozen=True)
class RoundClock:
    """The clock of one round, which lasts so many `minutes` or `hands`; each is None if the host set none.

    The clock runs until `ends_at` (s, as `steady_s`). While it is stopped, `left_s` seconds are left. Both are None
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


def start_clock(connection: Connection, number: int, at: int) -> bool:
    """Start the clock of the round `at`, from where it was stopped; returns whether it stood. Raises EntryError."""
    row = _round(connection, number, at)
    if row.ends_at is not None:
        return False
    if row.left_s is None and row.minutes is None:
        raise EntryError("First say how many minutes a round lasts.", 409)
    left_s = row.left_s if row.left_s is not None else 60.0 * (row.minutes or 0)
    _set(connection, number, at, steady_s() + left_s, None)
    return True


def stop_clock(connection: Connection, number: int, at: int) -> bool:
    """Stop the clock of the round `at`; returns whether it ran. Raises EntryError."""
    row = _round(connection, number, at)
    if row.ends_at is None:
        return False
    _set(connection, number, at, None, max(0.0, row.ends_at - steady_s()))
    return True


def prolong(connection: Connection, number: int, at: int, minutes: int) -> None:
    """Let the round `at` last so many minutes longer (below 0: shorter); if its time is up, they count from now.

    Raises EntryError.
    """
    row = _round(connection, number, at)
    if row.ends_at is not None:
        start = max(row.ends_at, steady_s()) if minutes > 0 else row.ends_at
        _set(connection, number, at, start + 60 * minutes, None)
    elif row.left_s is not None:
        _set(connection, number, at, None, max(0.0, row.left_s + 60 * minutes))
    else:
        raise EntryError("The clock is not running.", 409)
