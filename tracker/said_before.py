"""What is said or shown before the first play, in the games that have such things: bids, contracts, cards turned up.

Live, such an entry may come late, and come again. It counts from where it belongs, and replaces the entry before it.
What does not fit beside it is idle until it fits again. So one entry corrects a hand that was entered wrongly.
"""

from typing import Any, ClassVar

from tracker.errors import EventError
from tracker.events import DealtAgain, Entries, Event


class SaidBefore(Event):
    """An event of the current hand before the first play. `stage` is its place among them.

    `said_once`: one entered later replaces it.
    """

    __slots__ = ()
    of_hand = True
    before_lead = True
    gives_way = True
    stage: ClassVar[int] = 0
    said_once: ClassVar[bool] = True

    def replaces(self, other: Event) -> bool:
        """Whether `other`, entered before in the same deal, no longer counts beside this."""
        return self.said_once and type(other) is type(self)

    def rewritten(self, session: Any, seq: int) -> Entries | None:
        """Live, it comes at its stage of the deal, in the place of what it replaces."""
        if session.strict:
            return None
        entries: Entries = session.hands[-1].entered
        deal = range(DealtAgain.begins(entries), len(entries))
        place = next((at for at in deal if self._comes_before(entries[at][0])), len(entries))
        after = [(event, number) for event, number in entries[place:] if not self.replaces(event)]
        return [*entries[:place], (self, seq), *after]

    def _comes_before(self, other: Event) -> bool:
        """Whether this is entered before `other`, or in its stead. Chips moved meanwhile stay where they are."""
        if isinstance(other, SaidBefore):
            return other.stage > self.stage or self.replaces(other)
        return not other.moves_chips

    def apply(self, session: Any, seq: int) -> None:
        """Carry it out in the current hand. Raises EventError."""
        hand = session.hands[-1]
        if session.strict and hand.tricks:  # live it stands before them already
            raise EventError("too late: a card has already been played")
        self.happen(hand)

    def happen(self, hand: Any) -> None:
        """Carry it out in `hand`, to which no card was played yet. Raises EventError."""
        raise NotImplementedError
