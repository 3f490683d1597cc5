"""What may come next in a hand of the Tarot of 1659, for those who enter it."""

from tracker.laid_out import LaidOut
from tracker.tarot1659.events import FoolExchanged
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.pack import PACK


def laid_out_next(hand: Hand1659) -> LaidOut | None:
    """T59-FOOL-3, T59-FOOL-4: the card given for the fool, "any card that he has won in a trick"."""
    fool = hand.fool
    if fool is None or fool.winner is None or fool.card is not None or hand.abandoned:
        return None
    player, won = fool.player, frozenset(PACK.names(hand.won(fool.player)))
    return (
        LaidOut("gift", 1, lambda cards: FoolExchanged(player, cards[0]), player, among=won) if won else None
    )
