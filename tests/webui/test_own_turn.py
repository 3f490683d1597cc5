"""Whose turn it is, on his own phone: the seat glows, and it buzzes or sounds once where he wants that."""

from collections.abc import Iterator

import pytest

pytest.importorskip("selenium.webdriver")
from look import enters
from test_browser import wait_for
from webui_deals import OPENED, hand
from webui_states import State, Table, served_table

from tracker.danish.events import Adjusted
from tracker.events import CardPlayed

DEALT = hand(3)
PLAYS = [play for play in DEALT if isinstance(play, CardPlayed)]
FIRST, SECOND, *LATER = PLAYS
LISTEN = """
    window.said = [];
    Object.defineProperty(navigator, "vibrate", { value: () => { said.push("buzz"); return true; } });
    const Sounding = AudioContext;
    window.AudioContext = class extends Sounding { constructor() { super(); said.push("sound"); } };
"""


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with served_table() as table:
        yield table


@pytest.mark.parametrize(("chosen", "said"), [("", []), ("buzz", ["buzz"]), ("sound", ["sound"])])
def test_the_own_turn_is_told_once_as_its_player_chose_and_not_at_first(browser, table, chosen, said):
    table.shows(State(OPENED, DEALT[:1], seat=SECOND.player))
    enters(browser, table)
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LISTEN})
    try:
        _turns(browser, table, chosen, said)
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def _turns(browser, table, chosen, said):
    browser.get(table.address + (f"/reading/{chosen}?to=/" if chosen else ""))
    assert not browser.execute_script("return document.querySelector('.seat.own.turn')")
    glow = "return getComputedStyle(document.querySelector(arguments[0])).boxShadow"
    others = browser.execute_script(glow, ".seat.turn")
    happens(browser, table, FIRST)
    wait_for(browser, ".seat.own.turn", SECOND.player)
    assert browser.execute_script(glow, ".seat.own.turn") != others
    happens(browser, table, Adjusted(FIRST.player, SECOND.player, 5, "agreed"))
    wait_for(browser, ".seat.own .chips", str(abs(table.live.session.balances[SECOND.player])))
    assert browser.execute_script("return said") == said
    browser.refresh()  # what was told is not told again
    wait_for(browser, ".seat.own.turn", SECOND.player)
    assert browser.execute_script("return said") == []
    happens(browser, table, SECOND)
    wait_for(browser, ".seat.turn", LATER[0].player)  # another's turn is none of his
    assert browser.execute_script("return said") == []
    until = next(place for place, play in enumerate(LATER) if play.player == SECOND.player)
    for play in LATER[:until]:
        happens(browser, table, play)
    wait_for(browser, ".seat.own.turn", SECOND.player)
    assert browser.execute_script("return said") == said


def happens(browser, table, event):
    """It is entered, and the page hears of it: this server sends no news by itself."""
    table.live.enter(event)
    browser.execute_script("poll()")
