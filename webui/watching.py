"""What the game tells the eyes: whose turn it is, what lies in the trick, what has been played."""

from tracker.session import Session
from vision.plays import Expectation


def expectation_of(session: Session | None) -> Expectation | None:
    """The soft prior for reading the next frame, from the game as it stands; None without a hand."""
    hand = session.hand if session is not None and not session.closed else None
    if hand is None or hand.abandoned:
        return None
    if hand.complete:
        return Expectation((), None, (), frozenset(play.card for play in hand.plays))
    trick = hand.trick
    played = (
        () if trick is None or trick.winner is not None else tuple((p.player, p.card) for p in trick.plays)
    )
    return Expectation(tuple(hand.active), hand.to_play, played, frozenset(play.card for play in hand.plays))
