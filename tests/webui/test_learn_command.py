"""`tarok learn`: hands to learn from, without a table; the evenings' database stays as it is."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from webui_deals import OPENED, hand
from webui_serving import command

from tracker.danish.session import DanishSession
from tracker.events import SessionClosed
from tracker.session_file import export
from tracker.store import EventStore
from webui.app import create_app
from webui.app_parts import app_parts
from webui.cli import main
from webui.table.live import LiveTable


def learnt_from(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What the page /learn of `tarok learn` with these `words` says, in English; it is asked instead of served."""
    said = []

    def asked(app: Flask, *_: object, **__: object) -> None:
        said.append(app.test_client().get("/learn?lang=en").get_data(as_text=True))

    monkeypatch.setattr("webui.serving.server.serve", asked)
    assert main(["learn", "--no-browser", *words]) == 0
    return said[0]


@pytest.fixture
def evenings(tmp_path: Path) -> Path:
    """A whole evening of a hand, and one in whose second hand three tricks are played."""
    path = tmp_path / "evening.sqlite3"
    store = EventStore(path)
    store.import_session([OPENED, *hand(3), SessionClosed()], 1_790_000_000.0)
    number = store.open_session(OPENED)
    assert number == 2
    for event in [*hand(4), *hand(5, "Bo")[:10]]:
        store.append(event)
    store.close()
    return path


@pytest.mark.slow
def test_the_program_begins_with_the_lessons_and_ends_when_it_is_told_to(evenings: Path) -> None:
    program = subprocess.Popen(
        command("learn", "--no-browser", "--port", "0", "--db", evenings),
        stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        address = next(found[0] for line in program.stdout if (found := re.search(r"http://\S+/", line)))
        with urllib.request.urlopen(f"{address}?lang=en") as answer:
            assert answer.url.endswith("/learn") and "New evening" not in answer.read().decode()
        with urllib.request.urlopen(f"{address}history/1/hands/1/review?after=3&lang=en") as answer:
            assert "after play 3 of 75" in answer.read().decode()
    finally:
        program.send_signal(signal.SIGTERM)  # a program started in the background may have Ctrl+C ignored
        assert program.wait(timeout=60) == 143


def test_all_evenings_but_not_the_hand_that_is_played(
    evenings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = learnt_from(monkeypatch, "--db", str(evenings))
    hands = re.findall(r'href="(/history/\d+/hands/\d+)/drill', said)
    assert hands == ["/history/2/hands/1", "/history/1/hands/1"]


def test_one_evening(evenings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = evenings.read_bytes()
    said = learnt_from(monkeypatch, "1", "--db", str(evenings))
    assert len(re.findall(r"/hands/\d+/drill", said)) == 1
    assert evenings.read_bytes() == before


def damage(path: Path, evening: int) -> None:
    """What a disk does to an evening."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE events SET data = '{' WHERE session = ? AND seq = 3", (evening,))


def test_a_damaged_evening_is_named_and_the_others_are_learnt_from(
    evenings: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    refused: Callable[..., str],
) -> None:
    damage(evenings, 1)
    said = learnt_from(monkeypatch, "--db", str(evenings))
    assert len(re.findall(r"/hands/\d+/drill", said)) == 1
    assert f"{evenings}: evening 1 is damaged" in capfd.readouterr().out
    assert "evening 1 is damaged" in refused("learn", "--no-browser", "1", "--db", str(evenings))
    damage(evenings, 2)
    assert "no evening can be read" in refused("learn", "--no-browser", "--db", str(evenings))


def test_a_session_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "club.json"
    file.write_text(json.dumps(export([OPENED, *hand(3), *hand(4, "Bo"), SessionClosed()], DanishSession)))
    assert len(re.findall(r"/hands/\d+/drill", learnt_from(monkeypatch, str(file)))) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.json"], "nothing.json: No such file"),
        (["7", "--db", "{db}"], "there is no evening 7"),
        (["--db", "{folder}/none.sqlite3"], "there is no evening yet"),
        (["{folder}"], "Is a directory"),
        (["{bad}"], "bad.json"),
    ],
)
def test_what_cannot_be_learnt_from_is_said_in_one_line(
    evenings: Path, arguments: list[str], said: str, refused: Callable[..., str]
) -> None:
    bad = evenings.parent / "bad.json"
    bad.write_text("{}")
    places = {"db": evenings, "folder": evenings.parent, "bad": bad}
    assert said in refused(
        "learn", "--no-browser", "--port", "0", *(one.format(**places) for one in arguments)
    )


def test_the_link_that_the_program_opens_leads_to_the_lessons_and_not_to_the_set_up(empty: LiveTable) -> None:
    app = create_app(empty, learning=True)
    link = f"/laptop/{app_parts(app).phones.new_host_link()}"
    answer = app.test_client().get(link, follow_redirects=True)
    assert answer.request.path == "/learn"
    assert "/setup" not in answer.get_data(as_text=True)
