"""Fitting the likelihoods of places (`vision.watching.places`) to recordings.

Of a recording's truth only the seats are needed: the states are labelled in hindsight. A place shows its card while
the finder finds the card there. It is bare from the time the trick is gone until the next card. Whatever moves in the
picture gives samples of what a covered place looks like.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.picture import overlap
from vision.watching.eyes import Eyes
from vision.watching.motion import Motion
from vision.watching.places import BARE, COVERED, STATES, THERE, Place, compare_places

NEARER = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
APART = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.9)
"""Inner bin edges of a measure's two parts."""
PER_S = ((0.0, 0.5, 0.05), (0.5, 0.0, 0.5), (0.001, 0.001, 0.0))
"""Transition rates per s from each state to each. A card stays covered for about 1 s, and is mostly swept then."""
AFTER_S, UNTIL_S = 1.2, 6.0
"""A place is labelled bare from `AFTER_S` to `UNTIL_S` after its card was last found, in s."""
COVERS = 0.5
"""Share of a place that must differ from the empty table for it to count as covered."""
RARE = 0.1
"""Added to each bin's count: what the films do not show is still possible."""
SPREAD = 0.02
"""Share of each state's likelihood that is spread over all bins, since labels are sometimes wrong."""


class PlaceSamples:
    """The measures of places by state, collected while a film is watched."""

    def __init__(self) -> None:
        self.measures: tuple[list[tuple[float, float]], ...] = tuple([] for _ in STATES)
        self._last: dict[int, tuple[Place, float]] = {}
        self._rng = np.random.default_rng(0)  # chooses what covers them

    def note(self, eyes: Eyes, time_s: float) -> None:
        """Collect the places of booked cards, just after `eyes` looked at the frame of `time_s`."""
        motion = eyes.reader.motion
        for sighting, place in eyes.reader.places():
            if not sighting.found or place.look is None or place.before is None:
                continue
            known, _ = self._last.get(sighting.number, (place, 0.0))
            if known is place or not np.array_equal(known.home_px, place.home_px):
                # A copy: a place renews its look as long as its card is found.
                known = replace(place)
            else:
                self._add(THERE, motion, known)
                self._covered(motion, known)
            self._last[sighting.number] = known, time_s
        found = [s.corners_px for s in eyes.tracker.sightings if s.found]
        for number, (place, found_s) in list(self._last.items()):
            gone_s = time_s - found_s
            if gone_s > UNTIL_S or (gone_s > 0 and any(overlap(px, place.home_px) > 0 for px in found)):
                del self._last[number]
            elif gone_s > AFTER_S:
                self._add(BARE, motion, place)

    def _add(self, state: int, motion: Motion, place: Place) -> None:
        if place.look is not None:
            self.measures[state].append(place.measured(motion, place.look))

    def _covered(self, motion: Motion, place: Place) -> None:
        """Collect what the place would look like if something that moves now covered it."""
        moving = motion.moving()
        if len(moving) == 0 or place.look is None or place.before is None:
            return
        at = moving[self._rng.integers(len(moving))]
        shifted = place.home_px + np.asarray(at - place.home_px.mean(0), np.float32)
        if motion.own_share(shifted, (), None) < COVERS:
            return  # mostly bare cloth beside the edge of something
        now = motion.place(motion.picture, shifted)
        self.measures[COVERED].append(
            compare_places(motion, now, place.look, motion.place(place.before, place.home_px))
        )


def fit_places(samples: Sequence[PlaceSamples]) -> Mapping[str, object]:
    """The table of likelihoods fitted to `samples`, as `vision.watching.places.place_table` reads it."""
    shape = (len(NEARER) + 1, len(APART) + 1)
    counts = np.full((len(STATES), *shape), RARE, np.float64)
    for sample in samples:
        for state, measures in enumerate(sample.measures):
            for nearer, apart in measures:
                counts[state, np.searchsorted(NEARER, nearer), np.searchsorted(APART, apart)] += 1
    # Smoothed: with another camera's noise samples fall into neighbouring bins.
    counts = np.stack([cv2.GaussianBlur(count, (5, 5), 0.7) for count in counts])
    shares = counts / counts.sum((1, 2), keepdims=True)
    shares = (1 - SPREAD) * shares + SPREAD / np.prod(shape)
    return {
        "samples": [int(sum(len(s.measures[state]) for s in samples)) for state in range(len(STATES))],
        "nearer": list(NEARER), "apart": list(APART),
        "logs": np.log(shares).round(3).tolist(), "per_s": [list(row) for row in PER_S],
    }  # fmt: skip
