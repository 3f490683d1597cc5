"""What the game tells the eyes: whose turn it is, what lies in the trick, what has been played."""

import math
from collections.abc import Sequence
from typing import Any

from tracker.events import CardPlayed, Event, HandAbandoned, HandStarted, Recorded, SessionOpened, TrickTaken
from tracker.games import game_of_rules
from tracker.session import Session
from vision.watching.explanations import Expectation

BETWEEN_HANDS_S = 45.0
"""Seconds after a hand in which its cards and the skat are shown around; none of that is play."""


def expectation_of(session: Session[Any, Any] | None) -> Expectation | None:
    """What the game expects next, as a soft prior for reading a frame; None without a hand."""
    hand = session.hand if session is not None and not session.closed else None
    if hand is None or hand.abandoned:
        return None
    if hand.complete:
        return Expectation((), None, (), frozenset(play.card for play in hand.plays))
    trick = hand.trick
    played = (
        () if trick is None or trick.winner is not None else tuple((p.player, p.card) for p in trick.plays)
    )
    return Expectation(
        tuple(hand.active),
        hand.to_play,
        played,
        frozenset(play.card for play in hand.plays),
        {play.card: (play.seq, play.alternatives) for play in hand.plays if play.alternatives},
        {play.card: play.seq for play in hand.plays},
    )


def next_hand(session: Session[Any, Any]) -> Expectation:
    """What is expected before the next hand of `session`: its first lead."""
    active = session.order_of_play(session.next_dealer)
    return Expectation(active, active[0], (), frozenset())


def last_of_hand(record: Sequence[Recorded]) -> Recorded | None:
    """The last play, trick taken or hand abandoned; None before any."""
    of_hand = CardPlayed | TrickTaken | HandAbandoned
    return next((recorded for recorded in reversed(record) if isinstance(recorded.event, of_hand)), None)


class Scorekeeper:
    """An evening watched without a page: it books what the eyes report, and tells them what to expect."""

    def __init__(self, opened: SessionOpened, dealer: str | None = None):
        """Open the evening and its first hand; raises TarokError for rules or seats that cannot be."""
        self.game = game_of_rules(opened.rules)
        self.session = self.game.session(opened)
        self.record: list[Recorded] = [Recorded(1, opened)]
        self._append(HandStarted(dealer))

    def _append(self, event: Event) -> None:
        self.record.append(Recorded(len(self.record) + 1, event))
        self.session.apply(event, self.record[-1].seq)

    def book(self, event: Event) -> int:
        """Book `event` and return its number; a card after the last trick starts the next hand."""
        hand = self.session.hand
        if isinstance(event, CardPlayed) and hand is not None and hand.complete:
            self._append(HandStarted())
        self._append(event)
        return self.record[-1].seq

    def expectation(self, time_s: float = math.inf) -> Expectation | None:
        """What the game expects at `time_s` of the video (default: long after the last event).

        From `BETWEEN_HANDS_S` after a hand, it is the next hand's first card.
        """
        hand, last = self.session.hand, last_of_hand(self.record)
        if hand is None or not hand.complete or last is None:
            return expectation_of(self.session)
        last_s = last.event.time_s if isinstance(last.event, CardPlayed | TrickTaken) else None
        if last_s is not None and time_s - last_s < BETWEEN_HANDS_S:
            return expectation_of(self.session)
        return next_hand(self.session)
