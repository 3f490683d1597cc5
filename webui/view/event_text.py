"""Events in a few words."""

from typing import Final

from tracker.adjusting import ChipsMoved, PointsAdjusted
from tracker.by_result import ByResult
from tracker.catalogue import msgid
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    EntryCorrected,
    EntryInserted,
    Event,
    EventRetracted,
    FindingPassed,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    ResultChosen,
    SessionClosed,
    SessionOpened,
    TrickMissed,
    TrickTaken,
    TrickUnseen,
    Unwatched,
)
from webui.games.page import GamePage
from webui.texts import ntext, signed, text

_CHOSEN: Final = {
    (True, False): msgid("The hand is entered by its result"),
    (True, True): msgid("Hands are entered by their results"),
    (False, False): msgid("The cards of the hand are entered"),
    (False, True): msgid("The cards are entered again"),
}


def event_text(event: Event, lang: str, page: GamePage) -> str:  # noqa: C901 - a table of the events and their words
    """An event of the game of `page` in a few words, for the undo and for the screen reader."""
    words = page.game.words
    match event:
        case SessionOpened():
            return text("Evening opened")
        case PlayerJoined(player=player):
            return text("{player} joins", player=player)
        case PlayerLeft(player=player):
            return text("{player} leaves", player=player)
        case HandStarted(dealer=dealer):
            return text("{player} deals", player=dealer) if dealer else text("The next hand is dealt")
        case HandAbandoned(time_s=float()):
            return text("The hand ended, as the next one began")
        case HandAbandoned():
            return text("Hand abandoned")
        case SessionClosed():
            return text("Evening closed")
        case PlayInserted(card=card):
            return text("A play inserted: {card}", card=words.card_label(card, lang))
        case PlayCorrected(card=card, player=player, named=named):
            # A dialog corrects only one of the three.
            if named is not None:
                return text("The fool was named {suit}", suit=words.suit_name(named, lang))
            what = words.card_label(card, lang) if card is not None else player
            return text("Card corrected: {what}", what=what)
        case PlayRemoved():
            return text("A play removed")
        case DealerCorrected(dealer=dealer):
            return text("{player} dealt the hand", player=dealer)
        case EventRetracted():
            return text("A question settled")
        case EntryCorrected(entry=really):
            return text("Corrected: {what}", what=event_text(really, lang, page))
        case EntryInserted(hand=hand, entry=missed):
            return text("Entered late in hand {hand}: {what}", hand=hand, what=event_text(missed, lang, page))
        case CardPlayed(player=player, card=card):
            return text("{player} played {card}", player=player, card=words.card_name(card, lang))
        case TrickTaken(player=player):
            return text("Last trick to {player}", player=player)
        case TrickMissed(player=player) | TrickUnseen(player=player):
            return text("A trick that was not seen: {player} won it", player=player)
        case PlaysTakenBack(count=count):
            return ntext("{count} card taken back", "{count} cards taken back", count)
        case PlayerRenamed(called=player):
            return text("Name corrected: {player}", player=player)
        case FindingPassed(player=player):
            return text("No fine: {player}", player=player)
        case ResultChosen(on=on, evening=evening):
            return text(_CHOSEN[on, evening])
        case ByResult():
            return text("The result of the hand")
        case Unwatched():
            return text("The camera saw nothing for a while")
        case ChipsMoved(source=source, target=target, amount=amount, reason=reason):
            return text(
                "Adjustment: {amount} from {source} to {target} ({reason})",
                amount=amount,
                reason=reason,
                source=words.pot_name(source, lang),
                target=words.pot_name(target, lang),
            )
        case PointsAdjusted(player=player, points=points, reason=reason):
            return f"{player} {signed(points)}{text(': ')}{reason}"
    return page.event_text(event, lang)
