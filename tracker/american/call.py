"""The card that is called, and who plays with the declarer because of it."""

from tracker.american.contracts import Contract
from tracker.american.pack import CALLABLE_KINGS, PACK
from tracker.errors import EventError


class Call:
    """What the declarer called: `said` is the letter of a suit, "fourth", or a card of the Trula; None while nothing.

    `card` is the called card, None while it is not known; `partner` is who played it. `foreign_kings` are the kings
    that were not dealt to the declarer, as they came to light. Calls other than a suit's king depend on them
    (AT-CALLX).
    """

    def __init__(self) -> None:
        self.said: str | None = None
        self.card: str | None = None
        self.partner: str | None = None
        self.foreign_kings: list[str] = []

    @property
    def bit(self) -> int:
        """The called card as a mask, 0 while it is not known."""
        return 1 << PACK.index[self.card] if self.card is not None else 0

    def make(self, said: str, contract: Contract | None) -> None:
        """Make a call in `contract`. Raises EventError if nothing is called in it, or was called before.

        AT-CALL-1 and AT-CALL-2: the king of a suit, his own too. AT-CALL-4 and AT-CALL-5: a card of the Trula, or "the
        fourth king". Only the play shows whether he was allowed to.
        """
        if contract is None or not contract.calls:
            raise EventError("nothing is called in this contract")
        if self.said is not None:
            raise EventError("a card was already called")
        self.said = said
        if said != "fourth":
            self.card = CALLABLE_KINGS.get(said, said)

    def king_came_to_light(self, card: str, player: str | None) -> bool:
        """AT-CALLX: a king that was not dealt to the declarer. `player` played it; None if it lay in the Talon.

        Returns whether it shows that the call was not allowed.
        """
        if self.said is None or self.said in CALLABLE_KINGS:
            return False
        self.foreign_kings.append(card)
        count = len(self.foreign_kings)
        if self.said != "fourth":
            return count == 1  # AT-CALL-4: only with all four kings a card of the Trula
        if count == 1:
            # AT-CALL-5: the king turned up in the Talon, else the first one played by somebody else.
            self.card, self.partner = card, player
        return count == 2  # AT-CALL-5: only with three kings "the fourth king"
