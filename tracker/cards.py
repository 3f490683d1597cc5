"""The 78 cards of the French tarot pack: their names, ranks and points (CARD-1 to CARD-3).

At the public boundary a card is a string: suit letter and rank (`"S7"`, `"CC"`, `"T21"`) or `"F"`, the
fool. Inside the engine a card is its place in `CARDS`, and a set of cards is an `int` with that bit set:
within a suit a higher bit is a higher card, so the strongest card of a set is its highest bit.
"""

from collections.abc import Iterable, Iterator
from typing import Final

SUITS: Final = ("S", "H", "D", "C")
TRUMP: Final = "T"
FOOL: Final = "F"
PAGAT: Final = "T1"
MONDO: Final = "T21"
COURTS: Final = ("V", "C", "D", "R")  # low to high

# CARD-1: low to high. In the red suits the ten is the lowest card and the ace the highest pip card.
_BLACK_RANKS: Final = tuple(str(pip) for pip in range(1, 11)) + COURTS
_RED_RANKS: Final = tuple(str(pip) for pip in range(10, 0, -1)) + COURTS
RANKS: Final = {"S": _BLACK_RANKS, "H": _RED_RANKS, "D": _RED_RANKS, "C": _BLACK_RANKS}

CARDS: Final[tuple[str, ...]] = (
    *(suit + rank for suit in SUITS for rank in RANKS[suit]),
    *(TRUMP + str(number) for number in range(1, 22)),
    FOOL,
)
INDEX: Final[dict[str, int]] = {card: place for place, card in enumerate(CARDS)}

KINGS: Final = tuple(suit + "R" for suit in SUITS)
ULTIMO_CARDS: Final = (*KINGS, PAGAT)  # CARD-2

_COURT_POINTS: Final = {"R": 4, "D": 3, "C": 2, "V": 1}
# CARD-3, without the point for each trick and the skat.
POINTS: Final[tuple[int, ...]] = tuple(
    4 if card in ("T1", "T21", "F") else 0 if card[0] == TRUMP else _COURT_POINTS.get(card[1], 0)
    for card in CARDS
)


def mask(cards: Iterable[str]) -> int:
    """The set of `cards` as a bit mask."""
    bits = 0
    for card in cards:
        bits |= 1 << INDEX[card]
    return bits


def indices(bits: int) -> Iterator[int]:
    """The places in `CARDS` of the cards of a mask, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def names(bits: int) -> list[str]:
    """The cards of a mask, in the order of `CARDS`."""
    return [CARDS[place] for place in indices(bits)]


def suit_of(card: str) -> str | None:
    """The suit letter of `card`, `"T"` for a trump, None for the fool (which has none until it is played)."""
    return None if card == FOOL else card[0]


ALL_CARDS: Final = (1 << len(CARDS)) - 1
FOOL_BIT: Final = 1 << INDEX[FOOL]
SUIT_MASK: Final[dict[str, int]] = {
    suit: mask(card for card in CARDS if card[0] == suit) for suit in (*SUITS, TRUMP)
}
TRUMP_MASK: Final = SUIT_MASK[TRUMP]
KING_MASK: Final = mask(KINGS)
SUIT_LETTER: Final[tuple[str, ...]] = tuple(card[0] for card in CARDS)  # "F" for the fool
