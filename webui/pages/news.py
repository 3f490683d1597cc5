"""News for pages that listen, as server-sent events."""

import json

from flask import Flask

from webui.pages.regions import render_regions
from webui.people.phones import Phone
from webui.people.roles import Role, menu_of
from webui.serving.security import role_of, seat_of
from webui.table.live import LiveTable


class News:
    """The news of `table` for one page in the language `lang`, which shows the version `since` (None: nothing yet).

    The page is that of `phone`, None for a stranger's at a table that is open to everybody.
    """

    def __init__(
        self, app: Flask, table: LiveTable, lang: str, since: int | None, phone: Phone | None
    ) -> None:
        self._app = app
        self._table = table
        self._lang = lang
        self._version = since
        self._phone = phone
        # Hashes, because the pages of a long hand are large, and each of hundreds of phones has its own.
        self._shown: dict[str, int] = {}
        self._begun = False

    def message(self) -> str | None:
        """The regions that changed since the last message, as an event; None if the table has not changed."""
        with self._app.app_context():
            role, seat = role_of(self._phone), seat_of(self._phone)
        # A removed phone is only told that there is news. Its page then asks, and is refused.
        invited = role is not Role.UNINVITED
        version, regions = (
            render_regions(self._app, self._table, self._lang, role, seat)
            if invited
            else (self._table.changes.version, {})
        )
        if self._begun and version == self._version:
            return None
        hashes = {name: hash(html) for name, html in regions.items()}
        if version == self._version:
            self._shown = hashes  # the page shows these regions already
        changed = {name: html for name, html in regions.items() if self._shown.get(name) != hashes[name]}
        self._shown, self._version, self._begun = hashes, version, True
        state = {"version": version, "regions": changed, "menu": menu_of(role).name}
        data = json.dumps(state, ensure_ascii=False)
        return f"event: state\ndata: {data}\n\n"
