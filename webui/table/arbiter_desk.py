"""What waits for the arbiter, and which tricks were opened: kept beside the database until the hand is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tracker.errors import TarokError
from tracker.events import Event, Kinds, event_to_json
from tracker.renaming import with_names
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
    """The arbiter's desk, kept beside the evenings' `database`, with events of these `kinds`.

    `asks` are the requests that wait, `openings` what was opened, both with the oldest first.

    Methods that change it hold the table's lock, and raise StoreError when the desk cannot be saved.
    """

    def __init__(self, database: Path, kinds: Kinds, changes: Changes) -> None:
        self._file = KeptFile(file_beside(database, ".desk.json"), _DeskRows, _DeskRows())
        self._changes = changes
        self.asks: tuple[Ask, ...] = ()
        self.openings: tuple[Opening, ...] = ()
        rows = self._file.load()
        try:
            self.asks = tuple(
                Ask(row.number, row.by, tuple(map(kinds.from_json, row.events)), row.after)
                for row in rows.asks
            )
            self.openings = rows.openings
        except TarokError as error:
            tell_left_out(self._file.path, error)

    def asked(self, number: int) -> Ask | None:
        """The request `number`, if it still waits."""
        return next((ask for ask in self.asks if ask.number == number), None)

    def ask(self, by: str, events: Sequence[Event], after: int) -> None:
        """Add the request of `by` for `events`, unless they are asked for already.

        `after` is the number of the last stored event.
        """
        with self._changes:
            asks = self.asks
            if not any((ask.by, ask.events) == (by, tuple(events)) for ask in asks):
                number = max((ask.number for ask in asks), default=0) + 1
                asks = (*asks, Ask(number, by, tuple(events), after))
            self._set(asks, self.openings)

    def settle(self, number: int) -> None:
        """Remove the request `number`, which was entered or declined."""
        with self._changes:
            self._set(tuple(ask for ask in self.asks if ask.number != number), self.openings)

    def note_opening(self, opening: Opening) -> None:
        """Note that something hidden was opened, and tell every screen. What was opened in other hands is forgotten."""
        with self._changes:
            before = tuple(one for one in self.openings if one.hand == opening.hand)
            self._set(self.asks, before if opening in before else (*before, opening))

    def forget_openings(self, hand: int, tricks: int) -> None:
        """Forget what was opened of hands after the number `hand`, and of its tricks after `tricks`: it is gone."""
        with self._changes:
            left = tuple(
                one for one in self.openings if one.hand <= hand and (one.hand < hand or one.trick <= tricks)
            )
            if left != self.openings:
                self._set(self.asks, left)

    def rename(self, names: Mapping[str, str]) -> None:
        """Call each player of `names` what it says, in all that waits and in what was opened."""
        with self._changes:
            asks = tuple(
                replace(
                    ask,
                    by=names.get(ask.by, ask.by),
                    events=tuple(with_names(event, names) for event in ask.events),
                )
                for ask in self.asks
            )
            openings = tuple(replace(one, by=names.get(one.by, one.by)) for one in self.openings)
            if (asks, openings) != (self.asks, self.openings):
                self._set(asks, openings)

    def clear(self) -> None:
        """Remove all requests and openings."""
        with self._changes:
            if self.asks or self.openings:
                self._set((), ())

    def _set(self, asks: tuple[Ask, ...], openings: tuple[Opening, ...]) -> None:
        rows = tuple(
            _AskRow(ask.number, ask.by, tuple(map(event_to_json, ask.events)), ask.after) for ask in asks
        )
        self._file.save(_DeskRows(rows, openings))
        self.asks, self.openings = asks, openings
        self._changes.tell()
