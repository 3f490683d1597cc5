"""Packs printed anew, with larger or smaller art on cards of the same size, or on broader cards, to train on.

In the scans of one deck the index always lies equally far from the card's corner. A network that learns this distance
puts the corners of other decks where the index says, not where the edges are.

A poker card is 1.4 times as high as it is broad, a card of tarok 1.84 times. Both are stretched to the same square to
be read. There the signs of a poker card are a quarter narrower: a heart looks like a diamond.
"""

import cv2
import numpy as np

from vision.arrays import BoolArray, Rng, UInt8Array
from vision.decks import Deck, Sprite, sprite_of

SCALES = (0.78, 1.2)
"""Least and greatest size of the art, in shares of what it was."""
CORNER_RADII_MM = (1.5, 5.5)
"""Least and greatest radius of a card's corners."""
BROADER = (0.73, 1.0)
"""Least and greatest breadth of a sign on a broader card, in shares of its breadth on a card of the deck.

0.73 is that of a card 1.35 times as high as it is broad (`OTHER_SHAPES` in `vision/lab/rendering/scene.py`).
"""
BROAD_SHARE = 0.5
"""Share of packs, and of invented cards, that are printed on broader cards."""
SIDE_STRIP = 0.25
"""The part of a card's breadth, at either side, that holds the index."""


def reprinted(rng: Rng, deck: Deck) -> Deck:
    """`deck` with the art of all faces scaled and broadened alike. Bare margins take the colour of the paper."""
    scale = rng.uniform(*SCALES) * rng.uniform(0.93, 1.07, 2)
    narrow = narrowing(rng)
    radius_mm = float(rng.uniform(*CORNER_RADII_MM))
    faces = {card: _printed(face, scale[0], scale[1], narrow, radius_mm) for card, face in deck.faces.items()}
    return Deck(deck.name, faces, deck.backs)


def narrowing(rng: Rng) -> float:
    """The breadth of a pack's signs, drawn by chance, in shares of what it was."""
    return float(rng.uniform(*BROADER)) if rng.random() < BROAD_SHARE else 1.0


def broadened(art: UInt8Array, narrow: float) -> UInt8Array:
    """`art` (H, W, 3) as it is on a broader card, squeezed to the same W.

    Its sides, where the index is, are `narrow` times as broad as before; the middle takes the rest.
    """
    wide = art.shape[1]
    strip = round(SIDE_STRIP * wide)
    outer = round(SIDE_STRIP * narrow * wide)
    parts = (
        (art[:, :strip], outer),
        (art[:, strip : wide - strip], wide - 2 * outer),
        (art[:, wide - strip :], outer),
    )
    drawn = [cv2.resize(part, (broad, art.shape[0]), interpolation=cv2.INTER_AREA) for part, broad in parts]
    return np.hstack(drawn).astype(np.uint8, copy=False)


def _printed(face: Sprite, across: float, down: float, narrow: float, radius_mm: float) -> Sprite:
    art = face[0]
    high, wide = art.shape[:2]
    solid = art[..., 3] == 255
    paper = _paper(art, solid)
    flat = np.where(solid[..., None], art[..., :3], np.array(paper, np.uint8))
    about = np.array([[across, 0, (1 - across) * wide / 2], [0, down, (1 - down) * high / 2]])
    drawn = cv2.warpAffine(flat, about, (wide, high), flags=cv2.INTER_AREA, borderValue=paper)
    return sprite_of(broadened(drawn.astype(np.uint8, copy=False), narrow), radius_mm)


def _paper(art: UInt8Array, solid: BoolArray) -> tuple[float, ...]:
    """The median colour (BGR) near the edges of a card, of its `solid` pixels (H, W)."""
    rim = solid.copy()
    high, wide = solid.shape
    rim[high // 25 : -(high // 25), wide // 15 : -(wide // 15)] = False
    return tuple(float(value) for value in np.median(art[..., :3][rim], axis=0))
