"""What waits for the arbiter, and which tricks were opened: kept beside the database until the hand is over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tracker.errors import TarokError
from tracker.events import Event, Kinds, event_to_json
from webui.kept_file import KeptFile, file_beside, tell_left_out
from webui.table.changes import Changes


@dataclass(frozen=True)
class Ask:
    """A request of somebody (`by`, see `webui.people.phones.Phone`) that the arbiter enter `events`.

    `after` is the number of the last event that was stored before. `number` counts from 1.
    """

    number: int
    by: str
    events: tuple[Event, ...]
    after: int


@dataclass(frozen=True)
class Opening:
    """`by` opened a trick of a hand, each by its number. `trick` 0 is the whole hand, taken in a backup."""

    hand: int
    trick: int
    by: str


@dataclass(frozen=True)
class Desk:
    """The arbiter's desk: the requests that wait, and what was opened, oldest first."""

    asks: tuple[Ask, ...] = ()
    openings: tuple[Opening, ...] = ()

    def with_ask(self, by: str, events: Sequence[Event], after: int) -> "Desk":
        """The desk with one more request, unless the same events are asked for already."""
        if any((ask.by, ask.events) == (by, tuple(events)) for ask in self.asks):
            return self
        number = max((ask.number for ask in self.asks), default=0) + 1
        return replace(self, asks=(*self.asks, Ask(number, by, tuple(events), after)))

    def without_ask(self, number: int) -> "Desk":
        """The desk without the request `number`, which is settled."""
        return replace(self, asks=tuple(ask for ask in self.asks if ask.number != number))

    def with_opening(self, opening: Opening) -> "Desk":
        """The desk with one more opening."""
        return self if opening in self.openings else replace(self, openings=(*self.openings, opening))

    def of_hand(self, hand: int) -> "Desk":
        """The desk while `hand` is played: what was opened in other hands no longer matters."""
        return replace(self, openings=tuple(one for one in self.openings if one.hand == hand))


@dataclass(frozen=True)
class _AskRow:
    """An `Ask` as it is kept: its events have the database's form."""

    number: int
    by: str
    events: tuple[dict[str, Any], ...]
    after: int


@dataclass(frozen=True)
class _DeskRows:
    asks: tuple[_AskRow, ...] = ()
    openings: tuple[Opening, ...] = ()


class ArbiterDesk:
    """The desk at the table, kept beside the evenings' `database`, with events of these `kinds`.

    Methods that change it hold the table's lock, and raise StoreError when the desk cannot be saved.
    """

    def __init__(self, database: Path, kinds: Kinds, changes: Changes) -> None:
        self._file = KeptFile(file_beside(database, ".desk.json"), _DeskRows, _DeskRows())
        self._changes = changes
        self._desk = self._load(kinds)

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The requests that wait, oldest first."""
        return self._desk.asks

    @property
    def openings(self) -> tuple[Opening, ...]:
        """What was opened, oldest first."""
        return self._desk.openings

    def asked(self, number: int) -> Ask | None:
        """The request `number`, if it still waits."""
        return next((ask for ask in self.asks if ask.number == number), None)

    def ask(self, by: str, events: Sequence[Event], after: int) -> None:
        """Add the request of `by` for `events`; `after` is the number of the last stored event."""
        with self._changes:
            self._set(self._desk.with_ask(by, events, after))

    def settle(self, number: int) -> None:
        """Remove the request `number`, which was entered or declined."""
        with self._changes:
            self._set(self._desk.without_ask(number))

    def note_opening(self, opening: Opening) -> None:
        """Note that something hidden was opened, and tell every screen."""
        with self._changes:
            self._set(self._desk.of_hand(opening.hand).with_opening(opening))

    def clear(self) -> None:
        """Remove all requests and openings."""
        with self._changes:
            if self._desk != Desk():
                self._set(Desk())

    def _set(self, desk: Desk) -> None:
        asks = tuple(
            _AskRow(ask.number, ask.by, tuple(map(event_to_json, ask.events)), ask.after) for ask in desk.asks
        )
        self._file.save(_DeskRows(asks, desk.openings))
        self._desk = desk
        self._changes.tell()

    def _load(self, kinds: Kinds) -> Desk:
        rows = self._file.load()
        try:
            asks = tuple(
                Ask(row.number, row.by, tuple(map(kinds.from_json, row.events)), row.after)
                for row in rows.asks
            )
        except TarokError as error:
            tell_left_out(self._file.path, error)
            return Desk()
        return Desk(asks, rows.openings)
