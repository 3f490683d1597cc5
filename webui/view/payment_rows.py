"""Payments in words: the newest ones, a player's account, the whole ledger."""

from collections.abc import Iterable
from dataclasses import dataclass

from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession
from tracker.danish.words import payment_text, payments_text
from tracker.ledger import Payment, payments_alike
from tracker.seat_change import SeatChange
from webui.fair_play import Sight
from webui.texts import POT_LABELS, text


@dataclass(frozen=True)
class PaidRow:
    """Payments alike in one line: `amount` chips, from or to `count` each."""

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


def paid_rows(payments: Iterable[Payment], lang: str) -> list[PaidRow]:
    """`payments` of a hand, newest first, those alike in one line; each line's number counts its last payment."""
    rows: list[PaidRow] = []
    number = 0
    for group in payments_alike(payments):
        number += len(group)
        said = payments_text(group, lang)
        rows.append(PaidRow(number, said, group[0].amount, len(group)))
    return rows[::-1]


def payments_of_hand(session: DanishSession) -> list[Payment]:
    """The payments since the newest hand was dealt, oldest first."""
    return [payment for payment in session.payments if payment.hand == len(session.hands)]


def account_rows(sight: Sight, player: str, lang: str) -> list[AccountRow]:
    """Each payment from or to `player`, oldest first."""
    rows: list[AccountRow] = []
    balance = 0
    for number, payment in enumerate(sight.session.payments):
        if player in (payment.source, payment.target):
            moved = payment.amount if payment.target == player else -payment.amount
            balance += moved
            shown = balance if sight.has_balance_after(number) else None
            rows.append(AccountRow(_payment_row(payment, lang, number), moved, shown))
    return rows


def ledger_chapters(session: DanishSession, lang: str) -> list[LedgerChapter]:
    """Every payment of the evening, by the hand or the change of seats it belongs to."""
    chapters = []
    number = 0
    for part in session.parts:
        rows = [_payment_row(payment, lang, number + at) for at, payment in enumerate(part.payments)]
        number += len(rows)
        chapters.append(LedgerChapter(_part_title(part), rows))
    return chapters


def holder_label(name: str) -> str:
    """A player's name, or a pot's."""
    return text(POT_LABELS[name]) if name in POT_LABELS else name


def _payment_row(payment: Payment, lang: str, number: int) -> PaymentRow:
    return PaymentRow(
        number=number,
        reason=payment_text(payment, lang),
        source=holder_label(payment.source),
        target=holder_label(payment.target),
        amount=payment.amount,
        where=_where(payment),
    )


def _where(payment: Payment) -> str:
    if payment.trick:
        return text("hand {hand}, trick {trick}", hand=payment.hand, trick=payment.trick)
    return text("hand {hand}", hand=payment.hand) if payment.hand else text("the evening")


def _part_title(part: DanishHand | SeatChange) -> str:
    if isinstance(part, DanishHand):
        return text("Hand {number}", number=part.number)
    if part.kind == "join":
        return text("{player} joins", player=part.player)
    return text("{player} leaves", player=part.player)
