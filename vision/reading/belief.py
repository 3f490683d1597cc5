"""Whether a box holds a card, and goes exactly round it: the evidence of all models, weighed together.

How the evidence is weighed is fitted to rendered tables (`vision.lab.training.belief`) and kept beside the models.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.arrays import Float32Array
from vision.picture import overlap, share_within
from vision.reading.corners import CloseLook
from vision.resources import models_dir, read_table

FACE_EVIDENCE: Final = ("finder", "close", "name", "plane", "twin")
BACK_EVIDENCE: Final = ("found", "close", "like", "plane")
BOX_EVIDENCE: Final = ("finder", "close", "corners", "agreed", "plane")
SECOND_EVIDENCE: Final = ("place", "inside", "turn", "size", "reading")
BLANK = 0.02
"""Added to the probabilities of names and sides before their logarithm is taken: no name is ever certain."""
_LEAST = 1e-3
"""Added to other probabilities before their logarithm is taken."""
_MOST_ODDS = 700.0
"""The most natural log-odds against an answer: `math.exp` can take no more."""


@dataclass(frozen=True)
class Weighed:
    """How the evidence on one question is weighed: `weights` and `means` by its name, in natural log-odds.

    `prior` are the log-odds where all evidence is average. Evidence that is missing counts as average.
    """

    prior: float
    weights: Mapping[str, float]
    means: Mapping[str, float]

    def odds(self, evidence: Mapping[str, float]) -> float:
        """The natural log-odds that the answer is yes."""
        return self.prior + sum(
            self.weights[name] * (told - self.means[name]) for name, told in evidence.items()
        )

    def chance(self, evidence: Mapping[str, float]) -> float:
        """The probability that the answer is yes."""
        return 1 / (1 + math.exp(min(-self.odds(evidence), _MOST_ODDS)))


@dataclass(frozen=True)
class BeliefTable:
    """How the evidence on each question is weighed.

    - `face`: is this a card's face, and nothing else?
    - `back`: if not, is it a back, and not no card?
    - `box`: do the corners that were found in a box go round one card?
    - `second`: are two boxes of one card?
    """

    face: Weighed
    back: Weighed
    box: Weighed
    second: Weighed


def face_evidence(
    score: float,
    sides: Float32Array | None,
    name: float,
    none: float,
    off: float | None = None,
    twin: float = 0.0,
) -> dict[str, float]:
    """The evidence for a face against all else.

    `score` is the finder's (-1..1, a back's below 0). `sides` (3,) are the close look's probabilities of face, back and
    no card; None without a close look. `name` and `none` are the identifier's probabilities of the likeliest card and
    of no card. `off` is how far the finder's box is from a card on the table's plane, in standard deviations
    (`vision.reading.plane.hold_to`); None while the plane is unknown. `twin` (0..1) is how much it looks and reads like
    another card: a pack has each card once, but all its backs are alike.
    """
    told = math.log((name + BLANK) / (none + BLANK))
    finder = _log_odds(chance_of_side(score))
    evidence = {"finder": finder, "name": told, "twin": twin**2, **_plane_evidence(off)}
    return evidence if sides is None else evidence | {"close": _log_odds(float(sides[0]), BLANK)}


def back_evidence(
    score: float, sides: Float32Array | None, like: float = 0.0, off: float | None = None
) -> dict[str, float]:
    """The evidence for a back against no card, where there is no face.

    `score` (0..1) is the finder's for either side. `like` (0..1) is how much the card looks like another one, since
    all backs are alike. `sides` and `off` are as in `face_evidence`.
    """
    evidence = {"found": _log_odds(score), "like": like**2, **_plane_evidence(off)}
    if sides is None:
        return evidence
    return evidence | {"close": math.log((float(sides[1]) + BLANK) / (float(sides[2]) + BLANK))}


def _plane_evidence(off: float | None) -> dict[str, float]:
    return {} if off is None else {"plane": -math.log1p(off**2)}


def box_evidence(
    score: float, box_px: Float32Array, look: CloseLook, off: float | None = None
) -> dict[str, float]:
    """The evidence that the corners which a close look found in a box are those of a card, face up or down.

    `score` (0..1) is the finder's, and `box_px` (4, 2) its box. `off` is how far the corners are from a card on the
    table's plane, in standard deviations; None while the plane is unknown.
    """
    evidence = {
        "finder": _log_odds(score),
        "close": -_log_odds(float(look.sides[2])),
        "corners": -math.log(float(look.spread.mean()) + _LEAST),
        "agreed": _log_odds(overlap(box_px, look.corners_px)),
    }
    return evidence | _plane_evidence(off)


def second_evidence(
    one_px: Float32Array, other_px: Float32Array, read: tuple[Float32Array, Float32Array] | None
) -> dict[str, float]:
    """The evidence that two boxes (4, 2) px that touch are of one card: how alike places, shapes and readings are.

    `read` has the probabilities (79,) of the names of both, that of no card last; None if one of them was not read.
    A box that reads as no card may be on any card.
    """
    areas = [max(float(cv2.contourArea(px)), 1.0) for px in (one_px, other_px)]
    ways = [px[3] - px[0] + px[2] - px[1] for px in (one_px, other_px)]
    across = abs(float(ways[0][0] * ways[1][1] - ways[0][1] * ways[1][0]))
    lengths = max(float(np.linalg.norm(ways[0]) * np.linalg.norm(ways[1])), 1.0)
    evidence = {
        "place": _log_odds(overlap(one_px, other_px), BLANK),
        "inside": _log_odds(max(share_within(one_px, other_px), share_within(other_px, one_px)), BLANK),
        "turn": -math.log(across / lengths + BLANK),
        "size": -abs(math.log(areas[0] / areas[1])),
    }
    if read is None:
        return evidence
    names = read[0][:-1], read[1][:-1]
    alike = float(names[0] @ names[1])
    apart = float(names[0].sum() * names[1].sum()) - alike
    return evidence | {"reading": math.log((alike + BLANK) / (apart + BLANK))}


def _log_odds(chance: float, least: float = _LEAST) -> float:
    return math.log((chance + least) / (1 - chance + least))


def chance_of_side(score: float) -> float:
    """The probability of a side, by a `score` of the finder (-1..1) that is below 0 for the other side.

    A back's score of 0.8 leaves half of the remaining 0.2 to a face. A weak back's score of 0.1 leaves half of itself.
    """
    return score if score >= 0 else min(-score, 1 + score) / 2


@cache
def belief_table(path: Path | None = None) -> BeliefTable:
    """The table in the JSON file `path` (None: the shipped one); raises `VisionError` when it cannot be used."""
    return read_table(path or models_dir() / "belief.json", "evidence for cards", _belief_table)


def _belief_table(data: Any) -> BeliefTable:
    return BeliefTable(
        face=_weighed(data["face"], FACE_EVIDENCE),
        back=_weighed(data["back"], BACK_EVIDENCE),
        box=_weighed(data["box"], BOX_EVIDENCE),
        second=_weighed(data["second"], SECOND_EVIDENCE),
    )


def _weighed(data: Any, names: Sequence[str]) -> Weighed:
    weights, means = ({name: float(data[part][name]) for name in names} for part in ("weights", "means"))
    return Weighed(float(data["prior"]), weights, means)
