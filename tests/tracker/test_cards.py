"""The names of the 78 cards."""

import pytest

from tracker.cards import CARDS, suit_of


@pytest.mark.parametrize(
    ("card", "suit"), [("S10", "S"), ("HR", "H"), ("T1", "T"), ("T21", "T"), ("F", None)]
)
def test_a_card_says_its_suit_and_the_fool_has_none(card: str, suit: str | None) -> None:
    assert suit_of(card) == suit


def test_there_are_78_cards_from_low_to_high_the_red_pips_turned_round() -> None:
    assert len(set(CARDS)) == len(CARDS) == 78
    assert [card for card in CARDS if card[0] == "S"][::10] == ["S1", "SV"]
    assert [card for card in CARDS if card[0] == "H"] == [f"H{pip}" for pip in range(10, 0, -1)] + [
        "HV",
        "HC",
        "HD",
        "HR",
    ]
