"""Whether a sighting is a card of its own, or a box across other cards, or a thing of another size."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float32Array
from vision.decks import CARD_MM
from vision.watching.explanations import HINT, Seen
from vision.watching.motion import Motion
from vision.watching.sightings import CLEAR, FAINT, PATIENCE_S, Sighting, covered_share

WHOLE = 0.75
"""Score of the finder from which a card lying across others is asked about though its name is unsure."""
OTHER_SIZE = 1.6
"""How many times as long or as short as a card a thing must be to be none, unless clearly found."""
LATE_S = 3.0
"""Seconds after which a card that is badly found, as one half under others is, is asked about."""
OWN = 0.2
"""Share of its rectangle that such a card must show, where no other card lies and the cloth was seen before."""


@dataclass
class _Part:
    """A sighting among the others.

    `before` is the table before it came. `own` is the share of it in view that no other card shows, `shared` the
    greatest share of it that ever lay in another. `second_best` means that most of it lay in one found more clearly.
    """

    before: Float32Array | None
    own: float = 0.0
    shared: float = 0.0
    second_best: bool = False


class Parts:
    """How the sightings that are not booked lie among the others, and whether they are as large as a card.

    `card_px` is the height of the cards in the frame, 0 while it is unknown.
    """

    def __init__(self, motion: Motion):
        self._motion = motion
        self._parts: dict[int, _Part] = {}
        self.card_px = 0.0

    def measure(
        self, sighting: Sighting, seen: Sequence[Sighting], booked: Set[int], homes_px: Iterable[Float32Array]
    ) -> None:
        """Measure a sighting among those `seen` in this frame, and the `booked` cards and their places."""
        part = self._parts.get(sighting.number)
        if part is None:
            before = self._motion.before(sighting.corners_px, sighting.first_s)
            part = self._parts[sighting.number] = _Part(before)
        part.shared = max(part.shared, greatest_share(sighting, seen, booked))
        better = [s for s in seen if s.best_score > sighting.best_score]
        part.second_best |= any(covered_share(sighting, other) > 0.5 for other in better)
        others = [*(other.corners_px for other in better if other.face), *homes_px]
        part.own = self._motion.own_share(sighting.corners_px, others, part.before)

    def keep(self, followed: Set[int]) -> None:
        """Forget the sightings that are no longer followed."""
        self._parts = {number: part for number, part in self._parts.items() if number in followed}

    def left_others_behind(self, sighting: Sighting) -> None:
        """A sighting is gone while the trick stays, so nothing shows any more that it was a card of its own."""
        if sighting.number in self._parts:
            self._parts[sighting.number].own = 0.0

    def is_of_other_size(self, sighting: Sighting) -> bool:
        """Whether it is much larger or smaller than a card, and not clearly found."""
        if not self.card_px or sighting.best_score >= WHOLE:
            return False
        # By the area, since foreshortening changes it less than the height.
        area = max(cv2.contourArea(sighting.corners_px), 1.0) * CARD_MM[1] / CARD_MM[0]
        return not 1 / OTHER_SIZE < float(np.sqrt(area)) / self.card_px < OTHER_SIZE

    def is_late(self, seen: Seen) -> bool:
        """Whether what is badly found is a card all the same: it lay there long, and shows what no other does."""
        least_s = PATIENCE_S if seen.leaving else LATE_S
        sighting, part = seen.sighting, self._parts.get(seen.sighting.number)
        return (
            bool(seen.expectation.trick)
            and part is not None
            and part.own >= OWN
            and max(sighting.lay_s, sighting.still_for(seen.time_s)) >= least_s
            and sighting.best_score >= FAINT
            and float(sighting.probabilities()[: len(CARDS)].max()) >= HINT
        )

    def is_badly_found(self, seen: Seen, untaken: bool) -> bool:
        """Whether it may be half of one card and half of another found as a third, or is hardly found at all.

        `untaken` means that cards of a whole trick still lie there.
        """
        sighting, hint = seen.sighting, float(seen.votes.max())
        part = self._parts.get(sighting.number, _Part(None))
        shared = greatest_share(sighting, seen.sightings, {other.number for other in seen.here.values()})
        if seen.leaving:  # what it lay across may have left before it
            shared = max(shared, part.shared)
        whole = WHOLE if part.second_best else CLEAR
        faint = sighting.best_score < FAINT
        halves = shared > (0.15 if faint else 0.35) and sighting.best_score < whole
        poor = sighting.best_score < (WHOLE if shared > 0.4 else CLEAR if hint < HINT else FAINT)
        # Nobody leads onto a trick that still lies there: what cannot be named is a part of its cards.
        of_trick = shared > 0.35 and not seen.expectation.trick and (untaken or seen.leaving)
        return halves or (not seen.likely.sure and (of_trick or poor))


def greatest_share(sighting: Sighting, sightings: Sequence[Sighting], booked: Set[int]) -> float:
    """The greatest share (0..1) of a sighting's rectangle that lies in that of another card face up.

    Only a card that is `booked`, or found more clearly, counts: a box on a part of this card is none.
    """
    others = (s for s in sightings if s.number in booked or s.best_score > sighting.best_score)
    return max((covered_share(sighting, s) for s in others if s.face and s is not sighting), default=0.0)
