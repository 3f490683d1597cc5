"""The rule set `french-tarot` and what a table can play another way."""

from dataclasses import dataclass, field
from typing import Final

from tracker.rule_sets import MOST_CHIPS, Rules

FEWEST, MOST_PLAYERS = 3, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FrenchRules(Rules):
    """Every rule that a table can play one way or another; amounts are points."""

    name: str = "french-tarot"
    mort: bool = field(default=False, metadata={"rule": "FT-TABLE-2"})
    penalty: int = field(
        default=100, metadata={"rule": "FT-REN-4", "from": 1, "to": MOST_CHIPS, "unit": "points"}
    )


FRENCH_TAROT: Final = FrenchRules()
RULE_SETS: Final = {FRENCH_TAROT.name: FRENCH_TAROT}
