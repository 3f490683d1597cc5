"""Drawings of score sheets, and of the blank sheet, suit signs and scribbles that other papers share.

Functions that draw a whole paper take a random generator and return a `Flat`.
"""

from collections.abc import Callable

import cv2
import numpy as np

from vision.arrays import Rng, UInt8Array, one_of
from vision.lab.rendering.backs import painted_sign
from vision.lab.rendering.props import HERSHEY_FONTS, Color, put_text, random_color

Flat = tuple[UInt8Array, tuple[float, float]]
"""A paper or other flat thing: its picture (H, W, 3) uint8 BGR, and its width and height in mm."""

_LONGER_PX = 420
"""The longer side of a drawn paper, or its height: enough for the crops that the identifier sees."""
_NAMES = (
    "Anna", "Bo", "Carl", "Dora", "Erik", "Fie", "N", "S", "V", "D", "A", "B", "Vi", "De", "Sum", "1", "2", "3",
)  # fmt: skip
_MARKS = ("X", "V", "-", "+", "D", "R", "C", "/", "//", "0", "XXI", "I", "II", "21", "17", "4", "7")


def blank_sheet(rng: Rng, width_mm: float, height_mm: float, white: float = 0.6) -> UInt8Array:
    """An empty sheet (H, W, 3): with probability `white` pale, else coloured."""
    scale = _LONGER_PX / max(width_mm, height_mm)
    art = np.empty((max(8, round(height_mm * scale)), max(8, round(width_mm * scale)), 3), np.uint8)
    art[:] = _paper_color(rng) if rng.random() < white else random_color(rng, 120, 255)
    return art


def _paper_color(rng: Rng, darkest: float = 190) -> Color:
    """The colour of white, yellowed or grey paper, whose red is `darkest` to 255."""
    level = rng.uniform(darkest, 255)
    return level * rng.uniform(0.78, 1), level * rng.uniform(0.92, 1), level


def suit_mark(rng: Rng, art: UInt8Array, at: tuple[float, float], tall: float, ink: Color) -> None:
    """A suit sign `tall` px high centred `at` (x, y), left out where it does not fit."""
    size = max(3, int(tall))
    x, y = int(at[0] - size / 2), int(at[1] - size / 2)
    if x < 0 or y < 0 or x + size > art.shape[1] or y + size > art.shape[0]:
        return
    art[y : y + size, x : x + size][painted_sign(one_of(rng, "SHDC"), size) > 127] = ink


def scribble(rng: Rng, art: UInt8Array, at: tuple[float, float], wide: float, tall: float) -> None:
    """A word in handwriting that nobody can read, from `at` (x, y) on."""
    steps = max(4, int(wide / max(tall, 1) * 6))
    xs = np.linspace(at[0], at[0] + wide, steps) + rng.normal(0, tall * 0.12, steps)
    ys = at[1] + rng.uniform(-0.5, 0.5, steps) * tall
    line = np.round(np.column_stack([xs, ys])).astype(np.int32)
    cv2.polylines(art, [line], False, random_color(rng, 0, 120), 1, cv2.LINE_AA)


def tally_sheet(rng: Rng) -> Flat:
    """A score sheet whose columns have about a card's shape: frames, coloured heads, numerals, suit signs."""
    tall_mm = float(np.exp(rng.uniform(np.log(70), np.log(240))))
    wide_mm = tall_mm / rng.uniform(1.25, 2.4)
    columns = int(np.clip(rng.integers(1, 7), 1, max(1, 330 // wide_mm)))
    gap, margin = rng.uniform(0, 12) * (rng.random() < 0.5), rng.uniform(1, 25)
    art = blank_sheet(rng, columns * (wide_mm + gap) + 2 * margin, tall_mm + 2 * margin, 0.75)
    scale = _LONGER_PX / max(columns * (wide_mm + gap) + 2 * margin, tall_mm + 2 * margin)
    column = _columns(rng)
    for k in range(columns):
        x, y = int((margin + gap / 2 + k * (wide_mm + gap)) * scale), int(margin * scale)
        column(art[y : y + int(tall_mm * scale), x : x + int(wide_mm * scale)])
    return art, (art.shape[1] / scale, art.shape[0] / scale)


def _columns(rng: Rng) -> Callable[[UInt8Array], None]:
    """A function that draws a column into a picture; those of one sheet are alike but for what is written there."""
    ground = _paper_color(rng) if rng.random() < 0.35 else None
    frame, ink, head = random_color(rng, 0, 160), random_color(rng, 0, 130), random_color(rng, 60, 255)
    thick = int(rng.choice((0, 1, 1, 2, 3, 5)))
    rows, ruled = int(rng.integers(3, 18)), rng.random() < 0.55
    headed, shaded, signs = rng.random() < 0.5, rng.random() < 0.25, rng.choice((0.0, 0.1, 0.5))
    filled, tall_share, slant = rng.uniform(0.0, 1.0), rng.uniform(0.35, 0.85), rng.normal(0, 0.08)
    by_hand, low, high = rng.random() < 0.25, *sorted(rng.integers(-99, 400, 2))

    def column(art: UInt8Array) -> None:
        height, width = art.shape[:2]
        if ground is not None:
            art[:] = ground
        row = height / rows
        for k in range(rows):
            y = k * row
            if shaded and k % 2:
                stripe = art[int(y) : int(y + row)]
                stripe[:] = np.array(head, np.uint8) // 4 + stripe // 4 * 3
            if ruled:
                cv2.line(art, (0, int(y)), (width, int(y)), frame, 1)
            if k > rows * filled:
                continue
            tall = min(row * tall_share, width * 0.42) * rng.uniform(0.85, 1.1)
            at = (width * rng.uniform(0.35, 0.65), y + row * (0.5 + slant * rng.uniform(-1, 1)))
            if rng.random() < signs:
                suit_mark(rng, art, (width * rng.uniform(0.1, 0.9), at[1]), tall, ink)
            if by_hand:
                scribble(rng, art, (width * 0.1, at[1]), width * rng.uniform(0.3, 0.8), tall * 0.7)
            elif rng.random() < 0.9:
                marked = rng.random() < 0.12
                text = str(rng.choice(_MARKS) if marked else int(rng.integers(low, high + 1)))
                put_text(rng, art, text, at, tall, ink)
        if headed:
            deep = int(min(row, height * 0.2) * rng.uniform(0.8, 1.2))
            art[:deep] = head
            put_text(rng, art, one_of(rng, _NAMES), (width / 2, deep / 2), deep * 0.6, ink)
        if thick:
            cv2.rectangle(art, (0, 0), (width - 1, height - 1), frame, thick)

    return column


_SHEETS_MM = ((148.0, 210.0), (210.0, 297.0), (210.0, 148.0), (105.0, 148.0), (90.0, 200.0), (76.0, 76.0))
_HEADS = ("Anna", "Bo", "Carl", "Dora", "Erik", "Fie", "Ib", "Kim", "Per", "Ulla", "A", "B", "K", "N", "Sum")


def ruled_sheet(rng: Rng) -> Flat:
    """A score sheet with names above columns of numbers, printed or by hand, ruled or not."""
    size_mm = one_of(rng, _SHEETS_MM)
    scale = _LONGER_PX / size_mm[1]
    width, height = int(size_mm[0] * scale), _LONGER_PX
    art = np.full((height, width, 3), _paper_color(rng, 195), np.uint8)
    rule, ink = random_color(rng, 60, 220), random_color(rng, 0, 130)
    row = scale * rng.uniform(6, 17)
    columns = int(rng.integers(1, 7))
    left, top = rng.uniform(0, 0.2) * width, rng.uniform(0, 0.25) * height
    _rule(rng, art, rule, row, columns, left, top)
    filled = rng.uniform(0.3, 1)
    digits, share = float(rng.uniform(0.4, 0.95)), float(rng.uniform(0.0, 0.25))
    tall = min(row * digits, 0.45 * (width - left) / columns)
    face = int(rng.choice(HERSHEY_FONTS)) | (cv2.FONT_ITALIC if rng.random() < 0.4 else 0)
    slope, untidy = rng.normal(0, 0.05), rng.uniform(0, 0.12)
    for line, y in enumerate(np.arange(top, height - row, row)):
        if y > height * filled:
            break
        for k in range(columns):
            if line and rng.random() < share:
                continue
            text = str(int(rng.integers(-140, 400))) if line else one_of(rng, _HEADS)
            if rng.random() < 0.05:
                text = str(rng.choice(["X", "V", "-", "+", "D", "R", "C", "0", "1", "21"]))
            x = left + (k + rng.uniform(0.5 - untidy, 0.5 + untidy)) * (width - left) / columns
            at = (x, y + row / 2 + slope * x + rng.normal(0, untidy) * row)
            put_text(rng, art, text, at, tall * rng.uniform(0.85, 1.1), ink, face if line else None)
    return art, size_mm


def _rule(rng: Rng, art: UInt8Array, rule: Color, row: float, columns: int, left: float, top: float) -> None:
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
            start = (int(x), int(top * rng.uniform(0, 1)))
            cv2.line(art, start, (int(x) + lean, height), rule, thick, cv2.LINE_AA)
    if rng.random() < 0.5:
        y = int(top + row)
        cv2.line(art, (0, y), (width, y), rule, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.25:
        edge = int(rng.uniform(3, 20))
        cv2.rectangle(art, (edge, edge), (width - edge, height - edge), rule, int(rng.integers(1, 3)))
