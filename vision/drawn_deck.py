"""The program's own 78-card tarot deck, drawn by code: `python -m vision.drawn_deck OUT_DIR` writes it as PNG files.

Every card is one SVG text in card units (a tenth of a millimetre, 610 x 1120, y downwards), laid out as modern French
decks are: the index in all four corners, each card the same when turned upside down but for odd pips.
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from vision.drawn_courts import court, fool
from vision.drawn_glyphs import CREAM, GOLD, INK, IVORY, RED, lettering, number, suit_sign
from vision.drawn_trumps import trump

WIDTH, HEIGHT = 610, 1120  # 61 x 112 mm
PIXELS_PER_MM = 8
CARDS = (
    *(f"{suit}{rank}" for suit in "SHDC" for rank in (*map(str, range(1, 11)), "V", "C", "D", "R")),
    *(f"T{value}" for value in range(1, 22)),
    "F",
)
_CORNER_RADIUS = 36
_INK_OF_SUIT = {"S": INK, "C": INK, "H": RED, "D": RED}

# Where pips stand: two outer columns and the middle, rows from the top; the lower half hangs upside down.
_LEFT, _MIDDLE, _RIGHT = 202, 305, 408
_TOP, _BOTTOM = 150, 970
_THIRD = (_BOTTOM - _TOP) / 3
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {}


def _pairs(*rows: float) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for y in rows for x in (_LEFT, _RIGHT))


_CENTRE = ((float(_MIDDLE), HEIGHT / 2),)
_PIPS[1] = _CENTRE
_PIPS[2] = ((_MIDDLE, _TOP), (_MIDDLE, _BOTTOM))
_PIPS[3] = _PIPS[2] + _CENTRE
_PIPS[4] = _pairs(_TOP, _BOTTOM)
_PIPS[5] = _PIPS[4] + _CENTRE
_PIPS[6] = _pairs(_TOP, HEIGHT / 2, _BOTTOM)
_PIPS[7] = (*_PIPS[6], (_MIDDLE, (_TOP + HEIGHT / 2) / 2))
_PIPS[8] = (*_PIPS[7], (_MIDDLE, (_BOTTOM + HEIGHT / 2) / 2))
_PIPS[9] = _pairs(_TOP, _TOP + _THIRD, _BOTTOM - _THIRD, _BOTTOM) + _CENTRE
_PIPS[10] = (*_PIPS[9][:-1], (_MIDDLE, _TOP + _THIRD / 2), (_MIDDLE, _BOTTOM - _THIRD / 2))


def card_svg(card: str) -> str:
    """The SVG text of one card ("S1" to "CR", "T1" to "T21", "F"); KeyError or ValueError for another name."""
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


def back_svg(ground: str, pattern: str) -> str:
    """The SVG text of a back: a lattice in `pattern` colour on `ground`, the same from either end."""
    lattice = "".join(
        f'<path d="M{x} {y - 24}L{x + 24} {y}L{x} {y + 24}L{x - 24} {y}Z" fill="none" stroke="{pattern}" stroke-width="4"/>'
        for row, y in enumerate(range(56, 1080, 42))
        for x in range(53 + (row % 2) * 42, 580, 84)
    )
    return _sheet(
        IVORY,
        f'<rect x="30" y="30" width="550" height="1060" rx="18" fill="{ground}"/>{lattice}',
    )


def _sheet(paper: str, content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="{_CORNER_RADIUS}" fill="{paper}"/>{content}</svg>\n'
    )


def _both_ends(half: str) -> str:
    """The drawing and the same turned by half a turn about the middle of the card."""
    return f'{half}<g transform="rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})">{half}</g>'


def _index(rank: str, sign: str, ink: str) -> str:
    """The two upper corners: rank over suit sign."""
    corner = []
    for x in (66, WIDTH - 66):
        if rank:
            corner.append(lettering(rank, x, 134, 98, ink, widest=86))
            corner.append(suit_sign(sign, x, 184, 66, ink))
        else:
            corner.append(suit_sign(sign, x, 84, 84, ink))
    return "".join(corner)


def _pip_card(suit: str, count: int) -> str:
    ink = _INK_OF_SUIT[suit]
    size = 190 if count == 1 else 108
    pips = "".join(
        suit_sign(suit, x, y, size, ink, upside_down=y > HEIGHT / 2) for x, y in _PIPS[count]
    )
    return _both_ends(_index(str(count), suit, ink)) + pips


def rasterise(svg: str) -> bytes:
    """The PNG file of an SVG text at 8 pixels a millimetre: 488 x 896 px, the corners transparent.

    Needs resvg-py and Pillow, both of the `train` extra.
    """
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(
        svg_string=svg, width=WIDTH * PIXELS_PER_MM // 10, skip_system_fonts=True
    )
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    out = io.BytesIO()
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def deck_files() -> Iterator[tuple[str, str]]:
    """(file name, SVG text) of the 78 cards and the two backs."""
    for card in CARDS:
        yield f"{card}.png", card_svg(card)
    yield "back_BACK.png", back_svg("#27497c", CREAM)
    yield "back_BACK2.png", back_svg("#b9202c", GOLD)


def main(arguments: list[str]) -> int:
    """Writes the whole deck into the folder named on the command line."""
    if len(arguments) != 1:
        print("usage: python -m vision.drawn_deck OUT_DIR", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in deck_files():
        (folder / name).write_bytes(rasterise(svg))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
