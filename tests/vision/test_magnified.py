"""The magnified look finds small cards, and each card once."""

import itertools
import math

import numpy as np
import pytest
from drawn import laid

from vision.arrays import Float32Array, UInt8Array
from vision.lab.rendering.layouts import place_card
from vision.picture import overlap
from vision.reading.belief import box_evidence
from vision.reading.corners import CloseLook, CornerFinder
from vision.reading.finder import Finder, Found, each_card, each_once
from vision.reading.magnified import (
    DOUBT,
    Candidate,
    MagnifyingFinder,
    are_of_one_card,
    best_boxes,
    doubted_score,
    find_shown,
)

CARDS = ("S7", "HR", "T21", "F", "C10", "D3", "T2", "SV", "H5", "T14", "DC", "C1")


def table(card_height: float, size: tuple[int, int]) -> tuple[UInt8Array, list[Float32Array]]:
    """Twelve cards on green in a picture of (width, height) px, and their corners."""
    places = []
    for k in range(len(CARDS)):
        at = (size[0] * (0.14 + 0.24 * (k % 4)), size[1] * (0.2 + 0.3 * (k // 4)))
        places.append(place_card(at, 0.4 * k, (card_height * 0.55, card_height)))
    return laid(*zip(CARDS, places, strict=True), size=size, shadow=0.2), places


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder()


@pytest.fixture(scope="module")
def magnifying(finder: Finder) -> MagnifyingFinder:
    return MagnifyingFinder(finder, CornerFinder())


def found_of(
    places: list[Float32Array], finder: Finder | MagnifyingFinder, picture: UInt8Array, most: float = 0.35
) -> int:
    """How many of the cards at `places` are found; no two boxes have a larger IoU than `most`."""
    found = finder.find(picture, 0.35)
    for one, other in itertools.combinations(found, 2):
        assert overlap(one.corners_px, other.corners_px) <= most, "each card once"
    return sum(any(overlap(box.corners_px, place) > 0.5 for box in found) for place in places)


def test_small_cards_are_found_by_the_magnified_look(finder: Finder, magnifying: MagnifyingFinder) -> None:
    picture, places = table(32, (1280, 720))
    magnified, once = (found_of(places, by, picture) for by in (magnifying, finder))
    assert magnified >= 11
    assert once < magnified, "too small for one look"


def test_large_cards_are_found_once(magnifying: MagnifyingFinder) -> None:
    """Cut by the pieces' edges as they are, and seen in up to four of them."""
    picture, places = table(170, (1280, 720))
    assert found_of(places, magnifying, picture) == 12
    assert len(magnifying.find(picture, 0.35)) == 12


@pytest.mark.parametrize("size", [(1280, 720), (480, 640)])
@pytest.mark.parametrize("share", [0.85, 1.0])
def test_a_card_held_to_the_camera_is_found_once(
    finder: Finder, magnifying: MagnifyingFinder, size: tuple[int, int], share: float
) -> None:
    """It fills most of the picture, or all its height."""
    high = share * min(size[1], size[0] / 0.55)
    place = place_card((size[0] / 2, size[1] / 2), 0.05, (high * 0.55, high))
    picture = laid(("T14", place), size=size)
    for found in (magnifying.find(picture, 0.35), find_shown(finder, picture)):
        assert len(found) == 1 and overlap(found[0].corners_px, place) > 0.7


def test_each_card_of_a_row_is_found_though_two_thirds_of_it_are_covered(
    magnifying: MagnifyingFinder,
) -> None:
    places = [place_card((500 + 38 * k, 300), 0.0, (100, 180)) for k in range(4)]
    picture = laid(*zip(CARDS, places, strict=False), shadow=0.2)
    assert found_of(places, magnifying, picture, most=0.5) == 4


LEFT, ACROSS, RIGHT = (place_card((x, 300), 0.0, (100, 180)) for x in (500, 525, 550))


def proposed(box_px: Float32Array, score: float, seen_px: Float32Array, spread: float) -> Candidate:
    """A box in which the close look sees a card at `seen_px`, its corners off by `spread`."""
    look = CloseLook(seen_px, np.full(4, spread, np.float32), np.array((0.96, 0.02, 0.02), np.float32))
    return Candidate(Found(box_px, True, score), seen_px, box_evidence(score, box_px, look))


def test_of_boxes_on_two_neighbours_and_one_across_them_those_stay_that_fit_a_card() -> None:
    """The one across scores most, and is as near to either card as two boxes of one card are."""
    across = proposed(ACROSS, 0.8, ACROSS, 0.06)
    told = best_boxes([across, proposed(LEFT, 0.6, LEFT, 0.01), proposed(RIGHT, 0.5, RIGHT, 0.01)])
    assert [box.corners_px is card for box, card in zip(told, (LEFT, RIGHT), strict=True)] == [True, True]


@pytest.mark.parametrize(
    ("turn_deg", "score", "cards"),
    [
        pytest.param(5, 0.7, 1, id="along it: a second box"),
        pytest.param(35, 0.7, 2, id="across it: a card thrown on it"),
        pytest.param(35, 0.4, 1, id="across it, but poorly found"),
    ],
)
def test_of_two_boxes_that_nearly_cover_one_another_one_across_is_another_card(
    turn_deg: float, score: float, cards: int
) -> None:
    across = place_card((505, 305), math.radians(turn_deg), (100, 180))
    boxes = [Found(LEFT, True, 0.8), Found(across, True, score)]
    assert overlap(*(box.corners_px for box in boxes)) > 0.5
    assert len(each_card(boxes)) == len(each_once(boxes, are_of_one_card)) == cards


def test_a_box_that_was_dropped_drops_no_other() -> None:
    """The box across falls to the left card's. So the right one has no rival, though it scores less than that box."""
    left, across = proposed(LEFT, 0.9, LEFT, 0.01), proposed(ACROSS, 0.8, LEFT, 0.02)
    told = best_boxes([left, across, proposed(RIGHT, 0.3, RIGHT, 0.03)])
    assert [box.score for box in told] == [0.9, 0.3]


def test_a_card_has_the_best_score_of_its_boxes() -> None:
    """That which fits it best need not be that which the finder is surest of."""
    beside = LEFT + np.float32((12, 0))
    told = best_boxes([proposed(beside, 0.9, LEFT, 0.05), proposed(LEFT, 0.6, LEFT, 0.01)])
    assert [box.score for box in told] == [0.9] and told[0].corners_px is not beside


def test_two_that_nearly_cover_one_another_are_told_apart_by_the_close_looks() -> None:
    under = place_card((520, 300), 0.0, (100, 180))
    apart = place_card((560, 300), 0.0, (100, 180))
    told = best_boxes([proposed(LEFT, 0.9, LEFT, 0.01), proposed(under, 0.4, apart, 0.02)])
    assert len(told) == 2
    assert len(best_boxes([proposed(LEFT, 0.9, LEFT, 0.01), proposed(under, 0.4, LEFT, 0.02)])) == 1


def test_a_picture_no_larger_than_the_finder_s_input_is_looked_at_once(
    finder: Finder, magnifying: MagnifyingFinder
) -> None:
    """And where the close look sees cards, scores are the finder's own."""
    picture, _ = table(70, finder.size)
    once, magnified = finder.find(picture, 0.35), magnifying.find(picture, 0.35)
    assert [box.score for box in magnified] == pytest.approx([box.score for box in once])


def test_doubt_takes_from_a_score_in_proportion_to_its_odds() -> None:
    assert doubted_score(0.7, 0.05) == doubted_score(0.7, DOUBT) == pytest.approx(0.7)
    assert doubted_score(0.5, 4 * DOUBT) == pytest.approx(1 / 5), "odds of 1 to 4 instead of 1 to 1"
    assert doubted_score(0.96, 0.9) > doubted_score(0.5, 0.9) > 0
