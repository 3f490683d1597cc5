"""What a person has chosen or tapped is there when others enter, the page is loaded again, or a finger was fast."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from webui_states import STATES, State, Table, served_table
from webui_table import FOUR

pytest.importorskip("selenium.webdriver")
from look import enters, sized
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from test_browser import tap, wait_for

from tracker.american.events import TalonTurned
from tracker.danish.combination import Combination
from tracker.danish.events import Declared, Fined
from tracker.events import CardPlayed, SessionOpened
from tracker.french.events import DogTurned
from webui.bench.dealing_american import hand_of_american
from webui.bench.dealing_french import hand_of_french

DECLARING = "declarations"


@pytest.fixture
def served() -> Iterator[Table]:
    with served_table() as table:
        yield table


def opened(browser: Any, served: Table, state: State) -> None:
    """The browser is the host's phone at a table in this `state`."""
    browser.get("about:blank")
    served.shows(state)
    enters(browser, served)
    sized(browser, 390, 844)
    browser.get(served.address)


def chosen(browser: Any) -> list[str]:
    """What is chosen in the dialog, but for what it opened with."""
    return browser.execute_script(
        "return [...document.querySelectorAll('dialog .dialog input')].filter((e) => e.type === 'text' ? e.value :"
        " e.checked && !e.defaultChecked).map((e) => e.type === 'text' ? e.value : e.name + ' ' + e.value)"
    )


def until(browser: Any, done: Any) -> None:
    WebDriverWait(browser, 60, 0.03).until(lambda _: done())


def test_what_is_chosen_in_a_dialog_stays_while_others_enter(browser, served):
    opened(browser, served, STATES[DECLARING])
    tap(browser, "a[href='/declare']")
    tap(browser, "dialog input[name=kings][value=full]")
    served.live.enter(Declared("Carl", (Combination("trumps", count=10, pagat=False),)))
    browser.execute_script("poll()")
    wait_for(browser, "#region-felt", "10 trumps")
    assert chosen(browser) == ["kings full"]


def test_an_answer_that_comes_late_leaves_the_dialog_that_was_opened_meanwhile(browser, served):
    opened(browser, served, STATES[DECLARING])
    served.delay_s = 2.5
    tap(browser, "a[href='/declare']")
    tap(browser, "dialog button[name=pass]")
    tap(browser, "dialog .close")
    tap(browser, ".acts a[href='/fine']")
    tap(browser, "dialog input[name=category][value=minor]")
    until(browser, lambda: "Bo" in served.live.session.hand.declared)
    until(browser, lambda: not browser.execute_script("return sending"))
    assert chosen(browser) == ["category minor"]


def test_a_page_that_is_loaded_again_in_a_dialogs_midst_shows_it_with_what_was_chosen(browser, served):
    opened(browser, served, STATES["questions and flags"])
    tap(browser, "a[href='/fine']")
    tap(browser, "dialog input[name=player][value=Carl]")
    tap(browser, "dialog input[name=category][value=major]")
    browser.find_element(By.CSS_SELECTOR, "dialog input[name=reason]").send_keys("looked at a trick")
    browser.refresh()
    wait_for(browser, "dialog h1", "Fine")
    until(browser, lambda: chosen(browser) == ["player Carl", "category major", "looked at a trick"])
    tap(browser, "dialog button.main")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "dialog[open]"))
    last = served.live.recorded[-1].event
    assert isinstance(last, Fined) and (last.player, last.reason) == ("Carl", "looked at a trick")
    browser.refresh()
    wait_for(browser, "#region-felt", "Anna")
    assert not browser.find_elements(By.CSS_SELECTOR, "dialog[open]")


def test_names_that_were_typed_stay_when_another_game_is_chosen(browser, served):
    opened(browser, served, STATES["nothing is open"])
    browser.execute_script("open('/open')")
    tap(browser, "dialog input[name=seat_S]")
    browser.find_element(By.CSS_SELECTOR, "dialog input[name=seat_S]").send_keys("Anna")
    tap(browser, "dialog a[href='/open?game=french']")
    wait_for(browser, "dialog [aria-current]", "French Tarot")
    assert browser.find_element(By.CSS_SELECTOR, "dialog input[name=seat_S]").get_property("value") == "Anna"


def test_the_way_back_closes_a_dialog_and_stays_at_the_table(browser, served):
    opened(browser, served, STATES[DECLARING])
    for _ in range(2):
        tap(browser, ".acts a[href='/fine']")
        wait_for(browser, "dialog h1", "Fine")
        browser.back()
        until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "dialog[open]"))
        assert browser.current_url == served.address + "/"


def test_cards_are_entered_and_undone_where_their_sheet_is_a_page_of_its_own(browser, served):
    opened(browser, served, STATES[DECLARING])
    browser.get(f"{served.address}/play")
    for number, card in enumerate(("C2", "C3"), 1):
        tap(browser, f"button[name=card][value={card}]")
        until(browser, lambda number=number: len(served.live.session.hand.plays) == number)
        wait_for(browser, ".undoing", str(number + 1))
    tap(browser, ".undoing button")
    until(browser, lambda: [one.card for one in served.live.session.hand.plays] == ["C2"])


_AMERICAN = SessionOpened("american-tarock", (), FOUR)
_FRENCH = SessionOpened("french-tarot", (), FOUR)
_TWO = hand_of_american(random.Random(10), _AMERICAN, "two")
TURNED = {
    "the Talon": (_AMERICAN, _TWO, TalonTurned, "/american/talon"),
    "the dog": (_FRENCH, hand_of_french(random.Random(3), _FRENCH, "garde"), DogTurned, "/french/dog"),
}


def typed_name(card: str) -> str:
    """`card` as a club member types it."""
    ranks = {"R": "k", "D": "q", "C": "n", "V": "j"}
    return "fool" if card == "F" else card[0].lower() + ranks.get(card[1:], card[1:])


@pytest.mark.parametrize("typed", [False, True], ids=["tapped", "typed"])
@pytest.mark.parametrize(("session", "events", "kind", "href"), TURNED.values(), ids=TURNED)
def test_cards_that_are_turned_up_may_be_entered_faster_than_the_table_answers(
    browser, served, session, events, kind, href, typed
):
    turned = next(event for event in events if isinstance(event, kind))
    opened(browser, served, State(session, events[: events.index(turned)]))
    browser.execute_script(f"open('{href}')")
    wait_for(browser, "dialog h1", "card 1 of 6")
    served.delay_s = 0.3
    keys = ActionChains(browser, duration=0)
    for card in turned.cards:
        if typed:
            keys.send_keys(*typed_name(card), Keys.ENTER).pause(0.02)
        else:
            found = browser.find_element(By.CSS_SELECTOR, f"dialog button[value='{card}']")
            browser.execute_script("arguments[0].click()", found)
    keys.perform()
    until(browser, lambda: isinstance(served.live.recorded[-1].event, kind))
    assert served.live.recorded[-1].event == turned


def test_a_tab_is_not_closed_unasked_over_cards_that_wait(browser, served):
    opened(browser, served, STATES["practice"])
    tap(browser, ".acts a[href='/play']")
    asks = "const e = new Event('beforeunload', { cancelable: true }); return !dispatchEvent(e)"
    assert not browser.execute_script(asks)
    served.delay_s = 1.5
    before = len(served.live.recorded)
    tap(browser, "dialog button[value='S9']")
    assert browser.execute_script(asks)
    until(browser, lambda: len(served.live.recorded) > before)
    assert isinstance(served.live.recorded[-1].event, CardPlayed)
    until(browser, lambda: not browser.execute_script(asks))
