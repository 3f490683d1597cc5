"""A player joins or leaves between two hands, and what is paid for it."""

from typing import Unpack

from tracker.ledger import About, Ledger, Payment


class SeatChange:
    """`player` joined (`kind` "join") or left ("leave") after the hand `number` (0: before the first).

    `seats` are those seated afterwards. `payments` are what was paid for it, and from then until the next hand or
    change: fines, adjustments, the closing.
    """

    def __init__(self, kind: str, player: str, number: int, seats: tuple[str, ...], ledger: Ledger) -> None:
        self.kind = kind
        self.player = player
        self.number = number
        self.seats = seats
        self.payments: list[Payment] = []
        self._ledger = ledger

    def pay(
        self, rule: str, reason: str, source: str, target: str, amount: int, **about: Unpack[About]
    ) -> None:
        """Book a payment after this change; an amount of 0 is no payment."""
        if amount:
            payment = Payment(rule, reason, source, target, amount, self.number, **about)
            self._ledger.book(payment, self.payments)
