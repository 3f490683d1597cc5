"""The evening as files: the session file and its audit."""

from typing import Any

from flask import Response

from tracker.games import game_of
from tracker.open_questions import unanswered
from tracker.session import Session
from tracker.session_file import export
from webui.downloads import json_file
from webui.pages.common import EntryError, TableBlueprint, live, render
from webui.texts import language
from webui.view.finding_rows import flag_links
from webui.view.history import without_cards

blueprint = TableBlueprint("files", __name__)


def _whole() -> Session[Any, Any]:
    """The evening. Raises EntryError before the first one, and while fair play hides something of it."""
    shown = live().sight
    if shown is None:
        raise EntryError("There is no evening to go through.", 409)
    if shown.hidden:
        raise EntryError(
            "While a hand is played, nobody may look at tricks and pots. Try again when it is over.", 409
        )
    return shown.session


@blueprint.get("/session.json")
def session_file() -> Response:
    """The evening as a session file, which `tarok audit` reads."""
    return json_file(export(live().recorded, type(_whole())), "session.tarok", indent=1)


@blueprint.get("/audit.json")
def audit_file() -> Response:
    """The audit as `tarok audit` prints it."""
    evening = _whole()
    return json_file(game_of(evening).audit(evening), "audit.json", indent=1)


@blueprint.get("/audit")
def audit() -> str:
    """The audit in words, as `tarok audit --format text` has it."""
    evening = _whole()
    waiting = unanswered(evening)
    return render(
        "dialogs/audit.html",
        report=game_of(evening).audit_text(evening, language()),
        questions=waiting.questions,
        flags=flag_links(waiting.flags),
        left_out=without_cards(evening),
    )
