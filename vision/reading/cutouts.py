"""Cards cut out with a margin round them, for finding their corners: what the corner network sees.

A cut-out is `CUT_PX` px and shows the card that lies at some rough corners, laid upright as a rectangle of
`CARD_PX` px, with `MARGIN` of its height round it. Corners in a cut-out are told as shares of the card's
height, off where the rough corners say that they are.
"""

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array

CUT_PX = (80, 120)
"""Width and height of a cut-out."""
CARD_PX = (46.0, 84.0)
"""Width and height of the card in it, were the rough corners right."""
MARGIN_PX = ((CUT_PX[0] - CARD_PX[0]) / 2, (CUT_PX[1] - CARD_PX[1]) / 2)

PLACE_PX = np.array(
    [
        [MARGIN_PX[0], MARGIN_PX[1]],
        [MARGIN_PX[0] + CARD_PX[0], MARGIN_PX[1]],
        [MARGIN_PX[0] + CARD_PX[0], MARGIN_PX[1] + CARD_PX[1]],
        [MARGIN_PX[0], MARGIN_PX[1] + CARD_PX[1]],
    ],
    np.float32,
)
"""Where in a cut-out the rough corners (4, 2) come to lie."""

SIDES = ("face", "back", "none")
"""What a cut-out shows: a card face up, face down, or no card."""


def cut(picture: UInt8Array, rough_px: Float32Array) -> UInt8Array:
    """The cut-out (120, 80, 3) of `picture` (H, W, 3) uint8 BGR round a card at `rough_px` (4, 2), a short side first.

    What lies outside the picture is grey.
    """
    high = float(np.linalg.norm(rough_px[3] - rough_px[0]) + np.linalg.norm(rough_px[2] - rough_px[1])) / 2
    shrink = high / CARD_PX[1]
    if shrink > 1.7:  # a large card is made smaller first, or thin lines would be sampled away
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
    matrix = cv2.getPerspectiveTransform(np.asarray(rough_px, np.float32), PLACE_PX)
    return cv2.warpPerspective(
        picture,
        matrix,
        CUT_PX,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(114, 114, 114),
    ).astype(np.uint8)


def offsets(corners_px: Float32Array, rough_px: Float32Array) -> Float32Array:
    """How far (4, 2) the corners at `corners_px` are off `rough_px` in the cut-out there, as shares of the height."""
    matrix = cv2.getPerspectiveTransform(np.asarray(rough_px, np.float32), PLACE_PX)
    seen = cv2.perspectiveTransform(np.asarray(corners_px, np.float32).reshape(-1, 1, 2), matrix).reshape(
        -1, 2
    )
    return np.asarray((seen - PLACE_PX) / CARD_PX[1], np.float32)


def moved(rough_px: Float32Array, off: Float32Array) -> Float32Array:
    """The corners (4, 2) in the picture of the card whose corners are `off` (`offsets`) those at `rough_px`."""
    matrix = cv2.getPerspectiveTransform(PLACE_PX, np.asarray(rough_px, np.float32))
    places = PLACE_PX + off * np.float32(CARD_PX[1])
    return (
        cv2.perspectiveTransform(places.reshape(-1, 1, 2).astype(np.float32), matrix)
        .reshape(-1, 2)
        .astype(np.float32, copy=False)
    )
