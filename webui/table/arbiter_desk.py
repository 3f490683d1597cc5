"""What waits for the arbiter, and which tricks he opened, kept beside the evening's database until the hand is over."""

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


@dataclass(frozen=True)
class _AskRow:
    """An ask as it is kept, its events as the database has them."""

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

    What changes it holds the table's lock, and raises StoreError when it cannot be saved.
    """

    def __init__(self, database: Path, kinds: Kinds, changes: Changes) -> None:
        self._file = KeptFile(file_beside(database, ".desk.json"), _DeskRows, _DeskRows())
        self._changes = changes
        self._desk = self._load(kinds)

    @property
    def asks(self) -> tuple[Ask, ...]:
        """What is asked for, oldest first."""
        return self._desk.asks

    @property
    def openings(self) -> tuple[Opening, ...]:
        """What was opened, oldest first."""
        return self._desk.openings

    def asked(self, number: int) -> Ask | None:
        """What is asked for under this number."""
        return next((ask for ask in self.asks if ask.number == number), None)

    def ask(self, by: str, events: Sequence[Event], after: int) -> None:
        """`by` asks for `events`, which may follow the event with the number `after`."""
        with self._changes:
            self._set(self._desk.with_ask(by, events, after))

    def settle(self, number: int) -> None:
        """It is entered, or declined."""
        with self._changes:
            self._set(self._desk.without_ask(number))

    def note_opening(self, opening: Opening) -> None:
        """Tell every screen that something hidden was opened."""
        with self._changes:
            self._set(self._desk.of_hand(opening.hand).with_opening(opening))

    def clear(self) -> None:
        """Nothing waits any more."""
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
