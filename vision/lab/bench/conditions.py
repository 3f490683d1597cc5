"""Conditions under which hands are filmed, one at a time, to measure the plays: `tarok film --condition NAME`."""

from dataclasses import replace

import numpy as np

from vision.arrays import UInt8Array
from vision.decks import CARD_MM
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.props import smooth_noise

FILM_CONDITIONS = (
    "plain", "5 fps", "30 fps", "drift 30", "lamp 55", "pale cloth", "off right", "off down", "tilt 30", "things",
    "odd backs", "card backs", "passing arms", "face down", "heap", "dealt", "chips",
)  # fmt: skip
"""Names of the conditions. The cards are laid two cards' breadths off the middle with "off right" and "off down".

With "dealt" the film begins where the cards of the last hand are counted. With "chips" players pay between plays.
"""


def filmed_as(condition: str, style: FilmStyle) -> FilmStyle:
    """`style`, changed to one of `FILM_CONDITIONS`."""
    off = 2 * CARD_MM[0]
    changed = {
        "5 fps": replace(style, fps=5),
        "30 fps": replace(style, fps=30),
        "drift 30": replace(style, drift=0.3, lamp=0.77),
        "lamp 55": replace(style, lamp=0.55),
        "off right": replace(style, off_mm=(off, 0.0)),
        "off down": replace(style, off_mm=(0.0, off)),
        "tilt 30": replace(style, tilt_deg=30.0),
        "things": replace(style, things=6),
        "odd backs": replace(style, odd_backs=True),
        "card backs": replace(style, card_backs=True),
        "passing arms": replace(style, passing_arms=True),
        "face down": replace(style, face_down=True),
        "heap": replace(style, heap=True),
    }
    return changed.get(condition, style)


def cloth_of(condition: str, seed: int, size: tuple[int, int]) -> UInt8Array | None:
    """The table top (H, W, 3) of a condition that has its own, of (width, height) px: a cloth as pale as cards."""
    if condition != "pale cloth":
        return None
    rng = np.random.default_rng((seed, 9))
    weave = smooth_noise(rng, size, size[0] / 4)[:, :, None] * 4 + smooth_noise(rng, size, 3)[:, :, None] * 4
    return np.asarray(np.clip(np.array([216.0, 222, 226]) + weave, 0, 255), np.uint8)
