"""The eleven contracts and Klop: what they are worth, and what is done in them (the table of bids)."""

from dataclasses import dataclass
from typing import Final

from tracker.bidding import PASS


@dataclass(frozen=True, slots=True)
class Contract:
    """One game. `place` is its place in the order of bids, `exchange` how many cards are taken from the Talon.

    In a *normal* game there is an exchange, with bonuses and the difference. `calls`: a king is called. `beats`:
    the highest card must be beaten if it can be. `aim` is what the declarer must do: more than half the points
    (`points`), no trick (`none`), every trick (`all`); Klop has none. `rule` is the one by which it is scored.
    """

    name: str
    place: int
    worth: int
    aim: str
    rule: str
    exchange: int = 0
    calls: bool = False
    beats: bool = False

    @property
    def normal(self) -> bool:
        """Whether there is an exchange, so that bonuses and the difference count."""
        return self.exchange > 0


KLOP: Final = Contract("klop", 0, 70, "", "AT-KLOP-5", beats=True)
COLOUR_VALAT: Final = Contract("colour_valat", 10, 125, "all", "AT-HIGH-5")
CONTRACTS: Final = {
    contract.name: contract
    for contract in (
        KLOP,
        Contract("three", 1, 10, "points", "AT-SCORE-2", exchange=3, calls=True),
        Contract("two", 2, 20, "points", "AT-SCORE-2", exchange=2, calls=True),
        Contract("one", 3, 30, "points", "AT-SCORE-2", exchange=1, calls=True),
        Contract("solo_three", 4, 40, "points", "AT-SCORE-2", exchange=3),
        Contract("solo_two", 5, 50, "points", "AT-SCORE-2", exchange=2),
        Contract("solo_one", 6, 60, "points", "AT-SCORE-2", exchange=1),
        Contract("barach", 7, 70, "none", "AT-HIGH-2", beats=True),
        Contract("solo_no_peek", 8, 80, "points", "AT-HIGH-3"),
        Contract("open_barach", 9, 90, "none", "AT-HIGH-4", beats=True),
        COLOUR_VALAT,
        Contract("solo_barcelona", 11, 250, "all", "AT-HIGH-6"),
    )
}
BIDS: Final = (PASS, *(name for name in CONTRACTS if name != "klop"))
FIRST_IN_COMPULSORY: Final = CONTRACTS["solo_no_peek"].place
"""AT-COMP-2: the lowest bid in a compulsory Klop."""

# What a bonus is worth unannounced; announced it is double (AT-ANN-1). Trula and King Ultimo never are.
BONUSES: Final = {"trula": 10, "king_ultimo": 10, "kings": 10, "pagat_ultimo": 25, "valat": 100}
BONUS_RULES: Final = {
    bonus: f"AT-BONUS-{number}"
    for number, bonus in enumerate(("trula", "king_ultimo", "kings", "pagat_ultimo", "valat"), start=1)
}
ANNOUNCED: Final = ("kings", "pagat_ultimo", "valat")
LOST_KING: Final = 15
"""AT-CALL-7: what the called king costs that the opponents took."""
