"""How the evidence for a card is weighed, and how the weights are fitted."""

import numpy as np
import pytest

from vision.lab.training.belief import logistic_weights
from vision.reading.belief import back_evidence, belief_table, box_evidence, face_evidence
from vision.reading.corners import CloseLook

FACE, BACK, NOTHING = (
    np.float32((0.97, 0.02, 0.01)),
    np.float32((0.02, 0.9, 0.08)),
    np.float32((0.1, 0.1, 0.8)),
)


def test_each_piece_of_evidence_counts_for_what_it_tells() -> None:
    """Whatever it was fitted to: a surer finder, close look or identifier never makes a card less likely."""
    face, back = belief_table().face, belief_table().back
    for surer, less in (
        (face_evidence(0.9, FACE, 0.5, 0.1), face_evidence(0.4, FACE, 0.5, 0.1)),
        (face_evidence(0.4, FACE, 0.5, 0.1), face_evidence(-0.4, FACE, 0.5, 0.1)),
        (face_evidence(0.4, FACE, 0.5, 0.1), face_evidence(0.4, NOTHING, 0.5, 0.1)),
        (face_evidence(0.4, FACE, 0.5, 0.1), face_evidence(0.4, FACE, 0.1, 0.5)),
    ):
        assert face.odds(surer) > face.odds(less)
    assert back.odds(back_evidence(0.9, BACK)) > back.odds(back_evidence(0.3, BACK))
    assert back.odds(back_evidence(0.5, BACK)) > back.odds(back_evidence(0.5, NOTHING))


def test_each_piece_of_evidence_counts_for_a_box() -> None:
    """A surer finder or close look, surer corners, and such as lie in the box and on the table's plane."""
    card = np.array([[0, 0], [60, 0], [60, 110], [0, 110]], np.float32)
    sure, aside = np.full(4, 0.008, np.float32), card + np.float32((15, 20))
    table, exact = belief_table().box, CloseLook(card, sure, FACE)
    best = table.odds(box_evidence(0.9, card, exact, 0.5))
    for less in (
        box_evidence(0.3, card, exact, 0.5),
        box_evidence(0.9, card, CloseLook(card, sure, NOTHING), 0.5),
        box_evidence(0.9, card, CloseLook(card, 6 * sure, FACE), 0.5),
        box_evidence(0.9, aside, exact, 0.5),
        box_evidence(0.9, card, exact, 5.0),
    ):
        assert table.odds(less) < best


def test_a_twin_makes_a_card_less_likely_a_face_and_more_likely_a_back() -> None:
    table = belief_table()
    alone, alike = (table.face.odds(face_evidence(0.7, FACE, 0.5, 0.1, twin=twin)) for twin in (0.3, 0.95))
    assert alone - alike > 2
    assert table.back.odds(back_evidence(0.5, BACK, 0.9)) > table.back.odds(back_evidence(0.5, BACK))


def test_what_is_not_known_counts_as_the_average() -> None:
    face = belief_table().face
    known = face_evidence(0.7, FACE, 0.5, 0.1)
    unknown = face_evidence(0.7, None, 0.5, 0.1)
    assert face.odds(known | {"close": face.means["close"]}) == pytest.approx(face.odds(unknown))


def test_no_evidence_is_ever_without_bounds() -> None:
    face = belief_table().face
    assert np.isfinite(face.odds(face_evidence(1.0, np.float32((1, 0, 0)), 1.0, 0.0)))
    assert np.isfinite(face.odds(face_evidence(-1.0, np.float32((0, 0, 1)), 0.0, 1.0)))


def test_the_weights_that_made_the_odds_are_found_again() -> None:
    rng = np.random.default_rng(0)
    true = np.array([1.5, -0.7, 0.4])
    rows = np.column_stack([rng.normal(size=(20_000, 2)), np.ones(20_000)])
    right = (rng.random(20_000) < 1 / (1 + np.exp(-rows @ true))).astype(np.float64)
    assert logistic_weights(rows, right) == pytest.approx(true, abs=0.06)


def test_what_is_all_right_has_finite_weights() -> None:
    rows = np.column_stack([np.arange(5.0), np.ones(5)])
    assert np.isfinite(logistic_weights(rows, np.ones(5))).all()
