"""A card is one tap, a declaration three, a card of three tricks ago four: counted in a browser by `taps.py`."""

from collections.abc import Iterator

import pytest

pytest.importorskip("selenium.webdriver")
from taps import DEALS, LIMITS, correction, declaration, tapped_wrong, whole_hand
from webui_states import Table, served_table

CARDS = 5
MOST_CARDS = 76


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with served_table() as table:
        yield table


@pytest.mark.parametrize("game", DEALS)
def test_a_hand_begins_with_few_taps_and_a_card_is_one(browser, table, game):
    finger = whole_hand(browser, table, game, CARDS)
    assert CARDS <= finger.taps["cards"] <= CARDS + 1  # the sheet is opened once, or opens by itself
    rest = finger.taps.total() - CARDS
    assert rest + MOST_CARDS <= LIMITS["a whole hand"] and not finger.swipes


@pytest.mark.parametrize("game", DEALS)
def test_a_card_of_three_tricks_ago_is_put_right_without_a_swipe(browser, table, game):
    finger = correction(browser, table, game)
    assert finger.taps.total() <= LIMITS["a card of three tricks ago"] and not finger.swipes


def test_a_card_tapped_wrong_is_taken_back_on_the_sheet_and_a_declaration_is_three_taps(browser, table):
    for what, finger in (
        ("a card tapped wrong", tapped_wrong(browser, table, "danish")),
        ("a declaration", declaration(browser, table)),
    ):
        assert finger.taps.total() <= LIMITS[what] and not finger.swipes
