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
"""A card counts as covered if cards laid later occlude at least this share of it."""
STEP = 22.0
"""One of a card's 8 x 8 blocks counts as occluded if a colour (0..255) changes by more than this."""
HIDDEN_BLOCKS = 2
"""A card counts as covered if at least this many of its blocks are occluded."""
SOFT = 0.6
"""A look counts as blurred if its sharpness is below this share of the card's sharpest look."""
WHITE, WHITED = 250, 0.12
"""A pixel is overexposed from `WHITE` in every channel. A look is in glare from a share `WHITED` of such pixels."""


@dataclass(frozen=True)
class Look:
    """One frame's reading of a stationary card at `corners_px` (4, 2): `name` of `CLASSES` with `probability`.

    `under` is the share (0..1) of the card that a face laid later occludes. `small` (8, 8, 3) float32 has the mean
    colours (BGR, 0..255) of its blocks. `sharpness` is the standard deviation of its Laplacian, `burnt` its share of
    overexposed pixels. `jpeg` is its picture, empty if not asked for.
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
    """The look at `sighting` in `frame` (H, W, 3) uint8 BGR at `time_s`; `row` (79,) has the probabilities read.

    `sightings` are all current ones; with `picture` the look has its JPEG.
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
        if s.number != sighting.number and s.first_s > sighting.first_s and time_s - s.seen_s < FORGET_S and s.face
    )  # fmt: skip
    return max((covered_share(sighting, s) for s in later), default=0.0)


def conditions(looks: Sequence[Look]) -> list[str]:
    """How well the card was in view in each of `looks`, which are all looks at one card in order of time.

    - Covered: occluded by a card laid later, or by a hand or sleeve. A hand changes colours against the median of
      the later half of the looks, when the hand that laid the card is gone.
    - Otherwise poor: blurred against the card's sharpest look, or in glare.
    - Otherwise clear. A card that is blurred or occluded alike in all looks counts as clear: nothing shows it.
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
    # The median is subtracted because flicker changes the whole card equally.
    step = np.abs(change - np.median(change, axis=(0, 1))).max(2)
    return bool((step > STEP).sum() >= HIDDEN_BLOCKS)
