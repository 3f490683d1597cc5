"""The Tarot of 1659 among the games."""

from typing import Final

from tracker.figures import PersonCounts
from tracker.game import Game
from tracker.tarot1659.audit import audit
from tracker.tarot1659.audit_text import audit_text
from tracker.tarot1659.entering import shown_cards_next
from tracker.tarot1659.rule_sets_text import RULE_LINES, RULE_WORDS
from tracker.tarot1659.session import Session1659
from tracker.tarot1659.study import study
from tracker.tarot1659.words import WORDS

TAROT_1659: Final = Game(
    "tarot1659",
    Session1659,
    WORDS,
    audit,
    audit_text,
    RULE_LINES,
    RULE_WORDS,
    study=study,
    shown_cards_next=shown_cards_next,
    counted=PersonCounts(points=lambda hand: hand.points or {}),
)
