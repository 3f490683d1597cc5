"""Fonts to draw invented cards with: the installed ones that are plain enough, and masks of their glyphs.

Matplotlib's fonts are always there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.arrays import Float64Array, UInt8Array
from vision.errors import VisionError
from vision.lab.extras import matplotlib_fonts, train_extra

MASK_PX = 88
"""Height at which letters and signs are drawn before they are scaled to their place."""
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

_READABLE = "0123456789VCDRAJQKB"
"""What is printed on cards."""
_MISTAKEN = 4
"""The most of these characters that look like another one in a font that is kept."""
_SYSTEM_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:/Windows/Fonts")
_UNREADABLE = (
    "cm", "symbol", "dingbat", "emoji", "d050000l", "awesome", "biolinum_k", "stixsiz", "stixnonuni",
)  # fmt: skip
"""Parts of the names of fonts that draw other things for letters."""


@dataclass(frozen=True)
class Fonts:
    """Font files: `texts` draw digits and index letters, `signs` draw the four suit signs."""

    texts: tuple[str, ...]
    signs: tuple[str, ...]


@lru_cache(256)
def _font(path: str) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(path, MASK_PX, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(4096)
def glyphs(path: str, text: str) -> UInt8Array:
    """The uint8 mask (H, W) of `text` in the font at `path`, cropped to its ink; (0, 0) if the font draws nothing."""
    from PIL import Image, ImageDraw

    left, top, right, bottom = (round(side) for side in _font(path).getbbox(text))
    if right <= left or bottom <= top:
        return np.zeros((0, 0), np.uint8)
    picture = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(picture).text((-left, -top), text, 255, _font(path))
    return cropped(np.asarray(picture))


def cropped(mask: UInt8Array) -> UInt8Array:
    """`mask` (H, W) without its empty margins; (0, 0) if it has no ink."""
    x, y, wide, high = cv2.boundingRect((mask > 60).astype(np.uint8))
    return np.ascontiguousarray(mask[y : y + high, x : x + wide])


def is_missing(path: str, mask: UInt8Array) -> bool:
    """Whether `mask` is the box that the font draws for a character it does not have."""
    return np.array_equal(mask, glyphs(path, "\U0010fffe"))


def _shapes(path: str, texts: Iterable[str]) -> Float64Array | None:
    """Each glyph's ink in a 12 x 16 box and its width, (N, 193); None if one is missing or blank."""
    rows = []
    for text in texts:
        mask = glyphs(path, text)
        if not mask.size or is_missing(path, mask):
            return None
        box = cv2.resize(mask, (12, 16), interpolation=cv2.INTER_AREA).ravel() / 255
        rows.append([*box, 4 * mask.shape[1] / mask.shape[0]])
    return np.array(rows)


def _reads_like(shapes: Float64Array | None, model: Float64Array, least: int) -> bool:
    """Whether at least so many of the `shapes` are nearest to the same character of `model`, both (N, 193)."""
    if shapes is None:
        return False
    distance = np.linalg.norm(shapes[:, None] - model[None], axis=2)
    return int((distance.argmin(1) == np.arange(len(model))).sum()) >= least


@cache
def load_fonts(system: bool = True) -> Fonts:
    """Find TTF and OTF fonts with plain digits and letters: those of matplotlib and, if `system`, the installed ones.

    A font is kept if most of its characters look like those of DejaVu, sans or serif. Raises `VisionError` when
    Pillow or matplotlib is missing.
    """
    with train_extra("inventing cards"):
        import PIL  # noqa: F401 - the glyphs are drawn with it

        own = matplotlib_fonts()
    models = [str(own / name) for name in ("DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSans.ttf")]
    texts = [shapes for path in models if (shapes := _shapes(path, _READABLE)) is not None]
    signs = _shapes(models[0], SUIT_SIGNS.values())
    if not texts or signs is None:
        raise VisionError(f"{own}: matplotlib's fonts are missing")
    kept: dict[str, tuple[str, bool]] = {}
    drawing = []
    for folder in (own, *(Path(name) for name in _SYSTEM_FONTS if system)):
        for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".ttf", ".otf")):
            name = path.stem.lower()
            other_script = name.startswith("noto") and not name.startswith(
                ("notosans-", "notoserif-", "notosansdisplay-", "notoserifdisplay-", "notomono")
            )
            if name in kept or other_script or any(name.startswith(w) or w in name[2:] for w in _UNREADABLE):
                continue
            try:
                shapes = _shapes(str(path), _READABLE)
                suits = _shapes(str(path), SUIT_SIGNS.values())
            except (OSError, ValueError):  # not a font that FreeType can draw
                continue
            kept[name] = (
                str(path),
                any(_reads_like(shapes, model, len(_READABLE) - _MISTAKEN) for model in texts),
            )
            # Signs that are outlines have less ink in their boxes.
            if _reads_like(suits, signs, 4) and suits is not None and suits[:, :-1].mean() > 0.42:
                drawing.append(str(path))
    glyphs.cache_clear()
    _font.cache_clear()
    return Fonts(tuple(path for path, reads in kept.values() if reads), tuple(drawing))
