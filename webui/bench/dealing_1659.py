"""Hands of the Tarot of 1659 dealt by chance: to measure the rules engine, and to film."""

import random
from collections.abc import Sequence
from typing import Final

from tracker.cards import FOOL, TRUMP
from tracker.events import CardPlayed, Event, HandStarted, SessionOpened
from tracker.tarot1659.events import FoolExchanged
from tracker.tarot1659.pack import PACK

_PLAYERS: Final = ("Anna", "Bo", "Carl", "Dora")
_CARDS_EACH: Final = 19


def evening_of_1659(chance: random.Random) -> tuple[SessionOpened, list[Event]]:
    """An evening of one hand with four players and as many cards as there are: 76 plays."""
    opened = SessionOpened("tarot-1659", (("cards", _CARDS_EACH),), _PLAYERS)
    return opened, hand_of_1659(chance, _PLAYERS, _CARDS_EACH)


def hand_of_1659(chance: random.Random, seats: Sequence[str], cards_each: int) -> list[Event]:
    """A legal hand that the last of `seats` deals. Every legal card is equally likely to be played.

    The player of the fool gives the cheapest card that he has won for it, as soon as he has won one (T59-FOOL-3).
    """
    cards = list(PACK.cards)
    chance.shuffle(cards)
    held = [cards[cards_each * place : cards_each * (place + 1)] for place in range(len(seats))]
    events: list[Event] = [HandStarted(seats[-1])]
    won: list[list[str]] = [[] for _ in seats]
    owes: int | None = None
    leader = 0
    for _ in range(cards_each):
        suit: str | None = None
        table: list[tuple[int, int]] = []
        trick: list[str] = []
        for step in range(len(seats)):
            player = (leader + step) % len(seats)
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
            events.append(CardPlayed(seats[player], card))
            trick.append(card)
            owes = player if card == FOOL else owes
        leader = max(table)[1]
        won[leader] += trick
        if owes is not None and won[owes]:
            cheapest = min(won[owes], key=lambda card: PACK.points[PACK.index[card]])
            events.append(FoolExchanged(seats[owes], cheapest))
            owes = None
    return events
