"""Refining corners that are nearly right: they are moved onto the card's edges in the full-resolution frame."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Float32Array, UInt8Array

SAMPLES = 32
"""Brightness profiles taken across each side."""
AGREE = 0.45
"""Share of a side's profiles whose steps must lie on one line for the side to count as seen."""


def refine_corners(
    frame: UInt8Array, corners_px: Float32Array, reach: float
) -> tuple[Float32Array, npt.NDArray[np.bool_]]:
    """Corners (4, 2) px moved onto the card's edges in `frame`, and which of its sides (4,) were seen.

    Side k goes from corner k to the next. It is looked for within `reach` (share of the card's height) at both ends.
    A side that is occluded or outside the picture stays where it was. If a corner would move too far, all
    corners are returned as they were, and no side counts as seen.
    """
    unseen = np.zeros(4, np.bool_)
    height = float(np.linalg.norm(corners_px[3] - corners_px[0]))
    radius = max(3, round(height * reach))
    low = np.floor(corners_px.min(0)).astype(int) - 2 * radius
    high = np.ceil(corners_px.max(0)).astype(int) + 2 * radius
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    piece = frame[y0 : max(0, int(high[1])), x0 : max(0, int(high[0]))]
    if piece.size == 0:
        return corners_px, unseen
    smooth = cv2.GaussianBlur(piece, (0, 0), 1.0).astype(np.float32)
    origin = np.array([x0, y0], np.float32)
    corners = corners_px - origin
    center = corners.mean(0)
    sides, seen = [], []
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6)
        outward = np.array([along[1], -along[0]], np.float32)
        if np.dot(outward, (a + b) / 2 - center) < 0:
            outward = -outward
        side = _find_side(smooth, a, b, outward, radius)
        seen.append(side is not None)
        sides.append((a, b) if side is None else side)
    refined = np.array([_crossing(sides[k - 1], sides[k]) for k in range(4)], np.float32)
    moved = np.linalg.norm(refined - corners, axis=1)
    if not np.isfinite(refined).all() or moved.max() > 2.0 * radius:
        return corners_px, unseen
    return (refined + origin).astype(np.float32), np.array(seen, np.bool_)


def _find_side(
    smooth: Float32Array, a: Float32Array, b: Float32Array, outward: Float32Array, radius: int
) -> tuple[Float32Array, Float32Array] | None:
    """Two points of the card's edge near the segment a-b, fitted to its strong steps; None if it is not seen."""
    along = np.linspace(0.06, 0.94, SAMPLES, dtype=np.float32)
    starts = a + (b - a) * along[:, None]
    depth = np.arange(-radius, radius + 1, dtype=np.float32)
    points = starts[:, None] + outward * depth[None, :, None]
    profile = cv2.remap(
        smooth, points[:, :, 0], points[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    step = np.abs(profile[:, 2:] - profile[:, :-2]).sum(2)
    score = step * np.exp(-0.5 * (depth[1:-1] / (0.6 * radius)) ** 2)
    best = score.argmax(1)
    inside = (
        (starts[:, 0] >= 0) & (starts[:, 1] >= 0)
        & (starts[:, 0] < smooth.shape[1]) & (starts[:, 1] < smooth.shape[0])
    )  # fmt: skip
    strong = score[np.arange(SAMPLES), best] > max(12.0, 0.35 * float(np.median(score.max(1))))
    keep = strong & inside
    enough = AGREE * max(float(inside.sum()), SAMPLES / 2)
    if keep.sum() < enough:
        return None
    tolerance = max(1.0, radius * 0.15)
    slope, offset, agree = _robust_line(along[keep], depth[1:-1][best[keep]], tolerance)
    if agree < enough or max(abs(offset), abs(offset + slope)) > 1.2 * radius:
        return None
    return (a + outward * offset).astype(np.float32), (b + outward * (offset + slope)).astype(np.float32)


def _robust_line(s: Float32Array, d: Float32Array, tolerance: float) -> tuple[float, float, int]:
    """Slope and offset of the line d(s) that most points lie on, refined by least squares, and how many do."""
    first, second = np.triu_indices(len(s), 3)
    slopes = (d[second] - d[first]) / (s[second] - s[first])
    offsets = d[first] - slopes * s[first]
    counts = (np.abs(offsets[:, None] + slopes[:, None] * s - d) < tolerance).sum(1)
    slope, offset = slopes[counts.argmax()], offsets[counts.argmax()]
    agree = np.abs(offset + slope * s - d) < tolerance
    if agree.sum() >= 3:
        slope, offset = np.polyfit(s[agree], d[agree], 1)
    return float(slope), float(offset), int(agree.sum())


def _crossing(
    first: tuple[Float32Array, Float32Array], second: tuple[Float32Array, Float32Array]
) -> Float32Array:
    """Where the lines through two pairs of points cross; NaN if they are parallel."""
    (p, p2), (q, q2) = first, second
    u, v = p2 - p, q2 - q
    det = float(u[0] * v[1] - u[1] * v[0])
    if abs(det) < 1e-6:
        return np.full(2, np.nan, np.float32)
    t = float((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / det
    return (p + u * np.float32(t)).astype(np.float32)
