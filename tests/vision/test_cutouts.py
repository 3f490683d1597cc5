"""Cut-outs for the corner network, and the offsets of corners in them."""

import cv2
import numpy as np
import pytest
from drawn import drawn_deck

from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, project
from vision.lab.rendering.scene import Studio, open_studio
from vision.reading.cutouts import CARD_IN_CUT_PX, CARD_SIDES, CUT_PX, cut, moved_corners, offsets


@pytest.fixture(scope="module")
def studio() -> Studio:
    return open_studio(np.random.default_rng(5), [drawn_deck()], cloths=6, backs=6)


@pytest.mark.parametrize("height_px", [60, 160, 420])
def test_a_card_is_cut_out_upright_whatever_its_size(height_px: float) -> None:
    picture = np.full((720, 1280, 3), 30, np.uint8)
    corners = project(camera_matrix((1280, 720), height_px, 20, 40, 0), place_card((0, 0), 0.7))
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (255, 255, 255), cv2.LINE_AA, 4)
    seen = cut(picture, corners)
    assert seen.shape == (CUT_PX[1], CUT_PX[0], 3)
    inside = np.zeros(seen.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(CARD_IN_CUT_PX).astype(np.int32), 1)
    inner, outer = cv2.erode(inside, np.ones((5, 5))) > 0, cv2.dilate(inside, np.ones((5, 5))) == 0
    assert seen[inner].min() > 200 and seen[outer].max() < 120


def test_what_lies_outside_the_picture_is_grey() -> None:
    picture = np.full((200, 200, 3), 255, np.uint8)
    corners = np.array([[170, 20], [230, 20], [230, 130], [170, 130]], np.float32)
    seen = cut(picture, corners)
    assert (seen[:, -10:] == 114).all() and (seen[40:80, :20] == 255).all()


def test_offsets_lead_back_to_the_corners() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        camera = camera_matrix((1280, 720), 120, rng.uniform(0, 35), rng.uniform(0, 360), 0)
        corners = project(camera, place_card((30, -40), rng.uniform(0, 6)))
        rough = corners + rng.normal(0, 6, (4, 2)).astype(np.float32)
        off = offsets(corners, rough)
        assert np.abs(moved_corners(rough, off) - corners).max() < 0.05
        assert np.abs(off).max() < 0.4


@pytest.mark.training
def test_rendered_cut_outs_show_what_they_say(studio: Studio) -> None:
    pytest.importorskip("torch", reason="needs the train extra")
    from vision.lab.training.cutting import cut_outs

    found = [one for seed in range(12) for one in cut_outs(np.random.default_rng(seed), studio)]
    assert {CARD_SIDES[one.side] for one in found} == set(CARD_SIDES)
    for one in found:
        assert one.picture.shape == (CUT_PX[1], CUT_PX[0], 3)
        assert np.abs(one.off).max() < 0.6
        if CARD_SIDES[one.side] == "none":
            assert not one.off.any()


@pytest.mark.training
def test_cut_outs_at_the_boxes_of_a_finder(studio: Studio) -> None:
    """What the shipped finder boxes on rendered tables: cards near where they lie, and what is no card."""
    pytest.importorskip("torch", reason="needs the train extra")
    from vision.lab.training.cutting import cut_outs
    from vision.reading.finder import Finder

    finder = Finder()
    found = [one for seed in range(12) for one in cut_outs(np.random.default_rng(seed), studio, finder)]
    by_chance = [one for seed in range(12) for one in cut_outs(np.random.default_rng(seed), studio)]
    chance_pictures = {one.picture.tobytes() for one in by_chance}
    assert any(one.picture.tobytes() not in chance_pictures for one in found), "the finder says where to look"
    assert {CARD_SIDES[one.side] for one in found} == set(CARD_SIDES)
    cards = [one for one in found if CARD_SIDES[one.side] != "none"]
    assert np.mean([np.abs(one.off).max() for one in cards]) < 0.2, (
        "corners begin at the same end as the card's"
    )
