"""The rules of American Tarock that tables play differently, a line each, for `tarok rules`."""

from typing import Final

from tracker.catalogue import msgid

RULE_TITLES: Final = {"american-tarock": msgid("American Tarock")}
"""What people call the rule sets, by their names in files."""
RULE_SOURCES: Final = {"american-tarock": msgid("Tarock: American Style, the rules that come with the pack")}
"""What the rule sets follow."""
RULE_LINES: Final = {
    "mond_penalty": msgid("a captured Mond costs its player {}, one left in the Talon the declarer"),
    "zero_klop": msgid("a score of exactly zero leads to a compulsory Klop: {}"),
    "valat_alone": msgid(
        "where all twelve tricks were won or Valat was announced, nothing else is scored: {}"
    ),
    "free_lead": msgid("a tarock may be led before any tarock was played: {}"),
}
"""One line a field; {} is the field's value."""
RULE_WORDS: Final[dict[str, str]] = {}
"""What values are called in these lines."""
