"""Crops of real cards: reading and writing their files, and augmenting them.

A folder of crops has files `<CARD>/<anything>.png|jpg`: square crops as `vision.picture.rectify` makes them.
Corrections and taught decks are stored this way.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.files import private_folder, replace_file
from vision.arrays import Float32Array, Rng, UInt8Array, one_of
from vision.decks import pictures_in, read_picture
from vision.errors import VisionError
from vision.picture import CROP_PX

KEPT_PX = CROP_PX
"""Side in px of a crop as it is stored."""

_GRID = np.meshgrid(*[np.linspace(-1, 1, CROP_PX, dtype=np.float32)] * 2)


def load_crops(folder: Path) -> dict[str, list[UInt8Array]]:
    """The crops in `folder` by card, each (CROP_PX, CROP_PX, 3) uint8 BGR.

    Raises `VisionError` when the folder is missing, has no crop, or has one that cannot be read.
    """
    if not folder.is_dir():
        raise VisionError(f"{folder}: no such folder of crops")
    crops: dict[str, list[UInt8Array]] = {}
    for card in CARDS:
        paths = pictures_in(folder / card) if (folder / card).is_dir() else []
        if paths:
            crops[card] = [as_read(read_picture(path)) for path in paths]
    if not crops:
        raise VisionError(f"{folder}: has no crop (a crop of the seven of spades is S7/anything.png)")
    return crops


def save_crop(folder: Path, card: str, crop: UInt8Array, name: str | None = None) -> Path:
    """Write `crop` to `folder` as `<card>/<name>.png`, atomically, and return its path.

    Without a `name` it gets the next number. Raises `VisionError` when it cannot be written.
    """
    try:
        private_folder(folder / card)
        numbers = [int(path.stem) for path in (folder / card).glob("*.png") if path.stem.isdecimal()]
        path = folder / card / f"{name or max(numbers, default=0) + 1}.png"
        _, data = cv2.imencode(".png", crop)
        replace_file(path, data.tobytes())
    except OSError as error:
        raise VisionError(f"{folder}: the crop of {card} cannot be saved ({error.strerror})") from error
    return path


def as_read(picture: UInt8Array) -> UInt8Array:
    """A stored crop or a card's scan, (H, W, 3|4) uint8, as the identifier takes it: (CROP_PX, CROP_PX, 3) BGR.

    Transparent parts (a scan's rounded corners) become grey.
    """
    bgr: Float32Array = picture[:, :, :3].astype(np.float32)
    if picture.shape[2] == 4:
        alpha = picture[:, :, 3:].astype(np.float32) / np.float32(255)
        bgr = bgr * alpha + np.float32(110) * (1 - alpha)
    method = cv2.INTER_AREA if min(bgr.shape[:2]) > CROP_PX else cv2.INTER_LINEAR
    return cv2.resize(bgr, (CROP_PX, CROP_PX), interpolation=method).clip(0, 255).astype(np.uint8)


def vary(rng: Rng, crop: UInt8Array, covers: Sequence[UInt8Array]) -> UInt8Array:
    """A random augmentation of `crop` (CROP_PX, CROP_PX, 3) uint8 BGR: light, focus, noise and corners vary.

    Half of the time one of `covers`, crops of the same size, occludes a part of it.
    """
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * CROP_PX
    moved = square + CROP_PX * (rng.normal(0, 0.02, (4, 2)) + rng.normal(0, 0.012, (1, 2))).astype(np.float32)
    warp = cv2.getPerspectiveTransform(square, moved)
    seen = cv2.warpPerspective(crop, warp, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    values = seen.astype(np.float32)
    if covers and rng.random() < 0.5:
        cover = one_of(rng, covers)
        if rng.random() < 0.5:
            cover = cover.transpose(1, 0, 2)
        occluded = _slope(rng) > rng.uniform(0.05, 0.8)
        values[occluded] = cover[occluded]
    values *= rng.uniform(0.6, 1.25) * rng.uniform(0.9, 1.1, 3).astype(np.float32)
    values += rng.uniform(-15, 15)
    if rng.random() < 0.4:
        values += 40 * rng.uniform(-1, 1) * _slope(rng)[:, :, None]
    if rng.random() < 0.5:
        values = np.asarray(cv2.GaussianBlur(values, (0, 0), rng.uniform(0.4, 1.8)), np.float32)
    values += rng.standard_normal(values.shape, np.float32) * np.float32(rng.uniform(0, 6))
    return values.clip(0, 255).astype(np.uint8)


def _slope(rng: Rng) -> Float32Array:
    """Each pixel's signed distance from a random line through the centre: (CROP_PX, CROP_PX), -1.4 to 1.4."""
    angle = rng.uniform(0, 2 * np.pi)
    return np.asarray(_GRID[0] * np.cos(angle) + _GRID[1] * np.sin(angle), np.float32)
