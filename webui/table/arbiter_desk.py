"""What waits for the arbiter, and what he opened: remembered beside the evening's database, until the hand is over."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tracker.errors import TarokError
from tracker.events import Event, Kinds, event_to_json
from tracker.files import replace_file
from webui.table.kept_json import kept_json


@dataclass(frozen=True)
class Ask:
    """Somebody (`by`, see `webui.people.phones.Phone`) asks that the arbiter enters `events`.

    `after` is the number of the last stored event when it was asked. `number` counts from 1.
    """

    number: int
    by: str
    events: tuple[Event, ...]
    after: int


@dataclass(frozen=True)
class Opening:
    """`by` opened the trick with this number of that hand; 0 stands for all of it, taken in a backup."""

    hand: int
    trick: int
    by: str


@dataclass(frozen=True)
class Desk:
    """The arbiter's desk: what is asked for, and what was opened, oldest first."""

    asks: tuple[Ask, ...] = ()
    openings: tuple[Opening, ...] = ()

    def with_ask(self, by: str, events: Sequence[Event], after: int) -> "Desk":
        """One more is asked for; what is asked for already is not asked for again."""
        if any((ask.by, ask.events) == (by, tuple(events)) for ask in self.asks):
            return self
        number = max((ask.number for ask in self.asks), default=0) + 1
        return replace(self, asks=(*self.asks, Ask(number, by, tuple(events), after)))

    def without_ask(self, number: int) -> "Desk":
        """It is settled."""
        return replace(self, asks=tuple(ask for ask in self.asks if ask.number != number))

    def with_opening(self, opening: Opening) -> "Desk":
        """One more was opened."""
        return self if opening in self.openings else replace(self, openings=(*self.openings, opening))

    def of_hand(self, hand: int) -> "Desk":
        """What remains when `hand` is played: what was opened in another no longer matters."""
        return replace(self, openings=tuple(one for one in self.openings if one.hand == hand))


def save_desk(path: Path, desk: Desk) -> None:
    """Write `desk` to `path`; raises OSError."""
    asks = [
        {"number": ask.number, "by": ask.by, "events": list(map(event_to_json, ask.events)), "after": ask.after}
        for ask in desk.asks
    ]  # fmt: skip
    openings = [{"hand": one.hand, "trick": one.trick, "by": one.by} for one in desk.openings]
    data: dict[str, Any] = {"asks": asks, "openings": openings}
    replace_file(path, json.dumps(data, ensure_ascii=False).encode())


def load_desk(path: Path, kinds: Kinds) -> Desk:
    """The desk saved at `path`, with events of these `kinds`; an empty one if it cannot be read."""
    try:
        saved = kept_json(path)
        asks = tuple(
            Ask(
                int(row["number"]),
                str(row["by"]),
                tuple(map(kinds.from_json, row["events"])),
                int(row["after"]),
            )
            for row in saved["asks"]
        )
        openings = tuple(
            Opening(int(row["hand"]), int(row["trick"]), str(row["by"])) for row in saved["openings"]
        )
        return Desk(asks, openings)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, TarokError):
        return Desk()
