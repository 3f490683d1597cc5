"""`tarok demo --rules`: a session of a game without a recording is entered by hand."""

import json
import threading
from pathlib import Path

import pytest
from webui_page import Page
from webui_table import open_table

from tracker.events import SessionOpened
from tracker.games import read_session
from vision.resources import datasets_dir
from webui.app import create_app
from webui.cli import main
from webui.commands.demo import BY_HAND, enter_all


@pytest.mark.parametrize("rules", BY_HAND)
def test_the_session_is_entered_whole_and_said_to_be_entered_by_hand(
    rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["demo", "--rules", rules, "--speed", "0", "--once", "--port", "0", "--no-browser"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    balances = read_session((datasets_dir() / "demo" / f"{rules}.json").read_bytes())[1].session().balances
    assert "no recording" in said and "Ctrl+C stops it." in said
    for name, chips in balances.items():
        assert f"{name:>8} {chips:+5d}" in said


def test_an_evening_that_is_kept_goes_on_and_takes_in_no_other_demo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("demo", "--data", str(tmp_path), "--speed", "0", "--once", "--port", "0", "--no-browser")
    for _ in range(2):
        assert main([*words, "--rules", "french-tarot"]) == 0
        assert "cannot" not in capsys.readouterr().out
    for other in ((), ("--rules", "american-tarock")):
        assert main([*words, *other]) == 2
        said = "keeps an evening of another demo; choose another folder"
        assert capsys.readouterr().err == f"tarok: --data {tmp_path}: {said}\n"


@pytest.mark.parametrize("rules", BY_HAND)
def test_the_table_is_then_as_the_file_has_it(rules: str, tmp_path: Path) -> None:
    data = (datasets_dir() / "demo" / f"{rules}.json").read_bytes()
    opened, *events = read_session(data)[1].events
    assert isinstance(opened, SessionOpened)
    table = open_table(tmp_path, opened)
    enter_all(table, events[:9], 0.0, threading.Event(), threading.Event())
    page = Page(table, app=create_app(table, demo="by hand"))
    assert "Demo without a camera" in page.text("/")
    for ending in ("/host/end", "/host/ended"):
        assert "is kept" not in page.text(ending) and "is kept" in Page(table).text(ending)
    ended = threading.Event()
    enter_all(table, events[len(table.recorded) - 1 :], 0.0, threading.Event(), ended)
    assert ended.is_set()
    assert table.sight.file() == json.loads(data)
    assert not table.session.alerts
