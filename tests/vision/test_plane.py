"""The table's plane and its cards' shape, learnt from corners, and what they give a card that is partly hidden."""

import numpy as np
import pytest

from vision.arrays import Float32Array
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, project
from vision.reading.corners import CloseLook
from vision.reading.plane import hold_to, learn_plane, plane_of

SIZE = (1280, 720)
HIGH_PX = 110.0


def lying(rng: np.random.Generator, tilt_deg: float, aspect: float, count: int) -> list[Float32Array]:
    """The true corners (4, 2) px of `count` cards strewn over a table seen `tilt_deg` aslant."""
    camera = camera_matrix(SIZE, HIGH_PX, tilt_deg, float(rng.uniform(0, 360)), 0)
    places = rng.uniform(-1, 1, (count, 2)) * (400, 220)
    return [
        project(camera, place_card((x, y), rng.uniform(0, 2 * np.pi), (112 / aspect, 112))) for x, y in places
    ]


@pytest.mark.parametrize("tilt_deg", [0, 15, 35])
@pytest.mark.parametrize("aspect", [1.35, 1.6, 1.9])
def test_the_shape_of_the_cards_is_learnt(tilt_deg: float, aspect: float) -> None:
    rng = np.random.default_rng(round(100 * aspect) + tilt_deg)
    seen = [true + rng.normal(0, 0.6, (4, 2)).astype(np.float32) for true in lying(rng, tilt_deg, aspect, 8)]
    plane = learn_plane(seen, [np.full(4, 0.006, np.float32)] * 8, SIZE)
    assert plane.aspect == pytest.approx(aspect, rel=0.02)


@pytest.mark.parametrize("tilt_deg", [0, 15, 35])
def test_hidden_corners_are_put_where_the_others_say(tilt_deg: float) -> None:
    """Two corners of the first card are guessed a quarter of its height off; the plane brings them home."""
    worst = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        true = lying(rng, tilt_deg, 1.8, 6)
        spread = [np.full(4, 0.006, np.float32) for _ in true]
        spread[0][:2] = 0.15
        seen = [t + rng.normal(0, 0.6, (4, 2)).astype(np.float32) for t in true]
        seen[0][:2] += rng.choice([-1, 1], (2, 2)) * 0.18 * HIGH_PX
        plane = learn_plane(seen, spread, SIZE)
        corners, off = hold_to(plane, seen[0], spread[0])
        worst.append(float(np.linalg.norm(corners - true[0], axis=1).max()) / HIGH_PX)
        assert off < 3
    assert np.median(worst) < 0.03, "a quarter of the height before"


def test_what_is_no_card_of_this_table_is_far_off() -> None:
    rng = np.random.default_rng(4)
    true = lying(rng, 10, 1.8, 6)
    spread = [np.full(4, 0.006, np.float32) for _ in true]
    plane = learn_plane(true, spread, SIZE)
    square = np.array([[500, 300], [600, 300], [600, 400], [500, 400]], np.float32)
    assert hold_to(plane, square, spread[0])[1] > 3
    assert all(hold_to(plane, one, spread[0])[1] < 1 for one in true)


def test_corners_outside_the_picture_are_allowed() -> None:
    camera = camera_matrix(SIZE, HIGH_PX, 20, 0, 0)
    places = ((0, 0), (200, 90), (-220, -80), (90, -160), (-90, 150))
    inside = [project(camera, place_card((x, y), x)) for x, y in places]
    beyond = project(camera, place_card((640, 0), 0.3))
    assert beyond[:, 0].max() > SIZE[0]
    spread = np.full(4, 0.006, np.float32)
    plane = learn_plane(inside, [spread] * len(inside), SIZE)
    corners, _ = hold_to(plane, beyond, spread)
    assert np.abs(corners - beyond).max() < 0.05 * HIGH_PX


def seen_as(
    corners_px: Float32Array, box_px: Float32Array, score: float = 0.9
) -> tuple[float, Float32Array, CloseLook]:
    """A close look that is sure of `corners_px`, at the finder's `box_px`."""
    sides = np.array((0.96, 0.02, 0.02), np.float32)
    return score, box_px, CloseLook(corners_px, np.full(4, 0.008, np.float32), sides)


def quarter(card_px: Float32Array) -> Float32Array:
    """A box (4, 2) half as long and half as broad as a card, at one of its ends: a window in a plaid back, say."""
    return np.asarray(card_px[0] + (card_px - card_px[0]) / 2, np.float32)


def test_parts_of_backs_that_look_like_small_cards_tell_nothing_of_the_plane() -> None:
    """Three piles before each card, and of each pile two parts: there the close look contradicts the finder's box."""
    rng = np.random.default_rng(7)
    cards = lying(rng, 10, 1.8, 6)
    open_cards, piles = cards[:3], cards[3:]
    seen = [seen_as(card, card) for card in open_cards]
    for pile in piles:
        seen += [seen_as(quarter(pile), pile, 0.4), seen_as(quarter(np.roll(pile, 2, axis=0)), pile, 0.4)]
    plane = plane_of(seen, SIZE)
    assert plane is not None
    assert all(hold_to(plane, card, np.full(4, 0.008, np.float32))[1] < 1 for card in open_cards)


def test_too_few_cards_tell_of_no_plane() -> None:
    """A card that is seen twice is one."""
    cards = lying(np.random.default_rng(3), 10, 1.8, 2)
    assert plane_of([seen_as(card, card) for card in (*cards, *cards)], SIZE) is None
