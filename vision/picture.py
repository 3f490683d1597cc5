"""Picture geometry that all of `vision` shares: card crops, their corners, and the sides of the table."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Float32Array, UInt8Array

NOT_A_CARD = "none"
"""The identifier's 79th class: a card's back, a hand, cloth, or a badly placed box."""

CROP_PX = 224
"""Side in px of the square crop of a card; the card is stretched to fill it."""

CROP_CORNERS_PX = np.array([[0, 0], [CROP_PX, 0], [CROP_PX, CROP_PX], [0, CROP_PX]], np.float32)
"""Corners (4, 2) of a crop in its own px, in the order of a card's corners."""

DIRECTIONS: dict[str, tuple[float, float]] = {"S": (0, 1), "E": (1, 0), "N": (0, -1), "W": (-1, 0)}
"""Unit vectors from the middle of the table to each side, in the picture (x right, y down)."""


def rectify(picture: UInt8Array, corners_px: npt.ArrayLike, side_px: int = CROP_PX) -> UInt8Array:
    """The card at `corners_px` (4, 2) in `picture` (H, W, 3), warped to a square (side_px, side_px, 3)."""
    square = CROP_CORNERS_PX * (side_px / CROP_PX)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners_px, np.float32), square)
    return cv2.warpPerspective(
        picture, matrix, (side_px, side_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.uint8)


def half_gray(picture: UInt8Array) -> UInt8Array:
    """Every second pixel of every second row of `picture` (H, W, 3) BGR, in grey."""
    height, width = (picture.shape[0] + 1) // 2, (picture.shape[1] + 1) // 2
    half = cv2.resize(picture, (width, height), interpolation=cv2.INTER_NEAREST)
    return cv2.cvtColor(half, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)


def sharpness_of(gray: UInt8Array) -> float:
    """The spread of the Laplacian of a picture at half its size, `half_gray`: a few if blurred, tens if sharp."""
    _, spread = cv2.meanStdDev(cv2.Laplacian(gray, cv2.CV_32F))
    return float(spread[0, 0])


def overlap(a: Float32Array, b: Float32Array) -> float:
    """Intersection over union of two convex quadrilaterals, each (4, 2) px."""
    inter, _ = cv2.intersectConvexConvex(a, b)
    union = cv2.contourArea(a) + cv2.contourArea(b) - inter
    return float(inter / union) if union > 0 else 0.0


def share_within(a: Float32Array, b: Float32Array) -> float:
    """The share (0..1) of the area of a convex polygon (N, 2) that lies within another."""
    inter, _ = cv2.intersectConvexConvex(a, b)
    return float(inter) / max(float(cv2.contourArea(a)), 1.0)


def aside(corners_px: Float32Array, right: float, down: float, size: float) -> Float32Array:
    """A card's corners (4, 2) px, shifted by `right` and `down` (shares of its sides) and scaled about its centre."""
    middle = corners_px.mean(0)
    shift = right * (corners_px[1] - corners_px[0]) + down * (corners_px[3] - corners_px[0])
    return np.asarray(middle + shift + size * (corners_px - middle), np.float32)
