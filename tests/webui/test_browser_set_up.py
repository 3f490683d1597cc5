"""The set-up in a real browser: a host, a camera over a table, and a table without one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from webui_browser import console, served, tap, type_into, wait_for
from webui_serving import Server
from webui_table_camera import LAID, SHOWN, table_camera, table_with
from webui_until import until

PATIENCE_S = 120
"""Seconds within which the eyes have seen a card also on a computer that is busy with other tests."""


@pytest.fixture
def new_table(tmp_path: Path) -> Iterator[Server]:
    """A program at whose table nobody has played, which asks for a camera."""
    with served(tmp_path, source="") as server:
        yield server


def shows(driver: webdriver.Chrome, selector: str, words: str) -> None:
    wait_for(driver, selector, words, PATIENCE_S)


def on(driver: webdriver.Chrome, step: str) -> None:
    until(lambda: driver.current_url.endswith(f"/setup/{step}"), PATIENCE_S)


def speak(driver: webdriver.Chrome, server: Server, code: str) -> None:
    cookie = {"name": "tarok_lang", "value": code, "url": server.address}
    driver.execute_cdp_cmd("Network.setCookie", cookie)
    driver.get(server.host_link)  # it leads to the set-up
    console(driver)  # what an earlier server left


def name_players(driver: webdriver.Chrome, *names: str) -> None:
    fields = driver.find_elements("name", "name")
    for field, name in zip(fields, names, strict=False):
        field.clear()
        field.send_keys(name)


def test_a_table_is_set_up_with_a_camera(browser, new_table):
    bare = table_with()
    with table_camera(bare) as camera:
        speak(browser, new_table, "da")
        on(browser, "game")
        tap(browser, ".way-on .main")
        on(browser, "camera")
        browser.execute_script("document.querySelector('.dialog details').open = true")
        type_into(browser, ".dialog details input[name=address]", camera.url)
        tap(browser, ".dialog details .button")
        shows(browser, ".tried", "1280×720")
        tap(browser, ".offer[value=tried]")
        live = "return [...document.querySelectorAll('img.live')].some(e => e.naturalWidth)"
        until(lambda: browser.execute_script(live), PATIENCE_S)
        tap(browser, ".way-on .main")
        on(browser, "cards")
        camera.picture = table_with(*SHOWN)
        shows(browser, ".checks .good", "Jeg kan læse dette kort: hjerter dame.")
        shows(browser, ".checks .good", "2 bagsider er lært.")
        camera.picture = bare
        tap(browser, ".way-on .main")
        on(browser, "players")
        name_players(browser, *LAID)
        tap(browser, ".dialog details .button.main")
        for count, name in enumerate(LAID, start=1):
            shows(browser, ".lay-now", f"{name}: læg et kort foran dig")
            camera.picture = table_with(*list(LAID.values())[:count])
            shows(browser, ".seats-found .good", name)
        shows(browser, ".lay-now.done", "Der spilles i rækkefølgen: Anna, Bo, Carl, Dora.")
        tap(browser, ".way-on .main")
        on(browser, "ready")
        tap(browser, ".way-on .main")
        until(lambda: re.fullmatch(r"http://[^/]+/", browser.current_url), PATIENCE_S)
        shows(browser, ".seat .name", "Dora")
        assert console(browser) == []


def test_whoever_leaves_a_step_by_a_link_keeps_what_was_chosen_there(browser, new_table):
    speak(browser, new_table, "en")
    tap(browser, "input[value='pagat-1996'] + span, label:has(input[value='pagat-1996'])")
    tap(browser, ".steps a[href='/setup/camera']")
    on(browser, "camera")
    tap(browser, "button[name=source][value=none]")
    on(browser, "players")
    name_players(browser, "Anna", "Bo", "Carl")
    tap(browser, ".way-on a[href='/setup/camera']")
    on(browser, "camera")
    tap(browser, ".steps a[href='/setup/ready']")
    shows(browser, ".checks", "J. B. Christiansen 1996")
    shows(browser, ".checks", "Anna, Bo, Carl")


def test_names_that_are_refused_are_not_left_unsaid(browser, new_table):
    speak(browser, new_table, "en")
    browser.get(new_table.address + "setup/players")
    name_players(browser, "Anna", "Bo")
    tap(browser, ".steps a[href='/setup/game']")
    shows(browser, "#toast", "3 to 5 players")
    tap(browser, ".steps a[href='/setup/game']")
    on(browser, "game")


@pytest.mark.parametrize(("code", "word"), [("en", "camera"), ("da", "kamera")])
def test_a_table_is_set_up_without_a_camera(browser, new_table, code, word):
    speak(browser, new_table, code)
    tap(browser, ".way-on .main")
    on(browser, "camera")
    tap(browser, "button[name=source][value=none]")
    on(browser, "players")
    name_players(browser, "Anna", "Bo", "Carl")
    tap(browser, ".dialog details .button.main")
    on(browser, "ready")
    text = browser.find_element("css selector", ".dialog .checks").text
    assert word not in text.lower()
    tap(browser, "input[name=dealer][value=E]")
    tap(browser, ".way-on .main")
    until(lambda: re.fullmatch(r"http://[^/]+/", browser.current_url), PATIENCE_S)
    shows(browser, ".seat .name", "Carl")
    assert word not in browser.find_element("id", "main").text.lower()
    assert console(browser) == []


def test_teaching_waits_for_a_computer_that_is_away(browser, tmp_path):
    with table_camera(table_with()) as camera, served(tmp_path, source=camera.url) as server:
        speak(browser, server, "en")
        browser.get(server.address + "decks")
        assert "Another deck" not in browser.page_source  # than which? There is none
        type_into(browser, "input[name=name]", "Grandma")
        tap(browser, "form[action='/decks/teach'] button")
        shows(browser, "#dialog-title", "Show the cards of Grandma")
        server.kill()
        shows(browser, "#connection", "No connection to the table's computer")
        server.start()
        shows(browser, "#dialog-title", "Decks")  # the program has forgotten that it was teaching
