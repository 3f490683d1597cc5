"""Rounds of American Tarock dealt by chance: to measure the rules engine, and to film."""

import random
from typing import Final

from tracker.american.events import (
    ContractNamed,
    GroupTaken,
    LaidFaceUp,
    PartnerCalled,
    TalonTurned,
    VitaminTurned,
)
from tracker.american.pack import FIVES, PACK, TAROCKS
from tracker.american.session import AmericanSession
from tracker.cards import SUITS
from tracker.events import CardPlayed, Event, HandStarted, SessionOpened
from tracker.pack import indices

_PLAYERS: Final = ("Anna", "Bo", "Carl", "Dora")
_TALON: Final = 6
_EACH: Final = 12


def evening_of_american(chance: random.Random) -> tuple[SessionOpened, list[Event]]:
    """An evening of one round: a Klop with its vitamins, a Two with exchange, or a Solo No-Peek."""
    opened = SessionOpened("american-tarock", seats=_PLAYERS)
    return opened, hand_of_american(chance, opened, chance.choice(("klop", "two", "solo_no_peek")))


def hand_of_american(chance: random.Random, opened: SessionOpened, game: str) -> list[Event]:
    """A legal round of 48 plays of `game` (klop, two or solo_no_peek), from its deal on.

    The player after the dealer declares it. Every legal card is equally likely.
    """
    players = opened.seats
    cards = list(PACK.cards)
    chance.shuffle(cards)
    talon = cards[:_TALON]
    held = {
        player: PACK.mask(cards[_TALON + _EACH * place :][:_EACH]) for place, player in enumerate(players)
    }
    session = AmericanSession(opened, strict=True)
    events: list[Event] = []

    def happen(event: Event) -> None:
        session.apply(event)
        events.append(event)

    happen(HandStarted(players[-1]))
    happen(ContractNamed(game, None if game == "klop" else players[0]))
    if game == "two":
        happen(PartnerCalled(chance.choice(SUITS)))
        happen(TalonTurned(tuple(talon)))
        happen(GroupTaken(0))
        laid = PACK.mask(PACK.names(held[players[0]] & ~FIVES)[:2])
        happen(LaidFaceUp(tuple(PACK.names(laid & TAROCKS))))
        held[players[0]] = held[players[0]] & ~laid | PACK.mask(talon[:2])
    hand = session.hands[0]
    while hand.to_play is not None:
        player = hand.to_play
        place = chance.choice(list(indices(hand.legal_plays(player, held[player]))))
        held[player] &= ~(1 << place)
        happen(CardPlayed(player, PACK.cards[place]))
        if game == "klop" and hand.trick is None and len(hand.tricks) <= _TALON:
            happen(VitaminTurned(talon[len(hand.tricks) - 1]))
    return events
