"""The table's plane and the shape of its cards, learnt from the cards that lie on it.

All cards of one table have one shape and lie in nearly one plane, seen by one camera. So a card with covered or
doubtful corners takes its shape from the others; only its place and its turn are its own. The camera is a pinhole with
a little radial distortion, and its principal point is the middle of the picture. Lengths on the table are in heights
of a card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Float32Array, Float64Array
from vision.picture import overlap
from vision.reading.belief import belief_table, box_evidence
from vision.reading.corners import CloseLook

USUAL_FOCAL, FOCAL_SPREAD = 0.95, 0.25
"""A webcam's focal length in widths of its picture, and the standard deviation of its natural logarithm."""
USUAL_ASPECT, ASPECT_SPREAD = 1.8, 0.12
"""A card's height by its width, 1.35 to 1.9 in known packs, and the standard deviation of its natural logarithm."""
BEND_SPREAD = 0.05
"""Standard deviation of the radial distortion at the picture's corners, a share of their distance from the middle."""
TILT_SPREAD = 0.4
"""Standard deviation of the camera's lean about either axis of the picture, in rad."""
NOISE = 0.008
"""Least standard deviation of a corner, as a share of the card's height: cards are bowed, and lie on one another."""
OUTLIER = 2.5
"""Distance, in standard deviations, from which a corner counts for less (a Cauchy loss)."""
PLANE_CARDS, MOST_PLANE_CARDS = 3, 12
"""The fewest and the most cards from which a table's plane is learnt."""
TWO_CARDS = 0.3
"""IoU below which two close looks surely show two cards."""
MOST_OFF = 3.0
"""Distance from a card on the plane, in standard deviations, from which a box fits no card there."""
STEPS = 12
"""The most steps of a fit."""
DONE = 1e-3
"""Share of its loss by which the last step of a fit lowers it: what fits no card could be improved for long."""
FIRST_LEANS = ((0.0, 0.0), (0.35, 0.0), (-0.35, 0.0), (0.0, 0.35), (0.0, -0.35))
"""Leans, in rad, to start the fit from: straight above, and from each side."""

_UNIT = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
_NUDGE = 1e-5


@dataclass(frozen=True)
class Plane:
    """A table before a camera.

    - `focal`: the focal length in px.
    - `lean`: the lean about the picture's x and y axes in rad.
    - `distance`: the distance along the view in heights of a card.
    - `aspect`: a card's height by its width.
    - `bend`: the radial distortion at the picture's corners, as a share of their distance from the middle.
    - `size`: the picture's (width, height) in px.
    """

    focal: float
    lean: tuple[float, float]
    distance: float
    aspect: float
    bend: float
    size: tuple[int, int]

    @property
    def values(self) -> Float64Array:
        """The fitted values (6,): log focal, lean about x and y, log distance, log aspect, bend."""
        logs = np.log([self.focal, self.distance, self.aspect])
        return np.array([logs[0], *self.lean, logs[1], logs[2], self.bend])

    def with_values(self, values: Float64Array) -> "Plane":
        """This plane with other fitted `values` (6,)."""
        focal, distance, aspect = np.exp(values[[0, 3, 4]])
        return replace(
            self, focal=float(focal), lean=(float(values[1]), float(values[2])), distance=float(distance),
            aspect=float(aspect), bend=float(values[5]),
        )  # fmt: skip

    def project(self, places: Float64Array) -> Float64Array:
        """The corners (N, 4, 2) px of cards at `places` (N, 3): x and y of the middle, and the turn in rad."""
        return _project(_camera(self.values), places, self.size)


_Camera = tuple[Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
"""What `_project` needs of planes: focal lengths, distances, aspects and bends (..., 1, 1), rotations (..., 3, 3)."""


def _camera(values: Float64Array) -> _Camera:
    """What the cameras do that see planes with `values` (..., 6)."""
    focal, distance, aspect = np.moveaxis(np.exp(values[..., [0, 3, 4]]), -1, 0)[..., None, None]
    return focal, distance, aspect, values[..., 5, None, None], _turn_by(values[..., 1], values[..., 2])


def _project(camera: _Camera, places: Float64Array, size: tuple[int, int]) -> Float64Array:
    """The corners (..., N, 4, 2) px of cards at `places` (..., N, 3) on planes that `camera` sees."""
    focal, distance, aspect, bend, turn = camera
    c, s = np.cos(places[..., 2:]), np.sin(places[..., 2:])
    across, down = _UNIT[:, 0] / aspect, _UNIT[:, 1]
    flat = np.stack([places[..., :1] + c * across - s * down, places[..., 1:2] + s * across + c * down], -1)
    seen = flat @ np.swapaxes(turn[..., None, :, :2], -1, -2)
    off = seen[..., :2] * (focal / np.maximum(seen[..., 2] + distance, 0.1))[..., None]
    middle = np.array(size) / 2
    far = (off[..., 0] ** 2 + off[..., 1] ** 2) / (middle @ middle)
    # A cubic grows without bound outside the picture.
    return np.asarray(off * (1 + bend * np.minimum(far, 1.5))[..., None] + middle)


def _turn_by(a: Float64Array, b: Float64Array) -> Float64Array:
    """The rotations (..., 3, 3) about the axes (a, b, 0); the axes' lengths are the angles in rad (Rodrigues)."""
    angle = np.hypot(a, b)
    x, y = np.stack([a, b]) / np.maximum(angle, 1e-9)
    c, s, rest = np.cos(angle), np.sin(angle), 1 - np.cos(angle)
    rows = [1 - rest * y * y, rest * x * y, s * y, rest * x * y, 1 - rest * x * x, -s * x, -s * y, s * x, c]
    return np.stack(rows, -1).reshape(*np.shape(a), 3, 3)


def _rough_places(plane: Plane, corners_px: Float64Array) -> Float64Array:
    """Places (N, 3) on `plane` of cards with the corners (N, 4, 2) px, as if seen from straight above."""
    middle = (corners_px.mean(1) - np.array(plane.size) / 2) * plane.distance / plane.focal
    down = corners_px[:, 2] + corners_px[:, 3] - corners_px[:, 0] - corners_px[:, 1]
    return np.column_stack([middle, np.arctan2(-down[:, 0], down[:, 1])])


@dataclass(frozen=True)
class _Seen:
    """Cards as seen: their corners (N, 4, 2) px, and the inverse of each corner's standard deviation (N, 4, 1).

    `prior` (6,) are the usual `Plane.values`, `tight` (6,) the inverse of their standard deviations.
    """

    corners_px: Float64Array
    weights: Float64Array
    size: tuple[int, int]
    prior: Float64Array
    tight: Float64Array

    def residuals_and_slopes(
        self, values: Float64Array, places: Float64Array, camera: _Camera | None
    ) -> tuple[Float64Array, Float64Array, float, Float64Array]:
        """How far cards at `places` (N, 3) on the plane with `values` (6,) are from those seen.

        Returns the weighted residuals (N, 4, 2), the root of each corner's robust weight (N, 4, 1), the loss, and the
        derivatives (N, 4, 2, P) of the corners in px: by the values, then by each card's own place. `camera` is that of
        `values` where they stay as they are, and are no variables.
        """
        count, own = len(places), np.arange(len(places))
        shared = len(values) if camera is None else 0
        all_places = np.tile(places, (1 + shared + 3, 1, 1))
        all_places[1 + shared :] += _NUDGE * np.eye(3)[:, None]
        if camera is None:
            all_values = np.tile(values, (1 + shared + 3, 1))
            all_values[1 : 1 + shared] += _NUDGE * np.eye(shared)
            camera = _camera(all_values)
        seen = _project(camera, all_places, self.size)
        changes = (seen[1:] - seen[0]) / _NUDGE
        slopes = np.zeros((count, 4, 2, shared + 3 * count))
        slopes[..., :shared] = np.moveaxis(changes[:shared], 0, -1)
        for k in range(3):
            slopes[own, :, :, shared + 3 * own + k] = changes[shared + k]
        off = (seen[0] - self.corners_px) * self.weights
        far = np.linalg.norm(off, axis=2, keepdims=True)
        trust = 1 / (1 + (far / OUTLIER) ** 2)
        loss = -(OUTLIER**2) * float(np.log(trust).sum())
        return off, np.sqrt(trust), loss + float((((values - self.prior) * self.tight) ** 2).sum()), slopes


def _seen(corners_px: Float64Array, spread: Float64Array, size: tuple[int, int]) -> _Seen:
    prior = np.array([np.log(USUAL_FOCAL * size[0]), 0.0, 0.0, 0.0, np.log(USUAL_ASPECT), 0.0])
    deviations = np.array([FOCAL_SPREAD, TILT_SPREAD, TILT_SPREAD, np.inf, ASPECT_SPREAD, BEND_SPREAD])
    return _Seen(corners_px, _weights(corners_px, spread)[..., None], size, prior, 1 / deviations)


def _weights(corners_px: Float64Array, spread: Float64Array) -> Float64Array:
    """The inverse (N, 4) of each corner's standard deviation in px; 1.4 turns a Laplace width into one."""
    heights = np.linalg.norm(corners_px[:, 3] - corners_px[:, 0], axis=1) / 2
    heights = heights + np.linalg.norm(corners_px[:, 2] - corners_px[:, 1], axis=1) / 2
    return np.asarray(1 / (np.maximum(heights, 1.0)[:, None] * np.hypot(1.4 * spread, NOISE)))


def _fit(plane: Plane, places: Float64Array, seen: _Seen, learn: bool) -> tuple[Plane, Float64Array, float]:
    """Fit `plane` and `places` (N, 3) by Levenberg-Marquardt; returns both, and the loss.

    Without `learn` the plane stays as it is.
    """
    values, count = plane.values, len(places)
    shared = len(values) if learn else 0
    camera = None if learn else _camera(values)
    damping = 1e-3
    off, trust, loss, slopes = seen.residuals_and_slopes(values, places, camera)
    for _ in range(STEPS):
        jacobian = (slopes * (seen.weights * trust)[..., None]).reshape(8 * count, -1)
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ (off * trust).reshape(-1)
        if shared:
            normal[:shared, :shared] += np.diag(seen.tight**2)
            gradient[:shared] += seen.tight**2 * (values - seen.prior)
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-6), -gradient)
        new_values = values + step[:shared] if shared else values
        new_places = places + step[shared:].reshape(count, 3)
        new_off, new_trust, new_loss, new_slopes = seen.residuals_and_slopes(new_values, new_places, camera)
        if new_loss < loss:
            done = loss - new_loss < DONE * (1 + loss)
            values, places, off, trust = new_values, new_places, new_off, new_trust
            loss, slopes = new_loss, new_slopes
            damping = max(damping / 5, 1e-6)
            if done:
                break
        else:
            damping *= 8
            if damping > 1e3:
                break
    return plane.with_values(values), places, loss


def learn_plane(
    corners_px: Sequence[Float32Array],
    spread: Sequence[Float32Array],
    size: tuple[int, int],
    before: Plane | None = None,
) -> Plane:
    """The plane on which cards with the corners `corners_px` (4, 2) lie, a short side first. Two cards tell little.

    `spread` (4,) is the expected error of each corner, as in `CloseLook`. `size` is the picture's (width, height) in
    px. With an earlier plane `before` the fit starts from it, in a fifth of the time.
    """
    corners, off = np.asarray(corners_px, np.float64), np.asarray(spread, np.float64)
    seen = _seen(corners, off, size)
    height = float(np.median(np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)))
    focal = USUAL_FOCAL * size[0]
    starts = [Plane(focal, lean, focal / max(height, 1.0), USUAL_ASPECT, 0.0, size) for lean in FIRST_LEANS]
    best: tuple[float, Plane] | None = None
    for plane in starts if before is None else [before]:
        fitted, _, loss = _fit(plane, _rough_places(plane, corners), seen, learn=True)
        if best is None or loss < best[0]:
            best = loss, fitted
    assert best is not None
    return best[1]


def plane_of(
    seen: Sequence[tuple[float, Float32Array, CloseLook]],
    size: tuple[int, int],
    before: Plane | None = None,
    earlier: Sequence[CloseLook] = (),
) -> Plane | None:
    """The plane on which cards lie; None if too few cards tell it. `size` and `before` are as in `learn_plane`.

    `seen` has the finder's score (0..1), its box (4, 2) px and the close look of each card. A card counts, once, if
    the look likely goes exactly round it: part of a pile, or of a card that the picture's edge cuts off, may look like
    a smaller card. Looks at cards that surely lay there `earlier` all count.
    """
    table, surest = belief_table().box, list[CloseLook]()
    told = [(table.odds(box_evidence(*one)), one[2]) for one in seen if one[2].is_of(one[1])]
    for chance, look in sorted(told, key=lambda one: -one[0]):
        if chance > 0 and all(overlap(look.corners_px, other.corners_px) <= TWO_CARDS for other in surest):
            surest.append(look)
    surest = [*surest[:MOST_PLANE_CARDS], *earlier]
    if len(surest) < PLANE_CARDS:
        return None
    return learn_plane([look.corners_px for look in surest], [look.spread for look in surest], size, before)


def hold_to(plane: Plane, corners_px: Float32Array, spread: Float32Array) -> tuple[Float32Array, float]:
    """A card's corners (4, 2) px moved to the nearest card on `plane`, and how far off they were.

    That is the mean distance of the corners in standard deviations. `spread` (4,) is their expected error, as in
    `CloseLook`.
    """
    corners, off = np.asarray(corners_px, np.float64)[None], np.asarray(spread, np.float64)[None]
    seen = _seen(corners, off, plane.size)
    _, places, _ = _fit(plane, _rough_places(plane, corners), seen, learn=False)
    held = plane.project(places)
    far = np.linalg.norm((held - corners) * seen.weights, axis=2).mean()
    return held[0].astype(np.float32), float(far)
