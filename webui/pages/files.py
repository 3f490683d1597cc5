"""What leaves the program: the session file and its audit."""

import json
from typing import Any

from flask import Blueprint, Response

from tracker.audit import audit as audited
from tracker.session_file import export
from webui.pages.common import EntryError, live, render

blueprint = Blueprint("files", __name__)


def _json(data: dict[str, Any], name: str) -> Response:
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, mimetype="application/json", headers=headers)


@blueprint.get("/session.json")
def session_file() -> Response:
    """The evening as a session file, which `tarok audit` reads."""
    with live().reading() as session:
        if session is None:
            raise EntryError("audit_none", 409)
        return _json(export(live().recorded), "session.json")


def _audit() -> dict[str, Any]:
    with live().reading() as session:
        if session is None:
            raise EntryError("audit_none", 409)
        return audited(session)


@blueprint.get("/audit.json")
def audit_file() -> Response:
    """The audit as `tarok audit` prints it."""
    return _json(_audit(), "audit.json")


@blueprint.get("/audit")
def audit() -> str:
    """The audit, to be read."""
    return render("dialogs/audit.html", report=json.dumps(_audit(), ensure_ascii=False, indent=1))
