"""The 78 cards of French Tarot as they rank and count (FT-CARD-1 to FT-CARD-3); sets of cards are bit masks.

Points are counted in halves, so that all of them are whole numbers.
"""

from typing import Final

from tracker.cards import FOOL, SUITS, TRUMP
from tracker.pack import Pack

EXCUSE: Final = FOOL
PETIT: Final = "T1"
BOUTS: Final = ("T21", PETIT, EXCUSE)

_RANKS: Final = (*(str(pip) for pip in range(1, 11)), "V", "C", "D", "R")  # low to high, in all suits alike
_CARDS: Final = {suit: [suit + rank for rank in _RANKS] for suit in SUITS} | {
    TRUMP: [TRUMP + str(number) for number in range(1, 22)]
}
_HALVES: Final = {"R": 9, "D": 7, "C": 5, "V": 3}
LOW: Final = 1
"""FT-CARD-3: the halves of a low card; bouts and kings count 9, queens 7, knights 5, jacks 3."""

PACK: Final = Pack(
    _CARDS,
    (EXCUSE,),
    {
        card: 9 if card in BOUTS else LOW if card[0] == TRUMP else _HALVES.get(card[1:], LOW)
        for cards in (*_CARDS.values(), (EXCUSE,))
        for card in cards
    },
)
ALL_HALVES: Final = 182

TRUMPS: Final = PACK.trump_mask
EXCUSE_BIT: Final = PACK.mask([EXCUSE])
PETIT_BIT: Final = PACK.mask([PETIT])
BOUTS_MASK: Final = PACK.mask(BOUTS)
KINGS: Final = PACK.mask(suit + "R" for suit in SUITS)
SUIT_CARDS: Final = PACK.all_cards & ~TRUMPS & ~EXCUSE_BIT
LOW_CARDS: Final = PACK.mask(card for card in PACK.cards if PACK.points[PACK.index[card]] == LOW)
_COURTS: Final = ("R", "D", "C", "V")
CALLABLE: Final = tuple(suit + rank for rank in _COURTS for suit in SUITS)
"""FT-5-1, FT-5-2: what may be called with five players."""


def above_call(card: str) -> int:
    """The cards, a mask, of the ranks above that of a called card: who calls it must have all of them (FT-5-2)."""
    higher = _COURTS[: _COURTS.index(card[1:])]
    return PACK.mask(suit + rank for rank in higher for suit in SUITS)


assert PACK.value(PACK.all_cards) == ALL_HALVES  # FT-CARD-3: 91 in all
