"""Crops of real cards as files: folders named by card, and variations of a crop as a camera would make them.

A folder of crops holds `<CARD>/<anything>.png|jpg`: square pictures of a card's full rectangle stretched to
fill them, as `vision.picture.rectify` cuts them out. Corrections are kept so, and taught decks.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.files import private_folder, replace_file
from vision.arrays import Float32Array, UInt8Array
from vision.decks import read_picture
from vision.errors import VisionError
from vision.picture import CROP_PX

KEPT_PX = CROP_PX
"""Side of a crop as it is kept."""

_GRID = np.meshgrid(*[np.linspace(-1, 1, CROP_PX, dtype=np.float32)] * 2)


def load_crops(folder: Path) -> dict[str, list[UInt8Array]]:
    """The crops in `folder` by card, each (CROP_PX, CROP_PX, 3) uint8 BGR.

    Raises `VisionError` when there is no such folder, no crop in it, or one that cannot be read.
    """
    if not folder.is_dir():
        raise VisionError(f"{folder}: no such folder of crops")
    crops: dict[str, list[UInt8Array]] = {}
    for card in CARDS:
        paths = sorted(p for p in (folder / card).glob("*") if p.suffix.lower() in {".png", ".jpg", ".jpeg"})
        if paths:
            crops[card] = [as_read(read_picture(path)) for path in paths]
    if not crops:
        raise VisionError(f"{folder}: holds no crop (a crop of the seven of spades is S7/anything.png)")
    return crops


def save_crop(folder: Path, card: str, crop: UInt8Array, name: str | None = None) -> Path:
    """Add `crop` to `folder` as `<card>/<name>.png`, whole or not at all; raises `VisionError` if it cannot.

    Without a `name` it gets the next number.
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
    """A kept crop or a scan of a card, (H, W, 3|4), as the identifier reads it: (CROP_PX, CROP_PX, 3) BGR.

    What is transparent (a scan's rounded corners) becomes grey.
    """
    bgr: Float32Array = picture[:, :, :3].astype(np.float32)
    if picture.shape[2] == 4:
        alpha = picture[:, :, 3:].astype(np.float32) / np.float32(255)
        bgr = bgr * alpha + np.float32(110) * (1 - alpha)
    how = cv2.INTER_AREA if min(bgr.shape[:2]) > CROP_PX else cv2.INTER_LINEAR
    return cv2.resize(bgr, (CROP_PX, CROP_PX), interpolation=how).clip(0, 255).astype(np.uint8)


def vary(rng: np.random.Generator, crop: UInt8Array, covers: Sequence[UInt8Array]) -> UInt8Array:
    """`crop` (CROP_PX, CROP_PX, 3) seen again: other light, focus and corners, perhaps partly under a cover.

    `covers` are pictures of the same size of what may lie over it, other cards as a rule.
    """
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * CROP_PX
    moved = square + CROP_PX * (rng.normal(0, 0.02, (4, 2)) + rng.normal(0, 0.012, (1, 2))).astype(np.float32)
    warp = cv2.getPerspectiveTransform(square, moved)
    seen = cv2.warpPerspective(crop, warp, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    values = seen.astype(np.float32)
    if covers and rng.random() < 0.5:
        over = covers[int(rng.integers(len(covers)))]
        if rng.random() < 0.5:
            over = over.transpose(1, 0, 2)
        hidden = _slope(rng) > rng.uniform(0.05, 0.8)
        values[hidden] = over[hidden]
    values *= rng.uniform(0.6, 1.25) * rng.uniform(0.9, 1.1, 3).astype(np.float32)
    values += rng.uniform(-15, 15)
    if rng.random() < 0.4:
        values += 40 * rng.uniform(-1, 1) * _slope(rng)[:, :, None]
    if rng.random() < 0.5:
        values = np.asarray(cv2.GaussianBlur(values, (0, 0), rng.uniform(0.4, 1.8)), np.float32)
    values += rng.standard_normal(values.shape, np.float32) * np.float32(rng.uniform(0, 6))
    return values.clip(0, 255).astype(np.uint8)


def _slope(rng: np.random.Generator) -> Float32Array:
    """(CROP_PX, CROP_PX): the distance from a line through the middle in a random direction, -1.4 to 1.4."""
    angle = rng.uniform(0, 2 * np.pi)
    return np.asarray(_GRID[0] * np.cos(angle) + _GRID[1] * np.sin(angle), np.float32)
