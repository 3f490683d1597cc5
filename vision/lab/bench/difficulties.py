"""Crops of one difficulty each, to measure the identifier on: clean, half covered, blurred, in glare, hard.

`clean` and `hard` are the two ends of `vision.lab.rendering.crops.render_crop`. Each of the others is a clean crop
with one difficulty.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Float32Array, Rng, UInt8Array, one_of
from vision.decks import BACK, Deck
from vision.lab.rendering.crops import BareTable, bare_table, cover_mm, cut_out, render_crop
from vision.lab.rendering.degrade import light, through_camera
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import paste, project, random_wear
from vision.lab.rendering.scene import Studio

COVERED_SHARE: Final = (0.40, 0.55)
"""The least and the most of a half covered card that the other card occludes, as shares."""


@dataclass(frozen=True)
class _Laid:
    """A card on a table, before the photograph: its centre in mm and its corners (4, 2) in px."""

    table: BareTable
    deck: Deck
    at_mm: tuple[float, float]
    corners_px: Float32Array


def _lay(rng: Rng, studio: Studio, card: str) -> _Laid:
    holders = [deck for deck in studio.decks if card in deck.faces]
    deck = one_of(rng, holders)
    table = bare_table(rng, studio)
    x, y = rng.normal(0, 3, 2)
    corners_px = project(table.matrix, place_card((x, y), 0.0))
    paste(table.canvas, deck.faces[card], corners_px, table.shadow, random_wear(rng))
    return _Laid(table, deck, (float(x), float(y)), corners_px)


def _photograph(rng: Rng, laid: _Laid) -> UInt8Array:
    """The card's crop, either way up, from a photograph of the table."""
    picture = laid.table.canvas
    if rng.random() < 0.8:
        picture = through_camera(rng, light(rng, picture, glossy=0.0), blur_px=0.7)
    return cut_out(rng, picture, laid.corners_px, 2 * int(rng.integers(2)))


def _half_covered(rng: Rng, studio: Studio, card: str) -> UInt8Array:
    laid = _lay(rng, studio, card)
    names = [name for name in laid.deck.faces if name != card] or [BACK]
    name = one_of(rng, names)
    back = rng.random() < 0.1 or name == BACK
    sprite = studio.back(rng, laid.deck) if back else laid.deck.faces[name]
    cover = cover_mm(rng, *COVERED_SHARE) + np.array(laid.at_mm, np.float32)
    table = laid.table
    paste(table.canvas, sprite, project(table.matrix, cover), table.shadow, random_wear(rng))
    return _photograph(rng, laid)


def _blurred(rng: Rng, studio: Studio, card: str) -> UInt8Array:
    """Out of focus or moved, by at least half of the strongest blur in training."""
    laid = _lay(rng, studio, card)
    table = laid.table
    most_px = min(2.4, 0.6 + table.card_height / 90)
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
    return _photograph(rng, laid)


def _in_glare(rng: Rng, studio: Studio, card: str) -> UInt8Array:
    """A lamp's reflection on the card, at its centre 60 to 220 (of 255) brighter than the print."""
    laid = _lay(rng, studio, card)
    table = laid.table
    ys, xs = np.mgrid[0 : table.canvas.shape[0], 0 : table.canvas.shape[1]].astype(np.float32)
    low, high = laid.corners_px.min(0), laid.corners_px.max(0)
    middle = low + (high - low) * rng.uniform(0.2, 0.8, 2)
    reach = rng.uniform(0.12, 0.4, 2) * table.card_height
    spot = np.exp(-(((xs - middle[0]) / reach[0]) ** 2) - ((ys - middle[1]) / reach[1]) ** 2)
    lit = table.canvas + spot[:, :, None] * np.float32(rng.uniform(60, 220))
    table.canvas[:] = np.clip(lit, 0, 255).astype(np.uint8)
    return _photograph(rng, laid)


DIFFICULTIES: Final[dict[str, Callable[[Rng, Studio, str], UInt8Array]]] = {
    "clean": lambda rng, studio, card: render_crop(rng, studio, card, 0.0),
    "half covered, one index in view": _half_covered,
    "blurred": _blurred,
    "glare": _in_glare,
    "hard": lambda rng, studio, card: render_crop(rng, studio, card, 1.0),
}
"""By difficulty, the function that draws a crop (CROP_PX, CROP_PX, 3) uint8 BGR of a card."""
