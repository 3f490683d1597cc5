"""A live table on a real database, its page, and a hand in progress."""

import secrets
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import opened_once  # noqa: F401 - before anything that opens a network
import pytest
import webui_compiled  # noqa: F401 - apps share what is compiled
from club_server import ClubServer, postgres, postgres_program
from drawn import film_into
from webui_camera import sees_card
from webui_chromium import CHROMIUM, DRIVER, forget_all, start_chromium
from webui_deals import AT_FOUR, OPENED, hand
from webui_hidden import at_four
from webui_history import with_evenings
from webui_page import Page
from webui_states import Table, served_table
from webui_table import open_table

from tracker.danish.events import Adjusted, Declared, Fined
from tracker.events import HandAbandoned, HandStarted
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay
from webui.table.live import LiveTable

if TYPE_CHECKING:
    from club_table import Club
    from selenium import webdriver
    from webui_serving import Server


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """Anna, Bo and Carl, no hand yet; everything is shown at any time."""
    live = open_table(tmp_path, OPENED, fair_play=False)
    yield live
    live._store.close()


@pytest.fixture
def empty(tmp_path: Path) -> LiveTable:
    """A table at which nobody has played."""
    return open_table(tmp_path)


@pytest.fixture
def playing(table: LiveTable) -> LiveTable:
    """Six tricks into a hand in which somebody revoked in trick 4 and it shows."""
    table.enter(*hand(3, revoke_in_trick=4)[:19])
    return table


@pytest.fixture
def seen(table: LiveTable) -> LiveTable:
    """Four plays that the camera saw."""
    for play in hand(3)[1:5]:
        sees_card(table, play)
    return table


@pytest.fixture
def page(table: LiveTable) -> Page:
    """The page of `table`."""
    return Page(table)


@pytest.fixture
def played(tmp_path: Path) -> LiveTable:
    """Six tricks and a card of the seventh are played, seen by the camera; somebody revoked, and it shows.

    Pots and balances are numbers that stand nowhere else.
    """
    table = open_table(tmp_path, AT_FOUR, HandStarted("Anna"), HandAbandoned())
    table.enter(Adjusted("Anna", "king", 7035, "x"), Adjusted("Bo", "pagat", 8045, "x"))
    table.enter(HandStarted("Anna"), Declared("Bo", ()))
    table.enter(Adjusted("Carl", "king", 9155, "while it is played"))
    table.enter(Fined("Bo", "minor", "a hint"))
    for event in hand(3, revoke_in_trick=4)[1:20]:
        sees_card(table, at_four(event))
    return table


@pytest.fixture
def all_games(empty: LiveTable) -> Page:
    """The page of a table whose history has an evening of each game."""
    return with_evenings(empty)


@pytest.fixture
def filmed(tmp_path: Path) -> str:
    """A film of the seven of spades, laid on the table; of few pictures, since a busy machine is slow to read each."""
    style = FilmStyle(card_height_px=190, difficulty=0.0, pause_s=1.0, tilt_deg=0.0, fps=5)
    film_into(tmp_path / "shown.mp4", [FilmedPlay("S", "S7")], style)
    return str(tmp_path / "shown.mp4")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator["webdriver.Chrome"]:
    """The one browser of all tests."""
    if not (CHROMIUM and DRIVER):
        pytest.skip("no chromium with its driver is installed")
    driver = start_chromium(tmp_path_factory.mktemp("chromium"))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: "webdriver.Chrome") -> Iterator["webdriver.Chrome"]:
    """A browser that was nowhere yet."""
    yield chromium
    forget_all(chromium)


@pytest.fixture
def server(tmp_path: Path, browser: "webdriver.Chrome") -> Iterator["Server"]:
    """A hand in progress, without a camera; everything is shown, and the browser is the host's."""
    from webui_browser import served

    table = open_table(tmp_path, OPENED, *hand(3, revoke_in_trick=4)[:19], fair_play=False)
    with served(tmp_path, table, browser) as server:
        yield server


@pytest.fixture(scope="module")
def shown() -> Iterator[Table]:
    """A table of this process that a browser looks at, in the state it is given."""
    with served_table() as table:
        yield table


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
    return new_database(postgres_folder)


def new_database(folder: str) -> str:
    name = f"club_{secrets.token_hex(6)}"
    psql = postgres_program("psql")
    assert psql is not None
    words = [psql, "-q", "-h", folder, "-U", "postgres", "-c", f"CREATE DATABASE {name}"]
    subprocess.run(words, check=True, cwd="/")
    return f"postgresql://postgres@/{name}?host={folder}"


DATABASES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.slow))
"""The kinds of database that the club knows."""


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database, of each kind that the club knows."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'club.sqlite3'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def club_server(tmp_path: Path) -> Iterator[ClubServer]:
    """A club's server as a process, with an empty database."""
    server = ClubServer(f"sqlite:///{tmp_path / 'club.sqlite3'}")
    yield server
    server.kill()


@pytest.fixture(scope="session")
def sqlite_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with the club's tables, to be copied: to make them takes a second."""
    from webui.club.schema import open_database

    path = tmp_path_factory.mktemp("club") / "club.sqlite3"
    open_database(f"sqlite:///{path}").dispose()
    return path


@pytest.fixture(scope="session")
def postgres_tables(postgres_folder: str) -> str:
    """The address of a database in PostgreSQL with the club's tables, to be emptied after each test."""
    return new_database(postgres_folder)


@pytest.fixture
def small(sqlite_tables: Path, tmp_path: Path) -> Iterator["Club"]:
    """A club on SQLite, for what has nothing to do with the database."""
    from club_table import Club

    copied = shutil.copyfile(sqlite_tables, tmp_path / "club.sqlite3")
    club = Club(f"sqlite:///{copied}")
    yield club
    club.engine.dispose()


@pytest.fixture(params=DATABASES)
def club(request: pytest.FixtureRequest) -> Iterator["Club"]:
    """A club on a new database, of each kind that it knows."""
    if request.param == "sqlite":
        yield request.getfixturevalue("small")
        return
    from club_table import Club

    from webui.club.schema import METADATA

    club = Club(request.getfixturevalue("postgres_tables"))
    yield club
    with club.engine.begin() as connection:
        names = ", ".join(table.name for table in METADATA.sorted_tables)
        connection.exec_driver_sql(f"TRUNCATE {names} RESTART IDENTITY")
    club.engine.dispose()
