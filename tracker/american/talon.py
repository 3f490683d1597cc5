"""The six cards that are dealt to nobody: what is taken of them, what is laid for it, and who ends up with the rest."""

from typing import Final

from tracker.american.pack import PACK
from tracker.errors import EventError

VITAMINS: Final = 6


class Talon:
    """The Talon: its `cards`, face up in the order dealt, None before. Its methods raise EventError.

    `taken`, `rest`, `laid` (face up) and `discards` (all that were laid, known at the end) are masks; `taken`, `laid`
    and `discards` are None while nothing is known. `rest_to` is the side that has the rest, `rest_winner` in whose
    tricks it lies, where it went with one. In Klop the cards are `vitamins` of the tricks, by number.
    """

    def __init__(self) -> None:
        self.cards: tuple[str, ...] | None = None
        self.taken: int | None = None
        self.rest = 0
        self.rest_to: str | None = None
        self.rest_winner: str | None = None
        self.laid: int | None = None
        self.discards: int | None = None
        self.vitamins: dict[int, str] = {}

    def turn(self, cards: tuple[str, ...]) -> None:
        """AT-TALON-1: the six cards, in the order dealt."""
        if self.cards is not None:
            raise EventError("the Talon was already turned up")
        if len(cards) != 6 or len(set(cards)) != 6:
            raise EventError("the Talon is six different cards")
        self.cards = cards

    def take(self, group: int, size: int) -> None:
        """AT-TALON-1: the declarer takes one group of 3, 2 or 1; AT-TALON-2: the others lie aside."""
        assert self.cards is not None
        if self.taken is not None:
            raise EventError("a group of the Talon was already taken")
        if not 0 <= group < 6 // size:
            raise EventError("there is no group {group} in the Talon", group=group)
        self.taken = PACK.mask(self.cards[group * size : (group + 1) * size])
        self.rest = PACK.mask(self.cards) & ~self.taken

    def check_laid(self, cards: tuple[str, ...]) -> None:
        """AT-TALON-7: raise EventError unless `cards` can have been laid face up."""
        if self.taken is None:
            raise EventError("cards are laid once a group of the Talon is taken")
        if self.laid is not None:
            raise EventError("it was already said what was laid face up")
        if len(cards) > self.taken.bit_count():
            raise EventError(
                "{count} cards were laid, but only {most} were taken",
                count=len(cards),
                most=self.taken.bit_count(),
            )

    def carries_rest(self, cards: int, called: int) -> bool:
        """AT-TALON-4: whether `cards`, a mask, hold the card `called` that he took, with which the rest goes."""
        return bool(cards & called & (self.taken or 0))

    def lies_in(self, card: str) -> EventError:
        """The error for a `card` that nobody can play, since it lies on the table: where it does."""
        if card in self.vitamins.values():
            return EventError("{card} was turned up as a vitamin", card=card)
        if self.rest >> PACK.index[card] & 1:
            return EventError("{card} lies in the Talon", card=card)
        return EventError("{card} was laid face up", card=card)

    @property
    def his_pile(self) -> int:
        """What the declarer laid, as a mask, as far as it is known: it counts for his side."""
        return (self.discards or 0) | (self.laid or 0)
