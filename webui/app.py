"""The Flask application: one blueprint a page, all of them around one live table."""

import secrets
from pathlib import Path
from typing import Final

from flask import Flask, Response, g, jsonify, redirect, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter

from tracker.catalogue import msgid
from tracker.danish.rulesets import Options
from tracker.danish.words import alert_text, reason_text
from tracker.errors import TarokError
from tracker.store import StoreError, TokenUsedError
from vision.resources import datasets_dir
from webui.live import LiveTable, RefusedError
from webui.pages import about, camera, decks, dialogs, entries, files, host, table
from webui.pages.common import EntryError, render
from webui.security import ForeignEntryError, ForeignHostError, StaleTokenError, is_own_path, protect
from webui.teaching import Teaching
from webui.texts import COOKIE, language, language_names, speak, text
from webui.version import version

_HTTP_ERRORS: Final = {
    404: msgid("There is no such page."),
    405: msgid("This page does not take that."),
    413: msgid("The entry is too large; nothing was entered."),
}
_INSIDE: Final = msgid(
    "Something went wrong inside the program, and nothing was entered. The evening is kept."
)


class _Number(IntegerConverter):
    """A number in an address: ASCII digits, few enough to be read; anything else is no page."""

    regex = "[0-9]{1,9}"


def create_app(
    live: LiveTable,
    *,
    demo: bool = False,
    deck: Path | None = None,
    source: str | None = None,
    rules: tuple[str, Options] = ("dtf-2011", ()),
) -> Flask:
    """The page around `live`; `demo` says what a person must know of the demo; `deck` is a folder of cards.

    The default deck is the program's own drawn one. `source` is the camera that decks are taught with.
    `rules` (a base and options) are proposed for a new evening.
    """
    app = Flask(__name__)
    app.extensions["live"] = live
    app.extensions["teaching"] = Teaching(live, source)
    app.config["DEMO"] = demo
    app.config["DECK"] = deck or datasets_dir() / "drawn"
    app.config["RELEASE"] = version()
    app.config["RULES"] = rules
    app.config["BUILD"] = secrets.token_hex(4)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.url_map.converters["int"] = _Number
    protect(app)
    speak(app)
    for page in (table, dialogs, entries, camera, files, decks, host, about):
        app.register_blueprint(page.blueprint)

    @app.get("/language/<code>")
    def choose_language(code: str) -> Response:
        target = request.args.get("to", "/")
        answer = redirect(target if is_own_path(target) else "/")
        if code in language_names():
            answer.set_cookie(COOKIE, code, max_age=400 * 86400, samesite="Lax")
        assert isinstance(answer, Response)
        return answer

    _handle_errors(app)
    return app


def _handle_errors(app: Flask) -> None:
    def told(message: str, status: int) -> tuple[Response | str, int]:
        """One sentence with its status, as JSON to the page's script and as a page to a person."""
        if not hasattr(g, "token"):
            g.token = ""
        if request.accept_mimetypes.best == "application/json":
            return jsonify(message=message), status
        return render("dialogs/error.html", message=message), status

    @app.errorhandler(EntryError)
    def refused(error: EntryError) -> tuple[Response | str, int]:
        return told(text(error.sentence, **error.values), error.status)

    @app.errorhandler(ForeignHostError)
    def elsewhere(error: ForeignHostError) -> Response:
        words = text("This address does not belong to the table. Open the address that the laptop shows.")
        return Response(f"{words}\n", 403, mimetype="text/plain")

    @app.errorhandler(ForeignEntryError)
    def foreign(error: ForeignEntryError) -> tuple[Response | str, int]:
        return told(text("The entry came from another site and was refused; nothing was entered."), 403)

    @app.errorhandler(StaleTokenError)
    def stale(error: StaleTokenError) -> tuple[Response | str, int]:
        return told(
            text("This page is too old to enter from. Reload it and try again; nothing was entered."), 403
        )

    @app.errorhandler(TokenUsedError)
    def used(error: TokenUsedError) -> tuple[Response | str, int]:
        return told(
            text(
                "Nothing was entered: something else was sent from here before. Open the page again "
                "and try from there."
            ),
            409,
        )

    @app.errorhandler(StoreError)
    def unsaved(error: StoreError) -> tuple[Response | str, int]:
        return told(text("The evening cannot be saved ({reason}). Nothing was entered.", reason=error), 503)

    @app.errorhandler(RefusedError)
    def refused_by_the_game(error: RefusedError) -> tuple[Response | str, int]:
        return told(alert_text(error.alert, language()), 422)

    @app.errorhandler(TarokError)
    def impossible(error: TarokError) -> tuple[Response | str, int]:
        return told(
            text("That cannot happen now: {reason}.", reason=reason_text(error.reason, language())), 422
        )

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> tuple[Response | str, int]:
        status = error.code or 500
        return told(text(_HTTP_ERRORS.get(status, _INSIDE)), status)
