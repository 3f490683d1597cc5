"""What each rule of the Tarot of 1659 that tables agree on says, for `tarok rules`."""

from typing import Final

RULE_LINES: Final = {
    "cards": "4 to 6 players are dealt {} cards each, or as many as agreed, up to the whole pack shared out",
    "ante": "before each hand every player antes {} to the pot",
    "tie": "where several have the most points, the pot {}",
}
"""One line a field; {} is the field's value."""
RULE_WORDS: Final = {
    "split": "is shared evenly, and what is left over stays in it",
    "carry": "stays for the next hand, to which everybody antes again",
}
"""What values are called in these lines."""
