"""The club's server as a Flask application: the database, and a blueprint for each page."""

import math
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, g, jsonify, request
from sqlalchemy import Engine
from sqlalchemy.exc import DataError, DBAPIError
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from tracker.catalogue import msgid
from webui.club.board import Board
from webui.club.common import GAME_TITLES, show
from webui.club.intake import Intake
from webui.club.members import Members
from webui.club.pages import (
    admin,
    api,
    bin,
    clock,
    confirming,
    evenings,
    joining,
    ledger,
    people,
    seasons,
    tables,
    tournaments,
    wall,
)
from webui.club.parts import ClubParts, give_club_parts
from webui.club.roles import ROLE_NAMES, ClubRole
from webui.club.security import StrangerError, TooLittleError, TooOftenError, UnknownTableError, protect_club
from webui.downloads import source_pages
from webui.errors import EntryError, tell_fault
from webui.pages.fields import AskFirstError, asked_first
from webui.serving.addresses import OwnHosts
from webui.serving.requests import (
    ForeignEntryError,
    ForeignHostError,
    StaleTokenError,
    begin,
    by_script,
    is_own_path,
    told_alike,
)
from webui.texts import in_each_language, speak, text

_FAULT: Final = msgid("Something went wrong in the program, and nothing was entered.")


def create_club_app(engine: Engine, *, behind_proxy: bool = False) -> Flask:
    """The application that serves the clubs in the database `engine`.

    `behind_proxy`: a proxy of the club stands before the server, and says for whom it asks and by which scheme. Raises
    CatalogueError when a language cannot be read.
    """
    app = Flask("webui")
    board = Board()
    parts = ClubParts(engine, Members(engine), board, Intake(engine, board), OwnHosts())
    give_club_parts(app, parts)
    begin(app)
    app.jinja_env.globals.update(role_names=ROLE_NAMES, game_titles=GAME_TITLES)
    if behind_proxy:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1)  # type: ignore[method-assign]
    protect_club(app, parts)
    speak(app)
    for page in (
        api,
        joining,
        wall,
        people,
        evenings,
        ledger,
        seasons,
        tournaments,
        clock,
        confirming,
        tables,
        admin,
        bin,
    ):
        app.register_blueprint(page.blueprint)
    app.register_blueprint(source_pages(lambda: show("dialogs/source.html")))

    _tell_errors(app)
    return app


def _tell_errors(app: Flask) -> None:
    def told(error: Exception) -> Response | tuple[Response | str, int]:
        """One sentence with its HTTP status: JSON for a script or a table, a page for a person."""
        message, status = _told_of(error)
        if isinstance(error, ForeignHostError):
            return Response(f"{message}\n", status, mimetype="text/plain")
        if isinstance(error, DBAPIError):
            tell_fault("asking the database", error)
        if request.path.startswith("/api/") or by_script():
            answer = jsonify(message=message, messages=in_each_language(lambda: _told_of(error)[0]))
            if isinstance(error, TooOftenError):
                answer.headers["Retry-After"] = str(math.ceil(error.wait_s))
            return answer, status
        template = "club/stranger.html" if isinstance(error, StrangerError) else "club/error.html"
        if isinstance(error, DBAPIError):
            g.member = None  # otherwise the page would ask the database for the club's name
        return show(template, message=message), status

    def asked(error: AskFirstError) -> Response | tuple[Response | str, int]:
        back = urlsplit(request.referrer or "").path
        return asked_first(error, partial(show, "dialogs/sure.html", back=back if is_own_path(back) else "/"))

    app.register_error_handler(AskFirstError, asked)
    for kind in (
        EntryError,
        ForeignHostError,
        ForeignEntryError,
        StaleTokenError,
        StrangerError,
        TooLittleError,
        TooOftenError,
        UnknownTableError,
        DBAPIError,
        HTTPException,
    ):
        app.register_error_handler(kind, told)


def _told_of(error: Exception) -> tuple[str, int]:
    """The sentence that tells a person of `error`, and the HTTP status."""
    match error:
        case ForeignHostError():
            return text("This address does not belong to the club's server."), 403
        case StrangerError():
            return text("Scan the club's code, or open the link that the club's admin sent."), 403
        case TooLittleError():
            role = text(ROLE_NAMES[error.role or ClubRole.ADMIN])
            return text("That is only for: {role}.", role=role), 403
        case UnknownTableError():
            return text("The club no longer knows this table."), 401
        case TooOftenError():
            return text("Too many tries. Wait a little, and try again."), 429
        case DataError():
            return text("What was sent cannot be stored; nothing was entered."), 400
        case DBAPIError():
            return text("The club's database does not answer. Nothing was entered; try again."), 503
    return told_alike(error, _FAULT)
