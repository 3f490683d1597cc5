"""Whether a card still lies in its place, is covered, or has left: a small filter on a measure without units.

The measure compares what the place shows now with what it showed with the card, and without it. Its likelihoods
are fitted from films (`vision.bench.places`) and kept beside the weights.
"""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from vision.arrays import Float32Array, Float64Array
from vision.errors import VisionError
from vision.resources import models_dir
from vision.watching.motion import STEP_S, Motion

THERE, COVERED, BARE = range(3)
STATES = ("there", "covered", "bare")
LEFT = 0.98
"""Probability of being bare from which a card has left."""
ALIKE = 0.25
"""How far a place may be from what it showed with its card to show it still, as a share of what the card changed."""
REST_S = 2.0
"""Seconds a place without its card must lie unchanged to be bare, where nobody knows what it looked like before."""


@dataclass(frozen=True)
class PlaceTable:
    """The fitted likelihoods of a place's measure, and how often its state changes.

    `nearer` and `apart` are the inner edges of the bins of the two parts of the measure; `logs` (3, nearer, apart) the
    natural log of the likelihood of each bin in each of `STATES`; `per_s` (3, 3) the changes per second from state
    (row) to state (column).
    """

    nearer: Float64Array
    apart: Float64Array
    logs: Float64Array
    per_s: Float64Array

    def log_likelihoods(self, nearer: float, apart: float) -> Float64Array:
        """(3,) natural logs: how well each state explains a measure."""
        row, column = np.searchsorted(self.nearer, nearer), np.searchsorted(self.apart, apart)
        return np.asarray(self.logs[:, row, column], np.float64)

    def after(self, chances: Float64Array, seconds: float) -> Float64Array:
        """The probabilities (3,) of the states some seconds later, with nothing seen."""
        stays = np.exp(-self.per_s.sum(1) * seconds)
        goes = self.per_s / np.maximum(self.per_s.sum(1, keepdims=True), 1e-9)
        return np.asarray(chances * stays + (chances * (1 - stays)) @ goes, np.float64)


@cache
def place_table(path: Path | None = None) -> PlaceTable:
    """The table in the JSON file `path` (None: the shipped one); raises `VisionError` when it cannot be used."""
    path = path or models_dir() / "places.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        nearer, apart, logs, per_s = (
            np.asarray(data[key], np.float64) for key in ("nearer", "apart", "logs", "per_s")
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise VisionError(f"{path}: not a table of places") from error
    if logs.shape != (len(STATES), len(nearer) + 1, len(apart) + 1) or per_s.shape != (3, 3):
        raise VisionError(f"{path}: the table of places has another shape than it says")
    return PlaceTable(nearer, apart, logs, per_s)


def measure(now: Float32Array, with_card: Float32Array, without: Float32Array) -> tuple[float, float]:
    """What a place shows `now` against what it showed with its card and without it; all three are of one shape.

    The first part says which it is nearer to (0 the card, 1 the bare table); the second how far it is from the nearer
    one, in the distance between the two: something else lies there if that is much. Neither depends on how bright the
    card or the table is.
    """
    to_card = float(np.abs(now - with_card).mean())
    to_bare = float(np.abs(now - without).mean())
    between = float(np.abs(with_card - without).mean())
    return to_card / max(to_card + to_bare, 1e-6), min(to_card, to_bare) / max(between, 1e-6)


@dataclass
class Place:
    """Where a card lies: its corners `home_px` (4, 2), the table's picture `before` it came, what it looked like.

    `chances` (3,) are the probabilities of `STATES`; `bare_s` is since when it is rather bare than not, in s.
    """

    home_px: Float32Array
    before: Float32Array | None
    look: Float32Array | None = None
    chances: Float64Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))
    bare_s: float | None = None
    _at_s: float | None = None

    @property
    def left(self) -> bool:
        """Whether the card has left."""
        return float(self.chances[BARE]) > LEFT

    def found(self, motion: Motion, corners_px: Float32Array, still: bool, time_s: float) -> None:
        """The card is found in this frame, at `corners_px`; where it lies `still`, that is its place's new look."""
        self.chances, self.bare_s, self._at_s = np.array([1.0, 0.0, 0.0]), None, time_s
        if self.look is None or still:
            self.home_px = corners_px
            self.look = motion.place(motion.picture, corners_px)

    def missed(self, motion: Motion, time_s: float) -> None:
        """The card is not found in this frame: take in what its place shows."""
        if self.look is None or self.left:
            return
        seconds = 0.0 if self._at_s is None else time_s - self._at_s
        self._at_s = time_s
        table = place_table()
        seen = self.measure(motion)
        if seen is not None:
            # Frames that follow one another at once tell the same thing again.
            logs = table.log_likelihoods(*seen) * min(1.0, seconds / STEP_S)
        else:
            logs = self._without_before(motion)
        chances = table.after(self.chances, seconds) * np.exp(logs - logs.max())
        self.chances = chances / chances.sum()
        if self.chances[BARE] < 0.5:
            self.bare_s = None
        elif self.bare_s is None:
            self.bare_s = time_s if seen is not None else time_s - REST_S

    def measure(self, motion: Motion) -> tuple[float, float] | None:
        """The measure of what it shows now; None where nobody knows what it looked like before."""
        if self.look is None or self.before is None:
            return None
        now = motion.place(motion.picture, self.home_px)
        bare = (motion.place(picture, self.home_px) for picture in (self.before, motion.bare_table))
        seen = [measure(now, self.look, without) for without in bare]
        return max(seen, key=lambda nearer_apart: nearer_apart[0] - nearer_apart[1])

    def _without_before(self, motion: Motion) -> Float64Array:
        """Log-likelihoods (3,) where nobody knows the bare place: nothing covers what stays unchanged for long."""
        if self.shows_card(motion):
            return np.log([0.9, 0.09, 0.01])
        return np.log([0.001, 0.01, 0.99] if motion.rests(self.home_px, REST_S) else [0.05, 0.9, 0.05])

    def shows_card(self, motion: Motion) -> bool:
        """Whether it looks now as it did with its card."""
        if self.look is None:
            return False
        now = motion.place(motion.picture, self.home_px)
        if self.before is None:
            without = np.full_like(self.look, np.median(motion.picture))
        else:
            without = motion.place(self.before, self.home_px)
        nearer, apart = measure(now, self.look, without)
        return nearer < 0.5 and apart < ALIKE
