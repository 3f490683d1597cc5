"""Rounds of American Tarock dealt by chance, for the benchmark of the rules engine."""

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


def hand_of_american(chance: random.Random) -> tuple[SessionOpened, list[Event]]:
    """A legal round of 48 plays: a Klop with its vitamins, a Two with exchange, or a Solo No-Peek.

    Every legal card is equally likely.
    """
    cards = list(PACK.cards)
    chance.shuffle(cards)
    talon = cards[:_TALON]
    held = {
        player: PACK.mask(cards[_TALON + _EACH * place :][:_EACH]) for place, player in enumerate(_PLAYERS)
    }
    opened = SessionOpened("american-tarock", seats=_PLAYERS)
    session = AmericanSession(opened, strict=True)
    events: list[Event] = []

    def happen(event: Event) -> None:
        session.apply(event)
        events.append(event)

    happen(HandStarted(_PLAYERS[-1]))
    game = chance.choice(("klop", "two", "solo_no_peek"))
    happen(ContractNamed(game, None if game == "klop" else _PLAYERS[0]))
    if game == "two":
        happen(PartnerCalled(chance.choice(SUITS)))
        happen(TalonTurned(tuple(talon)))
        happen(GroupTaken(0))
        laid = PACK.mask([card for card in PACK.names(held[_PLAYERS[0]] & ~FIVES)][:2])
        happen(LaidFaceUp(tuple(PACK.names(laid & TAROCKS))))
        held[_PLAYERS[0]] = held[_PLAYERS[0]] & ~laid | PACK.mask(talon[:2])
    hand = session.hands[0]
    while hand.to_play is not None:
        player = hand.to_play
        place = chance.choice(list(indices(hand.legal_plays(player, held[player]))))
        held[player] &= ~(1 << place)
        happen(CardPlayed(player, PACK.cards[place]))
        if game == "klop" and hand.trick is None and len(hand.tricks) <= _TALON:
            happen(VitaminTurned(talon[len(hand.tricks) - 1]))
    return opened, events
