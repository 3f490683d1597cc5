"""The evening at the table: its record on the disk, and the game that follows from it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from tracker.errors import TarokError
from tracker.events import Event, PlayerRenamed, Recorded, SessionOpened
from tracker.games import game_of_rules
from tracker.renaming import named_now
from tracker.session import Session
from tracker.store import EventStore, Token
from webui.errors import tell_fault
from webui.table.replaying import FAULT, fold

_MANY_REFUSED: Final = 5
"""Refused entries of one phone in a hand from which the host is told: somebody may be trying out cards."""


class LiveEvening:
    """The newest evening in `store` that was played here. The caller holds the table's lock.

    `recorded` is its record, and `renamed` how names were corrected in it, one after the other. `session` is its game,
    None before the first evening.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.recorded: list[Recorded] = []
        self.renamed: list[PlayerRenamed] = []
        self.session: Session[Any, Any] | None = None
        self._refused: Counter[str] = Counter()
        self._refused_in = 0
        for seq, fault in self.read().items():
            tell_fault(f"taking in event {seq} of {store.path}", fault)

    @property
    def number(self) -> int | None:
        """The evening's number in the database; None before the first evening."""
        return self._store.newest()

    @property
    def is_open(self) -> bool:
        """Whether the evening is still played."""
        return self.session is not None and not self.session.closed

    def read(self) -> dict[int, Exception]:
        """Read the evening from the disk; returns what went wrong with each event left out, by its number."""
        self.recorded, self.renamed = [], []
        if self.number is not None:
            self.recorded, self.renamed = self._store.events(), self._store.renamed()
        self.session, faults = fold(self.recorded) if self.recorded else (None, {})
        return faults

    def check_opening(self, opened: SessionOpened) -> None:
        """Raise TarokError if an evening is already open, or if nobody can play as `opened` says."""
        if self.is_open:
            raise TarokError("an evening is already open")
        game_of_rules(opened.rules).session.replay([Recorded(1, opened)])

    def open(self, opened: SessionOpened, once: Token | None, by: str) -> int:
        """Begin a new evening; returns its number. `once` and `by` as in `LiveTable.enter`. Raises StoreError."""
        number = self._store.open_session(opened, token=once, by=by)
        self.read()
        return number

    def trial(self, events: Sequence[Event]) -> tuple[list[Recorded], Session[Any, Any]]:
        """`events` as they would be stored, and the game after them. Nothing is changed.

        Raises TarokError before the first evening.
        """
        if self.session is None:
            raise TarokError("no evening is open")
        following = self.recorded[-1].seq + 1
        records = [Recorded(following + place, event) for place, event in enumerate(events)]
        session, faults = fold([*self.recorded, *records], self.session)
        for record in records:
            if record.seq in faults:
                tell_fault(f"taking in {record.event}", faults[record.seq])
        return records, session

    def append(
        self, events: Sequence[Event], session: Session[Any, Any], once: Token | None = None, by: str = ""
    ) -> None:
        """Store `events`, all or none; `session` is the game after them. Raises StoreError."""
        self.recorded.extend(self._store.append_all(events, token=once, by=by))
        self.session = session

    def rename(self, old: str, new: str, once: Token | None, by: str) -> None:
        """Store that the player `old` is called `new`, in all of the evening. Raises TarokError and StoreError."""
        event = PlayerRenamed(old, new)
        self.append([event], self.trial([event])[1], once, by)
        self.recorded = named_now(self.recorded)
        self.renamed.append(event)
        self._refused = Counter({new if who == old else who: count for who, count in self._refused.items()})

    def has_entered(self, once: Token | None) -> bool:
        """Whether the entry of `once` is stored already.

        Raises TokenUsedError when another entry was stored under its name.
        """
        return once is not None and self._store.is_stored(once)

    def entered_as(self, token: str) -> int | None:
        """The number of the first event of this evening's entry named `token`; None if there is none."""
        return self._store.seq_of(token)

    def note_refused(self, by: str) -> bool:
        """Count an entry of `by` that cannot have happened; returns whether the host is to be told by now."""
        hand = len(self.session.hands) if self.session is not None else 0
        if hand != self._refused_in:
            self._refused_in, self._refused = hand, Counter()
        self._refused[by] += 1
        return self._refused[by] == _MANY_REFUSED

    @property
    def often_refused(self) -> dict[str, int]:
        """Who had many entries refused in this hand because they cannot have happened, and how many."""
        if self.session is None or len(self.session.hands) != self._refused_in:
            return {}
        return {by: count for by, count in self._refused.items() if count >= _MANY_REFUSED}


def is_fault_of(records: Sequence[Recorded], session: Session[Any, Any]) -> bool:
    """Whether the program failed, in `session`, at one of `records` or at a later event."""
    return any(alert.kind == FAULT and alert.seq >= records[0].seq for alert in session.alerts)
