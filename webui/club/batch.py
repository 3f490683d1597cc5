"""The batches that tables send, read and checked."""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from tracker.catalogue import msgid
from tracker.reader import SessionFileError, parsed
from tracker.store import Stored
from webui.errors import EntryError
from webui.pages.fields import is_storable
from webui.people.seats import MAX_NAME
from webui.reporting.club_line import MOST_EVENTS, MOST_IN_EVENING, MOST_KEY, START

_SHAPE: Final = msgid("That is not a batch of events: {what}.")
_Time = Annotated[float, Meta(ge=0, lt=1e11)]
_Row = tuple[_Time, Annotated[str, Meta(max_length=2 * MAX_NAME)], str]
"""An event: when it was stored, who entered it, and the event itself as JSON."""


class _Sent(msgspec.Struct, forbid_unknown_fields=True):
    """A batch as it is sent."""

    evening: str
    opened_at: _Time
    after: Annotated[int, Meta(ge=0, lt=MOST_IN_EVENING)]
    digest: Annotated[str, Meta(min_length=len(START), max_length=len(START))]
    events: Annotated[list[_Row], Meta(min_length=1, max_length=MOST_EVENTS)]
    chips: dict[str, int] | None


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
    try:
        sent = msgspec.convert(data, _Sent)
    except msgspec.ValidationError as error:
        raise EntryError(_SHAPE, what=str(error).rpartition(" - at ")[2]) from None
    if not is_evening_key(sent.evening):
        raise EntryError(_SHAPE, what="evening")
    events = [Stored(seq, *row) for seq, row in enumerate(sent.events, start=sent.after + 1)]
    for event in events:
        if not (is_storable(event.by) and _is_event(event.data)):
            raise EntryError(_SHAPE, what=f"events, {event.seq}")
    return Batch(sent.evening, sent.opened_at, sent.after, sent.digest, events, sent.chips)


def is_evening_key(value: Any) -> bool:
    """Whether `value` can be a table's key of an evening."""
    return isinstance(value, str) and 0 < len(value) <= MOST_KEY and value.isprintable()


def _is_event(text: str) -> bool:
    """Whether `text` is a JSON object whose texts can be stored."""
    try:
        data = parsed(text)
    except SessionFileError:
        return False
    inside = json.dumps(data, ensure_ascii=False)  # it has the characters that were written as \\u0000
    return isinstance(data, dict) and is_storable(text) and is_storable(inside) and "\\u0000" not in inside
