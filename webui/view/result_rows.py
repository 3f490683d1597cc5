"""How a hand ended: what the last trick brought, and each player's chips of the hand with their reasons."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from tracker.hand import Hand
from tracker.session import Session
from webui.games.page import EVERY_REASON, GamePage
from webui.games.pages import page_of
from webui.texts import ntext, text
from webui.view.review import can_be_reviewed


@dataclass(frozen=True)
class ResultRow:
    """A player's chips of the hand, the `reasons` (what for, chips), and the game's `note` on them."""

    name: str
    chips: int
    reasons: list[tuple[str, int]]
    note: str = ""


@dataclass(frozen=True)
class HandResult:
    """How the hand with this number ended: in sentences, and the players' `rows`, most chips first.

    - `winners`: who won most in words, each of those who won as many chips for the same reasons.
    - `next_dealer`: who deals the next hand; None if there is none.
    - `change_href`: the dialog that changes the result, if the hand was entered by its result.
    - `enter_href`: the dialog that enters the result, if cards were not seen and the points cannot be counted.
    - `deal_next`: a button here deals the next hand, which is not dealt with its result.
    - `replay`, `review`: the hand can be replayed, or reviewed with what could be known.
    """

    number: int
    endings: list[str]
    rows: list[ResultRow]
    winners: str
    next_dealer: str | None
    change_href: str = ""
    enter_href: str = ""
    deal_next: bool = True
    replay: bool = False
    review: bool = False

    @property
    def told(self) -> list[str]:
        """The sentences shown below everybody's chips; together they take at most three lines."""
        return self.endings[:2]

    @property
    def earned(self) -> list[tuple[str, int]]:
        """The winner's reasons, of more than three the two that brought most; none if `told` needs the line."""
        reasons = self.rows[0].reasons
        gains = sorted((why for why in reasons if why[1] > 0), key=lambda why: -why[1])
        if not gains or len(self.told) > 1:
            return []
        return reasons if len(reasons) <= 3 else gains[:2]


def ending_texts(session: Session[Any, Any], lang: str, hand: Hand | None = None) -> list[str]:
    """How `hand`, by default the newest, ended, in sentences; none while it is played."""
    hand = hand or session.hand
    if hand is None or (hand is session.hand and session.under_way):
        return []
    if lacking := page_of(session).lacks(hand, lang):
        return [lacking]
    if hand.abandoned and not hand.void:
        return [text("The hand was abandoned")]
    said = page_of(session).endings(hand, lang)
    if hand.unseen_tricks:
        count = len(hand.unseen_tricks)
        unseen = ntext(
            "Cards of {count} trick were not seen.", "Cards of {count} tricks were not seen.", count
        )
        paid = text("Payments that need no missing card are made; points are not counted.")
        said = [*said, f"{unseen} {paid}"]
    return list(dict.fromkeys(said))


def build_result(session: Session[Any, Any], lang: str) -> HandResult | None:
    """The result of the newest hand; None while a hand is played, and once the evening is settled."""
    hand = session.hand
    if hand is None or session.under_way or session.closed:
        return None
    page = page_of(session)
    rows = sorted((_row(hand, name, page, lang) for name in hand.seats), key=lambda row: -row.chips)
    next_dealer = None if session.over else session.next_dealer
    result_href = f"{page.result_href}?hand={hand.number}"
    return HandResult(
        hand.number,
        ending_texts(session, lang),
        rows,
        _winners(rows, page, lang),
        next_dealer,
        result_href if hand.result is not None else "",
        result_href if hand.unseen_tricks and hand.complete else "",
        not session.by_result,
        bool(hand.plays),
        can_be_reviewed(session, hand),
    )


def _winners(rows: list[ResultRow], page: GamePage, lang: str) -> str:
    won = [row.name for row in rows if (row.chips, row.reasons) == (rows[0].chips, rows[0].reasons)]
    if len(won) == 1:
        return won[0]
    return text("{players}, each", players=page.game.words.listed(won, lang))


def _row(hand: Hand, name: str, page: GamePage, lang: str) -> ResultRow:
    reasons = {**EVERY_REASON, **page.reasons}
    moved: Counter[str] = Counter()
    for payment in hand.payments:
        if name in (payment.source, payment.target):
            named = payment.reason in reasons
            said = text(reasons[payment.reason]) if named else page.game.words.payment_text(payment, lang)
            moved[said] += payment.amount if payment.target == name else -payment.amount
    why = [(said, chips) for said, chips in moved.items() if chips]
    return ResultRow(name, sum(moved.values()), why, page.result_note(hand, name))
