"""The program's own 78-card tarot deck: its drawings, one SVG file a card, and the PNG files made of them.

`python -m vision.lab.rendering.drawn_deck OUT_DIR` writes the PNG files; those in `small/` are half as wide. A drawing
is in tenths of a millimetre, 610 x 1120, y down. The layout is that of modern French decks, with an index in all four
corners. Most cards look the same upside down; the odd pip cards do not.
"""

import argparse
import importlib.util
import io
import sys
from pathlib import Path
from typing import Final

import numpy as np

from tracker.cards import CARDS
from vision.resources import datasets_dir

DRAWN_BACKS: Final = ("back_BACK", "back_BACK2")
"""A blue back and a red one."""
IVORY: Final = "#fbf5e6"
"""The ground of every card."""
_WIDTH_PX = 488  # 61 mm at 8 pixels a millimetre
_SMALL_PX = 244
"""For pages with many cards: a phone would take a second to unpack the large ones."""


def drawing(name: str) -> str:
    """The SVG text of a card ("S1" to "CR", "T1" to "T21", "F") or a back; raises `ValueError` for any other name."""
    if name not in (*CARDS, *DRAWN_BACKS):
        raise ValueError(f"no card is called {name!r}")
    return (datasets_dir() / "drawn" / "svg" / f"{name}.svg").read_text(encoding="utf-8")


def rasterise(svg: str, width_px: int = _WIDTH_PX) -> bytes:
    """The PNG file of an SVG text: `width_px` wide, and 112 / 61 times as high, with transparent corners.

    Needs resvg-py and Pillow, both of the `train` extra.
    """
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=svg, width=width_px, skip_system_fonts=True)
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


def contact_sheet(folder: Path) -> bytes:
    """A JPEG contact sheet of the cards in `folder`, a row for each suit and two for the trumps. Needs Pillow."""
    from PIL import Image

    wide, high, gap = 112, 206, 8
    sheet = Image.new("RGB", (14 * (wide + gap) + gap, 6 * (high + gap) + gap), "#2f5140")
    for number, card in enumerate((*CARDS, *DRAWN_BACKS)):
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
    """Write the deck, and its faces small, into the folder on the command line; with `--sheet` all on one picture."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.lab.rendering.drawn_deck", description="Turn the drawn deck into PNG files."
    )
    parser.add_argument("out_dir", type=Path, help="folder for the 78 faces and two backs")
    parser.add_argument("--sheet", type=Path, help="also write all cards as one JPEG picture")
    options = parser.parse_args(arguments)
    if not all(map(importlib.util.find_spec, ("resvg_py", "PIL"))):
        parser.error("drawing needs resvg-py and Pillow: pip install 'tarok-table[train]'")
    try:
        (options.out_dir / "small").mkdir(parents=True, exist_ok=True)
        for name in (*CARDS, *DRAWN_BACKS):
            (options.out_dir / f"{name}.png").write_bytes(rasterise(drawing(name)))
        for name in CARDS:
            (options.out_dir / "small" / f"{name}.png").write_bytes(rasterise(drawing(name), _SMALL_PX))
        if options.sheet:
            options.sheet.write_bytes(contact_sheet(options.out_dir))
    except OSError as error:
        parser.error(f"cannot write {error.filename}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
