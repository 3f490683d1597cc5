"""Real table tops for rendered scenes: parts of photographs without cards.

A photo may have Pascal VOC boxes of cards beside it (`NAME.xml`); nothing inside a box is used. Every fifth photo, by
name, is held back to measure on (`tarok bench stills`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np

from vision.arrays import UInt8Array
from vision.decks import pictures_in
from vision.errors import VisionError

HELD_BACK = 5
"""Every n-th photo is held back."""


@dataclass(frozen=True)
class BoxedCard:
    """A card in the file beside a photo: the `name` of its class, and its `box` (x0, y0, x1, y1) in whole px."""

    name: str
    box: tuple[int, int, int, int]


def photos(folder: Path, *, held_back: bool) -> Iterator[tuple[Path, list[BoxedCard]]]:
    """The photos of `folder`, those held back or all others, each with its cards.

    Raises `VisionError` when a file of boxes cannot be read.
    """
    for index, path in enumerate(pictures_in(folder)):
        if (index % HELD_BACK == 0) != held_back:
            continue
        notes = path.with_suffix(".xml")
        yield path, _boxed_cards(notes) if notes.is_file() else []


def _boxed_cards(notes: Path) -> list[BoxedCard]:
    """The cards of a Pascal VOC file, their boxes rounded outwards."""
    try:
        cards = []
        for noted in ElementTree.parse(notes).getroot().iterfind(".//bndbox/.."):
            x0, y0, x1, y1 = (
                float(noted.findtext(f"bndbox/{edge}", "")) for edge in ("xmin", "ymin", "xmax", "ymax")
            )
            box = floor(x0), floor(y0), ceil(x1), ceil(y1)
            cards.append(BoxedCard(noted.findtext("name", ""), box))
        return cards
    except (ElementTree.ParseError, OSError, ValueError, OverflowError) as error:
        raise VisionError(f"{notes}: cannot be read as a photo's boxes (Pascal VOC)") from error


def load_textures(folder: Path, size: tuple[int, int] = (720, 405)) -> list[UInt8Array]:
    """Table tops (height, width, 3) uint8 BGR: of each photo not held back, the largest strip beside its boxes.

    `size` is (width, height) px. A photo that cannot be read, or whose strip is narrower than 60 px, is skipped.
    """
    width, height = size
    textures = []
    for path, cards in photos(folder, held_back=False):
        boxes = [card.box for card in cards]
        picture = cv2.imread(str(path))
        if picture is None:
            continue
        h, w = picture.shape[:2]
        x0 = min((b[0] for b in boxes), default=w)
        y0 = min((b[1] for b in boxes), default=h)
        x1 = max((b[2] for b in boxes), default=w)
        y1 = max((b[3] for b in boxes), default=h)
        strips = [picture[:y0], picture[y1:], picture[:, :x0], picture[:, x1:]]
        strip = max(strips, key=lambda s: min(s.shape[0], s.shape[1] * 2) * min(s.shape[1], s.shape[0] * 2))
        if min(strip.shape[:2]) < 60:
            continue
        scale = max(1.0, min(width / strip.shape[1], height / strip.shape[0]))
        grown = cv2.resize(strip, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
        # A strip that is too small is mirrored, again and again, until it fills the picture.
        right, below = max(0, width - grown.shape[1]), max(0, height - grown.shape[0])
        grown = cv2.copyMakeBorder(grown, 0, below, 0, right, cv2.BORDER_REFLECT_101)
        textures.append(grown[:height, :width].astype(np.uint8))
    return textures
