"""A deal of French Tarot as it is filmed: the dog, what the taker lays, handfuls, the card for the Excuse."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tracker.french.hand import FrenchHand
from tracker.french.handfuls import Handful
from tracker.french.pack import LOW_CARDS, PACK
from webui.bench.filming_tricks import trick_filmed

if TYPE_CHECKING:
    from vision.lab.rendering.footage import FilmedPlay, FilmedStep


def french_script(
    hand: FrenchHand, sides: Mapping[str, str], tricks: int | None = None
) -> "list[FilmedPlay | FilmedStep]":
    """The script of the first `tricks` (None: all) of `hand`. `sides` has each player's side of the picture."""
    from vision.lab.rendering.shown_cards import FilmedHandful

    script = _before_play(hand, sides)
    handfuls: dict[int, list[Handful]] = {}
    for handful in hand.handfuls:
        handfuls.setdefault(handful.plays, []).append(handful)
    number = 0
    # Its player keeps the Excuse, but if his own side won the trick it goes with that (FT-EXCUSE-3).
    goes_along = hand.excuse is not None and hand.excuse.state == "kept"
    for trick in hand.tricks[:tricks]:
        for play in trick_filmed(hand, trick, sides):
            script += [FilmedHandful(sides[one.player], one.cards) for one in handfuls.get(number, ())]
            script.append(replace(play, kept=play.kept and not goes_along))
            number += 1
        script += _card_for_excuse(hand, trick.number, sides)
    return script


def _before_play(hand: FrenchHand, sides: Mapping[str, str]) -> "list[FilmedPlay | FilmedStep]":
    """The dog lies face down during the bids, is turned up and taken, and as many cards are laid (FT-DOG)."""
    from vision.lab.rendering.shown_cards import FilmedBunch, FilmedDiscard, FilmedTalon

    turned, taker = hand.dog.turned is not None, hand.taker
    script: list[FilmedPlay | FilmedStep] = [
        FilmedBunch(sides[hand.dealer], aside=not turned, count=hand.dealt.dog)
    ]
    if turned and taker is not None:
        script.append(
            FilmedTalon(sides[taker], tuple(PACK.names(hand.dog.turned or 0)), 1, sides[taker], None)
        )
        laid = tuple(PACK.names(hand.dog.laid or 0))
        script.append(FilmedDiscard(sides[taker], laid, down=hand.dealt.dog - len(laid)))
    return script


def _card_for_excuse(
    hand: FrenchHand, trick: int, sides: Mapping[str, str]
) -> "list[FilmedPlay | FilmedStep]":
    """The low card that is given for the Excuse, once its player's side has won one (FT-EXCUSE-3)."""
    from vision.lab.rendering.shown_cards import FilmedGift

    excuse = hand.excuse
    if excuse is None or excuse.state != "exchanged" or excuse.winner is None:
        return []
    side = hand.side_of(excuse.player)
    for one in hand.tricks:
        low = PACK.names(one.cards & LOW_CARDS)
        if one.winner is not None and hand.side_of(one.winner) == side and low:
            now = trick == max(one.number, excuse.trick)
            return [FilmedGift(sides[one.winner], low[0], sides[excuse.winner], told=False)] if now else []
    return []
