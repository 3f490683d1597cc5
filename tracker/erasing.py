"""A player's name taken out of a record: every chip stays where it was, under a name that says nobody."""

import re
from collections.abc import Collection
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tracker.events import Event

_NOBODY = "N.N."
_PLAYERS = {"player", "dealer", "source", "target", "after"}
"""The fields of events that hold a player's name; `seats` holds several, and people write names into `reason`."""


def nobody(taken: Collection[str]) -> str:
    """A name that says nobody and is not among `taken`."""
    number = 1
    while (name := _NOBODY if number == 1 else f"{_NOBODY} {number}") in taken:
        number += 1
    return name


def _reworded(words: str, old: str, new: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, words)


def renamed(event: Event, old: str, new: str) -> Event:
    """`event` with the player `old` called `new`."""
    assert is_dataclass(event)  # every kind is
    changes: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in _PLAYERS and value == old:
            changes[field.name] = new
        elif field.name == "seats":
            changes[field.name] = tuple(new if seat == old else seat for seat in value)
        elif field.name == "reason" and isinstance(value, str):
            changes[field.name] = _reworded(value, old, new)
        elif field.name == "finding" and value:
            kind, rule, *others = value.split(
                " ", 2
            )  # as `Finding.name` has it: suspects may stand among the others
            changes[field.name] = " ".join((kind, rule, *(_reworded(part, old, new) for part in others)))
    changed = replace(event, **changes)
    assert isinstance(changed, Event)
    return changed
