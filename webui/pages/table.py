"""The table's page, and its state: streamed as server-sent events, or asked for."""

import json
import threading
from collections.abc import Iterator

from flask import Blueprint, Flask, Response, current_app, jsonify, request

from webui.pages.common import EntryError, live, render
from webui.regions import render_regions
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
    version, regions = render_regions(_app(), live(), language())
    has_camera = live().camera.state != "none"
    return render("table.html", regions=regions, version=version, has_camera=has_camera)


@blueprint.get("/state")
def state() -> Response:
    """All regions of the page as JSON; none if the table is still at the version `since`."""
    version, regions = render_regions(_app(), live(), language())
    newer = request.args.get("since", type=int) != version
    return jsonify(version=version, regions=regions if newer else {})


@blueprint.get("/stream")
def stream() -> Response:
    """Server-sent events: the state if it is newer than `since`, then every change, and signs of life."""
    if not _listeners.acquire(blocking=False):
        raise EntryError("Too many pages are open; this one asks for news every few seconds.", 503)
    app, table, lang = _app(), live(), language()
    since = request.args.get("since", type=int)

    def news() -> Iterator[str]:
        sent: dict[str, str] = {}
        while not table.leaving:
            version, regions = render_regions(app, table, lang)
            if version == since and not sent:
                sent.update(regions)
            changed = {name: html for name, html in regions.items() if sent.get(name) != html}
            sent.update(changed)
            data = json.dumps({"version": version, "regions": changed}, ensure_ascii=False)
            yield f"event: state\ndata: {data}\n\n"
            while not table.wait(version, _HEARTBEAT_S):
                yield "event: alive\ndata: {}\n\n"

    answer = Response(news(), mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
    # Called however the connection ends, even if nothing was read from it.
    answer.call_on_close(_listeners.release)
    return answer
