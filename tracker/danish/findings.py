"""Findings of Danish Tarok: they have a category, and may be about a declaration."""

from dataclasses import dataclass
from typing import Any

from tracker.danish.combination import Combination
from tracker.findings import Finding


@dataclass(frozen=True, slots=True)
class DanishFinding(Finding):
    """A finding with the `category` of its proposed fine (FINE-1). `fine` is in chips, to each pot.

    About a declaration it has the `slot`, the combination `made` and the one `owed`. Of a contradiction `alone` says
    that its one suspect revoked for certain.
    """

    category: str = ""
    slot: str | None = None
    made: Combination | None = None
    owed: Combination | None = None
    alone: bool = False

    @property
    def name(self) -> str:
        """Its name among the findings against the same player in the same hand. A fine refers to it by this."""
        parts = (self.kind, self.rule, self.trick, self.card, self.slot, *self.suspects)
        return " ".join(str(part) for part in parts if part is not None)

    def may_be_meant(self, fine: Any) -> bool:
        """A fine of the same category may be."""
        return bool(self.category == fine.category)
