"""American Tarock among the games."""

from typing import Final

from tracker.american.audit import audit
from tracker.american.audit_text import audit_text
from tracker.american.entering import shown_cards_next
from tracker.american.events import SPOKEN
from tracker.american.hand import AmericanHand
from tracker.american.rule_sets_text import RULE_LINES, RULE_WORDS
from tracker.american.session import AmericanSession
from tracker.american.study import study
from tracker.american.words import WORDS
from tracker.figures import Attempt, PersonCounts
from tracker.game import Game


def _declared(hand: AmericanHand) -> Attempt | None:
    outcome, contract = hand.outcome, hand.contract
    if outcome is None or outcome.won is None or contract is None or hand.declarer is None:
        return None
    return Attempt(hand.declarer, contract.name, outcome.won)


AMERICAN: Final = Game(
    "american",
    AmericanSession,
    WORDS,
    audit,
    audit_text,
    RULE_LINES,
    RULE_WORDS,
    SPOKEN,
    shown_cards_next,
    study,
    counted=PersonCounts(declared=_declared),
)
