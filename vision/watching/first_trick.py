"""The first trick of a hand that may have begun: its cards wait for one another, whatever happens to them meanwhile."""

import math
from collections.abc import Sequence

from vision.watching.decision import is_one_card
from vision.watching.possible_plays import PossiblePlays
from vision.watching.sightings import Sighting, overlaps_one

SWEPT_S = 1.2
"""Seconds within which all cards of a trick that is swept away are lost from view."""


class FirstTrick:
    """The possible plays that are no longer followed: another card lies on them, or they were just swept away."""

    def __init__(self, possible: PossiblePlays):
        self._possible = possible
        # Until when each of them counts; infinite while it is covered.
        self._until_s: dict[Sighting, float] = {}

    @property
    def cards(self) -> tuple[Sighting, ...]:
        """The possible plays that are no longer followed."""
        return tuple(self._until_s)

    def lose(self, sightings: Sequence[Sighting]) -> None:
        """These possible plays are no longer followed."""
        self._until_s |= dict.fromkeys(sightings, math.inf)

    def forget(self) -> None:
        """The hand has begun."""
        self._until_s = {}

    def look(self, in_view: Sequence[Sighting], time_s: float) -> None:
        """Take in what is in view at `time_s`: a card may be found anew, or be covered no longer."""
        self._possible.keep_names()
        for card, until_s in list(self._until_s.items()):
            alike = (s for s in in_view if s.found and s.read_as == card.read_as and is_one_card(card, s))
            anew = next(alike, None)
            if anew is not None:
                self._possible.found_anew(card, anew)
            if anew is not None or time_s > until_s:
                del self._until_s[card]
            elif until_s == math.inf and not overlaps_one(card.corners_px, [s.corners_px for s in in_view]):
                self._until_s[card] = time_s + SWEPT_S

    def has_left(self, card: Sighting) -> bool:
        """Whether one of the `cards` was swept away."""
        return self._until_s.get(card, math.inf) < math.inf
