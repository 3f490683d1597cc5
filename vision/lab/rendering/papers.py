"""Drawings of flat things that lie about at cards: tickets, bank notes, photographs, newspapers, phones, books, trays.

A finder takes such things for cards: they are pale and oblong, with numerals and signs. Functions that draw a whole
thing take a random generator and return a `Flat`. What `flat_thing` returns never has a card's size.
"""

from collections.abc import Callable

import cv2
import numpy as np

from vision.arrays import Rng, UInt8Array, one_of
from vision.decks import CARD_MM
from vision.lab.rendering.props import Color, draw_background, pattern, put_text, random_color
from vision.lab.rendering.score_sheets import Flat, blank_sheet, ruled_sheet, scribble, suit_mark, tally_sheet


def _print(rng: Rng, art: UInt8Array, tall: float) -> None:
    """Fill `art` with lines of small print `tall` px high."""
    ink = random_color(rng, 0, 130)
    for y in np.arange(tall, art.shape[0] - tall / 2, tall * rng.uniform(1.4, 2.2)):
        end = art.shape[1] * (1 - (rng.uniform(0, 0.8) if rng.random() < 0.2 else rng.uniform(0.02, 0.08)))
        x = art.shape[1] * 0.04
        while x < end:
            word = min(tall * rng.uniform(1, 5), end - x)
            cv2.line(art, (int(x), int(y)), (int(x + word), int(y)), ink, max(1, int(tall * 0.4)))
            x += word + tall * 0.6


def _frame(art: UInt8Array, rim: int, ink: Color, thick: int) -> None:
    """Draw a frame `rim` px within the edges of `art`."""
    cv2.rectangle(art, (rim, rim), (art.shape[1] - rim, art.shape[0] - rim), ink, thick)


def _screen(rng: Rng) -> Flat:
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
            at = (inner.shape[1] / 2, float(line_y))
            put_text(rng, inner, text, at, rng.uniform(4, 12), random_color(rng))
    return art, size_mm


def _book(rng: Rng) -> Flat:
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
        _frame(art, int(rng.integers(3, 14)), random_color(rng), int(rng.integers(1, 4)))
    return art, size_mm


def _chip_tray(rng: Rng) -> Flat:
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


def _rack(rng: Rng, art: UInt8Array) -> UInt8Array:
    """A box, often white, of chips or sticks in a few colours that lie across it, with gaps between."""
    if rng.random() < 0.5:
        art[:] = rng.uniform(190, 255)
    height, width = art.shape[:2]
    rim = int(rng.integers(4, 16))
    inks = [random_color(rng) for _ in range(int(rng.integers(1, 6)))]
    y = rim + rng.uniform(0, 20)
    while y < height - rim:
        thick = rng.uniform(4, 30)
        ink = one_of(rng, inks)
        cv2.rectangle(art, (rim, int(y)), (width - rim, int(min(y + thick, height - rim))), ink, -1)
        y += thick + (rng.uniform(0, 60) if rng.random() < 0.5 else 1)
    if rng.random() < 0.5:
        _frame(art, rim, random_color(rng), int(rng.integers(1, 4)))
    return art


def _ticket(rng: Rng) -> Flat:
    """A ticket, voucher or receipt: a frame, large numerals, small print, bars."""
    size_mm = (float(rng.uniform(45, 90)), float(rng.uniform(95, 260)))
    art = blank_sheet(rng, *size_mm)
    height, width = art.shape[:2]
    if rng.random() < 0.5:
        _frame(art, int(rng.integers(3, 14)), random_color(rng, 0, 180), int(rng.integers(1, 5)))
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


def _visiting_card(rng: Rng) -> Flat:
    """A visiting, bank or membership card: a mark, a few words, perhaps a band."""
    size_mm = (85.0, 54.0)
    art = blank_sheet(rng, *size_mm)
    height, width = art.shape[:2]
    if rng.random() < 0.4:
        top = int(height * rng.uniform(0, 0.7))
        art[top : top + int(height * rng.uniform(0.1, 0.3))] = random_color(rng)
    at = (width * rng.uniform(0.15, 0.85), height * rng.uniform(0.2, 0.6))
    suit_mark(rng, art, at, height * 0.3, random_color(rng))
    for share in rng.uniform(0.2, 0.9, int(rng.integers(1, 5))):
        word = "".join(rng.choice(list("ABCDEGIKLMNORST 0123456789"), int(rng.integers(4, 16))))
        put_text(rng, art, word, (width * rng.uniform(0.35, 0.65), height * share), height * rng.uniform(0.05, 0.14),
                 random_color(rng, 0, 150))  # fmt: skip
    return art, size_mm


def _photograph(rng: Rng) -> Flat:
    """A photograph or postcard, mostly with a white rim: sky and land, with somebody in it."""
    size_mm = one_of(rng, ((100.0, 150.0), (90.0, 90.0), (88.0, 107.0), (130.0, 180.0)))
    art = blank_sheet(rng, *size_mm, 1.0)
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


def _envelope(rng: Rng) -> Flat:
    """An envelope: its flap, or a stamp and an address."""
    size_mm = one_of(rng, ((162.0, 114.0), (220.0, 110.0), (110.0, 72.0)))
    art = blank_sheet(rng, *size_mm)
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
        scribble(rng, art, (width * 0.4, height * y), width * rng.uniform(0.15, 0.5), height * 0.07)
    return art, size_mm


def _money(rng: Rng) -> Flat:
    """A bank note: a pale pattern, somebody in an oval, its value in the corners."""
    size_mm = (float(rng.uniform(118, 165)), float(rng.uniform(62, 78)))
    art = blank_sheet(rng, *size_mm, 0.3)
    height, width = art.shape[:2]
    art[:] = cv2.addWeighted(art, 0.7, pattern(rng, (width, height)), 0.3, 0)
    at, ink = (int(width * rng.uniform(0.2, 0.8)), height // 2), random_color(rng, 0, 160)
    oval = (int(height * 0.28), int(height * 0.4))
    cv2.ellipse(art, at, oval, 0, 0, 360, random_color(rng, 90), -1, cv2.LINE_AA)
    cv2.circle(art, at, int(height * 0.15), ink, -1, cv2.LINE_AA)
    value = str(rng.choice((5, 10, 20, 50, 100, 200, 500)))
    for x, y in ((0.1, 0.15), (0.9, 0.85), (0.9, 0.15), (0.1, 0.85))[: int(rng.integers(1, 5))]:
        put_text(rng, art, value, (width * x, height * y), height * rng.uniform(0.12, 0.2), ink)
    return art, size_mm


def _mat(rng: Rng) -> Flat:
    """A square beer mat: a rim, a word round which signs or bands lie."""
    side = float(rng.uniform(85, 110))
    art = blank_sheet(rng, side, side, 0.4)
    middle, ink = art.shape[0] // 2, random_color(rng)
    for reach in rng.uniform(0.3, 0.95, int(rng.integers(1, 4))):
        thick = -1 if rng.random() < 0.3 else int(rng.integers(2, 14))
        cv2.circle(art, (middle, middle), int(middle * reach), random_color(rng), thick, cv2.LINE_AA)
    suit_mark(rng, art, (middle, middle * 0.6), middle * 0.4, ink)
    word = "".join(rng.choice(list("ABEGIKLNORSTU"), int(rng.integers(3, 9))))
    put_text(rng, art, word, (middle, middle * 1.1), middle * rng.uniform(0.15, 0.4), ink)
    return art, (side, side)


def _newspaper(rng: Rng) -> Flat:
    """A newspaper, leaflet or page of a book: headlines, columns of print, pictures, boxes, signs and numerals."""
    size_mm = one_of(rng, ((280.0, 400.0), (210.0, 297.0), (99.0, 210.0), (148.0, 210.0)))
    art = blank_sheet(rng, *size_mm, 0.85)
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
            high, wide = block.shape[:2]
            kind = rng.random()
            if kind < 0.6 or high < 20:
                _print(rng, block, tall)
            elif kind < 0.8:
                block[:] = draw_background(rng, (wide, high))
            else:
                cv2.rectangle(block, (1, 1), (wide - 2, high - 2), random_color(rng, 0, 120), 1)
                mark, least = str(rng.integers(1, 22)), min(high, wide)
                put_text(rng, block, mark, (wide / 2, high / 2), least * 0.4, (30, 30, 90))
                suit_mark(rng, block, (wide * 0.2, high * 0.25), least * 0.25, (40, 40, 40))
    return art, size_mm


_FLAT: tuple[tuple[float, Callable[[Rng], Flat]], ...] = (
    (0.14, _screen), (0.12, _book), (0.16, _chip_tray), (0.12, _newspaper), (0.1, _ticket),
    (0.08, _visiting_card), (0.08, _photograph), (0.07, _envelope), (0.07, _money), (0.06, _mat),
)  # fmt: skip
"""What is drawn, and how often; the shares sum to 1."""


def flat_thing(rng: Rng, sheets: float = 0.5) -> Flat:
    """A score sheet (with probability `sheets`), another paper, a phone, a book or a tray of chips, seen from above."""
    if rng.random() < sheets:
        art, size_mm = tally_sheet(rng) if rng.random() < 0.6 else ruled_sheet(rng)
    else:
        shares = [share for share, _ in _FLAT]
        art, size_mm = _FLAT[int(rng.choice(len(_FLAT), p=shares))][1](rng)
    # A thing of a card's size is drawn larger: it would be a card to the finder.
    if all(0.85 < side / card < 1.18 for side, card in zip(size_mm, CARD_MM, strict=True)):
        size_mm = (size_mm[0] * 1.3, size_mm[1] * 1.3)
    return art, size_mm
