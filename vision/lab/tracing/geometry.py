"""Cameras, and meshes of cards and things. Points are mm (x right, y away, z up), pictures px (y down)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.arrays import Float64Array

THICK_MM = 0.3
"""A card's thickness."""
_COLUMNS = 8
"""Faces across the mesh of a card."""


@dataclass(frozen=True)
class TracedCamera:
    """A webcam `at` (3,) mm. The rows of `axes` (3, 3) are the unit vectors right, down and forward in its picture.

    `hfov_deg` is the horizontal field of view, and `size` the picture's (width, height) px. Lens distortion is radial:
    what the sent picture shows `r` half-diagonals from its centre is at `r (1 + bend r²) / (1 + bend)` in the
    undistorted ("straight") one.
    """

    at: Float64Array
    axes: Float64Array
    hfov_deg: float
    size: tuple[int, int]
    bend: float

    @property
    def focal_px(self) -> float:
        """Focal length, px."""
        return self.size[0] / 2 / float(np.tan(np.radians(self.hfov_deg) / 2))

    def straight(self, points_mm: npt.ArrayLike) -> Float64Array:
        """Points (N, 3) mm projected to the undistorted picture, (N, 2) px."""
        seen = (np.asarray(points_mm, np.float64) - self.at) @ self.axes.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal_px + np.array(self.size) / 2, np.float64)

    def project(self, points_mm: npt.ArrayLike) -> Float64Array:
        """Points (N, 3) mm projected to the picture as it is sent, distortion included, (N, 2) px."""
        middle = np.array(self.size) / 2
        half = float(np.linalg.norm(middle))
        off = (self.straight(points_mm) - middle) / half
        bent = off.copy()
        for _ in range(30):  # fixed-point iteration, which converges since `bend` is small
            bent = off * (1 + self.bend) / (1 + self.bend * (bent**2).sum(1, keepdims=True))
        return bent * half + middle

    def unbend(self, points_px: Float64Array) -> Float64Array:
        """Points (N, 2) px of the picture as it is sent, undistorted."""
        middle = np.array(self.size) / 2
        half = float(np.linalg.norm(middle))
        off = (points_px - middle) / half
        straight = off * (1 + self.bend * (off**2).sum(1, keepdims=True)) / (1 + self.bend)
        return np.asarray(straight * half + middle, np.float64)


def camera_over(
    look_mm: tuple[float, float], height_mm: float, tilt_deg: float, azimuth_deg: float, roll_deg: float,
    hfov_deg: float, size: tuple[int, int], bend: float = 0.0,
) -> TracedCamera:  # fmt: skip
    """A camera `height_mm` above the table that looks at its point `look_mm`, tilted `tilt_deg` from straight down.

    The picture's upper edge is towards `azimuth_deg` (0: x); the camera is then rolled by `roll_deg`.
    """
    tilt, azimuth, roll = np.radians([tilt_deg, azimuth_deg, roll_deg])
    away = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    forward = np.sin(tilt) * away + np.array([0.0, 0.0, -np.cos(tilt)])
    right = np.cross(forward, away)
    right /= np.linalg.norm(right)
    if tilt_deg == 0:
        right = np.array([away[1], -away[0], 0.0])
    down = np.cross(forward, right)
    turned = np.cos(roll) * right + np.sin(roll) * down
    at = np.array([*look_mm, 0.0]) - forward * (height_mm / np.cos(tilt))
    return TracedCamera(at, np.stack([turned, np.cross(forward, turned), forward]), hfov_deg, size, bend)


@dataclass(frozen=True)
class Mesh:
    """Points (N, 3) mm, faces of their indices, and each point's texture coordinates (N, 2), 0..1, v up."""

    points: Float64Array
    faces: tuple[tuple[int, ...], ...]
    uv: Float64Array

    def moved(self, by: npt.ArrayLike, turn_rad: float = 0.0) -> "Mesh":
        """The mesh, turned about the z axis and then moved by (3,) mm."""
        return Mesh(turned(self.points, turn_rad) + np.asarray(by, np.float64), self.faces, self.uv)


def turned(points: Float64Array, angle: float) -> Float64Array:
    """Points (N, 2|3) turned about the z axis, rad counter-clockwise as seen from above."""
    out = points.copy()
    c, s = np.cos(angle), np.sin(angle)
    out[:, 0], out[:, 1] = c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]
    return out


@dataclass(frozen=True)
class Shape:
    """The size of a deck's cards and the radius of their corners, mm."""

    width: float
    height: float
    radius: float


@dataclass(frozen=True)
class Bend:
    """How a card is warped: its centre `bow` mm above its ends (negative: below them), and a `twist` in mm."""

    bow: float = 0.0
    twist: float = 0.0

    def height(self, x: Float64Array, y: Float64Array) -> Float64Array:
        """Heights in mm above its lowest point at `x`, `y`: positions -1..1 across and along the card."""
        bow = self.bow * (1 - y**2) if self.bow >= 0 else -self.bow * y**2
        return np.asarray(bow + self.twist * x * y + abs(self.twist), np.float64)


@dataclass(frozen=True)
class Pose:
    """Where a card lies: its centre in mm, its angle from y (rad, counter-clockwise), and its height `z` in mm."""

    x: float
    y: float
    angle: float
    z: float = 0.0

    def set_down(self, local: Float64Array) -> Float64Array:
        """Points (N, 3) mm, given relative to the card's centre, as they lie on the table."""
        points = turned(local, self.angle)
        return np.asarray(points + np.array([self.x, self.y, self.z]), np.float64)


def card_corners(shape: Shape, bend: Bend, place: Pose) -> Float64Array:
    """The corners (4, 3) mm of the upper side, as if not rounded: upper left first, clockwise."""
    return _upper(shape, bend, place, np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], np.float64))


def _local(shape: Shape, bend: Bend, unit: Float64Array) -> Float64Array:
    """Points (N, 3) mm relative to the card's centre; `unit` (N, 2) are -1..1 across and along."""
    half = np.array([shape.width, shape.height]) / 2
    return np.column_stack([unit * half, bend.height(unit[:, 0], unit[:, 1])])


def _upper(shape: Shape, bend: Bend, place: Pose, unit: Float64Array) -> Float64Array:
    """Points (N, 3) mm of the upper side of a card that lies on the table; `unit` as in `_local`."""
    points = place.set_down(_local(shape, bend, unit))
    points[:, 2] += THICK_MM
    return points


def _quads(rows: int, points: int, *, closed: bool = False) -> tuple[tuple[int, ...], ...]:
    """The faces between `rows` rows of so many `points`; a `closed` row goes on from its last point to its first."""
    sides = [(a, (a + 1) % points) for a in range(points if closed else points - 1)]
    return tuple(
        (row * points + a, row * points + b, (row + 1) * points + b, (row + 1) * points + a)
        for row in range(rows - 1)
        for a, b in sides
    )


def card_sheet(shape: Shape, bend: Bend, place: Pose) -> Mesh:
    """The upper side of a card, with rounded corners."""
    unit, rows = _grid(shape)
    return Mesh(_upper(shape, bend, place, unit), _quads(rows, _COLUMNS + 1), (unit + 1) / 2)


def card_edge(shape: Shape, bend: Bend, place: Pose) -> Mesh:
    """The edge of a card, `THICK_MM` high."""
    unit, rows = _grid(shape)
    loop = _rim(rows)
    low = place.set_down(_local(shape, bend, unit[loop]))
    count = len(loop)
    points = np.vstack([low, low + np.array([0, 0, THICK_MM])])
    return Mesh(points, _quads(2, count, closed=True), np.zeros((2 * count, 2)))


def card_rim(shape: Shape, bend: Bend, place: Pose) -> Float64Array:
    """The outline (N, 3) mm of the upper side, with rounded corners."""
    unit, rows = _grid(shape)
    return _upper(shape, bend, place, unit[_rim(rows)])


def lift_over(shape: Shape, bend: Bend, place: Pose, below: list[tuple[Bend, Pose]]) -> float:
    """The least height (mm) at which a card at `place`, whose z is ignored, touches none of the cards `below` it."""
    across, along = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 13))
    unit = np.column_stack([across.ravel(), along.ravel()])
    half = np.array([shape.width, shape.height]) / 2
    local = _local(shape, bend, unit)
    points = turned(local, place.angle)[:, :2] + (place.x, place.y)
    lift = 0.0
    for other, where in below:
        at = turned(points - (where.x, where.y), -where.angle) / half
        over = (np.abs(at) <= 1.02).all(1)
        if over.any():
            top = where.z + other.height(at[over, 0], at[over, 1]) + THICK_MM
            lift = max(lift, float((top - local[over, 2]).max()))
    return lift


def _grid(shape: Shape) -> tuple[Float64Array, int]:
    """Grid points (N, 2), -1..1 across and along a card, and the number of rows; rows end at the card's outline."""
    arc = np.radians(np.linspace(0, 90, 5))
    end = 1 - 2 * shape.radius / shape.height * (1 - np.sin(arc))
    narrow = 1 - 2 * shape.radius / shape.width * (1 - np.cos(arc))
    ys = np.concatenate([-end[::-1], np.linspace(-end[0], end[0], 10)[1:-1], end])
    wide = np.concatenate([narrow[::-1], np.ones(8), narrow])
    across = np.linspace(-1, 1, _COLUMNS + 1)
    unit = np.stack([wide[:, None] * across, np.repeat(ys[:, None], _COLUMNS + 1, axis=1)], axis=2)
    return unit.reshape(-1, 2), len(ys)


def _rim(rows: int) -> list[int]:
    """The indices of the points of `_grid` on the outline."""
    wide = _COLUMNS + 1
    right = [row * wide + _COLUMNS for row in range(1, rows)]
    top = [(rows - 1) * wide + k for k in range(_COLUMNS - 1, -1, -1)]
    left = [row * wide for row in range(rows - 2, 0, -1)]
    return [*range(wide), *right, *top, *left]


def lathe(profile: list[tuple[float, float]], steps: int = 28) -> Mesh:
    """The surface of revolution about z of a `profile` of (radius, height) mm, from its outer lower end up."""
    angles = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.vstack([np.column_stack([r * ring, np.full(steps, z)]) for r, z in profile])
    widest = max(r for r, _ in profile)
    uv = points[:, :2] / (2 * widest) + 0.5
    return Mesh(points, _quads(len(profile), steps, closed=True), uv)


def box(width: float, depth: float, height: float) -> Mesh:
    """A box on the table, centred on the z axis; its upper face shows the whole texture."""
    w, d = width / 2, depth / 2
    corners = [(-w, -d), (w, -d), (w, d), (-w, d)]
    points = np.array([(x, y, z) for z in (0, height, height) for x, y in corners], np.float64)
    uv = np.array([(0.0, 0.0)] * 8 + [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    return Mesh(points, (*_quads(2, 4, closed=True), (8, 9, 10, 11)), uv)


def sheet(width: float, depth: float, curl: float) -> Mesh:
    """A sheet of paper centred on the z axis, with one corner curled up by `curl` mm."""
    count = 9
    xs, ys = np.meshgrid(np.linspace(-0.5, 0.5, count), np.linspace(-0.5, 0.5, count))
    lift = curl * np.clip(xs + ys, 0, None) ** 2 + 0.2
    points = np.column_stack([xs.ravel() * width, ys.ravel() * depth, lift.ravel()])
    return Mesh(points, _quads(count, count), np.column_stack([xs.ravel(), ys.ravel()]) + 0.5)


def tube(path: npt.ArrayLike, radii: npt.ArrayLike, flat: float = 1.0) -> Mesh:
    """A tube along a `path` (N, 3) mm with `radii` (N,) mm, closed and rounded at both ends.

    `flat` is the ratio of its height to its width.
    """
    steps = 14  # faces round it
    line, wide = np.asarray(path, np.float64), np.asarray(radii, np.float64)
    line, wide = _round_ends(line, wide)
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    side = np.cross(along, np.array([0.0, 0.0, 1.0]))
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    up = np.cross(side, along)
    angles = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    rings = [
        p + r * (np.outer(np.cos(angles), s) + flat * np.outer(np.sin(angles), u))
        for p, r, s, u in zip(line, wide, side, up, strict=True)
    ]
    count = len(line)
    ends = (tuple(range(steps))[::-1], tuple(range((count - 1) * steps, count * steps)))
    faces = (*_quads(count, steps, closed=True), *ends)
    v = np.repeat(np.linspace(0, 1, count), steps)
    return Mesh(np.vstack(rings), faces, np.column_stack([np.tile(angles / (2 * np.pi), count), v]))


def _round_ends(line: Float64Array, wide: Float64Array) -> tuple[Float64Array, Float64Array]:
    first, last = line[0] - line[1], line[-1] - line[-2]
    first, last = first / np.linalg.norm(first), last / np.linalg.norm(last)
    out = np.array([0.5, 0.85, 1.0])  # how far the rings of an end stand out, in radii
    thin = np.sqrt(np.maximum(1 - out**2, 0.02))
    start = line[0] + wide[0] * out[::-1, None] * first
    end = line[-1] + wide[-1] * out[:, None] * last
    return np.vstack([start, line, end]), np.concatenate([wide[0] * thin[::-1], wide, wide[-1] * thin])


def joined(meshes: list[Mesh]) -> Mesh:
    """Several meshes as one."""
    offsets = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    faces = tuple(
        tuple(int(i + offset) for i in face)
        for mesh, offset in zip(meshes, offsets[:-1], strict=True)
        for face in mesh.faces
    )
    return Mesh(np.vstack([m.points for m in meshes]), faces, np.vstack([m.uv for m in meshes]))
