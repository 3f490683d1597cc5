"""The rules of the Tarot of 1659 that tables agree on, a line each, for `tarok rules`."""

from typing import Final

from tracker.catalogue import msgid

RULE_TITLES: Final = {"tarot-1659": msgid("Tarot of 1659")}
"""What people call the rule sets, by their names in files."""
RULE_SOURCES: Final = {
    "tarot-1659": msgid(
        "La maison académique des jeux, 1659, as MacGregor Historic Games read it (hist-games, 29 March 2009)"
    )
}
"""What the rule sets follow."""
RULE_LINES: Final = {
    "cards": msgid(
        "4 to 6 players are dealt {} cards each, or as many as agreed, up to the whole pack shared out"
    ),
    "ante": msgid("before each hand every player antes {} into the pot"),
    "tie": msgid("where several have the most points, the pot {}"),
}
"""One line a field; {} is the field's value."""
RULE_WORDS: Final = {
    "split": msgid("is shared evenly, and what is left over stays in it"),
    "carry": msgid("stays for the next hand, to which everybody antes again"),
}
"""What values are called in these lines."""
