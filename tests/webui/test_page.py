"""What the page shows: every dialog opens, the state is streamed, and files leave the program whole."""

import gc
import json
import tracemalloc

import pytest
from webui_deals import plays
from webui_page import Page, view_of

from tracker.danish.events import Fined
from tracker.danish.words import WORDS
from tracker.events import CardPlayed, HandStarted, PlayRemoved
from webui.app import create_app
from webui.view.felt import angles

PAGES = [
    "/", "/play", "/declare", "/fool", "/fine", "/more", "/start", "/settle", "/undo", "/ledger",
    "/audit", "/players/Anna", "/hands/1", "/plays/3", "/plays/3/insert",
]  # fmt: skip


@pytest.mark.parametrize("lang", ["da", "en"])
def test_every_page_opens_as_a_page_and_as_a_dialog(playing, lang):
    client = Page(playing).client
    for path in PAGES:
        whole = client.get(path, query_string={"lang": lang})
        dialog = client.get(path, query_string={"lang": lang}, headers={"X-Fragment": "1"})
        assert whole.status_code == dialog.status_code == 200, path
        assert f'<html lang="{lang}">' in whole.get_data(as_text=True), path
        if path != "/":
            assert dialog.get_data(as_text=True).lstrip().startswith('<div class="dialog">'), path


@pytest.mark.slow
def test_what_a_long_hand_was_drawn_as_before_is_not_kept(playing):
    """A fine is a line on every page: the drawings of older versions, each for every seat, would be kept with it."""
    app = create_app(playing)
    host = Page(playing, app=app)

    def kept_after(fines: int) -> int:
        for number in range(fines):
            playing.enter(Fined("Bo", "minor", f"{number} " + "ø" * 180))
            for lang in ("da", "en"):
                host.client.get("/state", query_string={"lang": lang})
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = kept_after(5)
        assert (kept_after(40) - before) / 40 < 10_000
    finally:
        tracemalloc.stop()


def test_no_page_breaks_before_the_first_hand(page):
    for path in PAGES:
        assert page.client.get(path).status_code in (200, 404, 409), path


@pytest.mark.parametrize("path", ["/learn/", "/history/", "/setup/game/", "/guide/"])
def test_an_address_that_is_typed_with_a_slash_at_its_end_opens_its_page(empty, path):
    page = Page(empty)
    assert page.text(path) == page.text(path.rstrip("/"))


def test_no_page_breaks_before_the_first_evening(empty):
    client = Page(empty).client
    for path in PAGES:
        assert client.get(path).status_code in (200, 404, 409), path


def test_a_fool_that_is_led_shows_its_name(page, table):
    page.post("/hands", dealer="Anna")
    page.post("/plays", player="Bo", card="F")
    assert "The fool has no name yet" in page.text("/")
    page.post("/fool/name", player="Bo", suit="H")
    assert "The fool is hearts" in page.text("/")


def test_names_from_people_are_shown_as_they_are_and_never_run(page, table):
    page.post("/join", player="<b>Eva<b>", after="Carl")
    body = page.html("/")
    assert "<b>Eva<b>" not in body and "&lt;b&gt;Eva" in body
    assert "Eva" in page.text("/players/%3Cb%3EEva%3Cb%3E")


def test_the_stream_begins_with_the_whole_state_and_tells_what_changes(playing):
    page = Page(playing)
    scope = {"state": {}}
    assert page.client.get("/stream?lang=en", environ_overrides={"asgi.scope": scope}).status_code == 200
    news = scope["state"]["news"]
    first = json.loads(news.message().split("data: ")[1])
    assert {"felt", "payments", "notices", "history"} <= first["regions"].keys()
    assert news.message() is None
    page.post("/fines", player="Bo", category="minor")
    second = json.loads(news.message().split("data: ")[1])
    assert second["version"] == first["version"] + 1
    assert "fine" in second["regions"]["payments"] and "health" not in second["regions"]


def test_the_state_can_be_asked_for_when_a_stream_cannot(playing):
    client = Page(playing).client
    state = client.get("/state?lang=da").get_json()
    assert "felt" in state["regions"]
    assert client.get(f"/state?since={state['version']}").get_json()["regions"] == {}


def test_the_audit_page_reads_as_the_secretary_reads_it(playing):
    page = Page(playing)
    assert "Spil 1: Anna giver" in page.text("/audit", "da")
    assert "Hand 1: Anna deals" in page.text("/audit") and "not answered" not in page.text("/audit")
    playing.enter(CardPlayed(playing.session.hand.to_play, "F", alternatives=("C1",)))
    assert "Questions not answered: 1." in page.text("/audit")


def test_only_a_fool_that_was_led_is_offered_a_name(table):
    table.enter(HandStarted("Anna"), *plays("Bo:S7", "Carl:F", "Anna:S2", "Bo:T3"))
    page = Page(table)
    assert "The fool was named" not in page.text("/plays/4", "en")
    table.enter(PlayRemoved(3))
    assert "The fool was named" in page.text("/plays/4", "en")


def test_players_sit_as_in_the_cameras_picture(table):
    assert angles(table.session, {"Anna": "S", "Bo": "E", "Carl": "W"}) == {"Anna": 0, "Bo": 90, "Carl": 270}
    sides = view_of(table, "en").felt.sides
    names = {side: [seat.name for seat in seats] for side, seats in sides.items()}
    assert names == {"n": [], "w": ["Carl"], "e": ["Bo"], "s": ["Anna"]}


def test_a_trick_is_read_out_as_a_sentence(playing):
    felt = view_of(playing, "en").felt
    assert felt.said == (
        "Trick 6: " + ", ".join(
            f"{play.player} {'played' if place else 'led'} {WORDS.card_name(play.card)}"
            for place, play in enumerate(playing.session.hand.tricks[-1].plays)
        ) + f", {playing.session.hand.tricks[-1].winner} takes the trick."
    )  # fmt: skip
