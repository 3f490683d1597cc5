"""The pack as the Tarot of 1659 ranks and counts it (T59-CARD-1 to T59-CARD-3)."""

from typing import Final

from tracker.cards import COURTS, FOOL, SUITS, TRUMP
from tracker.pack import Pack

# T59-CARD-1: "R D C V 10 9 … 2 1 (king high, ace low, red suits too)"; here from low to high.
_RANKS: Final = (*(str(pip) for pip in range(1, 11)), *COURTS)
_COURT_POINTS: Final = {"R": 4, "D": 3, "C": 2, "V": 1}

PACK: Final = Pack(
    {suit: [suit + rank for rank in _RANKS] for suit in SUITS}
    | {TRUMP: [TRUMP + str(number) for number in range(1, 22)]},
    suitless=[FOOL],  # T59-CARD-2
    # T59-CARD-3, without the point for each trick.
    points={suit + rank: points for suit in SUITS for rank, points in _COURT_POINTS.items()}
    | {"T21": 4, "T1": 4, FOOL: 5},
)
FOOL_BIT: Final = PACK.mask([FOOL])
FOOL_PLACE: Final = PACK.index[FOOL]
FOOL_POINTS: Final = PACK.points[FOOL_PLACE]
assert PACK.value(PACK.all_cards) == 53
