"""The rule sets: for each rule on which tables differ, what each set says.

`pagat-1996` and `pagat-2024` are the two editions of Jens Brix Christiansen's description (P96, P24),
`dtf-2011` is Dansk Tarokforbund's guide (DTF).
"""

from dataclasses import dataclass, field
from typing import Any, Final

from tracker.rule_sets import MOST_CHIPS, Rules

POTS: Final = ("king", "pagat")
FEWEST: Final = 3
"""So many play a hand, so no fewer can be seated."""
FINE_CATEGORIES: Final = ("superficial", "minor", "major", "misdeclaration", "irrecoverable")


def _chips(default: int, rule: str) -> Any:
    """A field that is an amount. "All payment is in multiples of 5." """
    return field(
        default=default, metadata={"rule": rule, "from": 0, "to": MOST_CHIPS, "step": 5, "unit": "chips"}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(Rules):
    """Every rule that a table can play one way or another; amounts are chips. The defaults are P24's."""

    name: str = "pagat-2024"
    max_players: int = field(default=4, metadata={"rule": "TABLE-2", "from": 3, "to": 5, "unit": "players"})
    sits_out: str = field(default="opposite", metadata={"rule": "TABLE-2", "one of": ("opposite", "right")})
    pagat_in_skat: bool = field(default=False, metadata={"rule": "DISC-2"})
    fool_in_skat_for_tout: bool = field(default=True, metadata={"rule": "DISC-3"})
    skat_trumps_told: str = field(
        default="whether", metadata={"rule": "DISC-6", "one of": ("whether", "count")}
    )
    foundation: int = _chips(20, "PAY-1")
    deal: int = _chips(5, "PAY-2")
    card_lost: int = _chips(5, "PAY-4")
    pagat_win_bonus: bool = field(default=True, metadata={"rule": "PAY-4"})
    tout: int = _chips(85, "PAY-5.1")
    nolo: int = _chips(25, "PAY-5.2")
    pagat_ultimo: int = _chips(45, "PAY-5.3")
    king_ultimo: int = _chips(40, "PAY-5.3")
    last_trick: int = _chips(20, "PAY-5.3")
    last_trick_with_bagud: bool = field(default=False, metadata={"rule": "PAY-5.3"})
    count: bool = field(default=True, metadata={"rule": "PAY-7"})
    minor_fine: int = _chips(5, "FINE-1")
    major_fine: int = _chips(20, "FINE-1")
    early_play: str = field(
        default="major", metadata={"rule": "FINE-1", "one of": ("major", "irrecoverable")}
    )
    misdeclaration_fine: int = _chips(40, "FINE-1")
    irrecoverable_fine: int = _chips(40, "FINE-1")
    misdeclaration_bars_ultimo: bool = field(default=False, metadata={"rule": "FINE-3"})
    misdeclaration_returns_all: bool = field(default=False, metadata={"rule": "FINE-1"})
    misdeclaration_fined_late: bool = field(default=False, metadata={"rule": "FINE-4"})

    def fine(self, category: str) -> int:
        """The fine of a category in chips, to each pot."""
        return {
            "superficial": 0,
            "minor": self.minor_fine,
            "major": self.major_fine,
            "misdeclaration": self.misdeclaration_fine,
            "irrecoverable": self.irrecoverable_fine,
        }[category]


PAGAT_2024: Final = RuleSet()
PAGAT_1996: Final = RuleSet(
    name="pagat-1996",
    pagat_in_skat=True,
    skat_trumps_told="count",
)
DTF_2011: Final = RuleSet(
    name="dtf-2011",
    max_players=5,
    fool_in_skat_for_tout=False,
    skat_trumps_told="count",
    tout=80,
    # "... can not be corrected if just one of the others demands that the play stops": then 40.
    early_play="irrecoverable",
    misdeclaration_bars_ultimo=True,
    misdeclaration_returns_all=True,
    misdeclaration_fined_late=True,
)
RULE_SETS: Final[dict[str, RuleSet]] = {rules.name: rules for rules in (PAGAT_2024, PAGAT_1996, DTF_2011)}
