"""Single looks at stationary cards in footage: one frame's reading, and how well the card was in view."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.picture import rectify
from vision.reading.identifier import CLASSES
from vision.watching.sightings import FORGET_S, Sighting, covered_share

CLEAR_LOOK, COVERED_LOOK, POOR_LOOK = "clear", "covered", "blurred_or_glare"
CONDITIONS = (CLEAR_LOOK, COVERED_LOOK, POOR_LOOK)

UNDER = 0.08
"""Share of a card occluded by cards laid later from which it counts as covered."""
STEP = 22.0
"""Change of a colour (0..255) in one of a card's 8 x 8 blocks from which something occludes it."""
HIDDEN_BLOCKS = 2
"""Occluded blocks from which the card counts as covered."""
SOFT = 0.6
"""Sharpness below which a look counts as blurred, as a share of the card's sharpest look."""
WHITE, WHITED = 250, 0.12
"""A pixel is overexposed from WHITE in every colour; a look is in glare from WHITED, the share of such pixels."""


@dataclass(frozen=True)
class Look:
    """One frame's reading of a stationary card at `corners_px` (4, 2): `name` of `CLASSES` with `probability`.

    `under` is the share (0..1) of its rectangle occluded by a card face up laid later. `small` (8, 8, 3) are
    its mean colours, `sharpness` is the spread of its Laplacian, `burnt` the share of its pixels that are
    overexposed. `jpeg` is its picture, if asked for.
    """

    time_s: float
    corners_px: Float32Array
    name: str
    probability: float
    under: float
    small: Float32Array
    sharpness: float
    burnt: float
    jpeg: bytes = b""


def take(
    frame: UInt8Array,
    sighting: Sighting,
    row: Float32Array,
    sightings: Sequence[Sighting],
    time_s: float,
    picture: bool,
) -> Look:
    """The look at `sighting` in `frame` (H, W, 3) at `time_s`; `row` (79,) are the probabilities read.

    `sightings` are all current ones; `picture` asks for the look's JPEG.
    """
    crop = rectify(frame, sighting.corners_px)
    gray = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    best = int(row.argmax())
    return Look(
        time_s, sighting.corners_px, CLASSES[best], float(row[best]), _under(sighting, sightings, time_s),
        cv2.resize(crop, (8, 8), interpolation=cv2.INTER_AREA).astype(np.float32),
        float(cv2.Laplacian(gray, cv2.CV_32F).std()),
        float((crop.min(2) >= WHITE).mean()),
        cv2.imencode(".jpg", crop)[1].tobytes() if picture else b"",
    )  # fmt: skip


def _under(sighting: Sighting, sightings: Sequence[Sighting], time_s: float) -> float:
    later = (
        s for s in sightings
        if s.number != sighting.number and s.face and s.first_s > sighting.first_s and time_s - s.seen_s < FORGET_S
    )  # fmt: skip
    return max((covered_share(sighting, s) for s in later), default=0.0)


def conditions(looks: Sequence[Look]) -> list[str]:
    """How well the card was in view in each of `looks`, all looks at one card in order of time.

    - Covered: occluded by a card laid later, or by a hand or a sleeve. For the latter, its colours are compared
      with the later half of its looks, when the hand that laid it is gone.
    - Otherwise blurred, compared with its own sharpest look, or in glare.
    - Otherwise clear. A card equally blurred or occluded in all looks counts as clear, as nothing shows it.
    """
    if not looks:
        return []
    usual = np.median([look.small for look in looks[len(looks) // 2 :]], axis=0)
    hidden = [look.under >= UNDER or _hidden(look.small - usual) for look in looks]
    sharpest = max((look.sharpness for look, hid in zip(looks, hidden, strict=True) if not hid), default=0.0)
    result = []
    for look, hid in zip(looks, hidden, strict=True):
        poor = look.sharpness < SOFT * sharpest or look.burnt >= WHITED
        result.append(COVERED_LOOK if hid else POOR_LOOK if poor else CLEAR_LOOK)
    return result


def _hidden(change: Float32Array) -> bool:
    # Flicker changes the whole card alike, so the median is subtracted first.
    step = np.abs(change - np.median(change, axis=(0, 1))).max(2)
    return bool((step > STEP).sum() >= HIDDEN_BLOCKS)
