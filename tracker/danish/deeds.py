"""What a payment of Danish Tarok is for, as it is counted for a person."""

from typing import Final

from tracker.danish.combination import Combination
from tracker.figures import Deed
from tracker.ledger import Payment

_WON: Final = frozenset({"tout", "nolo", "pagat_won", "pagat_ultimo", "king_ultimo", "last_trick"})
_LOST: Final = frozenset({"pagat_lost", "failed_tout", "fine", "deal"})


def deed_of(payment: Payment) -> Deed:
    """What a payment is for: ultimo and bagud with their pots, a declaration without its suit and what it lacks."""
    match payment.reason:
        case "declaration" | "declaration_returned" as reason:
            made = payment.combination
            assert isinstance(made, Combination)
            kind = f"{made.kind} {made.count or made.grade}" if reason == "declaration" else reason
            return Deed(kind, payment.target if reason == "declaration" else payment.source, made)
        case "ultimo_pot":  # it has the name of its card
            return Deed(f"{payment.source}_ultimo", payment.target)
        case "bagud_pot":
            return Deed(f"{payment.target}_bagud", payment.source, payment.card)
        case "tout_pot":
            return Deed("tout", payment.target)
        case "failed_tout_pot":
            return Deed("failed_tout", payment.source)
        case "king_lost" | "king_bagud" | "pagat_bagud" as reason:
            return Deed(reason, payment.source, payment.card)
    if payment.reason in _WON:
        return Deed(payment.reason, payment.target)
    return Deed(payment.reason, payment.source if payment.reason in _LOST else None)
