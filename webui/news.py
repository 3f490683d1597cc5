"""What a page that listens is told, as server-sent events."""

import json

from flask import Flask

from webui.live import LiveTable
from webui.regions import render_regions


class News:
    """The news of `table` for one page in the language `lang`, which shows the version `since` (None: nothing)."""

    def __init__(self, app: Flask, table: LiveTable, lang: str, since: int | None) -> None:
        self._app = app
        self._table = table
        self._lang = lang
        self._version = since
        self._shown: dict[str, str] = {}
        self._begun = False

    def message(self) -> str | None:
        """The regions that changed since the last message, as an event; None where the table is as it was."""
        version, regions = render_regions(self._app, self._table, self._lang)
        if self._begun and version == self._version:
            return None
        if version == self._version:
            self._shown = dict(regions)  # the page has them
        changed = {name: html for name, html in regions.items() if self._shown.get(name) != html}
        self._shown, self._version, self._begun = dict(regions), version, True
        data = json.dumps({"version": version, "regions": changed}, ensure_ascii=False)
        return f"event: state\ndata: {data}\n\n"
