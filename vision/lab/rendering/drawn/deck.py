"""The program's own 78-card tarot deck as SVG; `python -m vision.lab.rendering.drawn.deck OUT_DIR` writes it as PNG.

Every card is one SVG text in card units (a tenth of a millimetre, 610 x 1120, y down). The layout is that of
modern French decks, with an index in all four corners. Most cards look the same upside down; the odd pip cards
do not.
"""

import argparse
import importlib.util
import io
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tracker.cards import CARDS
from vision.lab.rendering.drawn.courts import WINDOW, court, fool
from vision.lab.rendering.drawn.glyphs import (
    BLUE,
    CREAM,
    GOLD,
    INK,
    IVORY,
    RED,
    disc,
    lettering,
    moved,
    shape,
    stroke,
    suit_sign,
)
from vision.lab.rendering.drawn.trumps import trump

_WIDTH, _HEIGHT = 610, 1120  # 61 x 112 mm
PIXELS_PER_MM = 8
_CORNER_RADIUS = 36
DECK_BACKS = {"back_BACK": (BLUE, "#1a3158", GOLD), "back_BACK2": (RED, "#84141f", CREAM)}
_INK_OF_SUIT = {"S": INK, "C": INK, "H": RED, "D": RED}

# Positions of the pips, in two outer columns and a middle one. Pips in the lower half are upside down.
_LEFT, _MIDDLE, _RIGHT = 202, 305, 408
_TOP, _BOTTOM = 150, 970
_THIRD = (_BOTTOM - _TOP) / 3
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {}


def _pairs(*rows: float) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for y in rows for x in (_LEFT, _RIGHT))


_CENTRE = ((float(_MIDDLE), _HEIGHT / 2),)
_PIPS[1] = _CENTRE
_PIPS[2] = ((_MIDDLE, _TOP), (_MIDDLE, _BOTTOM))
_PIPS[3] = _PIPS[2] + _CENTRE
_PIPS[4] = _pairs(_TOP, _BOTTOM)
_PIPS[5] = _PIPS[4] + _CENTRE
_PIPS[6] = _pairs(_TOP, _HEIGHT / 2, _BOTTOM)
_PIPS[7] = (*_PIPS[6], (_MIDDLE, (_TOP + _HEIGHT / 2) / 2))
_PIPS[8] = (*_PIPS[7], (_MIDDLE, (_BOTTOM + _HEIGHT / 2) / 2))
_PIPS[9] = _pairs(_TOP, _TOP + _THIRD, _BOTTOM - _THIRD, _BOTTOM) + _CENTRE
_PIPS[10] = (*_PIPS[9][:-1], (_MIDDLE, _TOP + _THIRD / 2), (_MIDDLE, _BOTTOM - _THIRD / 2))


def card_svg(card: str) -> str:
    """The SVG text of one card ("S1" to "CR", "T1" to "T21", "F"); raises `ValueError` for any other name."""
    if card not in CARDS:
        raise ValueError(f"no card is called {card!r}")
    if card == "F":
        face = _both_ends(_index("", "*", RED)) + fool()
    elif card[0] == "T":
        face = trump(int(card[1:]))
    elif card[1:].isdigit():
        face = _pip_card(card[0], int(card[1:]))
    else:
        face = _both_ends(_index(card[1], card[0], _INK_OF_SUIT[card[0]])) + court(card[0], card[1])
    return _sheet(IVORY, face)


def back_svg(ground: str, deep: str, pattern: str) -> str:
    """The SVG text of a back: a lattice of stars around a medallion, the same upside down.

    Its colours are `ground`, a darker shade of it, `deep`, and `pattern` for the lines.
    """
    left, top, right, bottom, step = 46, 46, 564, 1074, 74
    lines = "".join(
        stroke(
            f"M{x - 600} {560 - 600}L{x + 600} {560 + 600}M{x + 600} {560 - 600}L{x - 600} {560 + 600}",
            wide,
            ink,
        )
        for wide, ink in ((16, deep), (3, pattern))
        for x in range(305 - 12 * step, 305 + 13 * step, step)
    )
    knots = "".join(
        disc(x, y, 9, ground, 3, pattern) if row % 2 else suit_sign("*", x, y, 34, pattern)
        for row, y in enumerate(range(560 - 14 * step // 2, 560 + 15 * step // 2, step // 2))
        for x in range(305 - 4 * step, 305 + 5 * step, step)
    )
    inside = f'x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" rx="20"'
    return _sheet(
        IVORY,
        f'<clipPath id="back"><rect {inside}/></clipPath><rect {inside} fill="{ground}"/>'
        f'<g clip-path="url(#back)">{lines}{knots}</g>{_medallion(ground, deep, pattern)}'
        f'<rect {inside} fill="none" stroke="{deep}" stroke-width="6"/>'
        f'<rect x="32" y="32" width="546" height="1056" rx="26" fill="none" stroke="{ground}"'
        ' stroke-width="4"/>',
    )


def _medallion(ground: str, deep: str, pattern: str) -> str:
    """The round ornament in the middle of a back, in its colours."""
    leaf = shape("M0 -66C22 -92 22 -132 0 -158C-22 -132 -22 -92 0 -66Z", IVORY, 3.5, deep)
    dot = disc(0, -172, 6, pattern, 0)
    spokes = "".join(
        moved(leaf, 305, 560, turn=22.5 * k) + moved(dot, 305, 560, turn=22.5 * k + 11.25) for k in range(16)
    )
    return (
        disc(305, 560, 204, IVORY, 5, deep)
        + disc(305, 560, 190, ground, 4, pattern)
        + spokes
        + disc(305, 560, 66, IVORY, 4, deep)
        + disc(305, 560, 56, ground, 3, pattern)
        + suit_sign("*", 305, 560, 96, pattern)
    )


def _sheet(paper: str, content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}"'
        f' height="{_HEIGHT}">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="{_CORNER_RADIUS}" fill="{paper}"/>{content}</svg>\n'
    )


def _both_ends(half: str) -> str:
    """The drawing, and the same rotated by half a turn about the centre of the card."""
    return f'{half}<g transform="rotate(180 {_WIDTH / 2:g} {_HEIGHT / 2:g})">{half}</g>'


def _index(rank: str, sign: str, ink: str) -> str:
    """The two upper corners: rank over suit sign."""
    corner = []
    for x in (66, _WIDTH - 66):
        if rank:
            corner.append(lettering(rank, x, 134, 98, ink, widest=86))
            corner.append(suit_sign(sign, x, 188, 76, ink))
        else:
            corner.append(suit_sign(sign, x, 84, 84, ink))
    return "".join(corner)


def _pip_card(suit: str, count: int) -> str:
    ink = _INK_OF_SUIT[suit]
    size = 190 if count == 1 else 108
    frame = shape(WINDOW, "none", 3.5, GOLD)
    pips = "".join(suit_sign(suit, x, y, size, ink, upside_down=y > _HEIGHT / 2) for x, y in _PIPS[count])
    return frame + (_wreath() if count == 1 else "") + _both_ends(_index(str(count), suit, ink)) + pips


def _wreath() -> str:
    """The golden ring around an ace's one pip."""
    leaf = shape("M0 0C-15 -16 -15 -40 0 -56C15 -40 15 -16 0 0Z", GOLD, 3)
    ring = "".join(
        moved(leaf, 305 + 148 * math.cos(a), 560 + 148 * math.sin(a), turn=math.degrees(a) + 90 + lean)
        for k in range(24)
        for a in (math.radians(15 * k),)
        for lean in (-62, 62)
    )
    return ring + disc(305, 560, 132, "none", 4) + disc(305, 560, 122, "none", 3, GOLD)


def rasterise(svg: str) -> bytes:
    """The PNG file of an SVG text at `PIXELS_PER_MM`: 488 x 896 px, with transparent corners.

    Needs resvg-py and Pillow, both of the `train` extra.
    """
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=svg, width=_WIDTH * PIXELS_PER_MM // 10, skip_system_fonts=True)
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))
    packed = np.ascontiguousarray(pixels).view(np.uint32)[..., 0]  # one number per pixel sorts far faster
    values, places, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = values.view(np.uint8).reshape(-1, 4)
    # A palette halves the file. The 256 commonest colours stay exact, any other becomes the nearest of them. The
    # few half-transparent colours of the rounded corners are always kept, as no other colour is near them.
    counts[colours[:, 3] < 255] += pixels.size
    kept = np.sort(np.argsort(-counts, kind="stable")[:256])
    distance = np.abs(colours[:, None].astype(np.int16) - colours[kept].astype(np.int16)).sum(axis=2)
    image = Image.fromarray(distance.argmin(axis=1).astype(np.uint8)[places.reshape(pixels.shape[:2])])
    image.putpalette(colours[kept].tobytes(), "RGBA")
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def deck_files() -> Iterator[tuple[str, str]]:
    """(file name, SVG text) of the 78 cards and the two backs."""
    for card in CARDS:
        yield f"{card}.png", card_svg(card)
    for name, colours in DECK_BACKS.items():
        yield f"{name}.png", back_svg(*colours)


def contact_sheet(folder: Path) -> bytes:
    """A JPEG contact sheet of the cards in `folder`, a row for each suit and two for the trumps. Needs Pillow."""
    from PIL import Image

    wide, high, gap = 112, 206, 8
    sheet = Image.new("RGB", (14 * (wide + gap) + gap, 6 * (high + gap) + gap), "#2f5140")
    for number, card in enumerate((*CARDS, *DECK_BACKS)):
        column, row = number % 14, number // 14
        if number >= 56:  # 21 trumps, the fool and two backs: twelve a row, centred
            column, row = (number - 56) % 12 + 1, 4 + (number - 56) // 12
        picture = (
            Image.open(folder / f"{card}.png").convert("RGBA").resize((wide, high), Image.Resampling.LANCZOS)
        )
        sheet.paste(picture, (gap + column * (wide + gap), gap + row * (high + gap)), picture)
    out = io.BytesIO()
    sheet.save(out, "JPEG", quality=90, optimize=True)
    return out.getvalue()


def main(arguments: list[str]) -> int:
    """Write the deck into the folder named on the command line, and a contact sheet of it with `--sheet`."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.lab.rendering.drawn.deck", description="Draw the deck as PNG files."
    )
    parser.add_argument("out_dir", type=Path, help="folder for the 78 faces and two backs")
    parser.add_argument("--sheet", type=Path, help="also write all cards as one JPEG picture")
    options = parser.parse_args(arguments)
    if not all(map(importlib.util.find_spec, ("resvg_py", "PIL"))):
        parser.error("drawing needs resvg-py and Pillow: pip install 'tarok-table[train]'")
    try:
        options.out_dir.mkdir(parents=True, exist_ok=True)
        for name, svg in deck_files():
            (options.out_dir / name).write_bytes(rasterise(svg))
        if options.sheet:
            options.sheet.write_bytes(contact_sheet(options.out_dir))
    except OSError as error:
        parser.error(f"cannot write {error.filename}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
