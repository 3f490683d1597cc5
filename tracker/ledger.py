"""Chips: each player's balance since the start of the evening, the pots, and every payment."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple, Protocol, TypedDict, TypeVar, Unpack

R = TypeVar("R", bound=NamedTuple)
SCORE_SHEET: Final = ""
"""Who stands on the other side of a line of a score sheet, where it is told as a payment. No player has that name."""


class About(TypedDict, total=False):
    """The optional fields of a `Payment`."""

    card: str | None
    combination: object
    note: str
    fined_in: int | None


class Payment(NamedTuple):
    """Chips that moved from `source` to `target` (players or pots), and why.

    `rule` is the rule's id, `amount` is in chips. `hand` counts from 1; `trick` is None outside the play. `card` or the
    declared `combination` is what it was paid for, if it was for one. `note` is the reason that the players gave.
    `fined_in` is the number of the earlier hand that a fine is for.
    """

    rule: str
    reason: str
    source: str
    target: str
    amount: int
    hand: int
    trick: int | None = None
    card: str | None = None
    combination: object = None
    note: str = ""
    fined_in: int | None = None


def payments_alike(payments: Iterable[Payment]) -> list[list[Payment]]:
    """`payments` in groups, in order. Neighbours that differ in who pays alone, or in who receives alone, are one.

    None stands twice in a group, so that who is named in it pays, or receives, once. What several players score or lose
    on a score sheet for one reason counts as neighbours, whoever sits between them.
    """
    return alike_but_in(("source", "target"), gathered(payments, _reason, _scored))


def _reason(payment: Payment) -> Payment:
    return payment._replace(source="", target="", amount=0)


def _scored(payment: Payment) -> tuple[bool, int] | None:
    """What is scored, or lost; None where it is chips."""
    won = payment.source == SCORE_SHEET
    return (won, payment.amount) if won or payment.target == SCORE_SHEET else None


def gathered(rows: Iterable[R], about: Callable[[R], Hashable], like: Callable[[R], Hashable]) -> list[R]:
    """`rows` in order, but among neighbours that are `about` the same, those that are `like` stand together."""
    found: list[R] = []
    for _, run in groupby(rows, about):
        together: dict[Hashable, list[R]] = {}
        for row in run:
            together.setdefault(like(row), []).append(row)
        found += [row for each in together.values() for row in each]
    return found


def alike_but_in(fields: Sequence[str], rows: Iterable[R]) -> list[list[R]]:
    """`rows` in groups, in order. Neighbours that differ in one of `fields` alone are one; none stands in it twice."""
    groups: list[list[R]] = []
    differ_in: list[str] = []  # in one of these alone the rows of the newest group may differ
    for row in rows:
        # To differ in one field alone is an equivalence: what is like the first is like all of its group.
        alike = [field for field in differ_in if _differ_only_in(field, groups[-1][0], row)]
        if alike and row not in groups[-1]:
            groups[-1].append(row)
        else:
            groups.append([row])
            alike = list(fields)
        differ_in = alike
    return groups


def _differ_only_in(field: str, one: R, other: R) -> bool:
    return one._replace(**{field: getattr(other, field)}) == other


class Pay(Protocol):
    """Books one payment; an amount of 0 is no payment."""

    def __call__(
        self, rule: str, reason: str, source: str, target: str, amount: int, **about: Unpack[About]
    ) -> None:
        """Move `amount` chips from `source` to `target`."""


class Ledger:
    """Balances and pots, in chips. Payments only move chips, so all balances and pots together stay 0."""

    def __init__(self, players: Iterable[str], pots: Iterable[str]) -> None:
        self.balances: dict[str, int] = dict.fromkeys(players, 0)
        self.pots: dict[str, int] = dict.fromkeys(pots, 0)

    def __contains__(self, name: str) -> bool:
        """Whether `name` is a pot, or a player who sat at the table this evening."""
        return name in self.pots or name in self.balances

    def welcome(self, player: str) -> None:
        """A player sits down. One who was there before keeps his balance (PAY-10)."""
        self.balances.setdefault(player, 0)

    def chips(self) -> tuple[dict[str, int], dict[str, int]]:
        """Balances and pots as they stand, for `restore`."""
        return dict(self.balances), dict(self.pots)

    def restore(self, balances: dict[str, int], pots: dict[str, int]) -> None:
        """Go back to what `chips` returned."""
        self.balances.update(balances)
        self.pots.update(pots)

    def book(self, payment: Payment, payments: list[Payment]) -> None:
        """Carry out a payment and append it to `payments`."""
        amount = payment.amount
        balances, pots = self.balances, self.pots
        (pots if payment.source in pots else balances)[payment.source] -= amount
        (pots if payment.target in pots else balances)[payment.target] += amount
        payments.append(payment)
        assert amount > 0, payment
        assert sum(balances.values()) + sum(pots.values()) == 0, payment
