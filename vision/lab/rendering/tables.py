"""Drawings of tables: tops as homes and clubs have them, where a top ends, and things that stand on it.

Pictures are (H, W, 3) uint8 BGR. Lengths are px of the picture drawn on, unless named otherwise.
"""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, Rng, UInt8Array, one_of
from vision.decks import CARD_MM
from vision.lab.rendering.props import Color, draw_background, put_text, random_color, smooth_noise

STOREY = 1.25
"""The largest scale at which the top of a standing thing is seen; at the table's height it is 1."""


def _pale_wood(rng: Rng, width: int, height: int) -> Float32Array:
    """Boards of birch, oak or walnut with fine grain along them, each of its own tone."""
    base = np.array((rng.uniform(60, 200), rng.uniform(0, 1), rng.uniform(150, 250)))
    base[1] = base[0] + (base[2] - base[0]) * rng.uniform(0.5, 0.8)
    long = max(width, height)
    fine = smooth_noise(rng, (long // 16, long), long / 20)
    grain = cv2.resize(fine, (long, long), interpolation=cv2.INTER_LINEAR) * rng.uniform(2, 12)
    wide = int(rng.uniform(40, 260))
    tones = np.repeat(rng.normal(1, rng.uniform(0, 0.08), long // wide + 1), wide)[:long]
    tones[np.arange(0, long, wide)] *= rng.uniform(0.5, 1)
    boards = (base + grain[:, :, None]) * tones[:, None, None]
    upright = rng.random() < 0.5
    wood = boards[:width, :height].transpose(1, 0, 2) if upright else boards[:height, :width]
    return np.asarray(wood * rng.uniform(0.35, 1.05), np.float32)


def _plaid(rng: Rng, width: int, height: int) -> Float32Array:
    """A woven cloth of bands of several breadths and colours, the same along and across."""
    inks = np.array([random_color(rng) for _ in range(4)], np.float32)
    bands = np.repeat(rng.integers(0, 4, 12), rng.integers(2, 40, 12))
    across, along = (inks[np.resize(bands, side)] for side in (width, height))
    cloth = across[None] * 0.5 + along[:, None] * 0.5
    if rng.random() < 0.5:
        twill = (np.arange(width)[None] + np.arange(height)[:, None]) % 3 - 1
        cloth += twill[:, :, None] * rng.uniform(3, 14)
    return np.asarray(cloth, np.float32)


def _lace(rng: Rng, width: int, height: int) -> Float32Array:
    """A cloth with a repeated motif of flowers, rings or leaves, as lace or a print has it."""
    side = int(rng.uniform(30, 150))
    tile = np.full((side, side, 3), random_color(rng, 60), np.uint8)
    if rng.random() < 0.4:
        tile[:] = rng.uniform(210, 255)
    for _ in range(int(rng.integers(2, 7))):
        at, ink, reach = rng.uniform(0.15, 0.85, 2) * side, random_color(rng), side * rng.uniform(0.05, 0.22)
        petals = int(rng.integers(0, 8))
        for way in np.arange(petals) * 2 * np.pi / max(petals, 1):
            leaf = at + np.array([np.cos(way), np.sin(way)]) * reach
            axes = (max(1, int(reach * 0.8)), max(1, int(reach * 0.35)))
            middle, lean = leaf.astype(int).tolist(), float(np.degrees(way))
            cv2.ellipse(tile, middle, axes, lean, 0, 360, ink, -1, cv2.LINE_AA)
        core, middle, radius = random_color(rng), at.astype(int).tolist(), max(1, int(reach * 0.5))
        cv2.circle(tile, middle, radius, core, int(rng.choice((-1, 1, 2))), cv2.LINE_AA)
    cloth = np.tile(tile, (height // side + 1, width // side + 1, 1))[:height, :width]
    return cloth.astype(np.float32)


def _stone(rng: Rng, width: int, height: int) -> Float32Array:
    """Granite, terrazzo or tiles: one tone with specks, perhaps with joints."""
    base, speck = random_color(rng, 60, 240), random_color(rng)
    grey = rng.uniform(40, 230)
    tone = np.array(base if rng.random() < 0.3 else (grey, grey * 1.01, grey * 1.03), np.float32)
    field = smooth_noise(rng, (width, height), width / rng.uniform(2, 12))
    specks = (field > rng.uniform(0.8, 2.0))[:, :, None] * rng.uniform(0.1, 0.8)
    stone = tone * (1 - specks) + np.array(speck, np.float32) * specks
    stone = stone + smooth_noise(rng, (width, height), 6)[:, :, None] * rng.uniform(0, 14)
    if rng.random() < 0.3:
        side = int(rng.uniform(60, 300))
        stone[::side] *= 0.6
        stone[:, ::side] *= 0.6
    return np.asarray(stone, np.float32)


def _baize(rng: Rng, width: int, height: int) -> Float32Array:
    """Baize with fine nap, seams or printed lines and rings, and worn places."""
    cloth = np.empty((height, width, 3), np.float32)
    cloth[:] = random_color(rng, 30, 200)
    cloth += rng.standard_normal((height, width, 1)).astype(np.float32) * rng.uniform(1, 7)
    cloth += smooth_noise(rng, (width, height), rng.uniform(3, 14))[:, :, None] * rng.uniform(0, 9)
    line = np.ascontiguousarray(cloth.clip(0, 255).astype(np.uint8))
    for _ in range(int(rng.integers(0, 4))):
        ink = random_color(rng, 20, 255)
        a, b = (rng.uniform(-0.1, 1.1, (2, 2)) * (width, height)).astype(int).tolist()
        thick = int(rng.integers(1, 6))
        if rng.random() < 0.6:
            cv2.line(line, a, b, ink, thick, cv2.LINE_AA)
        else:
            cv2.circle(line, a, int(rng.uniform(0.1, 0.6) * width), ink, thick, cv2.LINE_AA)
    return line.astype(np.float32)


_TOPS: tuple[Callable[[Rng, int, int], Float32Array], ...] = (
    _pale_wood, _pale_wood, _plaid, _lace, _stone, _baize, _baize,
)  # fmt: skip


def draw_top(rng: Rng, size: tuple[int, int]) -> UInt8Array:
    """A table top of (width, height) px: boards, plaid, lace, stone or baize, or one that `draw_background` draws."""
    if rng.random() < 0.45:
        return draw_background(rng, size)
    top = one_of(rng, _TOPS)(rng, *size)
    if rng.random() < 0.5:  # most real colours are dull
        grey = top.mean(2, keepdims=True)
        top = np.asarray(grey + (top - grey) * rng.uniform(0.1, 0.7), np.float32)
    return np.ascontiguousarray(top.clip(0, 255).astype(np.uint8))


def lay_parquet(rng: Rng, canvas: UInt8Array, block_px: float) -> None:
    """Cover `canvas` with parquet, in baskets or in herringbone. Its blocks, `block_px` long, look like cards."""
    height, width = canvas.shape[:2]
    red = rng.uniform(90, 235)
    green = red * rng.uniform(0.55, 0.85)
    base = np.array((green * rng.uniform(0.5, 0.9), green, red))
    long, broad = block_px, block_px / float(rng.choice((2, 3, 4)))
    turn, tone = float(rng.uniform(0, np.pi)), rng.uniform(0.02, 0.15)
    c, s = np.cos(turn), np.sin(turn)
    joint = int(rng.integers(1, 3)) if rng.random() < 0.8 else 0
    baskets = rng.random() < 0.5
    far = int((np.hypot(width, height) / 2 + long) / broad) + 2
    steps = range(-far, far)
    columns = range(-int(far * broad / long) - 1, int(far * broad / long) + 2) if baskets else steps
    for row in steps:
        for column in columns:
            if baskets:  # as many blocks abreast as make a square, each square turned against the next
                line, k = divmod(row, round(long / broad))
                middle = np.array([(column + 0.5) * long, line * long + (k + 0.5) * broad])
                sides = np.array([long, broad])
                if (line + column) % 2:
                    middle = np.array([column * long + (k + 0.5) * broad, (line + 0.5) * long])
                    sides = sides[::-1]
            else:
                if (column - row) % round(2 * long / broad):
                    continue
                middle = np.array([column * broad + long / 2, row * broad + broad / 2])
                sides = np.array([long, broad])
            unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * sides
            blocks = [unit + middle]
            if not baskets:
                blocks.append(unit[:, ::-1] + middle + ((broad - long) / 2, (broad + long) / 2))
            for block in blocks:
                shape = block @ np.array([[c, s], [-s, c]]) + (width / 2, height / 2)
                shape = np.round(shape).astype(np.int32)
                color = (base * rng.normal(1, tone)).clip(0, 255).tolist()
                cv2.fillPoly(canvas, [shape], color, cv2.LINE_AA)
                if joint:
                    cv2.polylines(canvas, [shape], True, (base * 0.45).tolist(), joint, cv2.LINE_AA)


def print_outlines(rng: Rng, canvas: UInt8Array, places_px: Sequence[Float32Array], thick_px: int) -> None:
    """Print outlines at `places_px`, (4, 2) each, as a mat shows where cards go; perhaps with numbers."""
    ink = random_color(rng)
    numbered = rng.random() < 0.4
    for corners in places_px:
        cv2.polylines(canvas, [np.round(corners).astype(np.int32)], True, ink, thick_px, cv2.LINE_AA)
        if numbered:
            middle, tall = corners.mean(0), float(np.linalg.norm(corners[3] - corners[0]))
            number = str(rng.integers(1, 22))
            put_text(rng, canvas, number, (middle[0], middle[1]), tall * rng.uniform(0.1, 0.4), ink)


def table_end(rng: Rng, reach_mm: Float64Array) -> Float32Array:
    """The outline (N, 2) in mm of a table that ends within the view: round or with four corners, at any angle.

    `reach_mm` is half the view (x, y).
    """
    middle = rng.normal(0, 0.2, 2) * reach_mm
    if rng.random() < 0.35:
        ways = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        outline = np.column_stack([np.cos(ways), np.sin(ways)]) * reach_mm.max() * rng.uniform(0.6, 1.1)
    else:
        turn = rng.normal(0, 0.15) if rng.random() < 0.7 else rng.uniform(0, np.pi)
        c, s = np.cos(turn), np.sin(turn)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * reach_mm * rng.uniform(0.75, 1.5, 2)
        outline = corners @ np.array([[c, s], [-s, c]])
    return np.asarray(middle + outline, np.float32)


def draw_floor(rng: Rng, canvas: UInt8Array, floor: UInt8Array, outline_px: Float32Array) -> None:
    """Draw `floor` (H, W, 3), darkened, into `canvas` of the same size, outside the table's `outline_px` (N, 2) px."""
    mask = np.zeros(canvas.shape[:2], np.uint8)
    outline = np.round(np.clip(outline_px, -20000, 20000) * 16).astype(np.int32)
    cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA, 4)
    dim = rng.uniform(0.15, 0.95)
    outside = mask < 128
    canvas[outside] = (floor[outside] * dim).astype(np.uint8)
    if rng.random() < 0.7:
        edge = random_color(rng, 0, 230)
        cv2.polylines(canvas, [outline], True, edge, int(rng.integers(1, 14)), cv2.LINE_AA, 4)


def draw_standing(rng: Rng, canvas: UInt8Array, card_height: float, cards_px: Sequence[Float32Array]) -> None:
    """Draw one thing that stands on the table, with its shadow, as a camera above the table's middle sees it.

    It is a pile of chips, a cup, a glass, an ashtray, a bowl of snacks, coins, spectacles, a box of cards or somebody's
    lap at the picture's edge, to the scale of cards `card_height` px high. It stands away from the cards, whose corners
    are `cards_px`, (4, 2) each; where there is no room, nothing is drawn.
    """
    height, width = canvas.shape[:2]
    unit = card_height / CARD_MM[1]
    places = rng.uniform(0, 1, (6, 2)) * (width, height)
    free = [at for at in places if all(_far(at, corners) > 45 * unit for corners in cards_px)]
    if not free:
        return
    at = free[0]
    shade = rng.normal(0, 14 * unit, 2)
    one_of(rng, _THINGS)(rng, canvas, at, unit, shade)


def _far(at: Float64Array, corners_px: Float32Array) -> float:
    """The distance in px from `at` to a card at `corners_px`; below 0 inside it."""
    return -float(cv2.pointPolygonTest(corners_px, at.tolist(), True))


def _dimmed(color: Color, share: float) -> Color:
    """`color` with a share (0..1) of its light."""
    return color[0] * share, color[1] * share, color[2] * share


def _disc(
    canvas: UInt8Array, at: Float64Array, radius: float, color: Color, thick: int = -1, flat: float = 1.0
) -> None:
    axes = (max(1, int(radius)), max(1, int(radius * flat)))
    cv2.ellipse(canvas, (int(at[0]), int(at[1])), axes, 0, 0, 360, color, thick, cv2.LINE_AA)


def _shade(canvas: UInt8Array, at: Float64Array, radius: float) -> None:
    """Darken the table in a soft disc."""
    height, width = canvas.shape[:2]
    low = np.clip((at - radius * 1.3).astype(int), 0, (width, height))
    high = np.clip((at + radius * 1.3).astype(int), 0, (width, height))
    if (high - low).min() < 1:
        return
    part = canvas[low[1] : high[1], low[0] : high[0]]
    ys, xs = np.mgrid[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    far = ((xs - at[0]) ** 2 + (ys - at[1]) ** 2) / radius**2
    part[:] = (part * (1 - 0.5 * np.exp(-(far**2)))[:, :, None]).astype(np.uint8)


def _outward(canvas: UInt8Array, at: Float64Array, tall: float) -> Float64Array:
    """Where the top of a thing at `at` that is `tall` mm high is seen: farther from the picture's middle."""
    middle = np.array(canvas.shape[1::-1]) / 2
    return np.asarray((at - middle) * min(tall / 900, STOREY - 1), np.float64)


def _column(
    canvas: UInt8Array, at: Float64Array, radius: float, tall: float, color: Color, top: Color
) -> Float64Array:
    """A round thing `tall` mm high, its side in `color`; returns the middle of its `top`."""
    lean = _outward(canvas, at, tall)
    for share in np.linspace(0, 1, max(2, int(np.abs(lean).max() / 2))):
        _disc(canvas, at + lean * share, radius, color)
    _disc(canvas, at + lean, radius, top)
    return at + lean


def _chip_pile(rng: Rng, canvas: UInt8Array, at: Float64Array, unit: float, shade: Float64Array) -> None:
    radius = unit * rng.uniform(14, 21)
    inks = [random_color(rng) for _ in range(int(rng.integers(1, 4)))]
    for _ in range(int(rng.integers(1, 6))):
        foot = at + rng.normal(0, 35 * unit, 2)
        chips = int(rng.integers(1, 18))
        _shade(canvas, foot + shade * chips / 12, radius * 1.3)
        ink, pale = one_of(rng, inks), random_color(rng, 180)
        dark = _dimmed(ink, 0.6)
        top = _column(canvas, foot + rng.normal(0, unit, 2), radius, chips * 3.3, dark, ink)
        for angle in np.arange(0, 360, int(rng.choice((45, 60, 90)))) + rng.uniform(0, 90):
            axes = (max(1, int(radius * 0.9)),) * 2
            middle, thick = top.astype(int).tolist(), max(1, int(radius * 0.2))
            cv2.ellipse(canvas, middle, axes, float(angle), 0, 20, pale, thick)
        _disc(canvas, top, radius * 0.6, pale, int(rng.choice((-1, 1))))


def _mug(rng: Rng, canvas: UInt8Array, at: Float64Array, unit: float, shade: Float64Array) -> None:
    radius, color = unit * rng.uniform(30, 45), random_color(rng, 60)
    _shade(canvas, at + shade * 2, radius * 1.4)
    if rng.random() < 0.4:
        _disc(canvas, at, radius * 1.6, random_color(rng, 120))
    way = rng.uniform(0, 2 * np.pi)
    dark = _dimmed(color, 0.7)
    ear = at + _outward(canvas, at, 50) + radius * 1.15 * np.array([np.cos(way), np.sin(way)])
    _disc(canvas, ear, radius * 0.4, dark, max(2, int(radius * 0.18)))
    top = _column(canvas, at, radius, float(rng.uniform(40, 110)), dark, color)
    _disc(canvas, top, radius * 0.86, random_color(rng, 5, 120))


def _tumbler(rng: Rng, canvas: UInt8Array, at: Float64Array, unit: float, shade: Float64Array) -> None:
    radius = unit * rng.uniform(25, 42)
    _shade(canvas, at + shade * 2, radius * 1.5)
    top = at + _outward(canvas, at, float(rng.uniform(60, 180)))
    drink, clear = random_color(rng, 60), rng.uniform(160, 255)
    if rng.random() < 0.7:
        _disc(canvas, at * 0.4 + top * 0.6, radius * 0.9, drink)
    for where, reach in ((at, 0.75), (top, 1.0), (top, 0.93)):
        _disc(canvas, where, radius * reach, (clear, clear, clear), max(1, int(radius * 0.05)))
    _disc(canvas, top - radius * 0.5, radius * 0.12, (255, 255, 255))


def _bowl(rng: Rng, canvas: UInt8Array, at: Float64Array, unit: float, shade: Float64Array) -> None:
    """A bowl of snacks, or an ashtray."""
    radius = unit * rng.uniform(45, 95)
    _shade(canvas, at + shade, radius * 1.25)
    color, snack = random_color(rng, 60), random_color(rng, 90)
    top = _column(canvas, at, radius, float(rng.uniform(15, 60)), _dimmed(color, 0.6), color)
    _disc(canvas, top, radius * 0.85, _dimmed(color, 0.75))
    for _ in range(int(rng.integers(3, 40))):
        where = top + rng.uniform(-0.55, 0.55, 2) * radius
        k = rng.uniform(0.6, 1.1)
        _disc(canvas, where, unit * rng.uniform(4, 13), _dimmed(snack, k), -1, rng.uniform(0.4, 1))


def _coins(rng: Rng, canvas: UInt8Array, at: Float64Array, unit: float, shade: Float64Array) -> None:
    for _ in range(int(rng.integers(2, 14))):
        where = at + rng.normal(0, 35 * unit, 2)
        radius, level = unit * rng.uniform(8, 14), rng.uniform(90, 230)
        color = (level * 0.95, level, level) if rng.random() < 0.5 else (level * 0.45, level * 0.7, level)
        _shade(canvas, where + shade * 0.1, radius * 1.2)
        _disc(canvas, where, radius, color)
        _disc(canvas, where, radius * 0.85, _dimmed(color, 0.7), 1)


def _spectacles(rng: Rng, canvas: UInt8Array, at: Float64Array, unit: float, shade: Float64Array) -> None:
    way, ink, thick = rng.uniform(0, 2 * np.pi), random_color(rng, 0, 140), max(1, int(2.5 * unit))
    side, back = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
    for k in (-1, 1):
        _disc(canvas, at + k * side * 34 * unit, 25 * unit, ink, thick, float(rng.uniform(0.7, 1)))
        hinge = at + k * side * 60 * unit
        ends = np.stack([hinge, hinge + back * 120 * unit]).astype(int)
        cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), ink, thick, cv2.LINE_AA)


def _box(rng: Rng, canvas: UInt8Array, at: Float64Array, unit: float, shade: Float64Array) -> None:
    """A box or other block that stands there: its top and, towards the picture's middle, its sides."""
    sides = np.array([rng.uniform(40, 130), rng.uniform(60, 200)]) * unit
    foot = cv2.boxPoints(
        ((float(at[0]), float(at[1])), (float(sides[0]), float(sides[1])), float(rng.uniform(0, 180)))
    )
    color = random_color(rng, 20)
    _shade(canvas, at + shade, float(sides.max()) * 0.6)
    top = foot + _outward(canvas, at, float(rng.uniform(15, 90)))
    hull = cv2.convexHull(np.concatenate([foot, top]).astype(np.float32))
    cv2.fillConvexPoly(canvas, np.round(hull).astype(np.int32), _dimmed(color, 0.6), cv2.LINE_AA)
    cv2.fillConvexPoly(canvas, np.round(top).astype(np.int32), color, cv2.LINE_AA)
    inner = top.mean(0) + (top - top.mean(0)) * rng.uniform(0.4, 0.95)
    rim = np.round(inner).astype(np.int32)
    cv2.polylines(canvas, [rim], True, random_color(rng), max(1, int(3 * unit)), cv2.LINE_AA)


def _lap(rng: Rng, canvas: UInt8Array, at: Float64Array, unit: float, shade: Float64Array) -> None:
    """Somebody's lap or belly at the edge of the picture, with folds."""
    height, width = canvas.shape[:2]
    side = int(rng.integers(4))
    at = np.array(((at[0], 0.0), (width, at[1]), (at[0], height), (0.0, at[1]))[side], np.float64)
    reach, color = rng.uniform(90, 260) * unit, random_color(rng, 10)
    for k in np.linspace(1, 0.4, int(rng.integers(1, 6))):
        tone = 0.6 + 0.4 * k
        _disc(canvas, at + rng.normal(0, 8 * unit, 2), reach * k, _dimmed(color, tone), -1, 0.8)


_THINGS: tuple[Callable[[Rng, UInt8Array, Float64Array, float, Float64Array], None], ...] = (
    _chip_pile, _chip_pile, _mug, _tumbler, _bowl, _coins, _spectacles, _box, _lap,
)  # fmt: skip
