"""Findings of French Tarot: what the code for arbiters proposes for each."""

from dataclasses import dataclass, fields
from typing import Any, Final

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

    `annul`: the deal should be void if this player's side wins it (FT-REN-4). `consumed`: a card of the next trick was
    played since (FT-REN-3); None where the breach is not a play against the duties of play.
    """

    warning: bool = False
    annul: bool = False
    consumed: bool | None = None


def weighed(
    finding: Finding, penalty: int, *, taker: bool, defends: bool, consumed: bool, other_time: bool
) -> FrenchFinding:
    """FT-REN-2 to FT-REN-6: the fine, whether a warning is enough, and whether the deal should be void.

    Of the player at fault: he is the `taker`, or `defends`. His play was `consumed` by the next trick. His handful was
    shown at an `other_time` than the rules allow.
    """
    fined, warning, annul, of_play = True, False, True, False
    match finding.kind:
        case "revoke" | "under_trump" | "called_suit_led":
            # FT-REN-3: "consumed by the first card of the next trick; before that it is an exposed card".
            of_play = True
            if not consumed:
                fined, warning, annul = not taker, not taker, False
        case "lead_out_of_turn" | "play_out_of_turn":
            fined, warning, annul = not taker, not taker, False  # FT-REN-2: "not for the taker"
        case "handful_excuse":
            warning = True
        case "handful_incomplete":
            warning, annul = True, defends
        case "handful_too_many":
            # FT-REN-6: "The taker may show … too many, for nothing"; the partner is warned as a defender is.
            fined, warning, annul = not taker, not taker, defends
        case "handful_late":
            warning, annul = True, defends and other_time
    found: dict[str, Any] = {field.name: getattr(finding, field.name) for field in fields(Finding)}
    found["fine"] = penalty if fined else 0
    return FrenchFinding(**found, warning=warning, annul=annul, consumed=consumed if of_play else None)
