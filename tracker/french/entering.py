"""What may be said or shown next in a deal, for whoever enters it and for the camera."""

from functools import partial
from typing import Final, Literal

from tracker.contract_hand import Missing
from tracker.french.events import DogTurned, HandfulShown, LaidFaceUp
from tracker.french.hand import FrenchHand
from tracker.french.pack import BOUTS_MASK, CALLABLE, EXCUSE_BIT, PACK, TRUMPS
from tracker.shown_cards import MayReveal, ShownCards

Step = Literal["bid", "call", "play", "over"]
_OF_MISSING: Final[dict[Missing, Step]] = {"contract": "bid", "call": "call"}


def next_step(hand: FrenchHand) -> Step:
    """What is entered next: a bid or the contract, the call, a card; or the deal is over."""
    missing = hand.what_is_missing()
    if hand.void or (hand.abandoned and not hand.all_played):
        return "over"
    if missing is not None:
        return _OF_MISSING[missing]
    return "over" if hand.complete else "play"


def allowed_calls(hand: FrenchHand) -> tuple[str, ...]:
    """FT-5-1, FT-5-2: the cards that may be called, kings first; none with three or four players."""
    return CALLABLE if hand.contract is not None and len(hand.active) == 5 else ()


def takes_the_dog(hand: FrenchHand) -> bool:
    """FT-DOG-1: whether the dog is turned up and taken in this contract, and nobody showed a handful yet."""
    return _has_exchange(hand) and not hand.handfuls


def _has_exchange(hand: FrenchHand) -> bool:
    return hand.contract is not None and hand.contract.takes_dog and hand.what_is_missing() is None


def may_be_turned_up(hand: FrenchHand) -> list[str]:
    """The cards that were not seen yet: of these is the dog."""
    return PACK.names(PACK.all_cards & ~hand.gone)


def may_be_laid_open(hand: FrenchHand) -> list[str]:
    """FT-DOG-3, FT-DOG-4: the trumps that the taker may lay face up; none where he does not take the dog."""
    return PACK.names(TRUMPS & ~BOUTS_MASK) if _has_exchange(hand) else []


def may_show(hand: FrenchHand) -> list[str]:
    """FT-HANDFUL-1: the players who may still show a handful, in order of play."""
    shown = {handful.player for handful in hand.handfuls}
    if hand.abandoned or hand.complete or hand.contract is None:
        return []
    return [player for player in hand.active if player not in shown]


def shown_cards_next(hand: FrenchHand) -> ShownCards | None:
    """What is turned up or laid open next and is no play: the dog, the trumps laid face up."""
    if hand.plays or hand.abandoned or not takes_the_dog(hand):
        return None
    if hand.dog.turned is None and hand.dog.laid is None:
        return ShownCards("talon", hand.dealt.dog, DogTurned)
    if hand.dog.laid is not None:
        return None
    trumps = frozenset(may_be_laid_open(hand))
    return ShownCards("discard", hand.dealt.dog, LaidFaceUp, hand.taker, among=trumps, beside_backs=True)


def may_reveal(hand: FrenchHand) -> tuple[MayReveal, ...]:
    """FT-HANDFUL-2: the handfuls that may be shown "just before he plays his first card", by the taker before his turn.

    A handful that is read a little later still stands before that card. Trumps shown at another time, or in another
    number (FT-REN-6), are not told: people enter them, because no camera accuses. They are no plays either.
    """
    if hand.what_is_missing() is not None or hand.abandoned:
        return ()
    return tuple(_may_reveal(hand, player) for player in hand.active)


def _may_reveal(hand: FrenchHand, player: str) -> MayReveal:
    played = sum(play.player == player for play in hand.plays)
    among = PACK.names(_could_show(hand, player))
    still = played <= 1 and player in may_show(hand)
    return MayReveal(
        player,
        frozenset(size for size in hand.dealt.handfuls if still and size <= len(among)),
        tuple(among),
        partial(HandfulShown, player, in_time=True),
        now=bool(played) or player in (hand.to_play, hand.taker),
        played=bool(played),
    )


def _could_show(hand: FrenchHand, player: str) -> int:
    """FT-HANDFUL-4, FT-HANDFUL-5: trumps and the Excuse, also those that he played since or laid face up; a mask."""
    own = PACK.mask(play.card for play in hand.plays if play.player == player)
    laid = hand.dog.laid or 0 if player == hand.taker else 0
    return (hand.could_hold(player) | own | laid) & (TRUMPS | EXCUSE_BIT)
