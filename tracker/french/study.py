"""What can be known at one point of a deal of French Tarot. The Excuse is no trump (FT-CARD-1): there are 21.

Beside what plays and handfuls deny (FT-CLAIM-1) everybody knows the dog that was turned up and the handfuls shown
(FT-CLAIM-2). Two things more are taken to be as the rules want them, as long as a deal agrees with it: what was laid
(FT-DOG-3, FT-DOG-4), and a call that needs kings (FT-5-2).
"""

from tracker.french.hand import FrenchHand
from tracker.french.pack import BOUTS_MASK, KINGS, PACK, TRUMPS, above_call
from tracker.study import Known, Study, study_of


def study(hand: FrenchHand) -> Study:
    """What can be known at this point of `hand` by somebody who holds none of its cards."""
    unseen = PACK.all_cards & ~hand.gone
    may = [hand.could_hold(player) for player in hand.active]
    aside, legal = _aside(hand, unseen), [*may, _legal_aside(hand, unseen)]
    known = Known(
        unseen=unseen,
        left=[hand.left(local) for local in range(len(hand.active))],
        denials=[hand.denials.standing(local) for local in range(len(hand.active))],
        may=may,
        assumed=[[_with_call(hand, legal)], [legal], [[*may, aside]]],
    )
    took = hand.contract is not None and hand.contract.takes_dog
    return study_of(hand, known, TRUMPS, "discards" if took else "dog")


def _aside(hand: FrenchHand, unseen: int) -> int:
    """What may lie aside: nothing that somebody has shown in a handful."""
    for handful in hand.handfuls:
        unseen &= ~handful.mask
    return unseen


def _legal_aside(hand: FrenchHand, unseen: int) -> int:
    """The same if everybody kept to the rules: those laid include no king or bout, and trumps only if shown."""
    aside = _aside(hand, unseen)
    if hand.contract is None or not hand.contract.takes_dog:
        return aside
    return aside & ~(KINGS | BOUTS_MASK) & ~(TRUMPS if hand.dog.laid is not None else 0)


def _with_call(hand: FrenchHand, legal: list[int]) -> list[int]:
    """The same where the call was allowed: the cards above the called one are all the taker's."""
    above = above_call(hand.call.card) if hand.call.card is not None else 0
    return [
        cards if player == hand.taker else cards & ~above
        for player, cards in zip((*hand.active, None), legal, strict=True)
    ]
