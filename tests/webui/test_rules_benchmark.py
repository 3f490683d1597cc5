"""`tarok bench rules` as a person types it."""

from collections.abc import Callable

import pytest

from webui.cli import main


def test_a_few_hands_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rules", "--hands", "2", "--positions", "1"]) == 0
    figures = capsys.readouterr().out
    assert "hands replayed and judged per second of CPU" in figures
    assert "Tarot of 1659: hands per second of CPU" in figures


@pytest.mark.parametrize("option", ["--hands", "--positions"])
@pytest.mark.parametrize("number", ["0", "-5"])
def test_nothing_is_measured_on_nothing(option: str, number: str, refused: Callable[..., str]) -> None:
    assert refused("bench", "rules", option, number) == f"tarok: {option} {number}: must be 1 or more"
