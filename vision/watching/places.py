"""Whether a card still lies in its place, is covered, or has left: a small Bayes filter.

It compares what the place shows now with what it showed with the card and without it. The likelihoods are fitted to
films (`vision.lab.training.places`) and kept beside the weights.
"""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Float32Array, Float64Array
from vision.resources import models_dir, read_table
from vision.watching.motion import STEP_S, Motion

THERE, COVERED, BARE = range(3)
STATES = ("there", "covered", "bare")
LEFT = 0.98
"""Probability of a bare place from which its card counts as having left."""
REST_S = 2.0
"""Where the bare place was never seen: seconds that a changed place must stay the same to count as bare."""


@dataclass(frozen=True)
class PlaceTable:
    """The fitted likelihoods of a place's measure, and how often its state changes.

    `nearer` and `apart` are the inner edges of the bins of the two parts of the measure (see `compare_places`).
    `logs` (3, nearer bins, apart bins) has the natural log-likelihood of each bin in each of `STATES`. `per_s` (3, 3)
    has the rate of changes, per second, from state (row) to state (column).
    """

    nearer: Float64Array
    apart: Float64Array
    logs: Float64Array
    per_s: Float64Array

    def log_likelihoods(self, nearer: float, apart: float) -> Float64Array:
        """The natural log-likelihoods (3,) of the states, given both parts of the measure."""
        row, column = np.searchsorted(self.nearer, nearer), np.searchsorted(self.apart, apart)
        return np.asarray(self.logs[:, row, column], np.float64)

    def after(self, chances: Float64Array, seconds: float) -> Float64Array:
        """The probabilities (3,) of the states `seconds` after `chances` (3,), with nothing measured in between."""
        stays = np.exp(-self.per_s.sum(1) * seconds)
        goes = self.per_s / np.maximum(self.per_s.sum(1, keepdims=True), 1e-9)
        return np.asarray(chances * stays + (chances * (1 - stays)) @ goes, np.float64)


@cache
def place_table(path: Path | None = None) -> PlaceTable:
    """The table in the JSON file `path` (None: the shipped one); raises `VisionError` when it cannot be used."""
    return read_table(path or models_dir() / "places.json", "places", _place_table)


def _place_table(data: Any) -> PlaceTable:
    nearer, apart, logs, per_s = (
        np.asarray(data[key], np.float64) for key in ("nearer", "apart", "logs", "per_s")
    )
    if logs.shape != (len(STATES), len(nearer) + 1, len(apart) + 1) or per_s.shape != (3, 3):
        raise ValueError("another shape than the table says")
    return PlaceTable(nearer, apart, logs, per_s)


def compare_places(
    motion: Motion, now: Float32Array, with_card: Float32Array, without: Float32Array
) -> tuple[float, float]:
    """Compare what a place shows `now` with what it showed with its card and without it; all pictures of one shape.

    Returns the measure (nearer, apart), without unit. `nearer` says what `now` is nearer to: 0 the card, 1 the bare
    table. `apart` is its distance to the nearer one, in units of the distance between the two: it is large where
    something else lies there. Neither depends on the brightness of the card or the table, or on the noise that `motion`
    measured.
    """
    to_card, to_bare = motion.distance(now, with_card), motion.distance(now, without)
    between = motion.distance(with_card, without)
    return to_card / max(to_card + to_bare, 1e-6), min(to_card, to_bare) / max(between, 1e-6)


@dataclass
class Place:
    """Where a card lies.

    `home_px` (4, 2) are its corners. `before` is the picture of the table before the card came, `look` that of the
    place with the card. `chances` (3,) are the probabilities of `STATES`. `bare_s` is the time in s from which on the
    place is likelier bare than not.
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
        """Take in that the card is found at `corners_px`. If it lies `still`, the place's look is updated."""
        self.chances, self.bare_s, self._at_s = np.array([1.0, 0.0, 0.0]), None, time_s
        if self.look is None or still:
            self.home_px = corners_px
            self.look = motion.place(motion.picture, corners_px)

    def missed(self, motion: Motion, time_s: float) -> None:
        """Take in what the place shows in a frame in which the card is not found."""
        if self.look is None or self.left:
            return
        seconds = 0.0 if self._at_s is None else time_s - self._at_s
        self._at_s = time_s
        table = place_table()
        if self.before is not None:
            # Frames in quick succession are not independent, so each counts less.
            logs = self._log_likelihoods(motion) * min(1.0, seconds / STEP_S)
        else:
            logs = self._without_before(motion)
        chances = table.after(self.chances, seconds) * np.exp(logs - logs.max())
        self.chances = chances / chances.sum()
        if self.chances[BARE] < 0.5:
            self.bare_s = None
        elif self.bare_s is None:
            self.bare_s = time_s if self.before is not None else time_s - REST_S

    def measured(self, motion: Motion, look: Float32Array) -> tuple[float, float]:
        """The measure of the place now (see `compare_places`). `look` is the place with its card.

        Where the bare place was never seen, a plain grey as bright as most of the table stands for it.
        """
        now = motion.place(motion.picture, self.home_px)
        if self.before is None:
            return compare_places(motion, now, look, np.full_like(look, np.median(motion.picture)))
        bare = (motion.place(picture, self.home_px) for picture in (self.before, motion.bare_table))
        seen = [compare_places(motion, now, look, without) for without in bare]
        return max(seen, key=lambda nearer_apart: nearer_apart[0] - nearer_apart[1])

    def _log_likelihoods(self, motion: Motion) -> Float64Array:
        """The log-likelihoods (3,) of what the place shows now; all 0 if the card was never seen there."""
        if self.look is None:
            return np.zeros(len(STATES))
        return place_table().log_likelihoods(*self.measured(motion, self.look))

    def _without_before(self, motion: Motion) -> Float64Array:
        """Log-likelihoods (3,) where the bare place was never seen: what stays the same for long is no cover."""
        if self.shows_card(motion):
            return np.log([0.9, 0.09, 0.01])
        return np.log([0.001, 0.01, 0.99] if motion.rests(self.home_px, REST_S) else [0.05, 0.9, 0.05])

    def shows_card(self, motion: Motion) -> bool:
        """Whether the place looks as it did with its card."""
        return self.look is not None and int(self._log_likelihoods(motion).argmax()) == THERE
