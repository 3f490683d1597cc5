"""A live table on a real database, its page, and a hand in progress."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from webui_camera import sees_card
from webui_deals import OPENED, SIDES, hand
from webui_page import Page

from tracker.danish.events import EVENTS
from tracker.events import CardPlayed
from tracker.store import EventStore
from vision.decks import Deck, read_picture, sprite_of
from vision.rendering.footage import FilmedPlay, FilmStyle, VideoFile, film
from vision.resources import datasets_dir
from webui.live import LiveTable


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
