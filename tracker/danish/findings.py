"""Findings as Danish Tarok has them: with a category, and with what was declared."""

from dataclasses import dataclass

from tracker.danish.combination import Combination
from tracker.findings import Finding


@dataclass(frozen=True, slots=True)
class DanishFinding(Finding):
    """A finding whose `category` says what it is proposed to be fined as (FINE-1).

    `slot`, what was `made` and what was `owed` belong to declarations. `fine` is in chips, to each pot.
    """

    category: str = ""
    slot: str | None = None
    made: Combination | None = None
    owed: Combination | None = None

    @property
    def name(self) -> str:
        """What tells it from other findings against its player in the same hand: so a fine names it."""
        parts = (self.kind, self.rule, self.trick, self.card, self.slot, *self.suspects)
        return " ".join(str(part) for part in parts if part is not None)
