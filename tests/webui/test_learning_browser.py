"""Learning in a real browser: practice on a phone, the review's slider by its keys, questions by the keyboard."""

import random
import urllib.error
import urllib.request

import pytest
from look import enters, sized, too_wide
from selenium.webdriver.common.keys import Keys
from webui_browser import becomes_host, tap, wait_for
from webui_deals import hand
from webui_states import State
from webui_table import NAMES

from tracker.events import SessionOpened
from tracker.store import EventStore
from webui.bench.dealing_french import hand_of_french

COUNTED = "return [...document.querySelectorAll('#region-aids .counted dd')].map(e => +e.innerText)"


def test_the_host_switches_practice_on_and_a_player_enters_his_trumps_by_two_taps(browser, server):
    sized(browser, 390, 844)
    browser.get(server.address + "me?lang=en")
    tap(browser, "form[action='/me'] button[value='Bo']")
    wait_for(browser, "#toast", "This is Bo")
    browser.get(server.address + "host?lang=en")
    tap(browser, "#host-before > summary")
    tap(browser, "form[action='/host/choices/training'] button[value='yes']")
    wait_for(browser, "#toast", "Practice is on")
    browser.get(server.address + "?lang=en")
    wait_for(browser, "#region-practice", "The page counts along, on every screen")
    seen, out = browser.execute_script(COUNTED)
    assert seen + out == 22
    tap(browser, "#aids-own")
    tap(browser, "#dialog button[name=number][value='2']")
    wait_for(browser, "#region-aids", "in my hand")
    assert browser.execute_script(COUNTED) == [seen, out, 2, out - 2]
    assert too_wide(browser) == []
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(server.address + "training")  # a stranger is told nothing
    browser.get(server.address + "host?lang=en")
    tap(browser, "#host-before > summary")
    tap(browser, "form[action='/host/choices/training'] button[value='no']")
    wait_for(browser, "#toast", "Practice is off")
    browser.get(server.address + "?lang=en")
    assert "The page counts along, on every screen" not in browser.page_source
    assert browser.execute_script(COUNTED) == []


def test_the_review_goes_on_by_its_slider_and_questions_are_answered_by_the_keyboard(browser, server):
    server.kill()
    store = EventStore(server.path)
    for event in hand(3, revoke_in_trick=4)[19:]:
        store.append(event)
    store.close()
    server.start()
    becomes_host(browser, server.host_link)
    browser.get(server.address + "history/1/hands/1/review?after=0")
    slider = browser.find_element("id", "slider")
    slider.send_keys(Keys.ARROW_RIGHT)
    wait_for(browser, "#review", "after play 1 of 75")
    slider.send_keys(Keys.END)
    wait_for(browser, "#review", "after play 75 of 75")
    assert browser.current_url.endswith("after=75")
    assert slider.get_attribute("aria-valuetext") == "after play 75 of 75"
    tap(browser, "[data-step='-1']")
    wait_for(browser, "#review", "after play 74 of 75")
    assert browser.execute_script("return document.activeElement.dataset.step") == "-1"
    browser.get(
        server.address + "history/1/hands/1/drill?seed=3&lang=en"
    )  # seed 3: a number is asked for first
    field = browser.find_element("css selector", "input[name=answer]")
    field.send_keys("22", Keys.ENTER)
    wait_for(browser, ".judged", "Still out: ")
    assert browser.execute_script("return document.activeElement.id") == "go-on"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait_for(browser, "h1", "Question 2 of 10")
    assert [line for line in browser.get_log("browser") if "/learn" in line["message"]] == []


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_cards_of_a_trick_lie_side_by_side_large_enough_on_a_phone(browser, shown, players):
    """At least 56 px wide on a screen of 390 px."""
    opened = SessionOpened("french-tarot", (), NAMES[:players])
    sized(browser, 390, 844)
    shown.shows(State(opened, hand_of_french(random.Random(2), opened, "garde")))
    enters(browser, shown)
    browser.get(f"{shown.address}/history/1/hands/1/review?after={players * 5}")
    cards = browser.execute_script(
        "return [...document.querySelectorAll('.laid .card')].map(e => e.getBoundingClientRect().toJSON())"
    )
    assert len(cards) == players
    assert len({card["top"] for card in cards}) == 1 and min(card["width"] for card in cards) >= 56
    assert too_wide(browser) == []
