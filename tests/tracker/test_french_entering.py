"""What may be said next in a deal of French Tarot, and how it is said."""

import pytest
from french_table import deal_of

from tracker.french.entering import allowed_calls, takes_the_dog
from tracker.french.pack import CALLABLE
from tracker.french.words import WORDS


@pytest.mark.parametrize(
    ("text", "players", "called"),
    [
        ("bid Erik pass", 5, ()),  # there is no contract yet
        ("contract garde Anna", 5, CALLABLE),
        ("contract garde Anna", 4, ()),  # four play without a partner
    ],
)
def test_a_card_is_called_by_five_once_the_contract_is_known(text: str, players: int, called: object) -> None:
    assert allowed_calls(deal_of(text, players=players)) == called


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("contract prise Anna", True),
        ("contract garde Anna", True),
        ("contract garde_sans Anna", False),
        ("bid Anna pass", False),
    ],
)
def test_the_dog_is_taken_in_prise_and_garde_alone(text: str, taken: bool) -> None:
    assert takes_the_dog(deal_of(text)) is taken


def test_a_contract_is_said_by_its_name() -> None:
    assert (
        WORDS.said("contract", "garde_sans", "en") == WORDS.contract_name("garde_sans", "en") != "garde_sans"
    )
