"""The Flask application: one live table, and a blueprint for each page."""

from datetime import date
from functools import partial
from typing import Final, Literal

from flask import Flask, Response, g, jsonify, request
from werkzeug.exceptions import HTTPException

from tracker.catalogue import msgid
from tracker.errors import Reason, TarokError
from tracker.games import GAMES, USUAL_RULES, game_of
from tracker.reader import SessionFileError
from tracker.rule_sets import Options
from tracker.store import DamagedError, StoreError, TokenUsedError
from tracker.words import Words
from vision.resources import datasets_dir
from webui.app_parts import AppParts, give_parts
from webui.camera.cameras import Cameras
from webui.camera.teaching import Teaching
from webui.downloads import source_pages
from webui.games.american import dialogs as american
from webui.games.danish import dialogs as danish
from webui.games.french import dialogs as french
from webui.games.tarot1659 import dialogs as tarot1659
from webui.pages import (
    camera,
    club,
    decks,
    dialogs,
    entries,
    files,
    guide,
    history,
    host,
    joining,
    naming,
    put_right,
    recording,
    replay,
    results,
    set_up,
    table,
    unseen,
)
from webui.pages import learning as learning_pages
from webui.pages import practice as practice_pages
from webui.pages import rules as rule_pages
from webui.pages.common import EntryError, NoEveningError, live, render
from webui.pages.fields import AskFirstError, asked_first
from webui.people.appearance import APPEARANCE_COOKIE, appearance_in
from webui.people.own_trumps import OwnTrumps
from webui.people.phones import Phones
from webui.people.roles import Role
from webui.reporting.reporter import Reporter
from webui.serving.addresses import OwnHosts
from webui.serving.network import Network
from webui.serving.requests import (
    ForeignEntryError,
    ForeignHostError,
    StaleTokenError,
    begin,
    by_script,
    keep_for_a_year,
    told_alike,
)
from webui.serving.security import NotAllowedError, UninvitedError, protect
from webui.table.live import LiveTable, RefusedError
from webui.table.set_up import SetUp
from webui.texts import begun, damaged_text, language, speak, text

_INSIDE: Final = msgid("Something went wrong in the program, and nothing was entered. The evening is kept.")


_NOT_ALLOWED: Final[dict[Role | None, str]] = {
    Role.PLAYER: msgid("This screen only shows the table; enter it on a phone."),
    Role.ARBITER: msgid("Only the host may do that, or the player who sits out in this hand."),
    Role.HOST: msgid("That is for the host."),
}


def create_app(
    live: LiveTable,
    *,
    demo: bool | Literal["by hand"] = False,
    source: str | None = None,
    cameras: Cameras | None = None,
    setting_up: SetUp | None = None,
    rules: tuple[str, Options] = (USUAL_RULES, ()),
    learning: bool = False,
) -> Flask:
    """The application that shows `live`.

    `demo`: a line says that this is the demo, of a recording or "by hand". `source` is the camera that decks are taught
    with. `cameras` and `setting_up` belong to a table that can be set up on the page. `rules` (a base and options) are
    proposed for a new evening. `learning`: there is no table, only hands to learn from.

    Raises CatalogueError when a language cannot be read, StoreError when the table's key cannot be written.
    """
    app = Flask(__name__)
    parts = AppParts(
        live=live,
        phones=Phones(live.path),
        hosts=OwnHosts(),
        network=Network(),
        cameras=cameras or Cameras(live),
        set_up=setting_up or SetUp(live),
        own_trumps=OwnTrumps(),
        teaching=Teaching(live, source),
        reporter=Reporter(live),
    )
    give_parts(app, parts)
    live.pictures.recording.seat_of = parts.phones.seat
    app.config["DEMO"] = demo
    app.config["LEARNING"] = learning
    app.config["DECK"] = datasets_dir() / "drawn"
    app.config["RULES"] = rules
    begin(app)
    protect(app, parts)
    speak(app, live)
    for page in (
        table,
        dialogs,
        american,
        danish,
        tarot1659,
        french,
        entries,
        put_right,
        results,
        camera,
        files,
        history,
        recording,
        replay,
        decks,
        host,
        club,
        joining,
        naming,
        set_up,
        guide,
        rule_pages,
        learning_pages,
        practice_pages,
        unseen,
    ):
        app.register_blueprint(page.blueprint)
    app.register_blueprint(source_pages(lambda: render("dialogs/source.html")))

    @app.get("/reading/<choice>")
    def choose_appearance(choice: str) -> Response:
        appearance = appearance_in(request.cookies.get(APPEARANCE_COOKIE, "")).with_choice(choice)
        return keep_for_a_year(APPEARANCE_COOKIE, appearance.as_cookie())

    _handle_errors(app)
    return app


def _handle_errors(app: Flask) -> None:
    def told(error: Exception) -> tuple[Response | str, int]:
        """One sentence with its HTTP status: JSON for the page's script, a page for a person."""
        refusal, status = _refusal(error)
        message = begun(refusal)
        if not hasattr(g, "token"):
            g.token = ""
        if by_script():
            return jsonify(message=message), status
        page = "dialogs/uninvited.html" if isinstance(error, UninvitedError) else "dialogs/error.html"
        return render(page, message=message, opens=isinstance(error, NoEveningError)), status

    def told_plainly(error: ForeignHostError) -> Response:
        """The sentence alone, as plain text: another site's script may read the answer."""
        return Response(f"{_refusal(error)[0]}\n", 403, mimetype="text/plain")

    def asked(error: AskFirstError) -> tuple[Response | str, int]:
        return asked_first(error, partial(render, "dialogs/sure.html"))

    app.register_error_handler(AskFirstError, asked)
    app.register_error_handler(ForeignHostError, told_plainly)
    for kind in (
        EntryError,
        ForeignEntryError,
        StaleTokenError,
        UninvitedError,
        NotAllowedError,
        TarokError,
        HTTPException,
    ):
        app.register_error_handler(kind, told)


def _words() -> Words:
    """The words of the game at the table; before there is one, those of the first game."""
    session = live().session
    return (game_of(session) if session is not None else next(iter(GAMES.values()))).words


def _reason_text(reason: Reason) -> str:
    """The sentence for `reason`: from the game at the table, or else from another game or the page."""
    english = _words().reason_text(reason)
    games = [_words(), *(game.words for game in GAMES.values())]
    said = [words.reason_text(reason, language()) for words in games]
    said.append(text(reason.sentence, **dict(reason.values)))
    return next((words for words in said if words != english), english)


def _refusal(error: Exception) -> tuple[str, int]:
    """The sentence that tells a person of `error`, and the HTTP status."""
    match error:
        case ForeignHostError():
            said = text("This address does not belong to the table. Open the address that the laptop shows.")
            return said, 403
        case UninvitedError():
            return text("Scan the code on the laptop's screen to join the table."), 403
        case NotAllowedError():
            return text(_NOT_ALLOWED.get(error.role, _NOT_ALLOWED[Role.HOST])), 403
        case TokenUsedError():
            said = text(
                "This form was already sent with something else in it; nothing was entered. Open the page "
                "again, and try there."
            )
            return said, 409
        case DamagedError():
            return damaged_text(date.fromtimestamp(error.at)), 500
        case StoreError():
            return text("The evening cannot be saved ({reason}). Nothing was entered.", reason=error), 503
        case RefusedError():
            return _words().alert_text(error.alert, language()), 422
        case SessionFileError():
            reason = error.at_place(_reason_text(error.reason))
            return text("The file cannot be read: {reason}.", reason=reason), 422
        case TarokError():
            said = text("That cannot happen now: {reason}.", reason=_reason_text(error.reason))
            return said, 422
    return told_alike(error, _INSIDE)
