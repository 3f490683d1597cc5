"""The finder looks when something on the table has changed, and now and then besides."""

import numpy as np
import pytest

from vision.arrays import UInt8Array
from vision.bench.stages import TimedFinder
from vision.decks import read_picture, sprite_of
from vision.reading.finder import Finder, Found
from vision.rendering.layouts import place_card
from vision.rendering.scene import camera_matrix, paste, project
from vision.resources import datasets_dir
from vision.watching.attention import FAINTEST, LOOK_S, Attention
from vision.watching.motion import Light

SIZE = (1280, 720)


@pytest.fixture
def finder() -> TimedFinder:
    return TimedFinder(Finder())


class Watched:
    """A table that an `Attention` watches, with its pictures evened to one light."""

    def __init__(self, finder: TimedFinder):
        self._attention, self._light = Attention(finder), Light()

    def find(self, frame: UInt8Array, time_s: float) -> list[Found]:
        return self._attention.find(frame, self._light.look(frame).gray, time_s)


CLOTH = np.full((SIZE[1], SIZE[0], 3), (60, 110, 40), np.uint8)
NOISE = np.random.default_rng(8).normal(0, 6, CLOTH.shape).astype(np.float32)
CARD = sprite_of(read_picture(datasets_dir() / "drawn" / "T14.png"))


def filmed(picture: UInt8Array, number: int, light: float = 1.0) -> UInt8Array:
    """The picture as a camera gives it in frame `number`: with noise, in this `light`."""
    noise = np.roll(NOISE, 37 * number, axis=(0, 1))
    return np.clip(picture * np.float32(light) + noise, 0, 255).astype(np.uint8)


def laid(x_mm: float) -> UInt8Array:
    picture = CLOTH.copy()
    paste(picture, CARD, project(camera_matrix(SIZE, 150, 5, 0, 0), place_card((x_mm, 90), 0.3)))
    return picture


def test_a_table_at_rest_is_looked_at_now_and_then(finder: TimedFinder) -> None:
    table = Watched(finder)
    for number in range(15):
        table.find(filmed(CLOTH, number, light=1 + 0.06 * (number % 2)), number / 15)
    assert len(finder.spent_s) == round(1 / LOOK_S)


def test_a_card_is_found_in_the_frame_in_which_it_comes(finder: TimedFinder) -> None:
    table, with_card = Watched(finder), laid(150)
    assert not table.find(filmed(CLOTH, 0), 0.0)
    assert [card.face for card in table.find(filmed(with_card, 1), 0.03)] == [True]
    assert not table.find(filmed(CLOTH, 2), 0.06)


def test_a_card_that_creeps_is_followed(finder: TimedFinder) -> None:
    """Each step is too small to be seen from frame to frame; the way since the last look is not."""
    table = Watched(finder)
    for number in range(8):
        frame = filmed(laid(150 + 0.5 * number), number)
        found, there = table.find(frame, 0.03 * number), finder.find(frame, FAINTEST)
        assert np.abs(found[0].corners_px - there[0].corners_px).max() < 0.05 * found[0].height_px
