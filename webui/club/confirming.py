"""Results that players enter themselves. A result counts once another player of the table has confirmed it.

A director's corrections and adjustments need a reason.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

from sqlalchemy import Connection, delete, insert, select

from webui.club.members import Member
from webui.club.organising import check_entered, enter_result
from webui.club.schema import ADJUSTMENTS, RESULTS
from webui.club.tournament import DrawnTable, EnteredChips, RoundTable, tournament
from webui.errors import EntryError
from webui.kept_file import json_of, value_in_json

ResultState = Literal["waits", "disputed", "confirmed", "corrected"]
LONGEST_REASON: Final = 200


@dataclass(frozen=True)
class EnteredResult:
    """A table's result that was entered by hand, and its state.

    `entrant` entered it, with the browser whose id is `browser`. `other` confirmed or disputed it. `reason` is the
    director's, "" if there is none.
    """

    state: ResultState
    entered: EnteredChips
    entrant: int | None = None
    other: int | None = None
    browser: str = ""
    reason: str = ""


def results_of(connection: Connection, number: int) -> dict[tuple[int, int], EnteredResult]:
    """The results that were entered by hand in a tournament, by round and table."""
    return {
        (row.round, row.number): EnteredResult(
            row.state, value_in_json(row.chips, EnteredChips), row.entrant, row.other, row.browser, row.reason
        )
        for row in connection.execute(select(RESULTS).where(RESULTS.c.tournament == number))
    }


def _save(connection: Connection, at: RoundTable, result: EnteredResult | None) -> None:
    """Keep the `result` of a table in place of an earlier one; with None only that is forgotten."""
    connection.execute(delete(RESULTS).filter_by(**at.columns))
    if result is not None:
        row = {name: value for name, value in vars(result).items() if name != "entered"}
        connection.execute(insert(RESULTS), at.columns | row | {"chips": json_of(result.entered).decode()})


# ---- players ----


def propose(connection: Connection, club: int, at: RoundTable, entered: EnteredChips, member: Member) -> None:
    """Enter for `member` what everybody had at his table; another player must confirm it. Raises EntryError."""
    drawn = check_entered(tournament(connection, club, at.tournament), at, entered)
    me = _me(drawn, member)
    if drawn.chips is not None:
        raise EntryError("This table already has its result. Tell the director if it is wrong.", 409)
    before = results_of(connection, at.tournament).get((at.round, at.table))
    if before is not None and before.state == "waits" and before.entrant != me:
        raise EntryError("Another player entered the result first. Confirm it, or say that it is wrong.", 409)
    _save(connection, at, EnteredResult("waits", entered, me, browser=member.id))


def answer(
    connection: Connection, club: int, at: RoundTable, chips: dict[int, int], member: Member, *, right: bool
) -> None:
    """Confirm (`right`) or dispute for `member` the `chips` that another player entered. Raises EntryError."""
    found = tournament(connection, club, at.tournament)
    result = results_of(connection, at.tournament).get((at.round, at.table))
    if result is None or result.state not in ("waits", "disputed"):
        raise EntryError("Nothing waits for confirmation at this table.", 409)
    drawn = check_entered(found, at, result.entered)
    me = _me(drawn, member)
    if chips != result.entered.chips:
        raise EntryError("Somebody entered other chips meanwhile. Look at the page again.", 409)
    if me == result.entrant or member.id == result.browser:
        raise EntryError("Another player at the table has to confirm the result, on his own phone.", 409)
    if right:
        enter_result(connection, at, drawn, result.entered)
    _save(connection, at, replace(result, state="confirmed" if right else "disputed", other=me))


def _me(drawn: DrawnTable, member: Member) -> int:
    """The entrant that `member` is at the table. Raises EntryError."""
    for one in drawn.seats:
        if member.person is not None and one.entrant.person == member.person:
            return one.entrant.id
    raise EntryError(
        "Only those who play at this table enter its result. Say first who you are: “This browser”.", 403
    )


# ---- the director ----


def correct(
    connection: Connection, club: int, at: RoundTable, entered: EnteredChips | None, reason: str
) -> None:
    """Enter a table's result for the director, or take it back (None). Changing a result needs a `reason`.

    Raises EntryError.
    """
    drawn = check_entered(tournament(connection, club, at.tournament), at, entered)
    there = drawn.chips is not None or (at.round, at.table) in results_of(connection, at.tournament)
    if entered is not None and there and not reason:
        raise EntryError("Say why.")
    enter_result(connection, at, drawn, entered)
    _save(connection, at, EnteredResult("corrected", entered, reason=reason) if entered is not None else None)


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
    name = found.entrant(entrant).name
    drawn = next((one for one in found.published if one.number == at), None)
    if drawn is None or drawn.table_of(entrant) is None:
        raise EntryError("{name} sits at no table in that round.", 409, name=name)
    if not (chips or points):
        raise EntryError("Type an amount.")
    row = {"tournament": number, "round": at, "entrant": entrant}
    connection.execute(insert(ADJUSTMENTS), row | {"chips": chips, "points": points, "reason": reason})


def take_back(connection: Connection, number: int, adjustment: int) -> None:
    """Take an adjustment back. Raises EntryError."""
    own = (ADJUSTMENTS.c.tournament == number, ADJUSTMENTS.c.id == adjustment)
    if connection.execute(delete(ADJUSTMENTS).where(*own)).rowcount != 1:
        raise EntryError("That has already been taken back.", 404)
