"""The table's page, and its state: streamed as server-sent events, or asked for."""

from flask import Blueprint, Response, current_app, g, jsonify, request

from webui.pages.common import live, render
from webui.pages.news import News
from webui.pages.regions import render_regions
from webui.people.roles import menu_of
from webui.serving.requests import application, see_other, streamed
from webui.serving.security import seat_of
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
