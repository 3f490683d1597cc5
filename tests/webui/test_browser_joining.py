"""Joining in a real browser, where one is installed: scanning the code, asking the arbiter, a kill, the host's link."""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from selenium import webdriver
from selenium.common import exceptions
from selenium.webdriver.support.ui import WebDriverWait
from webui_browser import gone, served, tap, wait_for
from webui_deals import AT_FOUR, hand
from webui_hidden import at_four
from webui_serving import Server, Visitor
from webui_table import open_table
from webui_until import until

from webui.people.phones import Phones
from webui.serving.addresses import lan_addresses


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Server]:
    """Anna dealt to four, so Carl sits out; two tricks and a card are played. The network reaches it."""
    table = open_table(tmp_path, AT_FOUR, *map(at_four, hand(3)[:8]))
    with served(tmp_path, table, host="0.0.0.0") as server:
        yield server


def unplayed(server: Server) -> str:
    """A card that nobody has played."""
    played = {play.card for play in server.stored().session.hand.plays}
    return next(card for card in ("C2", "C3", "C4", "D2", "D3", "H2", "S2") if card not in played)


def scanned(browser: webdriver.Chrome) -> str:
    """What a phone reads from the code on the page that is open."""

    def read(browser: webdriver.Chrome) -> str:
        code = browser.find_element("css selector", "#region-invite .code")
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", code)
        picture = cv2.imdecode(np.frombuffer(code.screenshot_as_png, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        found, _, _ = cv2.QRCodeDetectorAruco().detectAndDecode(cv2.resize(picture, None, fx=3, fy=3))
        return found

    # The page may renew the code just when it is looked at.
    replaced = [exceptions.StaleElementReferenceException]
    return WebDriverWait(browser, 60, ignored_exceptions=replaced).until(read)


def as_new_phone(browser: webdriver.Chrome) -> None:
    """Go on as a phone that has never been here."""
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})


def goes_on_as(browser: webdriver.Chrome, address: str, cookies: list[dict[str, object]]) -> None:
    """Go on at `address` as the phone that has these cookies."""
    as_new_phone(browser)
    browser.get(address + "guide")
    for cookie in cookies:
        browser.add_cookie({"name": cookie["name"], "value": cookie["value"]})
    browser.get(address)


def join(browser: webdriver.Chrome, invitation: str, seat: str) -> None:
    as_new_phone(browser)
    browser.get(invitation)
    tap(browser, f"button[name=seat][value={seat}]")
    wait_for(browser, ".seat", seat)


@pytest.mark.skipif(not lan_addresses(), reason="this machine is on no network")
def test_a_phone_scans_the_code_joins_and_asks_and_who_sits_out_enters_it(browser, evening):
    browser.get(evening.host_link)
    wait_for(browser, "#region-invite", "0 telefoner er med")
    host = browser.get_cookies()
    invitation = scanned(browser)
    assert invitation.startswith(f"http://{lan_addresses()[0]}:{evening.port}/invitation/")
    base = invitation.partition("invitation/")[0]

    join(browser, invitation, "Bo")
    browser.get(base + "language/en")
    wait_for(browser, "#region-history", "Earlier tricks are hidden")
    assert not browser.find_elements("css selector", ".acts a[href='/fine'], a[href='/host'], .cup")
    first = evening.stored().session.hand.tricks[0]
    his = next(play for play in first.plays if play.player == "Bo")
    free = unplayed(evening)
    tap(browser, "a#ask-1")
    wait_for(browser, "dialog h1", "Correct an earlier trick")
    browser.execute_script("document.querySelector('dialog input[name=player][value=Bo]').click()")
    tap(browser, f"dialog button[value={free}]")
    wait_for(browser, ".notices", "1 entry waits for the arbiter")
    assert his.card in {one.card for one in evening.stored().session.hand.plays}

    # A seat that is taken does not look like one to tap.
    as_new_phone(browser)
    browser.get(invitation)
    looks = "return getComputedStyle(document.querySelector(`button[value=${arguments[0]}]`)).backgroundImage"
    taken, *others = [browser.execute_script(looks, name) for name in ("Bo", "Anna", "Carl")]
    assert taken == "none" and "none" not in others

    join(browser, invitation, "Carl")
    carl = browser.get_cookies()
    goes_on_as(browser, evening.address, host)
    tap(browser, "[id^=claim-] button[value=yes]")  # the host says that it is Carl's
    gone(browser, "[id^=claim-]")
    goes_on_as(browser, base, carl)
    browser.get(base + "language/en")
    wait_for(browser, ".notices", "Bo asks you to enter")
    wait_for(browser, ".acts", "Fine")
    tap(browser, "button[formaction='/asked/1/confirm']")
    gone(browser, "[id^=ask-]")
    after = evening.stored()
    assert after.session.hand.tricks[0].plays[first.plays.index(his)].card == free
    assert after.recorded[-1].by == "Carl"

    # In the next hand another sits out: Carl is a player like the others, and his page says so by itself.
    tap(browser, ".acts a[href='/more']")
    tap(browser, "dialog a[href='/abandon']")
    tap(browser, "dialog form[action='/abandon'] button")
    wait_for(browser, ".acts", "Start hand")
    tap(browser, ".acts a[href='/start']")
    tap(browser, "dialog .button.main")
    gone(browser, ".acts a[href='/fine']")


def test_who_has_not_joined_is_shown_how_to_and_nothing_else(browser, evening):
    as_new_phone(browser)
    for path in ("", "ledger", "players/Anna", "host"):
        browser.get(evening.address + path + "?lang=en")
        wait_for(browser, "h1", "You have not joined this table")
        wait_for(browser, "[role=alert]", "Scan the code on the laptop's screen")
        assert "Anna" not in browser.page_source.replace("players/Anna", "")
        assert not browser.find_elements("css selector", ".menu a[href='/ledger']")


def test_the_hosts_link_works_once_and_a_page_left_open_over_a_restart_still_enters(browser, evening):
    as_new_phone(browser)
    browser.get(evening.host_link)
    browser.get(evening.address + "language/en")
    wait_for(browser, ".status", "Hand 1")
    browser.execute_script("window.stayed = true")
    evening.kill()
    evening.start()
    tap(browser, ".acts a[href='/play']")
    free = unplayed(evening)
    tap(browser, f"dialog button[value={free}]")
    until(lambda: evening.stored().recorded[-1].by == "/host")
    wait_for(browser, f".trick-card[data-new$='-{free}']")
    assert browser.execute_script("return window.stayed") is True
    link = evening.host_link
    browser.get(link)  # the host's own page, opened once more: nothing is used up
    wait_for(browser, ".seat", "Anna")
    as_new_phone(browser)
    browser.get(link)
    wait_for(browser, ".seat", "Anna")
    as_new_phone(browser)
    browser.get(link + "?lang=en")
    wait_for(browser, "[role=alert]", "This link has been used:")


def test_a_phone_that_the_host_removes_is_told_how_to_join_by_itself(browser, evening):
    join(browser, f"{evening.address}invitation/{Phones(evening.path).invitation()}", "Bo")
    wait_for(browser, ".acts", "Spillet kort")
    host = Visitor(evening.address)
    (row,) = re.findall(r'<tr><th scope="row">Telefon (\d+)</th><td>Bo</td>', host.get("host"))
    host.post("host/phones", phone=row, do="remove", sure="yes")
    wait_for(browser, "h1", "Du er ikke med ved dette bord")
