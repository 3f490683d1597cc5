"""A roughly found rectangle is pulled onto the edges of the card that is drawn there, and onto nothing else."""

import cv2
import numpy as np
import pytest

from vision.arrays import Float32Array, UInt8Array
from vision.decks import CARD_MM, load_deck
from vision.reading.edges import refine_corners
from vision.rendering.layouts import place_card
from vision.rendering.scene import camera_matrix, paste, project
from vision.resources import datasets_dir

REACH = 0.09
SIZE = (640, 360)
CLOTH = (60, 90, 40)
FACES = load_deck(datasets_dir() / "drawn").faces


def table(turned: float = 0.3, tilt: float = 8.0, card: str = "S7") -> tuple[UInt8Array, Float32Array]:
    """A picture of one card on a plain cloth, and its true corners, px."""
    picture = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    camera = camera_matrix(SIZE, 150, tilt, 40, 0)
    corners = project(camera, place_card((5, -10), turned)).astype(np.float32)
    paste(picture, FACES[card], corners)
    return picture, corners


def off_by(found: Float32Array, true: Float32Array) -> float:
    """The distance of the worst corner, px."""
    return float(np.linalg.norm(found - true, axis=1).max())


@pytest.mark.parametrize("turned", [0.0, 0.3, 1.2, 2.5, -0.8])
@pytest.mark.parametrize("tilt", [0.0, 30.0])
def test_corners_a_little_off_are_put_right(turned: float, tilt: float) -> None:
    picture, true = table(turned, tilt)
    for seed in range(5):
        rough = true + np.random.default_rng(seed).uniform(-5, 5, (4, 2)).astype(np.float32)
        refined, seen = refine_corners(picture, rough, REACH)
        assert seen.all()
        assert refined.dtype == np.float32 and refined.shape == (4, 2)
        assert off_by(refined, true) < 1.5 < off_by(rough, true)


def test_a_rectangle_found_too_small_is_not_pulled_onto_the_print() -> None:
    picture, true = table(card="T21")
    middle = true.mean(0)
    refined, _ = refine_corners(picture, (middle + 0.94 * (true - middle)).astype(np.float32), REACH)
    assert off_by(refined, true) < 1.5


def test_a_dark_frame_printed_inside_the_edge_is_not_taken_for_it() -> None:
    picture, true = table()
    inset = place_card((5, -10), 0.3, (CARD_MM[0] - 15, CARD_MM[1] - 15))
    frame = project(camera_matrix(SIZE, 150, 8, 40, 0), inset)
    cv2.fillConvexPoly(picture, frame.round().astype(np.int32), (0, 0, 0))
    assert off_by(refine_corners(picture, true, REACH)[0], true) < 1.5


def test_a_side_under_another_card_stays_where_it_was_found() -> None:
    picture, true = table(turned=0.0, tilt=0.0)
    rough = true + np.float32([3, 3])
    # Cloth over the right third of the card, as far as its edge can be looked for.
    x0 = int(true[:, 0].max()) - 25
    cv2.rectangle(picture, (x0, 0), (x0 + 60, SIZE[1]), CLOTH, -1)
    refined, seen = refine_corners(picture, rough, REACH)
    assert not seen[1] and seen[3], "sides are told from the first corner on"
    right, left = [1, 2], [0, 3]
    assert np.abs(refined[left, 0] - true[left, 0]).max() < 1.5
    assert np.abs(refined[right, 0] - rough[right, 0]).max() < 0.5


def test_on_an_empty_table_the_rectangle_stays_as_it_was_found() -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    rough = table()[1]
    assert np.allclose(refine_corners(picture, rough, REACH)[0], rough, atol=0.01)


@pytest.mark.parametrize("away", [(-2000, 0), (0, 2000), (5000, 5000)])
def test_a_rectangle_out_of_the_picture_stays_as_it_was_found(away: tuple[int, int]) -> None:
    picture, true = table()
    rough = true + np.float32(away)
    assert np.array_equal(refine_corners(picture, rough, REACH)[0], rough)


def test_a_card_half_out_of_the_picture_is_found_where_it_can_be_seen() -> None:
    picture, true = table(turned=0.0, tilt=0.0)
    cut = int(true[:, 0].mean())
    rough = true + np.float32([3, -3])
    refined, _ = refine_corners(np.ascontiguousarray(picture[:, :cut]), rough, REACH)
    assert np.isfinite(refined).all()
    assert np.abs(refined[[0, 3]] - true[[0, 3]]).max() < 2
    assert np.abs(refined[[1, 2], 0] - rough[[1, 2], 0]).max() < 0.5


def test_what_cannot_be_that_rectangle_is_refused() -> None:
    """Four corners in one line are no card: whatever edges there are, the rough corners come back."""
    picture, true = table()
    flat = np.linspace(true[0], true[2], 4).astype(np.float32)
    assert np.array_equal(refine_corners(picture, flat, REACH)[0], flat)
