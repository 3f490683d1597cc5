"""`tarok bench start` as a person types it; that the program starts is tried by `.ci/run`."""

import sys

import pytest

from webui.cli import main


def test_a_program_that_serves_no_page_is_said_and_not_timed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "start", "--program", sys.executable]) == 2
    assert "it did not serve a page" in capsys.readouterr().err
    assert main(["bench", "start", "--program", "/no/such/tarok"]) == 2
    assert "/no/such/tarok: No such file" in capsys.readouterr().err
