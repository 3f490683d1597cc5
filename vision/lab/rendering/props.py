"""Procedural drawings of what a card table has besides cards: cloths, hands, chips, cups, pens, plain backs.

Every function takes a random generator; from the same state of it comes the same picture.
Pictures are (H, W, 3) uint8 BGR. Lengths are px of the picture drawn on, unless named otherwise.
"""

from collections.abc import Callable

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, Rng, UInt8Array, one_of
from vision.decks import CARD_MM, Sprite, sprite_of

Color = tuple[float, float, float]


def random_color(rng: Rng, low: float = 0, high: float = 255) -> Color:
    """A BGR colour (0..255) of any hue, with its HSV value within `low`..`high`."""
    hsv = np.array([[[rng.integers(180), rng.integers(30, 256), rng.uniform(low, high)]]]).astype(np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


def smooth_noise(rng: Rng, size: tuple[int, int], cells: float) -> Float32Array:
    """Smooth noise (H, W) float32 of mean 0 and standard deviation about 1, with about `cells` blobs across."""
    width, height = size
    grid = (max(2, round(cells * height / width)), max(2, round(cells)))
    coarse = rng.standard_normal(grid).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32, copy=False)


def _felt(rng: Rng, width: int, height: int) -> Float32Array:
    base = np.full((height, width, 3), random_color(rng, 30, 220), np.float32)
    grain = smooth_noise(rng, (width, height), width / rng.uniform(1.5, 6)) * rng.uniform(1, 14)
    return np.asarray(base + grain[:, :, None], np.float32)


def _wood(rng: Rng, width: int, height: int) -> Float32Array:
    light = np.array(random_color(rng, 90, 230), np.float32) * np.array([0.5, 0.75, 1], np.float32)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    if rng.random() < 0.5:
        ys, xs = xs, ys
    warp = smooth_noise(rng, (width, height), 5) * rng.uniform(2, 12)
    rings = np.sin((ys + warp) / rng.uniform(2, 9) + smooth_noise(rng, (width, height), 3) * 2)
    boards = np.floor(ys / rng.uniform(60, 200))
    tone = 1 + 0.12 * rings + 0.06 * np.sin(boards * 12.9898)
    seams = (ys % rng.uniform(60, 200) < 1.5) * rng.uniform(0, 0.5)
    grain = smooth_noise(rng, (width, height), width / 3)[:, :, None] * 4
    return np.asarray(light * (tone - seams)[:, :, None] + grain, np.float32)


def _checks(rng: Rng, width: int, height: int) -> Float32Array:
    a, b, c = (np.array(random_color(rng), np.float32) for _ in range(3))
    pitch = rng.uniform(8, 140)
    angle = rng.uniform(0, np.pi)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    u = xs * np.cos(angle) + ys * np.sin(angle)
    v = ys * np.cos(angle) - xs * np.sin(angle)
    across, along = (u % pitch > pitch / 2), (v % pitch > pitch / 2)
    kind = rng.integers(4)
    if kind == 0:
        cloth = np.where((across ^ along)[:, :, None], a, b)
    elif kind == 1:
        cloth = np.where(across[:, :, None], a, b)
    elif kind == 2:
        cloth = np.where(across[:, :, None], a, b) * 0.5 + np.where(along[:, :, None], a, c) * 0.5
    else:
        radius = pitch * rng.uniform(0.1, 0.4)
        dots = (u % pitch - pitch / 2) ** 2 + (v % pitch - pitch / 2) ** 2 < radius**2
        cloth = np.where(dots[:, :, None], a, b)
    grain = smooth_noise(rng, (width, height), width / 2)[:, :, None] * rng.uniform(0, 12)
    return np.asarray(cloth + grain, np.float32)


def _marble(rng: Rng, width: int, height: int) -> Float32Array:
    a, b = (np.array(random_color(rng), np.float32) for _ in range(2))
    field = sum(smooth_noise(rng, (width, height), 2 * 2.2**k) / 1.6**k for k in range(5))
    mix = 1 / (1 + np.exp(-np.asarray(field) * rng.uniform(0.7, 6)))
    return np.asarray(a * mix[:, :, None] + b * (1 - mix[:, :, None]), np.float32)


def _oriental(rng: Rng, width: int, height: int) -> Float32Array:
    cloth = _felt(rng, width, height).clip(0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(20, 120))):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        axes = (int(rng.uniform(2, 40)), int(rng.uniform(2, 25)))
        thickness = -1 if rng.random() < 0.5 else int(rng.integers(1, 4))
        color = random_color(rng)
        if rng.random() < 0.5:
            cv2.ellipse(cloth, at, axes, float(rng.uniform(0, 180)), 0, 360, color, thickness, cv2.LINE_AA)
        else:
            cv2.rectangle(cloth, at, (at[0] + axes[0], at[1] + axes[1]), color, thickness)
    return cloth.astype(np.float32)


_CLOTHS: tuple[Callable[[Rng, int, int], Float32Array], ...] = (
    _felt, _wood, _checks, _marble, _oriental,
)  # fmt: skip


def draw_background(rng: Rng, size: tuple[int, int]) -> UInt8Array:
    """A table top of (width, height) px: felt, wood, checked cloth, marble or a patterned cloth."""
    width, height = size
    kind = rng.choice(len(_CLOTHS), p=(0.3, 0.2, 0.25, 0.1, 0.15))
    cloth = _CLOTHS[kind](rng, width, height)
    if rng.random() < 0.4:
        cloth = cloth + smooth_noise(rng, size, rng.uniform(3, 30))[:, :, None] * rng.uniform(2, 18)
    tone = rng.random()
    if tone < 0.25:
        cloth = cloth * rng.uniform(0.15, 0.8)
    elif tone < 0.42:  # nearly as pale as cards, like a white cloth, birch or paper
        pale = np.array((rng.uniform(190, 250), rng.uniform(215, 250), rng.uniform(225, 255)), np.float32)
        share = np.float32(rng.uniform(0.6, 0.97))
        cloth = cloth * (1 - share) + pale * share
    return cloth.clip(0, 255).astype(np.uint8)


def pattern(rng: Rng, size: tuple[int, int]) -> UInt8Array:
    """A pattern in two or three colours of (width, height) px: lines, trellis, dots, checks or marble."""
    width, height = size
    art = np.full((height, width, 3), random_color(rng, 40, 255), np.uint8)
    ink = random_color(rng, 0, 255)
    step = int(rng.integers(5, 26))
    kind = rng.integers(5)
    if kind in (0, 1):
        for offset in range(-height, width + height, step):
            cv2.line(art, (offset, 0), (offset + height, height), ink, int(rng.integers(1, 4)), cv2.LINE_AA)
            if kind == 1:
                cv2.line(art, (offset, 0), (offset - height, height), ink, 1, cv2.LINE_AA)
    elif kind == 2:
        for y in range(0, height, step):
            for x in range((y // step % 2) * step // 2, width, step):
                cv2.circle(art, (x, y), max(1, step // 4), ink, -1, cv2.LINE_AA)
    elif kind == 3:
        art = _checks(rng, width, height).clip(0, 255).astype(np.uint8)
    else:
        art = _marble(rng, width, height).clip(0, 255).astype(np.uint8)
    return art


def draw_back(rng: Rng) -> Sprite:
    """A plain patterned back of a film's deck, mostly inside a border, as a sprite."""
    art = pattern(rng, (122, 224))
    if rng.random() < 0.75:
        edge = int(rng.integers(3, 12))
        paper = rng.uniform(200, 255)
        framed = np.full_like(art, (paper * 0.95, paper * 0.98, paper))
        framed[edge:-edge, edge:-edge] = art[edge:-edge, edge:-edge]
        art = framed
    return sprite_of(art, float(rng.uniform(1, 5)))


HERSHEY_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)  # fmt: skip


def put_text(
    rng: Rng,
    canvas: UInt8Array,
    text: str,
    at: tuple[float, float],
    tall: float,
    ink: Color,
    face: int | None = None,
) -> None:
    """Write `text` about `tall` px high, centred `at` (x, y), in OpenCV's font `face`, or in a random one."""
    if face is None:
        face = one_of(rng, HERSHEY_FONTS)
    thick = max(1, round(tall * rng.uniform(0.05, 0.16)))
    scale = tall / cv2.getTextSize("8", face, 1.0, 1)[0][1]
    (wide, _), _ = cv2.getTextSize(text, face, scale, thick)
    corner = (int(at[0] - wide / 2), int(at[1] + tall / 2))
    cv2.putText(canvas, text, corner, face, scale, ink, thick, cv2.LINE_AA)


_SKINS: tuple[Color, ...] = (
    (180, 205, 240), (150, 180, 225), (120, 150, 205), (95, 125, 180), (60, 85, 135), (40, 55, 95),
)  # fmt: skip


def draw_hand(
    rng: Rng, canvas: UInt8Array, finger_tip: tuple[float, float], reach: float, size: float
) -> None:
    """Draw a hand and its arm into `canvas`, fingertips at `finger_tip` (x, y), coming from the angle `reach` (rad).

    `size` is the width of the palm in px; a card is about as wide.
    """
    height, width = canvas.shape[:2]
    skin = np.clip(np.array(one_of(rng, _SKINS)) * rng.uniform(0.7, 1.15, 3), 0, 255)
    if rng.random() < 0.15:
        skin = np.array(random_color(rng, 60, 255))
    skin_color: Color = (float(skin[0]), float(skin[1]), float(skin[2]))
    dark: Color = (skin_color[0] * 0.7, skin_color[1] * 0.7, skin_color[2] * 0.7)
    sleeve = random_color(rng, 0, 255)
    away = np.array([np.cos(reach), np.sin(reach)])
    side = np.array([-away[1], away[0]])
    tip = np.array(finger_tip)

    def point(along: float, across: float) -> tuple[int, int]:
        at = tip + away * along * size + side * across * size
        return int(np.clip(at[0], -4000, 4000)), int(np.clip(at[1], -4000, 4000))

    far = (width + height) / size
    wrist = rng.uniform(1.9, 2.6)
    bare = rng.uniform(0.0, 1.2)
    cv2.line(canvas, point(wrist - 0.4, 0), point(far, 0), skin_color, max(2, int(size * 0.62)), cv2.LINE_AA)
    if rng.random() < 0.3:
        outline = np.array([
            point(0, -0.15), point(0.1, 0.2), point(0.5, 0.5), point(wrist, 0.5), point(wrist, -0.5), point(0.5, -0.5),
        ])  # fmt: skip
        cv2.fillPoly(canvas, [outline], skin_color, cv2.LINE_AA)
        for across in (-0.2, 0.0, 0.2):
            cv2.line(canvas, point(0.15, across), point(0.7, across), dark, 1, cv2.LINE_AA)
    else:
        cv2.ellipse(
            canvas, point(1.35, 0), (int(size * 0.62), int(size * 0.5)), float(np.degrees(reach)), 0, 360,
            skin_color, -1, cv2.LINE_AA,
        )  # fmt: skip
        thick = max(2, int(size * rng.uniform(0.19, 0.25)))
        for across, start in ((-0.36, 0.25), (-0.12, 0.0), (0.12, 0.03), (0.36, 0.3)):
            bend = rng.uniform(-0.08, 0.08)
            a, b = point(start + rng.uniform(0, 0.25), across * 0.8 + bend), point(1.3, across)
            cv2.line(canvas, a, b, dark, thick + 1, cv2.LINE_AA)
            cv2.line(canvas, a, b, skin_color, max(1, thick - 1), cv2.LINE_AA)
        hand_side = 1 if rng.random() < 0.5 else -1
        thumb = point(rng.uniform(0.3, 1.0), hand_side * rng.uniform(0.45, 0.75))
        cv2.line(canvas, thumb, point(1.5, hand_side * 0.35), skin_color, thick + 1, cv2.LINE_AA)
    cv2.line(
        canvas, point(wrist + bare, 0), point(far, rng.uniform(-0.6, 0.6)), sleeve,
        max(2, int(size * rng.uniform(0.8, 1.4))), cv2.LINE_AA,
    )  # fmt: skip


def draw_clutter(rng: Rng, canvas: UInt8Array, card_height: float) -> None:
    """Draw chips, a cup, a glass, paper, a phone or a pen into `canvas`, where cards are `card_height` px high."""
    height, width = canvas.shape[:2]
    at = np.array([rng.uniform(0, width), rng.uniform(0, height)])
    px_per_mm = card_height / CARD_MM[1]
    one_of(rng, (_chips, _cup, _glass, _paper, _phone, _pen))(rng, canvas, at, px_per_mm)


def _chips(rng: Rng, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    for _ in range(int(rng.integers(1, 9))):
        c = at + rng.normal(0, 30 * px_per_mm, 2)
        spot = (int(c[0]), int(c[1]))
        radius, color = max(2, int(px_per_mm * rng.uniform(14, 21))), random_color(rng)
        cv2.circle(canvas, spot, radius, color, -1, cv2.LINE_AA)
        for angle in np.arange(0, 360, 45) + rng.uniform(0, 45):
            cv2.ellipse(canvas, spot, (radius, radius), angle, 0, 18, (245, 245, 245), max(1, radius // 5))
        cv2.circle(canvas, spot, max(1, int(radius * 0.6)), random_color(rng, 150), 1, cv2.LINE_AA)


def _cup(rng: Rng, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> int:
    """Draw a cup and return its radius in px."""
    center, radius = (int(at[0]), int(at[1])), int(px_per_mm * rng.uniform(30, 48))
    cv2.circle(canvas, center, radius, random_color(rng, 120), -1, cv2.LINE_AA)
    cv2.circle(canvas, center, int(radius * 0.85), random_color(rng, 10, 160), -1, cv2.LINE_AA)
    return radius


def _glass(rng: Rng, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    """A cup with a highlight."""
    radius = _cup(rng, canvas, at, px_per_mm)
    spot = (int(at[0]) - radius // 3, int(at[1]) - radius // 3)
    cv2.circle(canvas, spot, max(1, radius // 6), (255, 255, 255), -1, cv2.LINE_AA)


def _paper(rng: Rng, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    """A sheet with lines of writing."""
    box = _turned_box(rng, at, (210 * px_per_mm, 148 * px_per_mm))
    paper = random_color(rng, 200, 255)
    if rng.random() < 0.7:
        level = rng.uniform(190, 255)
        paper = (level, level, level)
    cv2.fillPoly(canvas, [box.astype(np.int32)], paper, cv2.LINE_AA)
    for k in np.linspace(0.1, 0.9, 9):
        a, b = box[0] + (box[1] - box[0]) * k, box[3] + (box[2] - box[3]) * k
        end = a + (b - a) * rng.uniform(0.3, 0.95)
        ink = random_color(rng, 0, 120)
        cv2.line(canvas, tuple(a.astype(int)), tuple(end.astype(int)), ink, 1, cv2.LINE_AA)


def _phone(rng: Rng, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    box = _turned_box(rng, at, (150 * px_per_mm, 72 * px_per_mm))
    cv2.fillPoly(canvas, [box.astype(np.int32)], random_color(rng, 0, 60), cv2.LINE_AA)


def _pen(rng: Rng, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    tip = at + rng.normal(0, 80 * px_per_mm, 2)
    start, end = (int(at[0]), int(at[1])), (int(tip[0]), int(tip[1]))
    cv2.line(canvas, start, end, random_color(rng), max(2, int(px_per_mm * 8)), cv2.LINE_AA)


def _turned_box(rng: Rng, at: Float64Array, size_px: tuple[float, float]) -> Float32Array:
    """The corners (4, 2) px of a box centred `at` and turned by a random angle."""
    box = cv2.boxPoints(((float(at[0]), float(at[1])), size_px, float(rng.uniform(0, 180))))
    return box.astype(np.float32, copy=False)


def draw_page(rng: Rng, canvas: UInt8Array, card_height: float) -> None:
    """Fill `canvas`, where cards are `card_height` px high, with a page of a book: lines of words, or blank paper."""
    level = rng.uniform(200, 255)
    canvas[:] = np.array((level * rng.uniform(0.85, 1), level * rng.uniform(0.93, 1), level), np.uint8)
    unit = card_height / CARD_MM[1]
    tall = unit * rng.uniform(1.5, 5)
    ink = random_color(rng, 0, 150)
    y = rng.uniform(0, 3) * tall
    while y < canvas.shape[0] and rng.random() < 0.97:
        x = rng.uniform(0, 20) * unit
        while x < canvas.shape[1]:
            word = tall * rng.uniform(0.5, 5)
            corner = (int(x + word), int(y + max(1, tall * rng.uniform(0.4, 0.7))))
            cv2.rectangle(canvas, (int(x), int(y)), corner, ink, -1 if rng.random() < 0.5 else 1)
            x += word + tall * rng.uniform(0.4, 1)
        y += tall * rng.uniform(1.5, 3)
