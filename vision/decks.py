"""Deck folders: pictures of the 78 cards, loaded as sprites that can be drawn.

A deck is a folder of `<CARD>.png|jpg` files (names as in `tracker.cards.CARDS`). Files named `back*` show its backs. A
deck may be incomplete.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.arrays import UInt8Array
from vision.errors import VisionError

CARD_MM = (61.0, 112.0)
"""Width and height of a card in mm; every deck is stretched to this size."""

SPRITE_HEIGHTS_PX = (448, 224, 112)
"""Heights of the copies that are kept of each picture: no warp shrinks one much below half its size."""

BACK = "BACK"
"""The name of a card lying face down."""

Sprite = tuple[UInt8Array, ...]
"""One picture at one or more heights, highest first: uint8 BGRA with premultiplied alpha.

A deck's sprites have all of `SPRITE_HEIGHTS_PX`.
"""


@dataclass(frozen=True)
class Deck:
    """The pictures of one deck: `faces` by card name, and its `backs` (may be empty)."""

    name: str
    faces: Mapping[str, Sprite]
    backs: tuple[Sprite, ...]


def rounded_alpha(height_px: int, width_px: int, radius_px: float) -> UInt8Array:
    """An antialiased mask, (height_px, width_px) uint8, of a rectangle with corners rounded by `radius_px`."""
    scale = 4
    big = np.zeros((height_px * scale, width_px * scale), np.uint8)
    radius = max(1, round(radius_px * scale))
    bottom, right = big.shape[0] - 1, big.shape[1] - 1
    cv2.rectangle(big, (radius, 0), (right - radius, bottom), 255, -1)
    cv2.rectangle(big, (0, radius), (right, bottom - radius), 255, -1)
    for x in (radius, right - radius):
        for y in (radius, bottom - radius):
            cv2.circle(big, (x, y), radius, 255, -1)
    return cv2.resize(big, (width_px, height_px), interpolation=cv2.INTER_AREA).astype(np.uint8)


def sprite_of(
    picture: UInt8Array, corner_radius_mm: float = 3.5, heights_px: tuple[int, ...] = SPRITE_HEIGHTS_PX
) -> Sprite:
    """Make a sprite of `heights_px` (highest first) from a card's picture, (H, W, 3|4) uint8 BGR or BGRA.

    A picture without alpha gets corners rounded by `corner_radius_mm`.
    """
    bgr, full_alpha = np.ascontiguousarray(picture[:, :, :3]), None
    if picture.shape[2] == 4:
        full_alpha = np.ascontiguousarray(picture[:, :, 3])
        bgr = np.asarray(cv2.multiply(bgr, cv2.merge([full_alpha] * 3), scale=1 / 255), np.uint8)
    sizes = []
    for height in heights_px:
        width = round(height * CARD_MM[0] / CARD_MM[1])
        method = cv2.INTER_AREA if picture.shape[0] > height else cv2.INTER_CUBIC
        small = cv2.resize(bgr, (width, height), interpolation=method)
        if full_alpha is not None:
            alpha = cv2.resize(full_alpha, (width, height), interpolation=method).astype(np.uint8, copy=False)
        else:
            alpha = rounded_alpha(height, width, corner_radius_mm * height / CARD_MM[1])
            small = cv2.multiply(small, cv2.merge([alpha] * 3), scale=1 / 255)
        sizes.append(cv2.merge([small, alpha]).astype(np.uint8, copy=False))
    return tuple(sizes)


def read_picture(path: Path) -> UInt8Array:
    """The picture in `path`, (H, W, 3|4) uint8 BGR or BGRA; raises `VisionError` when it cannot be read."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED) if path.is_file() else None
    if picture is None:
        raise VisionError(f"{path}: cannot be read as a picture")
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.dtype != np.uint8:
        picture = (picture / 257).astype(np.uint8)
    return picture.astype(np.uint8)


def pictures_in(folder: Path) -> list[Path]:
    """The pictures in `folder`, by name."""
    return [path for path in sorted(folder.iterdir()) if path.suffix.lower() in {".png", ".jpg", ".jpeg"}]


def card_pictures(folder: Path) -> list[Path]:
    """The pictures in `folder` that are named after cards; raises `VisionError` when there is none."""
    named = [path for path in pictures_in(folder) if path.stem in CARDS]
    if not named:
        raise VisionError(f"{folder}: has no picture named after a card (such as S7.png or T21.jpg)")
    return named


def deck_pictures(folder: Path) -> tuple[dict[str, Path], tuple[Path, ...]]:
    """The pictures of a deck's faces, by card, and of its backs; errors as of `load_deck`."""
    if not folder.is_dir():
        raise VisionError(f"{folder}: no such deck folder")
    faces = {path.stem: path for path in card_pictures(folder)}
    return faces, tuple(path for path in pictures_in(folder) if path.stem.lower().startswith("back"))


def load_deck(folder: Path) -> Deck:
    """Load the deck in `folder`; raises `VisionError` if the folder is missing or has no picture of a card."""
    faces, backs = deck_pictures(folder)
    sprites = {card: sprite_of(read_picture(path)) for card, path in faces.items()}
    return Deck(folder.name, sprites, tuple(sprite_of(read_picture(path)) for path in backs))
