"""Where evenings and taught decks are kept by default."""

import os
import re
import sys
from pathlib import Path

from tracker.files import make_private, private_folder
from webui.errors import UserError, told_as


def data_dir() -> Path:
    """The user's own folder for this program's data, which is made if need be. Raises UserError."""
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Application Support"
        else:
            base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    except RuntimeError:
        raise UserError("this user has no home folder for the evenings") from None
    folder = base / "tarok-table"
    with told_as(UserError, folder):
        make_private(private_folder(folder))
    return folder


def database_of(given: Path | None) -> Path:
    """The evenings' database: the one `given` with --db, or else the user's own. Raises UserError."""
    if given is not None:
        return given
    try:
        return data_dir() / "evening.sqlite3"
    except UserError as error:
        raise UserError(f"{error}; choose another place with --db") from None


def decks_dir() -> Path:
    """The folder of the decks that were taught."""
    return private_folder(data_dir() / "decks")


def corrections_dir() -> Path:
    """The folder of the pictures of corrected cards, for `tarok train identifier --crops`."""
    return data_dir() / "corrections"


def deck_dir(name: str) -> Path:
    """The folder of the taught deck `name`, whichever letters of it are capital.

    Raises UserError when no deck can have that name.
    """
    if not re.fullmatch(r"[^\W_][\w .-]{0,39}", name) or name.endswith("."):
        raise UserError(f"{name!r} cannot be a deck's name: letters, digits, spaces and dashes, 40 at most")
    folder = decks_dir()
    there = [one for one in folder.glob("*") if one.name.casefold() == name.casefold()]
    return folder / name if folder / name in there or not there else there[0]
