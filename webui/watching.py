"""What the game tells the eyes: whose turn it is, what lies in the trick, what has been played."""

from tracker.events import CardPlayed, Event, HandStarted, Recorded, SessionOpened
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
    return Expectation(
        tuple(hand.active),
        hand.to_play,
        played,
        frozenset(play.card for play in hand.plays),
        {play.card: (play.seq, play.alternatives) for play in hand.plays if play.alternatives},
        {play.card: play.seq for play in hand.plays},
    )


class Scorekeeper:
    """An evening watched without a page: what the eyes report is booked and told back to them."""

    def __init__(self, opened: SessionOpened, dealer: str | None = None):
        """Open the evening and its first hand; raises TarokError for rules or seats that cannot be."""
        self.session = Session(opened)
        self.record: list[Recorded] = [Recorded(1, opened)]
        self._append(HandStarted(dealer))

    def _append(self, event: Event) -> None:
        self.record.append(Recorded(len(self.record) + 1, event))
        self.session.apply(event, self.record[-1].seq)

    def book(self, event: Event) -> int:
        """Take in what was seen and return its number; a card after the last trick begins the next hand."""
        hand = self.session.hand
        if isinstance(event, CardPlayed) and hand is not None and hand.complete:
            self._append(HandStarted())
        self._append(event)
        return self.record[-1].seq

    def expectation(self) -> Expectation | None:
        """What the game says just now."""
        return expectation_of(self.session)
