"""Corners of cards at rest, by the shipped corner network and the table's plane."""

from collections.abc import Sequence
from itertools import count

import cv2
import numpy as np
import pytest
from drawn import laid

from vision.arrays import Float32Array, Float64Array
from vision.decks import CARD_MM
from vision.lab.bench.stills import worst_corner
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, project
from vision.reading.corners import CornerFinder
from vision.reading.finder import Found
from vision.reading.identifier import CLASSES, Identifier
from vision.watching.decision import decide
from vision.watching.tracking import SightingTracker

CARDS = ("S7", "HD", "C4", "T12", "D9", "SR")
SIZE = (1280, 720)


def box_round(corners_px: Float32Array) -> Float32Array:
    """The rectangle (4, 2) round what is seen of a card, a short side first, as a finder may give it."""
    box = cv2.boxPoints(cv2.minAreaRect(corners_px)).astype(np.float32)
    upright = np.linalg.norm(box[1] - box[0]) < np.linalg.norm(box[2] - box[1])
    return box if upright else np.roll(box, 1, axis=0)


def test_cards_that_cover_one_another_are_seen_to_their_hidden_corners() -> None:
    """Three cards lie apart, and three over one another, 30 degrees aslant; the boxes of those miss what is hidden."""
    off = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        camera = camera_matrix(SIZE, 130.0, 30.0, 90.0 * seed + 20, 5.0)
        lying, boxes = [], []
        for k in range(len(CARDS)):
            at = (CARD_MM[0] * (1.3 if k < 3 else 0.6) * (k % 3) - 60, (k // 3) * 190 - 95)
            whole = place_card(at, float(rng.normal(0, 0.05)))
            lying.append(project(camera, whole))
            in_view = whole.copy()
            if k in (3, 4):
                in_view[1:3] -= 0.2 * (whole[1] - whole[0])
            boxes.append(box_round(project(camera, in_view)))
        frame = laid(*zip(CARDS, lying, strict=True), shadow=0.3)
        found = [Found(box, True, 0.9) for box in boxes]
        tracker = SightingTracker(Identifier(), CornerFinder())
        for time_s in (0.0, 0.1):
            tracker.update(frame, found, time_s)
        off += [worst_corner(s.corners_px, c) for s, c in zip(tracker.sightings, lying, strict=True)]
    assert float(np.quantile(off, 0.8)) < 0.03, "twice as much without the closer looks"


@pytest.mark.parametrize(
    ("under", "over", "lean_deg"), [("H9", "D8", 0.0), ("C7", "C10", 30.0), ("T9", "S6", 15.0)]
)
def test_in_a_box_round_two_cards_one_is_seen_in_the_shape_that_all_cards_have(
    under: str, over: str, lean_deg: float
) -> None:
    """The finder gave one box to two cards that lie side by side, half over one another."""
    camera = camera_matrix(SIZE, 110.0, lean_deg, 40.0, 5.0)
    apart = {"S3": (-150, 90), "T16": (-150, -80), "DR": (130, 100), "H2": (150, -60)}
    spots = {**apart, under: (-35, 0), over: (0, 0)}
    there = {card: project(camera, place_card(at, 0.0)) for card, at in spots.items()}
    frame = laid(*there.items(), shadow=0.3)
    boxes = [box_round(there[card]) for card in apart]
    boxes.append(box_round(np.vstack([there[under], there[over]])))
    tracker = SightingTracker(Identifier(), CornerFinder())
    for k in range(4):
        tracker.update(frame, [Found(box, True, 0.9) for box in boxes], k / 10)
    seen = tracker.sightings[-1]
    assert seen.is_sure() and worst_corner(seen.corners_px, there[over]) < 0.04
    assert seen.read_as == over


def laid_one_by_one(tracker: SightingTracker, camera: Float64Array, cards: Sequence[str]) -> list[float]:
    """How far off the corners of cards are, as shares of the height, each of which lies on the table alone."""
    off, clock = [], count()
    corners = project(camera, place_card((20.0, 10.0), 1.1))
    for card in cards:
        frame = laid((card, corners), shadow=0.3)
        for _ in range(5):
            tracker.update(frame, [Found(box_round(corners), True, 0.9)], next(clock) / 10)
        off += [worst_corner(s.corners_px, corners) for s in tracker.sightings]
        tracker.sightings.clear()
    assert len(off) == len(cards)
    return off


@pytest.mark.parametrize(("card", "missing"), [("C9", 0.32), ("D10", 0.36), ("T14", 0.36)])
def test_of_two_boxes_that_each_miss_a_third_of_a_card_one_is_the_whole_card(
    card: str, missing: float
) -> None:
    """The cards before told the table's plane, and so how long a card is."""
    camera = camera_matrix(SIZE, 170.0, 20.0, 80.0, 5.0)
    tracker = SightingTracker(Identifier(), CornerFinder())
    laid_one_by_one(tracker, camera, ("S7", "HD", "C4"))
    corners = project(camera, place_card((20.0, 10.0), 1.4))
    frame = laid((card, corners), shadow=0.3)
    along = missing * (corners[[3, 2]] - corners[[0, 1]])
    parts = [corners.copy(), corners.copy()]
    parts[0][[3, 2]] -= along
    parts[1][[0, 1]] += along
    for k in range(8):
        tracker.update(frame, [Found(part, True, 0.9 - n / 100) for n, part in enumerate(parts)], 9 + k / 10)
    assert [CLASSES[int(s.one_look().argmax())] for s in tracker.sightings] == [card, card]
    assert [decided.is_second for decided in decide(tracker.sightings)] == [False, True]
    assert min(worst_corner(s.corners_px, corners) for s in tracker.sightings) < 0.03


def test_the_plane_is_learnt_anew_after_the_camera_was_moved() -> None:
    """Three faces that lie alone, and fit no card on the plane, tell it."""
    tracker = SightingTracker(Identifier(), CornerFinder())
    assert max(laid_one_by_one(tracker, camera_matrix(SIZE, 150.0, 0.0, 0.0, 5.0), CARDS)) < 0.03
    moved = camera_matrix(SIZE, 150.0, 50.0, 0.0, 5.0)
    off = laid_one_by_one(tracker, moved, ("C9", "H2", "T6", "SD", "D4", "T21"))
    assert max(off[3:]) < 0.03
