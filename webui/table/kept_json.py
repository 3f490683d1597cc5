"""What the program keeps as JSON beside the evening: read as strictly as a file from elsewhere."""

from pathlib import Path
from typing import Any

from tracker.files import read_at_most
from tracker.reader import MOST_FILE_BYTES, SessionFileError, parsed


def kept_json(path: Path) -> Any:
    """The JSON in the file at `path`. Raises OSError, or ValueError where it cannot be read."""
    try:
        return parsed(read_at_most(path, MOST_FILE_BYTES))
    except SessionFileError as error:
        raise ValueError(str(error)) from None
