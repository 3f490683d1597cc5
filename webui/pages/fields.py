"""The plain fields of an entry, read and checked. Each function raises EntryError with one sentence."""

from collections.abc import Mapping
from datetime import date

from flask import request

from webui.errors import EntryError


def field(name: str) -> str:
    """The value of the field `name`, which must be there."""
    value = request.form.get(name, "").strip()
    if not value:
        raise EntryError("The field “{field}” is missing.", field=name)
    return value


def number(name: str, low: int, high: int) -> int:
    """The whole number in the field `name`, between `low` and `high`."""
    value = field(name)
    # isdecimal alone would accept digits of other scripts, and numbers of any length.
    if not (value.isascii() and value.isdecimal() and len(value) < 10 and low <= int(value) <= high):
        raise EntryError("“{value}” is not a number that can be used here.", value=value)
    return int(value)


def choice(name: str, allowed: tuple[str, ...]) -> str:
    """The value of the field `name`, one of `allowed`."""
    value = field(name)
    if value not in allowed:
        raise EntryError("“{value}” cannot be chosen here.", value=value)
    return value


def words(name: str) -> str:
    """The text in the field `name`, in one line of 200 characters at most; it may be empty."""
    return " ".join(request.form.get(name, "").split())[:200]


def day_in(name: str, fields: Mapping[str, str], otherwise: date) -> date:
    """The day in the field `name` of `fields`, `otherwise` where it is empty."""
    value = fields.get(name, "").strip()
    if not value:
        return otherwise
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise EntryError("“{value}” is not a day. Write it as in 2026-09-01.", value=value) from None
