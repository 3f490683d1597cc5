"""Cards are named jointly, since each is there once."""

from itertools import combinations, permutations

import numpy as np
import pytest

from tracker.cards import CARDS
from vision.watching.names import MOST_JOINT, joint_names, ordered_names


def odds(**chances: float) -> np.ndarray:
    return np.array([chances.get(card, 0.0) for card in CARDS])


def chances(row: np.ndarray) -> dict[str, float]:
    return {card: round(float(chance), 3) for card, chance in zip(CARDS, row, strict=True) if chance > 5e-4}


def test_two_cards_that_share_two_names_leave_the_third_its_own() -> None:
    rows = [odds(T13=0.5, T9=0.5), odds(T13=0.5, T9=0.5), odds(T13=0.4, T3=0.6)]
    first, second, third = map(chances, joint_names(rows))
    assert first == second == {"T13": 0.5, "T9": 0.5} and third == {"T3": 1.0}


def test_a_chain_of_doubts_is_settled_by_its_last_card() -> None:
    rows = [odds(T13=0.6, T9=0.4), odds(T9=0.7, T3=0.3), odds(T3=1.0)]
    assert [chances(row) for row in joint_names(rows)] == [{"T13": 1.0}, {"T9": 1.0}, {"T3": 1.0}]


@pytest.mark.parametrize("cards", [1, 2, 4])
def test_the_probabilities_are_those_of_all_ways_to_name_the_cards(cards: int) -> None:
    rng = np.random.default_rng(cards)
    rows = [np.where(np.arange(78) % 13 == 0, rng.random(78), 0.0) for _ in range(cards)]
    expected = np.zeros((cards, 78))
    for names in permutations(range(0, 78, 13), cards):
        weight = np.prod([row[name] for row, name in zip(rows, names, strict=True)])
        expected[np.arange(cards), names] += weight
    expected /= expected.sum(1, keepdims=True)
    np.testing.assert_allclose(joint_names(rows), expected, atol=1e-12)


def test_cards_that_cannot_all_be_named_apart_and_those_beyond_the_most_are_named_by_themselves() -> None:
    alike = [odds(T13=2.0), odds(T13=1.0)]
    assert [chances(row) for row in joint_names(alike)] == [{"T13": 1.0}, {"T13": 1.0}]
    many = [odds(**{card: 1.0}) for card in CARDS[: MOST_JOINT + 2]]
    assert [chances(row) for row in joint_names(many)] == [{card: 1.0} for card in CARDS[: MOST_JOINT + 2]]
    assert joint_names([]) == []


@pytest.mark.parametrize("cards", [1, 2, 4])
def test_in_order_the_probabilities_are_those_of_all_ways_that_rise_or_fall(cards: int) -> None:
    rng = np.random.default_rng(cards)
    rows = [rng.random(7) for _ in range(cards)]
    expected = np.zeros((cards, 7))
    for names in combinations(range(7), cards):
        for way in (names, names[::-1]):
            weight = np.prod([row[name] for row, name in zip(rows, way, strict=True)])
            expected[np.arange(cards), way] += weight
    expected /= expected.sum(1, keepdims=True)
    np.testing.assert_allclose(ordered_names(rows), expected, atol=1e-12)


def test_where_no_order_is_left_each_card_is_named_by_itself() -> None:
    rows = [np.array([1.0, 0.0, 0.0]), np.array([3.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0])]
    np.testing.assert_allclose(ordered_names(rows), [[1, 0, 0], [0.75, 0.25, 0], [0.5, 0.5, 0]])
