"""Danish Tarok among the games."""

from typing import Final

from tracker.danish.audit import audit
from tracker.danish.audit_text import audit_text
from tracker.danish.deeds import deed_of
from tracker.danish.rule_sets_text import RULE_LINES, RULE_WORDS
from tracker.danish.session import DanishSession
from tracker.danish.study import study
from tracker.danish.words import WORDS
from tracker.figures import PersonCounts
from tracker.game import Game

DANISH: Final = Game(
    "danish",
    DanishSession,
    WORDS,
    audit,
    audit_text,
    RULE_LINES,
    RULE_WORDS,
    study=study,
    counted=PersonCounts(deed_of, points=lambda hand: hand.points or {}),
)
