"""Who may do what: each route, asked for by each role, without a token, with a wrong one, and with another table's."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from webui_camera import sees
from webui_deals import AT_FOUR, hand, plays
from webui_hidden import routes
from webui_page import Page
from webui_table import open_table, restarted

from tracker.events import (
    CardPlayed,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    SessionClosed,
    SessionOpened,
    Unwatched,
)
from webui.app import create_app
from webui.app_parts import app_parts
from webui.people.phones import Phone, Phones
from webui.people.roles import NEEDED_ROLE, Role, may
from webui.people.signatures import PHONE_COOKIE
from webui.table.live import LiveTable


@pytest.fixture
def four(tmp_path: Path) -> LiveTable:
    """Anna deals to four, so Carl sits out; three cards of the first trick and one of the second are played."""
    played = plays("Bo S7", "Dora S8", "Anna SR", "Anna H9")
    return open_table(tmp_path, AT_FOUR, HandStarted("Anna"), *played)


def asked(page: Page, method: str, address: str, token: str) -> tuple[int, str]:
    headers = {"Accept": "application/json", "Accept-Language": "en"}
    if method == "GET":
        answer = page.client.get(address, headers=headers, query_string={"lang": "en"})
    else:
        answer = page.client.post(
            address, data={"token": token}, headers=headers, query_string={"lang": "en"}
        )
    return answer.status_code, answer.get_data(as_text=True) if answer.mimetype == "application/json" else ""


def test_each_route_says_which_role_it_needs(four: LiveTable) -> None:
    endpoints = {endpoint for _, endpoint, _ in routes(create_app(four))}
    assert endpoints == NEEDED_ROLE.keys() and len(endpoints) > 60


def test_a_route_without_a_role_is_refused_to_everybody(four: LiveTable) -> None:
    app = create_app(four)
    app.add_url_rule("/new", "new", lambda: "secret")
    for role in (Role.UNINVITED, Role.WALL, Role.PLAYER, Role.HOST):
        assert Page(four, role, app=app).client.get("/new").status_code == 403


REFUSING = ("Scan the code on the laptop's screen to join", "That is for", "may do that", "only shows")


@pytest.mark.slow
def test_every_route_is_answered_to_who_may_and_refused_to_who_may_not(four: LiveTable) -> None:
    """By every role. An entry without the form's token, or with another phone's, is refused to all of them."""
    app = create_app(four)
    host = Page(four, Role.HOST, app=app)
    pages = {
        Role.UNINVITED: Page(four, Role.UNINVITED, app=app),
        Role.WALL: Page(four, Role.WALL, app=app),
        Role.PLAYER: Page(four, Role.PLAYER, "Bo", app=app),
        Role.ARBITER: Page(four, Role.PLAYER, "Carl", app=app),
        Role.HOST: host,
    }
    strangers = Page(four, Role.PLAYER, "Anna", app=app).token
    for method, endpoint, address in routes(app):
        for role, page in pages.items():
            before = len(four.recorded)
            if method == "POST":
                for wrong in ("", "x", strangers):
                    status, said = asked(page, method, address, wrong)
                    assert status == 403, (role, endpoint)
                    assert may(role, endpoint) == ("open for too long" in said), (role, endpoint, said)
            if endpoint in ("joining.leave", "decks.forget"):
                continue  # would change who asks next
            status, said = asked(page, method, address, page.token)
            refused = status == 403 and any(words in said for words in REFUSING)
            assert refused != may(role, endpoint), (role, endpoint, status, said)
            assert status < 500 or "not registered" in said, (role, endpoint, status)
            assert not refused or len(four.recorded) == before, (role, endpoint)


WRONG: dict[str, Callable[[Phones, Phones], str]] = {
    "none": lambda own, other: "",
    "made up": lambda own, other: f"{PHONE_COOKIE}=somebody.AAAA",
    "another table's host": lambda own, other: _cookie(other, other.join(Role.HOST)),
    "the host's id, signed by another table": lambda own, other: _cookie(other, own.join(Role.HOST)),
    "a phone that was removed": lambda own, other: _removed(own),
    "no cookie at all": lambda own, other: "\xff;=;;\x00",
}


def _cookie(table: Phones, phone: Phone) -> str:
    return f"{PHONE_COOKIE}={table.cookie(phone.id)}"


def _removed(own: Phones) -> str:
    phone = own.join(Role.HOST)
    own.remove(phone.id)
    return _cookie(own, phone)


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_cookie_is_a_strangers_on_every_route(
    four: LiveTable, tmp_path: Path, wrong: Callable[[Phones, Phones], str]
) -> None:
    app = create_app(four)
    cookie = wrong(app_parts(app).phones, Phones(tmp_path / "other.sqlite3"))
    client = app.test_client(use_cookies=False)
    for method, endpoint, address in routes(app):
        answer = client.open(address, method=method, headers={"Cookie": cookie, "Accept": "application/json"})
        if may(Role.UNINVITED, endpoint) and method == "GET":
            assert answer.status_code in (200, 302, 303, 403), endpoint
        else:
            assert answer.status_code == 403, (endpoint, answer.status_code)
        assert b"Anna" not in answer.data, endpoint
    kinds = [type(one.event) for one in four.recorded]
    assert kinds == [SessionOpened, HandStarted, *[CardPlayed] * 4]


# ---- what a player may enter, and what he only asks for ----


@pytest.fixture
def app(four: LiveTable) -> Flask:
    return create_app(four)


@pytest.fixture
def bo(four: LiveTable, app: Flask) -> Page:
    """Bo's phone; he plays."""
    return Page(four, Role.PLAYER, "Bo", app=app)


@pytest.fixture
def carl(four: LiveTable, app: Flask) -> Page:
    """Carl's phone; he sits out, so he is the arbiter."""
    return Page(four, Role.PLAYER, "Carl", app=app)


def cards(table: LiveTable) -> list[str]:
    return [play.card for play in table.session.hand.plays]


def test_a_card_on_the_table_is_put_right_by_any_player_and_an_earlier_one_is_asked_for(
    four, bo, carl
) -> None:
    assert bo.post("/plays/6/correct", card="H8")[0] == 200
    assert cards(four) == ["S7", "S8", "SR", "H8"] and four.recorded[-1].by == "Bo"
    status, said = bo.post("/plays/3/correct", card="S9")
    assert (status, said) == (200, "Dommeren er bedt om at skrive det.")
    assert cards(four)[0] == "S7"
    assert "Bo beder dig skrive" in carl.text("/", "da") and "Bo beder dig skrive" not in bo.text("/", "da")
    assert carl.post("/asked/1/confirm")[0] == 200
    assert cards(four)[0] == "S9" and four.recorded[-1].by == "Carl" and four.desk.asks == ()
    assert carl.post("/asked/1/confirm")[0] == 409


ASKED = {
    "another card": ("/plays/3/correct", {"card": "S9"}, ["S9", "S8", "SR", "H9"]),
    "no card": ("/plays/5/remove", {}, ["S7", "S8", "H9"]),
    "a card missed": ("/plays", {"before_seq": 3, "player": "Carl", "card": "S9"}, None),
    "more than the trick taken back": ("/take-back", {"count": 2}, ["S7", "S8"]),
    "the dealer": ("/hands/1/dealer", {"dealer": "Dora"}, None),
    "what he remembers": ("/ask", {"trick": 1, "player": "Bo", "card": "S9"}, ["S9", "S8", "SR", "H9"]),
}


@pytest.mark.parametrize(("path", "fields", "after"), ASKED.values(), ids=ASKED)
def test_what_is_earlier_waits_for_the_arbiter(four, bo, carl, path, fields, after) -> None:
    before = len(four.recorded)
    status, said = bo.post(path, **fields)
    if status == 422:
        assert len(four.recorded) == before  # it cannot have happened, whoever says so
        return
    assert (status, len(four.recorded)) == (200, before), said
    assert carl.post("/asked/1/confirm")[0] == 200
    assert len(four.recorded) > before and (after is None or cards(four) == after)


def test_what_waits_is_told_of_before_the_evening_is_settled_and_waits_on_after_it(four, app, bo) -> None:
    host = Page(four, app=app)
    assert "waits for the arbiter" not in host.text("/settle")
    bo.post("/plays/3/correct", card="S9")
    assert "1 entry waits for the arbiter." in host.text("/settle")
    host.sent("/settle", "/settle", sure="yes")
    assert four.session.closed and "Bo asks you to enter" in host.text("/")
    assert host.post("/asked/1/confirm")[0] == 200
    assert cards(four)[0] == "S9" and four.session.closed


def test_a_card_missed_while_nobody_watched_is_entered_by_any_player_and_no_earlier_one(four, bo) -> None:
    sees(four, Unwatched(), "Bo:H2")
    assert bo.post("/plays", before_seq=four.recorded[-1].seq, player="Dora", card="H3")[0] == 200
    assert cards(four)[-2:] == ["H3", "H2"]
    before = cards(four)
    bo.post("/plays", before_seq=5, player="Dora", card="C2")
    assert cards(four) == before


def test_what_is_asked_for_survives_a_restart_and_can_be_declined(four, bo, carl) -> None:
    bo.post("/plays/3/correct", card="S9")
    bo.post("/plays/3/correct", card="S9")
    again = restarted(four)
    assert again.desk.asks == four.desk.asks
    assert [ask.events for ask in again.desk.asks] == [(PlayCorrected(3, "S9"),)]
    assert carl.post("/asked/1/decline")[0] == 200
    assert four.desk.asks == () and cards(four)[0] == "S7"


def test_a_take_back_that_was_asked_for_before_another_card_is_not_confirmed(four, bo, carl) -> None:
    bo.post("/take-back", count=2)
    bo.post("/plays", player="Bo", card="H2")
    assert carl.post("/asked/1/confirm")[0] == 409
    assert cards(four)[-1] == "H2"


def test_a_player_undoes_his_own_entry_and_asks_for_anothers(four, app, bo, carl) -> None:
    bo.post("/declarations", player="Bo", **{"pass": 1})
    dora = Page(four, Role.PLAYER, "Dora", app=app)
    seq = four.recorded[-1].seq
    assert dora.post("/undo", seq=seq)[1] == "Dommeren er bedt om at skrive det."
    assert "asked to undo it" in dora.text("/undo") and "asked to undo it" not in bo.text("/undo")
    assert len(four.recorded) == seq
    assert bo.post("/undo", seq=seq)[0] == 200 and len(four.recorded) == seq + 1


def test_only_the_host_undoes_a_settling(four, app, carl) -> None:
    host = Page(four, Role.HOST, app=app)
    host.post("/settle")
    seq = four.recorded[-1].seq
    assert carl.post("/undo", seq=seq)[0] == 403
    assert host.post("/undo", seq=seq)[0] == 200


def test_who_sits_out_is_the_arbiter_of_that_hand_alone(four, carl, bo) -> None:
    assert carl.post("/fines", player="Bo", category="minor")[0] == 200
    assert bo.post("/fines", player="Carl", category="minor")[0] == 403
    assert carl.post("/abandon")[0] == 200
    four.enter(HandStarted("Bo"))  # now Dora sits out
    assert carl.post("/fines", player="Bo", category="minor")[0] == 403


def test_who_takes_the_seat_of_who_sits_out_is_no_arbiter_before_the_host_says_so(four, app) -> None:
    host, phone = Page(four, Role.HOST, app=app), Page(four, Role.PLAYER, app=app)
    assert "The host is asked" in phone.post("/me?lang=en", seat="Carl")[1]
    number = app_parts(app).phones.holder("Carl").number
    assert phone.post("/fines", player="Bo", category="minor")[0] == 403
    assert phone.post("/me", seat="Carl")[0] == 200  # again: that changes nothing
    assert phone.post("/fines", player="Bo", category="minor")[0] == 403
    assert f"Is phone {number} Carl's?" in host.text("/").replace("&#39;", "'")
    assert phone.post(f"/host/phones/{number}/seat", his="yes")[0] == 403
    assert host.post(f"/host/phones/{number}/seat", his="yes")[0] == 200
    assert f"Is phone {number}" not in host.text("/")
    assert phone.post("/fines", player="Bo", category="minor")[0] == 200
    assert host.post(f"/host/phones/{number}/seat", his="no")[0] == 409


def test_the_question_whose_phone_it_is_is_true_in_the_next_hand_too(four, app) -> None:
    host, phone = Page(four, Role.HOST, app=app), Page(four, Role.PLAYER, app=app)
    phone.post("/me", seat="Carl")
    four.enter(HandAbandoned(), HandStarted("Bo"))  # now Dora sits out
    asked = host.text("/").replace("&#39;", "'")
    assert "Carl's? Whoever sits out may give fines and correct." in asked and "Carl sits out" not in asked
    four.enter(HandAbandoned(), SessionClosed())  # nobody may enter anything any more
    assert "Carl's?" not in host.text("/").replace("&#39;", "'")


def test_the_host_says_that_it_is_not_his_phone_and_who_plays_needs_nobodys_word(four, app) -> None:
    host, phone = Page(four, Role.HOST, app=app), Page(four, Role.PLAYER, app=app)
    phones = app_parts(app).phones
    phone.post("/me", seat="Carl")
    number = phones.holder("Carl").number
    assert not Phones(four.path).holder("Carl").vouched  # also after a restart
    assert host.post(f"/host/phones/{number}/seat", his="no")[0] == 200 and phones.holder("Carl") is None
    phone.post("/me", seat="Bo")
    four.enter(HandAbandoned(), HandStarted("Dora"))  # now Bo sits out
    assert phone.post("/fines", player="Anna", category="minor")[0] == 200


def test_a_player_asks_for_three_entries_at_most_and_the_others_may_ask_too(four, app, bo) -> None:
    dora = Page(four, Role.PLAYER, "Dora", app=app)
    asked = [bo.post("/plays/3/correct", card=card)[0] for card in ("S9", "S10", "S6", "S5")]
    assert asked == [200, 200, 200, 409] and len(four.desk.asks) == 3
    assert dora.post("/plays/3/correct", card="S5")[0] == 200


def test_a_player_starts_a_hand_and_abandons_none(four, bo, carl) -> None:
    assert bo.post("/hands", dealer="Bo")[0] == 403
    carl.post("/abandon")
    assert bo.post("/hands", dealer="Bo")[0] == 200


def test_an_open_table_takes_entries_from_everybody_and_keeps_the_hosts_things_to_the_host(four, app) -> None:
    stranger = Page(four, Role.UNINVITED, app=app)
    assert stranger.client.get("/").status_code == 403
    Page(four, Role.HOST, app=app).post("/host/choices/open_table", on="yes")
    found = stranger.html("/")
    stranger.token = found.split('name="token" value="')[1].split('"')[0]
    assert stranger.post("/plays", player="Bo", card="H2")[0] == 200
    assert four.recorded[-1].by == "/guest"
    assert stranger.post("/settle")[0] == 403
    assert stranger.post("/fines", player="Bo", category="minor")[0] == 403
    assert stranger.client.get("/host").status_code == 403
    assert restarted(four).choices.open_table


def test_each_entry_says_who_made_it(four, app, bo, carl) -> None:
    bo.post("/declarations", player="Dora", **{"pass": 1})
    Page(four, Role.HOST, app=app).post("/fines", player="Bo", category="minor")
    page = Page(four, Role.PLAYER, app=app)
    page.post("/plays", player="Bo", card="H2")
    assert [one.by for one in restarted(four).recorded[-3:]] == ["Bo", "/host", "/4"]
    shown = page.text("/hands/1")
    for said in ("Bo Dora declares pass", "the host Bo is fined", "phone 4 Bo played"):
        assert said in shown


def test_a_hand_of_three_has_no_arbiter_but_the_host(table: LiveTable) -> None:
    table.enter(*hand(3)[:4])
    app = create_app(table)
    for seat in ("Anna", "Bo", "Carl"):
        assert Page(table, Role.PLAYER, seat, app=app).post("/abandon")[0] == 403
    assert Page(table, app=app).post("/abandon")[0] == 200
