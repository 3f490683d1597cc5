"""What can be known at one point of a hand of Danish Tarok. The fool counts as a trump, so there are 22."""

from typing import Final

from tracker.cards import CARDS, SUITS, TRUMP
from tracker.danish.declarations import TRUMPS_AND_FOOL
from tracker.danish.hand import DanishHand
from tracker.danish.inference import infer
from tracker.danish.pack import PACK, SUIT_MASK
from tracker.study import SET_ASIDE, Study, Void

_TRUMPS: Final = frozenset(PACK.names(TRUMPS_AND_FOOL))


def study(hand: DanishHand) -> Study:
    """What can be known at this point of `hand` by somebody who holds none of its cards."""
    inferred, unseen = infer(hand), hand.knowledge.unseen
    voids = []
    for place, player in enumerate(hand.active):
        for suit in (*SUITS, TRUMP):
            cards = SUIT_MASK[suit]
            if not unseen & cards or not hand.knowledge.left[place]:
                continue
            said = next(
                (
                    denial
                    for denial in hand.knowledge.denials
                    if denial.player == place and denial.status is None and denial.mask & cards == cards
                ),
                None,
            )
            if said is not None:
                voids.append(Void(player, suit, CARDS[said.card], said.trick))
            elif suit in inferred.void[player]:
                voids.append(Void(player, suit))
    return Study(
        trumps=_TRUMPS,
        trumps_out=tuple(PACK.names(unseen & TRUMPS_AND_FOOL)),
        voids=tuple(voids),
        chances={
            card: {SET_ASIDE if holder == "skat" else holder: share for holder, share in row.items()}
            for card, row in inferred.chances.items()
        },
        left=dict(zip(hand.active, hand.knowledge.left, strict=True)),
        aside="skat",
    )
