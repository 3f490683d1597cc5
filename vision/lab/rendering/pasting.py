"""Laying the picture of a card into a rendered one: the camera's homography, shadows, and a print's wear.

Corners are the top left, top right, bottom right and bottom left of the card's own picture, (4, 2) float32 px of the
rendered one. Table coordinates are mm; the origin is where the camera looks.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import BoolArray, Float32Array, Float64Array, Rng, UInt8Array
from vision.decks import CARD_MM, Sprite
from vision.lab.rendering.props import Color

LARGEST = 4
"""The most longer sides of the picture that a card may fill: a larger one lies beside the camera, or behind it."""


def camera_matrix(
    size: tuple[int, int], card_height_px: float, tilt_deg: float, azimuth_deg: float, turn_deg: float
) -> Float64Array:
    """The (3, 3) homography from table mm to px of a (width, height) picture.

    A card at the origin is about `card_height_px` high. The camera is tilted `tilt_deg` from the vertical
    towards `azimuth_deg` and rolled about its own axis by `turn_deg`.
    """
    width, height = size
    focal = 1.1 * width
    distance = focal * CARD_MM[1] / card_height_px
    tilt, azimuth, turn = np.radians([tilt_deg, azimuth_deg, turn_deg])

    def about_z(angle: float) -> Float64Array:
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])

    c, s = np.cos(tilt), np.sin(tilt)
    lean = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    rotation = about_z(turn) @ about_z(-azimuth) @ lean @ about_z(azimuth)
    extrinsic = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    intrinsic = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    return np.asarray(intrinsic @ extrinsic, np.float64)


def project(matrix: Float64Array, points_mm: npt.ArrayLike) -> Float32Array:
    """Project (N, 2) table points in mm to (N, 2) float32 px."""
    points = np.asarray(points_mm, np.float64).reshape(-1, 1, 2)
    return cv2.perspectiveTransform(points, matrix).reshape(-1, 2).astype(np.float32)


@dataclass(frozen=True)
class Wear:
    """How a printed card differs from its picture.

    - `gain`, `offset`: colours (BGR) are multiplied by the one and shifted by the other (0..255).
    - `cut`: the share trimmed off each side (x, y). `edge`: how much the worn rim is darkened (0..1).
    - `bow`: the light on a bent card: its direction in rad, and how much brighter one end and the middle are (shares).
    """

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    offset: float = 0.0
    cut: tuple[float, float] = (0.0, 0.0)
    edge: float = 0.0
    bow: tuple[float, float, float] = (0.0, 0.0, 0.0)


MINT = Wear()
"""No wear."""


@dataclass(frozen=True)
class Cast:
    """How cards throw shadows: how `soft` these are, and where they fall (`off`: x, y), in heights of a card.

    `rim` is the colour of a card's edge, seen on the sides towards the light; None if no edge is seen.
    """

    soft: float = 0.02
    off: tuple[float, float] = (0.0, 0.0)
    rim: Color | None = None


AROUND = Cast()
"""A close shadow all round."""


def random_cast(rng: Rng) -> Cast:
    """A close shadow all round, or one that falls to one side, thin and dark to wide and soft."""
    kind, way = rng.random(), rng.uniform(0, 2 * np.pi)
    if kind < 0.35:
        return AROUND
    soft, off = (rng.uniform(0.004, 0.015), rng.uniform(0.005, 0.025))
    if kind > 0.7:
        soft, off = rng.uniform(0.02, 0.06), rng.uniform(0.02, 0.08)
    level = rng.uniform(170, 250) if rng.random() < 0.5 else rng.uniform(30, 120)
    rim = (level * 0.92, level * 0.97, level) if rng.random() < 0.4 else None
    return Cast(soft, (float(np.cos(way) * off), float(np.sin(way) * off)), rim)


def paste(
    canvas: UInt8Array,
    sprite: Sprite,
    corners_px: Float32Array,
    shadow: float = 0.0,
    wear: Wear = MINT,
    cast: Cast = AROUND,
) -> tuple[slice, slice, BoolArray] | None:
    """Draw `sprite` into `canvas` (H, W, 3) with its corners on `corners_px` (4, 2).

    `shadow` (0..1) is how dark its shadow is; `cast` says where it falls. Returns the rows and columns touched and, of
    their size, the mask of pixels that now show the card. Returns None when the card is outside the picture, or larger
    than `LARGEST`.
    """
    height, width = canvas.shape[:2]
    height_px = float(
        max(np.linalg.norm(corners_px[3] - corners_px[0]), np.linalg.norm(corners_px[2] - corners_px[1]))
    )
    margin = 4
    if shadow > 0 and cast is not AROUND:
        margin += int((max(np.abs(cast.off)) + 2 * cast.soft) * min(height_px, max(height, width)))
    low = np.floor(corners_px.min(0)).astype(int) - margin
    high = np.ceil(corners_px.max(0)).astype(int) + margin
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(width, int(high[0])), min(height, int(high[1]))
    if x0 >= x1 or y0 >= y1 or (high - low).max() > LARGEST * max(height, width):
        return None
    local = corners_px - np.array([x0 + 0.5, y0 + 0.5], np.float32)
    shown = _warped(sprite, local, (x1 - x0, y1 - y0), height_px, wear)
    rows, columns = slice(y0, y1), slice(x0, x1)
    alpha = shown[:, :, 3]
    transparency = 1 - alpha.astype(np.float32) / 255
    if shadow > 0:
        fallen = alpha
        if cast.off != (0.0, 0.0):
            move = np.array([[1, 0, cast.off[0] * height_px], [0, 1, cast.off[1] * height_px]])
            fallen = cv2.warpAffine(alpha, move, alpha.shape[::-1]).astype(np.uint8, copy=False)
        around = cv2.GaussianBlur(
            fallen, (0, 0), max(0.7 if cast.off != (0.0, 0.0) else 1.0, height_px * cast.soft)
        )
        transparency *= 1 - around.astype(np.float32) * (shadow / 255)
    below = cv2.multiply(canvas[rows, columns], cv2.merge([transparency] * 3), dtype=cv2.CV_8U)
    canvas[rows, columns] = cv2.add(below, _printed(shown, height_px, wear))
    if cast.rim is not None:
        _draw_rim(canvas, corners_px, cast.off, cast.rim)
    return rows, columns, alpha > 127


def _draw_rim(canvas: UInt8Array, corners_px: Float32Array, off: tuple[float, float], rim: Color) -> None:
    """Draw a thin line along the sides of a card towards the light; its shadow falls to `off` (x, y)."""
    middle = corners_px.mean(0)
    for a, b in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        if np.dot((a + b) / 2 - middle, off) < 0:
            ends = np.round((np.stack([a * 0.95 + b * 0.05, a * 0.05 + b * 0.95]) - 0.5) * 16).astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), rim, 1, cv2.LINE_AA, 4)


def _warped(
    sprite: Sprite, corners_px: Float32Array, size: tuple[int, int], height_px: float, wear: Wear
) -> UInt8Array:
    """`sprite`, trimmed by `wear.cut`, warped to `corners_px` in a premultiplied BGRA picture of (width, height) px."""
    level = max((i for i, art in enumerate(sprite) if art.shape[0] >= height_px * 0.75), default=0)
    art = sprite[level]
    h, w = art.shape[:2]
    dx, dy = w * wear.cut[0], h * wear.cut[1]
    source = np.array([[dx, dy], [w - dx, dy], [w - dx, h - dy], [dx, h - dy]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, corners_px)
    shown = cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_LINEAR)
    if wear.cut != (0.0, 0.0):
        sheet = np.zeros(shown.shape[:2], np.uint8)
        cv2.fillConvexPoly(sheet, np.round(corners_px * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        shown = cv2.multiply(shown, cv2.merge([sheet] * 4), scale=1 / 255)
    return shown.astype(np.uint8, copy=False)


def _printed(shown: UInt8Array, height_px: float, wear: Wear) -> UInt8Array:
    """The colours of `shown`, premultiplied BGRA, as a card with this `wear` has them: premultiplied BGR."""
    # The offset is added in proportion to alpha, since colours are premultiplied.
    ink = cv2.transform(shown, np.hstack([np.diag(wear.gain), np.full((3, 1), wear.offset / 255)]))
    if wear.edge:
        alpha = cv2.extractChannel(shown, 3)
        rim = cv2.GaussianBlur(cv2.erode(alpha, np.ones((3, 3))), (0, 0), height_px * 0.012)
        worn = 1 - wear.edge * (1 - rim.astype(np.float32) / 255)
        ink = cv2.multiply(ink, cv2.merge([worn] * 3), dtype=cv2.CV_8U)
    if wear.bow != (0.0, 0.0, 0.0):
        way, slope, hump = wear.bow
        high, wide = shown.shape[:2]
        y, x = np.arange(high) / high * 2 - 1, np.arange(wide) / wide * 2 - 1
        along = np.add.outer(y * np.sin(way), x * np.cos(way))
        bent = (1 + slope * along - hump * (along**2 - 0.3)).astype(np.float32)
        ink = cv2.multiply(ink, cv2.merge([bent] * 3), dtype=cv2.CV_8U)
    return ink.astype(np.uint8, copy=False)


def random_wear(rng: Rng) -> Wear:
    """The wear of one print of a card: yellowed, faded, worn at the edges, cut a little differently; or none."""
    if rng.random() < 0.3:
        return MINT
    fade = rng.uniform(0.75, 1.0)
    cut = rng.uniform(0, 0.045) if rng.random() < 0.35 else 0.0
    return Wear(
        gain=(fade * rng.uniform(0.78, 1), fade * rng.uniform(0.88, 1), fade * rng.uniform(0.92, 1)),
        offset=255 * (1 - fade) * rng.uniform(0.2, 0.9),
        cut=(cut * rng.uniform(0.8, 1.8), cut),
        edge=0.4 if rng.random() < 0.25 else 0.0,
    )


def opaque(art: UInt8Array) -> Sprite:
    """`art` (H, W, 3) as a sprite without transparency: itself, and at half its size for where it is shrunk."""
    whole = cv2.merge([art, np.full(art.shape[:2], 255, np.uint8)]).astype(np.uint8, copy=False)
    half = cv2.resize(whole, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return whole, half
