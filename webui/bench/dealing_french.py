"""Deals of French Tarot dealt by chance: to measure the rules engine, to film, and for the demo."""

import random

from tracker.bidding import PASS
from tracker.events import CardPlayed, Event, HandStarted, SessionOpened
from tracker.french.contracts import CONTRACTS, DEALS
from tracker.french.events import BidMade, CardCalled, DogTurned, HandfulShown, LaidFaceUp
from tracker.french.hand import FrenchHand
from tracker.french.pack import BOUTS_MASK, EXCUSE_BIT, KINGS, PACK, PETIT_BIT, SUIT_CARDS, TRUMPS
from tracker.french.session import FrenchSession
from tracker.pack import indices

_PLAYERS = ("Anna", "Bo", "Carl", "Dora", "Erik")


def evening_of_french(chance: random.Random) -> tuple[SessionOpened, list[Event]]:
    """An evening of one deal, with three, four or five players and any contract."""
    opened = SessionOpened("french-tarot", seats=_PLAYERS[: chance.choice((3, 4, 4, 5))])
    return opened, hand_of_french(chance, opened, chance.choice(tuple(CONTRACTS)))


def hand_of_french(
    chance: random.Random, opened: SessionOpened, contract: str, dealer: str | None = None
) -> list[Event]:
    """A legal deal of `contract` from its start on. `dealer` deals (default: the last player).

    The player with most trumps takes. With five players he calls a king that he lacks. Handfuls are shown. Every legal
    card is equally likely to be played.
    """
    session = FrenchSession(opened, strict=True)
    events: list[Event] = []

    def happen(event: Event) -> None:
        session.apply(event)
        events.append(event)

    happen(HandStarted(dealer or opened.seats[-1]))
    hand = session.hands[0]
    held, dog = _dealt(chance, hand.active)
    taker = max(hand.active, key=lambda player: (held[player] & (TRUMPS | EXCUSE_BIT)).bit_count())
    for player in hand.active:
        happen(BidMade(player, contract if player == taker else PASS))
    if len(hand.active) == 5:
        kings = KINGS & ~held[taker] or KINGS
        happen(CardCalled(chance.choice(PACK.names(kings))))
    if CONTRACTS[contract].takes_dog:
        happen(DogTurned(tuple(PACK.names(dog))))
        laid = _laid(chance, held[taker] | dog, dog.bit_count())
        happen(LaidFaceUp(tuple(PACK.names(laid & TRUMPS))))
        held[taker] = (held[taker] | dog) & ~laid
    shown: set[str] = set()
    while hand.to_play is not None:
        player = hand.to_play
        if player not in shown:
            shown.add(player)
            if handful := _handful(hand, held[player]):
                happen(HandfulShown(player, handful))
        place = chance.choice(list(indices(hand.legal_plays(player, held[player]))))
        held[player] &= ~(1 << place)
        happen(CardPlayed(player, PACK.cards[place]))
    return events


def _dealt(chance: random.Random, players: tuple[str, ...]) -> tuple[dict[str, int], int]:
    """Each player's hand and the dog, as masks. Nobody has the petit alone (FT-DEAL-5)."""
    each = DEALS[len(players)].cards
    while True:
        cards = list(PACK.cards)
        chance.shuffle(cards)
        held = {player: PACK.mask(cards[each * place :][:each]) for place, player in enumerate(players)}
        if all(hand & (TRUMPS | EXCUSE_BIT) != PETIT_BIT for hand in held.values()):
            return held, PACK.mask(cards[each * len(players) :])


def _laid(chance: random.Random, hand: int, count: int) -> int:
    """The cards that the taker lays, as a mask: no king, no bout, and trumps only if need be (FT-DOG-3, FT-DOG-4)."""
    laid = 0
    for may in (SUIT_CARDS & ~KINGS, TRUMPS & ~BOUTS_MASK):
        cards = PACK.names(hand & may & ~laid)
        laid |= PACK.mask(chance.sample(cards, min(len(cards), count - laid.bit_count())))
    return laid


def _handful(hand: FrenchHand, held: int) -> tuple[str, ...]:
    """The largest handful that a player has; empty if he has none (FT-HANDFUL-1)."""
    trumps = PACK.names(held & TRUMPS)[::-1]
    sizes = [size for size in hand.dealt.handfuls if size <= len(trumps)]
    return tuple(trumps[: sizes[-1]]) if sizes else ()
