"""The audit in words, as a club's secretary reads it: hand by hand, trick by trick, with reasons and proofs."""

from typing import Final

from tracker.audit_text import each, evening_text, hand_lines
from tracker.catalogue import msgid
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.session import Session1659
from tracker.tarot1659.words import WORDS

_FOOLS: Final = {
    "exchanged": msgid("{player} keeps the fool of trick {trick}, and gave {winner} {card} for it."),
    "surrendered": msgid("{player} won no trick, so the fool of trick {trick} goes to {winner}."),
    "unpaid": msgid(
        "{player} keeps the fool of trick {trick}; the cheapest card counts for {winner} instead."
    ),
    "open": msgid("{player} played the fool to trick {trick}; it is not paid for yet."),
}


def audit_text(session: Session1659, language: str = "en") -> str:
    """The whole audit in words; ends without a newline."""
    return evening_text(session, WORDS, language, _hand)


def _hand(hand: Hand1659, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    rows, said, fool = [], [], hand.fool
    if hand.points is not None:
        rows.append((_("Points"), each(hand.points.items())))
    elif hand.winners is not None:
        rows.append((_("Winner"), ", ".join(hand.winners)))
    if fool is not None:
        card = WORDS.card_name(fool.card, language) if fool.card else ""
        sentence = _(_FOOLS[fool.state])
        said.append(sentence.format(player=fool.player, trick=fool.trick, winner=fool.winner, card=card))
    return hand_lines(hand, WORDS, language, rows, said)
