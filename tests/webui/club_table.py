"""A table that reports to a club's server in this process, over a line that can be cut."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Engine, FromClause, select
from webui_deals import OPENED, SIDES
from webui_table import open_table

from tracker.events import Event
from webui.club.app import create_club_app
from webui.club.members import club_called
from webui.club.parts import club_parts
from webui.club.schema import ENTRANTS, PEOPLE, SEAT_ROWS, open_database
from webui.club.schema import EVENT_ROWS as STORED_EVENTS
from webui.reporting.club_line import START, LineError, Reply, digest_of
from webui.reporting.reporter import Progress, Reporter
from webui.table.live import LiveTable

ADDRESS = "http://localhost"


class Club:
    """The club's server in this process. `before` and `after` are called with the path around each request."""

    def __init__(self, url: str) -> None:
        self.engine: Engine = open_database(url)
        self.number = club_called(self.engine, "Lauget")
        self.app: Flask = create_club_app(self.engine)
        self.before: Callable[[str], None] = lambda path: None
        self.after: Callable[[str], None] = lambda path: None
        self.sent: list[tuple[str, dict[str, Any]]] = []

    def restart(self) -> None:
        """The program was ended, and started again."""
        self.app = create_club_app(self.engine)

    def ask(self, address: str, path: str, data: dict[str, Any], key: str = "") -> Reply:
        """As `webui.reporting.club_line.ask_the_club`."""
        assert address == ADDRESS
        self.before(path)
        self.sent.append((path, data))
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        answer = self.app.test_client().post(path, json=data, headers=headers)
        self.after(path)
        return Reply(answer.status_code, answer.get_json(), float(answer.headers.get("Retry-After", 0)))

    def code(self, name: str) -> str:
        return str(club_parts(self.app).members.new_code(self.number, name))

    def take_in(self, table: LiveTable, name: str = "Bord 1") -> Reporter:
        """Let `table` join, which sends nothing by itself."""
        reporter = Reporter(table, self.ask)
        reporter.join(ADDRESS, self.code(name), begin=False)
        return reporter

    def rows(self, table: FromClause) -> list[Any]:
        """The rows of a table of the database."""
        with self.engine.begin() as connection:
            return list(connection.execute(select(table)).all())

    def stored(self) -> list[tuple[int, int, str]]:
        """Every event that the club has, in order."""
        return sorted((row.evening, row.seq, row.data) for row in self.rows(STORED_EVENTS))

    def count(self, table: FromClause = STORED_EVENTS) -> int:
        """How many rows a table of the database has: how many events the club has, unless another is asked for."""
        return len(self.rows(table))

    def person(self, name: str) -> int:
        """The number of the person called `name`."""
        return next(row.id for row in self.rows(PEOPLE) if row.name == name)

    def entrant(self, name: str) -> int:
        """The number of that person in a tournament."""
        return next(row.id for row in self.rows(ENTRANTS) if row.person == self.person(name))

    def standing(self) -> dict[str, int]:
        """Everybody's chips, by the names at the table."""
        return {row.name: row.chips for row in self.rows(SEAT_ROWS)}


class CutError(LineError):
    """The line was cut on purpose."""


def joined_table(
    folder: Path, club: Club, name: str = "Bord 1", seats: tuple[str, ...] = OPENED.seats
) -> tuple[LiveTable, Reporter]:
    """A table with an open evening, that has joined the club and sends nothing by itself."""
    table = open_table(folder, name=name)
    table.open_evening(replace(OPENED, seats=seats), dict(zip(seats, SIDES.values(), strict=True)))
    return table, club.take_in(table, name)


def enter(table: LiveTable, events: list[Event]) -> None:
    """Enter them at once: one by one, the evening would be folded anew for each."""
    table.enter(*events)


def own_events(table: LiveTable) -> list[str]:
    """Every event of the table's evenings, in order, as text."""
    return [
        event.data
        for info in table.kept.played_here()
        for event in table.kept.store.stored(info.id, 0, 10**6)
    ]


def sends_all(reporter: Reporter) -> Progress:
    """Start the sending, and wait until nothing waits any more or the club refuses."""
    reporter.progress = Progress()
    reporter.start()
    end_s = time.monotonic() + 60
    while reporter.progress.state not in ("told", "refused", "unknown") and time.monotonic() < end_s:
        time.sleep(0.02)
    reporter.stop()
    return reporter.progress


def cut(path: str) -> None:
    raise CutError("no network")


def batch_of(table: LiveTable, after: int, last: int, **changes: Any) -> dict[str, Any]:
    (info,) = table.kept.played_here()
    rows = table.kept.store.stored(info.id, after, last - after)
    return {
        "evening": info.key,
        "opened_at": info.opened_at,
        "after": after,
        "digest": digest_of(table.kept.store.stored(info.id, 0, after)) if after else START,
        "events": [[row.at, row.by, row.data] for row in rows],
        "chips": None,
    } | changes


def sent(club: Club, reporter: Reporter, batch: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer = club.ask(ADDRESS, "/api/events", batch, reporter.club.key)
    return answer.status, answer.told
