"""The first trick of a hand that may have begun: its cards wait for one another, whatever happens to them meanwhile."""

import math
from collections.abc import Sequence

from vision.watching.decision import is_one_card
from vision.watching.possible_plays import PossiblePlays
from vision.watching.sightings import Sighting, overlaps_one

SWEPT_S = 1.2
"""Seconds within which all cards of a trick that is swept away are lost from view."""
NEXT_TRICK_S = 15.0
"""Seconds after that within which the next trick is complete. It tells whether they were a trick short of a card."""


class FirstTrick:
    """The possible plays that are no longer followed: another card lies on them, or they were just swept away."""

    def __init__(self, possible: PossiblePlays):
        self._possible = possible
        # Since when each of them is known to be swept away; infinite while it is covered.
        self._left_s: dict[Sighting, float] = {}

    @property
    def cards(self) -> tuple[Sighting, ...]:
        """The possible plays that are no longer followed."""
        return tuple(self._left_s)

    def lose(self, sightings: Sequence[Sighting]) -> None:
        """These possible plays are no longer followed."""
        self._left_s |= dict.fromkeys(sightings, math.inf)

    def forget(self) -> None:
        """The hand has begun."""
        self._left_s = {}

    def look(self, in_view: Sequence[Sighting], players: int, time_s: float) -> None:
        """Take in what is in view at `time_s`: a card may be found anew, or be covered no longer.

        Cards that left count until their trick can be known: longer where all `players` of a hand but one laid one of
        them. With 0 `players` a hand is under way.
        """
        self._possible.keep_names()
        left = sum(left_s < math.inf for left_s in self._left_s.values())
        counts_s = NEXT_TRICK_S if left == players - 1 else SWEPT_S
        for card, left_s in list(self._left_s.items()):
            alike = (s for s in in_view if s.found and s.read_as == card.read_as and is_one_card(card, s))
            anew = next(alike, None)
            if anew is not None:
                self._possible.found_anew(card, anew)
            if anew is not None or time_s > left_s + counts_s:
                del self._left_s[card]
            elif left_s == math.inf and not overlaps_one(card.corners_px, [s.corners_px for s in in_view]):
                self._left_s[card] = time_s
                self._possible.sweep(card)

    def has_left(self, card: Sighting) -> bool:
        """Whether one of the `cards` was swept away."""
        return self._left_s.get(card, math.inf) < math.inf
