"""A whole round of American Tarock in a real browser: bids, call, Talon, group, 48 cards, the score sheet."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from webui_browser import served, tap, wait_for
from webui_serving import Server
from webui_table import FOUR, open_table

from tracker.american.events import GroupTaken, PartnerCalled, TalonTurned
from tracker.american.game import AMERICAN
from tracker.american.words import WORDS
from tracker.events import CardPlayed, Event, HandStarted, SessionOpened
from webui.bench.dealing_american import hand_of_american

OPENED = SessionOpened("american-tarock", (), FOUR)


@pytest.fixture
def american(tmp_path: Path, browser) -> Iterator[Server]:
    """Four players and a round just dealt by Dora; the browser is the host's."""
    table = open_table(tmp_path, OPENED, HandStarted("Dora"), fair_play=False)
    with served(tmp_path, table, browser) as server:
        yield server


def a_two() -> list[Event]:
    """A Two that Anna, the first to bid, declares."""
    chance = random.Random(1)
    while True:
        events = hand_of_american(chance, OPENED, "two")
        if events[1].declarer == "Anna":  # type: ignore[attr-defined]
            return events


TAPPED = 4
"""So many cards at the beginning and at the end are tapped; those between are sent as the page sends them."""
SEND = """
    const [card, done] = arguments;
    const body = new URLSearchParams({ token: document.querySelector("dialog form [name=token]").value, card });
    fetch("/plays", { method: "POST", body }).then((answer) => done(answer.status));
"""


def tap_card(driver, card: str) -> None:
    tap(driver, f"dialog .panel-{'T' if card == 'F' else card[0]} button[value='{card}']")


def enter_round(driver, events: list[Event]) -> None:
    """Enter the round of `events` by tapping."""
    tap(driver, "a[href='/american/round']")
    for said, after in (
        ("two", "Bo bids"),
        ("pass", "Carl bids"),
        ("pass", "Dora bids"),
        ("pass", "Which king"),
    ):
        tap(driver, f"dialog form[action='/american/bids'] button[value='{said}']")
        wait_for(driver, "dialog", after)
    for event in events:
        if isinstance(event, PartnerCalled):
            tap(driver, f"dialog button[name='call'][value='{event.call}']")
        elif isinstance(event, TalonTurned):
            for number, card in enumerate(event.cards, start=1):
                wait_for(driver, "dialog h1", f"card {number} of 6")
                tap_card(driver, card)
            wait_for(driver, "dialog h1", "Which group is taken?")
        elif isinstance(event, GroupTaken):
            tap(driver, f"dialog button[name='group'][value='{event.group}']")
            wait_for(driver, "dialog", "Announcements")
            tap(driver, "dialog a.button.main[href='/play']")
    plays = [event for event in events if isinstance(event, CardPlayed)]
    for number, play in enumerate(plays, start=1):
        if TAPPED < number <= len(plays) - TAPPED:
            assert driver.execute_async_script(SEND, play.card) == 200
            continue
        wait_for(driver, "dialog h1", "Card played")
        tap_card(driver, play.card)
        if number < len(plays):
            # The dialog has followed: it offers to undo this very card.
            played = f"{play.player} played {WORDS.card_name(play.card)}"
            wait_for(driver, "dialog .undoing", played)


def test_a_finger_that_meets_pass_twice_passes_for_one_player(browser, american) -> None:
    browser.get(american.address + "?lang=en")
    tap(browser, "a[href='/american/round']")
    twice = """const tap = () => document.querySelector("dialog button[value='pass']").click(); tap();
        new MutationObserver((_, seen) => { seen.disconnect(); tap(); }).observe(
            document.querySelector("#dialog"), { subtree: true, characterData: true, childList: true });"""
    wait_for(browser, "dialog", "Anna bids")
    browser.execute_script(twice)
    wait_for(browser, "dialog", "Bo bids")
    time.sleep(1)
    wait_for(browser, "dialog", "Bo bids", seconds=1)


AGAIN = """
    addEventListener("click", ({ detail, clientX, clientY }) => { window.at ??= { detail, clientX, clientY }; }, true);
    const kings = new MutationObserver(() => {
        const king = document.querySelector("dialog button[name=call]");
        if (!king) return;
        kings.disconnect();
        king.dispatchEvent(new MouseEvent("click", { ...window.at, bubbles: true, cancelable: true }));
    });
    kings.observe(document.querySelector("#dialog"), { subtree: true, childList: true });
"""
"""Once the kings are shown, one of them is tapped at the place of the first tap."""


def test_a_finger_that_meets_the_last_pass_twice_calls_no_king(browser, american) -> None:
    """The kings stand where the bids stood."""
    for bid in ("three", "pass", "pass"):
        browser.get(american.address + "american/round?lang=en")
        browser.find_element("css selector", f"button[value='{bid}']").click()
        time.sleep(0.5)
    browser.get(american.address + "?lang=en")
    tap(browser, "a[href='/american/round']")
    wait_for(browser, "dialog", "Dora bids")
    browser.execute_script(AGAIN)
    browser.find_element("css selector", "dialog button[value='pass']").click()
    wait_for(browser, "dialog", "Which king")
    time.sleep(1)
    wait_for(browser, "dialog", "Which king", seconds=1)


def test_a_whole_round_is_tapped_from_the_bids_to_the_score_sheet(browser, american) -> None:
    browser.get(american.address)
    events = a_two()
    enter_round(browser, events)
    wait_for(browser, "#region-result", "is over")
    strict = AMERICAN.session(OPENED, strict=True)
    for event in events:
        strict.apply(event)
    record = american.stored().session
    assert record.balances == strict.balances
    wait_for(browser, "table.scores", "Two: Anna")
    assert "Next hand: Anna deals" in browser.page_source
