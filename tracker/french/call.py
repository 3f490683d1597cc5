"""The card that is called where five play, and who plays with the taker because of it."""

from collections.abc import Iterable

from tracker.errors import EventError
from tracker.findings import Finding
from tracker.french.dog import Dog
from tracker.french.pack import CALLABLE, PACK, above_call


class Call:
    """The `card` that the taker called, None before; `partner` is who else played it."""

    def __init__(self) -> None:
        self.card: str | None = None
        self.partner: str | None = None
        self._refuting: list[str] = []  # the cards that show that the call was not allowed
        self._refuted_at: tuple[int, int] | None = None

    def make(self, card: str, dog: Dog) -> None:
        """FT-5-1: a king, before the dog is turned up. FT-5-2: or another court; only the play shows if he might.

        Raises EventError.
        """
        if self.card is not None:
            raise EventError("a card was already called")
        if dog.is_known:
            raise EventError("a king is called before the dog is turned up")
        if card not in CALLABLE:
            raise EventError("{card} cannot be called: it is not a king, queen, knight or jack", card=card)
        self.card = card

    @property
    def small(self) -> int:
        """The cards of the suit called but for the called card, a mask; none where nothing is called."""
        if self.card is None:
            return 0
        return PACK.suit_mask[self.card[0]] & ~(1 << PACK.index[self.card])

    def refute(self, cards: Iterable[str], known_at: tuple[int, int] | None) -> None:
        """FT-CALLX: `cards` that were not the taker's. The first above the called one refutes the call."""
        if self.card is None:
            return
        above = above_call(self.card)
        refuting = [card for card in cards if above >> PACK.index[card] & 1]
        if refuting and not self._refuting:
            self._refuted_at = known_at
        self._refuting += refuting

    def findings(self, taker: str | None) -> list[Finding]:
        """The call of the `taker`, where it was not allowed."""
        evidence = tuple(self._refuting)
        found = Finding(
            "FT-5-2", "call_forbidden", taker, None, 0, self._refuted_at, card=self.card, evidence=evidence
        )
        return [found] if evidence else []
