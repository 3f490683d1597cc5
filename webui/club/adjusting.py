"""Adjustments: chips and table points that a director gave an entrant in a round, or took from him, with a reason."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from webui.club.schema import ADJUSTMENTS


@dataclass(frozen=True)
class Adjustment:
    """Chips and table points that an `entrant` was given in a round (below 0: that were taken), and the `reason`."""

    id: int
    round: int
    entrant: int
    chips: int
    points: int
    reason: str


def adjustments_of(connection: Connection, number: int) -> tuple[Adjustment, ...]:
    """The adjustments of the tournament `number`, round by round."""
    asked = select(
        ADJUSTMENTS.c.id,
        ADJUSTMENTS.c.round,
        ADJUSTMENTS.c.entrant,
        ADJUSTMENTS.c.chips,
        ADJUSTMENTS.c.points,
        ADJUSTMENTS.c.reason,
    ).where(ADJUSTMENTS.c.tournament == number)
    rows = connection.execute(asked.order_by(ADJUSTMENTS.c.round, ADJUSTMENTS.c.id))
    return tuple(Adjustment(*row) for row in rows)
