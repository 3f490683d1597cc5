"""What the `train` extra brings. Most of the laboratory does without it."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vision.errors import VisionError


@contextmanager
def train_extra(what: str) -> Iterator[None]:
    """Within the block `what` imports packages of the extra; raises `VisionError` where one is missing."""
    try:
        yield
    except ImportError as error:
        raise VisionError(
            f"{what} needs the extra packages ({error.name or error}): pip install 'tarok-table[train]'"
        ) from error


def matplotlib_fonts() -> Path:
    """The folder of matplotlib's fonts, without loading it; raises `ImportError` where it is missing."""
    found = importlib.util.find_spec("matplotlib")
    if found is None or found.origin is None:
        raise ImportError("matplotlib")
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
