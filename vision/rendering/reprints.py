"""Packs printed anew with larger or smaller art on cards of the same size, to train on.

In a scanned deck the index always lies as far from the card's corner. A network that learns this finds the corners of
other decks where the index says, and not where the edges are.
"""

import cv2
import numpy as np

from vision.arrays import BoolArray, UInt8Array
from vision.decks import Deck, Sprite, sprite_of

SCALES = (0.78, 1.2)
"""Least and greatest size of the art, in shares of what it was."""
CORNER_RADII_MM = (1.5, 5.5)
"""Least and greatest radius of a card's corners."""


def reprinted(rng: np.random.Generator, deck: Deck) -> Deck:
    """`deck` with the art of all faces scaled alike; what it leaves bare is the paper's colour."""
    scale = rng.uniform(*SCALES) * rng.uniform(0.93, 1.07, 2)
    radius_mm = float(rng.uniform(*CORNER_RADII_MM))
    faces = {card: _scaled(face, scale[0], scale[1], radius_mm) for card, face in deck.faces.items()}
    return Deck(deck.name, faces, deck.backs)


def _scaled(face: Sprite, across: float, down: float, radius_mm: float) -> Sprite:
    art = face[0]
    high, wide = art.shape[:2]
    solid = art[..., 3] == 255
    paper = _paper(art, solid)
    flat = np.where(solid[..., None], art[..., :3], np.array(paper, np.uint8))
    about = np.array([[across, 0, (1 - across) * wide / 2], [0, down, (1 - down) * high / 2]])
    drawn = cv2.warpAffine(flat, about, (wide, high), flags=cv2.INTER_AREA, borderValue=paper)
    return sprite_of(drawn.astype(np.uint8, copy=False), radius_mm)


def _paper(art: UInt8Array, solid: BoolArray) -> tuple[float, ...]:
    """The median colour (BGR) near the edges of a card, of its `solid` pixels (H, W)."""
    rim = solid.copy()
    high, wide = solid.shape
    rim[high // 25 : -(high // 25), wide // 15 : -(wide // 15)] = False
    return tuple(float(value) for value in np.median(art[..., :3][rim], axis=0))
