"""The audit of an evening of French Tarot: what `tarok audit` prints, as data (`tarok-audit/1`)."""

from typing import Any

from tracker.audit import claim_row, envelope, score_rows, trick_rows, won_or_result
from tracker.french.findings import FrenchFinding
from tracker.french.hand import FrenchHand
from tracker.french.pack import PACK
from tracker.french.result import in_points
from tracker.french.session import FrenchSession


def audit(session: FrenchSession) -> dict[str, Any]:
    """The audit as a JSON object, keys in the order of the session format."""
    data = envelope(session, _hand)
    for row in data["hands"]:
        row.pop("payments", None)  # joining and leaving cost nothing, and are only repeated
    return data


def _hand(hand: FrenchHand) -> dict[str, Any]:
    data: dict[str, Any] = {
        "dealer": hand.dealer,
        "sits_out": list(hand.sits_out),
        "complete": hand.complete,
        "void": hand.void,
        "contract": hand.contract.name if hand.contract else None,
        "taker": hand.taker,
        "called": hand.call.card,
        "partner": hand.call.partner,
        "tricks": trick_rows(hand),
        **won_or_result(hand, hand.active),
    }
    if hand.dog.aside is not None:
        data["aside"] = PACK.names(hand.dog.aside)
    data["excuse"] = hand.excuse._asdict() if hand.excuse else None
    if hand.outcome is not None:
        counted = hand.outcome.counted
        data |= {
            "points": {side: in_points(halves) for side, halves in counted.halves.items()},
            "bouts": counted.bouts,
            "needed": counted.needed,
            "difference": counted.difference,
            "won": counted.won,
            "mark": hand.outcome.mark,
        }
    data["handfuls"] = [
        {
            "player": handful.player,
            "cards": len(handful.cards),
            "value": hand.worth_of(handful),
            "counted": hand.counts(handful),
        }
        for handful in hand.handfuls
    ]
    data |= score_rows(hand)
    data["violations"] = [_violation(finding) for finding in hand.findings]
    return data | {"annul_proposed": hand.annul_proposed, "next": {"dealer": hand.next_dealer}}


def _violation(finding: FrenchFinding) -> dict[str, Any]:
    row = claim_row(finding)
    if finding.consumed is not None:
        row["consumed"] = finding.consumed
    return row | {"fine": finding.fine, "warning": finding.warning, "annul": finding.annul}
