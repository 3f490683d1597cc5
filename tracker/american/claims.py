"""What a card says of the hand that it comes from (AT-REV-1), and so which cards may be played."""

from typing import Final

from tracker.american.pack import MOND_BIT, PACK, PAGAT_MASK, PLAIN, SKEENCH_BIT, TAROCKS

CAPTURED: Final = MOND_BIT | SKEENCH_BIT
"""With both in one trick the Mond is captured; with the Pagat too it is the emperor trick."""
PAGAT_PLACE: Final = PACK.index["T1"]


def claims_of(
    place: int, table: int, led: str, beats: bool, free_lead: bool, keeps_pagat: bool
) -> list[tuple[str, int]]:
    """What the card `place`, played to the cards `table` of a trick, says.

    Each is a kind and the cards that its player says he does not hold. `led` is the suit led. `beats`: the
    highest card must be beaten if it can be. `free_lead`: a tarock may be led whatever he holds. `keeps_pagat`: he
    announced the Pagat for the last trick, and this is an earlier one.
    """
    bit, letter = 1 << place, PACK.letter[place]
    tarock = bit & TAROCKS
    said = []
    if not table:
        if tarock and not free_lead:
            said.append(("tarock_led", PLAIN))  # AT-PLAY-6: he leads one only if he holds nothing else
    elif letter != led:
        # AT-PLAY-3: he has none of the suit led, nor a tarock unless it is one.
        said.append(("revoke", PACK.denied(led, letter)))
    if place == PAGAT_PLACE:
        others = (TAROCKS if table else PACK.all_cards) & ~bit
        # AT-NEG-2: not before it is the last card or the last tarock; the emperor trick it may win.
        if beats and table & CAPTURED != CAPTURED:
            said.append(("pagat_early", others))
        elif keeps_pagat and not beats:
            said.append(("pagat_not_kept", others))  # AT-ANN-4: he keeps it for the last trick if he can
    elif beats and (tarock or (letter == led and not table & TAROCKS)):
        # Who follows a suit that was trumped need not beat: the highest card on the table is then a tarock.
        higher = _higher(bit, PACK.suit_mask[letter], table)
        if higher:
            said.append(("must_beat", higher))
    return said


def _higher(bit: int, suit: int, table: int) -> int:
    """AT-NEG-1: a card below the highest of its suit says that its player cannot beat it: what would, or nothing."""
    rivals = table & suit
    if rivals < bit:
        return 0
    top = rivals.bit_length()
    higher = suit >> top << top
    if bit & TAROCKS and rivals & CAPTURED == CAPTURED:
        higher |= PAGAT_MASK  # it would win the emperor trick
    return higher
