"""How probable it is that a stationary sighting is a whole card, a part of cards, or another thing.

Each kind scores the sum of a log-likelihood for each measure. The tables are fitted to films with truth
(`vision.training.plays`) and kept beside the weights.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Float64Array
from vision.errors import VisionError
from vision.resources import models_dir
from vision.watching.sightings import Sighting, covered_share

THING_KINDS = ("card", "part", "thing")
"""A whole card that was laid; a false positive on cards (a part, across several, a second box); anything else."""
CARD, PART, THING = range(len(THING_KINDS))


@dataclass(frozen=True)
class Measured:
    """What is measured of a stationary sighting; None is not known, and tells nothing. Logs are natural.

    - `score`: the finder's best score.
    - `size`: log of its size over the cards' size.
    - `shape`: log of its long side over its short side.
    - `inside`: the largest share (0..1) of it that lies in a larger box.
    - `beaten`: the largest share (0..1) of it that lies in a box with a better score.
    - `own`: the share (0..1) of it that changed when it came and lies in no other card.
    - `name`, `none`: log-odds of its likeliest name, and of no card.
    - `face`: log-odds of a face against a back.
    - `like`: the share (0..1) of the votes that go to the booked cards on which it lies.
    - `came`: 1 if it came there, 0 if the place looked the same before.
    """

    score: float | None = None
    size: float | None = None
    shape: float | None = None
    inside: float | None = None
    beaten: float | None = None
    own: float | None = None
    name: float | None = None
    none: float | None = None
    face: float | None = None
    like: float | None = None
    came: float | None = None


RATHER = 0.5
"""Probability from which a sighting is more likely a card than not, and is at least asked about."""
ON_IT = 0.25
"""Intersection over union from which a box lies on a card."""
KNOWN = 3
"""Booked cards needed for their size to be known."""
LARGER = 1.25
"""Ratio of areas from which one box counts as larger than another."""
_LEAST = 1e-5


class Surroundings:
    """A sighting and the others found in the same frame."""

    def __init__(self, sighting: Sighting, found: Sequence[Sighting]):
        self._sighting = sighting
        area = side_px(sighting) ** 2
        self._shares = [
            (covered_share(sighting, s), side_px(s) ** 2 / area, s) for s in found if s is not sighting
        ]

    @property
    def better(self) -> list[Sighting]:
        """The faces with a better score that are not smaller: a box on a part of a card does not occlude it."""
        least = self._sighting.best_score
        return [s for _, size, s in self._shares if s.face and s.best_score > least and size * LARGER > 1]

    def measured(self, card_px: float | None, own: float | None, like: float) -> "Measured":
        """The measures, but for `came`; `card_px` is the size of the cards. It and `own` are None if unknown."""
        sighting = self._sighting
        chances = sighting.probabilities()
        long, short = _sides_px(sighting)
        return Measured(
            score=sighting.best_score,
            size=None if card_px is None else float(np.log(side_px(sighting) / card_px)),
            shape=float(np.log(long / short)),
            inside=max((share for share, size, _ in self._shares if size > LARGER), default=0.0),
            beaten=max((covered_share(sighting, s) for s in self.better), default=0.0),
            own=own,
            name=_log_odds(float(chances[:-1].max())),
            none=_log_odds(float(chances[-1])),
            face=sighting.side_odds,
            like=like,
        )


def card_size(booked_px: Sequence[float], at_rest: Sequence[Sighting]) -> float | None:
    """The size (`side_px`) of the cards on the table; None where it is not known.

    It is the median of the cards lately booked. While these are few, it is the median of the sightings at rest
    that are not part of a larger one.
    """
    if len(booked_px) >= KNOWN:
        return float(np.median(booked_px))
    whole = [
        side_px(s)
        for s in at_rest
        if not any(
            covered_share(s, other) > 0.5 and side_px(other) > side_px(s)
            for other in at_rest
            if other is not s
        )
    ]
    return float(np.median(whole)) if whole else None


def side_px(sighting: Sighting) -> float:
    """The square root of a sighting's area, in px: foreshortening changes it less than the height."""
    return float(np.sqrt(max(cv2.contourArea(sighting.corners_px), 1.0)))


def _sides_px(sighting: Sighting) -> tuple[float, float]:
    corners = sighting.corners_px
    one = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3]))
    other = float(np.linalg.norm(corners[2] - corners[1]) + np.linalg.norm(corners[3] - corners[0]))
    return max(one, other, 1.0), max(min(one, other), 1.0)


def _log_odds(chance: float) -> float:
    return float(np.log((chance + _LEAST) / (1 - chance + _LEAST)))


TERMS = tuple(field.name for field in fields(Measured))


@dataclass(frozen=True)
class PlayTable:
    """The fitted log-likelihoods: for each term the inner `edges` of its bins, and `logs` (3, bins)."""

    prior: Float64Array
    edges: Mapping[str, Float64Array]
    logs: Mapping[str, Float64Array]

    def terms(self, measured: Measured) -> dict[str, Float64Array]:
        """The log-likelihoods (3,) of `THING_KINDS` for each known measure; natural logs."""
        found = {}
        for name in TERMS:
            value = getattr(measured, name)
            if value is not None:
                found[name] = self.logs[name][:, int(np.searchsorted(self.edges[name], value))]
        return found

    def weigh(self, measured: Measured) -> Float64Array:
        """The probabilities (3,) of `THING_KINDS`."""
        total = self.prior + np.sum(list(self.terms(measured).values()), axis=0)
        chances = np.exp(total - total.max())
        return np.asarray(chances / chances.sum(), np.float64)


@cache
def play_table(path: Path | None = None) -> PlayTable:
    """The table in the JSON file `path` (None: the shipped one); raises `VisionError` when it cannot be used."""
    path = path or models_dir() / "plays.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        prior = np.asarray(data["prior"], np.float64)
        edges = {name: np.asarray(data["terms"][name]["edges"], np.float64) for name in TERMS}
        logs = {name: np.asarray(data["terms"][name]["logs"], np.float64) for name in TERMS}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise VisionError(f"{path}: not a table of plays") from error
    if any(logs[name].shape != (len(THING_KINDS), len(edges[name]) + 1) for name in TERMS) or len(
        prior
    ) != len(THING_KINDS):
        raise VisionError(f"{path}: the table of plays has another shape than it says")
    return PlayTable(prior, edges, logs)
