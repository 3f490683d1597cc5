"""The words of the Tarot of 1659. Each function takes the language's code."""

from typing import Final

from tracker.catalogue import msgid, msgids
from tracker.tarot1659.rule_sets_text import RULE_SOURCES, RULE_TITLES
from tracker.words import Words

_POTS: Final = {"pot": (msgid("pot"), msgid("the pot"))}
# {source} pays {target}; where several pay or are paid at once, the verb says so.
_PAYMENTS: Final = {
    "ante": msgids("{source} antes into {target}", "{source} ante into {target}"),
    "win": msgids("{target} wins {source}", "{target} share {source}"),
}
_FINDINGS: Final = {
    "fool_unpaid": msgid("No card was recorded that {player} gave for the fool of trick {trick}.")
}


class Words1659(Words):
    """The words of the Tarot of 1659."""

    game = "tarot1659"
    rule_titles = RULE_TITLES
    rule_sources = RULE_SOURCES
    pots = _POTS
    payments = _PAYMENTS
    findings = _FINDINGS


WORDS: Final = Words1659()
