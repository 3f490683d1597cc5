"""The rule set of the Tarot of 1659, and what tables agree on."""

from dataclasses import dataclass, field
from typing import Final

from tracker.rule_sets import MOST_CHIPS, Rules
from tracker.tarot1659.pack import PACK

POT: Final = "pot"
FEWEST: Final = 4
"""T59-TABLE-1: "4 to 6 players"."""
MOST_PLAYERS: Final = 6


def most_cards(players: int) -> int:
    """T59-TABLE-2: how many cards each of so many players can be dealt, "78 divided by the players, rounded down"."""
    return len(PACK.cards) // players


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(Rules):
    """Every rule that a table can play one way or another. The ante is in chips."""

    name: str = "tarot-1659"
    cards: int = field(
        default=12, metadata={"rule": "T59-TABLE-2", "from": 1, "to": most_cards(FEWEST), "unit": "cards"}
    )
    ante: int = field(
        default=10, metadata={"rule": "T59-ANTE-1", "from": 1, "to": MOST_CHIPS, "unit": "chips"}
    )
    tie: str = field(default="split", metadata={"rule": "T59-WIN-2", "one of": ("split", "carry")})


RULE_SETS: Final[dict[str, RuleSet]] = {"tarot-1659": RuleSet()}
