"""Chips: who has how many against the start of the evening, what lies in the pots, and every payment."""

from typing import Final, NamedTuple, TypedDict

from tracker.events import Combination

POTS: Final = ("king", "pagat")


class About(TypedDict, total=False):
    """What a payment may say beside its rule, reason and amount; see `Payment`."""

    card: str | None
    combination: Combination | None
    note: str
    fined_in: int | None


class Payment(NamedTuple):
    """Chips that moved from `source` to `target` (players or pots), and why.

    `rule` is the id of the rules file, `hand` counts from 1, `trick` is None outside the play. `card` and
    `combination` say what it was for, where it was for one; `note` is the reason that the players gave.
    `fined_in` is the earlier hand that a fine is for.
    """

    rule: str
    reason: str
    source: str
    target: str
    amount: int
    hand: int
    trick: int | None = None
    card: str | None = None
    combination: Combination | None = None
    note: str = ""
    fined_in: int | None = None


class Ledger:
    """Balances and pots, in chips. Every payment moves chips: the sum over all of them stays 0."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self.balances: dict[str, int] = dict.fromkeys(players, 0)
        self.pots: dict[str, int] = dict.fromkeys(POTS, 0)

    def __contains__(self, name: str) -> bool:
        """Whether `name` is a pot, or a player who sat at the table this evening."""
        return name in self.pots or name in self.balances

    def welcome(self, player: str) -> None:
        """A player sits down; one who was there before goes on with his balance (PAY-10)."""
        self.balances.setdefault(player, 0)

    def book(self, payment: Payment, payments: list[Payment]) -> None:
        """Carry out a payment and list it in `payments`; an amount of 0 is none."""
        if payment.amount:
            self.move(payment)
            payments.append(payment)

    def move(self, payment: Payment) -> None:
        """Carry out a payment."""
        amount = payment.amount
        for name, change in ((payment.source, -amount), (payment.target, amount)):
            if name in self.pots:
                self.pots[name] += change
            else:
                self.balances[name] += change
        assert amount > 0, payment
        assert sum(self.balances.values()) + sum(self.pots.values()) == 0, payment
