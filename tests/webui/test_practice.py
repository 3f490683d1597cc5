"""A table that practises: what it shows, to whom, and that nothing of it is sent where practice is off."""

import json
import re

import pytest
from flask import Flask
from webui_deals import hand
from webui_hidden import pages, routes
from webui_page import Page

from tracker.danish.study import study
from tracker.danish.words import WORDS
from tracker.events import CardPlayed, HandAbandoned
from webui.app import create_app
from webui.app_parts import app_parts
from webui.pages.table import News
from webui.people.roles import Role
from webui.table.live import LiveTable

NO_PAGES = (
    "static", "source.archive", "source.licence_text", "host.host", "camera.card", "host.backup",
    "learning.review", "learning.drill",  # of hands that are over: test_learning
)  # fmt: skip
AIDS = ("Counting along", "Tæl med", "Trumps seen", "Tarokker set", "strip practice", "/training")


def practises(table: LiveTable, on: bool = True) -> None:
    assert Page(table).post("/host/choices/training", on="yes" if on else "no")[0] == 200


def bodies(
    table: LiveTable, app: Flask, langs: tuple[str, ...] = ("en", "da")
) -> dict[tuple[Role, str, str], str]:
    """The raw bytes of every page that somebody can open, the host's choices left out."""
    found = {}
    for role, page in pages(table, app).items():
        for method, endpoint, path in routes(app):
            if method == "GET" and endpoint not in NO_PAGES:
                for lang in langs:
                    body = page.client.get(path, query_string={"lang": lang}).get_data()
                    found[role, path, lang] = body.decode(errors="replace")
    return found


def timeless(body: bytes) -> bytes:
    """A page without what is new each time."""
    return re.sub(rb'data-version="\d+"|name="once" value="\w+"', b"", body)


def test_with_practice_off_nothing_of_it_is_sent(played: LiveTable) -> None:
    app = create_app(played)
    assert not played.choices.training
    for (role, path, lang), said in bodies(played, app).items():
        assert [word for word in AIDS if word in said.replace(path, "")] == [], (role, path, lang)
    phone = app_parts(app).phones.join(Role.PLAYER, "Bo")
    regions = json.loads(News(app, played, "en", None, phone).message().split("data: ")[1])["regions"]
    assert regions["practice"] == regions["aids"] == ""
    assert Page(played, Role.PLAYER, "Dora", app=app).client.get("/training").status_code == 409


def test_every_screen_is_marked_while_the_table_practises_and_no_longer(played: LiveTable) -> None:
    app = create_app(played)
    people = pages(played, app)
    practises(played)
    for page in people.values():
        for path in ("/", "/ledger", "/rules"):
            assert "The page counts along, on every screen" in page.text(path), path
    practises(played, on=False)
    for page in people.values():
        assert "The page counts along, on every screen" not in page.text("/")
    assert not LiveTable(played._store).choices.training


def test_a_table_that_practises_tells_what_can_be_counted_and_no_pots(played: LiveTable) -> None:
    practises(played)
    known = study(played.session.hand)
    for page in pages(played, create_app(played)).values():
        said = page.text("/")
        assert f"Trumps seen {22 - len(known.trumps_out)}" in said
        assert f"still out {len(known.trumps_out)}" in said
        assert "King pot" not in said and "7035" not in said


def test_it_says_who_is_void_in_what_and_by_which_card(table: LiveTable) -> None:
    practises(table)
    page = Page(table)
    table.enter(*hand(3)[:60])
    voids = study(table.session.hand).voids
    assert [void for void in voids if void.card is not None]
    said = page.text("/")
    for void in voids:
        assert WORDS.card_label(void.card, "en") in said and f"in trick {void.trick})" in said


def test_the_dialog_has_the_chance_of_each_unseen_card(played: LiveTable) -> None:
    practises(played)
    page = Page(played, Role.PLAYER, "Dora")
    body = page.html("/training")
    rows = re.findall(r'<tr><th scope="row">([^<]+)</th>(.*?)</tr>', body)
    known = study(played.session.hand)
    assert len(rows) == len(known.chances)
    for _, cells in rows:
        shares = re.findall(r'<td class="num(?: certain)?"[^>]*>([^<]+)</td>', cells)
        said = [
            100.0 if one == "surely" else 0.0 if one == "–" else float(one.split("\u00a0")[0].split()[0])
            for one in shares
        ]
        assert abs(sum(said) - 100) < 0.3 and len(shares) == 4


def test_the_number_of_a_player_is_on_his_own_phone_alone(played: LiveTable) -> None:
    app = create_app(played)
    practises(played)
    dora, others = Page(played, Role.PLAYER, "Dora", app=app), pages(played, app)
    before = {role: page.client.get("/?lang=en").data for role, page in others.items()}
    stream = {
        role: News(app, played, "en", None, app_parts(app).phones.join(role, ""))
        for role in (Role.WALL, Role.HOST)
    }
    for news in stream.values():
        assert news.message() is not None
    out = len(study(played.session.hand).trumps_out)
    assert "in my hand" not in dora.text("/")
    assert dora.post("/training/trumps", number="5")[0] == 200
    said = dora.text("/")
    assert "in my hand 5" in said and f"elsewhere {out - 5}" in said
    for role, page in others.items():
        assert timeless(page.client.get("/?lang=en").data) == timeless(before[role]), role
    for news in stream.values():
        assert json.loads(news.message().split("data: ")[1])["regions"] == {}
    for (role, path, _), body in bodies(played, app, ("en",)).items():
        assert "in my hand" not in body, (role, path)
    assert "5" not in (played.path.parent / (played.path.name + ".host.json")).read_text()


def test_the_trumps_he_plays_are_taken_off_his_number(table: LiveTable) -> None:
    practises(table)
    plays = hand(3)
    table.enter(*plays[:4])
    app = create_app(table)
    bo = Page(table, Role.PLAYER, "Bo", app=app)
    mine = [event.card for event in plays[4:] if isinstance(event, CardPlayed) and event.player == "Bo"]
    held = sum(card[0] in "TF" for card in mine)
    assert bo.post("/training/trumps", number=held)[0] == 200
    for place, event in enumerate(plays[4:40]):
        table.enter(event)
        assert isinstance(event, CardPlayed)
        left = sum(one.card[0] in "TF" for one in plays[5 + place :] if one.player == "Bo")
        assert f"in my hand {left}" in bo.text("/")
    table.enter(HandAbandoned())
    assert "in my hand" not in bo.text("/")


def test_a_number_is_of_its_hand_and_of_its_phone_alone(table: LiveTable) -> None:
    practises(table)
    app = create_app(table)
    table.enter(*hand(3)[:4])
    bo = Page(table, Role.PLAYER, "Bo", app=app)
    assert bo.post("/training/trumps", number=3)[0] == 200
    bo.phones.free("Bo")
    other = Page(table, Role.PLAYER, "Bo", app=app)  # his seat is another phone's now
    assert "in my hand" not in other.text("/") and "in my hand" not in bo.text("/")
    table.enter(HandAbandoned(), *hand(4, "Bo")[:2])
    assert "in my hand" not in other.text("/")


@pytest.mark.parametrize(("number", "status"), [("23", 400), ("-1", 400), ("x", 400), ("", 400), ("0", 200)])
def test_a_number_that_he_cannot_hold_is_refused(table: LiveTable, number: str, status: int) -> None:
    practises(table)
    table.enter(*hand(3)[:4])
    assert Page(table, Role.PLAYER, "Bo").post("/training/trumps", number=number)[0] == status


def test_who_does_not_play_enters_no_trumps(played: LiveTable) -> None:
    practises(played)
    app = create_app(played)
    for role, page in pages(played, app).items():
        if role is not Role.PLAYER:  # Bo plays; Carl sits out, and the others have no seat
            assert page.post("/training/trumps", number="3")[0] in (403, 409), role
            assert "I hold" not in page.text("/")


def test_only_the_host_switches_practice(played: LiveTable) -> None:
    for role, page in pages(played, create_app(played)).items():
        assert (page.post("/host/choices/training", on="yes")[0] == 200) == (role is Role.HOST)


def test_a_card_put_right_is_counted_anew(table: LiveTable) -> None:
    practises(table)
    table.enter(*hand(3)[:4])
    page = Page(table)
    first = table.session.hand.plays[0]
    before = page.text("/")
    assert f"Trumps seen {sum(play.card[0] in 'TF' for play in table.session.hand.plays)}" in before
    card = "T14" if first.card[0] != "T" else "S2"
    assert page.post(f"/plays/{first.seq}/correct", card=card)[0] == 200
    assert f"Trumps seen {sum(play.card[0] in 'TF' for play in table.session.hand.plays)}" in page.text("/")
    assert page.text("/") != before
