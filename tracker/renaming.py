"""Other names for the players of a record: one name for another, and the names as they were corrected."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from tracker.by_result import ByResult
from tracker.errors import TarokError
from tracker.events import DealtAgain, Event, PlayerRenamed, Recorded

_PLAYERS = {"player", "dealer", "source", "target", "after", "declarer", "taker", "by", "called"}
"""The fields of events that hold one player's name. `seats` holds several, and the free text of `reason` may."""
MOST_RENAMED: Final = 100
"""How often names may be corrected in an evening."""


def with_names(event: Event, names: Mapping[str, str]) -> Event:
    """`event` with each player of `names` called what it says, also where two change names with each other."""
    assert is_dataclass(event)  # every kind of event is one
    if not names:
        return event
    changes: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in _PLAYERS and value in names:
            changes[field.name] = names[value]
        elif isinstance(value, Event):
            changes[field.name] = with_names(value, names)
        elif field.name == "seats":
            changes[field.name] = tuple(names.get(seat, seat) for seat in value)
        elif field.name == "reason" and value and not isinstance(event, DealtAgain):  # that is a key
            changes[field.name] = _reworded(value, names)
        elif field.name == "finding" and value:
            changes[field.name] = _finding_with_names(value, names)
        elif field.name == "findings":
            changes[field.name] = tuple(_finding_with_names(one, names) for one in value)
    if isinstance(event, ByResult):
        event = event.with_names(names)
    changed = replace(event, **changes) if changes else event
    assert isinstance(changed, Event)
    return changed


def _finding_with_names(name: str, names: Mapping[str, str]) -> str:
    # The parts of `Finding.name`; those after the rule may be suspects.
    kind, rule, *others = name.split(" ", 2)
    return " ".join((kind, rule, *(_reworded(part, names) for part in others)))


def entry_with_names(one: Recorded, names: Mapping[str, str]) -> Recorded:
    """An entry of a record with each player of `names` called what it says, also as the one who entered it."""
    return one._replace(event=with_names(one.event, names), by=names.get(one.by, one.by))


def called_now(name: str, renamed: Iterable[PlayerRenamed]) -> str:
    """What the player `name` is called once players were `renamed`, one after the other."""
    for one in renamed:
        if one.player == name:
            name = one.called
    return name


def _reworded(words: str, names: Mapping[str, str]) -> str:
    longest_first = sorted(names, key=len, reverse=True)  # of Anna and Anna Lund
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda found: names[found[0]], words)


def named_now(record: Iterable[Recorded]) -> list[Recorded]:
    """`record` with the names that its end knows: what came before a name was corrected has the new name.

    Whoever entered something is called by his new name, too. A record that is so already stays as it is. Raises
    TarokError where names were corrected more than `MOST_RENAMED` times.
    """
    named = list(record)
    renamed = len([one for one in named if isinstance(one.event, PlayerRenamed)])
    if renamed > MOST_RENAMED:
        raise TarokError("names were corrected more than {most} times", most=MOST_RENAMED)
    if not renamed:
        return named
    names: dict[str, str] = {}  # each name at that place of the record, with the name now
    for place in reversed(range(len(named))):
        one = named[place]
        if isinstance(one.event, PlayerRenamed) and one.event.player != one.event.called:
            names = names | {one.event.player: names.get(one.event.called, one.event.called)}
            one = one._replace(event=replace(one.event, called=one.event.player))
        if names:
            named[place] = entry_with_names(one, names)
    return named
