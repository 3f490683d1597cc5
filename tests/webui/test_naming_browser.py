"""A name is corrected in a real browser, where one is installed: amid a hand, on every screen, over a kill."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from test_typed_ahead import booked, open_dialog
from webui_browser import becomes_host, chips, gone, served, tap, type_into, wait_for
from webui_deals import OPENED, hand
from webui_line import Line
from webui_serving import Server
from webui_table import open_table
from webui_until import until


@pytest.fixture
def server(tmp_path: Path, browser: webdriver.Chrome) -> Iterator[Server]:
    """A hand in progress, without a camera; everything is shown, and the browser is the host's."""
    table = open_table(tmp_path, OPENED, *hand(3)[:19], fair_play=False)
    with served(tmp_path, table, browser) as server:
        yield server


def names(browser: webdriver.Chrome) -> set[str]:
    return set(
        browser.execute_script("return [...document.querySelectorAll('.seat .name b')].map(e => e.innerText)")
    )


def test_the_host_corrects_a_name_in_the_middle_of_a_hand(browser: webdriver.Chrome, server: Server) -> None:
    browser.get(server.address)
    wait_for(browser, ".seat", "Bo")
    before, played = chips(browser), len(browser.find_elements("css selector", ".trick-card"))
    host = browser.current_window_handle
    browser.switch_to.new_window("window")  # another screen, which nobody touches
    browser.get(server.address)
    wait_for(browser, ".seat", "Bo")
    other = browser.current_window_handle
    browser.switch_to.window(host)

    tap(browser, ".seat[href='/players/Bo']")
    tap(browser, "dialog a[href='/rename?player=Bo']")
    wait_for(browser, "dialog h1", "Correct the name")
    field = "dialog input[name=called]"
    browser.execute_script(f"document.querySelector('{field}').value = ''")
    type_into(browser, field, "carl")
    tap(browser, "dialog form[action='/rename'] .button.main")
    wait_for(browser, "body", "Carl already sits at the table.")
    # What was typed stays in the dialog.
    browser.execute_script(f"document.querySelector('{field}').value = ''")
    type_into(browser, field, "Bodil")
    tap(browser, "dialog form[action='/rename'] .button.main")
    for window in (host, other):
        browser.switch_to.window(window)
        until(lambda: names(browser) == {"Anna", "Bodil", "Carl"})
        assert sorted(chips(browser)) == sorted(before)
        assert len(browser.find_elements("css selector", ".trick-card")) == played
    browser.switch_to.window(host)
    gone(browser, "dialog[open]")

    server.kill()
    server.start()
    becomes_host(browser, server.host_link)
    browser.get(server.address)
    until(lambda: names(browser) == {"Anna", "Bodil", "Carl"})
    tap(browser, ".seat[href='/players/Bodil']")
    wait_for(browser, "dialog h1", "Bodil")
    assert not {"Bo"} & {play.player for play in server.stored().session.hand.plays}


def test_a_card_that_waited_for_the_line_is_of_the_player_by_his_new_name(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    with served(tmp_path, open_table(tmp_path, OPENED, hand(3)[0])) as server:
        line = Line(int(server.port))
        becomes_host(browser, re.sub(r"^http://[^/]+/", line.address, server.host_link))
        open_dialog(browser, line.address)
        tap(browser, "dialog input[name=player][value=Carl]")
        line.cut()
        tap(browser, "dialog .pick[value=S7]")
        wait_for(browser, "#queue", "Carl: ")
        phone = browser.current_window_handle
        browser.switch_to.new_window("window")
        browser.get(f"http://localhost:{server.port}/rename?player=Carl")  # the host has another line
        browser.execute_script("document.querySelector('input[name=called]').value = 'Karl'")
        tap(browser, "form[action='/rename'] .button.main")
        wait_for(browser, "body", "The name is now Karl")
        browser.close()
        browser.switch_to.window(phone)
        line.mend()
        until(lambda: booked(server) == [("Karl", "S7")])
        line.close()
