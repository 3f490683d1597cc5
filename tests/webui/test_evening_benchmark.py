"""The benchmark of a long evening, on a short one."""

import re
from collections.abc import Callable

import pytest

from webui.cli import main


@pytest.mark.slow
def test_a_card_of_each_game_and_the_history_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "evening", "--hands", "2", "--cards", "1", "--evenings", "1"]) == 0
    said = capsys.readouterr().out
    for game in ("Danish Tarok", "French Tarot"):
        assert re.search(
            rf"^{game}, hand 2 +a card booked in \d+ ms, the page after it in \d+ ms", said, re.M
        )
    assert re.search(r"^history of 1 evenings: first \d+ ms, again \d+ ms", said, re.M)


@pytest.mark.parametrize("option", ["--hands", "--cards", "--evenings"])
def test_nothing_is_measured_on_no_evening(option: str, refused: Callable[..., str]) -> None:
    assert refused("bench", "evening", option, "0") == f"tarok: {option} 0: must be 1 or more"
