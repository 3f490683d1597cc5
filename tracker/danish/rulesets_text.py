"""The rule sets as text: each rule with its value and its id."""

from typing import Final

RULE_LINES: Final = {
    "max_players": "3 to {} players at the table, three of them active",
    "sits_out": "of four, the player {} sits out",
    "pagat_in_skat": "the pagat may be laid in the skat: {}",
    "fool_in_skat_for_tout": "the fool may be laid by a dealer who announces a Tout: {}",
    "skat_trumps_told": "asked about laid trumps, the dealer tells {}",
    "foundation": "foundation of a pot: {} from everyone seated",
    "deal": "the dealer pays {} to each pot",
    "card_lost": "a king or the pagat lost: {} to each of the others and to its pot",
    "pagat_win_bonus": "the pagat brought home earns as much from each of the others: {}",
    "tout": "Tout: {} from each of the others and both pots; failed, as much to each and both pots doubled",
    "nolo": "nolo: {} from each of the others",
    "pagat_ultimo": "pagat ultimo or bagud: {}, and the pagat pot won or doubled",
    "king_ultimo": "king ultimo or bagud: {}, and the king pot won or doubled",
    "last_trick": "last trick: {} from each of the others",
    "last_trick_with_bagud": "the last trick is paid beside a bagud: {}",
    "count": "the points are counted and paid: {}",
    "minor_fine": "fine for a minor irregularity: {} to each pot",
    "major_fine": "fine for a major irregularity: {} to each pot",
    "early_play": "a card played before one's turn is proposed to be fined as {}",
    "misdeclaration_fine": "fine for a misdeclaration: {} to each pot",
    "irrecoverable_fine": "fine for an irrecoverable error: {} to each pot",
    "misdeclaration_bars_ultimo": "after a misdeclaration the player cannot win an ultimo: {}",
    "misdeclaration_returns_all": "after one, all that the player got for declarations goes back: {}",
    "misdeclaration_fined_late": "one found after the 75th card is still proposed to be fined: {}",
}
"""One line a field; {} is the field's value."""
RULE_WORDS: Final = {
    "opposite": "opposite the dealer",
    "right": "to the dealer's right",
    "whether": "whether there are any",
    "count": "how many",
    "major": "a major irregularity",
    "irrecoverable": "an irrecoverable error, as the leader may have the play stopped",
}
"""What values are called in these lines."""
