"""The batches that tables send, read and checked."""

import json
from dataclasses import dataclass
from typing import Any, Final

from tracker.catalogue import msgid
from tracker.reader import SessionFileError, parsed
from tracker.store import Stored
from webui.errors import EntryError
from webui.pages.fields import is_storable
from webui.people.seats import MAX_NAME
from webui.reporting.club_line import MOST_EVENTS, MOST_IN_EVENING, MOST_KEY, START

_SHAPE: Final = msgid("That is not a batch of events: {what}.")


@dataclass(frozen=True)
class Batch:
    """What a table sent: the events of an `evening` (its key) after the number `after`, and everybody's chips then.

    `digest` is that of the record before these events. `chips` is None if the table has later events already.
    """

    evening: str
    opened_at: float
    after: int
    digest: str
    events: list[Stored]
    chips: dict[str, int] | None


def read_batch(data: Any) -> Batch:
    """The batch in a JSON value. Raises EntryError that says what is wrong with it."""
    keys = {"evening", "opened_at", "after", "digest", "events", "chips"}
    if not isinstance(data, dict) or data.keys() != keys:
        raise EntryError(_SHAPE, what=", ".join(sorted(keys)))
    evening, after, digest, rows = data["evening"], data["after"], data["digest"], data["events"]
    if not is_evening_key(evening):
        raise EntryError(_SHAPE, what="evening")
    if not (type(after) is int and 0 <= after < MOST_IN_EVENING):
        raise EntryError(_SHAPE, what="after")
    if not (isinstance(digest, str) and len(digest) == len(START)):
        raise EntryError(_SHAPE, what="digest")
    if not (isinstance(rows, list) and 0 < len(rows) <= MOST_EVENTS):
        raise EntryError(_SHAPE, what="events")
    events = [_event(after + 1 + place, row) for place, row in enumerate(rows)]
    return Batch(evening, _time("opened_at", data["opened_at"]), after, digest, events, _chips(data["chips"]))


def is_evening_key(value: Any) -> bool:
    """Whether `value` can be a table's key of an evening."""
    return isinstance(value, str) and 0 < len(value) <= MOST_KEY and value.isprintable()


def _event(seq: int, row: Any) -> Stored:
    if not (isinstance(row, list) and len(row) == 3 and isinstance(row[1], str) and isinstance(row[2], str)):
        raise EntryError(_SHAPE, what=f"events, {seq}")
    if len(row[1]) > 2 * MAX_NAME or not is_storable(row[1]) or not _is_event(row[2]):
        raise EntryError(_SHAPE, what=f"events, {seq}")
    return Stored(seq, _time(f"events, {seq}", row[0]), row[1], row[2])


def _is_event(text: str) -> bool:
    """Whether `text` is a JSON object whose texts can be stored."""
    try:
        data = parsed(text)
    except SessionFileError:
        return False
    inside = json.dumps(data, ensure_ascii=False)  # it has the characters that were written as \\u0000
    return isinstance(data, dict) and is_storable(text) and is_storable(inside) and "\\u0000" not in inside


def _time(what: str, value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < 1e11:
        raise EntryError(_SHAPE, what=what)
    return float(value)


def _chips(value: Any) -> dict[str, int] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not all(type(chips) is int for chips in value.values()):
        raise EntryError(_SHAPE, what="chips")
    return dict(value)
