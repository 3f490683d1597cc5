"""The audit as a club secretary reads it: hand by hand, trick by trick, with reasons and proofs."""

from typing import Final

from tracker.audit_text import (
    each,
    evening_text,
    finding_lines,
    hand_title,
    labelled,
    payment_lines,
    trick_lines,
    tricks_won_rows,
    underlined,
)
from tracker.catalogue import msgid
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.session import Session1659
from tracker.tarot1659.words import WORDS

_FOOLS: Final = {
    "exchanged": msgid("{player} keeps the fool of trick {trick}, and gave {winner} {card} for it."),
    "surrendered": msgid("{player} won no trick, so the fool of trick {trick} goes to {winner}."),
    "unpaid": msgid(
        "{player} keeps the fool of trick {trick}; {winner} is counted the cheapest card for it."
    ),
    "open": msgid("{player} played the fool to trick {trick}; it is not paid for yet."),
}


def audit_text(session: Session1659, language: str = "en") -> str:
    """The whole audit in words; ends without a newline."""
    return evening_text(session, WORDS, language, _hand)


def _hand(hand: Hand1659, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    lines = underlined(hand_title(hand, WORDS, language))
    lines += trick_lines(hand, WORDS, language)
    rows = tricks_won_rows(hand, hand.seats, WORDS, language)
    if hand.points is not None:
        rows.append((_("Points"), each(hand.points.items())))
    if hand.points is None and hand.winners is not None:
        rows.append((_("Winner"), ", ".join(hand.winners)))
    lines += labelled(rows)
    fool = hand.fool
    if fool is not None:
        card = WORDS.card_name(fool.card, language) if fool.card else ""
        lines.append(
            _(_FOOLS[fool.state]).format(player=fool.player, trick=fool.trick, winner=fool.winner, card=card)
        )
    lines += ["", _("Payments"), *payment_lines(hand.payments, WORDS, language)]
    lines += ["", _("Found"), *finding_lines(hand, hand.findings, WORDS, language), ""]
    return lines
