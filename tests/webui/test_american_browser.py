"""American Tarock in a real browser: a finger that meets a button twice says one thing; a refused card gives way."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys
from webui_browser import served, tap, type_into, wait_for
from webui_serving import Server
from webui_table import FOUR, open_table

from tracker.events import HandStarted, SessionOpened

OPENED = SessionOpened("american-tarock", (), FOUR)


@pytest.fixture
def american(tmp_path: Path, browser) -> Iterator[Server]:
    """Four players and a round just dealt by Dora; the browser is the host's."""
    table = open_table(tmp_path, OPENED, HandStarted("Dora"), fair_play=False)
    with served(tmp_path, table, browser) as server:
        yield server


def test_a_finger_that_meets_pass_twice_passes_for_one_player(browser, american) -> None:
    browser.get(american.address + "?lang=en")
    tap(browser, "a[href='/american/round']")
    twice = """const tap = () => document.querySelector("dialog button[value='pass']").click(); tap();
        new MutationObserver((_, seen) => { seen.disconnect(); tap(); }).observe(
            document.querySelector("#dialog"), { subtree: true, characterData: true, childList: true });"""
    wait_for(browser, "dialog", "Anna bids")
    browser.execute_script(twice)
    wait_for(browser, "dialog", "Bo bids")
    time.sleep(1)
    wait_for(browser, "dialog", "Bo bids", seconds=1)


AGAIN = """
    addEventListener("click", ({ detail, clientX, clientY }) => { window.at ??= { detail, clientX, clientY }; }, true);
    const kings = new MutationObserver(() => {
        const king = document.querySelector("dialog button[name=call]");
        if (!king) return;
        kings.disconnect();
        king.dispatchEvent(new MouseEvent("click", { ...window.at, bubbles: true, cancelable: true }));
    });
    kings.observe(document.querySelector("#dialog"), { subtree: true, childList: true });
"""
"""Once the kings are shown, one of them is tapped at the place of the first tap."""


def test_a_finger_that_meets_the_last_pass_twice_calls_no_king(browser, american) -> None:
    """The kings stand where the bids stood."""
    for bid in ("three", "pass", "pass"):
        browser.get(american.address + "american/round?lang=en")
        browser.find_element("css selector", f"button[value='{bid}']").click()
        time.sleep(0.5)
    browser.get(american.address + "?lang=en")
    tap(browser, "a[href='/american/round']")
    wait_for(browser, "dialog", "Dora bids")
    browser.execute_script(AGAIN)
    browser.find_element("css selector", "dialog button[value='pass']").click()
    wait_for(browser, "dialog", "Which king")
    time.sleep(1)
    wait_for(browser, "dialog", "Which king", seconds=1)


def test_what_is_typed_after_a_refused_card_takes_its_place(browser, american) -> None:
    browser.get(american.address + "?lang=en")
    browser.execute_script("open('/american/talon')")
    wait_for(browser, "dialog h1", "card 1 of 6")
    typed = "dialog input[name=typed]"
    type_into(browser, typed, "t33" + Keys.ENTER)
    wait_for(browser, "#toast", "“t33” is not a card.")
    type_into(browser, typed, "t3" + Keys.ENTER)
    wait_for(browser, "dialog h1", "card 2 of 6")
