"""The 54 cards of American Tarock as they rank and count (AT-CARD-1, AT-CARD-2); sets of cards are bit masks."""

from typing import Final

from tracker.cards import FOOL, SUITS, TRUMP
from tracker.pack import Pack

SKEENCH: Final = FOOL
MOND: Final = "T21"
TRULA: Final = (SKEENCH, MOND, "T1")
CALLABLE_KINGS: Final = {suit: suit + "R" for suit in SUITS}

_BLACK: Final = ("7", "8", "9", "10", "V", "C", "D", "R")  # low to high
_RED: Final = ("4", "3", "2", "1", "V", "C", "D", "R")
_WORTH: Final = {"R": 5, "D": 4, "C": 3, "V": 2}

# AT-CARD-1: the 1 of a red suit beats its 4; the Skeench is the highest tarock.
_CARDS: Final = {suit: [suit + rank for rank in (_RED if suit in "HD" else _BLACK)] for suit in SUITS} | {
    TRUMP: [*(TRUMP + str(number) for number in range(1, 22)), SKEENCH]
}
# AT-CARD-2: every card counts at least 1.
PACK: Final = Pack(
    _CARDS,
    points={
        card: 5 if card in TRULA else 1 if card[0] == TRUMP else _WORTH.get(card[1:], 1)
        for cards in _CARDS.values()
        for card in cards
    },
)

TAROCKS: Final = PACK.trump_mask
PLAIN: Final = PACK.all_cards & ~TAROCKS
SKEENCH_BIT: Final = PACK.mask([SKEENCH])
MOND_BIT: Final = PACK.mask([MOND])
PAGAT_MASK: Final = PACK.mask(["T1"])
TRULA_MASK: Final = PACK.mask(TRULA)
KINGS_MASK: Final = PACK.mask(CALLABLE_KINGS.values())
FIVES: Final = TRULA_MASK | KINGS_MASK


def counted(cards: int) -> int:
    """The points of a pile, a mask, counted in threes (AT-COUNT-1): each three is worth its sum less 2.

    One or two cards that are left over are worth their sum less 1 (AT-COUNT-2).
    """
    threes, over = divmod(cards.bit_count(), 3)
    return PACK.value(cards) - 2 * threes - (over > 0)


def thirds(cards: int) -> int:
    """What a pile is worth exactly, in thirds of a point. How its threes are made up does not matter."""
    return 3 * PACK.value(cards) - 2 * cards.bit_count()


def is_more_than_half(cards: int) -> bool:
    """AT-COUNT-3: "more than 35" is 35 points and at least one card more, in thirds.

    **Ruling**: 35 counted with one card over is enough; 35 exactly, or with two cards over, is not.
    """
    return thirds(cards) > 105


assert thirds(PACK.all_cards) == 210  # AT-COUNT-1: all 54 cards count 70
