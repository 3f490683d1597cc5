"""Pulling a found rectangle onto the card's edges in the full-resolution frame."""

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array

SAMPLES = 24
"""Profiles taken across each side."""


def refine_corners(frame: UInt8Array, corners_px: Float32Array, reach: float = 0.09) -> Float32Array:
    """Corners (4, 2) float32 px of the card whose rough corners are `corners_px`, from its edges in `frame`.

    Each side is looked for within `reach` (share of the card's height) of where it was found; a side
    that is covered, or out of the picture, stays where it was. The result is refused, and the rough
    corners returned, when it is no longer nearly the rectangle that was found.
    """
    height = float(np.linalg.norm(corners_px[3] - corners_px[0]))
    radius = max(3, round(height * reach))
    low = np.floor(corners_px.min(0)).astype(int) - 2 * radius
    high = np.ceil(corners_px.max(0)).astype(int) + 2 * radius
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    piece = frame[y0 : max(0, int(high[1])), x0 : max(0, int(high[0]))]
    if piece.size == 0:
        return corners_px
    smooth = cv2.GaussianBlur(piece, (0, 0), 1.0).astype(np.float32)
    corners = corners_px - np.array([x0, y0], np.float32)
    center = corners.mean(0)
    lines = []
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6)
        outward = np.array([along[1], -along[0]], np.float32)
        if np.dot(outward, (a + b) / 2 - center) < 0:
            outward = -outward
        lines.append(_find_side(smooth, a, b, outward, radius))
    refined = np.array([_crossing(lines[k - 1], lines[k]) for k in range(4)], np.float32)
    moved = np.linalg.norm(refined - corners, axis=1)
    if not np.isfinite(refined).all() or moved.max() > 2.0 * radius:
        return corners_px
    return (refined + np.array([x0, y0], np.float32)).astype(np.float32)


def _find_side(
    smooth: Float32Array, a: Float32Array, b: Float32Array, outward: Float32Array, radius: int
) -> tuple[Float32Array, Float32Array]:
    """A point and direction of the card's edge near the segment a-b: the outermost strong step, fitted robustly."""
    along = np.linspace(0.08, 0.92, SAMPLES, dtype=np.float32)
    starts = a + (b - a) * along[:, None]
    depth = np.arange(-radius, radius + 1, dtype=np.float32)
    points = starts[:, None] + outward * depth[None, :, None]
    profile = cv2.remap(
        smooth, points[:, :, 0], points[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    step = np.abs(profile[:, 2:] - profile[:, :-2]).sum(2)
    weight = np.exp(-0.5 * (depth[1:-1] / (0.6 * radius)) ** 2)
    score = step * weight
    best = score.argmax(1)
    strong = score[np.arange(SAMPLES), best] > max(12.0, 0.35 * float(np.median(score.max(1))))
    inside = (
        (starts[:, 0] >= 0) & (starts[:, 1] >= 0)
        & (starts[:, 0] < smooth.shape[1]) & (starts[:, 1] < smooth.shape[0])
    )  # fmt: skip
    keep = strong & inside
    direction = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6)
    if keep.sum() < SAMPLES // 3:
        return a, direction.astype(np.float32)
    s, d = along[keep], depth[1:-1][best[keep]]
    slope, offset = _robust_line(s, d, tolerance=max(1.5, radius * 0.15))
    p, q = a + outward * offset, b + outward * (offset + slope)
    if abs(slope) > radius:
        return a, direction.astype(np.float32)
    return p.astype(np.float32), ((q - p) / max(float(np.linalg.norm(q - p)), 1e-6)).astype(np.float32)


def _robust_line(s: Float32Array, d: Float32Array, tolerance: float) -> tuple[float, float]:
    """Slope and offset of d over s (0..1) that the most points agree with, then least squares over those."""
    first, second = np.triu_indices(len(s), 3)
    slopes = (d[second] - d[first]) / (s[second] - s[first])
    offsets = d[first] - slopes * s[first]
    counts = (np.abs(offsets[:, None] + slopes[:, None] * s - d) < tolerance).sum(1)
    slope, offset = slopes[counts.argmax()], offsets[counts.argmax()]
    agree = np.abs(offset + slope * s - d) < tolerance
    if agree.sum() >= 3:
        slope, offset = np.polyfit(s[agree], d[agree], 1)
    return float(slope), float(offset)


def _crossing(
    first: tuple[Float32Array, Float32Array], second: tuple[Float32Array, Float32Array]
) -> Float32Array:
    (p, u), (q, v) = first, second
    det = float(u[0] * v[1] - u[1] * v[0])
    if abs(det) < 1e-6:
        return np.full(2, np.nan, np.float32)
    t = float((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / det
    return (p + u * np.float32(t)).astype(np.float32)
