"""The folders of data in a checkout or an installed wheel, and how a fitted table is read."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from vision.errors import VisionError

T = TypeVar("T")

_PACKAGE = Path(__file__).resolve().parent


def _data_dir(name: str) -> Path:
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def models_dir() -> Path:
    """The folder of trained weights and their model card."""
    return _data_dir("models")


def datasets_dir() -> Path:
    """The folder of deck descriptions, the program's own drawn deck and the demo recording."""
    return _data_dir("datasets")


def docs_dir() -> Path:
    """The folder of the documents."""
    return _data_dir("docs")


def read_table(path: Path, what: str, made_of: Callable[[Any], T]) -> T:
    """The table in the JSON file `path`, made by `made_of`; `what` says in words what it is a table of.

    Raises `VisionError` when the file cannot be read or something in it is missing or wrong.
    """
    try:
        return made_of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise VisionError(f"{path}: not a table of {what} ({error})") from error
