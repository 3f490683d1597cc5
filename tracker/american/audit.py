"""The audit of an evening of American Tarock: what `tarok audit` prints, as data (`tarok-audit/1`)."""

from typing import Any

from tracker.american.contracts import KLOP
from tracker.american.hand import AmericanHand
from tracker.american.pack import PACK
from tracker.american.session import AmericanSession
from tracker.audit import claim_row, envelope, score_rows, trick_rows, won_or_result
from tracker.findings import Finding


def audit(session: AmericanSession) -> dict[str, Any]:
    """The audit as a JSON object, keys in the order of the session format."""
    data = envelope(session, lambda hand: _hand(session, hand))
    hands = data.pop("hands")
    return data | {"asterisks": session.asterisks, "hands": hands}


def _hand(session: AmericanSession, hand: AmericanHand) -> dict[str, Any]:
    contract = hand.contract
    data: dict[str, Any] = {
        "dealer": hand.dealer,
        "compulsory_klop": hand.compulsory,
        "complete": hand.complete,
        "contract": contract.name if contract else None,
        "declarer": hand.declarer,
        "called": hand.call.card,
        "partner": hand.call.partner,
        "tricks": _tricks(hand),
        **won_or_result(hand, session.seats),
    }
    if hand.talon.taken is not None and hand.talon.cards is not None:
        data["talon"] = {
            "taken": [card for card in hand.talon.cards if not hand.talon.rest >> PACK.index[card] & 1],
            "rest": [card for card in hand.talon.cards if hand.talon.rest >> PACK.index[card] & 1],
            "rest_to": hand.talon.rest_to,
        }
    if hand.talon.discards is not None:
        data["discards"] = PACK.names(hand.talon.discards)
    result = hand.outcome
    if result is not None:
        data |= {
            key: dict(counted)
            for key, counted in (("points", result.points), ("cards", result.cards))
            if counted is not None
        }
        if result.won is not None:
            data["won"] = result.won
    data |= score_rows(hand)
    data["violations"] = [claim_row(finding) | {"fine": finding.fine} for finding in _in_order(hand)]
    if hand.skeench_round:
        data["skeench"] = {"player": hand.skeench_to()}
    return data | {"next": _next(hand)}


def _tricks(hand: AmericanHand) -> list[dict[str, Any]]:
    rows = trick_rows(hand)
    if hand.contract is KLOP:
        for number, row in enumerate(rows, start=1):
            if number in hand.talon.vitamins:
                row["vitamin"] = hand.talon.vitamins[number]
    return rows


def _in_order(hand: AmericanHand) -> list[Finding]:
    """What was known before the play first, then by the play that is at fault, last what the end brought."""
    place = {play.card: play.number for play in hand.plays}

    def order(finding: Finding) -> int:
        if finding.trick is not None and finding.card is not None:
            return place[finding.card]
        return 0 if finding.known_at is None else len(place) + 1

    return sorted(hand.findings, key=order)


def _next(hand: AmericanHand) -> dict[str, Any] | None:
    """What the next round begins with (AT-COMP-1, AT-END-1); None when the game is over (AT-END-3)."""
    left = hand.rounds_left
    if left == 0:
        return None
    return {
        "dealer": hand.next_dealer,
        "compulsory_klop": bool(hand.reached_zero),
        "zero": list(hand.reached_zero),
        "skeench_a_tola": hand.skeench_round and left is None,
        "rounds_left": left,
    }
