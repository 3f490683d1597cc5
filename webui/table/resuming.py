"""Resuming in the middle of a hand: after a lost camera, the teaching of a deck, or a restart.

The cards on the table are booked already, but new to the eyes. So for a moment the eyes are told to expect them, and
the plays that they report of them are not booked again.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tracker.events import CardPlayed, Event, TrickTaken
from vision.watching.expectation import Expectation
from webui.table.live import LiveTable

if TYPE_CHECKING:
    from vision.watching.eyes import WatchUpdate

MET_WITHIN_S = 6.0
"""Seconds of pictures within which all cards that lay there are recognised again, even doubtful ones."""

Expect = Callable[[float], Expectation | None]


def resumed(table: LiveTable, watch: "Callable[[Expect], Iterator[WatchUpdate]]") -> "Iterator[WatchUpdate]":
    """The updates of `watch`, without the plays that `table` has booked already.

    `watch` is given a function that says what the game expects at a time in s.
    """
    there = AlreadyOnTable(*_cards_of(table))
    for update in watch(lambda _: there.expected(table.expectation())):
        yield there.without_booked(update)


class AlreadyOnTable:
    """The cards that lie on the table when the eyes begin to watch.

    `lying` are the cards that may lie there, `booked` those of the hand so far.
    """

    def __init__(self, lying: Collection[str], booked: Collection[str]) -> None:
        self._lying = set(lying)
        self._booked = set(booked)
        self._met: set[str] = set()
        self._began: float | None = None

    def expected(self, expectation: Expectation | None) -> Expectation | None:
        """`expectation` as the eyes are told it: the cards that they have not met yet may still come."""
        waiting = self._lying - self._met
        if expectation is None or not waiting:
            return expectation
        return replace(
            expectation,
            played=expectation.played - waiting,
            doubtful={card: what for card, what in expectation.doubtful.items() if card not in waiting},
        )

    def without_booked(self, update: "WatchUpdate") -> "WatchUpdate":
        """`update`, the next one, without the plays of cards that lay there before."""
        self._began = update.time_s if self._began is None else self._began
        if update.time_s - self._began > MET_WITHIN_S:
            self._lying.clear()
        if not self._lying or not update.events:
            return update
        new = [event for event in update.events if not _is_met(event, self._lying, self._met, self._booked)]
        return replace(update, events=tuple(new))


def _cards_of(table: LiveTable) -> tuple[set[str], set[str]]:
    """The cards of the last trick, if it was not seen taken, and the cards of the hand so far."""
    with table.locked() as session:
        hand = session.hand if session is not None else None
        if session is None or hand is None:
            return set(), set()
        booked = {play.card for play in hand.plays}
        over = session.closed or hand.complete or hand.abandoned
        plays = hand.tricks[-1].plays if hand.tricks and not over else []
        since = table.recorded[plays[-1].seq :] if plays else []
        taken = any(isinstance(record.event, TrickTaken) for record in since)
        return set() if taken else {play.card for play in plays}, booked


def _is_met(event: Event, lying: set[str], met: set[str], booked: set[str]) -> bool:
    """Whether `event` is a card `lying` there that is met for the first time; that card is added to `met`.

    A doubtful card counts as new unless its likeliest name is `booked`, so that no play is lost.
    """
    if not isinstance(event, CardPlayed):
        return False
    waiting = lying - met
    may_be = (event.card, *event.alternatives) if event.card in booked else (event.card,)
    card = next((one for one in may_be if one in waiting), None)
    if card is not None:
        met.add(card)
    return card is not None
