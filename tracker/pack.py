"""The cards of one game: how they rank, what they count, and sets of them as bit masks.

Inside the tracker a card is its place in `Pack.cards`, and a set of cards is an `int` with that bit set.
Within a suit a higher bit is a higher card, and trumps, if there are any, stand above all suits. So the card
that wins a trick is the highest bit of those that can.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tracker.cards import TRUMP
from tracker.errors import EventError


class Pack:
    """The pack that one game is played with.

    `suits` gives each suit's cards from low to high; trumps (`"T"`), if there are any, are the last. `suitless` cards
    belong to no suit and never win. `points` says what a card counts; one that is missing there counts 0.

    The attribute `cards` has the names by place, `index` the places by name. `points` and `letter` go by place.
    A card's letter is its suit's, or the first of its own name if it has no suit.
    """

    def __init__(
        self,
        suits: Mapping[str, Sequence[str]],
        suitless: Sequence[str] = (),
        points: Mapping[str, int] | None = None,
    ) -> None:
        assert TRUMP not in suits or list(suits)[-1] == TRUMP, "trumps stand above the suits"
        self.cards = tuple(card for cards in (*suits.values(), suitless) for card in cards)
        self.index = {card: place for place, card in enumerate(self.cards)}
        self.points = tuple((points or {}).get(card, 0) for card in self.cards)
        # (points, the cards that count as many)
        self._worth = [
            (worth, self.mask(card for card, its in (points or {}).items() if its == worth))
            for worth in sorted(set((points or {}).values()))
        ]
        self.all_cards = (1 << len(self.cards)) - 1
        self.suit_mask = {suit: self.mask(cards) for suit, cards in suits.items()}
        self.trump_mask = self.suit_mask.get(TRUMP, 0)
        suit_of = {card: suit for suit, cards in suits.items() for card in cards}
        self.letter = tuple(suit_of.get(card, card[0]) for card in self.cards)
        # What can win a trick to which a suit was led.
        self.winning = {suit: bits | self.trump_mask for suit, bits in self.suit_mask.items()}

    def mask(self, cards: Iterable[str]) -> int:
        """The set of `cards` as a bit mask."""
        bits = 0
        for card in cards:
            bits |= 1 << self.index[card]
        return bits

    def must_have(self, cards: Iterable[str]) -> None:
        """Raise EventError unless each of `cards` is one of this pack."""
        for card in cards:
            if card not in self.index:
                raise EventError("unknown card {card!r}", card=card)

    def must_be_different(self, cards: Sequence[str]) -> None:
        """Raise EventError unless `cards` are of this pack, each once."""
        self.must_have(cards)
        if len(set(cards)) != len(cards):
            raise EventError("each card is named once")

    def value(self, bits: int) -> int:
        """The sum of the points of the cards of a mask."""
        return sum(worth * (bits & cards).bit_count() for worth, cards in self._worth)

    def names(self, bits: int) -> list[str]:
        """The cards of a mask, in the order of `cards`."""
        return [self.cards[place] for place in indices(bits)]

    def denied(self, suit: str, letter: str) -> int:
        """The cards, as a mask, that a player denies holding by playing a card with this letter to `suit`.

        A card off the suit denies that suit, and trumps too unless it is one. A card of the suit denies nothing.
        """
        if letter == suit:
            return 0
        return self.suit_mask[suit] if letter == TRUMP else self.winning[suit]


def indices(bits: int) -> Iterator[int]:
    """The places of the cards of a mask, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
