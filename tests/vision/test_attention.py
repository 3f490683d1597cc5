"""The finder looks when something on the table has changed, and now and then besides; more carefully at rest."""

import cv2
import numpy as np
import pytest
from drawn import laid

from vision.arrays import UInt8Array
from vision.lab.bench.stages import TimedFinder
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, project
from vision.picture import overlap
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder, Found
from vision.reading.magnified import MagnifyingFinder
from vision.watching.attention import FAINTEST, LOOK_S, Attention
from vision.watching.motion import Light

SIZE = (1280, 720)


@pytest.fixture
def finder() -> TimedFinder:
    return TimedFinder(Finder())


class Watched:
    """A table that an `Attention` watches, with its pictures evened to one light."""

    def __init__(self, finder: TimedFinder, magnifying: MagnifyingFinder | None = None):
        self._attention, self._light = Attention(finder, magnifying), Light()

    def find(self, frame: UInt8Array, time_s: float) -> list[Found]:
        return self._attention.find(frame, self._light.small_picture(frame).gray, time_s)


CLOTH = laid()
NOISE = np.random.default_rng(8).normal(0, 6, CLOTH.shape).astype(np.float32)


def filmed(picture: UInt8Array, number: int, light: float = 1.0) -> UInt8Array:
    """The picture as a camera gives it in frame `number`: with noise, in this `light`."""
    noise = np.roll(NOISE, 37 * number, axis=(0, 1))
    return np.clip(picture * np.float32(light) + noise, 0, 255).astype(np.uint8)


def card_at(x_mm: float) -> UInt8Array:
    return laid(("T14", project(camera_matrix(SIZE, 150, 5, 0, 0), place_card((x_mm, 90), 0.3))))


def test_a_table_at_rest_is_looked_at_now_and_then(finder: TimedFinder) -> None:
    table = Watched(finder)
    for number in range(15):
        table.find(filmed(CLOTH, number, light=1 + 0.06 * (number % 2)), number / 15)
    assert len(finder.spent_s) == round(1 / LOOK_S)


def test_a_card_is_found_in_the_frame_in_which_it_comes(finder: TimedFinder) -> None:
    table, with_card = Watched(finder), card_at(150)
    assert not table.find(filmed(CLOTH, 0), 0.0)
    assert [card.face for card in table.find(filmed(with_card, 1), 0.03)] == [True]
    assert not table.find(filmed(CLOTH, 2), 0.06)


def test_a_card_that_creeps_is_followed(finder: TimedFinder) -> None:
    """Each step is too small to be seen from frame to frame; the way since the last look is not."""
    table = Watched(finder)
    for number in range(8):
        frame = filmed(card_at(150 + 0.5 * number), number)
        found, there = table.find(frame, 0.03 * number), finder.find(frame, FAINTEST)
        assert np.abs(found[0].corners_px - there[0].corners_px).max() < 0.05 * found[0].height_px


SMALL = [
    place_card((x, y), 0.4 * k, (17, 32)) for k, (x, y) in enumerate(((180, 140), (640, 560), (1100, 140)))
]
"""Where three cards lie, (4, 2) px, that are too small for the finder in the whole frame."""


@pytest.fixture(scope="module")
def small_cards() -> UInt8Array:
    return laid(*zip(("S7", "T21", "HR"), SMALL, strict=True))


def are_found(cards: list[Found]) -> list[bool]:
    """Whether each of the small cards is among `cards`."""
    return [any(overlap(card.corners_px, at_px) > 0.6 for card in cards) for at_px in SMALL]


def test_what_is_too_small_for_the_whole_frame_is_found_once_nothing_moves(
    finder: TimedFinder, small_cards: UInt8Array
) -> None:
    """One view a frame, so that no frame takes long; then nothing is looked at for a while."""
    table = Watched(finder, MagnifyingFinder(finder, CornerFinder()))
    seen, looks = [], []
    for number in range(8):
        seen.append(are_found(table.find(filmed(small_cards, number), 0.05 * number)))
        looks.append(len(finder.spent_s))
    assert not all(seen[0]) and all(seen[6])
    assert looks == [1, 2, 3, 4, 5, 6, 6, 6]


def test_what_was_found_at_rest_stays_found_while_something_moves_elsewhere(
    finder: TimedFinder, small_cards: UInt8Array
) -> None:
    table = Watched(finder, MagnifyingFinder(finder, CornerFinder()))
    for number in range(6):
        table.find(filmed(small_cards, number), 0.05 * number)
    for number in range(6, 10):
        hand = cv2.circle(small_cards.copy(), (60 * number - 180, 130), 60, (110, 140, 190), -1)
        found = are_found(table.find(filmed(hand, number), 0.05 * number))
        assert found == [number >= 8, True, True], "the first lies under the hand until that has gone by"
