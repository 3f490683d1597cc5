"""Drawing the recognised cards into their frame."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import UInt8Array
from vision.watching.eyes import SeenCard, WatchUpdate

_COLORS = {
    "moving": (160, 160, 160),
    "lying": (220, 200, 120),
    "settled": (110, 200, 90),
    "doubtful": (40, 170, 250),
}


def annotate(update: WatchUpdate) -> UInt8Array:
    """A copy of the update's frame (uint8 BGR) with each card outlined and named."""
    return outline(update.frame, update.cards)


def outline(frame: UInt8Array, cards: Sequence[SeenCard]) -> UInt8Array:
    """A copy of `frame`, (H, W, 3) uint8 BGR, with each of `cards` outlined and named."""
    picture = frame.copy()
    scale = picture.shape[1] / 1280
    width = max(1, round(2 * scale))
    for seen in cards:
        color = _COLORS[seen.state] if seen.face else (140, 110, 90)
        cv2.polylines(picture, [np.round(seen.corners_px).astype(np.int32)], True, color, width, cv2.LINE_AA)
        if seen.card is None:
            continue
        label = seen.card + ("?" if seen.state == "doubtful" else "")
        (w, h), _ = cv2.getTextSize(label, cv2.FONT_HERSHEY_SIMPLEX, 0.8 * scale, width)
        middle = seen.corners_px.mean(0)
        x, y = int(middle[0] - w / 2), int(middle[1] + h / 2)
        pad = max(2, round(5 * scale))
        cv2.rectangle(picture, (x - pad, y - h - pad), (x + w + pad, y + pad), color, -1)
        cv2.putText(
            picture, label, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.8 * scale, (20, 20, 20), width, cv2.LINE_AA
        )
    return picture
