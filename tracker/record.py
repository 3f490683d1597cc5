"""Corrections are carried out by one walk over the record of an evening.

`corrected` returns the events as they are after all corrections, and the session folds those. Plays taken back
and a fool named late are no corrections: the entries of the current hand change (`Event.rewritten`), and only
that hand is replayed.
"""

from collections.abc import Sequence
from typing import Final

from tracker.errors import EventError
from tracker.events import (
    Event,
    EventRetracted,
    HandStarted,
    PlayerJoined,
    PlayerLeft,
    Recorded,
    SessionClosed,
    SessionOpened,
)

_ENDS_HAND: Final = (HandStarted, PlayerJoined, PlayerLeft, SessionClosed)


class Walk:
    """The events that stand so far, in the order in which they count; complaints about corrections of nothing."""

    def __init__(self) -> None:
        self.order: list[int] = []
        self.standing: dict[int, Event] = {}
        self.complaints: list[tuple[int, EventError]] = []

    def complain(self, seq: int, sentence: str, /, **values: object) -> None:
        """Note that the correction numbered `seq` corrects nothing."""
        self.complaints.append((seq, EventError(sentence, **values)))

    def end_of_hand(self, number: int) -> int | None:
        """The place in `order` after the events of the hand `number`, from 1; None if there is no such hand."""
        dealt = 0
        for place, seq in enumerate(self.order):
            event = self.standing.get(seq)
            if dealt == number and isinstance(event, _ENDS_HAND):
                return place
            dealt += isinstance(event, HandStarted)
        return len(self.order) if 0 < number == dealt else None

    def hand_before(self, place: int) -> list[int]:
        """The numbers of the events that stand between the start of a hand and the `place` in `order`."""
        found: list[int] = []
        for seq in reversed(self.order[:place]):
            event = self.standing.get(seq)
            if isinstance(event, HandStarted):
                break
            if event is not None:
                found.append(seq)
        return found

    def insert(self, seq: int, event: Event, before_seq: int | None) -> None:
        """Join `event`, numbered `seq`, before the event `before_seq`; None: as the last."""
        if before_seq is not None and before_seq not in self.order:
            self.complain(seq, "there is no event {number} to insert a play before", number=before_seq)
            return
        self.take_place(seq, before_seq)
        self.standing[seq] = event

    def take_place(self, seq: int, before_seq: int | None) -> None:
        """Give the event `seq` its place before the event `before_seq`, if there is one; else the last."""
        known = before_seq is not None and before_seq in self.order
        self.order.insert(self.order.index(before_seq) if known else len(self.order), seq)  # type: ignore[arg-type]

    def forget_names_after(self, seq: int) -> None:
        """Drop the later namings of the fool in the hand of the play `seq`, whose name was corrected."""
        for later in self.order[self.order.index(seq) :]:
            event = self.standing.get(later)
            if isinstance(event, HandStarted):
                return
            if event is not None and event.names_fool:
                del self.standing[later]


def corrected(
    record: Sequence[Recorded | tuple[int, Event]],
) -> tuple[list[tuple[int, Event]], list[tuple[int, EventError]]]:
    """The events of `record`, each with its number, as they are after all corrections.

    Also (number, complaint) for each correction that corrects nothing.
    """
    walk = Walk()
    retracted = _retracted(record, walk)
    for one in record[1:]:
        seq, event = one[0], one[1]
        if seq in retracted:
            # Its place is kept: a missed play may be inserted before it.
            walk.take_place(seq, getattr(event, "before_seq", None))
        elif event.corrects:
            event.recorded(walk, seq)
        else:
            walk.order.append(seq)
            walk.standing[seq] = event
    return [(seq, walk.standing[seq]) for seq in walk.order if seq in walk.standing], walk.complaints


def _retracted(record: Sequence[Recorded | tuple[int, Event]], walk: Walk) -> set[int]:
    """The numbers of the events that are undone. Newest first, because an undoing may itself be undone."""
    undoings = [(one[0], one[1]) for one in record if isinstance(one[1], EventRetracted)]
    known = {one[0]: one[1] for one in record} if undoings else {}
    retracted: set[int] = set()
    for seq, event in reversed(undoings):
        if seq not in retracted:
            target = event.seq
            if target not in known or target >= seq or isinstance(known[target], SessionOpened):
                walk.complain(seq, "there is no event {number} to undo", number=target)
            else:
                retracted.add(target)
    return retracted
