"""Invented printings of the French tarot pack, no two alike, to train on.

A classifier trained on a few decks memorises their art. Here everything in which real decks differ (fonts, tints,
layouts, pictures) is random for each card. What they all share remains to be learnt: rank and suit sign in the
corners, number and shape of pips, trump numerals, the letters V C D R, the fool.

A card that is being drawn is (H, W, 3) uint8 BGR. Lengths are px.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import Float64Array, Rng, UInt8Array, one_of
from vision.decks import Deck, rounded_alpha
from vision.lab.rendering.fonts import MASK_PX, SUIT_SIGNS, Fonts, cropped, glyphs, is_missing
from vision.lab.rendering.invented_art import donated, doubled, figure, paper_tint, recolored, trump_scene
from vision.lab.rendering.props import Color, draw_background, random_color
from vision.lab.rendering.reprints import narrowing

HEIGHT, WIDTH = 336, 183
"""Size of an invented card's picture."""

_FLAT_THREE = "Ʒ"
"""The letter ezh, which looks like the flat-topped three of many French packs."""
_EMBLEMS = {"V": "♗♙♝♟", "C": "♘♞", "D": "♕♛", "R": "♔♚"}
"""Chess pieces that some packs have in place of figures, by rank."""

_BOW = np.linspace(-1, 1, 9)
_THIRD, _HALF = 1 / 3, 0.5
_FOUR: list[tuple[float, float]] = [(0, -1), (1, -1), (0, 1), (1, 1)]
_SIX = [*_FOUR, (0, 0), (1, 0)]
_EIGHT = [*_FOUR, (0, -_THIRD), (1, -_THIRD), (0, _THIRD), (1, _THIRD)]
_MIDDLE = 0.5
_COLUMN_OF_TWO: list[tuple[float, float]] = [(_MIDDLE, -1), (_MIDDLE, 1)]
_PIPS: dict[str, tuple[list[tuple[float, float]], ...]] = {
    "1": ([(_MIDDLE, 0)],),
    "2": (*[_COLUMN_OF_TWO] * 4, [(0, -1), (1, 1)]),
    "3": (*[[*_COLUMN_OF_TWO, (_MIDDLE, 0)]] * 4, [(0, -1), (_MIDDLE, 0), (1, 1)]),
    "4": (_FOUR,),
    "5": ([*_FOUR, (_MIDDLE, 0)],),
    "6": (_SIX,),
    "7": (
        [*_SIX, (_MIDDLE, -_HALF)],
        [*_SIX, (_MIDDLE, -_HALF)],
        [*_FOUR, (_MIDDLE, -_HALF), (_MIDDLE, 0), (_MIDDLE, _HALF)],
    ),
    "8": ([*_SIX, (_MIDDLE, -_HALF), (_MIDDLE, _HALF)], _EIGHT),
    "9": (
        [*_EIGHT, (_MIDDLE, 0)],
        [*_EIGHT, (_MIDDLE, 0)],
        [*_SIX, (_MIDDLE, -1), (_MIDDLE, 0), (_MIDDLE, 1)],
    ),
    "10": ([*_EIGHT, (_MIDDLE, -2 * _THIRD), (_MIDDLE, 2 * _THIRD)],),
}
"""By rank the layouts of real decks, frequent ones twice: columns from 0 (left) to 1, rows from -1 (top) to 1."""

_LETTERS = {"V": (("V", 0.48), ("J", 0.38), ("B", 0.14)), "D": (("D", 0.6), ("Q", 0.4)),
            "R": (("R", 0.52), ("K", 0.48)), "C": (("C", 0.93), ("N", 0.07)),
            "1": (("1", 0.75), ("A", 0.25))}  # fmt: skip
"""The letters of French, English and Danish packs: V D R, J Q K and B D K."""
_ROMAN = (
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX", "XX", "XXI",
)  # fmt: skip


# --- Laying ink ---------------------------------------------------------------------------------------


def _sized(mask: UInt8Array, height: float, broad: float = 1.0) -> UInt8Array:
    """`mask` scaled to `height`, and its width also by `broad`."""
    scale = height / mask.shape[0]
    size = (max(2, round(mask.shape[1] * scale * broad)), max(2, round(height)))
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _stamp(canvas: UInt8Array, mask: UInt8Array, at: tuple[float, float], color: Color) -> None:
    """Print `mask` in `color`, centred at (x, y) and clipped to `canvas`, which may be a flipped view."""
    h, w = mask.shape
    x, y = round(at[0] - w / 2), round(at[1] - h / 2)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, canvas.shape[1]), min(y + h, canvas.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    share = mask[y0 - y : y1 - y, x0 - x : x1 - x, None] * np.float32(1 / 255)
    area = canvas[y0:y1, x0:x1]
    area[:] = area + (np.array(color, np.float32) - area) * share


def _ends(canvas: UInt8Array) -> tuple[UInt8Array, UInt8Array]:
    """Views of the card from either end; drawing the same into both makes it double-ended."""
    return canvas, canvas[::-1, ::-1]


def _pick(rng: Rng, chances: Sequence[tuple[str, float]]) -> str:
    roll = rng.random()
    for name, chance in chances:
        roll -= chance
        if roll < 0:
            return name
    return chances[0][0]


def _text(rng: Rng, fonts: Fonts) -> Callable[[str], UInt8Array]:
    """What gives the mask of a text in one font, perhaps bold or with a flat-topped three."""
    path = one_of(rng, fonts.texts)
    bold = int(rng.integers(2, 7)) if rng.random() < 0.2 else 0
    flat = rng.random() < 0.2 and not is_missing(path, glyphs(path, _FLAT_THREE))

    def draw(text: str) -> UInt8Array:
        mask = glyphs(path, text.replace("3", _FLAT_THREE) if flat else text)
        if not mask.size:
            return np.full((4, 4), 0, np.uint8)
        return cv2.dilate(mask, np.ones((3, bold), np.uint8)).astype(np.uint8) if bold else mask

    return draw


def _curve(*points: tuple[float, float]) -> Float64Array:
    """A cubic Bezier curve as (12, 2) points."""
    t = np.linspace(0, 1, 12)[:, None]
    a, b, c, d = (np.array(point) for point in points)
    return np.asarray((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t * t * (1 - t) * c + t**3 * d)


def _sign(rng: Rng, suit: str, fonts: Fonts) -> UInt8Array:
    """The mask of a suit's sign in a random shape, about `MASK_PX` high."""
    if fonts.signs and rng.random() < 0.35:
        mask = glyphs(one_of(rng, fonts.signs), SUIT_SIGNS[suit])
        return _sized(mask, MASK_PX, float(rng.uniform(0.85, 1.15)))
    size = MASK_PX * 2
    mask = np.zeros((size, size), np.uint8)

    def fill(points: Float64Array) -> None:
        both = np.vstack([points, points[::-1] * (-1, 1)])
        cv2.fillPoly(mask, [np.round((both + 1) * size / 2 * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)

    def r(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    if suit == "D":
        w, bend = r(0.55, 0.85), r(0.75, 1.12)
        near, far = (w * 0.33 * bend, 0.6 * bend), (w * 0.66 * bend, 0.3 * bend)
        upper = _curve((0, -0.95), (near[0], -near[1]), (far[0], -far[1]), (w, 0))
        fill(np.vstack([upper, upper[::-1] * (1, -1)]))
    elif suit == "C":
        lobe, spread = r(0.34, 0.45), r(0.42, 0.52)
        for x, y in ((0.0, -0.93 + lobe), (-spread, r(0.02, 0.2)), (spread, 0.0)):
            low = 0.15 if x else y
            at = (round((x + 1) * size / 2), round((low + 1) * size / 2))
            cv2.circle(mask, at, round(lobe * size / 2), 255, -1, cv2.LINE_AA)
        cv2.circle(mask, (size // 2, size // 2), round(r(0.12, 0.3) * size / 2), 255, -1, cv2.LINE_AA)
    if suit in "HS":
        w, notch, top = r(0.78, 0.95), r(-0.65, -0.3), r(-1.15, -1.0)
        low, belly = r(-0.5, -0.3), r(0.05, 0.4)
        half = np.vstack([_curve((0, notch), (r(0.02, 0.25), top), (w, top), (w, low)),
                          _curve((w, low), (w, belly), (r(0.05, 0.4), r(0.35, 0.6)), (0, 0.95))])  # fmt: skip
        fill(half if suit == "H" else half * (1, -0.88) - (0, 0.1))
    if suit in "SC":
        thin, foot = r(0.03, 0.12), r(0.25, 0.5)
        fill(
            np.vstack(
                [[(thin, 0.0)], _curve((thin, 0.2), (thin, 0.6), (foot * 0.5, 0.85), (foot, r(0.9, 0.95)))]
            )
        )
    return _sized(cropped(mask), MASK_PX)


# --- Colours ------------------------------------------------------------------------------------------


def _suit_color(rng: Rng, suit: str) -> Color:
    """Red or black; of a card in four, green for clubs and blue for diamonds."""
    four = rng.random() < 0.25
    if four and suit == "C":
        return float(rng.uniform(30, 110)), float(rng.uniform(100, 165)), float(rng.uniform(0, 60))
    if four and suit == "D":
        return float(rng.uniform(170, 240)), float(rng.uniform(70, 150)), float(rng.uniform(0, 60))
    if suit in "HD":
        green = float(rng.uniform(0, 85))
        return green * float(rng.uniform(0.5, 1.4)), green, float(rng.uniform(165, 245))
    level = float(rng.uniform(0, 60))
    return level * float(rng.uniform(0.8, 1.3)), level, level * float(rng.uniform(0.7, 1.1))


# --- Pictures -----------------------------------------------------------------------------------------


def _emblem(
    rng: Rng, size: tuple[int, int], rank: str, fonts: Fonts, color: Color, paper: Color
) -> UInt8Array:
    """Half a court card of (width, height) px with a chess piece, or nothing, instead of a figure."""
    w, h = size
    art = np.full((h, w, 3), paper, np.uint8)
    if not fonts.signs or rng.random() < 0.2:
        return art
    man = _EMBLEMS[rank] if rng.random() < 0.8 else str(rng.choice(list("".join(_EMBLEMS.values()))))
    path = one_of(rng, fonts.signs)
    mask = glyphs(path, one_of(rng, man))
    if mask.size and not is_missing(path, mask):
        tall = float(rng.uniform(0.3, 0.8)) * h
        ink = color if rng.random() < 0.7 else random_color(rng, 0, 160)
        _stamp(art, _sized(mask, tall), (w / 2, h - tall * float(rng.uniform(0.5, 0.7))), ink)
    return art


def _framed(rng: Rng, canvas: UInt8Array, art: UInt8Array, corner: tuple[int, int], color: Color) -> None:
    """Lay `art` into `canvas`, its upper left corner at `corner` (x, y), mostly with a frame."""
    x, y = corner
    h, w = art.shape[:2]
    canvas[y : y + h, x : x + w] = art
    if rng.random() < 0.75:
        cv2.rectangle(canvas, (x, y), (x + w, y + h), color, int(rng.integers(1, 3)), cv2.LINE_AA)


# --- The cards ----------------------------------------------------------------------------------------


def _index(
    rng: Rng,
    canvas: UInt8Array,
    text: UInt8Array,
    sign: UInt8Array | None,
    color: Color,
    tall: float,
    paper: Color | None = None,
) -> tuple[float, float]:
    """Print an index in two or four corners, at one end only, or in the middle of both; its text is `tall` px high.

    The sign beneath is smaller than the text, or as large as a pip. A rim of the colour `paper`, if given, sets the ink
    off from a picture. Returns how far pips keep from the sides, and from the ends.
    """
    width = canvas.shape[1]
    centred, large = rng.random() < 0.2, rng.random() < 0.3
    most = 90 if centred else 48
    letters = _sized(text, tall, float(rng.uniform(0.65, 1.15)))
    if letters.shape[1] > most:
        letters = cv2.resize(letters, (most, letters.shape[0]), interpolation=cv2.INTER_AREA).astype(np.uint8)
    left, top = float(rng.uniform(3, 11)), float(rng.uniform(4, 15))
    broad = letters.shape[1]
    mark_px = rng.uniform(24, 60) if large else np.clip(tall * rng.uniform(0.55, 0.95), 7, 40)
    small = _sized(sign, float(mark_px)) if sign is not None else None
    beside = small is not None and rng.random() < 0.08
    if small is not None and not beside:
        broad = max(broad, small.shape[1])
    gap = float(rng.uniform(2, 7))
    marks, reach = [], top + tall
    apart = large and rng.random() < 0.2  # the sign stands alone in the other two corners
    for side in (1,) if centred or rng.random() < 0.5 else (1, -1):
        x = width / 2 if centred else left + broad / 2 if side == 1 else width - left - broad / 2
        alone = apart and side == -1
        if not alone:
            marks.append((letters, (x, top + tall / 2)))
        if small is not None and beside and not alone:
            marks.append((small, (x + side * ((broad + small.shape[1]) / 2 + 2), top + tall / 2)))
        elif small is not None:
            y = top if alone else top + tall + gap
            marks.append((small, (x, y + small.shape[0] / 2)))
            reach = max(reach, y + small.shape[0])
    ends = _ends(canvas)[: 1 if rng.random() < 0.07 else 2]
    if paper is not None:
        rim = int(rng.integers(1, 7))
        shape = cv2.MORPH_RECT if rng.random() < 0.5 else cv2.MORPH_ELLIPSE
        kernel = cv2.getStructuringElement(shape, (2 * rim + 1, 2 * rim + 1))
        for mask, at in marks:
            wide = cv2.copyMakeBorder(mask, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(0.0,))
            around = cv2.dilate(wide, kernel).astype(np.uint8)
            for end in ends:
                _stamp(end, around, at, paper)
    plate = (
        np.full((letters.shape[0] + 8, letters.shape[1] + 8), 255, np.uint8) if rng.random() < 0.16 else None
    )
    for end in ends:
        for mask, at in marks:
            if mask is letters and plate is not None:
                _stamp(end, plate, at, color)
            _stamp(end, mask, at, (250.0, 252.0, 253.0) if mask is letters and plate is not None else color)
    return (8.0, reach) if centred or (large and small is not None) else (float(left + broad), 0.0)


def _layout(rng: Rng, rank: str, has_index: bool) -> list[tuple[float, float]]:
    """Where the pips of a card of `rank` are, as in `_PIPS`.

    With an index, which tells the rank, the pips may be those of another rank, one large sign, or none.
    """
    kind = rng.random()
    if has_index and kind < 0.13:
        rank = str(rng.choice(list(_PIPS)))
    elif has_index and kind < 0.19:
        return [] if kind < 0.16 else [(_MIDDLE, 0.0)]
    elif kind > 0.93:
        return _any_pattern(rng, int(rank))
    layouts = _PIPS[rank]
    return one_of(rng, layouts)


def _any_pattern(rng: Rng, count: int) -> list[tuple[float, float]]:
    """`count` pips in a ring, in two columns, or in rows of three: layouts that none of the scanned decks has."""
    kind = rng.integers(3)
    if kind == 0 and count > 2:
        angles = np.arange(count) * 2 * np.pi / count - np.pi / 2
        return [(_MIDDLE + _MIDDLE * float(np.cos(a)), float(np.sin(a))) for a in angles]
    abreast = 2 if kind == 1 else 3
    rows = -(-count // abreast)
    places = []
    for k in range(count):
        line = k // abreast
        here = min(abreast, count - line * abreast)
        x = _MIDDLE if here == 1 else (k % abreast) / (here - 1)
        places.append((float(x), -1 + 2 * line / (rows - 1) if rows > 1 else 0.0))
    return places


def _pips(rng: Rng, canvas: UInt8Array, card: str, fonts: Fonts, paper: Color) -> None:
    width = canvas.shape[1]
    suit, rank = card[0], card[1:]
    color, sign = _suit_color(rng, suit), _sign(rng, suit, fonts)
    roll = rng.random()
    tall = float(rng.uniform(8, 16)) if roll < 0.14 else float(np.exp(rng.uniform(np.log(18), np.log(60))))
    has_index = roll < 0.93
    if rng.random() < 0.12:
        shade, inset_x, inset_y = rng.uniform(0.85, 0.97), int(rng.integers(8, 30)), int(rng.integers(8, 30))
        cv2.rectangle(
            canvas, (inset_x, inset_y), (width - inset_x, HEIGHT - inset_y), [shade * c for c in paper], -1
        )
    text = _text(rng, fonts)(_pick(rng, _LETTERS.get(rank, ((rank, 1.0),))))
    beneath = sign if rng.random() < 0.93 else None
    crowded = rng.random() < 0.2  # the outer pips reach under the index, which has a rim of paper around it
    used, reach = 8.0, 0.0
    if has_index and not crowded:
        used, reach = _index(rng, canvas, text, beneath, color, tall)
    layout = _layout(rng, rank, has_index)
    column = float(min(rng.uniform(28, 60), width / 2 - used * 0.6 - 14))
    row = float(rng.uniform(95, 136) if rng.random() < 0.8 else rng.uniform(56, 95))
    size = float(rng.uniform(24, 60 if len(layout) < 8 else 54))
    if reach:
        row = max(45.0, min(row, HEIGHT / 2 - reach - size / 2))
    if len(layout) == 1:
        size = float(np.exp(rng.uniform(np.log(32), np.log(120))))
    elif len(layout) > 7:
        size = min(size, row * 0.62)
    elif reach:
        size = min(size, row * 0.8)
    pip = _sized(sign, size, float(rng.uniform(0.85, 1.1)))
    if pip.shape[1] > column * 1.15 and len(layout) > 1:
        pip = _sized(sign, size * column * 1.15 / pip.shape[1])
    edge = random_color(rng, 0, 255) if rng.random() < 0.06 else None
    if {(0, -1), (_MIDDLE, -1)} <= set(layout):  # three abreast
        pip = _sized(pip, min(pip.shape[0], pip.shape[0] * column * 0.9 / pip.shape[1]))
    turned = np.ascontiguousarray(pip[::-1, ::-1])
    if len(layout) == 1 and rng.random() < 0.12:
        for radius in rng.uniform(size * 0.6, 80, 2):
            cv2.circle(
                canvas, (width // 2, HEIGHT // 2), int(radius), color, int(rng.integers(1, 4)), cv2.LINE_AA
            )
    over = -1 if rng.random() < 0.2 and suit != "D" else 1  # a printer may lay the odd pips upside down
    never_turned = rng.random() < 0.04
    for x, y in layout:
        at = (width / 2 + (x * 2 - 1) * column, HEIGHT / 2 + y * over * row)
        mark = turned if y * over > 0 and not never_turned else pip
        if edge is not None:
            _stamp(canvas, cv2.dilate(mark, np.ones((3, 3))).astype(np.uint8), (at[0] + 1, at[1] + 1), edge)
        _stamp(canvas, mark, at, color)
    if has_index and crowded:
        _index(rng, canvas, text, beneath, color, tall, paper)


def _court(
    rng: Rng, canvas: UInt8Array, card: str, fonts: Fonts, donors: Sequence[Deck], paper: Color
) -> None:
    width = canvas.shape[1]
    suit, rank = card[0], card[1]
    color, sign = _suit_color(rng, suit), _sign(rng, suit, fonts)
    x, y = int(rng.integers(8, 36)), int(rng.integers(8, 30))
    w, h = width - 2 * x, (HEIGHT - 2 * y) // 2 * 2
    # In another pack a king may look like this one's knave. Then only the letter tells.
    strange = rng.random() < 0.4
    ranks = "VCDR" if strange else rank
    givers = [(deck, s + r) for deck in donors for s in "SHDC" for r in ranks if s + r in deck.faces]
    mirrored = rng.random() < 0.3
    borrowed = bool(givers) and rng.random() < 0.6
    if borrowed:
        art = _borrowed_court(rng, card, givers, (w, h), color, mirrored)
    else:
        single = rng.random() < 0.15
        size = (w, h if single else h // 2)
        plain = rng.random() < 0.3
        art = _emblem(rng, size, rank, fonts, color, paper) if plain else figure(rng, size, rank)
        if not single:
            art = doubled(rng, art, color if rng.random() < 0.6 else None)
    line = color if rng.random() < 0.5 else (30.0, 30.0, 30.0)
    _framed(rng, canvas, art, (x, y), line)
    # A borrowed picture has its own suit's sign here, which must be covered.
    inside = borrowed or rng.random() < 0.5
    bare = borrowed and not strange and rng.random() < 0.05
    if inside:
        big = _sized(sign, float(rng.uniform(32, 52)))
        plate_w, plate_h = max(w * 0.27, big.shape[1] + 4), max(h * 0.17, big.shape[0] + 4)
        plate = np.full((int(plate_h), int(plate_w)), 255, np.uint8)
        at = (x + plate_w / 2, y + plate_h / 2)
        if mirrored:
            at = (width - at[0], at[1])
        for end in _ends(canvas):
            if borrowed or rng.random() < 0.5:
                _stamp(end, plate, at, paper)
            _stamp(end, big, at, color)
    if not bare:
        tall = float(np.exp(rng.uniform(np.log(11 if rng.random() < 0.25 else 20), np.log(56))))
        text = _text(rng, fonts)(_pick(rng, _LETTERS[rank]))
        _index(rng, canvas, text, sign if not inside or rng.random() < 0.7 else None, color, tall, paper)


def _borrowed_court(
    rng: Rng, card: str, givers: Sequence[tuple[Deck, str]], size: tuple[int, int], color: Color,
    mirrored: bool,
) -> UInt8Array:  # fmt: skip
    """A court's picture of (width, height) px from one of `givers` (deck, card), often the same card."""
    w, h = size
    own = [giver for giver in givers if giver[1] == card]
    pool = own if own and rng.random() < 0.5 else givers
    deck, giver = one_of(rng, pool)
    left, top = float(rng.uniform(0.1, 0.2)), float(rng.uniform(0.03, 0.09))
    whole = rng.random() < 0.5
    window = (left, top, 1 - left, 1 - top if whole else 0.5)
    art = donated(deck, giver, (w, h if whole else h // 2), window)
    if not whole:
        art = doubled(rng, art, color)
    if rng.random() < 0.7:
        art = recolored(rng, art)
    return np.ascontiguousarray(art[:, ::-1]) if mirrored else art


def _trump(
    rng: Rng, canvas: UInt8Array, card: str, fonts: Fonts, donors: Sequence[Deck], paper: Color
) -> None:
    numeral = card[1:]
    roman = rng.random() < 0.15
    text = _text(rng, fonts)(_ROMAN[int(numeral) - 1] if roman else numeral)
    if (numeral in ("6", "9") and rng.random() < 0.3) or rng.random() < 0.03:
        underlined = np.zeros((text.shape[0] + 22, text.shape[1]), np.uint8)
        underlined[: text.shape[0]] = text
        underlined[-12:] = 255
        text = underlined
    ink: Color = (25.0, 22.0, 20.0) if rng.random() < 0.7 else random_color(rng, 0, 120)
    if rng.random() < 0.1:
        ink = (50.0, 30.0, 190.0)
    layout = str(rng.choice(["band", "corners", "boxes", "index"], p=(0.3, 0.35, 0.2, 0.15)))
    tall = float(np.exp(rng.uniform(np.log(11 if rng.random() < 0.25 else 24), np.log(60))))
    edge = int(rng.integers(4, 18))
    band = int(tall + rng.uniform(8, 26))
    under = layout in ("boxes", "index")  # the numerals stand on the picture
    x = edge if rng.random() < 0.7 or not under else 0
    y = edge if under else edge + band
    if under and rng.random() < 0.4:
        x, y = x + 14, y + 14
    size = (canvas.shape[1] - 2 * x, HEIGHT - 2 * y)
    _framed(rng, canvas, _trump_art(rng, card, donors, size, ink), (x, y), ink)
    letters = _sized(text, tall, float(rng.uniform(0.65, 1.15)))
    most = 100 if layout == "band" else 80 if roman else 58
    if letters.shape[1] > most:
        letters = cv2.resize(letters, (most, letters.shape[0]), interpolation=cv2.INTER_AREA).astype(np.uint8)
    if under:
        _boxed_numerals(rng, canvas, letters, tall, layout == "boxes", ink, paper)
    else:
        _banded_numerals(rng, canvas, letters, edge, band, layout == "corners", ink, paper)


def _trump_art(rng: Rng, card: str, donors: Sequence[Deck], size: tuple[int, int], ink: Color) -> UInt8Array:
    """A trump's picture, at most (width, height) px: single, double-ended, or two different halves."""
    w, h = size[0], size[1] // 2 * 2

    def picture(high: int, single: bool) -> UInt8Array:
        givers = [(d, c) for d in donors for c in d.faces if c[0] == "T" and c != card]
        if not givers or rng.random() < 0.4:
            return trump_scene(rng, (w, high))
        deck, giver = one_of(rng, givers)
        left, top = float(rng.uniform(0.08, 0.25)), float(rng.uniform(0.22, 0.28))
        art = donated(deck, giver, (w, high), (left, top, 1 - left, 1 - top if single else 0.5))
        if rng.random() < 0.4:
            art = np.ascontiguousarray(art[:, ::-1])
        return recolored(rng, art) if rng.random() < 0.75 else art

    if rng.random() < 0.25:
        return picture(h, single=True)
    if rng.random() < 0.5:
        return doubled(rng, picture(h // 2, single=False), ink)
    halves = [picture(h // 2, single=False), picture(h // 2, single=False)[::-1, ::-1]]
    return np.ascontiguousarray(np.vstack(halves))


def _banded_numerals(
    rng: Rng, canvas: UInt8Array, letters: UInt8Array, edge: int, band: int, in_corners: bool,
    ink: Color, paper: Color,
) -> None:  # fmt: skip
    """Print a trump's numerals in a band `band` px high across each end: in its middle, or `in_corners`."""
    width = canvas.shape[1]
    back = paper if rng.random() < 0.7 else random_color(rng, 190, 255)
    if rng.random() < 0.16:
        back, ink = ink, paper
    middle_y = edge + band / 2
    ornament = draw_background(rng, (40, band - 6)) if in_corners and rng.random() < 0.5 else None
    places = [width / 2]
    if in_corners:
        out = edge + letters.shape[1] / 2 + float(rng.uniform(1, 9))
        places = [out, width - out] if rng.random() < 0.8 else [out]
    # A line beside each numeral, straight or bent like a bracket, which must not be read as a 1.
    beside = letters.shape[1] + edge + int(rng.integers(6, 24)) if in_corners and rng.random() < 0.4 else 0
    bow = np.zeros((band, 30), np.uint8)
    bend = int(rng.integers(-10, 11))
    curve = np.column_stack([15 + bend * (1 - _BOW**2), (_BOW + 1) * band / 2]).astype(np.int32)
    cv2.polylines(bow, [curve], False, 255, int(rng.integers(1, 4)), cv2.LINE_AA)
    for end in _ends(canvas):
        end[edge : edge + band, edge : width - edge] = np.array(back, np.uint8)
        if beside:
            _stamp(end, bow, (beside, middle_y), ink)
            _stamp(end, bow[:, ::-1], (width - beside, middle_y), ink)
        if ornament is not None:
            end[edge + 3 : edge + band - 3, width // 2 - 20 : width // 2 + 20] = ornament
        for at_x in places:
            _stamp(end, letters, (at_x, middle_y), ink)
    if rng.random() < 0.5:
        cv2.rectangle(canvas, (edge, edge), (width - edge, HEIGHT - edge), ink, 1, cv2.LINE_AA)


def _boxed_numerals(
    rng: Rng, canvas: UInt8Array, letters: UInt8Array, tall: float, varied: bool, ink: Color,
    paper: Color,
) -> None:  # fmt: skip
    """Print a trump's numerals in boxes on its picture. `varied` boxes may be rounded or have their colours swapped."""
    pad = float(rng.uniform(6, 16))
    box = np.full((int(tall + pad), int(letters.shape[1] + pad)), 255, np.uint8)
    if varied and rng.random() < 0.5:
        box = rounded_alpha(box.shape[0], box.shape[1], float(rng.uniform(3, 12)))
    inset = float(rng.uniform(3, 14))
    at = (inset + box.shape[1] / 2, inset + box.shape[0] / 2)
    roll = rng.random()
    places = (
        [canvas.shape[1] / 2] if roll < 0.2 else [at[0]] if roll < 0.6 else [at[0], canvas.shape[1] - at[0]]
    )
    fill = paper if rng.random() < 0.8 else random_color(rng, 200, 255)
    if varied and rng.random() < 0.2:
        fill, ink = ink, paper
    rim = rng.random() < 0.4
    for end in _ends(canvas):
        for at_x in places:
            if rim:
                _stamp(end, cv2.copyMakeBorder(box, 2, 2, 2, 2, cv2.BORDER_REPLICATE).astype(np.uint8),
                       (at_x, at[1]), ink)  # fmt: skip
            _stamp(end, box, (at_x, at[1]), fill)
            _stamp(end, letters, (at_x, at[1]), ink)


def _star(rng: Rng) -> UInt8Array:
    mask = np.zeros((MASK_PX, MASK_PX), np.uint8)
    points = int(rng.choice([5, 5, 5, 6, 8]))
    inner = rng.uniform(0.35, 0.55)
    angles = np.arange(points * 2) * math.pi / points - math.pi / 2
    reach = np.where(np.arange(points * 2) % 2, inner, 0.98) * MASK_PX / 2
    corners = np.column_stack([np.cos(angles) * reach, np.sin(angles) * reach]) + MASK_PX / 2
    cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def _fool(rng: Rng, canvas: UInt8Array, fonts: Fonts, donors: Sequence[Deck], paper: Color) -> None:
    width = canvas.shape[1]
    x, y = int(rng.integers(6, 34)), int(rng.integers(8, 30))
    w, h = width - 2 * x, (HEIGHT - 2 * y) // 2 * 2
    givers = [deck for deck in donors if "F" in deck.faces]
    whole = rng.random() < 0.5
    size = (w, h if whole else h // 2)
    if givers and rng.random() < 0.65:
        left, top = float(rng.uniform(0.02, 0.14)), float(rng.uniform(0.02, 0.06))
        art = donated(one_of(rng, givers), "F", size,
                       (left, top, 1 - left, 1 - top if whole else 0.5))  # fmt: skip
        if rng.random() < 0.7:
            art = recolored(rng, art)
        if rng.random() < 0.3:
            art = np.ascontiguousarray(art[:, ::-1])
    else:
        art = figure(rng, size, "F")
        whole = whole and rng.random() < 0.3
        if art.shape[0] == h and not whole:
            art = cv2.resize(art, (w, h // 2), interpolation=cv2.INTER_AREA).astype(np.uint8)
    ink: Color = (25.0, 25.0, 25.0) if rng.random() < 0.7 else random_color(rng, 0, 160)
    if art.shape[0] != h:
        art = doubled(rng, art, ink if rng.random() < 0.6 else None)
    _framed(rng, canvas, art, (x, y), ink)
    mark = _pick(rng, (("star", 0.55), ("none", 0.2), ("*", 0.07), ("0", 0.03), ("EXCUSE", 0.15)))
    if mark == "none":
        return
    if mark == "EXCUSE":
        word = _sized(
            _text(rng, fonts)("EXCUSE" if rng.random() < 0.7 else "L'EXCUSE"), float(rng.uniform(9, 16))
        )
        word = word[:, : width - 20]
        at_x = width / 2 if rng.random() < 0.6 else word.shape[1] / 2 + 8
        plate = cv2.copyMakeBorder(word * 0 + 255, 3, 3, 4, 4, cv2.BORDER_REPLICATE).astype(np.uint8)
        for end in _ends(canvas):
            _stamp(end, plate, (at_x, 14), paper)
            _stamp(end, word, (at_x, 14), ink)
        return
    text = _star(rng) if mark == "star" else _text(rng, fonts)(mark)
    _index(rng, canvas, text, None, ink, float(rng.uniform(14, 34)), paper)


@lru_cache(16)
def _corners(radius: int) -> UInt8Array:
    return rounded_alpha(HEIGHT, WIDTH, radius)


def invent_card(rng: Rng, card: str, fonts: Fonts, donors: Sequence[Deck] = ()) -> UInt8Array:
    """A random printing of `card` (a name of `tracker.cards.CARDS`): (336, 183, 4) uint8 BGRA.

    A broader card is squeezed to that size, as it is when it is read (`vision.lab.rendering.reprints`). Alpha is
    straight and rounds the corners. Some pictures come from `donors`, mostly recoloured: of courts mostly from those of
    the same rank, of trumps from other trumps, of the fool from other fools.
    """
    paper = paper_tint(rng)
    canvas = np.full((HEIGHT, round(WIDTH / narrowing(rng)), 3), paper, np.uint8)
    if card == "F":
        _fool(rng, canvas, fonts, donors, paper)
    elif card[0] == "T":
        _trump(rng, canvas, card, fonts, donors, paper)
    elif card[1:] in _PIPS:
        _pips(rng, canvas, card, fonts, paper)
    else:
        _court(rng, canvas, card, fonts, donors, paper)
    if rng.random() < 0.25:
        inset = int(rng.integers(0, 5))
        cv2.rectangle(canvas, (inset, inset), (canvas.shape[1] - 1 - inset, HEIGHT - 1 - inset),
                      random_color(rng, 0, 200) if rng.random() < 0.3 else (60, 60, 60), 1, cv2.LINE_AA)  # fmt: skip
    alpha = _corners(int(rng.integers(4, 16)))
    canvas = cv2.resize(canvas, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return cv2.merge([canvas, alpha]).astype(np.uint8, copy=False)
