"""What tells which player laid a card, and how much each counts."""

from dataclasses import replace

import pytest

from vision.watching.seats import SeatMeasures, seat_weights

HIS = SeatMeasures(place=1.0, turned=0.99, hand=0.95, slid=0.95)
ANOTHERS = SeatMeasures(place=-1.4, turned=0.1, hand=0.05, slid=-0.9)


def odds(seen: SeatMeasures) -> float:
    return sum(seat_weights().log_odds(seen).values())


@pytest.mark.parametrize("name", ["place", "turned", "hand", "slid"])
def test_each_measure_speaks_for_the_player_whom_it_shows(name: str) -> None:
    log_odds = seat_weights().log_odds
    assert log_odds(HIS)[name] > 0 > log_odds(ANOTHERS)[name]


def test_no_measure_alone_outweighs_the_others_together() -> None:
    """A card that lies before one player, pushed there by another's hand, say."""
    for name in ("place", "turned", "hand", "slid"):
        mixed = replace(HIS, **{name: getattr(ANOTHERS, name)})
        assert odds(mixed) > 0
