"""What an entry did, in one line: what was booked, and who pays whom."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tracker.by_result import ByResult
from tracker.events import CardPlayed, Event
from tracker.ledger import Payment, payments_alike
from tracker.session import Session
from tracker.words import Words
from webui.games.pages import page_of
from webui.texts import begun, ntext, text
from webui.view.event_text import event_text
from webui.view.result_rows import ending_texts

_MOST = 3


def booked_text(
    done: str, events: Sequence[Event], before: Iterable[Payment], session: Session[Any, Any], lang: str
) -> str:
    """What the entry `events` did: `done`, or else the events in words, and then what is paid.

    `before` are the evening's payments before the entry. Payments that no longer stand are said to fall away.
    """
    page = page_of(session)
    words = page.game.words
    said = [done] if done else [_ended(event_text(event, lang, page)) for event in events]
    hand = session.hand
    # Where the hand ended, the card of its result has the payments; the line would cover it.
    if not done and isinstance(events[-1], ByResult) and not session.under_way:
        return " ".join(_ended(line) for line in ending_texts(session, lang))
    if not done and hand is not None and isinstance(events[-1], CardPlayed):
        if hand.complete and hand.plays[-1].card == events[-1].card:
            return " ".join([*said, *(_ended(line) for line in ending_texts(session, lang))])
        if hand.trick is None and hand.tricks:
            said.append(text("The trick is {player}'s.", player=hand.tricks[-1].winner))
    then, now = list(before), session.payments
    # A reason that was said with the entry is not said again.
    told = " ".join(said)
    paid = [one._replace(note="") if one.note in told else one for one in _beside(now, then)]
    # Nor is an adjustment of chips, which the entry told in full.
    paid = [one for one in paid if one.reason != "adjustment" or one.note or not session.keeps_chips]
    pays = _paid(paid, words, lang)
    if not done and len(pays) <= _MOST and page.told_by_payments(events[-1], paid):
        said = said[:-1]
    # "Anna deals." is left out before "Anna deals and pays …".
    said = [one for one in said if not any(line.startswith(f"{one[:-1]} ") for line in pays)] + pays
    gone = _paid(_beside(then, now), words, lang)
    if gone:
        said += [text("This falls away:"), *gone]
    return " ".join(said)


def _ended(said: str) -> str:
    """The sentence `said` with a capital letter and one full stop. What a fine is for ends with one already."""
    return begun(said if said.endswith(".") else f"{said}.")


def _beside(payments: Iterable[Payment], others: Iterable[Payment]) -> list[Payment]:
    """Those of `payments`, in their order, that are not among the `others`; of like ones the last."""
    left = Counter(others)
    found = []
    for payment in payments:
        if left[payment]:
            left[payment] -= 1
        else:
            found.append(payment)
    return found


def _paid(payments: Iterable[Payment], words: Words, lang: str) -> list[str]:
    """The payments as sentences, like ones in one sentence, and how many more there are."""
    groups = payments_alike(payments)
    lines = [
        text("{payment} ({amount} each).", payment=words.payments_text(group, lang), amount=group[0].amount)
        if len(group) > 1
        else text("{payment} ({amount}).", payment=words.payments_text(group, lang), amount=group[0].amount)
        for group in groups[:_MOST]
    ]
    lines = [begun(line) for line in lines]
    more = len(groups) - _MOST
    return (
        [*lines, ntext("And {count} more payment.", "And {count} more payments.", more)]
        if more > 0
        else lines
    )
