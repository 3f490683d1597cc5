"""Payments in words: the newest ones, a player's account, the whole ledger."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tracker.hand import Hand
from tracker.ledger import Payment, payments_alike
from tracker.seat_change import SeatChange
from tracker.session import Session
from tracker.words import Words
from webui.games.page import GamePage
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.texts import text


@dataclass(frozen=True)
class PaidRow:
    """Like payments in one line: `amount` chips each, from or to `count` players."""

    number: int
    reason: str
    amount: int
    count: int


@dataclass(frozen=True)
class PaymentRow:
    """A payment of `amount` chips; `number` counts the evening's payments from 0."""

    number: int
    reason: str
    source: str
    target: str
    amount: int
    where: str


@dataclass(frozen=True)
class AccountRow:
    """A payment in a player's account: the chips it `moved` to the player, and the balance after it if it is shown."""

    payment: PaymentRow
    moved: int
    balance: int | None


@dataclass(frozen=True)
class LedgerChapter:
    """The payments of a hand, or of a change of seats."""

    title: str
    payments: list[PaymentRow]


def paid_rows(payments: Iterable[Payment], words: Words, lang: str) -> list[PaidRow]:
    """The `payments` of a hand, newest first, like ones in one line with the number of the last of them."""
    rows: list[PaidRow] = []
    number = 0
    for group in payments_alike(payments):
        number += len(group)
        said = words.payments_text(group, lang)
        rows.append(PaidRow(number, said, group[0].amount, len(group)))
    return rows[::-1]


def account_rows(sight: Sight, player: str, lang: str) -> list[AccountRow]:
    """Each payment from or to `player`, oldest first."""
    rows: list[AccountRow] = []
    page = page_of(sight.session)
    balance = 0
    for number, payment in enumerate(sight.session.payments):
        if player in (payment.source, payment.target):
            moved = payment.amount if payment.target == player else -payment.amount
            balance += moved
            shown = balance if sight.has_balance_after(number) else None
            rows.append(AccountRow(_payment_row(payment, page, lang, number), moved, shown))
    return rows


def ledger_chapters(session: Session[Any, Any], lang: str) -> list[LedgerChapter]:
    """Every payment of the evening, by the hand or the change of seats that it belongs to."""
    chapters = []
    page = page_of(session)
    number = 0
    for part in session.parts:
        rows = told_payments(part.payments, page, lang, number)
        number += len(rows)
        if rows:
            chapters.append(LedgerChapter(part_title(part), rows))
    return chapters


def told_payments(payments: Iterable[Payment], page: GamePage, lang: str, first: int = 0) -> list[PaymentRow]:
    """The `payments` in order; the number of the `first` is given."""
    return [_payment_row(payment, page, lang, number) for number, payment in enumerate(payments, first)]


def _payment_row(payment: Payment, page: GamePage, lang: str, number: int) -> PaymentRow:
    return PaymentRow(
        number=number,
        reason=page.game.words.payment_text(payment, lang),
        source=page.game.words.holder_label(payment.source, lang),
        target=page.game.words.holder_label(payment.target, lang),
        amount=payment.amount,
        where=_where(payment),
    )


def _where(payment: Payment) -> str:
    if payment.trick:
        return text("hand {hand}, trick {trick}", hand=payment.hand, trick=payment.trick)
    return text("hand {hand}", hand=payment.hand) if payment.hand else text("the evening")


def part_title(part: Hand | SeatChange | None) -> str:
    """A hand, or a change of seats, in a few words; None is the settling."""
    if part is None:
        return text("Settled")
    if isinstance(part, Hand):
        return text("Hand {number}", number=part.number)
    if part.kind == "join":
        return text("{player} joins", player=part.player)
    return text("{player} leaves", player=part.player)
