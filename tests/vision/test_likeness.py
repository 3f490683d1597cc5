"""How alike two cards look, and what follows: what looks and reads like another card is a back, as of a pile."""

import numpy as np
import pytest
from drawn import laid
from readings import Guesses

from vision.arrays import Float32Array, UInt8Array
from vision.decks import Sprite
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.props import draw_back
from vision.picture import rectify
from vision.reading.finder import Found
from vision.watching.likeness import BACK_PX, likeness, likeness_apart, likeness_in_view, softened
from vision.watching.tracking import SightingTracker


def back(seed: int) -> Sprite:
    return draw_back(np.random.default_rng(seed))


def seen(frame: UInt8Array, corners_px: Float32Array) -> Float32Array:
    return softened(rectify(frame, corners_px, BACK_PX))


@pytest.mark.parametrize("askew", [-0.5, 0.3, 0.9, np.pi])
def test_two_cards_of_a_pile_are_alike_where_both_are_in_view_and_two_faces_are_not(askew: float) -> None:
    below, above = place_card((400, 300), 0.2, (82, 150)), place_card((440, 340), 0.2 + askew, (82, 150))
    pile, faces = laid((back(9), below), (back(9), above)), laid(("T7", below), ("HR", above))
    assert likeness_in_view(seen(pile, below), below, seen(pile, above), above) > 0.75
    assert likeness_in_view(seen(pile, above), above, seen(pile, below), below) > 0.75
    assert likeness_in_view(seen(faces, below), below, seen(faces, above), above) < 0.6


def test_what_hardly_shows_under_another_card_is_not_compared() -> None:
    below, above = place_card((400, 300), 0.2, (82, 150)), place_card((404, 303), 0.25, (82, 150))
    pile = laid((back(9), below), (back(9), above))
    assert likeness_in_view(seen(pile, below), below, seen(pile, above), above) == -1


def test_cards_apart_are_alike_in_any_light_and_either_way_up() -> None:
    places = [
        place_card((200 + 250 * k, 300), turn, (82, 150)) for k, turn in enumerate((0.2, 1.2, 0.4, 3.5))
    ]
    frame = laid(*zip((back(9), "T7", "HR", back(9)), places, strict=True))
    frame[:, 800:] //= 2
    alike = likeness_apart([seen(frame, px) for px in places])
    assert alike[0, 3] > 0.8
    assert max(alike[0, 1], alike[0, 2], alike[1, 2]) < 0.6
    shown = [rectify(frame, px, BACK_PX) for px in places]
    assert likeness(shown[0], shown[3]) == pytest.approx(float(alike[0, 3]), abs=0.1)


def sides_of_two(second: str | Sprite, **chances: float) -> list[bool]:
    """Whether each of two cards is taken for a face: one with numerals on its back, and a second, read alike."""
    places = [place_card((300, 300), 0.2, (82, 150)), place_card((700, 350), 1.2, (82, 150))]
    frame = laid((back(9), places[0]), (second, places[1]))
    tracker = SightingTracker(Guesses(**chances))
    for step in range(8):
        tracker.update(frame, [Found(px, True, 0.8) for px in places], step / 10)
    return [sighting.face for sighting in tracker.sightings]


@pytest.mark.parametrize("chance", [0.5, 0.97])
def test_two_that_look_and_read_alike_are_no_faces_however_surely_they_are_read(chance: float) -> None:
    assert sides_of_two(back(9), T11=chance) == [False, False]
    assert sides_of_two("T11", T11=chance) == [True, True]


def test_a_card_that_is_moved_is_not_taken_for_its_own_twin() -> None:
    """While the track of where it lay is remembered, the same card comes to rest elsewhere."""
    tracker = SightingTracker(Guesses(T11=0.9))
    for step in range(20):
        corners_px = place_card((300, 300) if step < 8 else (900, 350), 0.2, (82, 150))
        tracker.update(laid(("T11", corners_px)), [Found(corners_px, True, 0.8)], step / 20)
    assert len(tracker.sightings) == 2
    assert [s.twin for s in tracker.sightings if s.found] == [0.0]
    assert [s.face for s in tracker.sightings if s.found] == [True]
