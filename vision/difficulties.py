"""Crops of one difficulty each, to measure the identifier by: clean, half covered, blurred, in glare, hard.

`clean` and `hard` are what `vision.scene.render_crop` draws at either end of its range. The others are one
thing at a time and that for certain: else the card is as in a clean crop.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.decks import BACK, CARD_MM, Deck
from vision.degrade import camera, light
from vision.scene import (
    Studio,
    camera_matrix,
    paste,
    place_card,
    project,
    random_wear,
    rectify,
    render_crop,
)

COVERED_SHARE: Final = (0.40, 0.55)
"""How much of a half covered card lies under the other."""
INDEX_MM: Final = 28.0
"""How far from its short side a card's indices reach: at one end this much must be whole in view."""


@dataclass(frozen=True)
class _Table:
    """A card on a cloth, not yet photographed: `corners_px` (4, 2) in `canvas`, `matrix` from mm to px."""

    deck: Deck
    canvas: UInt8Array
    matrix: np.ndarray
    corners_px: Float32Array
    height_px: float
    shadow: float


def _lay(rng: np.random.Generator, studio: Studio, card: str) -> _Table:
    """As `render_crop` lays a clean card: 90 to 235 px high, any turn, up to 35° aslant."""
    holders = [deck for deck in studio.decks if card in deck.faces]
    deck = holders[int(rng.integers(len(holders)))]
    height_px = float(np.exp(rng.uniform(np.log(90), np.log(235))))
    side = int(height_px * 1.5)
    canvas = studio.cloth(rng, (side, side))
    tilt = rng.uniform(0, 35) if rng.random() < 0.5 else rng.uniform(0, 8)
    matrix = camera_matrix((side, side), height_px, tilt, rng.uniform(0, 360), rng.uniform(0, 360))
    at = rng.normal(0, 3, 2)
    corners_px = project(matrix, place_card((float(at[0]), float(at[1])), 0.0))
    shadow = rng.uniform(0, 0.5)
    paste(canvas, deck.faces[card], corners_px, shadow, random_wear(rng))
    return _Table(deck, canvas, matrix, corners_px, height_px, shadow)


def _photograph(rng: np.random.Generator, table: _Table) -> UInt8Array:
    """The card cut out of a picture of the table by corners a little off, either way up."""
    picture = table.canvas
    if rng.random() < 0.8:
        picture = camera(rng, light(rng, picture, glossy=0.0), blur_px=0.7)
    edge = float(np.linalg.norm(table.corners_px[3] - table.corners_px[0]))
    jitter = rng.normal(0, 0.018, (4, 2)) + rng.normal(0, 0.015, (1, 2))
    quad = table.corners_px + (jitter * edge).astype(np.float32)
    return rectify(picture, np.roll(quad, 2 * int(rng.integers(2)), axis=0))


def cover_mm(rng: np.random.Generator) -> Float32Array:
    """Where another card lies over one at the origin: its corners (4, 2) in mm, chosen until they fit.

    It covers `COVERED_SHARE` of that card, and none of the `INDEX_MM` nearest to one of its short sides.
    """
    card = place_card((0.0, 0.0), 0.0)
    half_width, half_height = CARD_MM[0] / 2, CARD_MM[1] / 2
    end = np.array([[-half_width, -half_height], [half_width, -half_height]], np.float32)
    end = np.concatenate([end, end[::-1] + np.array([0, INDEX_MM], np.float32)]).astype(np.float32)
    while True:
        at = (float(rng.uniform(-75, 75)), float(rng.uniform(-20, 110)))
        cover = place_card(at, float(rng.uniform(0, 2 * np.pi)))
        share = cv2.intersectConvexConvex(card, cover)[0] / (CARD_MM[0] * CARD_MM[1])
        in_view = cv2.intersectConvexConvex(end, cover)[0] == 0
        if COVERED_SHARE[0] <= share <= COVERED_SHARE[1] and in_view:
            return cover if rng.random() < 0.5 else -cover


def _half_covered(rng: np.random.Generator, studio: Studio, card: str) -> UInt8Array:
    table = _lay(rng, studio, card)
    names = [name for name in table.deck.faces if name != card] or [BACK]
    name = names[int(rng.integers(len(names)))]
    back = rng.random() < 0.1 or name == BACK
    sprite = studio.back(rng, table.deck) if back else table.deck.faces[name]
    # The card itself lies a few mm off the origin: the cover goes with it.
    off = project(np.linalg.inv(table.matrix), table.corners_px).mean(0)
    paste(table.canvas, sprite, project(table.matrix, cover_mm(rng) + off), table.shadow, random_wear(rng))
    return _photograph(rng, table)


def _blurred(rng: np.random.Generator, studio: Studio, card: str) -> UInt8Array:
    """Out of focus, or moved: as blurred as a quarter to all of what the training goes to."""
    table = _lay(rng, studio, card)
    most_px = min(2.4, 0.6 + table.height_px / 90)
    if rng.random() < 0.6:
        sigma = rng.uniform(0.5, 1.0) * most_px
        table.canvas[:] = cv2.GaussianBlur(table.canvas, (0, 0), sigma)
    else:
        length = rng.uniform(0.5, 1.0) * most_px * 3.5
        size = 2 * int(np.ceil(length / 2)) + 1
        angle = rng.uniform(0, np.pi)
        ys, xs = np.mgrid[0:size, 0:size] - size // 2
        along = xs * np.cos(angle) + ys * np.sin(angle)
        across = -xs * np.sin(angle) + ys * np.cos(angle)
        kernel = np.exp(-(across**2)) * (np.abs(along) <= length / 2)
        table.canvas[:] = cv2.filter2D(table.canvas, -1, kernel / kernel.sum())
    return _photograph(rng, table)


def _in_glare(rng: np.random.Generator, studio: Studio, card: str) -> UInt8Array:
    """A lamp's reflection somewhere on the card, at its middle 60 to 220 brighter than the print."""
    table = _lay(rng, studio, card)
    ys, xs = np.mgrid[0 : table.canvas.shape[0], 0 : table.canvas.shape[1]].astype(np.float32)
    low, high = table.corners_px.min(0), table.corners_px.max(0)
    middle = low + (high - low) * rng.uniform(0.2, 0.8, 2)
    reach = rng.uniform(0.12, 0.4, 2) * table.height_px
    spot = np.exp(-(((xs - middle[0]) / reach[0]) ** 2) - ((ys - middle[1]) / reach[1]) ** 2)
    lit = table.canvas + spot[:, :, None] * np.float32(rng.uniform(60, 220))
    table.canvas[:] = np.clip(lit, 0, 255).astype(np.uint8)
    return _photograph(rng, table)


DIFFICULTIES: Final[dict[str, Callable[[np.random.Generator, Studio, str], UInt8Array]]] = {
    "clean": lambda rng, studio, card: render_crop(rng, studio, card, 0.0),
    "half covered, one index in view": _half_covered,
    "blurred": _blurred,
    "glare": _in_glare,
    "hard": lambda rng, studio, card: render_crop(rng, studio, card, 1.0),
}
"""What draws a crop (CROP_PX, CROP_PX, 3) uint8 BGR of a card, by difficulty."""
