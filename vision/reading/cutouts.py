"""Cut-outs: cards with a margin round them, the corner network's input.

A cut-out has `CUT_PX` px. The rough corners of the card are mapped to an upright rectangle of `CARD_PX` px in the
middle. Corners in a cut-out are offsets from that rectangle, as shares of the card's height.
"""

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array

CUT_PX = (80, 120)
"""Width and height of a cut-out."""
CARD_PX = (46.0, 84.0)
"""Width and height of the card in a cut-out, if the rough corners are right."""
MARGIN_PX = ((CUT_PX[0] - CARD_PX[0]) / 2, (CUT_PX[1] - CARD_PX[1]) / 2)

CARD_IN_CUT_PX = np.array(
    [
        [MARGIN_PX[0], MARGIN_PX[1]],
        [MARGIN_PX[0] + CARD_PX[0], MARGIN_PX[1]],
        [MARGIN_PX[0] + CARD_PX[0], MARGIN_PX[1] + CARD_PX[1]],
        [MARGIN_PX[0], MARGIN_PX[1] + CARD_PX[1]],
    ],
    np.float32,
)
"""The rough corners (4, 2) in px of a cut-out."""

CARD_SIDES = ("face", "back", "none")
"""What a cut-out shows: a card face up, a card face down, or no card."""


def cut(picture: UInt8Array, rough_px: Float32Array) -> UInt8Array:
    """The cut-out (120, 80, 3) of the card at `rough_px` (4, 2), a short side first, in `picture` (H, W, 3) uint8 BGR.

    Outside the picture it is grey.
    """
    high = float(np.linalg.norm(rough_px[3] - rough_px[0]) + np.linalg.norm(rough_px[2] - rough_px[1])) / 2
    shrink = high / CARD_PX[1]
    if shrink > 1.7:  # shrink a large card first: linear sampling would skip thin lines
        low = np.floor(rough_px.min(0) - 0.5 * high).astype(int)
        top = np.ceil(rough_px.max(0) + 0.5 * high).astype(int)
        x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
        piece = picture[y0 : max(y0, int(top[1])), x0 : max(x0, int(top[0]))]
        if piece.size:
            scale = 1.2 / shrink
            size = (max(1, round(piece.shape[1] * scale)), max(1, round(piece.shape[0] * scale)))
            picture = cv2.resize(piece, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
            ratio = np.array(size, np.float32) / (piece.shape[1], piece.shape[0])
            rough_px = ((rough_px - (x0, y0)) * ratio).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(rough_px, np.float32), CARD_IN_CUT_PX)
    return cv2.warpPerspective(
        picture,
        matrix,
        CUT_PX,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(114, 114, 114),
    ).astype(np.uint8)


def offsets(corners_px: Float32Array, rough_px: Float32Array) -> Float32Array:
    """Offsets (4, 2) of `corners_px` from `rough_px` in the cut-out at `rough_px`, as shares of the card's height."""
    matrix = cv2.getPerspectiveTransform(np.asarray(rough_px, np.float32), CARD_IN_CUT_PX)
    seen = cv2.perspectiveTransform(np.asarray(corners_px, np.float32).reshape(-1, 1, 2), matrix).reshape(
        -1, 2
    )
    return np.asarray((seen - CARD_IN_CUT_PX) / CARD_PX[1], np.float32)


def moved_corners(rough_px: Float32Array, off: Float32Array) -> Float32Array:
    """The inverse of `offsets`: the corners (4, 2) px in the picture that are `off` (4, 2) from `rough_px`."""
    matrix = cv2.getPerspectiveTransform(CARD_IN_CUT_PX, np.asarray(rough_px, np.float32))
    places = CARD_IN_CUT_PX + off * np.float32(CARD_PX[1])
    return (
        cv2.perspectiveTransform(places.reshape(-1, 1, 2).astype(np.float32), matrix)
        .reshape(-1, 2)
        .astype(np.float32, copy=False)
    )
