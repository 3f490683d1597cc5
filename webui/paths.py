"""Where the evenings are kept when nobody says otherwise."""

import os
import sys
from pathlib import Path

from webui.errors import UserError


def data_dir() -> Path:
    """The user's own folder for this program's data, made if it is not there. Raises UserError."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "tarok-table"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}; choose another place with --db") from None
    return folder
