"""The Tarot of 1659 among the games."""

from typing import Final

from tracker.game import Game
from tracker.laid_out import LaidOut
from tracker.tarot1659.audit import audit
from tracker.tarot1659.audit_text import audit_text
from tracker.tarot1659.events import FoolExchanged
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.pack import PACK
from tracker.tarot1659.rulesets_text import RULE_LINES, RULE_WORDS
from tracker.tarot1659.session import Session1659
from tracker.tarot1659.study import study
from tracker.tarot1659.words import WORDS


def _laid_out_next(hand: Hand1659) -> LaidOut | None:
    """T59-FOOL-3, T59-FOOL-4: the card given for the fool, "any card that he has won in a trick"."""
    fool = hand.fool
    if fool is None or fool.winner is None or fool.card is not None or hand.abandoned:
        return None
    player, won = fool.player, frozenset(PACK.names(hand.won(fool.player)))
    return (
        LaidOut("gift", 1, lambda cards: FoolExchanged(player, cards[0]), player, among=won) if won else None
    )


TAROT_1659: Final = Game(
    "tarot1659",
    Session1659,
    WORDS,
    audit,
    audit_text,
    RULE_LINES,
    RULE_WORDS,
    study=study,
    laid_out_next=_laid_out_next,
)
