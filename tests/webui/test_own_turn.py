"""Whose turn it is, on his own phone: the seat glows, and it buzzes or sounds once where he wants that."""

import pytest
from look import enters
from webui_browser import wait_for
from webui_deals import OPENED, hand
from webui_states import State

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


@pytest.mark.parametrize(("chosen", "said"), [("", []), ("buzz", ["buzz"]), ("sound", ["sound"])])
def test_the_own_turn_is_told_once_as_its_player_chose_and_not_at_first(browser, shown, chosen, said):
    shown.shows(State(OPENED, DEALT[:1], seat=SECOND.player))
    enters(browser, shown)
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LISTEN})
    try:
        _turns(browser, shown, chosen, said)
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def _turns(browser, shown, chosen, said):
    browser.get(shown.address + (f"/reading/{chosen}?to=/" if chosen else ""))
    assert not browser.execute_script("return document.querySelector('.seat.own.turn')")
    glow = "return getComputedStyle(document.querySelector(arguments[0])).boxShadow"
    others = browser.execute_script(glow, ".seat.turn")
    happens(browser, shown, FIRST)
    wait_for(browser, ".seat.own.turn", SECOND.player)
    assert browser.execute_script(glow, ".seat.own.turn") != others
    happens(browser, shown, Adjusted(FIRST.player, SECOND.player, 5, "agreed"))
    wait_for(browser, ".seat.own .chips", str(abs(shown.live.session.balances[SECOND.player])))
    assert browser.execute_script("return said") == said
    browser.refresh()  # what was told is not told again
    wait_for(browser, ".seat.own.turn", SECOND.player)
    assert browser.execute_script("return said") == []
    happens(browser, shown, SECOND)
    wait_for(browser, ".seat.turn", LATER[0].player)  # another's turn is none of his
    assert browser.execute_script("return said") == []
    until = next(place for place, play in enumerate(LATER) if play.player == SECOND.player)
    for play in LATER[:until]:
        happens(browser, shown, play)
    wait_for(browser, ".seat.own.turn", SECOND.player)
    assert browser.execute_script("return said") == said


def happens(browser, shown, event):
    """It is entered, and the page hears of it: this server sends no news by itself."""
    shown.live.enter(event)
    browser.execute_script("poll()")
