"""The table's page, and its state: streamed as server-sent events, or asked for."""

import json
import threading
from collections.abc import Iterator

from flask import Blueprint, Flask, Response, current_app, g, jsonify, request

from webui.pages.common import EntryError, live, render
from webui.regions import render_regions
from webui.roles import Role
from webui.security import role_of
from webui.server import MAX_LISTENERS
from webui.texts import language

blueprint = Blueprint("table", __name__)
_HEARTBEAT_S = 4.0
_listeners = threading.BoundedSemaphore(MAX_LISTENERS)


def _app() -> Flask:
    """The application itself, not its proxy: the stream renders after the request has ended."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    assert isinstance(app, Flask)
    return app


@blueprint.get("/")
def index() -> str:
    """The table."""
    version, regions = render_regions(_app(), live(), language(), g.role)
    has_camera = live().camera.state != "none"
    return render(
        "table.html", regions=regions, version=version, has_camera=has_camera, menu=menu_of(g.role).name
    )


@blueprint.get("/state")
def state() -> Response:
    """All regions of the page as JSON; none if the table is still at the version `since`."""
    version, regions = render_regions(_app(), live(), language(), g.role)
    newer = request.args.get("since", type=int) != version
    return jsonify(version=version, regions=regions if newer else {}, menu=menu_of(g.role).name)


def menu_of(role: Role) -> Role:
    """The role whose menu the page has: that of an arbiter, who is one for a hand, is a player's."""
    return Role.PLAYER if role is Role.ARBITER else role


@blueprint.get("/stream")
def stream() -> Response:
    """Server-sent events: the state if it is newer than `since`, then every change, and signs of life."""
    if not _listeners.acquire(blocking=False):
        raise EntryError("Too many pages are open; this one asks for news every few seconds.", 503)
    app, table, lang, phone = _app(), live(), language(), g.phone
    since = request.args.get("since", type=int)

    def news() -> Iterator[str]:
        sent: dict[str, str] = {}
        while not table.leaving:
            with app.app_context():
                role = role_of(phone)
            if role is Role.UNINVITED:
                return  # removed meanwhile
            version, regions = render_regions(app, table, lang, role)
            if version == since and not sent:
                sent.update(regions)
            changed = {name: html for name, html in regions.items() if sent.get(name) != html}
            sent.update(changed)
            state = {"version": version, "regions": changed, "menu": menu_of(role).name}
            data = json.dumps(state, ensure_ascii=False)
            yield f"event: state\ndata: {data}\n\n"
            while not table.wait(version, _HEARTBEAT_S):
                yield "event: alive\ndata: {}\n\n"

    answer = Response(news(), mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
    # Called however the connection ends, even if nothing was read from it.
    answer.call_on_close(_listeners.release)
    return answer
