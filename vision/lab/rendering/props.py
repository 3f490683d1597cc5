"""Procedural drawings of what a card table has besides cards: cloths, hands, chips, cups, papers, plain backs.

Every function takes a random generator and always draws the same picture for the same state of it.
Pictures are (H, W, 3) uint8 BGR. Lengths are px of the picture drawn on, unless named otherwise.
"""

from collections.abc import Callable

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, UInt8Array
from vision.decks import CARD_MM, Sprite, sprite_of

Color = tuple[float, float, float]


def random_color(rng: np.random.Generator, low: float = 0, high: float = 255) -> Color:
    """A BGR colour of any hue with its HSV value within `low`..`high`."""
    hsv = np.array([[[rng.integers(180), rng.integers(30, 256), rng.uniform(low, high)]]]).astype(np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


def smooth_noise(rng: np.random.Generator, size: tuple[int, int], cells: float) -> Float32Array:
    """Smooth noise (H, W) float32 of mean 0 and standard deviation about 1, with about `cells` blobs across."""
    width, height = size
    grid = (max(2, round(cells * height / width)), max(2, round(cells)))
    coarse = rng.standard_normal(grid).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32, copy=False)


def _felt(rng: np.random.Generator, width: int, height: int) -> Float32Array:
    base = np.full((height, width, 3), random_color(rng, 30, 220), np.float32)
    grain = smooth_noise(rng, (width, height), width / rng.uniform(1.5, 6)) * rng.uniform(1, 14)
    return np.asarray(base + grain[:, :, None], np.float32)


def _wood(rng: np.random.Generator, width: int, height: int) -> Float32Array:
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


def _checks(rng: np.random.Generator, width: int, height: int) -> Float32Array:
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
        dots = (u % pitch - pitch / 2) ** 2 + (v % pitch - pitch / 2) ** 2 < (
            pitch * rng.uniform(0.1, 0.4)
        ) ** 2
        cloth = np.where(dots[:, :, None], a, b)
    grain = smooth_noise(rng, (width, height), width / 2)[:, :, None] * rng.uniform(0, 12)
    return np.asarray(cloth + grain, np.float32)


def _marble(rng: np.random.Generator, width: int, height: int) -> Float32Array:
    a, b = (np.array(random_color(rng), np.float32) for _ in range(2))
    field = sum(smooth_noise(rng, (width, height), 2 * 2.2**k) / 1.6**k for k in range(5))
    mix = 1 / (1 + np.exp(-np.asarray(field) * rng.uniform(0.7, 6)))
    return np.asarray(a * mix[:, :, None] + b * (1 - mix[:, :, None]), np.float32)


def _oriental(rng: np.random.Generator, width: int, height: int) -> Float32Array:
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


_CLOTHS: tuple[Callable[[np.random.Generator, int, int], Float32Array], ...] = (
    _felt,
    _wood,
    _checks,
    _marble,
    _oriental,
)


def draw_background(rng: np.random.Generator, size: tuple[int, int]) -> UInt8Array:
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


def pattern(rng: np.random.Generator, size: tuple[int, int]) -> UInt8Array:
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


def draw_back(rng: np.random.Generator) -> Sprite:
    """A plain patterned back, mostly inside a border, as a sprite; films use these."""
    art = pattern(rng, (122, 224))
    if rng.random() < 0.75:
        edge = int(rng.integers(3, 12))
        paper = rng.uniform(200, 255)
        framed = np.full_like(art, (paper * 0.95, paper * 0.98, paper))
        framed[edge:-edge, edge:-edge] = art[edge:-edge, edge:-edge]
        art = framed
    return sprite_of(art, float(rng.uniform(1, 5)))


_HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)  # fmt: skip


def put_text(
    rng: np.random.Generator,
    canvas: UInt8Array,
    text: str,
    at: tuple[float, float],
    tall: float,
    ink: Color,
    face: int | None = None,
) -> None:
    """Write `text` about `tall` px high, centred `at` (x, y), in the font `face` of OpenCV's, or a random one."""
    if face is None:
        face = _HERSHEY[int(rng.integers(len(_HERSHEY)))]
    thick = max(1, round(tall * rng.uniform(0.05, 0.16)))
    scale = tall / cv2.getTextSize("8", face, 1.0, 1)[0][1]
    (wide, _), _ = cv2.getTextSize(text, face, scale, thick)
    cv2.putText(
        canvas, text, (int(at[0] - wide / 2), int(at[1] + tall / 2)), face, scale, ink, thick, cv2.LINE_AA
    )


_SKINS: tuple[Color, ...] = (
    (180, 205, 240), (150, 180, 225), (120, 150, 205), (95, 125, 180), (60, 85, 135), (40, 55, 95),
)  # fmt: skip


def draw_hand(
    rng: np.random.Generator, canvas: UInt8Array, finger_tip: tuple[float, float], reach: float, size: float
) -> None:
    """Draw a hand and its arm into `canvas`, fingertips at `finger_tip` (x, y), coming from the angle `reach` (rad).

    `size` is the width of the palm in px; a card is about as wide.
    """
    height, width = canvas.shape[:2]
    skin = np.clip(np.array(_SKINS[rng.integers(len(_SKINS))]) * rng.uniform(0.7, 1.15, 3), 0, 255)
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
        outline = np.array(
            [
                point(0, -0.15),
                point(0.1, 0.2),
                point(0.5, 0.5),
                point(wrist, 0.5),
                point(wrist, -0.5),
                point(0.5, -0.5),
            ]
        )
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


def draw_clutter(rng: np.random.Generator, canvas: UInt8Array, card_height: float) -> None:
    """Draw one thing at random into `canvas`: chips, a cup, a glass, a sheet of paper, a phone or a pen.

    `card_height` sets its size.
    """
    height, width = canvas.shape[:2]
    at = np.array([rng.uniform(0, width), rng.uniform(0, height)])
    px_per_mm = card_height / CARD_MM[1]
    draw = (_chips, _cup, _glass, _paper, _phone, _pen)[rng.integers(6)]
    draw(rng, canvas, at, px_per_mm)


def _chips(rng: np.random.Generator, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    for _ in range(int(rng.integers(1, 9))):
        c = at + rng.normal(0, 30 * px_per_mm, 2)
        spot = (int(c[0]), int(c[1]))
        radius, color = max(2, int(px_per_mm * rng.uniform(14, 21))), random_color(rng)
        cv2.circle(canvas, spot, radius, color, -1, cv2.LINE_AA)
        for angle in np.arange(0, 360, 45) + rng.uniform(0, 45):
            cv2.ellipse(canvas, spot, (radius, radius), angle, 0, 18, (245, 245, 245), max(1, radius // 5))
        cv2.circle(canvas, spot, max(1, int(radius * 0.6)), random_color(rng, 150), 1, cv2.LINE_AA)


def _cup(rng: np.random.Generator, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> int:
    """Draw a cup and return its radius in px."""
    center, radius = (int(at[0]), int(at[1])), int(px_per_mm * rng.uniform(30, 48))
    cv2.circle(canvas, center, radius, random_color(rng, 120), -1, cv2.LINE_AA)
    cv2.circle(canvas, center, int(radius * 0.85), random_color(rng, 10, 160), -1, cv2.LINE_AA)
    return radius


def _glass(rng: np.random.Generator, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    """A cup with a highlight."""
    radius = _cup(rng, canvas, at, px_per_mm)
    spot = (int(at[0]) - radius // 3, int(at[1]) - radius // 3)
    cv2.circle(canvas, spot, max(1, radius // 6), (255, 255, 255), -1, cv2.LINE_AA)


def _paper(rng: np.random.Generator, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
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


def _phone(rng: np.random.Generator, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    box = _turned_box(rng, at, (150 * px_per_mm, 72 * px_per_mm))
    cv2.fillPoly(canvas, [box.astype(np.int32)], random_color(rng, 0, 60), cv2.LINE_AA)


def _pen(rng: np.random.Generator, canvas: UInt8Array, at: Float64Array, px_per_mm: float) -> None:
    tip = at + rng.normal(0, 80 * px_per_mm, 2)
    start, end = (int(at[0]), int(at[1])), (int(tip[0]), int(tip[1]))
    cv2.line(canvas, start, end, random_color(rng), max(2, int(px_per_mm * 8)), cv2.LINE_AA)


def _turned_box(rng: np.random.Generator, at: Float64Array, size_px: tuple[float, float]) -> Float32Array:
    """The corners (4, 2) px of a box centred `at` and turned by a random angle."""
    box = cv2.boxPoints(((float(at[0]), float(at[1])), size_px, float(rng.uniform(0, 180))))
    return box.astype(np.float32, copy=False)


def draw_page(rng: np.random.Generator, canvas: UInt8Array, card_height: float) -> None:
    """Fill all of `canvas` with a page of a book or score sheet: paper with lines of words, or blank.

    `card_height` sets the scale.
    """
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


_SHEET_PX = 420
"""Height of a drawn sheet: enough for the crops that the identifier sees."""
_SHEETS_MM = ((148.0, 210.0), (210.0, 297.0), (210.0, 148.0), (105.0, 148.0), (90.0, 200.0), (76.0, 76.0))
_NAMES = ("Anna", "Bo", "Carl", "Dora", "Erik", "Fie", "Ib", "Kim", "Per", "Ulla", "A", "B", "K", "N", "Sum")


def ruled_sheet(rng: np.random.Generator) -> tuple[UInt8Array, tuple[float, float]]:
    """A score sheet with names above columns of numbers, printed or by hand, ruled or not.

    Returns its picture (H, W, 3) and its width and height in mm.
    """
    size_mm = _SHEETS_MM[int(rng.integers(len(_SHEETS_MM)))]
    scale = _SHEET_PX / size_mm[1]
    width, height = int(size_mm[0] * scale), _SHEET_PX
    level = rng.uniform(195, 255)
    art = np.full(
        (height, width, 3), (level * rng.uniform(0.78, 1), level * rng.uniform(0.92, 1), level), np.uint8
    )
    rule, ink = random_color(rng, 60, 220), random_color(rng, 0, 130)
    row = scale * rng.uniform(6, 17)
    columns = int(rng.integers(1, 7))
    left, top = rng.uniform(0, 0.2) * width, rng.uniform(0, 0.25) * height
    _rule(rng, art, rule, row, columns, left, top)
    filled = rng.uniform(0.3, 1)
    digits, share = float(rng.uniform(0.4, 0.95)), float(rng.uniform(0.0, 0.25))
    tall = min(row * digits, 0.45 * (width - left) / columns)
    face = int(rng.choice(_HERSHEY)) | (cv2.FONT_ITALIC if rng.random() < 0.4 else 0)
    slope, untidy = rng.normal(0, 0.05), rng.uniform(0, 0.12)
    for line, y in enumerate(np.arange(top, height - row, row)):
        if y > height * filled:
            break
        for k in range(columns):
            if line and rng.random() < share:
                continue
            text = str(int(rng.integers(-140, 400))) if line else _NAMES[int(rng.integers(len(_NAMES)))]
            if rng.random() < 0.05:
                text = str(rng.choice(["X", "V", "-", "+", "D", "R", "C", "0", "1", "21"]))
            x = left + (k + rng.uniform(0.5 - untidy, 0.5 + untidy)) * (width - left) / columns
            at = (x, y + row / 2 + slope * x + rng.normal(0, untidy) * row)
            put_text(rng, art, text, at, tall * rng.uniform(0.85, 1.1), ink, face if line else None)
    return art, size_mm


def _rule(
    rng: np.random.Generator, art: UInt8Array, rule: Color, row: float, columns: int, left: float, top: float
) -> None:
    """Rule a sheet: faint lines or squares of the paper, and heavier lines between columns and under the names."""
    height, width = art.shape[:2]
    paper = random_color(rng, 150, 235)
    if rng.random() < 0.45:
        for y in np.arange(top % row, height, row * float(rng.choice([0.5, 1.0]))):
            cv2.line(art, (0, int(y)), (width, int(y)), paper, 1, cv2.LINE_AA)
        if rng.random() < 0.35:
            for x in np.arange(0, width, row):
                cv2.line(art, (int(x), 0), (int(x), height), paper, 1, cv2.LINE_AA)
    if rng.random() < 0.65:
        thick = int(rng.integers(1, 4))
        for x in np.linspace(left, width, columns + 1)[int(left < 3) : -1]:
            lean = int(rng.normal(0, 0.012) * height)
            cv2.line(
                art, (int(x), int(top * rng.uniform(0, 1))), (int(x) + lean, height), rule, thick, cv2.LINE_AA
            )
    if rng.random() < 0.5:
        y = int(top + row)
        cv2.line(art, (0, y), (width, y), rule, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.25:
        edge = int(rng.uniform(3, 20))
        cv2.rectangle(art, (edge, edge), (width - edge, height - edge), rule, int(rng.integers(1, 3)))


def lit_screen(rng: np.random.Generator) -> tuple[UInt8Array, tuple[float, float]]:
    """A phone or tablet, dark or lit, showing tiles or lines of text."""
    size_mm = (72.0, 150.0) if rng.random() < 0.75 else (160.0, 240.0)
    height, width = 240, int(240 * size_mm[0] / size_mm[1])
    art = np.full((height, width, 3), random_color(rng, 0, 70), np.uint8)
    if rng.random() < 0.3:
        return art, size_mm
    rim = int(rng.integers(3, 12))
    inner = art[rim:-rim, rim:-rim]
    if rng.random() < 0.3:
        inner[:] = draw_background(rng, (inner.shape[1], inner.shape[0]))
    else:
        inner[:] = random_color(rng, 0, 255)
        if rng.random() < 0.4:
            inner[:] = rng.uniform(220, 255)
    if rng.random() < 0.6:
        tile = int(rng.integers(10, 34))
        for y in range(tile, inner.shape[0] - tile, int(tile * 1.4)):
            for x in range(tile // 2, inner.shape[1] - tile, int(tile * 1.4)):
                cv2.rectangle(inner, (x, y), (x + tile, y + tile), random_color(rng), -1)
    else:
        for line_y in np.arange(12, inner.shape[0], rng.uniform(9, 22)):
            text = "".join(rng.choice(list("abcdefghijklm 0123456789"), int(rng.integers(3, 14))))
            put_text(
                rng, inner, text, (inner.shape[1] / 2, float(line_y)), rng.uniform(4, 12), random_color(rng)
            )
    return art, size_mm


def book_cover(rng: np.random.Generator) -> tuple[UInt8Array, tuple[float, float]]:
    """A book, leaflet or card box: a cover with words and perhaps a picture."""
    tall = float(rng.uniform(130, 260))
    size_mm = (tall * float(rng.uniform(0.5, 0.85)), tall)
    height, width = 260, int(260 * size_mm[0] / size_mm[1])
    art = np.full((height, width, 3), random_color(rng, 20, 255), np.uint8)
    if rng.random() < 0.5:
        art = draw_background(rng, (width, height))
    if rng.random() < 0.5:
        x0, y0 = int(width * rng.uniform(0.05, 0.3)), int(height * rng.uniform(0.1, 0.5))
        x1, y1 = width - x0, int(y0 + height * rng.uniform(0.2, 0.45))
        art[y0:y1, x0:x1] = draw_background(rng, (x1 - x0, y1 - y0))
    for _ in range(int(rng.integers(1, 6))):
        text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUV "), int(rng.integers(3, 12))))
        at = (width / 2, height * float(rng.uniform(0.06, 0.94)))
        put_text(rng, art, text, at, float(rng.uniform(8, 30)), random_color(rng))
    if rng.random() < 0.4:
        rim = int(rng.integers(3, 14))
        cv2.rectangle(
            art, (rim, rim), (width - rim, height - rim), random_color(rng), int(rng.integers(1, 4))
        )
    return art, size_mm


def chip_tray(rng: np.random.Generator) -> tuple[UInt8Array, tuple[float, float]]:
    """A tray of chips seen from above: grooves with chips standing on edge in several colours."""
    size_mm = (float(rng.uniform(70, 220)), float(rng.uniform(100, 320)))
    height, width = 240, max(40, int(240 * size_mm[0] / size_mm[1]))
    art = np.full((height, width, 3), random_color(rng, 20, 230), np.uint8)
    if rng.random() < 0.4:
        return _rack(rng, art), size_mm
    grooves = int(rng.integers(1, 7))
    for k in range(grooves):
        x0, x1 = int((k + 0.1) * width / grooves), int((k + 0.9) * width / grooves)
        color, stripe = random_color(rng, 40, 255), random_color(rng, 150, 255)
        end = int(height * rng.uniform(0.2, 0.97))
        art[8:end, x0:x1] = color
        thick = int(rng.integers(4, 9))
        for y in range(8, end, thick):
            cv2.line(art, (x0, y), (x1, y), (20, 20, 20), 1)
            mark = int(rng.integers(x0, max(x0 + 1, x1 - 5)))
            cv2.rectangle(art, (mark, y), (mark + max(2, (x1 - x0) // 5), y + thick - 1), stripe, -1)
    return art, size_mm


def _rack(rng: np.random.Generator, art: UInt8Array) -> UInt8Array:
    """A box, often white, of chips or sticks in a few colours that lie across it, with gaps between."""
    if rng.random() < 0.5:
        art[:] = rng.uniform(190, 255)
    height, width = art.shape[:2]
    rim = int(rng.integers(4, 16))
    inks = [random_color(rng) for _ in range(int(rng.integers(1, 6)))]
    y = rim + rng.uniform(0, 20)
    while y < height - rim:
        thick = rng.uniform(4, 30)
        ink = inks[int(rng.integers(len(inks)))]
        cv2.rectangle(art, (rim, int(y)), (width - rim, int(min(y + thick, height - rim))), ink, -1)
        y += thick + (rng.uniform(0, 60) if rng.random() < 0.5 else 1)
    if rng.random() < 0.5:
        cv2.rectangle(
            art, (rim, rim), (width - rim, height - rim), random_color(rng), int(rng.integers(1, 4))
        )
    return art
