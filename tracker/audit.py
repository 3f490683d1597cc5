"""The parts of an audit (`tarok-audit/1`) that every game has: envelope, tricks, payments, violations."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from tracker.findings import Finding
from tracker.hand import Hand
from tracker.ledger import Payment
from tracker.score_sheet import ScoreSheetHand
from tracker.seat_change import SeatChange
from tracker.session import Session
from tracker.tricks import Trick

AUDIT_FORMAT: Final = "tarok-audit/1"

H = TypeVar("H", bound=Hand)


def envelope(session: Session[H, Any], hand_row: Callable[[H], dict[str, Any]]) -> dict[str, Any]:
    """The audit as a JSON object. `hand_row` makes the object of one hand."""
    return {
        "format": AUDIT_FORMAT,
        "balances": dict(session.balances),
        "pots": dict(session.pots),
        "hands": [
            {part.kind: part.player, "payments": payment_rows(part.payments)}
            if isinstance(part, SeatChange)
            else hand_row(part)
            for part in session.parts
        ],
    }


def plain_audit(session: Session[Any, Any]) -> dict[str, Any]:
    """The audit of a game that has nothing of its own to say of a hand."""
    return envelope(session, hand_row)


def hand_row(hand: Hand) -> dict[str, Any]:
    """A hand as a JSON object, keys in the order of the session format."""
    return {
        "dealer": hand.dealer,
        "sits_out": list(hand.sits_out),
        "complete": hand.complete,
        "tricks": trick_rows(hand),
        **won_or_result(hand, [name for name in hand.seats if name in hand.active]),
        "payments": payment_rows(hand.payments),
        "violations": [violation_row(finding) | {"fine": finding.fine} for finding in hand.findings],
        "next": {"dealer": hand.next_dealer},
    }


def trick_rows(hand: Hand) -> list[dict[str, Any]]:
    """The finished tricks of a hand, as JSON objects."""
    return [_trick(trick) for trick in hand.tricks if trick.winner is not None]


def won_or_result(hand: Hand, players: Sequence[str]) -> dict[str, Any]:
    """How many tricks each of `players` won; of a hand that is known by its result that result."""
    if hand.result is not None:
        return {"result": hand.result.stated()}
    return {"tricks_won": {player: hand.tricks_won[player] for player in players}}


def _trick(trick: Trick) -> dict[str, Any]:
    unseen = {"unseen": trick.unseen} if trick.unseen else {}
    return {
        "leader": trick.leader,
        "suit": trick.suit,
        "cards": [play.card for play in trick.plays],
        "players": [play.player for play in trick.plays],
        "winner": trick.winner,
        **unseen,
    }


def payment_rows(payments: list[Payment]) -> list[dict[str, Any]]:
    """The payments as JSON objects: who paid whom how much, and by which rule."""
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


def violation_row(finding: Finding) -> dict[str, Any]:
    """A finding as a JSON object, without category and fine, which the game adds."""
    data: dict[str, Any] = {"rule": finding.rule, "kind": finding.kind}
    if finding.kind == "contradiction":
        data |= {"suspects": list(finding.suspects), "tricks": list(finding.tricks)}
    else:
        data |= {"player": finding.player, "trick": finding.trick}
    if finding.card is not None:
        data["card"] = finding.card
    if finding.status is not None:
        data["status"] = finding.status
    return data | {"known_at": known_since(finding), "evidence": list(finding.evidence)}


def claim_row(finding: Finding) -> dict[str, Any]:
    """A finding of a game with a contract, where what is claimed is shown or proved, without its fine."""
    row: dict[str, Any] = {
        "rule": finding.rule,
        "kind": finding.kind,
        "player": finding.player,
        "trick": finding.trick,
        "card": finding.card,
    }
    if finding.status is not None:
        row["status"] = finding.status
    row["known_at"] = known_since(finding)
    if finding.status is not None or finding.evidence:
        row["evidence"] = list(finding.evidence)
    return row


def known_since(finding: Finding) -> dict[str, int] | None:
    """The play since which a finding is certain, as a JSON object; None before any play."""
    if finding.known_at is None:
        return None
    return {"trick": finding.known_at[0], "play": finding.known_at[1]}


def score_rows(hand: ScoreSheetHand) -> dict[str, Any]:
    """What a hand wrote on the score sheet, and everybody's total after it."""
    scores = [
        {"rule": score.rule, "reason": score.reason, "player": score.player, "points": score.points}
        for score in hand.scores
    ]
    return {"scores": scores, "totals": hand.totals}
