"""A table's history: evenings of every game as files, sent to it, and its tables for spreadsheets."""

import csv
import io
import json
from collections.abc import Mapping

from webui_deals import OPENED, hand
from webui_page import Page, in_language
from webui_table import FOUR

from tracker.danish.session import DanishSession
from tracker.events import Event, SessionClosed
from tracker.session_file import export
from webui.commands.film import dealt_hands
from webui.table.live import LiveTable


def file_of(events: list[Event]) -> bytes:
    """The session file of an evening of Danish Tarok."""
    return json.dumps(export(events, DanishSession)).encode()


def _evening_file(rules: str, seed: int, contract: str | None = None) -> bytes:
    """The session file of an evening of one hand, closed."""
    options = (("cards", 6),) if rules == "tarot-1659" else ()
    session = dealt_hands(seed, FOUR, (rules, options), contract)
    session.apply(SessionClosed())
    return json.dumps(export(session.record, type(session))).encode()


FILES = {
    "danish": file_of([OPENED, *hand(5), SessionClosed()]),
    "tarot1659": _evening_file("tarot-1659", 7),
    "american": _evening_file("american-tarock", 10, "two"),
    "french": _evening_file("french-tarot", 4, "garde"),
}
"""A closed evening of each game, of one hand."""


def sent(page: Page, data: bytes, day: str = "2026-03-07", lang: str = "en") -> tuple[int, str]:
    """Send a file to the history; the status and the sentence that comes back."""
    fields = {"token": page.token, "day": day, "file": (io.BytesIO(data), "evening.json")}
    headers = {"Accept": "application/json"}
    answer = page.client.post(f"/history/import?lang={lang}", data=fields, headers=headers)
    return answer.status_code, answer.get_json()["message"]


def with_evenings(table: LiveTable, files: Mapping[str, bytes] = FILES) -> Page:
    """The page of `table`, whose history has these evenings."""
    page = Page(table)
    for data in files.values():
        assert sent(page, data) == (200, "1 evening is now in the history.")
    return page


def rows_of(page: Page, path: str, lang: str = "da") -> list[list[str]]:
    """A table for spreadsheets; Danish ones have other separators than English ones."""
    written = page.client.get(in_language(path, lang)).get_data(as_text=True)
    return list(csv.reader(io.StringIO(written.lstrip("\ufeff")), delimiter=";" if lang == "da" else ","))
