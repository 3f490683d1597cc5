"""The rule set `american-tarock` and what a table can play another way."""

from dataclasses import dataclass, field
from typing import Final

from tracker.rule_sets import MOST_CHIPS, Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class AmericanRules(Rules):
    """Every rule that a table can play one way or another; amounts are points."""

    name: str = "american-tarock"
    mond_penalty: int = field(
        default=21, metadata={"rule": "AT-MOND-1", "from": 0, "to": MOST_CHIPS, "unit": "points"}
    )
    zero_klop: bool = field(default=True, metadata={"rule": "AT-COMP-1"})
    valat_alone: bool = field(default=True, metadata={"rule": "AT-BONUS-5"})
    free_lead: bool = field(default=False, metadata={"rule": "AT-PLAY-6"})


AMERICAN_TAROCK: Final = AmericanRules()
RULE_SETS: Final = {AMERICAN_TAROCK.name: AMERICAN_TAROCK}
