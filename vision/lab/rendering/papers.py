"""Drawings of papers that lie about at cards: score sheets, tickets, notes of money, photographs, newspapers.

A finder takes such papers for cards: they are pale and oblong, with numerals and signs. Every function takes a random
generator and returns a picture (H, W, 3) uint8 BGR and its width and height in mm. None has a card's size.
"""

from collections.abc import Callable

import cv2
import numpy as np

from vision.arrays import UInt8Array
from vision.decks import CARD_MM
from vision.lab.rendering.backs import painted_sign
from vision.lab.rendering.props import (
    Color,
    book_cover,
    chip_tray,
    draw_background,
    lit_screen,
    pattern,
    put_text,
    random_color,
    ruled_sheet,
)

Flat = tuple[UInt8Array, tuple[float, float]]

_LONGER_PX = 420
"""The longer side of a drawn paper: enough for the crops that the identifier sees."""
_NAMES = (
    "Anna",
    "Bo",
    "Carl",
    "Dora",
    "Erik",
    "Fie",
    "N",
    "S",
    "V",
    "D",
    "A",
    "B",
    "Vi",
    "De",
    "Sum",
    "1",
    "2",
    "3",
)
_MARKS = ("X", "V", "-", "+", "D", "R", "C", "/", "//", "0", "XXI", "I", "II", "21", "17", "4", "7")


def _sheet(rng: np.random.Generator, width_mm: float, height_mm: float, white: float = 0.6) -> UInt8Array:
    """An empty sheet, of a share `white` (0..1) pale, else coloured."""
    scale = _LONGER_PX / max(width_mm, height_mm)
    art = np.empty((max(8, round(height_mm * scale)), max(8, round(width_mm * scale)), 3), np.uint8)
    art[:] = _paper(rng) if rng.random() < white else random_color(rng, 120, 255)
    return art


def _paper(rng: np.random.Generator) -> Color:
    """The colour of white, yellowed or grey paper."""
    level = rng.uniform(190, 255)
    return level * rng.uniform(0.78, 1), level * rng.uniform(0.92, 1), level


def _sign(
    rng: np.random.Generator, art: UInt8Array, at: tuple[float, float], tall: float, ink: Color
) -> None:
    """A suit sign `tall` px high centred `at` (x, y), left out where it does not fit."""
    size = max(3, int(tall))
    x, y = int(at[0] - size / 2), int(at[1] - size / 2)
    if x < 0 or y < 0 or x + size > art.shape[1] or y + size > art.shape[0]:
        return
    art[y : y + size, x : x + size][painted_sign("SHDC"[int(rng.integers(4))], size) > 127] = ink


def _scribble(
    rng: np.random.Generator, art: UInt8Array, at: tuple[float, float], wide: float, tall: float
) -> None:
    """A word in handwriting that nobody can read, from `at` (x, y) on."""
    steps = max(4, int(wide / max(tall, 1) * 6))
    xs = np.linspace(at[0], at[0] + wide, steps) + rng.normal(0, tall * 0.12, steps)
    ys = at[1] + rng.uniform(-0.5, 0.5, steps) * tall
    line = np.round(np.column_stack([xs, ys])).astype(np.int32)
    cv2.polylines(art, [line], False, random_color(rng, 0, 120), 1, cv2.LINE_AA)


def _print(rng: np.random.Generator, art: UInt8Array, tall: float) -> None:
    """Fill `art` with lines of small print `tall` px high."""
    ink = random_color(rng, 0, 130)
    for y in np.arange(tall, art.shape[0] - tall / 2, tall * rng.uniform(1.4, 2.2)):
        end = art.shape[1] * (1 - (rng.uniform(0, 0.8) if rng.random() < 0.2 else rng.uniform(0.02, 0.08)))
        x = art.shape[1] * 0.04
        while x < end:
            word = min(tall * rng.uniform(1, 5), end - x)
            cv2.line(art, (int(x), int(y)), (int(x + word), int(y)), ink, max(1, int(tall * 0.4)))
            x += word + tall * 0.6


def tally_sheet(rng: np.random.Generator) -> Flat:
    """A score sheet whose columns have about a card's shape: frames, coloured heads, numerals, suit signs."""
    tall_mm = float(np.exp(rng.uniform(np.log(70), np.log(240))))
    wide_mm = tall_mm / rng.uniform(1.25, 2.4)
    columns = int(np.clip(rng.integers(1, 7), 1, max(1, 330 // wide_mm)))
    gap, margin = rng.uniform(0, 12) * (rng.random() < 0.5), rng.uniform(1, 25)
    art = _sheet(rng, columns * (wide_mm + gap) + 2 * margin, tall_mm + 2 * margin, 0.75)
    scale = _LONGER_PX / max(columns * (wide_mm + gap) + 2 * margin, tall_mm + 2 * margin)
    column = _columns(rng)
    for k in range(columns):
        x, y = int((margin + gap / 2 + k * (wide_mm + gap)) * scale), int(margin * scale)
        column(art[y : y + int(tall_mm * scale), x : x + int(wide_mm * scale)])
    return art, (art.shape[1] / scale, art.shape[0] / scale)


def _columns(rng: np.random.Generator) -> Callable[[UInt8Array], None]:
    """How the columns of one sheet are drawn into a picture of each: all alike but for what is written there."""
    ground = _paper(rng) if rng.random() < 0.35 else None
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
                art[int(y) : int(y + row)] = (
                    np.array(head, np.uint8) // 4 + art[int(y) : int(y + row)] // 4 * 3
                )
            if ruled:
                cv2.line(art, (0, int(y)), (width, int(y)), frame, 1)
            if k > rows * filled:
                continue
            tall = min(row * tall_share, width * 0.42) * rng.uniform(0.85, 1.1)
            at = (width * rng.uniform(0.35, 0.65), y + row * (0.5 + slant * rng.uniform(-1, 1)))
            if rng.random() < signs:
                _sign(rng, art, (width * rng.uniform(0.1, 0.9), at[1]), tall, ink)
            if by_hand:
                _scribble(rng, art, (width * 0.1, at[1]), width * rng.uniform(0.3, 0.8), tall * 0.7)
            elif rng.random() < 0.9:
                text = (
                    str(rng.choice(_MARKS)) if rng.random() < 0.12 else str(int(rng.integers(low, high + 1)))
                )
                put_text(rng, art, text, at, tall, ink)
        if headed:
            deep = int(min(row, height * 0.2) * rng.uniform(0.8, 1.2))
            art[:deep] = head
            put_text(rng, art, _NAMES[int(rng.integers(len(_NAMES)))], (width / 2, deep / 2), deep * 0.6, ink)
        if thick:
            cv2.rectangle(art, (0, 0), (width - 1, height - 1), frame, thick)

    return column


def _ticket(rng: np.random.Generator) -> Flat:
    """A ticket, voucher or receipt: a frame, large numerals, small print, bars."""
    size_mm = (float(rng.uniform(45, 90)), float(rng.uniform(95, 260)))
    art = _sheet(rng, *size_mm)
    height, width = art.shape[:2]
    if rng.random() < 0.5:
        rim = int(rng.integers(3, 14))
        cv2.rectangle(
            art, (rim, rim), (width - rim, height - rim), random_color(rng, 0, 180), int(rng.integers(1, 5))
        )
    y0, y1 = sorted(rng.uniform(0.05, 0.95, 2) * height)
    if y1 - y0 > 20:
        _print(rng, art[int(y0) : int(y1), int(width * 0.12) : int(width * 0.88)], 4 + 10 * rng.random())
    for share in rng.uniform(0.08, 0.92, int(rng.integers(1, 4))):
        put_text(rng, art, str(rng.integers(1, 9999)), (width / 2, height * share), width * rng.uniform(0.1, 0.4),
                 random_color(rng, 0, 160))  # fmt: skip
    if rng.random() < 0.4:
        top, bars = int(height * rng.uniform(0.7, 0.85)), rng.random(width // 2) < 0.5
        art[top : top + 40, : len(bars) * 2][:, np.repeat(bars, 2)] = 20
    return art, size_mm


def _visiting_card(rng: np.random.Generator) -> Flat:
    """A visiting, bank or membership card: a mark, a few words, perhaps a band."""
    size_mm = (85.0, 54.0)
    art = _sheet(rng, *size_mm)
    height, width = art.shape[:2]
    if rng.random() < 0.4:
        top = int(height * rng.uniform(0, 0.7))
        art[top : top + int(height * rng.uniform(0.1, 0.3))] = random_color(rng)
    _sign(
        rng,
        art,
        (width * rng.uniform(0.15, 0.85), height * rng.uniform(0.2, 0.6)),
        height * 0.3,
        random_color(rng),
    )
    for share in rng.uniform(0.2, 0.9, int(rng.integers(1, 5))):
        word = "".join(rng.choice(list("ABCDEGIKLMNORST 0123456789"), int(rng.integers(4, 16))))
        put_text(rng, art, word, (width * rng.uniform(0.35, 0.65), height * share), height * rng.uniform(0.05, 0.14),
                 random_color(rng, 0, 150))  # fmt: skip
    return art, size_mm


def _photograph(rng: np.random.Generator) -> Flat:
    """A photograph or postcard, mostly with a white rim: sky and land, with somebody in it."""
    size_mm = ((100.0, 150.0), (90.0, 90.0), (88.0, 107.0), (130.0, 180.0))[int(rng.integers(4))]
    art = _sheet(rng, *size_mm, 1.0)
    rim = int(rng.integers(6, 26)) if rng.random() < 0.7 else 1
    inner = art[rim:-rim, rim:-rim]
    if rng.random() < 0.4:
        inner[:] = draw_background(rng, (inner.shape[1], inner.shape[0]))
    else:
        inner[:] = random_color(rng, 120, 255)
        inner[int(len(inner) * rng.uniform(0.3, 0.8)) :] = random_color(rng, 20, 200)
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(0.2, 0.8) * inner.shape[1], rng.uniform(0.3, 0.7) * len(inner)
        head = len(inner) * rng.uniform(0.04, 0.12)
        body = (int(head * 1.3), int(head * 2.4))
        cv2.ellipse(inner, (int(x), int(y + 3 * head)), body, 0, 0, 360, random_color(rng), -1, cv2.LINE_AA)
        cv2.circle(inner, (int(x), int(y)), int(head), random_color(rng, 60, 250), -1, cv2.LINE_AA)
    return art, size_mm


def _envelope(rng: np.random.Generator) -> Flat:
    """An envelope: its flap, or a stamp and an address."""
    size_mm = ((162.0, 114.0), (220.0, 110.0), (110.0, 72.0))[int(rng.integers(3))]
    art = _sheet(rng, *size_mm)
    height, width = art.shape[:2]
    if rng.random() < 0.5:
        tip = (width // 2, int(height * rng.uniform(0.35, 0.65)))
        color = random_color(rng, 60, 200)
        for corner in ((0, 0), (width, 0), *(((0, height), (width, height)) if rng.random() < 0.5 else ())):
            cv2.line(art, corner, tip, color, int(rng.integers(1, 3)), cv2.LINE_AA)
        return art, size_mm
    side = int(height * 0.25)
    art[8 : 8 + side, width - 8 - side : width - 8] = pattern(rng, (side, side))
    for y in np.arange(0.45, 0.9, 0.13):
        _scribble(rng, art, (width * 0.4, height * y), width * rng.uniform(0.15, 0.5), height * 0.07)
    return art, size_mm


def _money(rng: np.random.Generator) -> Flat:
    """A bank note: a pale pattern, somebody in an oval, its value in the corners."""
    size_mm = (float(rng.uniform(118, 165)), float(rng.uniform(62, 78)))
    art = _sheet(rng, *size_mm, 0.3)
    height, width = art.shape[:2]
    art[:] = cv2.addWeighted(art, 0.7, pattern(rng, (width, height)), 0.3, 0)
    at, ink = (int(width * rng.uniform(0.2, 0.8)), height // 2), random_color(rng, 0, 160)
    cv2.ellipse(
        art, at, (int(height * 0.28), int(height * 0.4)), 0, 0, 360, random_color(rng, 90), -1, cv2.LINE_AA
    )
    cv2.circle(art, at, int(height * 0.15), ink, -1, cv2.LINE_AA)
    value = str(rng.choice((5, 10, 20, 50, 100, 200, 500)))
    for x, y in ((0.1, 0.15), (0.9, 0.85), (0.9, 0.15), (0.1, 0.85))[: int(rng.integers(1, 5))]:
        put_text(rng, art, value, (width * x, height * y), height * rng.uniform(0.12, 0.2), ink)
    return art, size_mm


def _mat(rng: np.random.Generator) -> Flat:
    """A square beer mat: a rim, a word round which signs or bands lie."""
    side = float(rng.uniform(85, 110))
    art = _sheet(rng, side, side, 0.4)
    middle, ink = art.shape[0] // 2, random_color(rng)
    for reach in rng.uniform(0.3, 0.95, int(rng.integers(1, 4))):
        thick = -1 if rng.random() < 0.3 else int(rng.integers(2, 14))
        cv2.circle(art, (middle, middle), int(middle * reach), random_color(rng), thick, cv2.LINE_AA)
    _sign(rng, art, (middle, middle * 0.6), middle * 0.4, ink)
    word = "".join(rng.choice(list("ABEGIKLNORSTU"), int(rng.integers(3, 9))))
    put_text(rng, art, word, (middle, middle * 1.1), middle * rng.uniform(0.15, 0.4), ink)
    return art, (side, side)


def _newspaper(rng: np.random.Generator) -> Flat:
    """A newspaper, leaflet or page of a book: headlines, columns of print, pictures, boxes, signs and numerals."""
    size_mm = ((280.0, 400.0), (210.0, 297.0), (99.0, 210.0), (148.0, 210.0))[int(rng.integers(4))]
    art = _sheet(rng, *size_mm, 0.85)
    height, width = art.shape[:2]
    top, columns = int(height * rng.uniform(0.02, 0.2)), int(rng.integers(1, 6))
    if top > 16:
        word = "".join(rng.choice(list("ABDEGIKLNORSTU "), int(rng.integers(4, 11))))
        put_text(rng, art, word, (width / 2, top / 2), top * 0.5, random_color(rng, 0, 160))
    tall = rng.uniform(2, 5)
    for k in range(columns):
        left, right = int((k + 0.06) * width / columns), int((k + 0.94) * width / columns)
        y = top
        while y < height - 12:
            block = art[y : y + int(height * rng.uniform(0.12, 0.5)), left:right]
            y += len(block) + 4
            kind = rng.random()
            if kind < 0.6 or len(block) < 20:
                _print(rng, block, tall)
            elif kind < 0.8:
                block[:] = draw_background(rng, (block.shape[1], len(block)))
            else:
                cv2.rectangle(
                    block, (1, 1), (block.shape[1] - 2, len(block) - 2), random_color(rng, 0, 120), 1
                )
                mark, least = str(rng.integers(1, 22)), min(block.shape[:2])
                put_text(
                    rng,
                    block,
                    mark,
                    (block.shape[1] / 2, len(block) / 2),
                    least * 0.4,
                    (30, 30, 90),
                )
                _sign(
                    rng,
                    block,
                    (block.shape[1] * 0.2, len(block) * 0.25),
                    least * 0.25,
                    (40, 40, 40),
                )
    return art, size_mm


_FLAT: tuple[tuple[float, Callable[[np.random.Generator], Flat]], ...] = (
    (0.14, lit_screen), (0.12, book_cover), (0.16, chip_tray), (0.12, _newspaper), (0.1, _ticket),
    (0.08, _visiting_card), (0.08, _photograph), (0.07, _envelope), (0.07, _money), (0.06, _mat),
)  # fmt: skip


def flat_thing(rng: np.random.Generator, sheets: float = 0.5) -> Flat:
    """A score sheet or another paper, a phone, a book or a tray of chips, to be laid into the table's perspective.

    Returns its picture (H, W, 3) and its width and height in mm. A share `sheets` (0..1) are score sheets.
    """
    if rng.random() < sheets:
        art, size_mm = tally_sheet(rng) if rng.random() < 0.6 else ruled_sheet(rng)
    else:
        shares = [share for share, _ in _FLAT]
        art, size_mm = _FLAT[int(rng.choice(len(_FLAT), p=shares))][1](rng)
    if all(0.85 < side / card < 1.18 for side, card in zip(size_mm, CARD_MM, strict=True)):
        size_mm = (size_mm[0] * 1.3, size_mm[1] * 1.3)
    return art, size_mm
