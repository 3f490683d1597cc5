"""Findings of French Tarot: what the code for arbiters proposes for each."""

from dataclasses import dataclass
from typing import Final

from tracker.findings import Finding

DENIAL_RULES: Final = {
    "revoke": "FT-PLAY-3",
    "under_trump": "FT-PLAY-4",
    "needless_trump": "FT-DOG-4",
    "handful_excuse": "FT-HANDFUL-4",
    "called_suit_led": "FT-5-4",
}
"""The rule that each kind of claim breaks where it was false (FT-CLAIM-1)."""


@dataclass(frozen=True, slots=True)
class FrenchFinding(Finding):
    """A breach with what is proposed for it: the fine in points, and whether a `warning` is enough the first time.

    `annul`: the deal should be void if this player's side wins it (FT-REN-4). `consumed` says of a play whether a card
    of the next trick was played (FT-REN-3); None for what is no play against the duties of play.
    """

    warning: bool = False
    annul: bool = False
    consumed: bool | None = None
