"""Folders of the weights, the drawn deck and the demo recording, in a checkout or an installed wheel."""

from pathlib import Path

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
