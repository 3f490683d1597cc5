"""Ten styles of printing cards that training never drew, to measure how an index is read: decks, and stills of them.

`python -m vision.lab.bench.styles --out DIR` writes each style as a deck folder in DIR/decks, and 13 stills of 12
cards each, every card twice, in DIR/stills/STYLE. `tarok bench stills DIR/stills/*` counts them. Every run draws the
same, without `vision.lab.rendering`. Lengths are mm of a card unless named otherwise.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float32Array, Rng, UInt8Array
from vision.decks import CARD_MM, rounded_alpha
from vision.errors import VisionError
from vision.lab.extras import matplotlib_fonts, train_extra

_PX_PER_MM = 6
_WIDE, _HIGH = CARD_MM
_STILL_PX = (1280, 720)
_STILLS, _ACROSS, _DOWN = 13, 6, 2
_PIPS: Final[Mapping[int, Sequence[tuple[float, float]]]] = {
    1: ((0, 0),),
    2: ((0, -1), (0, 1)),
    3: ((0, -1), (0, 0), (0, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    7: ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    8: ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    9: ((-1, -1), (1, -1), (-1, -0.34), (1, -0.34), (0, 0), (-1, 0.34), (1, 0.34), (-1, 1), (1, 1)),
    10: ((-1, -1), (1, -1), (0, -0.67), (-1, -0.34), (1, -0.34), (-1, 0.34), (1, 0.34), (0, 0.67), (-1, 1), (1, 1)),
}  # fmt: skip
"""By rank the place of each pip: to the right (-1 to 1) and down (-1 to 1) of the middle."""
_ROMAN = (
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX", "XX", "XXI",
)  # fmt: skip


@dataclass(frozen=True)
class Style:
    """How a pack is printed.

    - `index`, `mark`: heights of an index's letters, and of the suit's sign under them; 0 for none.
    - `at`: the index stands in "two" or "four" corners, in "one", in the middle of both ends ("centred"), or in two
      with the signs alone in the other two ("apart").
    - `pips`: as many as the rank has ("true"), as another rank has ("other"), or "one" large sign, each `pip` high.
    - `letters`: what is printed for a rank. `plate`: letters are white on colour. `inks`: of S, H, D and C.
    """

    name: str
    font: str = "DejaVuSans-Bold.ttf"
    index: float = 9.0
    mark: float = 6.0
    at: str = "two"
    pips: str = "true"
    pip: float = 11.0
    letters: Mapping[str, str] = field(default_factory=dict)
    roman: bool = False
    plate: bool = False
    inks: tuple[str, str, str, str] = ("#181818", "#c01828", "#c01828", "#181818")


STYLES: Final = (
    Style("large-marks", index=10, mark=12, at="four", pip=12),
    Style("marks-apart", font="STIXGeneralBol.ttf", mark=11, at="apart"),
    Style("other-pips", font="DejaVuSerif-Bold.ttf", pips="other"),
    Style("one-sign", font="DejaVuSans.ttf", mark=0, pips="one", pip=30),
    Style(
        "jqk", font="DejaVuSerif.ttf", index=11, letters={"V": "J", "C": "C", "D": "Q", "R": "K", "1": "A"},
        inks=("#202020", "#d02020", "#2050c0", "#108040"),
    ),
    Style("no-index", index=0, mark=0, pip=14),
    Style("tiny", index=4, mark=3, pip=13),
    Style("one-corner", font="STIXGeneral.ttf", index=12, mark=9, at="one"),
    Style("roman", font="STIXGeneralBol.ttf", index=8, mark=5, roman=True),
    Style(
        "centred", index=11, mark=0, at="centred", pip=9, plate=True,
        inks=("#304058", "#a03028", "#b06010", "#206040"),
    ),
)  # fmt: skip


@cache
def _font(name: str, px: int) -> Any:
    with train_extra("drawing styles"):
        from PIL import ImageFont

        path = matplotlib_fonts() / name
    return ImageFont.truetype(str(path), px)


def _text(text: str, font: str, tall: float, most: float) -> UInt8Array:
    """The mask of `text`, `tall` mm high and at most `most` mm broad."""
    drawn = _font(font, 120)  # first: it says if Pillow is missing
    from PIL import Image, ImageDraw

    left, top, right, bottom = drawn.getbbox(text)
    picture = Image.new("L", (round(right - left) + 2, round(bottom - top) + 2))
    ImageDraw.Draw(picture).text((1 - left, 1 - top), text, 255, drawn)
    high = round(tall * _PX_PER_MM)
    wide = min(round(most * _PX_PER_MM), round(picture.width * high / picture.height))
    return np.asarray(picture.resize((max(3, wide), high), Image.Resampling.LANCZOS))


def _sign(suit: str, tall: float) -> UInt8Array:
    """The mask of a suit's sign, `tall` mm high."""
    side = 256
    mask = np.zeros((side, side), np.uint8)
    t = np.linspace(0, 2 * np.pi, 90)
    heart = np.stack(
        [16 * np.sin(t) ** 3, -13 * np.cos(t) + 5 * np.cos(2 * t) + 2 * np.cos(3 * t) + np.cos(4 * t)], 1
    )

    def fill(points: Any) -> None:
        cv2.fillPoly(mask, [np.round(np.asarray(points)).astype(np.int32)], 255)

    if suit == "H":
        fill(heart * 7 + (128, 118))
    elif suit == "D":
        fill([(128, 8), (212, 128), (128, 248), (44, 128)])
    elif suit == "S":
        fill(heart * (7, -6.2) + (128, 120))
        fill([(128, 130), (168, 248), (88, 248)])
    else:
        for x, y in ((128, 66), (66, 148), (190, 148)):
            cv2.circle(mask, (x, y), 56, 255, -1)
        fill([(128, 90), (166, 248), (90, 248)])
    x, y, wide, tall_px = cv2.boundingRect(mask)
    ink = mask[y : y + tall_px, x : x + wide]
    high = max(3, round(tall * _PX_PER_MM))
    return cv2.resize(
        ink, (max(3, round(high * ink.shape[1] / ink.shape[0])), high), interpolation=cv2.INTER_AREA
    ).astype(np.uint8)


def _print(card: UInt8Array, mask: UInt8Array, x: float, y: float, ink: str, turned: bool = False) -> None:
    """Print `mask` in `ink` with its centre at (x, y) mm, in the picture `card` (H, W, 3) BGR."""
    if turned:
        mask = mask[::-1, ::-1]
    left, top = round(x * _PX_PER_MM - mask.shape[1] / 2), round(y * _PX_PER_MM - mask.shape[0] / 2)
    x0, y0 = max(left, 0), max(top, 0)
    area = card[y0 : top + mask.shape[0], x0 : left + mask.shape[1]]
    share = mask[y0 - top : y0 - top + area.shape[0], x0 - left : x0 - left + area.shape[1], None] / 255
    area[:] = (area * (1 - share) + np.array(_bgr(ink)) * share).astype(np.uint8)


def _bgr(ink: str) -> tuple[int, int, int]:
    return int(ink[5:7], 16), int(ink[3:5], 16), int(ink[1:3], 16)


def _index(card: UInt8Array, style: Style, text: str, suit: str, ink: str) -> None:
    """Print the index `text` over the sign of `suit` (or none) where `style` has it."""
    letters = _text(text, style.font, style.index, 26.0 if style.at == "centred" else 13.0)
    mark = _sign(suit, style.mark) if suit and style.mark else None
    half = letters.shape[1] / _PX_PER_MM / 2
    if mark is not None:
        half = max(half, mark.shape[1] / _PX_PER_MM / 2)
    left, top = 2.5 + half, 3.5 + style.index / 2
    places = {
        "two": ((left, False),), "four": ((left, False), (_WIDE - left, False)), "one": ((left, False),),
        "apart": ((left, False), (_WIDE - left, True)), "centred": ((_WIDE / 2, False),),
    }[style.at]  # fmt: skip
    for x, bare in places:
        for turned in (False, True) if style.at != "one" else (False,):

            def put(mask: UInt8Array, y: float, color: str, x: float = x, turned: bool = turned) -> None:
                at = (_WIDE - x, _HIGH - y) if turned else (x, y)
                _print(card, mask, *at, color, turned)

            if not bare:
                plate = np.full((letters.shape[0] + 16, letters.shape[1] + 20), 255, np.uint8)
                put(plate, top, ink if style.plate else "#fbf8f0")
                put(letters, top, "#ffffff" if style.plate else ink)
            if mark is not None:
                y = top if bare else top + (style.index + style.mark) / 2 + 1.5
                put(np.full((mark.shape[0] + 6, mark.shape[1] + 6), 255, np.uint8), y, "#fbf8f0")
                put(mark, y, ink)


def _draw_pips(rng: Rng, card: UInt8Array, style: Style, suit: str, rank: int, ink: str) -> None:
    shown = rank
    if style.pips == "other":
        shown = int(rng.choice([other for other in _PIPS if other != rank]))
    elif style.pips == "one":
        shown = 1
    # Pips keep clear of what stands in the corners and at the ends.
    crowded = style.mark >= style.pip - 2 or style.at == "centred"
    column, row = 12.5, (21.0 if crowded else 34.0)
    for x, y in _PIPS[shown]:
        size = style.pip if shown < 9 or style.pips == "one" else min(style.pip, 10.0)
        _print(card, _sign(suit, size), _WIDE / 2 + x * column, _HIGH / 2 + y * row, ink, turned=y > 0)


def _draw_figure(rng: Rng, card: UInt8Array, hat: str) -> None:
    """A person from head to belt, twice, end to end. The `hat` is a rank's (V, C, D, R), or the fool's (F)."""
    x0, x1, y0 = (round(v * _PX_PER_MM) for v in (9, _WIDE - 9, 8))
    half = card.shape[0] // 2
    art = np.full((half - y0, x1 - x0, 3), rng.integers(190, 245, 3), np.uint8)
    high, wide = art.shape[:2]
    coat, sleeve, skin = (rng.integers(30, 230, 3).tolist() for _ in range(3))
    skin = [150, 185, 225] if skin[0] > 100 else [100, 140, 190]

    def poly(points: Sequence[tuple[float, float]], color: Sequence[int]) -> None:
        shape = np.array([(x * wide, y * high) for x, y in points], np.int32)
        cv2.fillPoly(art, [shape], color, cv2.LINE_AA)
        cv2.polylines(art, [shape], True, (30, 25, 25), 2, cv2.LINE_AA)

    poly([(0.1, 1), (0.2, 0.66), (0.42, 0.58), (0.58, 0.58), (0.8, 0.66), (0.9, 1)], coat)
    poly([(0.4, 1), (0.5, 0.6), (0.6, 1)], sleeve)
    face, axes = (wide // 2, round(high * 0.42)), (wide // 7, round(high * 0.17))
    cv2.ellipse(art, face, axes, 0, 0, 360, skin, -1, cv2.LINE_AA)
    tips = {"V": 0, "C": 1, "D": 3, "R": 5, "F": 2}[hat]
    if tips:
        xs = np.linspace(0.34, 0.66, tips)
        poly([(0.36, 0.3), *((x + d, y) for x in xs for d, y in ((-0.04, 0.24), (0, 0.1), (0.04, 0.24))), (0.64, 0.3)],
             [60, 180, 230])  # fmt: skip
    else:
        poly([(0.32, 0.32), (0.38, 0.2), (0.68, 0.24), (0.66, 0.32)], sleeve)
    card[y0:half, x0:x1] = art
    card[half : card.shape[0] - y0, x0:x1] = art[::-1, ::-1][: card.shape[0] - y0 - half]


def _draw_landscape(rng: Rng, card: UInt8Array) -> None:
    """Two views, end to end: sky, hills, a sun and houses."""
    x0, x1 = 6 * _PX_PER_MM, card.shape[1] - 6 * _PX_PER_MM
    half = card.shape[0] // 2
    for turned in (False, True):
        art = np.full((half - 36, x1 - x0, 3), rng.integers(120, 250, 3), np.uint8)
        high, wide = art.shape[:2]
        sun = (int(rng.integers(wide)), int(rng.integers(high // 2)))
        cv2.circle(art, sun, 30, rng.integers(0, 255, 3).tolist(), -1)
        xs = np.arange(0, wide + 8, 8)
        for level in (0.5, 0.65, 0.8):
            ys = high * (level + 0.1 * np.sin(xs / rng.uniform(18, 60) + rng.uniform(0, 6)))
            hill = np.vstack([np.stack([xs, ys], 1), [[wide, high], [0, high]]]).astype(np.int32)
            cv2.fillPoly(art, [hill], rng.integers(20, 220, 3).tolist(), cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 4))):
            x, y = int(rng.integers(wide)), int(rng.uniform(0.6, 0.95) * high)
            cv2.rectangle(art, (x, y - 40), (x + 30, y), rng.integers(20, 240, 3).tolist(), -1)
        if turned:
            card[half : half + high, x0:x1] = art[::-1, ::-1]
        else:
            card[half - high : half, x0:x1] = art


def draw_card(style: Style, name: str) -> UInt8Array:
    """`name` as `style` prints it: (672, 366, 4) uint8 BGRA, the same each time."""
    rng = np.random.default_rng([ord(letter) for letter in style.name + name])
    high, wide = round(_HIGH * _PX_PER_MM), round(_WIDE * _PX_PER_MM)
    card = np.full((high, wide, 3), _bgr("#fbf8f0"), np.uint8)
    suit, rank = name[0], name[1:]
    text = style.letters.get(rank, rank)
    if name == "F":
        _draw_figure(rng, card, "F")
        _index(card, replace(style, index=max(style.index, 6), mark=0), "*", "", "#202020")
    elif suit == "T":
        _draw_landscape(rng, card)
        numeral = _ROMAN[int(rank) - 1] if style.roman else rank
        at = "centred" if style.roman else style.at
        printed = replace(style, index=style.index or 9, mark=0, at=at)
        _index(card, printed, numeral, "", "#202020")
    else:
        ink = style.inks["SHDC".index(suit)]
        if rank.isdigit():
            _draw_pips(rng, card, style, suit, int(rank), ink)
        else:
            _draw_figure(rng, card, rank)
        if style.index or not rank.isdigit():
            printed = style if style.index else Style(style.name, index=9, mark=6)
            _index(card, printed, text, suit, ink)
    return cv2.merge([card, rounded_alpha(high, wide, 3.5 * _PX_PER_MM)]).astype(np.uint8, copy=False)


def _table(rng: Rng) -> UInt8Array:
    """A table top: felt, boards, a checked cloth, or speckled stone."""
    wide, high = _STILL_PX
    ink = rng.integers(20, 210, 3).astype(np.float32)
    top = np.ones((high, wide, 3), np.float32) * ink
    ys, xs = np.mgrid[0:high, 0:wide].astype(np.float32)
    kind = rng.integers(4)
    if kind == 0:
        top += cv2.GaussianBlur(rng.normal(0, 40, (high, wide)).astype(np.float32), (0, 0), 1.5)[:, :, None]
    elif kind == 1:
        ink[:] = np.array([70, 110, 160]) * rng.uniform(0.5, 1.3)
        grain = np.sin(ys / 9 + 3 * np.sin(xs / 210 + ys / 80)) * 9 + (np.floor(ys / 95) % 3) * 12
        top = np.ones_like(top) * ink + grain[:, :, None]
    elif kind == 2:
        side = rng.uniform(25, 60)
        top += (((xs // side) % 2 + (ys // side) % 2) * rng.uniform(-35, 35))[:, :, None]
    else:
        top += rng.normal(0, 16, (high, wide, 1)).astype(np.float32)
    return np.asarray(np.clip(top, 0, 255), np.uint8)


def _still(
    rng: Rng, deck: Mapping[str, UInt8Array], names: Sequence[str]
) -> tuple[UInt8Array, list[dict[str, object]]]:
    """A picture of the cards `names` lying apart, and the truth of each."""
    wide, high = _STILL_PX
    picture = _table(rng)
    lean = rng.uniform(0, 0.06, (4, 2)).astype(np.float32) * (wide, high)
    frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    seen = cv2.getPerspectiveTransform(
        frame, (frame + lean * [[1, 1], [-1, 1], [-1, -1], [1, -1]]).astype(np.float32)
    )
    tall = rng.uniform(125, 185)
    truth: list[dict[str, object]] = []
    for k, name in enumerate(names):
        centre = np.array([(k % _ACROSS + 0.5) * wide / _ACROSS, (k // _ACROSS + 0.5) * high / _DOWN])
        turn = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(turn), np.sin(turn)
        unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (tall * _WIDE / _HIGH / 2, tall / 2)
        flat = (unit @ np.array([[c, s], [-s, c]]) + centre).astype(np.float32)
        corners: Float32Array = cv2.perspectiveTransform(flat[None], seen)[0].astype(np.float32)
        art = cv2.resize(deck[name], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        h, w = art.shape[:2]
        warp = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), corners)
        shown = cv2.warpPerspective(art, warp, (wide, high), flags=cv2.INTER_AREA)
        shadow = cv2.GaussianBlur(shown[:, :, 3], (0, 0), 4)[:, :, None] / 255 * 0.3
        alpha = shown[:, :, 3:] / 255
        picture = (picture * (1 - shadow) * (1 - alpha) + shown[:, :, :3] * alpha).astype(np.uint8)
        truth.append({"card": name, "corners": np.round(corners, 2).tolist(), "visible": 1.0})
    way = rng.normal(0, 0.12, 2)
    ys, xs = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j]
    lit = (
        picture
        * (rng.uniform(0.7, 1.05) * (1 + way[0] * xs + way[1] * ys))[:, :, None]
        * rng.uniform(0.93, 1.05, 3)
    )
    soft = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.4, 1.0)) + rng.normal(0, rng.uniform(1, 6), lit.shape)
    return np.clip(soft, 0, 255).astype(np.uint8), truth


def write_styles(out: Path, styles: Sequence[Style] = STYLES) -> None:
    """Write each of `styles` as a deck to `out`/decks, and stills of it with their truth to `out`/stills.

    Raises `VisionError` when they cannot be written, or a package is missing.
    """
    for number, style in enumerate(styles):
        folder, stills = out / "decks" / style.name, out / "stills" / style.name
        try:
            for made in (folder, stills):
                made.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise VisionError(f"--out {out}: {error.strerror}") from error
        deck = {name: draw_card(style, name) for name in CARDS}
        for name, card in deck.items():
            cv2.imwrite(str(folder / f"{name}.png"), card)
        rng = np.random.default_rng((3207, number))
        order = [CARDS[int(i)] for _ in range(2) for i in rng.permutation(len(CARDS))]
        for k in range(_STILLS):
            names = order[k * _ACROSS * _DOWN : (k + 1) * _ACROSS * _DOWN]
            picture, truth = _still(rng, deck, names)
            cv2.imwrite(str(stills / f"{k:02}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
            (stills / f"{k:02}.json").write_text(
                json.dumps({"group": style.name, "deck": style.name, "cards": truth})
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the decks and the stills. Returns 0, or 2 after a user's error."""
    parser = argparse.ArgumentParser(prog="python -m vision.lab.bench.styles", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where decks and stills go")
    try:
        write_styles(parser.parse_args(arguments).out)
    except VisionError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
