"""Whether a box holds a card, and is exactly at it: what each model tells of it, weighed together.

The weights are fitted to rendered tables (`vision.lab.training.belief`) and kept beside the weights of the models.
"""

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

FACE_EVIDENCE: Final = ("finder", "close", "name", "plane")
BACK_EVIDENCE: Final = ("found", "close", "like", "plane")
TWIN_EVIDENCE: Final = ("twin",)
BOX_EVIDENCE: Final = ("finder", "close", "corners", "agreed", "plane")
SECOND_EVIDENCE: Final = ("place", "inside", "turn", "size", "reading")
BLANK = 0.02
"""Added to the probabilities of names and sides before they are compared: none is ever certain."""
_LEAST = 1e-3
"""Added to the other probabilities that are compared."""


@dataclass(frozen=True)
class Weighed:
    """Evidence of one question, each as natural log-odds: its `weights` and its `means` by name.

    `prior` are the odds where all evidence is as on average. What is not known counts as the average.
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
        return float(1 / (1 + np.exp(-self.odds(evidence))))


@dataclass(frozen=True)
class BeliefTable:
    """How evidence is weighed: for a card's `face` against all else, for its `back` against no card, for what seems a
    face and has a `twin`, so that it is a back, for a `box` that is at one card, as are the corners found in it,
    against all others, and for a `second` box on one card.
    """

    face: Weighed
    back: Weighed
    twin: Weighed
    box: Weighed
    second: Weighed


def face_evidence(
    score: float,
    sides: Float32Array | None,
    name: float,
    none: float,
    off: float | None = None,
) -> dict[str, float]:
    """What tells a face from all else, each as natural log-odds.

    `score` is the finder's (-1..1, a back's below 0), `sides` the close look's probabilities of face, back and no card,
    None where nobody looked closely. `name` and `none` are the identifier's, of the likeliest card and of no card.
    `off` is how far the finder's box is from a card on the table's plane, in standard deviations
    (`vision.reading.plane.hold_to`), None where that is not known: a strip of tape fits no card.
    """
    told = float(np.log((name + BLANK) / (none + BLANK)))
    evidence = {"finder": _log_odds(chance_of_side(score)), "name": told, **_plane_evidence(off)}
    return evidence if sides is None else evidence | {"close": _log_odds(float(sides[0]), BLANK)}


def back_evidence(
    score: float,
    sides: Float32Array | None,
    like: float = 0.0,
    off: float | None = None,
) -> dict[str, float]:
    """What tells a back from no card, where there is no face.

    `score` (0..1) is the finder's for any side, `like` (0..1) how much it looks like another one: all backs are alike.
    The rest is as of `face_evidence`.
    """
    evidence = {"found": _log_odds(score), "like": like**2, **_plane_evidence(off)}
    if sides is None:
        return evidence
    return evidence | {"close": float(np.log((sides[1] + BLANK) / (sides[2] + BLANK)))}


def _plane_evidence(off: float | None) -> dict[str, float]:
    return {} if off is None else {"plane": -float(np.log1p(off**2))}


def twin_evidence(twin: float) -> dict[str, float]:
    """What tells that what seems a face is one of many alike: a pack has each card once, and all its backs are alike.

    `twin` (0..1) is how much it looks and reads like another card. If it looks so, what else seems a face does not
    count: who takes one back for a face takes them all for faces.
    """
    return {"twin": twin**2}


def box_evidence(
    score: float, box_px: Float32Array, look: CloseLook, off: float | None = None
) -> dict[str, float]:
    """What tells that the corners which a close look found in a box are a card's, face up or down.

    `score` (0..1) is the finder's, `box_px` (4, 2) its box: it is exact where a card lies open. `off` is as of
    `face_evidence`, but of these corners.
    """
    evidence = {
        "finder": _log_odds(score),
        "close": -_log_odds(float(look.sides[2])),
        "corners": -float(np.log(look.spread.mean() + _LEAST)),
        "agreed": _log_odds(overlap(box_px, look.corners_px)),
    }
    return evidence | _plane_evidence(off)


def second_evidence(
    one_px: Float32Array, other_px: Float32Array, read: tuple[Float32Array, Float32Array] | None
) -> dict[str, float]:
    """What tells that two boxes (4, 2) px that touch are of one card: how alike their places, shapes and readings are.

    `read` are the probabilities (79,) of both names, that of no card last; None where one of them was not read. A box
    that reads as no card may be on any card.
    """
    areas = [max(float(cv2.contourArea(px)), 1.0) for px in (one_px, other_px)]
    ways = [px[3] - px[0] + px[2] - px[1] for px in (one_px, other_px)]
    across = abs(float(ways[0][0] * ways[1][1] - ways[0][1] * ways[1][0]))
    lengths = max(float(np.linalg.norm(ways[0]) * np.linalg.norm(ways[1])), 1.0)
    evidence = {
        "place": _log_odds(overlap(one_px, other_px), BLANK),
        "inside": _log_odds(max(share_within(one_px, other_px), share_within(other_px, one_px)), BLANK),
        "turn": -float(np.log(across / lengths + BLANK)),
        "size": -abs(float(np.log(areas[0] / areas[1]))),
    }
    if read is None:
        return evidence
    names = read[0][:-1], read[1][:-1]
    alike = float(names[0] @ names[1])
    apart = float(names[0].sum() * names[1].sum()) - alike
    return evidence | {"reading": float(np.log((alike + BLANK) / (apart + BLANK)))}


def _log_odds(chance: float, least: float = _LEAST) -> float:
    return float(np.log((chance + least) / (1 - chance + least)))


def chance_of_side(score: float) -> float:
    """The probability of a side by the finder's `score`, the other side's below 0.

    A back's score of 0.8 leaves a face half of the other 0.2. A weak back, of 0.1, leaves it half of that 0.1.
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
        twin=_weighed(data["twin"], TWIN_EVIDENCE),
        box=_weighed(data["box"], BOX_EVIDENCE),
        second=_weighed(data["second"], SECOND_EVIDENCE),
    )


def _weighed(data: Any, names: Sequence[str]) -> Weighed:
    weights, means = ({name: float(data[part][name]) for name in names} for part in ("weights", "means"))
    return Weighed(float(data["prior"]), weights, means)
