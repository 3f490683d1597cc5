"""How alike two cards look. A pack has each card once, and all its backs are alike."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Float32Array, UInt8Array

BACK_PX: Final = 48
"""Side in px of the square picture that is kept of a pack's back, and of each card at rest."""
LEAST_IN_VIEW: Final = 0.25
"""Share of a card that must be in view for it to be compared with the card on top of it."""
_PLAIN: Final = 6.0
"""Spread in grey (0..255) below which a card is plain: it has no pattern."""
_RIM_PX: Final = 3
"""Width of the edge that is left out: it may show the table, if the corners are a little off."""
_GROWN: Final = 1.06
"""Size of what a card hides, by the card's: its shadow and its edge hide a little, too."""
_INNER = np.zeros((BACK_PX, BACK_PX), bool)
_INNER[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX] = True
_SQUARE = np.array([[0, 0], [BACK_PX, 0], [BACK_PX, BACK_PX], [0, BACK_PX]], np.float32) - np.float32(0.5)


def likeness(card: UInt8Array, back: UInt8Array) -> float:
    """How alike two cards look (-1..1), either way up and in any light: each (N, N, 3) uint8 BGR of any size."""
    return _likeness(softened(card), softened(back), np.ones((BACK_PX, BACK_PX), bool))


def likeness_apart(cards: Sequence[Float32Array]) -> Float32Array:
    """How alike each two of N `softened` cards that lie apart look (-1..1), as a matrix (N, N)."""
    patterns, turned = (
        np.stack([_pattern(way[_INNER]) for way in ways])
        for ways in (cards, [card[::-1, ::-1] for card in cards])
    )
    return np.asarray(np.maximum(patterns @ patterns.T, patterns @ turned.T), np.float32)


def likeness_in_view(
    one: Float32Array, one_px: Float32Array, other: Float32Array, other_px: Float32Array
) -> float:
    """How alike two overlapping cards at `one_px` and `other_px` (4, 2) look (-1..1) where both are in view.

    `one` and `other` are their `softened` pictures. Either card may lie on the other. Only the part of the lower one
    that the upper one leaves free is compared; -1 if that is too small.
    """
    found = [-1.0]
    for lower, lower_px, upper, upper_px in ((one, one_px, other, other_px), (other, other_px, one, one_px)):
        in_view = _INNER & ~_within(upper_px, lower_px)
        if in_view.mean() >= LEAST_IN_VIEW:
            found.append(_likeness(lower, upper, in_view))
    return max(found)


def softened(card: UInt8Array) -> Float32Array:
    """`card`, (N, N, 3) uint8 BGR of any size, without its fine detail: (BACK_PX, BACK_PX, 3) float32."""
    small = cv2.resize(card, (BACK_PX, BACK_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.2), np.float32)


def is_plain(card: UInt8Array) -> bool:
    """Whether `card`, (BACK_PX, BACK_PX, 3) uint8 BGR, has no pattern inside the white edge that every back has."""
    inner = np.ascontiguousarray(card[6:-6, 6:-6])
    return float(cv2.cvtColor(inner, cv2.COLOR_BGR2GRAY).std()) < _PLAIN


def _likeness(one: Float32Array, other: Float32Array, where: npt.NDArray[np.bool_]) -> float:
    """The correlation (-1..1) of two pictures at the pixels `where`, the second picture either way up."""
    seen = _pattern(one[where])
    return max(float(seen @ _pattern(way[where])) for way in (other, other[::-1, ::-1]))


def _pattern(pixels: Float32Array) -> Float32Array:
    """Pixels (N, 3) less their mean colour, as a vector (3 N,) of length 1; all 0 if they have one colour."""
    pattern = (pixels - pixels.mean(0)).ravel()
    return np.asarray(pattern / max(float(np.linalg.norm(pattern)), 1e-6), np.float32)


def _within(upper_px: Float32Array, card_px: Float32Array) -> npt.NDArray[np.bool_]:
    """The part of the card at `card_px` (4, 2) that lies under the one at `upper_px`, as (BACK_PX, BACK_PX) bool."""
    middle = upper_px.mean(0)
    matrix = cv2.getPerspectiveTransform(card_px.astype(np.float32), _SQUARE)
    grown = (middle + _GROWN * (upper_px - middle)).astype(np.float32)
    outline = cv2.perspectiveTransform(grown[None], matrix)[0]
    hidden = np.zeros((BACK_PX, BACK_PX), np.uint8)
    cv2.fillConvexPoly(hidden, np.round(outline).clip(-9999, 9999).astype(np.int32), 1)
    return np.asarray(hidden > 0)
