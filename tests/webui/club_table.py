"""A table that reports to a club's server in this process, over a line that can be cut."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Engine, FromClause, func, select
from webui_deals import OPENED, SIDES
from webui_table import open_table

from tracker.events import Event
from webui.club.app import create_club_app
from webui.club.members import club_called
from webui.club.parts import club_parts
from webui.club.schema import EVENT_ROWS as STORED_EVENTS
from webui.club.schema import open_database
from webui.reporting.club_line import LineError, Reply
from webui.reporting.reporter import Reporter
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

    def stored(self) -> list[tuple[int, int, str]]:
        """Every event that the club has, in order."""
        with self.engine.begin() as connection:
            return [
                (row.evening, row.seq, row.data)
                for row in connection.execute(
                    select(STORED_EVENTS).order_by(STORED_EVENTS.c.evening, STORED_EVENTS.c.seq)
                )
            ]

    def count(self, table: FromClause = STORED_EVENTS) -> int:
        """How many rows a table of the database has: how many events the club has, unless another is asked for."""
        with self.engine.begin() as connection:
            return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


class CutError(LineError):
    """The line was cut on purpose."""


def joined_table(
    folder: Path, club: Club, name: str = "Bord 1", seats: tuple[str, ...] = OPENED.seats
) -> tuple[LiveTable, Reporter]:
    """A table with an open evening, that has joined the club and sends nothing by itself."""
    table = open_table(folder, name=name)
    table.open_evening(replace(OPENED, seats=seats), dict(zip(seats, SIDES.values(), strict=True)))
    reporter = Reporter(table, club.ask)
    reporter.join(ADDRESS, club.code(name), begin=False)
    return table, reporter


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
