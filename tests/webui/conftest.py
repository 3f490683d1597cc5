"""A live table on a real database, its page, and a hand in progress."""

import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from club_server import postgres, postgres_program
from webui_camera import sees_card
from webui_deals import OPENED, SIDES, hand
from webui_page import Page

from tracker.danish.events import EVENTS
from tracker.events import CardPlayed
from tracker.store import EventStore
from vision.decks import Deck, read_picture, sprite_of
from vision.lab.rendering.footage import FilmedPlay, FilmStyle, VideoFile, film
from vision.resources import datasets_dir
from webui.table.live import LiveTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """Anna, Bo and Carl, no hand yet; everything is shown at any time."""
    store = EventStore(tmp_path / "evening.sqlite3", EVENTS)
    live = LiveTable(store)
    live.choose(replace(live.choices, fair_play=False))
    live.open_evening(OPENED, SIDES)
    yield live
    store.close()


@pytest.fixture
def playing(table: LiveTable) -> LiveTable:
    """Six tricks into a hand in which somebody revoked in trick 4 and it shows."""
    for event in hand(3, revoke_in_trick=4)[:19]:
        table.enter(event)
    return table


@pytest.fixture
def seen(table: LiveTable) -> LiveTable:
    """Four plays that the camera saw."""
    for play in hand(3)[1:5]:
        assert isinstance(play, CardPlayed)
        sees_card(table, play)
    return table


@pytest.fixture
def page(table: LiveTable) -> Page:
    """The page of `table`."""
    return Page(table)


@pytest.fixture
def filmed(tmp_path: Path) -> str:
    """A film of the seven of spades, laid on the table."""
    faces = {"S7": sprite_of(read_picture(datasets_dir() / "drawn" / "S7.png"))}
    style = FilmStyle(card_height_px=190, difficulty=0.0, pause_s=1.0, tilt_deg=0.0)
    path = tmp_path / "shown.mp4"
    with VideoFile(path, style.size, style.fps) as file:
        film([FilmedPlay("S", "S7")], Deck("one", faces, ()), file.write, style=style)
    return str(path)


@pytest.fixture(scope="session")
def postgres_folder() -> Iterator[str]:
    """The socket's folder of a real PostgreSQL."""
    if postgres_program("initdb") is None or postgres_program("pg_ctl") is None:
        pytest.skip("no PostgreSQL is installed (Debian: apt-get install postgresql)")
    with postgres() as folder:
        yield folder


@pytest.fixture
def postgres_url(postgres_folder: str) -> str:
    """A new, empty database in PostgreSQL."""
    name = f"club_{secrets.token_hex(6)}"
    psql = postgres_program("psql")
    assert psql is not None
    words = [psql, "-q", "-h", postgres_folder, "-U", "postgres", "-c", f"CREATE DATABASE {name}"]
    subprocess.run(words, check=True, cwd="/")
    return f"postgresql://postgres@/{name}?host={postgres_folder}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database, of each kind that the club knows."""
    pytest.importorskip("sqlalchemy", reason="the club extra is not installed")
    pytest.importorskip("alembic", reason="the club extra is not installed")
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'club.sqlite3'}"
    pytest.importorskip("psycopg", reason="the club extra is not installed")
    return str(request.getfixturevalue("postgres_url"))
