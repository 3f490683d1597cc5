"""What can be known at one point of a hand, for learning to count. Each game fills it in (`Game.study`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tracker.events import CardPlayed
from tracker.hand import Hand
from tracker.session import Session


@dataclass(frozen=True, slots=True)
class Void:
    """`player` holds no card of `suit`: he played `card` in `trick` instead, or (both None) it follows by counting."""

    player: str
    suit: str
    card: str | None = None
    trick: int | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """What everybody can know who saw all plays and heard all declarations.

    `trumps` are the cards that are counted as trumps, `trumps_out` those of them that nobody has seen yet. `voids`
    are in order of play, for suits of which cards are out. `chances[card][holder]` is the exact chance for each
    unseen card; holders are the active players and what lies aside, in Danish Tarok `"skat"`. `left` says how many
    cards each player still holds.
    """

    trumps: frozenset[str]
    trumps_out: tuple[str, ...]
    voids: tuple[Void, ...]
    chances: Mapping[str, Mapping[str, Fraction]]
    left: Mapping[str, int]


def hand_after(session: Session[Any, Any], hand: Hand, count: int) -> Any:
    """`hand` of `session` as it stood after `count` plays, with all that was entered before the next one.

    It is a hand of its own: what it books is booked nowhere else.
    """
    past = type(session)(replace(session.opened, seats=hand.seats), rules=session.rules)
    past.start_hand(hand.dealer)
    plays = 0
    for event, seq in hand.entries:
        plays += isinstance(event, CardPlayed)
        if plays > count:
            break
        past.apply(event, seq)
    return past.hand
