"""A hand of the Tarot of 1659 in real browsers: two phones enter it by hand, from the new evening to the result."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from webui_browser import gone, on_found, served, tap, type_into, wait_for
from webui_chromium import start_chromium
from webui_serving import Server
from webui_until import until

from webui.table.live import LiveTable

PHONE = (390, 844)
HAND = (
    "Anna S7", "Bo F", "Carl SR", "Dora S2",
    "Carl H2", "Dora H3", "Anna H4", "Bo H9",
    "Bo C9", "Carl C2", "Dora C3", "Anna C4",
)  # fmt: skip


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Another phone, with cookies of its own."""
    driver = start_chromium(tmp_path_factory.mktemp("second"))
    driver.set_window_size(*PHONE)
    yield driver
    driver.quit()


@pytest.fixture
def server(tmp_path: Path, browser: webdriver.Chrome, empty: LiveTable) -> Iterator[Server]:
    """A table without an evening, open to everybody in the network; the browser is the host's."""
    empty.choose(open_table=True)
    with served(tmp_path, empty, browser) as server:
        yield server


def entered(server: Server, count: int) -> bool:
    session = server.stored().session
    return session is not None and session.hand is not None and len(session.hand.plays) == count


def enter(phone: webdriver.Chrome, card: str, *, by_typing: bool) -> None:
    """Enter a card in the dialog that is open."""
    if by_typing:
        typed = "f" if card == "F" else f"{card[0]}{'k' if card[1:] == 'R' else card[1:]}".lower()
        type_into(phone, "dialog input[name=typed]", typed + Keys.ENTER)
        return
    button = f"dialog button[name=card][value='{card}']"
    tap(phone, button)


def test_two_phones_enter_a_whole_hand_from_the_new_evening_to_the_result(browser, second, server):
    browser.set_window_size(*PHONE)
    browser.get(server.address)
    second.get(server.address + "language/en")
    tap(browser, ".menu summary")
    tap(browser, ".menu a[href='/open']")
    tap(browser, "dialog a[href='/open?game=tarot1659']")
    wait_for(browser, "dialog", "If several have the most points")
    for side, name in zip("SENW", ("Anna", "Bo", "Carl", "Dora"), strict=True):
        type_into(browser, f"dialog input[name=seat_{side}]", name)
    on_found(browser, "dialog input[name=cards]", lambda field: field.clear())
    type_into(browser, "dialog input[name=cards]", "3")
    browser.execute_script("document.querySelector('dialog select[name=dealer]').value = 'W'")
    tap(browser, "dialog form .button.main")
    wait_for(second, ".seat", "Dora")  # the other phone follows by itself
    tap(second, ".acts a[href='/start']")
    tap(second, "dialog .button.main")
    wait_for(browser, ".centre-note", "3 cards each. Anna leads.")

    phones = (browser, second)
    for phone in phones:
        tap(phone, ".acts a[href='/play']")
        wait_for(phone, "dialog h1", "Card played")
    for place, said in enumerate(HAND):
        player, card = said.split()
        phone = phones[place % 2]
        # The dialog has followed the other phone: whose turn it is, is chosen.
        wait_for(phone, f"dialog input[name=player][value={player}]:checked")
        if place == 8:
            wait_for(phone, "dialog", "Which card does Bo give for the fool?")
            tap(phone, "dialog a[href^='/tarot1659/fool']")
            wait_for(phone, "dialog h1", "Card for the fool")
            # Earlier tricks are hidden, so all cards are there to choose from.
            tap(phone, "dialog button[value=H2]")
            wait_for(phone, "dialog h1", "Card played")  # and back to the dialog
            until(lambda: server.stored().session.hand.given == "H2")
        enter(phone, card, by_typing=place in (5, 10))
        until(lambda count=place + 1: entered(server, count))

    for phone in phones:
        wait_for(phone, ".result", "Bo has the most points, 7, and wins the pot of 40")
        tap(phone, ".result summary")
        wait_for(phone, ".result li", "7 points")
        # The dialog closes by itself.
        gone(phone, "dialog[open]")
        wide = phone.execute_script("return document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
    tap(second, ".result .button.main")
    wait_for(browser, ".centre-note", "Bo leads.")
    session = server.stored().session
    assert session.balances == {"Dora": -20, "Anna": -20, "Bo": 20, "Carl": -20}
    assert session.pots == {"pot": 40}
