"""What can be known at one point of a round of American Tarock. The Skeench is a tarock, so there are 22.

Beside what the plays deny (AT-REV-1; in Klop and Barach the duty to beat denies more) everybody knows what was turned
up, taken and laid open (AT-REV-2). Two things more are taken to be as the rules want them, as long as a deal agrees
with it: the discards (AT-TALON-5 to AT-TALON-7), and a call that needs kings (AT-CALL-4, AT-CALL-5).
"""

from tracker.american.hand import HELD, AmericanHand
from tracker.american.pack import CALLABLE_KINGS, FIVES, KINGS_MASK, PACK, TAROCKS
from tracker.pack import indices
from tracker.study import Known, Study, study_of


def study(hand: AmericanHand) -> Study:
    """What can be known at this point of `hand` by somebody who holds none of its cards."""
    unseen = PACK.all_cards & ~hand.gone
    if hand.talon.taken is None:
        unseen &= ~PACK.mask(hand.talon.cards or ())  # it lies face up, and a group of it is to be taken
    may = [hand.could_hold(player) & unseen for player in hand.active]
    legal = [*may, _legal_discards(hand, unseen)]
    cases = [_with_kings(hand, legal, kings) for kings in _kings_of_the_call(hand, unseen)]
    known = Known(
        unseen=unseen,
        left=[HELD - cards.bit_count() for cards in hand.shown],
        denials=[hand.denials.standing(player) for player in range(len(hand.active))],
        may=may,
        assumed=[*([cases] if cases else []), [legal], [[*may, unseen]]],
    )
    return study_of(hand, known, TAROCKS, "talon" if hand.talon.taken is None else "discards")


def _legal_discards(hand: AmericanHand, unseen: int) -> int:
    """Which cards may lie aside. An exchange rules out five-point cards, the group taken, and hidden tarocks."""
    if hand.talon.taken is None:
        return unseen
    legal = unseen & ~(FIVES | hand.talon.taken)
    return legal if hand.talon.laid is None else legal & ~TAROCKS


def _kings_of_the_call(hand: AmericanHand, unseen: int) -> list[int]:
    """The unseen kings that the declarer holds if his call was allowed, as masks: each is one case.

    AT-CALL-4: with a card of the Trula he called with all four kings; AT-CALL-5: "the fourth king" with three.
    """
    kings, foreign = unseen & KINGS_MASK, len(hand.call.foreign_kings)
    if hand.call.said is None or hand.call.said in CALLABLE_KINGS:
        return []
    if hand.call.said == "fourth" and not foreign:
        return [kings & ~(1 << king) for king in indices(kings)]
    return [kings] if foreign == int(hand.call.said == "fourth") else []


def _with_kings(hand: AmericanHand, legal: list[int], kings: int) -> list[int]:
    """The cards that each place may hold where the declarer has `kings` of those unseen, and no other of them."""
    return [
        cards & ~KINGS_MASK | cards & kings if player == hand.declarer else cards & ~kings
        for player, cards in zip((*hand.active, None), legal, strict=True)
    ]
