"""Erasing a player's name from a record. The chips stay where they are, under a name that stands for nobody."""

import re
from collections.abc import Collection
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tracker.by_result import ByResult
from tracker.events import DealtAgain, Event

_NOBODY = "N.N."
_PLAYERS = {"player", "dealer", "source", "target", "after", "declarer", "taker", "by"}
"""The fields of events that hold one player's name. `seats` holds several, and the free text of `reason` may."""


def nobody(taken: Collection[str]) -> str:
    """A name for an erased person, other than those `taken`: "N.N.", "N.N. 2" and so on."""
    number = 1
    while (name := _NOBODY if number == 1 else f"{_NOBODY} {number}") in taken:
        number += 1
    return name


def _reworded(words: str, old: str, new: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, words)


def renamed(event: Event, old: str, new: str) -> Event:
    """`event` with the player `old` called `new`."""
    assert is_dataclass(event)  # every kind of event is one
    changes: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in _PLAYERS and value == old:
            changes[field.name] = new
        elif isinstance(value, Event):
            changes[field.name] = renamed(value, old, new)
        elif field.name == "seats":
            changes[field.name] = tuple(new if seat == old else seat for seat in value)
        elif field.name == "reason" and isinstance(value, str):
            changes[field.name] = _reworded(value, old, new)
        elif field.name == "finding" and value:
            # The parts of `Finding.name`; those after the rule may be suspects.
            kind, rule, *others = value.split(" ", 2)
            changes[field.name] = " ".join((kind, rule, *(_reworded(part, old, new) for part in others)))
    if isinstance(event, ByResult):
        event = event.with_name(old, new)
    changed = replace(event, **changes)
    assert isinstance(changed, Event)
    return changed


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
