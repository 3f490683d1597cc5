"""French Tarot among the games."""

from typing import Final

from tracker.figures import Attempt, PersonCounts
from tracker.french.audit import audit
from tracker.french.audit_text import audit_text
from tracker.french.entering import may_reveal, shown_cards_next
from tracker.french.events import SPOKEN
from tracker.french.hand import FrenchHand
from tracker.french.rule_sets_text import RULE_LINES, RULE_WORDS
from tracker.french.session import FrenchSession
from tracker.french.study import study
from tracker.french.words import WORDS
from tracker.game import Game


def _declared(hand: FrenchHand) -> Attempt | None:
    if hand.outcome is None or hand.contract is None or hand.taker is None:
        return None
    return Attempt(hand.taker, hand.contract.name, hand.outcome.counted.won)


FRENCH: Final = Game(
    "french",
    FrenchSession,
    WORDS,
    audit,
    audit_text,
    RULE_LINES,
    RULE_WORDS,
    SPOKEN,
    shown_cards_next,
    study,
    may_reveal,
    PersonCounts(declared=_declared),
)
