"""The program's version, which only pyproject.toml states."""

import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path


@cache
def version() -> str:
    """The program's version, such as 0.1.0."""
    try:
        return metadata.version("tarok-table")
    except metadata.PackageNotFoundError:  # run from a checkout that was not installed
        project = Path(__file__).parents[1] / "pyproject.toml"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
