"""What may come next in a hand of the Tarot of 1659, for those who enter it."""

from tracker.shown_cards import ShownCards
from tracker.tarot1659.events import FoolExchanged
from tracker.tarot1659.hand import Hand1659
from tracker.tarot1659.pack import PACK


def shown_cards_next(hand: Hand1659) -> ShownCards | None:
    """T59-FOOL-3, T59-FOOL-4: the card given for the fool, "any card that he has won in a trick".

    After the last trick (T59-FINE-3) players lay won cards open to count them. Then the gift is the card that lies
    before its receiver.
    """
    fool = hand.fool
    if fool is None or fool.winner is None or fool.card is not None or hand.abandoned:
        return None
    player, won = fool.player, frozenset(PACK.names(hand.won(fool.player)))
    if not won:
        return None
    receiver = fool.winner if hand.complete else None
    return ShownCards(
        "gift", 1, lambda cards: FoolExchanged(player, cards[0]), player, receiver=receiver, among=won
    )
