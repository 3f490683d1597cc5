"""The cards that are dealt to nobody, and those that the taker lays for them."""

from collections.abc import Iterator

from tracker.errors import EventError
from tracker.french.pack import BOUTS_MASK, KINGS, PACK, TRUMPS

_OPEN = TRUMPS & ~BOUTS_MASK  # FT-DOG-4: what is laid face up


class Dog:
    """The dog of `size` cards, and what is laid for it; all as masks, None while not known.

    `turned` is the dog as it was turned up. `laid` are the cards laid face up, `laid_unseen` those laid face down, as
    the taker entered them for himself. `aside` are the cards that nobody played, known at the end.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.turned: int | None = None
        self.laid: int | None = None
        self.laid_unseen: int | None = None
        self.aside: int | None = None

    @property
    def is_known(self) -> bool:
        """Whether any of its cards, or of those laid for it, was seen."""
        return self.turned is not None or self.laid is not None

    def turn(self, cards: tuple[str, ...]) -> None:
        """FT-DOG-1: "The taker turns up the dog for all to see". Raises EventError."""
        if self.turned is not None:
            raise EventError("the dog was already turned up")
        if self.laid is not None:
            raise EventError("the dog is turned up before cards are laid")
        PACK.must_be_different(cards)
        if len(cards) != self.size:
            raise EventError("the dog is {count} different cards", count=self.size)
        self.turned = PACK.mask(cards)

    def lay_face_up(self, cards: tuple[str, ...]) -> int:
        """FT-DOG-4: `cards`, as a mask. Raises EventError."""
        if self.laid is not None:
            raise EventError("it was already said what was laid face up")
        PACK.must_be_different(cards)
        if len(cards) > self.size:
            raise EventError(
                "{count} cards were laid, but only {most} were taken", count=len(cards), most=self.size
            )
        self.laid = PACK.mask(cards)
        return self.laid

    def lay_face_down(self, cards: tuple[str, ...]) -> None:
        """FT-DOG-1: as many as the dog, with those laid face up. Raises EventError."""
        if len(cards) + (self.laid or 0).bit_count() != self.size:
            raise EventError("{count} cards are laid for the dog", count=self.size)
        self.laid_unseen = PACK.mask(cards)

    def faults(self, cards: int, *, shown: bool) -> Iterator[tuple[str, str, str]]:
        """Rule, kind and card of each fault of `cards`, a mask, that were laid; `shown`: face up.

        FT-DOG-3: "Never a king, never a bout"; FT-DOG-4: trumps face up.
        """
        for card in PACK.names(cards & (KINGS | BOUTS_MASK)):
            yield "FT-DOG-3", "bad_discard", card
        if not shown and self.laid is not None:
            for card in PACK.names(cards & _OPEN):
                yield "FT-DOG-4", "discard_not_shown", card

    @property
    def hides_trumps(self) -> bool:
        """FT-DISC: trumps were laid face down, none face up."""
        return bool((self.aside or 0) & _OPEN) and not (self.laid or 0) & _OPEN
