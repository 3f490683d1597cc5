"""The page can be read and worked by everybody: axe finds no barrier, and nothing lies over anything else.

A few states of all; `look.py` visits every one.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from look import SIZES, barriers, enters, faults, lit, sized
from selenium.webdriver.common.keys import Keys
from webui_browser import console, gone, served, tap, wait_for
from webui_deals import AT_FOUR
from webui_states import STATES, State, Table
from webui_table import open_table
from webui_until import until

from tracker.events import HandStarted, ResultChosen, SessionOpened
from webui.bench.dealing_french import hand_of_french

READ = {
    "nothing is open": ("/", "/guide"),
    "questions and flags": ("/", "/play", "/plays/3", "/fine", "/host", "/settle", "/ledger", "/me"),
    "settled": ("/", "/history/1", "/history/1/hands/1/review?after=30", "/history/1/hands/1/drill"),
    "set-up": ("/setup/game", "/setup/players", "/setup/ready"),
    "American bids": ("/", "/american/round"),
    "French play": ("/", "/play"),
}
"""States, and the pages of each, at which axe looks: in turn on a phone and on a laptop."""
SCREENS = (("da", (390, 844)), ("en", (1366, 768)))
CROWDED = (
    "demo",
    "three with four digits",
    "five with long names",
    "1659 with six",
    "American open Barach",
    "French with five",
    "American score sheet",
)


def test_the_numbers_of_a_result_fit_on_a_small_phone(browser: Any, tmp_path: Path) -> None:
    table = open_table(tmp_path, AT_FOUR, HandStarted("Dora"), ResultChosen())
    with served(tmp_path, table, browser) as server:
        sized(browser, 360, 740)
        browser.get(f"{server.address}/result?lang=da")
        assert browser.execute_script("return document.querySelectorAll('.choices.short').length") == 3
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("state", READ)
def test_axe_finds_no_barrier_and_the_console_is_empty(browser: Any, shown: Table, state: str) -> None:
    shown.shows(STATES[state])
    wrong = {}
    for place, (language, size) in enumerate(SCREENS):
        enters(browser, shown, language)
        sized(browser, *size)
        for path in READ[state][place::2]:
            found = read(browser, shown.address + path)
            if found:
                wrong[f"{path} {language}"] = found
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


def read(browser: Any, address: str) -> list[str]:
    """What axe and the console say of a page; in dark only its colours are other ones."""
    console(browser)
    lit(browser, "light")
    browser.get(address)
    wait_for(browser, "h1, main")
    found = barriers(browser)
    lit(browser, "dark")
    return found + barriers(browser, ("color-contrast",)) + console(browser)


def test_axe_finds_no_barrier_where_cards_are_shown_to_a_camera(
    browser: Any, tmp_path: Path, filmed: str
) -> None:
    with served(tmp_path, browser=browser, source=filmed) as server:
        for path in ("/setup/camera", "/setup/cards"):
            assert not read(browser, server.address.rstrip("/") + path)


@pytest.mark.parametrize("state", CROWDED)
def test_nothing_covers_a_card_or_is_out_of_sight_on_any_screen(
    browser: Any, shown: Table, state: str
) -> None:
    shown.shows(STATES[state])
    wrong = {}
    for letters in ("normal", "large"):
        enters(browser, shown, "da", letters)
        sized(browser, *SIZES[0])
        browser.get(shown.address)
        wait_for(browser, ".seat")
        for size in SIZES:
            sized(browser, *size)
            found = faults(browser)
            if found:
                wrong[f"{letters} {size}"] = found
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


def test_a_dialog_begins_with_its_first_control_and_the_arrows_go_from_card_to_card(
    browser: Any, shown: Table
) -> None:
    shown.shows(STATES["questions and flags"])
    enters(browser, shown)
    browser.get(shown.address)
    wait_for(browser, ".seat")
    browser.execute_script("document.querySelector('a[href=\"/play\"]').focus()")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait_for(browser, "dialog h1")
    until(lambda: browser.switch_to.active_element.get_attribute("name") == "player")
    cards = browser.find_elements("css selector", "dialog .panel-H .pick")
    names = [card.get_attribute("value") for card in cards]
    browser.execute_script("arguments[0].focus()", cards[0])

    def pressed(key: str) -> str:
        browser.switch_to.active_element.send_keys(key)
        return str(browser.switch_to.active_element.get_attribute("value"))

    assert [pressed(Keys.ARROW_RIGHT), pressed(Keys.ARROW_RIGHT), pressed(Keys.ARROW_LEFT)] == [
        names[1],
        names[2],
        names[1],
    ]
    assert pressed(Keys.ARROW_UP) == "S2" and pressed(Keys.ARROW_DOWN) == names[1]
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    gone(browser, "dialog[open]")
    assert browser.switch_to.active_element.get_attribute("href").endswith("/play")


def picks_on_a_phone(browser: Any, shown: Table, state: str) -> None:
    """The host opens the cards to tap on a small phone."""
    shown.shows(STATES[state])
    enters(browser, shown)
    sized(browser, 360, 740)
    browser.get(shown.address)
    tap(browser, "a[href='/play']")


def test_what_is_asked_beside_the_cards_covers_none_of_them(browser: Any, shown: Table) -> None:
    picks_on_a_phone(browser, shown, "1659 owes a card for the fool")
    wait_for(browser, "dialog .deciding", "for the fool")
    covered = browser.execute_script(
        "const { top } = document.querySelector('dialog .deciding').getBoundingClientRect();"
        "return [...document.querySelectorAll('dialog .pick')].filter("
        " (e) => e.getBoundingClientRect().bottom > top).map((e) => e.value)"
    )
    assert covered == []


def test_what_was_played_is_said_above_the_button_that_undoes_it(browser: Any, shown: Table) -> None:
    picks_on_a_phone(browser, shown, "American play")
    wait_for(browser, "dialog .undoing", "Undo")
    note, undo = browser.execute_script(
        "toast('Anne-Marie played the 10 of spades. The trick is Poul Erik’s.', false);"
        "return ['#toast', 'dialog .undoing'].map((e) => document.querySelector(e).getBoundingClientRect())"
    )
    assert note["height"] > 40 and note["bottom"] <= undo["top"]
    note, undo = browser.execute_script(
        "toast('Anne-Marie played the 10 of spades. The trick is Poul Erik’s. '.repeat(3), false);"
        "return ['#toast', 'dialog .undoing'].map((e) => document.querySelector(e).getBoundingClientRect())"
    )
    assert note["top"] >= undo["bottom"], "a long one stands below it"


def test_what_an_entry_did_leaves_undo_in_sight_also_where_the_page_is_scrolled(
    browser: Any, shown: Table
) -> None:
    shown.shows(STATES["questions and flags"])
    enters(browser, shown)
    sized(browser, 360, 740)
    browser.get(shown.address)
    note, undo = browser.execute_script(
        "document.querySelectorAll('.notice details').forEach((e) => { e.open = true; });"
        "scrollBy(0, document.querySelector('a[href=\"/undo\"]').getBoundingClientRect().top - 12);"
        "toast('Carl played the 10 of spades.', true);"
        "return ['#toast', 'a[href=\"/undo\"]'].map((e) => document.querySelector(e).getBoundingClientRect())"
    )
    assert 0 <= undo["top"] < 60 and note["top"] >= undo["bottom"]


def test_a_score_sheet_shows_its_names_in_full_and_the_result_on_the_felt_is_no_narrow_column(
    browser: Any, shown: Table
) -> None:
    names = ("Anne-Margrethe", "Christoffer", "Chloé", "Dominique", "Frederikke")
    opened = SessionOpened("french-tarot", (), names)
    shown.shows(State(opened, hand_of_french(random.Random(2), opened, "garde")))
    enters(browser, shown, "fr")
    sized(browser, 1280, 800)
    browser.get(shown.address)
    wait_for(browser, ".scores", "Garde")
    cut = "return [...document.querySelectorAll('.scores th')].filter((e) => e.scrollWidth > e.clientWidth).length"
    assert browser.execute_script(cut) == 0
    lines = (
        "return [...document.querySelectorAll('.scores thead th, .scores th small')].map((e) => {"
        " const all = document.createRange(); all.selectNodeContents(e); return all.getClientRects().length; })"
    )
    assert set(browser.execute_script(lines)) == {1}
    sizes = (
        "return [...document.querySelectorAll('.banners span')].map((e) => [e.clientWidth, e.clientHeight])"
    )
    assert all(width > height for width, height in browser.execute_script(sizes))


def test_a_flag_is_said_once(browser: Any, shown: Table) -> None:
    """What stood there is not said again when something else is entered, and what comes is said in full."""
    shown.shows(STATES["questions and flags"])
    enters(browser, shown)
    browser.get(shown.address)
    wait_for(browser, ".notice.flag")
    said = "return document.getElementById('announcer').textContent"
    assert browser.execute_script(said) == ""
    live = (
        "return document.querySelectorAll('#region-notices[aria-live], #region-notices [aria-live]').length"
    )
    assert browser.execute_script(live) == 0
    browser.execute_script(
        "const region = document.getElementById('region-notices'); const html = region.innerHTML;"
        "const more = html + '<article id=\"question-999\"><h3>Which card?</h3><p>Trick 7.</p></article>';"
        "show({ version: 1, menu: document.body.dataset.menu, regions: { notices: more } });"
    )
    assert browser.execute_script(said) == "Which card? Trick 7."
    browser.execute_script(
        "document.getElementById('announcer').textContent = '';"
        "show({ version: 2, menu: document.body.dataset.menu, regions: "
        "{ notices: document.getElementById('region-notices').innerHTML + ' ' } });"
    )
    assert browser.execute_script(said) == ""
