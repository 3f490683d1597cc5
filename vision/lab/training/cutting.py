"""Training data of the corner network: cut-outs of cards on crowded tables, with their true corners."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float32Array, Rng, UInt8Array
from vision.decks import BACK
from vision.lab.rendering.crops import NO_CARD, empty_box
from vision.lab.rendering.scene import LaidCard, Scene, Studio, render_scene
from vision.picture import overlap
from vision.reading.cutouts import CARD_SIDES, cut, offsets
from vision.reading.finder import Finder

_FACE, _BACK, _NONE = range(len(CARD_SIDES))

MOST_CUT = 8
"""The most cut-outs of cards that one table gives, so that a batch shows several tables."""
THAT_CARD = 0.5
"""IoU from which a box is one of a card."""
FINDER_SHARE = 0.6
"""Share of the tables on which the finder says where boxes are: its mistakes are to be told from cards."""
FAINTEST_BOX = 0.08
"""Least score of such a box."""


@dataclass(frozen=True)
class CutOut:
    """A cut-out (120, 80, 3) uint8 BGR, its side as an index of `CARD_SIDES`, and its corners' offsets (4, 2).

    Offsets are as `vision.reading.cutouts.offsets` gives them; 0 where there is no card.
    """

    picture: UInt8Array
    side: int
    off: Float32Array


def cut_outs(rng: Rng, studio: Studio, finder: Finder | None = None) -> list[CutOut]:
    """Cut-outs of a newly rendered table, as `finder` or chance boxes them: up to `MOST_CUT` of cards, some of none."""
    card_height = float(np.exp(rng.uniform(np.log(55), np.log(220))))
    reach = rng.uniform(3.0, 5.5)
    size = (int(min(800, card_height * reach)), int(min(640, card_height * reach * rng.uniform(0.7, 1.0))))
    scene = render_scene(rng, studio, size, card_height)
    if finder is not None and rng.random() < FINDER_SHARE:
        return _found_by(rng, finder, scene)
    cards = [scene.cards[int(k)] for k in rng.permutation(len(scene.cards))[: MOST_CUT - 1]]
    found = []
    for card in cards:
        for _ in range(4):
            rough = rough_box(rng, card.corners_px)
            if _nearest(scene, rough) is card:
                found.append(_cut_card(rng, scene, card, rough))
                break
    for _ in range(3 if scene.things else 1):
        nothing = empty_box(rng, scene, size, card_height)
        if nothing is not None:
            found.append(_cut_nothing(scene, nothing))
    return found


def _found_by(rng: Rng, finder: Finder, scene: Scene) -> list[CutOut]:
    """The boxes of `finder` in `scene`: up to `MOST_CUT` of cards, and up to as many of no card."""
    cards, nothing = [], []
    for box in finder.find(scene.picture, FAINTEST_BOX):
        card = _nearest(scene, box.corners_px)
        share = overlap(card.corners_px, box.corners_px) if card is not None else 0.0
        if card is not None and share >= THAT_CARD:
            # The box begins with a short side, as the card does, but perhaps with the other one.
            turned = np.roll(box.corners_px, 2, axis=0)
            near = np.abs(box.corners_px - card.corners_px).sum() < np.abs(turned - card.corners_px).sum()
            cards.append(_cut_card(rng, scene, card, box.corners_px if near else turned))
        elif share < NO_CARD:
            nothing.append(_cut_nothing(scene, box.corners_px))
    chosen = [cards[int(k)] for k in rng.permutation(len(cards))[:MOST_CUT]]
    return chosen + [nothing[int(k)] for k in rng.permutation(len(nothing))[:MOST_CUT]]


def _cut_card(rng: Rng, scene: Scene, card: LaidCard, rough: Float32Array) -> CutOut:
    """The cut-out of `card` at `rough`, which begins at either end: a finder does not know which is up."""
    turn = 2 * int(rng.integers(2))
    rough, corners = np.roll(rough, turn, axis=0), np.roll(card.corners_px, turn, axis=0)
    side = _BACK if card.card == BACK else _FACE
    return CutOut(cut(scene.picture, rough), side, offsets(corners, rough))


def _cut_nothing(scene: Scene, rough: Float32Array) -> CutOut:
    return CutOut(cut(scene.picture, rough), _NONE, np.zeros((4, 2), np.float32))


def rough_box(rng: Rng, corners_px: Float32Array) -> Float32Array:
    """Rough corners (4, 2) px of the card at `corners_px`, as the finder or a first pass of the network gives them."""
    height = float(np.linalg.norm(corners_px[3] - corners_px[0]))
    if rng.random() < 0.35:
        near = corners_px + rng.normal(0, rng.uniform(0.003, 0.03), (4, 2)) * height
    else:  # a rectangle, a little off, sometimes round a part of the card
        (x, y), sides, _ = cv2.minAreaRect(corners_px)
        wide, high = sorted(sides)
        direction = corners_px[3] - corners_px[0] + corners_px[2] - corners_px[1]
        turn = float(np.arctan2(direction[1], direction[0])) - np.pi / 2 + rng.normal(0, 0.05)
        wide, high = wide * rng.normal(1, 0.06), high * rng.normal(1, 0.05)
        # The rest of the card is under another one, or the card is unusually broad.
        shares = np.where(rng.random(2) < (0.3, 0.2), rng.uniform(0.6, 1.0, 2), 1.0)
        off = rng.uniform(-0.5, 0.5, 2) * (1 - shares) * (wide, high)
        c, s = np.cos(turn), np.sin(turn)
        unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * shares * (wide, high) + off
        middle = np.array([x, y]) + rng.normal(0, 0.03, 2) * height
        near = unit @ np.array([[c, s], [-s, c]]) + middle
    return near.astype(np.float32)


def _nearest(scene: Scene, rough: Float32Array) -> LaidCard | None:
    """The card that the box `rough` overlaps most; None on a table without cards."""
    return max(scene.cards, key=lambda card: overlap(card.corners_px, rough), default=None)
