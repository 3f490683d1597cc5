"""The audit of a session: what `tarok audit` prints, as data (`tarok-audit/1`)."""

from typing import Any, Final

from tracker.findings import Finding
from tracker.hand import Hand, Trick
from tracker.ledger import Payment
from tracker.session import Session

AUDIT_FORMAT: Final = "tarok-audit/1"
# "Declarations and the discard are certain at play 75 of a complete hand."
_AFTER_THE_HAND: Final = ("declaration_missing", "declaration_false", "bad_discard", "fool_discarded")


def audit(session: Session) -> dict[str, Any]:
    """The audit as a JSON object, keys in the order of the session format."""
    return {
        "format": AUDIT_FORMAT,
        "balances": dict(session.balances),
        "pots": dict(session.pots),
        "hands": [
            _hand(part)
            if isinstance(part, Hand)
            else {part.kind: part.player, "payments": _payments(part.payments)}
            for part in session.parts
        ],
    }


def _hand(hand: Hand) -> dict[str, Any]:
    data: dict[str, Any] = {
        "dealer": hand.dealer,
        "sits_out": list(hand.sits_out),
        "complete": hand.complete,
        # A trick that was never finished is no trick: it has no winner.
        "tricks": [_trick(trick) for trick in hand.tricks if trick.winner is not None],
        "tricks_won": dict(hand.tricks_won),
    }
    if hand.points is not None:
        data["points"] = dict(hand.points)
    data["payments"] = _payments(hand.payments)
    data["violations"] = [
        _violation(finding)
        for finding in hand.findings
        if hand.complete or finding.kind not in _AFTER_THE_HAND
    ]
    return data


def _payments(payments: list[Payment]) -> list[dict[str, Any]]:
    return [
        {
            "rule": payment.rule,
            "reason": payment.reason,
            "from": payment.source,
            "to": payment.target,
            "amount": payment.amount,
        }
        for payment in payments
    ]


def _trick(trick: Trick) -> dict[str, Any]:
    return {
        "leader": trick.leader,
        "suit": trick.suit,
        "cards": [play.card for play in trick.plays],
        "players": [play.player for play in trick.plays],
        "winner": trick.winner,
    }


def _violation(finding: Finding) -> dict[str, Any]:
    data: dict[str, Any] = {"rule": finding.rule, "kind": finding.kind}
    if finding.kind == "contradiction":
        data |= {"suspects": list(finding.suspects), "tricks": list(finding.tricks)}
    else:
        data |= {"player": finding.player, "trick": finding.trick}
    if finding.card is not None:
        data["card"] = finding.card
    if finding.status is not None:
        data["status"] = finding.status
    if finding.known_at is None:
        data["known_at"] = None
    else:
        data["known_at"] = {"trick": finding.known_at[0], "play": finding.known_at[1]}
    data["evidence"] = list(finding.evidence)
    data["category"] = finding.category
    data["fine"] = finding.fine
    return data
