"""How a hand ended: what the last trick brought, each player's chips of the hand and what they are for."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from tracker.catalogue import msgid
from tracker.danish.hand import DanishHand
from tracker.danish.session import DanishSession
from tracker.danish.words import card_name
from webui.texts import text

REASONS: Final = {
    "foundation": msgid("founding"),
    "deal": msgid("dealing"),
    "declaration": msgid("declarations"),
    "declaration_returned": msgid("declarations paid back"),
    "king_lost": msgid("kings lost"),
    "pagat_lost": msgid("pagat lost"),
    "pagat_won": msgid("pagat home"),
    "tout": msgid("tout"),
    "tout_pot": msgid("tout"),
    "failed_tout": msgid("tout failed"),
    "failed_tout_pot": msgid("tout failed"),
    "nolo": msgid("nolo"),
    "pagat_ultimo": msgid("ultimo"),
    "king_ultimo": msgid("ultimo"),
    "ultimo_pot": msgid("ultimo"),
    "pagat_bagud": msgid("bagud"),
    "king_bagud": msgid("bagud"),
    "bagud_pot": msgid("bagud"),
    "last_trick": msgid("last trick"),
    "count": msgid("count"),
    "fine": msgid("fines"),
    "adjustment": msgid("adjustments"),
}
"""What chips are for, in a word, by `Payment.reason`."""
_ENDINGS: Final = {
    "tout": msgid("{target} made a tout"),
    "nolo": msgid("{target} made a nolo"),
    "pagat_ultimo": msgid("{target} won ultimo with {card}"),
    "king_ultimo": msgid("{target} won ultimo with {card}"),
    "last_trick": msgid("{target} won the last trick with {card}"),
    "pagat_bagud": msgid("{source} went bagud with {card}"),
    "king_bagud": msgid("{source} went bagud with {card}"),
    "failed_tout": msgid("{source} announced a tout and failed"),
}
"""What the last trick brought, by the reason of its payments; the others are consequences."""


@dataclass(frozen=True)
class ResultRow:
    """A player's chips of the hand, and what they are for: (what for, chips)."""

    name: str
    chips: int
    reasons: list[tuple[str, int]]


@dataclass(frozen=True)
class HandResult:
    """How the hand with this number ended, in sentences; `next_dealer` deals the next one."""

    number: int
    endings: list[str]
    rows: list[ResultRow]
    next_dealer: str


def ending_texts(hand: DanishHand, lang: str) -> list[str]:
    """What happened in the last trick of `hand` and by it; nothing while it is played."""
    if hand.abandoned:
        return [text("The hand was abandoned")]
    if not hand.complete:
        return []
    said = []
    for payment in hand.payments:
        if payment.rule == "PAY-5" and payment.reason in _ENDINGS:
            card = card_name(payment.card, lang) if payment.card else ""
            sentence = text(_ENDINGS[payment.reason])
            said.append(sentence.format(source=payment.source, target=payment.target, card=card))
    last = hand.tricks[-1]
    best = next(play for play in last.plays if play.player == last.winner)
    ultimo = any(payment.reason in ("pagat_ultimo", "king_ultimo", "last_trick") for payment in hand.payments)
    if (
        not ultimo
    ):  # Tout, nolo and bagud say nothing of who took it, and a barred player is paid for no ultimo
        said.insert(
            0,
            text(
                "{player} took the last trick with {card}",
                player=last.winner,
                card=card_name(best.card, lang),
            ),
        )
    return list(dict.fromkeys(said))


def build_result(session: DanishSession, lang: str) -> HandResult | None:
    """The result of the newest hand; None while one is played, and once the evening is settled."""
    hand = session.hand
    if hand is None or session.under_way or session.closed:
        return None
    rows = [_row(hand, name) for name in hand.seats]
    return HandResult(hand.number, ending_texts(hand, lang), rows, session.next_dealer)


def _row(hand: DanishHand, name: str) -> ResultRow:
    moved: Counter[str] = Counter()
    for payment in hand.payments:
        if name in (payment.source, payment.target):
            moved[text(REASONS[payment.reason])] += (
                payment.amount if payment.target == name else -payment.amount
            )
    reasons = [(why, chips) for why, chips in moved.items() if chips]
    return ResultRow(name, sum(moved.values()), reasons)
