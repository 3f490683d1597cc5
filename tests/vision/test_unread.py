"""A deck that cannot be read is told within its first two tricks; one that can be read is not."""

import pytest

from vision.watching.unread import DeckMeter

READ, DOUBT = False, True


@pytest.mark.parametrize(
    ("plays", "unread"),
    [
        pytest.param([DOUBT, DOUBT, DOUBT], True, id="none of a trick's cards is read"),
        pytest.param([READ, DOUBT, READ, DOUBT, READ, DOUBT], True, id="every other card of two tricks"),
        pytest.param([READ, READ, READ, DOUBT, DOUBT, DOUBT], True, id="one trick is read, and then none"),
        pytest.param([DOUBT, READ, READ, DOUBT, READ, READ], False, id="a doubt a trick"),
        pytest.param([READ] * 30 + [DOUBT, DOUBT], False, id="two doubts in a long hand"),
        pytest.param([DOUBT] * 6 + [READ] * 5, False, id="another deck is read after it"),
    ],
)
def test_a_deck_is_told_to_be_unread_by_the_doubts_of_its_plays(plays: list[bool], unread: bool) -> None:
    meter = DeckMeter()
    for doubted in plays:
        meter.take(doubted)
    assert meter.is_unread is unread


def test_a_card_that_is_shown_counts_once_however_long_it_lies() -> None:
    meter = DeckMeter()
    for _ in range(20):
        meter.take_once(1, doubted=True)
    assert not meter.is_unread
