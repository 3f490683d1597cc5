"""Numbers of the watching are found, moved by a third and put back."""

import pytest

from vision.watching import joint_readings, names, plays
from webui.bench.sensitivity import moved, moved_to, numbers_of


def test_the_numbers_that_a_module_names_itself_are_found() -> None:
    assert {"OUT_OF_TURN", "MOST_READINGS"} <= numbers_of(joint_readings).keys()
    assert "NEXT_CARD_S" in numbers_of(plays), "also of two on one line"
    assert "SURE" not in numbers_of(plays), "that is a number of sightings"


@pytest.mark.parametrize(
    ("value", "factor", "expected"),
    [
        pytest.param(3.0, 4 / 3, 4.0, id="a length or a time"),
        pytest.param(0.5, 2.0, 2 / 3, id="a share, by its odds"),
        pytest.param(24, 2 / 3, 16, id="a whole number"),
        pytest.param(1, 4 / 3, 2, id="a small one"),
        pytest.param(1, 2 / 3, 0, id="a small one, down"),
    ],
)
def test_a_number_is_moved(value: float, factor: float, expected: float) -> None:
    assert moved(value, factor) == pytest.approx(expected)


def test_a_number_is_moved_where_it_is_used_and_put_back() -> None:
    before = names.TWICE
    with pytest.raises(ZeroDivisionError), moved_to("TWICE", before, 0.5):
        assert names.TWICE == 0.5
        raise ZeroDivisionError
    assert before == names.TWICE
