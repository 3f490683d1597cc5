"""A session as its file has it."""

import json
from typing import Any

from tracker.games import read_session
from tracker.session import Session
from tracker.session_file import SessionFile, export


def file_of(session: dict[str, Any]) -> SessionFile[Any]:
    """The session file of this object, read. Raises SessionFileError."""
    return read_session(json.dumps(session))[1]


def folded(session: dict[str, Any]) -> Any:
    """The session that a session file's object tells. Raises SessionFileError."""
    return file_of(session).session()


def read_again(session: Session[Any, Any]) -> Any:
    """The session of the file that `session` is written to."""
    return folded(export(session.record, type(session)))
