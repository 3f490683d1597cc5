"""The rules of French Tarot that tables play differently, a line each, for `tarok rules`."""

from typing import Final

from tracker.catalogue import msgid

RULE_TITLES: Final = {"french-tarot": msgid("French Tarot")}
"""What people call the rule sets, by their names in files."""
RULE_SOURCES: Final = {
    "french-tarot": msgid(
        "Fédération Française de Tarot, règlement officiel and code d'arbitrage of 1 July 2012"
    )
}
"""What the rule sets follow."""
RULE_LINES: Final = {
    "mort": msgid("with five at the table four play and the dealer sits out: {}"),
    "penalty": msgid("the penalty for a breach of the rules is {} points, or a warning the first time"),
}
"""One line a field; {} is the field's value."""
RULE_WORDS: Final[dict[str, str]] = {}
"""What values are called in these lines."""
