"""Erasing a player's name from a record. The chips stay where they are, under a name that stands for nobody."""

from collections.abc import Collection
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tracker.events import DealtAgain, Event

_NOBODY = "N.N."


def nobody(taken: Collection[str]) -> str:
    """A name for an erased person, other than those `taken`: "N.N.", "N.N. 2" and so on."""
    number = 1
    while (name := _NOBODY if number == 1 else f"{_NOBODY} {number}") in taken:
        number += 1
    return name


def without_words(event: Event, instead: str) -> Event:
    """`event` with `instead` for what somebody wrote in words: why chips were moved, or a deal annulled."""
    assert is_dataclass(event)
    changes: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, Event):
            changes[field.name] = without_words(value, instead)
        elif field.name == "reason" and value and not isinstance(event, DealtAgain):  # that is a key
            changes[field.name] = instead
    changed = replace(event, **changes)
    assert isinstance(changed, Event)
    return changed
