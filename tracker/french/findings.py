"""Findings of French Tarot: what the code for arbiters proposes for each."""

from dataclasses import dataclass

from tracker.findings import Finding


@dataclass(frozen=True, slots=True)
class FrenchFinding(Finding):
    """A breach with what is proposed for it: the fine in points, and whether a `warning` is enough the first time.

    `annul`: the deal should be void if this player's side wins it (FT-REN-4). `consumed` says of a play whether a card
    of the next trick was played (FT-REN-3); None for what is no play against the duties of play.
    """

    warning: bool = False
    annul: bool = False
    consumed: bool | None = None
