"""Rounds of American Tarock dealt by chance: to measure the rules engine, and to film."""

import random
from typing import Final

from tracker.american.contracts import CONTRACTS
from tracker.american.events import (
    ContractNamed,
    GroupTaken,
    HandLaidOpen,
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


def hand_of_american(
    chance: random.Random, opened: SessionOpened, game: str, dealer: str | None = None
) -> list[Event]:
    """A legal round of `game` from its deal on. `dealer` deals (default: the last player), and any player declares.

    In a game without tricks, or with all tricks, the declarer is dealt cards that suit it. Every legal card is equally
    likely to be played. A game that is decided early ends there.
    """
    contract = CONTRACTS[game]
    players = opened.seats
    declarer = chance.choice(players)
    talon, held = _dealt(chance, players, declarer, contract.aim)
    session = AmericanSession(opened, strict=True)
    events: list[Event] = []

    def happen(event: Event) -> None:
        session.apply(event)
        events.append(event)

    happen(HandStarted(dealer or players[-1]))
    happen(ContractNamed(game, declarer if contract.place else None))
    if contract.calls:
        happen(PartnerCalled(chance.choice(SUITS)))
    if contract.normal:
        size = contract.exchange
        group = chance.randrange(_TALON // size)
        happen(TalonTurned(tuple(talon)))
        happen(GroupTaken(group))
        laid = PACK.mask(chance.sample(PACK.names(held[declarer] & ~FIVES), size))
        happen(LaidFaceUp(tuple(PACK.names(laid & TAROCKS))))
        held[declarer] = held[declarer] & ~laid | PACK.mask(talon[group * size : (group + 1) * size])
    hand = session.hands[0]
    while hand.to_play is not None:
        player = hand.to_play
        place = chance.choice(list(indices(hand.legal_plays(player, held[player]))))
        held[player] &= ~(1 << place)
        happen(CardPlayed(player, PACK.cards[place]))
        if game == "klop" and hand.trick is None and len(hand.tricks) <= _TALON:
            happen(VitaminTurned(talon[len(hand.tricks) - 1]))
        if game == "open_barach" and hand.trick is None and len(hand.tricks) == 1 and not hand.complete:
            happen(HandLaidOpen(tuple(PACK.names(held[declarer]))))
    return events


def _dealt(
    chance: random.Random, players: tuple[str, ...], declarer: str, aim: str
) -> tuple[list[str], dict[str, int]]:
    """The Talon, and each player's hand as a mask. Everybody is dealt a tarock (AT-DEAL-5)."""
    while True:
        cards = list(PACK.cards)
        chance.shuffle(cards)
        if aim in ("none", "all"):
            # Low cards and one tarock take no trick; high tarocks take all of them.
            low = [card for card in PACK.cards if card[0] != "T" and card[1:] not in "RDCV" and card != "F"][
                :11
            ]
            suiting = (
                [*low, "T2"] if aim == "none" else ["F", *(f"T{number}" for number in range(21, 10, -1))]
            )
            rest = [card for card in cards if card not in suiting]
            cards = rest[:_TALON]
            for player in players:
                cards += suiting if player == declarer else [rest.pop() for _ in range(_EACH)]
        held = {
            player: PACK.mask(cards[_TALON + _EACH * place :][:_EACH]) for place, player in enumerate(players)
        }
        if all(hand & TAROCKS for hand in held.values()):
            return cards[:_TALON], held
