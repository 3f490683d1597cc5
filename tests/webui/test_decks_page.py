"""The page of decks: a deck is taught from a camera's pictures, chosen for the table, and forgotten."""

import re
import threading
import time
from collections.abc import Iterator

import pytest
from network_camera import NetworkCamera, Picture
from webui_page import Page
from webui_table import restarted
from webui_until import until

from vision.camera.capture import frames
from webui.app_parts import app_parts
from webui.camera.teaching import Teaching
from webui.paths import deck_dir
from webui.people.roles import Role
from webui.table.camera_status import CameraStatus
from webui.table.live import LiveTable

pytestmark = pytest.mark.usefixtures("data_folder")


@pytest.fixture
def teaching(page: Page, filmed: str) -> Iterator[Teaching]:
    """The teaching of the page, with the film for a camera."""
    found = app_parts(page.client.application).teaching
    assert isinstance(found, Teaching)
    found.source = filmed
    yield found
    found.stop()


def post(page: Page, path: str, **fields: str) -> int:
    return page.client.post(path, data={"token": page.token, "sure": "yes", **fields}).status_code


def _waiting(teaching: Teaching) -> int:
    """The number of the card that waits for its name, once there is one."""
    until(teaching.shown)
    return teaching.shown()[0]


@pytest.mark.slow
def test_a_deck_is_taught_chosen_and_forgotten(page: Page, teaching: Teaching, table: LiveTable) -> None:
    assert post(page, "/decks/teach", name="Grandma") == 303
    assert table.camera.lent
    _waiting(teaching)
    waiting = teaching.shown()
    text = page.text("/decks/teach")
    assert "Show the cards of Grandma" in text and "0 of 78." in text
    assert page.client.get(f"/decks/shown/{waiting[0]}.png").mimetype == "image/png"
    assert page.post(f"/decks/teach/{waiting[0]}", card="nonsense")[0] == 400
    assert post(page, f"/decks/teach/{waiting[0]}", card="S7") == 303
    assert (deck_dir("Grandma") / "crops" / "S7" / "1.png").is_file()
    assert "1 of 78." in page.text("/decks/teach")
    assert page.post(f"/decks/teach/{waiting[0]}", card="S7")[0] == 409  # named twice
    assert "The last one was not 7 of spades: forget it" in page.text("/decks/teach")
    teaching.name(_waiting(teaching), "H7")
    assert "2 of 78." in page.text("/decks/teach")
    assert post(page, "/decks/teach/undo") == 303
    assert "1 of 78." in page.text("/decks/teach") and not list((deck_dir("Grandma") / "crops/H7").glob("*"))
    assert page.post("/decks/teach/undo")[0] == 409  # only the last one
    assert post(page, "/decks/teach/stop") == 303
    assert not table.camera.lent

    assert "Grandma 1 of 78 cards" in page.text("/decks")
    assert table.camera.deck == deck_dir("Grandma")  # the deck just shown is the one on the table
    assert restarted(table).choices.deck == "Grandma"
    assert post(page, "/decks/use") == 303
    assert table.camera.deck is None
    assert post(page, "/decks/use", name="Grandma") == 303
    assert table.camera.deck == deck_dir("Grandma")
    assert post(page, "/decks/forget", name="Grandma") == 303
    assert table.camera.deck is None and not deck_dir("Grandma").exists()
    assert restarted(table).choices.deck == ""


@pytest.mark.slow
def test_a_card_seen_before_the_camera_went_is_saved_and_the_trouble_is_said_in_words(
    page: Page, teaching: Teaching, filmed: str
) -> None:
    pictures = [frame.picture for frame in frames(filmed)]
    gone = threading.Event()

    def shoot(number: int) -> Picture | None:
        return None if gone.is_set() else pictures[min(number, len(pictures) - 1)]

    with NetworkCamera(shoot, fps=5) as camera:
        teaching.source = camera.url
        assert post(page, "/decks/teach", name="Grandma") == 303
        number = _waiting(teaching)
        gone.set()
        until(lambda: teaching.problem)
        began_s = time.monotonic()
        assert post(page, f"/decks/teach/{number}", card="S7") == 303
        assert time.monotonic() - began_s < 10
        assert "The camera in the network sends no more pictures." in page.text("/decks/teach")
        assert "1 of 78." in page.text("/decks/teach")
        assert post(page, "/decks/teach/stop") == 303


@pytest.mark.slow
def test_a_deck_is_the_same_whichever_letters_of_its_name_are_capital(page: Page, teaching: Teaching) -> None:
    post(page, "/decks/teach", name="Grandma Å")
    post(page, f"/decks/teach/{_waiting(teaching)}", card="S7")
    assert post(page, "/decks/teach", name="grandma å") == 303
    assert teaching.folder == deck_dir("Grandma Å")


def test_what_cannot_be_done_is_said(page: Page) -> None:
    assert page.post("/decks/teach", name="x") == (409, "Der er intet kamera at vise kortene til.")
    assert page.post("/decks/use", name="gone") == (404, "Det sæt kort findes ikke.")
    assert page.post("/decks/forget", name="../..")[0] == 400
    assert page.post("/decks/teach/1", card="S7")[0] == 409
    assert page.client.get("/decks/teach").location == "/decks"
    assert page.client.get("/decks/shown/1.png").status_code == 404


@pytest.mark.slow
def test_the_table_leads_back_to_the_deck_that_is_being_taught(
    page: Page, teaching: Teaching, table: LiveTable
) -> None:
    table.camera.set_status(CameraStatus("seeing"))
    assert "Go on teaching" not in page.text("/")
    assert post(page, "/decks/teach", name="Grandma") == 303
    assert post(page, f"/decks/teach/{_waiting(teaching)}", card="S7") == 303
    table.camera.set_status(CameraStatus("teaching"))  # as the camera loop tells it
    assert '<a class="button" href="/decks/teach" id="go-on-teaching">' in page.html("/")
    assert "go-on-teaching" not in Page(table, Role.PLAYER, app=page.app).html("/")
    assert "Go on teaching the deck" not in page.text("/decks")  # there it is "Go on with Grandma"
    # A lesson that was broken off is taken up by a tap: nobody types the name again.
    teaching.stop()
    form = re.search(
        r'<form method="post" action="/decks/teach">(?:(?!</form>).)*value="Grandma"', page.html("/decks")
    )
    assert form is not None and "Go on teaching the deck" in page.text("/decks")
    assert post(page, "/decks/teach", name="Grandma") == 303 and teaching.folder == deck_dir("Grandma")
