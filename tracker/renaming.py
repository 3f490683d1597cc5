"""Other names for the players of a record: one name for another, and the names as they were put right."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tracker.by_result import ByResult
from tracker.events import DealtAgain, Event, PlayerRenamed, Recorded

_PLAYERS = {"player", "dealer", "source", "target", "after", "declarer", "taker", "by", "called"}
"""The fields of events that hold one player's name. `seats` holds several, and the free text of `reason` may."""


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
        elif field.name == "reason" and value and not isinstance(event, DealtAgain):  # that is a key
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


def with_names(event: Event, names: Mapping[str, str]) -> Event:
    """`event` with each player of `names` called what it says, also where two change names with each other."""
    changed = [(old, new) for old, new in names.items() if old != new]
    for place, (old, _) in enumerate(changed):
        event = renamed(event, old, f"\0{place}\0")  # nobody's name
    for place, (_, new) in enumerate(changed):
        event = renamed(event, f"\0{place}\0", new)
    return event


def named_now(record: Iterable[Recorded]) -> list[Recorded]:
    """`record` with the names that its last event knows: what came before a name was put right has the new name.

    Whoever entered something is called by his new name, too. A record that is so already stays as it is.
    """
    named = list(record)
    for place, one in enumerate(named):
        event = one.event
        if isinstance(event, PlayerRenamed) and event.player != event.called:
            old, new = event.player, event.called
            named[: place + 1] = [
                before._replace(
                    event=renamed(before.event, old, new), by=new if before.by == old else before.by
                )
                for before in named[: place + 1]
            ]
    return named
