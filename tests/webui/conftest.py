"""A live table on a real database, its page, and a hand in progress."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from webui_deals import OPENED, SIDES, hand
from webui_page import Page

from tracker.store import EventStore
from webui.live import LiveTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """Anna, Bo and Carl, no hand yet."""
    store = EventStore(tmp_path / "evening.sqlite3")
    live = LiveTable(store)
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
def page(table: LiveTable) -> Page:
    """The page of `table`."""
    return Page(table)
