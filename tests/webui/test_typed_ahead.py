"""Cards typed and tapped faster than the table answers: each is booked once, in order, or waits in sight."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from webui_browser import becomes_host, served, tap, wait_for
from webui_deals import OPENED, hand
from webui_line import Line
from webui_serving import Server
from webui_table import open_table
from webui_until import until

from tracker.events import CardPlayed
from tracker.store import EventStore
from webui.people.signatures import PHONE_COOKIE

PLAYS = [event for event in hand(3) if isinstance(event, CardPlayed)]
KEY_S = 0.02


@pytest.fixture
def before() -> int:
    """How many cards were played before."""
    return 0


@pytest.fixture
def server(tmp_path: Path, before: int) -> Iterator[Server]:
    """A hand that Anna dealt, without a card, or with those played `before`."""
    with served(tmp_path, open_table(tmp_path, OPENED, hand(3)[0], *PLAYS[:before])) as server:
        yield server


@pytest.fixture
def line(server: Server, browser) -> Iterator[Line]:
    """The line by which the browser is at the server; it is the host's, and the dialog is open."""
    found = Line(int(server.port))
    becomes_host(browser, re.sub(r"^http://[^/]+/", found.address, server.host_link))
    open_dialog(browser, found.address)
    yield found
    found.close()


def booked(server: Server) -> list[tuple[str, str]]:
    store = EventStore(server.path)
    events = [one.event for one in store.events()]
    store.close()
    return [(event.player, event.card) for event in events if isinstance(event, CardPlayed)]


def played(count: int) -> list[tuple[str, str]]:
    """The first plays of the hand."""
    return [(play.player, play.card) for play in PLAYS[:count]]


def open_dialog(browser, address: str) -> None:
    browser.get(address)
    tap(browser, "a[href='/play']")
    wait_for(browser, "dialog h1", "Card played")


def type_words(browser, *words: str) -> None:
    """Type each of `words` and Enter, 20 ms a key, whatever the page does meanwhile."""
    keys = ActionChains(browser, duration=0)
    for key in itertools.chain.from_iterable((*word, Keys.ENTER) for word in words):
        keys.send_keys(key).pause(KEY_S)
    keys.perform()


def waiting(browser) -> str:
    return str(
        browser.execute_script(
            "const q = document.getElementById('queue'); return q.hidden ? '' : q.innerText"
        )
    )


@pytest.mark.parametrize("before", [63])
def test_four_tricks_typed_to_the_hands_end_at_20_ms_a_key_are_booked_card_by_card(
    browser, server, line, before
):
    type_words(browser, *(play.card.lower() for play in PLAYS[before:]))
    until(lambda: len(booked(server)) == 75)
    assert booked(server) == played(75)
    until(lambda: waiting(browser) == "")


def test_two_tricks_typed_against_answers_after_two_seconds(browser, server, line):
    line.delay_s = 2.0
    type_words(browser, *(play.card.lower() for play in PLAYS[:6]))
    assert "Not entered yet" in waiting(browser) and PLAYS[5].card.lower() in waiting(browser)
    until(lambda: waiting(browser) == "")
    assert booked(server) == played(6) and line.entries == 6


def test_a_line_cut_before_an_answer_loses_nothing_and_enters_nothing_twice(browser, server, line):
    line.cut_at = 3
    type_words(browser, *(play.card.lower() for play in PLAYS[:6]))
    until(lambda: "does not answer" in waiting(browser))
    assert all(play.card.lower() in waiting(browser) for play in PLAYS[2:6])
    assert booked(server) == played(3)  # the third is booked; its answer was lost
    line.mend()
    until(lambda: waiting(browser) == "")
    assert booked(server) == played(6)


def test_after_a_card_that_is_refused_the_rest_wait_in_sight_until_it_is_put_right(browser, server, line):
    first, second, third, fourth = (play.card.lower() for play in PLAYS[:4])
    type_words(browser, first, "h99", third, fourth)
    until(lambda: "“h99” is not a card" in waiting(browser))
    assert f"{third} · {fourth}" in waiting(browser) and booked(server) == played(1)
    browser.refresh()  # what waits is kept by the tab
    open_dialog(browser, line.address)
    until(lambda: "“h99” is not a card" in waiting(browser))
    assert f"Leave h99 out, then {third} for {PLAYS[1].player}" in waiting(browser)
    for button in browser.find_elements("css selector", "#queue button"):
        if button.text == "Another card in its place":
            button.click()
            break
    until(lambda: "takes the place of h99" in waiting(browser))
    type_words(browser, second)
    until(lambda: waiting(browser) == "")
    assert booked(server) == played(4)


def on_another_page(browser, server, line, card):
    """Enter `card` from another page of the host's, by a line of its own."""
    enter = """
        const done = arguments[1];
        const token = document.getElementById("queue").dataset.token;
        const body = new URLSearchParams({ token, typed: arguments[0] });
        fetch("/plays", { method: "POST", body }).then((answer) => done(answer.status));
    """
    cookie = browser.get_cookie(f"{PHONE_COOKIE}_{line.port}")
    browser.add_cookie({"name": f"{PHONE_COOKIE}_{server.port}", "value": cookie["value"]})
    browser.switch_to.new_window("tab")
    try:
        browser.get(f"http://localhost:{server.port}/")
        assert browser.execute_async_script(enter, card) == 200
    finally:
        browser.close()
        browser.switch_to.window(browser.window_handles[0])


def test_a_card_that_another_phone_booked_in_between_makes_the_rest_ask_whose_they_are(browser, server, line):
    first, second, third = (play.card.lower() for play in PLAYS[:3])
    line.cut_at = 1
    type_words(browser, first, third)
    until(lambda: "does not answer" in waiting(browser))
    on_another_page(browser, server, line, second)
    line.mend()
    until(lambda: "Something else happened meanwhile" in waiting(browser))
    assert booked(server) == played(2)
    until(lambda: f"Enter {third} for {PLAYS[2].player}" in waiting(browser))
    for button in browser.find_elements("css selector", "#queue button"):
        if button.text.startswith("Enter"):
            button.click()
            break
    until(lambda: waiting(browser) == "")
    assert booked(server) == played(3)


def test_a_card_that_another_phone_entered_too_is_entered_once_and_the_rest_follow(browser, server, line):
    first, *rest = (play.card.lower() for play in PLAYS[:5])
    line.cut_at = 1
    type_words(browser, first, *rest)
    until(lambda: "does not answer" in waiting(browser))
    on_another_page(browser, server, line, rest[0])
    line.mend()
    until(lambda: waiting(browser) == "")
    assert booked(server) == played(5)


def test_cards_tapped_while_an_entry_is_on_its_way_are_entered_and_one_that_a_finger_meets_twice_once(
    browser, server, line
):
    line.delay_s = 0.5
    tap_all = "for (const card of arguments) document.querySelector(`dialog button[value=${card}]`).click()"
    cards = [play.card for play in PLAYS[:3]]
    browser.execute_script(tap_all, cards[0], cards[1], cards[1], cards[2])
    until(lambda: waiting(browser) == "")
    assert booked(server) == played(3)


def test_the_player_chosen_by_hand_goes_with_the_next_card_alone(browser, server, line):
    one, other = PLAYS[0].player, PLAYS[1].player
    tap(browser, f"dialog input[name=player][value={other}]")
    browser.execute_script("document.activeElement.blur()")
    type_words(browser, PLAYS[0].card.lower(), PLAYS[1].card.lower())
    until(lambda: len(booked(server)) == 2 and waiting(browser) == "")
    table = server.stored()
    assert table.session.hand.plays[0].player == other != one
