"""What every room knows of a picture of cards: how a card is cut out, where its corners go, and who sits where."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Float32Array, UInt8Array

NOT_A_CARD = "none"
"""The identifier's 79th class: a back, a hand, cloth, or a box that sits badly on its card."""

CROP_PX = 224
"""Side of the square that a card is cut out as; it is stretched to fill it."""

CROP_CORNERS_PX = np.array([[0, 0], [CROP_PX, 0], [CROP_PX, CROP_PX], [0, CROP_PX]], np.float32)
"""The corners (4, 2) of a crop in itself, as a card's corners go round it."""

DIRECTIONS: dict[str, tuple[float, float]] = {"S": (0, 1), "E": (1, 0), "N": (0, -1), "W": (-1, 0)}
"""Unit vectors in the picture (x right, y down) from the middle of the table to each side."""


def rectify(picture: UInt8Array, corners_px: npt.ArrayLike, side_px: int = CROP_PX) -> UInt8Array:
    """Cut the card at `corners_px` (4, 2) out of `picture` as a (side, side, 3) square, stretched to fill it."""
    square = CROP_CORNERS_PX * (side_px / CROP_PX)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners_px, np.float32), square)
    return cv2.warpPerspective(
        picture, matrix, (side_px, side_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.uint8)


def overlap(a: Float32Array, b: Float32Array) -> float:
    """Intersection over union of two convex quadrilaterals, each (4, 2) px."""
    inter, _ = cv2.intersectConvexConvex(a, b)
    union = cv2.contourArea(a) + cv2.contourArea(b) - inter
    return float(inter / union) if union > 0 else 0.0


def aside(corners_px: Float32Array, right: float, down: float, size: float) -> Float32Array:
    """The corners (4, 2) px of what is cut out a little aside of the card at `corners_px` (see `ASIDE`)."""
    middle = corners_px.mean(0)
    off = right * (corners_px[1] - corners_px[0]) + down * (corners_px[3] - corners_px[0])
    return np.asarray(middle + off + size * (corners_px - middle), np.float32)
