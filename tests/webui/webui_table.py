"""A table for a test: without an evening, or with one that has begun."""

from pathlib import Path

from tracker.events import Event, SessionOpened
from tracker.store import EventStore
from webui.table.live import LiveTable

NAMES = ("Anna", "Bo", "Carl", "Dora", "Erik", "Fie")
FOUR = NAMES[:4]
SIDES = {3: "SEW", 4: "SENW", 5: "SENWW", 6: "SSENNW"}
"""Where so many players sit, in their order."""


def sides_of(seats: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(seats, SIDES[len(seats)], strict=True))


def open_table(
    folder: Path,
    opened: SessionOpened | None = None,
    *events: Event,
    sides: dict[str, str] | None = None,
    fair_play: bool = True,
    name: str = "evening",
) -> LiveTable:
    """A table that keeps its evenings in `folder`; where one is `opened`, these events have happened in it."""
    table = LiveTable(EventStore(folder / f"{name}.sqlite3"))
    if not fair_play:
        table.choose(fair_play=False)
    if opened is not None:
        table.open_evening(opened, sides_of(opened.seats) if sides is None else sides)
    if events:
        table.enter(*events)
    return table


def restarted(table: LiveTable) -> LiveTable:
    """The table as its database has it: as after a kill, for nothing was closed."""
    return LiveTable(EventStore(table.path))
