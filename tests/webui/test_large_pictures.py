"""A flag's picture opens large in a real browser, with the table before the play, at it and after it."""

from pathlib import Path
from typing import Any

from test_clips import HAND, PLAYS, watched
from test_reachable import barriers, console
from webui_browser import served, tap, wait_for
from webui_deals import OPENED
from webui_table import open_table
from webui_until import until

from tracker.events import HandAbandoned, HandStarted


def test_a_flags_picture_opens_large_with_the_table_before_and_after(browser: Any, tmp_path: Path) -> None:
    """The hand is over and the program was killed since: the flag's pictures are there, the hand's own are gone."""
    table = open_table(tmp_path, OPENED)
    table.choose(keep_clips=True)
    table.enter(HAND[0])
    watched(table, 45.0, PLAYS[:18])
    table.enter(HandAbandoned(), HandStarted("Bo"))
    with served(tmp_path, table, browser) as server:
        assert list(tmp_path.glob("*.evidence/hand/*")) == []
        console(browser)
        browser.get(server.address + "hands/1")
        wait_for(browser, ".notice.flag", "Flag")
        link = "return document.querySelector('.notice.flag a.enlarge').getAttribute('href')"
        large = browser.execute_script(link)
        tap(browser, ".notice.flag a.enlarge")
        wait_for(browser, ".moment figcaption", "just before")
        loaded = "return [...document.querySelectorAll('.enlarged img.shot, .moment img')].map(e => e.naturalWidth)"
        until(lambda: browser.execute_script(loaded) == [183, 128, 128, 128])
        shown = "return document.querySelector('.moment img').getBoundingClientRect().width"
        assert browser.execute_script(shown) > 500
        assert barriers(browser) == []
        browser.get(f"{server.address}language/da?to={large}")
        wait_for(browser, ".moment figcaption", "lige før")
        assert barriers(browser) == [] and console(browser) == []
