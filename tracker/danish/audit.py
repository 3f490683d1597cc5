"""The audit of an evening of Danish Tarok (`tarok-audit/1`), as `tarok audit` prints it."""

from typing import Any, Final

from tracker.audit import envelope, payment_rows, trick_rows, violation_row, won_or_result
from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession

# "Declarations and the discard are certain at play 75 of a complete hand."
_AFTER_THE_HAND: Final = ("declaration_missing", "declaration_false", "bad_discard", "fool_discarded")


def audit(session: DanishSession) -> dict[str, Any]:
    """The audit as a JSON object."""
    return envelope(session, _hand)


def _hand(hand: DanishHand) -> dict[str, Any]:
    data: dict[str, Any] = {
        "dealer": hand.dealer,
        "sits_out": list(hand.sits_out),
        "complete": hand.complete,
        "tricks": trick_rows(hand),
        **won_or_result(hand, hand.active),
    }
    if hand.points is not None:
        data["points"] = dict(hand.points)
    data["payments"] = payment_rows(hand.payments)
    data["violations"] = [
        violation_row(finding) | {"category": finding.category, "fine": finding.fine}
        for finding in hand.findings
        if hand.complete or finding.kind not in _AFTER_THE_HAND
    ]
    return data
