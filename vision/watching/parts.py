"""Whether a sighting is a card of its own, a box across other cards, or a thing of another size."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float32Array
from vision.decks import CARD_MM
from vision.watching.explanations import Seen
from vision.watching.motion import Motion
from vision.watching.sightings import CLEAR, Sighting, covered_share

OTHER_SIZE = 1.4
"""A thing that is so many times as long or as short as a card is no card: two cards side by side, or half of one."""
ACROSS = 1 / 3
"""Share of a sighting within another card from which it may be a box across cards."""
OWN = 0.2
"""Share of its rectangle that a card of its own shows: it has changed, and no other card lies there."""


@dataclass
class _Part:
    """How a sighting lies among the others.

    `before` is the picture of the table before it came. `own` is the share of it that has changed since, outside all
    other cards. `shared` is the greatest share of it that ever lay within another card.
    """

    before: Float32Array | None
    own: float = 0.0
    shared: float = 0.0


class Parts:
    """How the sightings that are not booked yet lie among the others, and whether they are as large as a card.

    `card_px` is the height of the cards in the frame, 0 while it is unknown.
    """

    def __init__(self, motion: Motion):
        self._motion = motion
        self._parts: dict[int, _Part] = {}
        self.card_px = 0.0

    def measure(self, sighting: Sighting, seen: Sequence[Sighting], booked: Set[int]) -> None:
        """Measure a sighting among those `seen` in this frame, of which some are `booked`."""
        part = self._parts.get(sighting.number)
        if part is None:
            before = self._motion.before(sighting.corners_px, sighting.first_s)
            part = self._parts[sighting.number] = _Part(before)
        part.shared = max(part.shared, greatest_share(sighting, seen, booked))
        others_px = [other.corners_px for other in _other_cards(sighting, seen, booked)]
        part.own = self._motion.own_share(sighting.corners_px, others_px, part.before)

    def keep(self, followed: Set[int]) -> None:
        """Forget the sightings that are no longer followed."""
        self._parts = {number: part for number, part in self._parts.items() if number in followed}

    def is_of_other_size(self, seen: Seen) -> bool:
        """Whether it is much larger or smaller than a card, and no clear and sure card: the plane may be wrong.

        Until the plane is known, `card_px` tells only roughly how large a card is: every clear find counts then.
        """
        sighting = seen.sighting
        if sighting.best_score >= CLEAR and (sighting.size is None or sighting.is_sure()):
            return False
        return not 1 / OTHER_SIZE < self._size(sighting) < OTHER_SIZE

    def _size(self, sighting: Sighting) -> float:
        """How long it is, in lengths of a card; 1 while nothing tells how long a card is."""
        if sighting.size is not None:
            return sighting.size
        if not self.card_px:
            return 1.0
        # By the area, because foreshortening changes the height more.
        area = max(cv2.contourArea(sighting.corners_px), 1.0) * CARD_MM[1] / CARD_MM[0]
        return float(np.sqrt(area)) / self.card_px

    def is_across(self, seen: Seen) -> bool:
        """Whether it lies across other cards, and is no clear and sure card: a card just laid lies on top of others."""
        part = self._parts.get(seen.sighting.number, _Part(None))
        return part.shared > ACROSS and not (seen.likely.sure and seen.sighting.best_score >= CLEAR)

    def shows_itself(self, sighting: Sighting) -> bool:
        """Whether it shows enough of its own, outside the other cards."""
        part = self._parts.get(sighting.number, _Part(None))
        return part.own >= OWN


def greatest_share(sighting: Sighting, sightings: Sequence[Sighting], booked: Set[int]) -> float:
    """The greatest share (0..1) of a sighting's rectangle that lies within another card face up."""
    others = _other_cards(sighting, sightings, booked)
    return max((covered_share(sighting, other) for other in others), default=0.0)


def _other_cards(sighting: Sighting, sightings: Sequence[Sighting], booked: Set[int]) -> list[Sighting]:
    """The other cards face up that are `booked` or found more clearly. Other boxes may be parts of this card."""
    return [
        other
        for other in sightings
        if other is not sighting
        and (other.number in booked or other.best_score > sighting.best_score)
        and other.face
    ]
