"""Missed cards and tricks: which trick, who has still to play to it, and before which card the missed one goes."""

from dataclasses import dataclass
from typing import Any

from tracker.hand import Gap, Hand
from tracker.open_questions import open_gaps
from tracker.session import Session
from tracker.undo import is_by_hand
from webui.table.live import LiveTable


@dataclass(frozen=True)
class Unseen:
    """A trick of the hand `hand` of which cards were not seen, by the number `seq` of what asks for them.

    They go before the event `before_seq`; None means now. `players` have still to play to it, in order, and the first
    of them leads if `leads`; `suit` was led, "" where that is unknown. `winner` won it, None where nobody has said so.
    `gap`: it asks for whatever was missed.
    """

    seq: int
    hand: Hand
    number: int
    before_seq: int | None
    players: tuple[str, ...]
    leads: bool
    suit: str
    winner: str | None = None
    gap: bool = False


def unseen_at(table: LiveTable, session: Session[Any, Any], seq: int) -> Unseen | None:
    """What is not seen at `seq`: an open gap, a trick told by its winner, or an open alert; None where nothing is."""
    for hand, gap in open_gaps(session):
        if gap.seq == seq:
            before_seq = before_gap(table, hand, gap)
            if before_seq is None and (hand is not session.hand or not session.under_way):
                return None
            return _unseen(session, seq, hand, before_seq, gap=True)
    for hand in session.hands:
        for trick in hand.tricks:
            if trick.closed_by == seq:
                return _unseen(session, seq, hand, seq, winner=trick.winner)
        if any(alert.seq == seq and alert.out_of_step for alert in hand.alerts):
            return _unseen(session, seq, hand, seq)
    return None


def before_gap(table: LiveTable, hand: Hand, gap: Gap) -> int | None:
    """The first that the camera saw after `gap`: what was missed goes before it; None where it saw nothing yet."""
    uncounted = [alert.seq for alert in hand.alerts if alert.card is not None or alert.out_of_step]
    seen = sorted([*(play.seq for play in hand.plays), *uncounted])
    # What people have entered since belongs to the gap.
    return next(
        (seq for seq in seen if seq > gap.seq and not is_by_hand(table.recorded[seq - 1].event)), None
    )


def _unseen(
    session: Session[Any, Any],
    seq: int,
    hand: Hand,
    before_seq: int | None,
    *,
    winner: str | None = None,
    gap: bool = False,
) -> Unseen:
    then = _hand_before(session, before_seq)
    number = len(then.tricks) + (then.trick is None)
    suit = (then.trick.suit or "") if then.trick is not None else ""
    return Unseen(seq, hand, number, before_seq, then.turn, then.trick is None, suit, winner, gap)


def _hand_before(session: Session[Any, Any], before_seq: int | None) -> Hand:
    """The hand as it stood before the event `before_seq`."""
    earlier = type(session)(session.opened)
    for seq, event in session.standing:
        if seq == before_seq:
            break
        earlier.apply(event, seq)
    hand: Hand = earlier.hands[-1]
    return hand
