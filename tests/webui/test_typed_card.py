"""Cards are typed in Danish or English letters; a rank alone belongs to the suit led."""

import pytest

from tracker.cards import CARDS
from webui.pages.typed_card import typed_card

TYPED = {
    "t12": "T12", "12": "T12", "T 21": "T21", "hd": "HD", "hq": "HD", "rk": "DR", "dk": "DR", "kd": "CD", "cq": "CD",
    "kk": "CR", "s10": "S10", "♥7": "H7", "ruder": None, "f": "F", "skus": "F", "pagat": "T1", "m": "T21", "hkn": "HV",
    "s11": None, "t22": None, "x9": None, "": None, "7": None, "d": None, "k" * 500: None,
}  # fmt: skip
TO_HEARTS = {
    "7": "H7",
    "d": "HD",
    "k": "HR",
    "kn": "HV",
    "ka": "HC",
    "konge": "HR",
    "11": "T11",
    "s7": "S7",
    "10": "H10",
}


@pytest.mark.parametrize(("words", "card"), TYPED.items())
def test_a_card_is_typed(words, card):
    assert typed_card(words, None) == (None if card is None else (card, None))


@pytest.mark.parametrize(("words", "card"), TO_HEARTS.items())
def test_a_rank_alone_belongs_to_the_suit_led(words, card):
    assert typed_card(words, "H") == (card, None)


def test_a_fool_that_is_led_is_typed_with_its_name():
    assert [typed_card(words, None) for words in ("fh", "fk", "ft")] == [("F", "H"), ("F", "C"), ("F", "T")]


def test_every_card_can_be_typed_by_its_own_name():
    assert {typed_card(card.lower(), None) for card in CARDS} == {(card, None) for card in CARDS}
