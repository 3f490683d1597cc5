"""Layouts, backs and flat things of the scene renderer are what they say, and differ from draw to draw."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from drawn import drawn_deck

from vision.arrays import Float64Array
from vision.decks import BACK, CARD_MM, Deck
from vision.lab.rendering.backs import BACK_HEIGHT, BACK_WIDTH, invent_back
from vision.lab.rendering.layouts import (
    MOST_CARDS,
    Laid,
    grid,
    laid_across,
    laid_heap,
    laid_pile,
    laid_row,
    scattered,
    table,
)
from vision.lab.rendering.papers import flat_thing
from vision.lab.rendering.tables import draw_floor, draw_standing, draw_top, table_end

REACH_MM = np.array([500.0, 280.0])

Layout = Callable[[np.random.Generator, Deck, Float64Array, tuple[float, float]], Laid]


@pytest.fixture(scope="module")
def deck() -> Deck:
    return drawn_deck()


@pytest.mark.parametrize("layout", [laid_row, laid_heap, grid, scattered, table])
def test_every_card_laid_has_the_size_it_was_given(layout: Layout, deck: Deck) -> None:
    size_mm = (65.0, 105.0)
    counts = set()
    for seed in range(60):
        laid = layout(np.random.default_rng(seed), deck, REACH_MM, size_mm)
        counts.add(len(laid))
        assert len(laid) <= MOST_CARDS
        for card, corners in laid:
            assert card == BACK or card in deck.faces
            assert np.allclose(np.linalg.norm(corners[1] - corners[0]), size_mm[0], atol=0.01)
            assert np.allclose(np.linalg.norm(corners[3] - corners[0]), size_mm[1], atol=0.01)
    assert len(counts) > 3


def test_rows_touch_overlap_and_lie_apart(deck: Deck) -> None:
    """Neighbours' distance, in their own breadth or height: some less than one, some about, some more."""
    steps = []
    for seed in range(80):
        laid = laid_row(np.random.default_rng(seed), deck, REACH_MM, CARD_MM)
        (_, first), (_, second) = laid[:2]
        off = second.mean(0) - first.mean(0)
        across = abs(float(off @ (first[1] - first[0]))) / CARD_MM[0] ** 2
        along = abs(float(off @ (first[3] - first[0]))) / CARD_MM[1] ** 2
        steps.append(max(across, along))
    near = np.array(steps)
    assert (near < 0.8).sum() > 8 and ((near > 0.95) & (near < 1.05)).sum() > 8 and (near > 1.08).sum() > 5


def test_a_pile_is_all_backs_in_one_place() -> None:
    laid = laid_pile(np.random.default_rng(2), REACH_MM, CARD_MM)
    middles = np.array([corners.mean(0) for _, corners in laid])
    assert {card for card, _ in laid} == {BACK} and np.ptp(middles, axis=0).max() < CARD_MM[1]


def test_faces_lie_partly_over_and_under_a_pile(deck: Deck) -> None:
    over = under = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        pile = laid_pile(rng, REACH_MM, CARD_MM)
        laid = laid_across(rng, deck, pile, CARD_MM)
        faces = [card != BACK for card, _ in laid]
        assert len(laid) - sum(faces) == len(pile) and 1 <= sum(faces) <= 3
        under, over = under + faces[0], over + faces[-1]
    assert under > 5 and over > 5


@pytest.mark.parametrize("seed", range(6))
def test_things_stand_where_no_card_lies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    canvas = draw_top(rng, (640, 360))
    before = canvas.copy()
    everywhere = np.array([[-99, -99], [739, -99], [739, 459], [-99, 459]], np.float32)
    for _ in range(12):
        draw_standing(rng, canvas, 60, [everywhere])
    assert (canvas == before).all()
    for _ in range(12):
        draw_standing(rng, canvas, 60, [everywhere + 5000])
    assert (canvas != before).any()


def test_the_floor_lies_outside_the_table_only() -> None:
    canvas, floor = (np.full((200, 300, 3), level, np.uint8) for level in (200, 100))
    outline = np.array([[60, 40], [240, 40], [240, 160], [60, 160]], np.float32)
    draw_floor(np.random.default_rng(1), canvas, floor, outline)
    assert (canvas[60:140, 80:220] == 200).all() and (canvas[:20] <= 100).all()
    ends = [table_end(np.random.default_rng(seed), REACH_MM) for seed in range(20)]
    assert {len(end) for end in ends} == {4, 60}


def test_no_two_backs_are_alike(deck: Deck) -> None:
    rng = np.random.default_rng(3)
    pictures = [np.full((200, 300, 3), level, np.uint8) for level in (40, 160)]
    backs = [invent_back(rng, pictures, list(deck.faces.values())) for _ in range(60)]
    small = np.array([cv2.resize(b[1], (12, 20), interpolation=cv2.INTER_AREA).ravel() for b in backs], int)
    assert backs[0][1].shape == (BACK_HEIGHT, BACK_WIDTH, 4)
    apart = np.abs(small[:, None] - small[None]).mean(2) + 1000 * np.eye(len(small))
    assert (apart.min(1) > 2).mean() > 0.9


def test_flat_things_are_pictures_of_their_own_shape() -> None:
    rng = np.random.default_rng(4)
    for _ in range(150):
        art, (width, height) = flat_thing(rng)
        assert art.dtype == np.uint8 and art.shape[2] == 3
        assert art.shape[1] / art.shape[0] == pytest.approx(width / height, rel=0.12)
        assert not (0.9 < width / CARD_MM[0] < 1.1 and 0.9 < height / CARD_MM[1] < 1.1), "no card's size"
