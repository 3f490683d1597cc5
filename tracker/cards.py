"""The names of the 78 cards of the tarot pack. How they rank and count is the game's affair (`tracker.pack`).

A card is a string: suit letter and rank (`"S7"`, `"CC"`, `"T21"`) or `"F"`, the fool.
"""

from typing import Final

SUITS: Final = ("S", "H", "D", "C")
TRUMP: Final = "T"
FOOL: Final = "F"
COURTS: Final = ("V", "C", "D", "R")  # low to high

_BLACK: Final = tuple(str(pip) for pip in range(1, 11)) + COURTS
_RED: Final = tuple(str(pip) for pip in range(10, 0, -1)) + COURTS

# Low to high as Danish Tarok ranks them. The trained models number their classes in this order: never change it.
CARDS: Final[tuple[str, ...]] = (
    *(suit + rank for suit in SUITS for rank in (_RED if suit in "HD" else _BLACK)),
    *(TRUMP + str(number) for number in range(1, 22)),
    FOOL,
)


def suit_of(card: str) -> str | None:
    """The suit letter of `card`, `"T"` for a trump, None for the fool."""
    return None if card == FOOL else card[0]
