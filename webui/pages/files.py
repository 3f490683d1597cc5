"""The evening as files: the session file and its audit."""

import json
from typing import Any, Final

from flask import Blueprint, Response

from tracker.catalogue import msgid
from tracker.games import game_of
from tracker.open_questions import unanswered
from tracker.session import Session
from tracker.session_file import export
from webui.pages.common import EntryError, live, render
from webui.texts import language
from webui.view.finding_rows import flag_links
from webui.view.history import without_cards

blueprint = Blueprint("files", __name__)
_NO_EVENING: Final = msgid("There is no evening to go through.")


def _whole(session: Session[Any, Any] | None) -> Session[Any, Any]:
    """The evening. Raises EntryError before the first one, and while fair play hides something of it."""
    if session is None:
        raise EntryError(_NO_EVENING, 409)
    shown = live().sight
    if shown is not None and shown.hidden:
        raise EntryError(
            "While a hand is played nobody looks at tricks and pots. Try again when it is over.", 409
        )
    return session


def _json(data: dict[str, Any], name: str) -> Response:
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, mimetype="application/json", headers=headers)


@blueprint.get("/session.json")
def session_file() -> Response:
    """The evening as a session file, which `tarok audit` reads."""
    with live().locked() as session:
        return _json(export(live().recorded, type(_whole(session))), "session.tarok")


@blueprint.get("/audit.json")
def audit_file() -> Response:
    """The audit as `tarok audit` prints it."""
    with live().locked() as session:
        evening = _whole(session)
        return _json(game_of(evening).audit(evening), "audit.json")


@blueprint.get("/audit")
def audit() -> str:
    """The audit in words, as `tarok audit --format text` has it."""
    with live().locked() as session:
        evening = _whole(session)
        report = game_of(evening).audit_text(evening, language())
        waiting = unanswered(evening)
        left_out = without_cards(evening)
    flags = flag_links(waiting.flags)
    return render(
        "dialogs/audit.html", report=report, questions=waiting.questions, flags=flags, left_out=left_out
    )
