"""The club's wall and a player's page in a real browser, where one is installed: the wall follows the tables."""

from pathlib import Path

import cv2
import numpy as np
from club_server import ClubServer
from look import lit, sized, too_wide
from selenium import webdriver
from test_reachable import read
from webui_browser import wait_for
from webui_deals import OPENED, SIDES, hand

from tracker.events import SessionClosed
from tracker.store import EventStore
from webui.reporting.reporter import Reporter
from webui.table.live import LiveTable


def test_the_wall_follows_the_tables_and_a_players_page_has_the_evening(
    tmp_path: Path, club_server: ClubServer, browser: webdriver.Chrome
) -> None:
    table = LiveTable(EventStore(tmp_path / "evening.sqlite3"))
    table.open_evening(OPENED, SIDES)
    reporter = Reporter(table)
    try:
        browser.get(f"{club_server.admin_link}?lang=da")
        browser.find_element("css selector", "form[action^='/link/'] button").click()
        wait_for(browser, "#region-tables", "Ingen borde spiller lige nu")
        browser.get(f"{club_server.address}/tables?lang=da")
        browser.find_element("name", "name").send_keys("Bord 4")
        browser.find_element("css selector", "form[action='/tables/code'] button").click()
        wait_for(browser, "h2", "Bord 4:")
        code = browser.find_element("css selector", "h2 .num").text

        browser.get(f"{club_server.address}/?lang=da")
        reporter.join(club_server.address, code)
        wait_for(browser, ".club-table", "Bord 4")  # by the stream: nothing is loaded again
        for event in hand(3, revoke_in_trick=4)[:40]:
            table.enter(event)
        wait_for(browser, ".club-table", "spil 1, stik")
        for event in hand(3, revoke_in_trick=4)[40:]:
            table.enter(event)
        wait_for(browser, ".club-table.waits", "1 påtale venter på en dommer")
        browser.set_window_size(390, 800)
        assert too_wide(browser) == []
        browser.set_window_size(1280, 800)

        table.enter(SessionClosed())
        wait_for(browser, ".club-table.over", "afsluttet")
        browser.get(f"{club_server.address}/people?lang=da")
        browser.find_element("link text", "Anna").click()
        wait_for(browser, "h1", "Anna")
        wait_for(browser, ".dialog", "1 aften, 1 spil")
        person = browser.current_url.partition("?")[0]
        for lang in ("da", "en"):
            for page in (person, f"{club_server.address}/evenings/1"):
                assert read(browser, f"{page}?lang={lang}") == [], (page, lang)
        browser.get(f"{club_server.address}/ledger?lang=en")
        wait_for(browser, "h3", "Who owes whom")
        # The heading is no larger than the game's above it, and a table that fits has no shadow at its edge.
        small, large = browser.execute_script(
            "const size = (e) => parseFloat(getComputedStyle(document.querySelector(e)).fontSize);"
            "return [size('section h3'), size('section h2')]"
        )
        assert small < large
        lit(browser, "light")
        for width in (1300, 1366):
            sized(browser, width, 900)
            pixels = np.frombuffer(
                browser.find_element("css selector", ".ledger").screenshot_as_png, np.uint8
            )
            edge = cv2.imdecode(pixels, cv2.IMREAD_GRAYSCALE)[:10, -3:]
            assert edge.min() > 235, width
    finally:
        reporter.stop()
