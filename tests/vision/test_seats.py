"""What tells which player laid a card, and how much each counts."""

from dataclasses import replace
from pathlib import Path

import pytest

from vision.errors import VisionError
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


@pytest.mark.parametrize("text", ["", "{}", '{"turned": {"edges": [1], "logs": [0]}}', "[]"])
def test_a_table_of_seats_that_cannot_be_used_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "seats.json"
    path.write_text(text)
    with pytest.raises(VisionError, match=r"seats\.json"):
        seat_weights(path)


def test_a_table_of_another_shape_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "seats.json"
    one = '{"edges": [1], "logs": [0]}'
    path.write_text(f'{{"turned": {one}, "hand": {one}, "slid": {one}}}')
    with pytest.raises(VisionError, match="shape"):
        seat_weights(path)
