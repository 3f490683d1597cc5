"""The pack as Danish Tarok ranks and counts it (CARD-1 to CARD-3); sets of cards are bit masks."""

from typing import Final

from tracker.cards import CARDS, FOOL, SUITS, TRUMP
from tracker.pack import Pack

PAGAT: Final = "T1"
MONDO: Final = "T21"
KINGS: Final = tuple(suit + "R" for suit in SUITS)

_COURT_POINTS: Final = {"R": 4, "D": 3, "C": 2, "V": 1}

# CARD-1: in the red suits the ten is the lowest card and the ace the highest pip card, as `CARDS` lists them.
# CARD-3, without the points for tricks and the skat.
PACK: Final = Pack(
    {suit: [card for card in CARDS if card[0] == suit] for suit in (*SUITS, TRUMP)},
    suitless=[FOOL],
    points={suit + rank: points for suit in SUITS for rank, points in _COURT_POINTS.items()}
    | {PAGAT: 4, MONDO: 4, FOOL: 4},
)
assert PACK.cards == CARDS

INDEX: Final = PACK.index
SUIT_LETTER: Final = PACK.letter  # "F" for the fool
SUIT_MASK: Final = PACK.suit_mask
ALL_CARDS: Final = PACK.all_cards
TRUMP_MASK: Final = PACK.trump_mask
KING_MASK: Final = PACK.mask(KINGS)
PAGAT_BIT: Final = 1 << INDEX[PAGAT]
MONDO_BIT: Final = 1 << INDEX[MONDO]
FOOL_BIT: Final = 1 << INDEX[FOOL]
