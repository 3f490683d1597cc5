"""The table's page, and its state: streamed as server-sent events, or asked for."""

import json

from flask import Blueprint, Flask, Response, current_app, g, jsonify, request

from webui.pages.common import live, render
from webui.pages.regions import render_regions
from webui.people.phones import Phone
from webui.people.roles import Role, menu_of
from webui.serving.requests import application, see_other, streamed
from webui.serving.security import role_of, seat_of
from webui.table.live import LiveTable
from webui.texts import language

blueprint = Blueprint("table", __name__)


@blueprint.get("/")
def index() -> str | Response:
    """The table's page; without a table the page of what can be learnt."""
    if current_app.config["LEARNING"]:
        return see_other("/learn")
    version, regions = render_regions(application(), live(), language(), g.role, seat_of(g.phone))
    return render("table.html", regions=regions, version=version, menu=menu_of(g.role).name)


@blueprint.get("/state")
def state() -> Response:
    """All regions of the page as JSON; none if the table still has the version `since`."""
    version, regions = render_regions(application(), live(), language(), g.role, seat_of(g.phone))
    newer = request.args.get("since", type=int) != version
    return jsonify(version=version, regions=regions if newer else {}, menu=menu_of(g.role).name)


@blueprint.get("/stream")
def stream() -> Response:
    """Server-sent events: the state if it is newer than `since`, then every change, and signs of life."""
    return streamed(News(application(), live(), language(), request.args.get("since", type=int), g.phone))


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
