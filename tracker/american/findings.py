"""What is found of a round: claims that were false, and cards that may not be laid."""

from collections.abc import Iterator
from typing import Final

from tracker.american.pack import FIVES, PACK, TAROCKS
from tracker.american.talon import Talon

DENIAL_RULES: Final = {
    "revoke": "AT-PLAY-3",
    "tarock_led": "AT-PLAY-6",
    "must_beat": "AT-NEG-1",
    "pagat_early": "AT-NEG-2",
    "pagat_not_kept": "AT-ANN-4",
}
"""The rule that each kind of denial breaks where it was false (AT-REV-1)."""
NEVER_FINED: Final = ("lead_out_of_turn", "play_out_of_turn", "compulsory_klop_missed")
"""What is reported without a fine (AT-ORDER, AT-COMP-2)."""


def discards_at_fault(talon: Talon, cards: int, *, shown: bool) -> Iterator[tuple[str, str, str]]:
    """AT-DISC: rule, kind and card of each fault of `cards`, a mask, that the declarer laid; `shown`: face up.

    What may not be laid, and tarocks that were not laid face up.
    """
    assert talon.taken is not None
    for card in PACK.names(cards):
        bit = 1 << PACK.index[card]
        if bit & FIVES:
            yield "AT-TALON-6", "bad_discard", card
        elif bit & talon.taken:
            yield "AT-TALON-5", "bad_discard", card
    if talon.laid is not None and not shown:
        for card in PACK.names(cards & TAROCKS):
            yield "AT-TALON-7", "discard_not_shown", card
