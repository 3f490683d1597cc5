"""What a camera or a thumb could enter at any time, possible or not."""

import random
from collections.abc import Sequence

from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandAbandoned,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    TrickTaken,
    Unwatched,
)


def any_entry(chance: random.Random, player: str, card: str, last: int, own: Sequence[Event]) -> Event:
    """One of what every game has, with that player and card, or of a game's `own`; `last` events are stored."""
    return chance.choice(
        [
            *own,
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
