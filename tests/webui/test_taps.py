"""A card is one tap, a declaration three, a card of three tricks ago four: counted in a browser by `taps.py`."""

import pytest
from taps import DEALS, LIMITS, correction, declaration, tapped_wrong, whole_hand

CARDS = 5
MOST_CARDS = 76


@pytest.mark.parametrize("game", DEALS)
def test_a_hand_begins_with_few_taps_and_a_card_is_one(browser, shown, game):
    finger = whole_hand(browser, shown, game, CARDS)
    assert CARDS <= finger.taps["cards"] <= CARDS + 1  # the sheet is opened once, or opens by itself
    rest = finger.taps.total() - CARDS
    assert rest + MOST_CARDS <= LIMITS["a whole hand"] and not finger.swipes


def test_a_short_hand_is_tapped_from_the_deal_with_the_card_for_the_fool_to_the_result(
    browser, shown, monkeypatch
):
    monkeypatch.setitem(DEALS, "tarot1659", ("tarot-1659", (("cards", 3),), 19, None, 4))
    finger = whole_hand(browser, shown, "tarot1659")
    assert finger.taps["the fool's card"]
    assert shown.live.session.balances == {"Anna": -10, "Bo": -10, "Carl": -10, "Dora": 30}


@pytest.mark.parametrize("game", DEALS)
def test_a_card_of_three_tricks_ago_is_put_right_without_a_swipe(browser, shown, game):
    finger = correction(browser, shown, game)
    assert finger.taps.total() <= LIMITS["a card of three tricks ago"] and not finger.swipes


def test_a_card_tapped_wrong_is_taken_back_on_the_sheet_and_a_declaration_is_three_taps(browser, shown):
    for what, finger in (
        ("a card tapped wrong", tapped_wrong(browser, shown, "danish")),
        ("a declaration", declaration(browser, shown)),
    ):
        assert finger.taps.total() <= LIMITS[what] and not finger.swipes
