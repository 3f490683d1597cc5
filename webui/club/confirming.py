"""Results that players enter themselves. A result counts once another player of the table has confirmed it.

A director's corrections and adjustments need a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Connection, delete, insert, select

from webui.club.organising import check_entered, enter_result
from webui.club.schema import ADJUSTMENTS, RESULTS
from webui.club.tournament import DrawnTable, tournament
from webui.errors import EntryError
from webui.kept_file import json_of, value_in_json

ResultState = Literal["waits", "disputed", "confirmed", "corrected"]
LONGEST_REASON: Final = 200


@dataclass(frozen=True)
class _Chips:
    """What was entered: everybody's `chips` by entrant, and how many `hands` were played, None if nobody said."""

    chips: dict[int, int]
    hands: int | None


@dataclass(frozen=True)
class EnteredResult:
    """A table's result that was entered by hand, and its state.

    `entrant` entered it, with the browser whose id is `browser`. `other` confirmed or disputed it. `reason` is the
    director's, "" if there is none.
    """

    state: ResultState
    chips: Mapping[int, int]
    hands: int | None
    entrant: int | None
    other: int | None
    browser: str
    reason: str


def results_of(connection: Connection, number: int) -> dict[tuple[int, int], EnteredResult]:
    """The results that were entered by hand in a tournament, by round and table."""
    rows = connection.execute(select(RESULTS).where(RESULTS.c.tournament == number)).all()
    return {(row.round, row.number): _result(row) for row in rows}


def _result(row: Any) -> EnteredResult:
    entered = value_in_json(row.chips, _Chips)
    return EnteredResult(
        row.state, entered.chips, entered.hands, row.entrant, row.other, row.browser, row.reason
    )


# ---- players ----


def propose(
    connection: Connection,
    club: int,
    number: int,
    at: int,
    table: int,
    chips: dict[int, int],
    hands: int | None,
    person: int | None,
    browser: str,
) -> None:
    """Enter for `person` what everybody had at his table; another player must confirm it. Raises EntryError."""
    found = tournament(connection, club, number)
    drawn = check_entered(found, at, table, chips, hands)
    me = _me(drawn, person)
    if drawn.chips is not None:
        raise EntryError("This table has its result already. Tell the director if it is wrong.", 409)
    before = results_of(connection, number).get((at, table))
    if before is not None and before.state == "waits" and before.entrant != me:
        raise EntryError("Another player entered the result first. Confirm it, or say that it is wrong.", 409)
    _save(connection, number, at, table, "waits", _Chips(chips, hands), me, None, browser, "")


def answer(
    connection: Connection,
    club: int,
    number: int,
    at: int,
    table: int,
    chips: dict[int, int],
    person: int | None,
    browser: str,
    *,
    right: bool,
) -> None:
    """Confirm (`right`) or dispute for `person` the `chips` that another player entered. Raises EntryError."""
    found = tournament(connection, club, number)
    result = results_of(connection, number).get((at, table))
    if result is None or result.state not in ("waits", "disputed"):
        raise EntryError("Nothing waits for confirmation at this table.", 409)
    drawn = check_entered(found, at, table, dict(result.chips), result.hands)
    me = _me(drawn, person)
    if chips != result.chips:
        raise EntryError("Other chips were entered meanwhile. Look at the page again.", 409)
    if me == result.entrant or browser == result.browser:
        raise EntryError("Another player of the table confirms it, on a phone of his own.", 409)
    if right:
        enter_result(connection, club, number, at, table, dict(result.chips), result.hands)
    state: ResultState = "confirmed" if right else "disputed"
    entered = _Chips(dict(result.chips), result.hands)
    _save(connection, number, at, table, state, entered, result.entrant, me, result.browser, "")


def _me(drawn: DrawnTable, person: int | None) -> int:
    """The entrant that `person` is at the table. Raises EntryError."""
    for one in drawn.seats:
        if person is not None and one.entrant.person == person:
            return one.entrant.id
    raise EntryError(
        "Only those who play at this table enter its result. Say first who you are: “This browser”.", 403
    )


def _save(
    connection: Connection,
    number: int,
    at: int,
    table: int,
    state: ResultState,
    entered: _Chips,
    entrant: int | None,
    other: int | None,
    browser: str,
    reason: str,
) -> None:
    forget_result(connection, number, at, table)
    row = {
        "tournament": number,
        "round": at,
        "number": table,
        "state": state,
        "chips": json_of(entered).decode(),
        "entrant": entrant,
        "other": other,
        "browser": browser,
        "reason": reason,
    }
    connection.execute(insert(RESULTS), row)


def forget_result(connection: Connection, number: int, at: int, table: int) -> None:
    """Forget what was entered by hand for that table."""
    connection.execute(
        delete(RESULTS).where(
            RESULTS.c.tournament == number, RESULTS.c.round == at, RESULTS.c.number == table
        )
    )


# ---- the director ----


def correct(
    connection: Connection,
    club: int,
    number: int,
    at: int,
    table: int,
    chips: dict[int, int] | None,
    hands: int | None,
    reason: str,
) -> None:
    """Enter a table's result for the director, or take it back (None). Changing a result needs a `reason`.

    Raises EntryError.
    """
    found = tournament(connection, club, number)
    before = check_entered(found, at, table, chips, hands)
    there = before.chips is not None or (at, table) in results_of(connection, number)
    if chips is not None and there and not reason:
        raise EntryError("Say why.")
    enter_result(connection, club, number, at, table, chips, hands)
    forget_result(connection, number, at, table)
    if chips is not None:
        _save(connection, number, at, table, "corrected", _Chips(chips, hands), None, None, "", reason)


def adjust(
    connection: Connection,
    club: int,
    number: int,
    at: int,
    entrant: int,
    chips: int,
    points: int,
    reason: str,
) -> None:
    """Give an entrant chips and table points in the round `at` (below 0: take them). Raises EntryError."""
    found = tournament(connection, club, number)
    if entrant not in found.entrants:
        raise EntryError("There is no such player.", 404)
    drawn = next((one for one in found.published if one.number == at), None)
    if drawn is None or drawn.table_of(entrant) is None:
        raise EntryError("{name} sits at no table in that round.", 409, name=found.entrants[entrant].name)
    if not (chips or points):
        raise EntryError("Type an amount.")
    row = {"tournament": number, "round": at, "entrant": entrant}
    connection.execute(insert(ADJUSTMENTS), row | {"chips": chips, "points": points, "reason": reason})


def take_back(connection: Connection, number: int, adjustment: int) -> None:
    """Take an adjustment back. Raises EntryError."""
    own = (ADJUSTMENTS.c.tournament == number, ADJUSTMENTS.c.id == adjustment)
    if connection.execute(delete(ADJUSTMENTS).where(*own)).rowcount != 1:
        raise EntryError("That was taken back already.", 404)
