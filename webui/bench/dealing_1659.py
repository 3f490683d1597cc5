"""Hands of the Tarot of 1659 dealt by chance, for the benchmark of the rules engine."""

import random
from typing import Final

from tracker.cards import FOOL, TRUMP
from tracker.events import CardPlayed, Event, HandStarted, SessionOpened
from tracker.tarot1659.pack import PACK

_PLAYERS: Final = ("Anna", "Bo", "Carl", "Dora")
_CARDS_EACH: Final = 19


def hand_of_1659(chance: random.Random) -> tuple[SessionOpened, list[Event]]:
    """A legal hand of four with as many cards as there are, 76 plays; every legal card is equally likely."""
    cards = list(PACK.cards)
    chance.shuffle(cards)
    held = [cards[_CARDS_EACH * place : _CARDS_EACH * (place + 1)] for place in range(len(_PLAYERS))]
    events: list[Event] = [HandStarted(_PLAYERS[-1])]
    leader = 0
    for _ in range(_CARDS_EACH):
        suit: str | None = None
        table: list[tuple[int, int]] = []
        for step in range(len(_PLAYERS)):
            player = (leader + step) % len(_PLAYERS)
            hand = held[player]
            legal = [card for card in hand if suit is None or card[0] == suit]
            legal = legal or [card for card in hand if card[0] == TRUMP] or list(hand)
            if FOOL in hand and FOOL not in legal:
                legal.append(FOOL)
            card = chance.choice(legal)
            hand.remove(card)
            if suit is None and card != FOOL:
                suit = card[0]
            wins = suit is not None and card[0] in (suit, TRUMP)
            table.append((PACK.index[card] if wins else -1, player))
            events.append(CardPlayed(_PLAYERS[player], card))
        leader = max(table)[1]
    return SessionOpened("tarot-1659", (("cards", _CARDS_EACH),), _PLAYERS), events
