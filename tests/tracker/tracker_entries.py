"""What a camera or a thumb could enter at any time, possible or not."""

import random
from collections.abc import Sequence

from tracker.american import events as american
from tracker.american.contracts import ANNOUNCED
from tracker.american.contracts import BIDS as AMERICAN_BIDS
from tracker.american.contracts import CONTRACTS as AMERICAN_CONTRACTS
from tracker.danish import events as danish
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    TrickTaken,
    TrickUnseen,
    Unwatched,
)
from tracker.french import events as french
from tracker.french.contracts import BIDS as FRENCH_BIDS
from tracker.french.contracts import CONTRACTS as FRENCH_CONTRACTS
from tracker.french.pack import CALLABLE
from tracker.games import GAMES
from tracker.tarot1659 import events as tarot1659


def any_entry(game: str, chance: random.Random, players: Sequence[str], last: int) -> Event:
    """One of what every game has, or of what this one has; `last` events are stored."""
    pack = GAMES[game].session.pack.cards
    player, card = chance.choice(players), chance.choice(pack)
    return chance.choice(
        [
            *own_entries(game, chance, players, player, card, pack),
            CardPlayed(player, card),
            PlaysTakenBack(chance.randrange(5)),
            TrickTaken(player),
            HandAbandoned(),
            Unwatched(),
            PlayCorrected(chance.randrange(last), card=card),
            PlayRemoved(chance.randrange(last)),
            PlayInserted(chance.choice([None, chance.randrange(last)]), player, card),
            EventRetracted(chance.randrange(last)),
        ]
    )


def own_entries(
    game: str, chance: random.Random, players: Sequence[str], player: str, card: str, pack: Sequence[str]
) -> list[Event]:
    """What the game has beside that, with this player and this card where it names one."""
    some, hand = tuple(chance.sample(pack, chance.randrange(7))), chance.choice([None, 1, 2])
    trumps = tuple(chance.sample([one for one in pack if one[0] in "TF"], chance.randrange(14)))
    reseated = [PlayerJoined("Zoe", chance.choice(players)), PlayerLeft(player)]
    match game:
        case "danish":
            return [
                danish.FoolNamed(player, chance.choice("SHDCTX")),
                danish.FoolCalled(player),
                danish.Fined(player, chance.choice(["minor", "misdeclaration"]), hand=hand),
                danish.Declared(player),
                danish.ToutAnnounced(player),
                danish.SkatShown(tuple(chance.sample(pack, 3))),
                danish.Redealt("misdeal"),
                *reseated,
                danish.Adjusted(
                    player, chance.choice(["king", "pagat", *players]), 5 * chance.randrange(4), "so"
                ),
                danish.Adjusted("king", player, chance.choice([5, 65, 85]), "so"),
                DealerCorrected(2, player),
            ]
        case "tarot1659":
            return [
                tarot1659.FoolExchanged(player, card),
                tarot1659.Fined(player, chance.randrange(-1, 9), hand=hand),
                tarot1659.Redealt(),
                HandStarted(chance.choice([None, player])),
                *reseated,
                tarot1659.Adjusted(player, chance.choice(["pot", *players]), chance.randrange(4), "so"),
                tarot1659.Adjusted("pot", player, chance.choice([1, 5, 40]), "so"),
                DealerCorrected(2, player),
            ]
        case "american":
            return [
                TrickUnseen(player),
                american.BidMade(player, chance.choice(AMERICAN_BIDS)),
                american.ContractNamed(
                    chance.choice(list(AMERICAN_CONTRACTS)), chance.choice([None, player])
                ),
                american.PartnerCalled(chance.choice(american.CALLS)),
                american.TalonTurned(tuple(chance.sample(pack, 6))),
                american.GroupTaken(chance.randrange(3)),
                american.LaidFaceUp(some),
                american.BonusAnnounced(player, chance.choice(ANNOUNCED)),
                american.GameRaised(),
                american.SkeenchCalled(player),
                american.Redealt(chance.choice(american.REDEALT_FOR)),
                american.VitaminTurned(card, chance.choice([None, 1, 2])),
                american.HandLaidOpen(some),
                american.RenonceBooked(player, chance.choice([None, 3]), hand=hand),
                american.Adjusted(player, chance.randrange(-5, 5), "so"),
                HandStarted(chance.choice([None, player])),
            ]
        case "french":
            return [
                french.BidMade(player, chance.choice(FRENCH_BIDS)),
                french.ContractNamed(chance.choice(list(FRENCH_CONTRACTS)), chance.choice([None, player])),
                french.CardCalled(chance.choice(CALLABLE)),
                french.DogTurned(tuple(chance.sample(pack, chance.choice([3, 6])))),
                french.LaidFaceUp(some),
                french.LaidFaceDown(player, some),
                french.SlamAnnounced(player),
                french.HandfulShown(player, trumps, chance.random() < 0.5),
                french.Redealt("misdeal", chance.choice([None, player])),
                french.Redealt("petit_sec", player=player),
                french.DealAnnulled(chance.choice(["", "so"])),
                french.CardsAwarded(some, chance.choice(["taker", "defence"]), "so"),
                french.PenaltyBooked(player, chance.choice([None, 7]), hand=hand),
                french.Adjusted(player, chance.randrange(-5, 5), "so"),
                TrickUnseen(player),
                HandStarted(chance.choice([None, player])),
                *reseated,
            ]
    raise AssertionError(game)
