"""Who owes whom: everybody ends at 0, with the fewest transfers that can be."""

import random
from itertools import combinations

import pytest

from tracker.owing import MOST_EXACT, Transfer, transfers, worth_of_points

CASES = {
    "nobody owes anything": ({"Anna": 0, "Bo": 0}, []),
    "nobody played": ({}, []),
    "one pays two": ({"Anna": -30, "Bo": 10, "Carl": 20}, [("Anna", "Carl", 20), ("Anna", "Bo", 10)]),
    "two pairs": (
        {"Anna": -40, "Bo": 25, "Carl": -25, "Dora": 40},
        [("Anna", "Dora", 40), ("Carl", "Bo", 25)],
    ),
    # From the largest debtor to the largest creditor would be four: Anna owes 50, but not to Dora.
    "the largest does not pay the largest": (
        {"Anna": -50, "Bo": 30, "Carl": 20, "Dora": 40, "Eva": -40},
        [("Eva", "Dora", 40), ("Anna", "Bo", 30), ("Anna", "Carl", 20)],
    ),
}


@pytest.mark.parametrize(("chips", "expected"), CASES.values(), ids=CASES)
def test_who_owes_whom(chips: dict[str, int], expected: list[tuple[str, str, int]]) -> None:
    assert transfers(chips) == [Transfer(*one) for one in expected]


@pytest.mark.parametrize("people", [4, 7, MOST_EXACT + 2])
def test_who_owes_whom_is_the_same_whoever_is_named_first(people: int) -> None:
    rng = random.Random(people)
    for _ in range(100):
        chips = drawn(rng, people)
        mixed = list(chips.items())
        rng.shuffle(mixed)
        assert transfers(dict(mixed)) == transfers(chips)
        assert worth_of_points(dict(mixed), 25) == worth_of_points(chips, 25)


def test_chips_that_do_not_sum_to_0_are_refused() -> None:
    with pytest.raises(ValueError, match="sum to 5"):
        transfers({"Anna": 10, "Bo": -5})


def drawn(rng: random.Random, people: int) -> dict[str, int]:
    amounts = [5 * rng.randint(-6, 6) for _ in range(people - 1)]
    return {f"player {place}": amount for place, amount in enumerate([*amounts, -sum(amounts)])}


def after(chips: dict[str, int], paid: list[Transfer]) -> dict[str, int]:
    left = dict(chips)
    for transfer in paid:
        assert transfer.amount > 0
        left[transfer.source] += transfer.amount
        left[transfer.target] -= transfer.amount
    return left


def fewest(amounts: tuple[int, ...]) -> int:
    """The fewest transfers, by the definition: split off any group that sums to 0, in every way."""
    others = range(1, len(amounts))
    if not amounts:
        return 0
    best = len(amounts) - 1
    for count in range(len(others)):
        for group in combinations(others, count):
            if amounts[0] + sum(amounts[place] for place in group) == 0:
                rest = tuple(amounts[place] for place in others if place not in group)
                best = min(best, count + fewest(rest))
    return best


@pytest.mark.parametrize("people", range(1, 9))
def test_up_to_eight_people_get_the_fewest_transfers(people: int) -> None:
    rng = random.Random(people)
    for _ in range(25):
        chips = drawn(rng, people)
        paid = transfers(chips)
        assert not any(after(chips, paid).values())
        assert len(paid) == fewest(tuple(amount for amount in chips.values() if amount)), chips


@pytest.mark.parametrize("people", [MOST_EXACT, MOST_EXACT + 1, 40])
def test_any_number_of_people_ends_at_0_with_at_most_one_transfer_fewer_than_they_are(people: int) -> None:
    chips = drawn(random.Random(people), people)
    paid = transfers(chips)
    assert not any(after(chips, paid).values()) and len(paid) < people


@pytest.mark.parametrize(
    ("points", "worth", "expected"),
    [
        ({"Anna": 30, "Bo": -10, "Carl": -20}, 25, {"Anna": 750, "Bo": -250, "Carl": -500}),
        ({"Anna": 70, "Bo": 10}, 10, {"Anna": 300, "Bo": -300}),
        ({"Anna": 1, "Bo": 0, "Carl": 0}, 100, {"Anna": 67, "Bo": -33, "Carl": -34}),
        ({"Anna": 5, "Bo": 5}, 0, {"Anna": 0, "Bo": 0}),
        ({}, 10, {}),
    ],
)
def test_points_are_worth_what_they_are_above_the_average(points, worth, expected) -> None:
    assert worth_of_points(points, worth) == expected
