"""Events in a few words."""

from collections.abc import Sequence

from tracker.danish.combination import Combination
from tracker.danish.events import (
    Adjusted,
    Declared,
    Fined,
    FoolCalled,
    FoolNamed,
    Redealt,
    SkatShown,
    ToutAnnounced,
)
from tracker.danish.hand import DanishHand
from tracker.danish.words import card_label, combination_text, pot_name, suit_name
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
    SessionClosed,
    SessionOpened,
    TrickTaken,
    Unwatched,
)
from webui.texts import CATEGORIES, REDEALS, ntext, text


def combinations_text(made: Sequence[Combination], lang: str) -> str:
    """What was declared, in a line; no combination is a pass."""
    return ", ".join(combination_text(one, lang) for one in made) or text("Pass").lower()


def declarations_text(hand: DanishHand, lang: str) -> str:
    """Who declared what so far, in one line."""
    made = [(name, what) for name, what in hand.declared.items() if what is not None]
    if not made:
        return text("No declarations entered")
    return "; ".join(f"{name}: {combinations_text(what, lang)}" for name, what in made)


def event_text(event: Event, lang: str) -> str:
    """An event in a few words, for the undo and for the screen reader."""
    if isinstance(
        event, HandStarted | HandAbandoned | SessionClosed | SessionOpened | PlayerJoined | PlayerLeft
    ):
        return _evening_text(event)
    if isinstance(event, PlayInserted | PlayCorrected | PlayRemoved | DealerCorrected | EventRetracted):
        return _correction_text(event, lang)
    match event:
        case CardPlayed(player=player, card=card):
            return text("{player} played {card}", player=player, card=card_label(card, lang))
        case TrickTaken(player=player):
            return text("Last trick to {player}", player=player)
        case PlaysTakenBack(count=count):
            return ntext("{count} card taken back", "{count} cards taken back", count)
        case Unwatched():
            return text("The camera saw nothing for a while")
        case Declared(player=player, combinations=made):
            return text("{player} declares {what}", player=player, what=combinations_text(made, lang))
        case FoolNamed(player=player, suit=suit):
            return text("{player} names the fool {suit}", player=player, suit=suit_name(suit, lang))
        case FoolCalled(player=player):
            return text("{player} calls for the fool", player=player)
        case ToutAnnounced(player=player):
            return text("{player} announces a tout", player=player)
        case SkatShown(cards=cards):
            return text("The skat: {cards}", cards=", ".join(card_label(card, lang) for card in cards))
        case Redealt(reason=reason):
            return text(REDEALS[reason])
        case Fined() | Adjusted():
            return _chips_text(event, lang)
    raise AssertionError(f"an event without words: {event}")


def _evening_text(
    event: HandStarted | HandAbandoned | SessionClosed | SessionOpened | PlayerJoined | PlayerLeft,
) -> str:
    match event:
        case SessionOpened():
            return text("Evening opened")
        case PlayerJoined(player=player):
            return text("{player} joins", player=player)
        case PlayerLeft(player=player):
            return text("{player} leaves", player=player)
        case HandStarted(dealer=dealer):
            return text("{player} deals", player=dealer) if dealer else text("The next hand is dealt")
        case HandAbandoned():
            return text("Hand abandoned")
        case SessionClosed():
            return text("Evening settled")


def _correction_text(
    event: PlayInserted | PlayCorrected | PlayRemoved | DealerCorrected | EventRetracted, lang: str
) -> str:
    match event:
        case PlayInserted(card=card):
            return text("A play inserted: {card}", card=card_label(card, lang))
        case PlayCorrected(card=card, player=player, named=named):
            # A sheet corrects one of the three.
            what = card_label(card, lang) if card is not None else player or suit_name(named or "T", lang)
            return text("A play put right: {what}", what=what)
        case PlayRemoved():
            return text("A play removed")
        case DealerCorrected(dealer=dealer):
            return text("{player} dealt the hand", player=dealer)
        case EventRetracted():
            return text("A question settled")


def _chips_text(event: Fined | Adjusted, lang: str) -> str:
    match event:
        case Fined(player=player, category=category, reason=reason):
            why = reason or text(CATEGORIES[category])
            if category == "superficial":
                return text("No fine for {player}: {reason}", player=player, reason=why)
            return text("{player} is fined: {reason}", player=player, reason=why)
        case Adjusted(source=source, target=target, amount=amount, reason=reason):
            return text(
                "Adjustment: {amount} from {source} to {target} ({reason})",
                amount=amount,
                reason=reason,
                source=pot_name(source, lang),
                target=pot_name(target, lang),
            )
