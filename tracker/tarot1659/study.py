"""What can be known at one point of a hand of the Tarot of 1659. The fool is no trump (T59-CARD-2): there are 21."""

from tracker.study import Known, Study, study_of
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.pack import PACK


def study(hand: Hand1659) -> Study:
    """What can be known at this point of `hand` by somebody who holds none of its cards (T59-REV-1, T59-REV-2).

    "He could hold any card not yet played: those set aside are unseen too" (T59-TABLE-2).
    """
    unseen = PACK.all_cards & ~hand.gone
    players = len(hand.active)
    known = Known(
        unseen=unseen,
        left=[hand.rules.cards - cards.bit_count() for cards in hand.shown],
        denials=[hand.denials.standing(player) for player in range(players)],
        may=[unseen] * players,
        assumed=[[[unseen] * (players + 1)]],
    )
    return study_of(hand, known, PACK.trump_mask, "stock")
