"""The program's own small files: a typed value as JSON, checked as it is read."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec

from tracker.files import read_at_most, replace_file
from tracker.store import StoreError
from webui.errors import told_as

T = TypeVar("T")
_Read = Callable[[type, Any], Any]

_MOST_BYTES: Final = 4 << 20


def json_of(value: object, indent: int | None = None) -> bytes:
    """`value`, made of dataclasses and JSON's own kinds, as JSON in UTF-8; with `indent` people can read it."""
    data = msgspec.json.encode(value)
    return data if indent is None else msgspec.json.format(data, indent=indent)


def value_in_json(data: bytes | str, kind: type[T], read: _Read | None = None) -> T:
    """The value of this `kind` in JSON; `read` as in `KeptFile`. Raises ValueError that says what is wrong where."""
    try:
        return msgspec.json.decode(data, type=kind, dec_hook=read)
    except RecursionError:
        raise ValueError("too deep") from None


def file_beside(database: Path, end: str) -> Path:
    """The file beside the evening's `database` whose name ends with `end`, such as ".host.json"."""
    return database.with_name(database.name + end)


def tell_left_out(path: Path, error: Exception) -> None:
    """Print one sentence that says that the file at `path` is left out, and why."""
    why = error.strerror if isinstance(error, OSError) else error
    print(f"tarok: {path}: cannot be read, and is left out: {why}", file=sys.stderr, flush=True)


class KeptFile(Generic[T]):
    """A value of one `kind` in the file at `path`; `default` where there is no file.

    `write` turns what JSON has no form for into JSON's own kinds. `read` is given the type wanted, and turns it back.
    """

    def __init__(
        self,
        path: Path,
        kind: type[T],
        default: T,
        *,
        write: Callable[[Any], Any] | None = None,
        read: _Read | None = None,
    ) -> None:
        self.path = path
        self._kind = kind
        self._default = default
        self._write = write
        self._read = read

    def load(self) -> T:
        """The value in the file. If it cannot be read, the terminal says why, and the default is returned.

        Such a file stays as it is until a value is saved.
        """
        try:
            return value_in_json(read_at_most(self.path, _MOST_BYTES), self._kind, self._read)
        except FileNotFoundError:
            return self._default
        except (OSError, ValueError) as error:
            tell_left_out(self.path, error)
            return self._default

    def save(self, value: T) -> None:
        """Write `value`, whole or not at all; only the file's owner may read it. Raises StoreError."""
        with told_as(StoreError, self.path):
            replace_file(self.path, msgspec.json.encode(value, enc_hook=self._write))
