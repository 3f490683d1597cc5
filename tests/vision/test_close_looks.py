"""Corners of cards at rest, by the shipped corner network and the table's plane."""

import cv2
import numpy as np

from vision.arrays import Float32Array
from vision.bench.stills import worst_corner
from vision.decks import CARD_MM, read_picture, sprite_of
from vision.reading.corners import CornerFinder
from vision.reading.finder import Found
from vision.reading.identifier import Identifier
from vision.rendering.layouts import place_card
from vision.rendering.scene import camera_matrix, paste, project
from vision.resources import datasets_dir
from vision.watching.sightings import SightingTracker

CARDS = ("S7", "HD", "C4", "T12", "D9", "SR")


def box_round(corners_px: Float32Array) -> Float32Array:
    """The rectangle (4, 2) round what is seen of a card, a short side first, as a finder may give it."""
    box = cv2.boxPoints(cv2.minAreaRect(corners_px)).astype(np.float32)
    return (
        box if np.linalg.norm(box[1] - box[0]) < np.linalg.norm(box[2] - box[1]) else np.roll(box, 1, axis=0)
    )


def test_cards_that_cover_one_another_are_seen_to_their_hidden_corners() -> None:
    """Three cards lie apart, and three over one another, 30 degrees aslant; the boxes of those miss what is hidden."""
    off = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        frame = np.full((720, 1280, 3), (60, 110, 40), np.uint8)
        camera = camera_matrix((1280, 720), 130.0, 30.0, 90.0 * seed + 20, 5.0)
        lying, boxes = [], []
        for k, card in enumerate(CARDS):
            at = (CARD_MM[0] * (1.3 if k < 3 else 0.6) * (k % 3) - 60, (k // 3) * 190 - 95)
            whole = place_card(at, float(rng.normal(0, 0.05)))
            corners = project(camera, whole)
            paste(frame, sprite_of(read_picture(datasets_dir() / "drawn" / f"{card}.png")), corners, 0.3)
            lying.append(corners)
            in_view = whole.copy()
            if k in (3, 4):
                in_view[1:3] -= 0.2 * (whole[1] - whole[0])
            boxes.append(box_round(project(camera, in_view)))
        found = [Found(box, True, 0.9) for box in boxes]
        tracker = SightingTracker(Identifier(), CornerFinder())
        for time_s in (0.0, 0.1):
            tracker.update(frame, found, time_s)
        off += [worst_corner(s.corners_px, c) for s, c in zip(tracker.sightings, lying, strict=True)]
    assert float(np.quantile(off, 0.8)) < 0.03, "twice as much without the closer looks"
