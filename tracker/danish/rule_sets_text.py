"""The rule sets as text: each rule with its value and its id."""

from typing import Final

from tracker.catalogue import msgid

RULE_TITLES: Final = {
    "dtf-2011": msgid("Dansk Tarokforbund 2011"),
    "pagat-2024": msgid("J. B. Christiansen 2024 (pagat.com)"),
    "pagat-1996": msgid("J. B. Christiansen 1996"),
}
"""What people call the rule sets, by their names in files."""
RULE_SOURCES: Final = {
    "dtf-2011": msgid("Dansk Tarokforbund, Vejledning i tarok, 2011"),
    "pagat-2024": msgid("J. B. Christiansen, Tarok (Danish), pagat.com, edition of 1 August 2024"),
    "pagat-1996": msgid("J. B. Christiansen, Tarok (Danish), rec.games.playing-cards, 1996"),
}
"""What the rule sets follow."""
RULE_LINES: Final = {
    "max_players": msgid("3 to {} players at the table, three of them play"),
    "sits_out": msgid("of four, the player {} sits out"),
    "pagat_in_skat": msgid("the pagat may be laid in the skat: {}"),
    "fool_in_skat_for_tout": msgid("the fool may be laid by a dealer who announces a Tout: {}"),
    "skat_trumps_told": msgid("when asked about trumps in the skat, the dealer tells {}"),
    "foundation": msgid("foundation of a pot: {} from everyone seated"),
    "deal": msgid("the dealer pays {} to each pot"),
    "card_lost": msgid("a king or the pagat lost: {} to each of the others and to its pot"),
    "pagat_win_bonus": msgid("the pagat brought home earns as much from each of the others: {}"),
    "tout": msgid(
        "Tout: {} from each of the others and both pots; failed, as much to each and both pots doubled"
    ),
    "nolo": msgid("nolo: {} from each of the others"),
    "pagat_ultimo": msgid("pagat ultimo or bagud: {}, and the pagat pot won or doubled"),
    "king_ultimo": msgid("king ultimo or bagud: {}, and the king pot won or doubled"),
    "last_trick": msgid("last trick: {} from each of the others"),
    "last_trick_with_bagud": msgid("the last trick is paid beside a bagud: {}"),
    "count": msgid("the points are counted and paid: {}"),
    "minor_fine": msgid("fine for a minor irregularity: {} to each pot"),
    "major_fine": msgid("fine for a major irregularity: {} to each pot"),
    "early_play": msgid("a card played out of turn counts as {}"),
    "misdeclaration_fine": msgid("fine for a misdeclaration: {} to each pot"),
    "irrecoverable_fine": msgid("fine for an irrecoverable error: {} to each pot"),
    "misdeclaration_bars_ultimo": msgid("after a misdeclaration the player cannot win an ultimo: {}"),
    "misdeclaration_returns_all": msgid(
        "after a misdeclaration the player pays back all that the declarations brought: {}"
    ),
    "misdeclaration_fined_late": msgid(
        "a misdeclaration that is found after the last card is fined, too: {}"
    ),
}
"""One line a field; {} is the field's value."""
RULE_WORDS: Final = {
    "opposite": msgid("opposite the dealer"),
    "right": msgid("to the dealer's right"),
    "whether": msgid("whether there are any"),
    "count": msgid("how many"),
    "major": msgid("a major irregularity"),
    "irrecoverable": msgid("an irrecoverable error, as the leader may have the play stopped"),
}
"""What values are called in these lines."""
