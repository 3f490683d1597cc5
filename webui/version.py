"""The program's version, which only pyproject.toml states."""

import tomllib
from importlib import metadata
from pathlib import Path


def version() -> str:
    """The program's version, such as 0.1.0."""
    try:
        return metadata.version("tarok-table")
    except metadata.PackageNotFoundError:  # run from a checkout that was not installed
        project = Path(__file__).parents[1] / "pyproject.toml"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
