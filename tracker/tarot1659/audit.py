"""The audit of an evening of the Tarot of 1659: what `tarok audit` prints, as data (`tarok-audit/1`)."""

from typing import Any

from tracker.audit import envelope, payment_rows, trick_rows, violation_row, won_or_result
from tracker.findings import Finding
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.session import Session1659


def audit(session: Session1659) -> dict[str, Any]:
    """The audit as a JSON object, keys in the order of the session format."""
    return envelope(session, _hand)


def _hand(hand: Hand1659) -> dict[str, Any]:
    data: dict[str, Any] = {
        "dealer": hand.dealer,
        "sits_out": [],
        "complete": hand.complete,
        "tricks": trick_rows(hand),
        **won_or_result(hand, hand.seats),
        "fool": hand.fool._asdict() if hand.fool else None,
    }
    if hand.points is not None:
        data["points"] = dict(hand.points)
    if hand.winners is not None:
        data["winners"] = list(hand.winners)
    data["payments"] = payment_rows(hand.payments)
    data["violations"] = [_violation(finding) for finding in hand.findings]
    data["next"] = {"dealer": hand.next_dealer}
    return data


def _violation(finding: Finding) -> dict[str, Any]:
    row = violation_row(finding) | {"fine": finding.fine}
    if finding.status is None:
        del row["evidence"]
    return row
