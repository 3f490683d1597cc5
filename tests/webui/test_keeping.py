"""What is kept of evenings is listed on the host's page, and goes: saved ones, recorded ones, a player's name."""

import json
from pathlib import Path

import pytest
from test_host import last, unplayed
from webui_deals import OPENED, SIDES
from webui_page import Page
from webui_table import restarted

from tracker.danish.audit import audit
from tracker.danish.events import Adjusted, Fined
from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, HandStarted, SessionClosed
from tracker.session_file import loads
from tracker.store import EventStore
from webui.paths import corrections_dir
from webui.table.live import LiveTable

pytestmark = pytest.mark.usefixtures("data_folder")


def saved(table: LiveTable) -> list[Path]:
    return sorted(table.kept.saved.glob("*/*"))


def test_what_the_host_saved_is_listed_and_goes_with_one_tap(seen: LiveTable) -> None:
    page = Page(seen)
    page.post("/host/save")
    page.post("/host/choices/keep_corrections", on="yes")
    page.post(f"/plays/{last(seen)[0]}/correct", card=unplayed(seen)[0])
    seen.enter(SessionClosed())
    seen.end()
    (folder,) = seen.kept.saved.iterdir()
    assert f"{folder.name} 4 pictures Delete" in page.text("/host")
    own = folder / "holiday.jpg"
    own.write_bytes(b"")
    assert page.post("/host/saved/delete", name=folder.name) == (200, "Den gemte aften er slettet.")
    assert saved(seen) == [own]  # a person's own file
    assert page.post("/host/saved/delete", name="..")[0] == 404
    assert len(list(corrections_dir().glob("*/*.png"))) == 1
    assert page.post("/host/corrections/delete")[0] == 200
    assert not list(corrections_dir().glob("*/*.png"))


def test_an_evening_is_deleted_for_good_but_not_the_one_that_is_played(seen: LiveTable) -> None:
    page = Page(seen)
    assert page.post("/host/evenings/delete", evening=1)[0] == 409
    seen.enter(SessionClosed())
    seen.open_evening(OPENED, SIDES)
    assert page.post("/host/evenings/delete", evening=2)[0] == 409
    assert page.post("/host/evenings/delete", evening=7)[0] == 404
    assert page.post("/host/evenings/delete", evening=1)[0] == 200
    assert [info.id for info in EventStore(seen.path).sessions()] == [2]
    seen.enter(HandStarted("Anna"))
    seen.enter(SessionClosed())
    assert page.post("/host/evenings/delete", evening=2)[0] == 200
    assert seen.session is None and page.client.get("/").status_code == 200
    data = b"".join(path.read_bytes() for path in seen.path.parent.glob("evening.sqlite3*") if path.is_file())
    assert b"CardPlayed" not in data
    seen.open_evening(OPENED, SIDES)
    seen.enter(HandStarted("Bo"))


@pytest.fixture
def settled(seen: LiveTable) -> LiveTable:
    """An evening settled and saved, with Bo's name in fines, adjustments and reasons."""
    first = next(record.event for record in seen.recorded if isinstance(record.event, CardPlayed))
    assert first.player == "Bo"
    seen.enter(Fined("Bo", "minor", reason="Bo looked; Bodil saw it"))
    seen.enter(Adjusted("Bo", "Anna", 5, "Bo owed it"))
    Page(seen).post("/settle", save="1", seen=Page(seen).filled_in("/settle", "/settle").get("seen", ""))
    assert seen.session.closed
    return seen


def test_a_name_is_erased_everywhere_and_its_chips_stay(settled: LiveTable) -> None:
    before = dict(settled.session.balances)
    (file,) = (path for path in saved(settled) if path.suffix == ".json")
    saved_before = dict(loads(file.read_bytes(), DanishSession).session().balances)
    page = Page(settled)
    assert page.post("/host/erase", name="Bo") == (
        200, "Navnet er slettet. Nu står der N.N., og jetonerne er de samme.",
    )  # fmt: skip
    after = dict(settled.session.balances)
    assert after == {("N.N." if name == "Bo" else name): chips for name, chips in before.items()}
    again = restarted(settled).session
    assert again is not None and dict(again.balances) == after and audit(again) == audit(settled.session)
    reasons = [r.event.reason for r in settled.recorded if isinstance(r.event, Fined | Adjusted)]
    assert reasons == ["N.N. looked; Bodil saw it", "N.N. owed it"]
    written = dict(loads(file.read_bytes(), DanishSession).session().balances)
    assert written == {("N.N." if name == "Bo" else name): chips for name, chips in saved_before.items()}
    names = " ".join(path.name for path in saved(settled)) + json.dumps(list(settled.sides))
    assert "Bo " not in names and "N_N_" in names and '"Bo"' not in names
    kept = b"".join(path.read_bytes() for path in settled.path.parent.rglob("*") if path.is_file())
    assert b'"Bo"' not in kept
    assert page.post("/host/erase", name="Bo")[0] == 404
    page.post("/host/erase", name="Carl")
    assert set(settled.session.balances) == {"Anna", "N.N.", "N.N. 2"}


def test_a_name_that_plays_now_is_not_erased(seen: LiveTable) -> None:
    status, told = Page(seen).post("/host/erase", name="Bo")
    assert status == 409 and told.startswith("Bo spiller med i aften")
