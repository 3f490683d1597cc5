"""The table's plane and the shape of its cards, learnt from the cards that lie on it.

All cards of one table have one shape and lie in nearly one plane, before one camera. So a card whose corners are
partly covered, or in doubt, is held to what the others tell: only its place and its turn are its own. The camera is
a pinhole with its principal point in the middle of the picture, and a lens that bends lines a little. Lengths on
the table are in heights of a card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Float32Array, Float64Array

USUAL_FOCAL, FOCAL_SPREAD = 0.95, 0.25
"""A webcam's focal length in widths of its picture, and how much its natural logarithm varies."""
USUAL_ASPECT, ASPECT_SPREAD = 1.8, 0.12
"""A card's height by its width, and how much its natural logarithm varies: 1.35 to 1.9 from pack to pack."""
BEND_SPREAD = 0.05
"""How far the lens draws the corners of the picture in or out, as a share of their distance from the middle."""
TILT_SPREAD = 0.4
"""How far, in rad, cameras lean from straight above, either way."""
NOISE = 0.008
"""How far off a corner is at least, as a share of its card's height: cards are bowed, and lie on one another."""
STEPS = 12

_UNIT = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True)
class Plane:
    """A table before a camera: `focal` px, the lean about the picture's axes in rad, the distance along the view in
    heights of a card, a card's height by its width, how far the lens draws the picture's corners out (as a share),
    and the picture's (width, height) px."""

    focal: float
    lean: tuple[float, float]
    distance: float
    aspect: float
    bend: float
    size: tuple[int, int]

    @property
    def values(self) -> Float64Array:
        """What is fitted: logarithms of focal length, distance and aspect, the lean, and the lens's bend."""
        logs = np.log([self.focal, self.distance, self.aspect])
        return np.array([logs[0], *self.lean, logs[1], logs[2], self.bend])

    def project(self, places: Float64Array) -> Float64Array:
        """The corners (N, 4, 2) px of cards at `places` (N, 3): x and y of the middle and the turn in rad."""
        return _project(self.values, places, self.size)


def _project(values: Float64Array, places: Float64Array, size: tuple[int, int]) -> Float64Array:
    focal, distance, aspect = np.exp(values[[0, 3, 4]])
    a, b = values[1], values[2]
    angle = float(np.hypot(a, b))
    # Rodrigues: the table's two axes as the camera sees them, leaning about (a, b, 0).
    k = np.array([a, b, 0.0]) / max(angle, 1e-9)
    cross = np.array([[0, 0, k[1]], [0, 0, -k[0]], [-k[1], k[0], 0]])
    turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    c, s = np.cos(places[:, 2]), np.sin(places[:, 2])
    unit = _UNIT * (1 / aspect, 1.0)
    x = places[:, :1] + c[:, None] * unit[:, 0] - s[:, None] * unit[:, 1]
    y = places[:, 1:2] + s[:, None] * unit[:, 0] + c[:, None] * unit[:, 1]
    seen = np.stack([x, y], -1) @ turn[:, :2].T + np.array([0, 0, distance])
    depth = np.maximum(seen[..., 2:], 0.1)
    off = seen[..., :2] / depth * focal
    middle = np.array(size) / 2
    far = (off**2).sum(-1, keepdims=True) / (middle @ middle)
    # Beyond the picture's corners a cubic would run away.
    return np.asarray(off * (1 + values[5] * np.minimum(far, 1.5)) + middle)


def _place(plane: Plane, corners_px: Float64Array) -> Float64Array:
    """Where on `plane` cards with the corners (N, 4, 2) px lie, about: as if seen from straight above."""
    middle = (corners_px.mean(1) - np.array(plane.size) / 2) * plane.distance / plane.focal
    down = corners_px[:, 2] + corners_px[:, 3] - corners_px[:, 0] - corners_px[:, 1]
    return np.column_stack([middle, np.arctan2(-down[:, 0], down[:, 1])])


def _weights(corners_px: Float64Array, spread: Float64Array) -> Float64Array:
    heights = np.linalg.norm(corners_px[:, 3] - corners_px[:, 0], axis=1) / 2
    heights = heights + np.linalg.norm(corners_px[:, 2] - corners_px[:, 1], axis=1) / 2
    return np.asarray(1 / (np.maximum(heights, 1.0)[:, None] * np.hypot(1.4 * spread, NOISE)))


def _fit(
    plane: Plane, places: Float64Array, corners_px: Float64Array, spread: Float64Array, learn: bool
) -> tuple[Plane, Float64Array, float]:
    """Move `places`, and with `learn` the plane, until they fit: Gauss-Newton, far-off corners counting less."""
    values, count = plane.values, len(places)
    prior = np.array([np.log(USUAL_FOCAL * plane.size[0]), 0.0, 0.0, 0.0, np.log(USUAL_ASPECT), 0.0])
    spreads = np.array([FOCAL_SPREAD, TILT_SPREAD, TILT_SPREAD, np.inf, ASPECT_SPREAD, BEND_SPREAD])
    tight = 1 / spreads
    weights = _weights(corners_px, spread)[..., None]
    shared = len(values) if learn else 0
    damping, cost = 1e-3, np.inf

    def total(v: Float64Array, p: Float64Array) -> tuple[Float64Array, Float64Array, float]:
        off = (_project(v, p, plane.size) - corners_px) * weights
        far = np.linalg.norm(off, axis=2, keepdims=True)
        trust = 1 / (1 + (far / 2.5) ** 2)
        loss = float(2.5**2 * np.log1p((far / 2.5) ** 2).sum()) + float((((v - prior) * tight) ** 2).sum())
        return off, np.sqrt(trust), loss

    off, trust, cost = total(values, places)
    for _ in range(STEPS):
        slope = np.zeros((count, 4, 2, shared + 3 * count))
        base = _project(values, places, plane.size)
        for k in range(shared):
            nudged = values.copy()
            nudged[k] += 1e-5
            slope[..., k] = (_project(nudged, places, plane.size) - base) / 1e-5
        for k in range(3):
            moved = places.copy()
            moved[:, k] += 1e-5
            change = (_project(values, moved, plane.size) - base) / 1e-5
            slope[np.arange(count), :, :, shared + 3 * np.arange(count) + k] = change
        scale = weights * trust
        jacobian = (slope * scale[..., None]).reshape(8 * count, -1)
        right = (off * trust).reshape(-1)
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ right
        if shared:
            normal[:shared, :shared] += np.diag(tight**2)
            gradient[:shared] += tight**2 * (values - prior)
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-6), -gradient)
        new_values = values + step[:shared] if shared else values
        new_places = places + step[shared:].reshape(count, 3)
        new_off, new_trust, new_cost = total(new_values, new_places)
        if new_cost < cost:
            done = cost - new_cost < 1e-3
            values, places, off, trust, cost = new_values, new_places, new_off, new_trust, new_cost
            damping = max(damping / 5, 1e-6)
            if done:
                break
        else:
            damping *= 8
            if damping > 1e3:
                break
    focal, distance, aspect = np.exp(values[[0, 3, 4]])
    fitted = replace(
        plane, focal=float(focal), lean=(float(values[1]), float(values[2])), distance=float(distance),
        aspect=float(aspect), bend=float(values[5]),
    )  # fmt: skip
    return fitted, places, cost


def learn_plane(
    corners_px: Sequence[Float32Array], spread: Sequence[Float32Array], size: tuple[int, int]
) -> Plane:
    """The plane on which cards with `corners_px` (4, 2) lie, each corner off by `spread` (4,). Two cards tell little.

    `size` is the picture's (width, height) px. Each card's corners begin with a short side.
    """
    corners, off = np.asarray(corners_px, np.float64), np.asarray(spread, np.float64)
    height = float(np.median(np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)))
    focal = USUAL_FOCAL * size[0]
    best: tuple[float, Plane] | None = None
    for lean in ((0.0, 0.0), (0.35, 0.0), (-0.35, 0.0), (0.0, 0.35), (0.0, -0.35)):
        plane = Plane(focal, lean, focal / max(height, 1.0), USUAL_ASPECT, 0.0, size)
        fitted, _, cost = _fit(plane, _place(plane, corners), corners, off, learn=True)
        if best is None or cost < best[0]:
            best = cost, fitted
    assert best is not None
    return best[1]


def hold_to(plane: Plane, corners_px: Float32Array, spread: Float32Array) -> tuple[Float32Array, float]:
    """A card's corners (4, 2) px as they must be on `plane`, and how far off they were, in units of their noise."""
    corners, off = np.asarray(corners_px, np.float64)[None], np.asarray(spread, np.float64)[None]
    _, places, _ = _fit(plane, _place(plane, corners), corners, off, learn=False)
    held = plane.project(places)
    far = np.linalg.norm((held - corners) * _weights(corners, off)[..., None], axis=2).mean()
    return held[0].astype(np.float32), float(far)
