"""A hand of the Tarot of 1659 as it is filmed: the plays, and the card that is given for the fool."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tracker.cards import FOOL
from tracker.tarot1659.events import FoolExchanged
from tracker.tarot1659.hand import Hand1659
from webui.bench.filming_tricks import trick_filmed

if TYPE_CHECKING:
    from vision.lab.rendering.footage import FilmedPlay, FilmedStep
    from vision.lab.rendering.shown_cards import FilmedGift


def script_of_1659(
    hand: Hand1659, sides: Mapping[str, str], tricks: int | None = None
) -> "list[FilmedPlay | FilmedStep]":
    """The script of the first `tricks` (None: all) of `hand`. `sides` has each player's side of the picture."""
    gifts = _gifts_after_tricks(hand, sides)
    script: list[FilmedPlay | FilmedStep] = []
    for trick in hand.tricks[:tricks]:
        script += trick_filmed(hand, trick, sides)
        script += [gifts[trick.number]] if trick.number in gifts else []
    return script


def _gifts_after_tricks(hand: Hand1659, sides: Mapping[str, str]) -> "dict[int, FilmedGift]":
    """The card that is handed across for the fool (T59-FOOL-3), by the number of the trick after which that happens.

    A player without a trick hands the fool itself across, at the end (T59-FOOL-5).
    """
    from vision.lab.rendering.shown_cards import FilmedGift

    fool, winner = hand.fool, None if hand.fool is None else hand.fool.winner
    if fool is None or winner is None:
        return {}
    if fool.state == "surrendered":
        return {len(hand.tricks): FilmedGift(sides[fool.player], FOOL, sides[winner], told=False)}
    return {
        sum(trick.plays[0].seq < seq for trick in hand.tricks): FilmedGift(
            sides[event.player], event.card, sides[winner]
        )
        for event, seq in hand.entries
        if isinstance(event, FoolExchanged)
    }
