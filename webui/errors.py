"""A user's error and a fault of the program's own, each told in one line."""

import argparse
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tracker.catalogue import msgid

_LONGEST_SHOWN: Final = 40


class UserError(Exception):
    """A command that cannot be carried out. The message is one sentence for the user."""


class EntryError(Exception):
    """An entry that is refused: an English sentence with the values for its places, and the HTTP status."""

    def __init__(self, sentence: str, status: int = 400, **values: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        # What was sent may be long, or have line ends.
        self.values = {name: _shown(str(value)) for name, value in values.items()}


class NoEveningError(EntryError):
    """An entry that needs an evening, before one is open."""

    def __init__(self) -> None:
        super().__init__(msgid("Open an evening first."), 409)


def one_line(value: str) -> str:
    """`value` with a space for each line end and whatever else cannot be printed."""
    return "".join(letter if letter.isprintable() else " " for letter in value)


def _shown(value: str) -> str:
    line = one_line(value)
    return line if len(line) <= _LONGEST_SHOWN else line[:_LONGEST_SHOWN] + "…"


@contextmanager
def told_as(kind: type[Exception], what: object) -> Iterator[None]:
    """If the system refuses something within the block, raise a `kind` that names `what`, such as a file, and why."""
    try:
        yield
    except OSError as error:
        raise kind(f"{what}: {error.strerror or error}") from error


def require_positive(args: argparse.Namespace, *options: str) -> None:
    """Raise UserError naming the first of these `options` that is below 1."""
    for option in options:
        if getattr(args, option) < 1:
            name = option.replace("_", "-")
            raise UserError(f"--{name} {getattr(args, option)}: must be 1 or more")


def require_within(args: argparse.Namespace, option: str, low: float, high: float, unit: str = "") -> None:
    """Raise UserError if the value of `option` is given and not from `low` to `high`; the sentence ends with `unit`."""
    value = getattr(args, option)
    if value is not None and not low <= value <= high:
        name = option.replace("_", "-")
        raise UserError(f"--{name} {value:.10g}: must be {low} to {high}{unit}")


def tell_fault(doing: str, fault: Exception) -> str:
    """Print in one line that `doing` failed, why, and where in the code; returns why."""
    what = " ".join(f"{type(fault).__name__}: {fault}".split())
    trace = traceback.extract_tb(fault.__traceback__)
    where = f" at {trace[-1].filename}:{trace[-1].lineno}" if trace else ""
    print(f"tarok: {doing} failed{where}: {what}", file=sys.stderr, flush=True)
    return what
