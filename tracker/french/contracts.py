"""The four contracts, and what so many players are dealt: the tables of FT-BID-1 and of the deal."""

from dataclasses import dataclass
from typing import Final

from tracker.bidding import PASS


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract: its `place` among the bids, how many `times` it counts, whether the dog is turned up and taken.

    `dog_to` is the side that the dog, or what was laid for it, counts for.
    """

    name: str
    place: int
    times: int
    takes_dog: bool
    dog_to: str = "taker"


CONTRACTS: Final = {
    contract.name: contract
    for contract in (
        Contract("prise", 1, 1, takes_dog=True),
        Contract("garde", 2, 2, takes_dog=True),
        Contract("garde_sans", 3, 4, takes_dog=False),
        Contract("garde_contre", 4, 6, takes_dog=False, dog_to="defence"),
    )
}
BIDS: Final = (PASS, *CONTRACTS)


@dataclass(frozen=True, slots=True)
class Dealt:
    """What is dealt: cards for each player, cards of the dog, and the sizes of a single, double and triple handful."""

    cards: int
    dog: int
    handfuls: tuple[int, int, int]


DEALS: Final = {3: Dealt(24, 6, (13, 15, 18)), 4: Dealt(18, 6, (10, 13, 15)), 5: Dealt(15, 3, (8, 10, 13))}
"""By how many play."""
HANDFUL_POINTS: Final = (20, 30, 40)
"""FT-HANDFUL-1: of a single, double and triple one."""


def handful_points(players: int, cards: int) -> int:
    """What a handful of so many `cards` is worth (FT-HANDFUL-1); with too many the largest in it, 0 with too few."""
    held = [
        worth for least, worth in zip(DEALS[players].handfuls, HANDFUL_POINTS, strict=True) if cards >= least
    ]
    return held[-1] if held else 0
