"""Missed cards and tricks: which trick it is, who has still to play, and before which event a missed card goes."""

from dataclasses import dataclass
from typing import Any

from tracker.hand import Gap, Hand
from tracker.open_questions import next_hand_seen, open_gaps
from tracker.session import Session
from tracker.undo import is_by_hand
from webui.table.live import LiveTable


@dataclass(frozen=True)
class Unseen:
    """A trick of `hand` with unseen cards; `seq` is the number of the event that asks for them.

    - Where no camera watches no event asks: people missed a trick just now, and `seq` is None.
    - `before_seq`: the event before which the cards go; None means now.
    - `players`: those who have still to play to the trick, in order; the first of them leads if `leads`.
    - `suit`: the suit that was led, "" if that is unknown.
    - `winner`: who won the trick; None if nobody has said so.
    - `gap`: a gap asks, for whatever was missed in it.
    """

    seq: int | None
    hand: Hand
    number: int
    before_seq: int | None
    players: tuple[str, ...]
    leads: bool
    suit: str
    winner: str | None = None
    gap: bool = False

    @property
    def href(self) -> str:
        """The dialog that asks."""
        return "/unseen" if self.seq is None else f"/unseen/{self.seq}"


def unseen_at(table: LiveTable, session: Session[Any, Any], seq: int | None) -> Unseen | None:
    """What was missed at the event `seq`: an open gap, a trick told by its winner, an open alert; None if nothing.

    Without a camera no event asks. There None is the next trick of the hand that is played.
    """
    if seq is None:
        return _unseen(session, seq, session.hands[-1], None) if may_be_told(table, session) else None
    for hand, gap in open_gaps(session):
        if gap.seq == seq:
            before_seq = before_gap(table, hand, gap)
            if before_seq is None and (hand is not session.hand or not session.under_way):
                return None
            return _unseen(session, seq, hand, before_seq, gap=True)
    for hand in session.hands:
        if any(alert.seq == seq and alert.out_of_step for alert in hand.alerts):
            return _unseen(session, seq, hand, seq)
        for trick in hand.tricks:
            if trick.closed_by == seq:
                return _unseen(session, seq, hand, seq, winner=trick.winner)
    return None


def may_be_told(table: LiveTable, session: Session[Any, Any]) -> bool:
    """Whether people may tell who won a trick although nothing asks: a hand is played, and no camera watches."""
    hand = session.hand
    played = hand is not None and session.under_way and not hand.by_result and bool(hand.turn)
    return played and not session.closed and not table.camera.is_there


def before_gap(table: LiveTable, hand: Hand, gap: Gap) -> int | None:
    """The first event that the camera saw after `gap`, before which a missed card goes; None if it saw none yet.

    That may be the end of the hand.
    """
    uncounted = [alert.seq for alert in hand.alerts if alert.card is not None or alert.out_of_step]
    seen = sorted([*(play.seq for play in hand.plays), *uncounted])
    # What people entered meanwhile belongs to the gap.
    came = (seq for seq in seen if seq > gap.seq and not is_by_hand(table.recorded[seq - 1].event))
    return next(came, next_hand_seen(hand, gap))


def _unseen(
    session: Session[Any, Any],
    seq: int | None,
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
