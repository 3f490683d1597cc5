"""What the boxes of one picture are, decided together."""

from collections.abc import Mapping

import numpy as np
import pytest
from plain_table import votes

from tracker.cards import CARDS
from vision.arrays import Float32Array, Float64Array
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, project
from vision.picture import NOT_A_CARD, overlap
from vision.reading.corners import CloseLook
from vision.reading.plane import learn_plane
from vision.watching.decision import (
    IS_BACK,
    IS_FACE,
    IS_NONE,
    IS_SECOND,
    Decided,
    decide,
    is_second_box,
    sides_together,
)
from vision.watching.names import names_apart
from vision.watching.sightings import Sighting
from vision.watching.table_plane import off_plane

SIZE = (1280, 720)
CAMERA = camera_matrix(SIZE, 120.0, 15, 40, 0)
SEEN_FACE, SEEN_BACK, SEEN_NOTHING = (0.98, 0.01, 0.01), (0.03, 0.87, 0.1), (0.03, 0.25, 0.72)
LOOKS = 12


def lying(
    at_mm: tuple[float, float],
    score: float,
    sides: tuple[float, float, float],
    read: Mapping[str, float],
    size: float = 1.0,
) -> Sighting:
    """A thing at rest, found with a score (a back's below 0), as the close look and the identifier take it."""
    corners_px = project(CAMERA, place_card(at_mm, 0.1, (61 * size, 112 * size)))
    spread = np.full(4, 0.008 if sides is not SEEN_NOTHING else 0.05, np.float32)
    return Sighting(
        1, corners_px, 4.0 if score > 0 else -4.0, 0.0, 0.0, 0.0, best_score=abs(score), looks=LOOKS,
        log_votes=LOOKS * votes(**read), close=CloseLook(corners_px, spread, np.float32(sides)),
    )  # fmt: skip


def face(at_mm: tuple[float, float], score: float, **read: float) -> Sighting:
    return lying(at_mm, score, SEEN_FACE, read)


def decided(*sightings: Sighting) -> list[Decided]:
    """Of the `sightings`, on a table on which five open cards lie beside."""
    beside = [project(CAMERA, place_card((90.0 * k - 200, -140), 0.1)) for k in range(5)]
    plane = learn_plane(beside, [np.full(4, 0.006, np.float32)] * 5, SIZE)
    for sighting in sightings:
        sighting.off = off_plane(sighting.found_px, plane)
    return decide(sightings)


def test_of_an_overlapping_pair_with_two_names_both_are_cards() -> None:
    upper, lower = face((0, 0), 0.9, S7=0.99), face((0, 30), 0.6, H4=0.9)
    assert overlap(upper.corners_px, lower.corners_px) > 0.5
    for told in decided(upper, lower):
        assert told.face > 0.9
        assert not told.is_second


@pytest.mark.parametrize("down_mm", [3, 15, 25])
def test_of_two_boxes_that_read_as_one_card_one_is_a_second_box(down_mm: float) -> None:
    card, other = decided(face((0, 0), 0.9, S7=0.99), face((0, down_mm), 0.5, S7=0.9))
    assert not card.is_second
    assert other.is_second


def test_an_open_back_that_is_found_as_a_face_is_a_back() -> None:
    (told,) = decided(lying((0, 0), 0.7, SEEN_BACK, {NOT_A_CARD: 0.99}))
    assert told.back > 0.5 > told.face


def test_a_strip_of_tape_is_no_card() -> None:
    """It is found as a back, and better than some backs are; but no card of this table is as small."""
    card, tape = decided(
        lying((0, 0), -0.7, SEEN_BACK, {NOT_A_CARD: 0.99}),
        lying((200, 0), -0.7, SEEN_NOTHING, {NOT_A_CARD: 0.9}, size=0.6),
    )
    assert card.back > 0.5
    assert tape.none > 0.5


def test_a_box_that_is_no_card_takes_no_other_with_it() -> None:
    none, card = [0.05, 0.05, 0.9], [0.5, 0.3, 0.2]
    told = sides_together(np.array([none, card]), {(0, 1): 5.0})
    assert told[0, IS_NONE] > 0.5
    assert told[1, IS_FACE] > told[1, IS_SECOND]


def test_a_second_box_is_one_on_the_card_that_was_found_more_clearly() -> None:
    told = sides_together(np.array([[0.9, 0.05, 0.05], [0.98, 0.01, 0.01]]), {(0, 1): 4.0})
    assert told[0].argmax() == IS_FACE
    assert told[1].argmax() == IS_SECOND


def test_a_box_beside_a_clearer_one_is_its_second_though_a_hand_lies_on_that() -> None:
    under_a_hand, beside = lying((0, 0), 0.9, SEEN_FACE, {NOT_A_CARD: 0.95}), face((5, 9), 0.6, F=0.999)
    assert overlap(under_a_hand.corners_px, beside.corners_px) > 0.7
    assert is_second_box(beside, [under_a_hand])


def test_what_lies_apart_is_what_it_is_by_itself() -> None:
    apart = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]])
    assert sides_together(apart, {}) == pytest.approx(np.column_stack([apart, [0, 0]]))


def test_a_card_between_two_is_a_card_of_its_own_where_it_is_neither_s_second() -> None:
    apart = np.array([[0.9, 0.05, 0.05]] * 3)
    told = sides_together(apart, {(0, 1): -3.0, (1, 2): -3.0})
    assert (told[:, IS_BACK] < told[:, IS_FACE]).all()
    assert (told.argmax(1) == IS_FACE).all()


def odds(**read: float) -> Float32Array:
    row = np.full(len(CARDS), 1e-4, np.float32)
    for name, chance in read.items():
        row[CARDS.index(name)] = chance
    return row


def names(*rows: Float32Array) -> list[dict[str, float]]:
    told: Float64Array = names_apart(np.array(rows, np.float64), np.full(len(rows), 0.99))
    return [{card: float(p) for card, p in zip(CARDS, row, strict=True)} for row in told]


def test_of_two_cards_read_alike_the_surer_keeps_its_name_and_the_other_has_its_next() -> None:
    surer, other = names(odds(D5=0.99), odds(D5=0.8, D6=0.15))
    assert surer["D5"] > 0.95
    assert other["D6"] > 0.7 > other["D5"]


def test_two_that_are_surely_read_alike_are_in_doubt() -> None:
    """One of them is misread, and nothing tells which."""
    for told in names(odds(D5=0.98, D6=0.01), odds(D5=0.98, D7=0.01)):
        assert max(told.values()) < 0.95


def test_names_that_nobody_doubts_settle_a_chain_of_doubts() -> None:
    """Of three one is surely T13, so the next is T9, so the last is T8."""
    last = names(odds(T13=0.99), odds(T13=0.5, T9=0.5), odds(T9=0.5, T8=0.5))[-1]
    assert last["T8"] > 0.9


def test_what_is_no_card_takes_no_name() -> None:
    rows = np.array([odds(D5=0.99), odds(D5=0.7, D6=0.3)], np.float64)
    told = names_apart(rows, np.array([0.01, 0.99]))
    assert CARDS[int(told[1].argmax())] == "D5"
