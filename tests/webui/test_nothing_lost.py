"""What a person has chosen or tapped is there when others enter, the page is loaded again, or a finger was fast."""

import random
from typing import Any

import pytest
from look import enters, sized
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from webui_browser import gone, tap, wait_for
from webui_deals import AMERICAN, FRENCH, OPENED, hand
from webui_states import STATES, State, Table
from webui_until import until

from tracker.american.events import TalonTurned
from tracker.danish.combination import Combination
from tracker.danish.events import Declared, Fined
from tracker.events import CardPlayed, HandStarted, SessionClosed
from tracker.french.events import DogTurned
from webui.bench.dealing_american import hand_of_american
from webui.bench.dealing_french import hand_of_french

DECLARING = "declarations"


def opened(browser: Any, shown: Table, state: State) -> None:
    """The browser is the host's phone at a table in this `state`."""
    browser.get("about:blank")
    shown.shows(state)
    enters(browser, shown)
    sized(browser, 390, 844)
    browser.get(shown.address)


def chosen(browser: Any) -> list[str]:
    """What is chosen in the dialog, but for what it opened with."""
    return browser.execute_script(
        "return [...document.querySelectorAll('dialog .dialog input')].filter((e) => e.type === 'text' ? e.value :"
        " e.checked && !e.defaultChecked).map((e) => e.type === 'text' ? e.value : e.name + ' ' + e.value)"
    )


def test_what_is_chosen_in_a_dialog_stays_while_others_enter(browser, shown):
    opened(browser, shown, STATES[DECLARING])
    tap(browser, "a[href='/declare']")
    tap(browser, "dialog input[name=kings][value=full]")
    shown.live.enter(Declared("Carl", (Combination("trumps", count=10, pagat=False),)))
    browser.execute_script("poll()")
    wait_for(browser, "#region-felt", "10 trumps")
    assert chosen(browser) == ["kings full"]


def test_an_answer_that_comes_late_leaves_the_dialog_that_was_opened_meanwhile(browser, shown):
    opened(browser, shown, STATES[DECLARING])
    shown.delay_s = 2.5
    tap(browser, "a[href='/declare']")
    tap(browser, "dialog button[name=pass]")
    tap(browser, "dialog .close")
    tap(browser, ".acts a[href='/fine']")
    tap(browser, "dialog input[name=category][value=minor]")
    until(lambda: "Bo" in shown.live.session.hand.declared)
    until(lambda: not browser.execute_script("return sending"))
    assert chosen(browser) == ["category minor"]


def test_a_page_that_is_loaded_again_in_a_dialogs_midst_shows_it_with_what_was_chosen(browser, shown):
    opened(browser, shown, STATES["questions and flags"])
    tap(browser, "a[href='/fine']")
    tap(browser, "dialog input[name=player][value=Carl]")
    tap(browser, "dialog input[name=category][value=major]")
    browser.find_element("css selector", "dialog input[name=reason]").send_keys("looked at a trick")
    browser.refresh()
    wait_for(browser, "dialog h1", "Fine")
    until(lambda: chosen(browser) == ["player Carl", "category major", "looked at a trick"])
    tap(browser, "dialog button.main")
    gone(browser, "dialog[open]")
    last = shown.live.recorded[-1].event
    assert isinstance(last, Fined) and (last.player, last.reason) == ("Carl", "looked at a trick")
    browser.refresh()
    wait_for(browser, "#region-felt", "Anna")
    assert not browser.find_elements("css selector", "dialog[open]")


def test_words_that_were_typed_stay_when_another_hand_is_chosen(browser, shown):
    opened(browser, shown, State(OPENED, [*hand(3), HandStarted()]))
    browser.execute_script("open('/fine')")
    wait_for(browser, "dialog h1", "Fine")
    browser.find_element("css selector", "dialog input[name=reason]").send_keys("looked at a trick")
    tap(browser, "dialog summary")
    tap(browser, "dialog a[href*='hand=1']")
    wait_for(browser, "dialog h2", "Hand 1")
    assert chosen(browser) == ["looked at a trick"]


def test_the_way_back_closes_a_dialog_and_stays_at_the_table(browser, shown):
    opened(browser, shown, STATES[DECLARING])
    for _ in range(2):
        tap(browser, ".acts a[href='/fine']")
        wait_for(browser, "dialog h1", "Fine")
        browser.back()
        gone(browser, "dialog[open]")
        assert browser.current_url == shown.address + "/"


def test_the_way_back_answers_no_to_a_question_and_stays_on_its_page(browser, shown):
    opened(browser, shown, State(OPENED, [*hand(3), SessionClosed()]))
    browser.get(f"{shown.address}/host")
    for _ in range(2):
        form = "form[action='/host/evenings/delete'] button"
        browser.execute_script("document.querySelectorAll('details').forEach(e => e.open = true)")
        tap(browser, form)
        wait_for(browser, "dialog h1")
        browser.back()
        gone(browser, "dialog[open]")
        assert browser.current_url == f"{shown.address}/host" and shown.live.kept.all()


def test_once_a_dialog_is_closed_the_way_back_leaves_the_table_at_once(browser, shown):
    for again in (False, True):
        opened(browser, shown, STATES[DECLARING])
        browser.get(f"{shown.address}/rules")
        browser.get(shown.address)
        for _ in range(2):
            tap(browser, ".acts a[href='/fine']")
            wait_for(browser, "dialog h1", "Fine")
            tap(browser, "dialog .close")
            gone(browser, "dialog[open]")
        if again:
            browser.refresh()  # as the page does by itself now and then
            wait_for(browser, ".acts a[href='/fine']")
        browser.back()
        until(lambda: browser.current_url == f"{shown.address}/rules")


def test_cards_are_entered_and_undone_where_their_sheet_is_a_page_of_its_own(browser, shown):
    opened(browser, shown, STATES[DECLARING])
    browser.get(f"{shown.address}/play")
    for number, card in enumerate(("C2", "C3"), 1):
        tap(browser, f"button[name=card][value={card}]")
        until(lambda number=number: len(shown.live.session.hand.plays) == number)
        wait_for(browser, ".undoing", str(number + 1))
    tap(browser, ".undoing button")
    until(lambda: [one.card for one in shown.live.session.hand.plays] == ["C2"])


_TWO = hand_of_american(random.Random(10), AMERICAN, "two")
TURNED = {
    "the Talon": (AMERICAN, _TWO, TalonTurned, "/american/talon"),
    "the dog": (FRENCH, hand_of_french(random.Random(3), FRENCH, "garde"), DogTurned, "/french/dog"),
}


def typed_name(card: str) -> str:
    """`card` as a club member types it."""
    ranks = {"R": "k", "D": "q", "C": "n", "V": "j"}
    return "fool" if card == "F" else card[0].lower() + ranks.get(card[1:], card[1:])


@pytest.mark.parametrize("typed", [False, True], ids=["tapped", "typed"])
@pytest.mark.parametrize(("session", "events", "kind", "href"), TURNED.values(), ids=TURNED)
def test_cards_that_are_turned_up_may_be_entered_faster_than_the_table_answers(
    browser, shown, session, events, kind, href, typed
):
    turned = next(event for event in events if isinstance(event, kind))
    opened(browser, shown, State(session, events[: events.index(turned)]))
    browser.execute_script(f"open('{href}')")
    wait_for(browser, "dialog h1", "card 1 of 6")
    shown.delay_s = 0.3
    keys = ActionChains(browser, duration=0)
    for card in turned.cards:
        if typed:
            keys.send_keys(*typed_name(card), Keys.ENTER).pause(0.02)
        else:
            found = browser.find_element("css selector", f"dialog button[value='{card}']")
            browser.execute_script("arguments[0].click()", found)
    keys.perform()
    until(lambda: isinstance(shown.live.recorded[-1].event, kind))
    assert shown.live.recorded[-1].event == turned


def test_a_tab_is_not_closed_unasked_over_cards_that_wait(browser, shown):
    opened(browser, shown, STATES["practice"])
    tap(browser, ".acts a[href='/play']")
    asks = "const e = new Event('beforeunload', { cancelable: true }); return !dispatchEvent(e)"
    assert not browser.execute_script(asks)
    shown.delay_s = 1.5
    before = len(shown.live.recorded)
    tap(browser, "dialog button[value='S9']")
    assert browser.execute_script(asks)
    until(lambda: len(shown.live.recorded) > before)
    assert isinstance(shown.live.recorded[-1].event, CardPlayed)
    until(lambda: not browser.execute_script(asks))
