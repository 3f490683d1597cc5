"""The page in a real browser, where one is installed: tapping, the balance that follows, languages, a kill."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from look import sized
from selenium import webdriver
from webui_browser import chips, gone, served, tap, type_into, wait_for
from webui_deals import AT_FOUR, OPENED, SIDES, hand
from webui_serving import Server
from webui_table import open_table
from webui_until import until

from tracker.events import HandAbandoned, HandStarted


def test_a_card_put_right_with_two_taps_moves_the_chips(browser, server):
    """Once the last card is a king that lost the trick, it is paid for; undone, it is not."""
    table = server.stored()
    played = {play.card for play in table.session.hand.plays}
    wrong = table.session.hand.plays[-1]
    # A king that loses the trick costs its player 5 to each of the others and 5 to the pot.
    led = table.session.hand.tricks[-1].suit
    king = next(f"{suit}R" for suit in "SHDC" if f"{suit}R" not in played and suit != led)
    browser.get(server.address)
    wait_for(browser, ".seat", wrong.player)
    before = chips(browser)
    tap(browser, f"#card-{wrong.seq}")
    tap(browser, f"dialog button[value='{king}']")
    # The stream may tell of the chips before the entry's own answer closes the dialog.
    until(lambda: chips(browser) != before)
    gone(browser, "dialog[open]")
    place = list(SIDES).index(wrong.player)
    changed = [now - then for now, then in zip(chips(browser), before, strict=True)]
    assert changed[place] == -15 and sum(changed) == -5
    tap(browser, "a[href='/undo']")
    tap(browser, "dialog .button.main")
    until(lambda: chips(browser) == before)


def test_the_player_who_was_tapped_stays_chosen_when_the_dialog_follows_news_of_the_table(browser, server):
    browser.get(server.address)
    tap(browser, "a[href='/play']")
    wait_for(browser, "dialog", "Card played")
    other = "dialog input[name=player]:not([checked])"
    tap(browser, other)
    browser.execute_script("document.querySelector('dialog form').id = 'before'; refresh()")
    gone(browser, "#before")
    wait_for(browser, "dialog form")
    assert browser.execute_script(f"return document.querySelector('{other}').checked")


def test_a_dialog_in_which_another_phone_was_faster_shows_how_it_stands_now(browser, server):
    browser.get(server.address)
    for_another_phone(browser, server)
    tap(browser, "a[href='/undo']")
    wait_for(browser, "dialog li")
    first = "return document.querySelector('dialog li')?.textContent"  # the dialog may be drawn anew at any moment
    before = browser.execute_script(first)
    for_another_phone(browser, server)
    tap(browser, "dialog .button.main")
    wait_for(browser, "#toast.wrong", "something newer was entered")
    until(lambda: browser.execute_script(first) not in (None, before))


def for_another_phone(browser: webdriver.Chrome, server: Server) -> None:
    """Enter a card that nobody has played yet, as another phone does: the page only hears of it."""
    hand = server.stored().session.hand
    card = min(set(hand.pack.cards) - {"F", *(play.card for play in hand.plays)})
    browser.execute_script(
        "const token = document.getElementById('queue').dataset.token;"
        "fetch('/plays', { method: 'POST', body: new URLSearchParams({ token, card: arguments[0] }) })",
        card,
    )
    until(lambda: card in {play.card for play in server.stored().session.hand.plays})


def test_whoever_taps_cards_says_who_dealt_and_goes_on_with_the_one_who_sat_out(browser, tmp_path):
    """Anna is booked as the dealer, so Carl sits out; but Dora dealt, and Bo sits out."""
    with served(tmp_path, open_table(tmp_path, AT_FOUR, HandStarted("Anna")), browser) as server:
        sized(browser, 390, 844)
        browser.get(server.address)
        tap(browser, "a[href='/play']")
        tap(browser, "dialog label:has(input[name=player][value=Anna])")
        tap(browser, "dialog button[value=S7]")
        wait_for(browser, "dialog .on-table", "Anna")
        tap(browser, "dialog a[href='/hands/1/dealer']")
        tap(browser, "dialog button[name=dealer][value=Dora]")
        tap(browser, "dialog label:has(input[name=player][value=Carl])")
        tap(browser, "dialog button[value=S2]")
        wait_for(browser, "dialog .on-table", "Carl")
        hand = server.stored().session.hand
        assert [(play.player, play.card) for play in hand.plays] == [("Anna", "S7"), ("Carl", "S2")]
        assert hand.dealer == "Dora" and not hand.findings


def test_a_flag_is_shown_with_its_proof_and_the_language_is_switched(browser, server):
    browser.get(server.address + "language/da")
    wait_for(browser, ".notice.flag", "Kulørsvigt")
    assert browser.find_elements("css selector", ".notice.flag .proof .card")
    tap(browser, ".menu summary")
    tap(browser, "a[href^='/language/en']")
    wait_for(browser, ".notice.flag", "Revoke")
    assert browser.find_element("tag name", "html").get_attribute("lang") == "en"
    assert browser.title == "Tarok Table"


def test_the_menu_covers_the_table_no_longer_once_a_dialog_was_opened_from_it(browser, server):
    browser.get(server.address + "language/en")
    wait_for(browser, ".notice.flag", "Revoke")
    tap(browser, ".menu summary")
    tap(browser, ".menu a[href='/me']")
    wait_for(browser, "dialog[open] h1", "This")
    tap(browser, "dialog[open] .close")
    gone(browser, "dialog[open]")
    assert not browser.find_elements("css selector", "details.menu[open]")
    assert browser.execute_script("return document.activeElement.matches('.menu summary')")


def test_a_phone_shows_everything_without_scrolling_sideways(browser, server):
    sized(browser, 390, 844)
    browser.get(server.address)
    wait_for(browser, ".seat")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    small = browser.execute_script(
        "return [...document.querySelectorAll('.acts a, .seat, .trick-card')]"
        ".map(e => e.getBoundingClientRect()).filter(r => r.width < 40 || r.height < 40).length"
    )
    assert small == 0
    # The audit's columns stay columns: it scrolls sideways by itself, and the page does not.
    browser.get(server.address + "audit")
    wait_for(browser, "pre.audit", "Anna")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    wide = "return arguments[0].scrollWidth > arguments[0].clientWidth"
    assert browser.execute_script(wide, browser.find_element("css selector", "pre.audit"))


def test_a_word_that_is_tapped_is_never_broken_in_the_list_of_entries(browser, server):
    sized(browser, 390, 844)
    browser.get(server.address + "language/da")
    tap(browser, "a[href='/play']")
    tap(browser, f"dialog button[value='{hand(3, revoke_in_trick=4)[19].card}']")
    tap(browser, "dialog .close")
    tap(browser, "label[for=show-tricks]")
    tap(browser, "#entries summary")
    wait_for(browser, "#entries a", "Ret")
    broken = "return [...document.querySelectorAll('#entries a')].filter((e) => !e.innerText.includes(' ')"
    assert browser.execute_script(f"{broken} && e.getClientRects().length > 1).map((e) => e.innerText)") == []


def test_a_flag_is_said_when_it_comes_and_again_when_it_comes_back(browser, tmp_path):
    """What a screen reader finds of it is gone while it is undone."""
    before = hand(3, revoke_in_trick=4)[:15]
    card = hand(3, revoke_in_trick=4)[15].card
    said = "return document.getElementById('announcer').textContent"
    with served(tmp_path, open_table(tmp_path, OPENED, *before, fair_play=False), browser) as server:
        browser.get(server.address)
        for _ in range(2):  # the second time it comes back
            tap(browser, "a[href='/play']")
            tap(browser, f"dialog button[value='{card}']")
            until(lambda: "Revoke" in browser.execute_script(said))
            tap(browser, "dialog .undoing button")
            until(lambda: browser.execute_script(said) == "")
            tap(browser, "dialog .close")
            gone(browser, "dialog[open]")


@pytest.fixture
def showing(tmp_path: Path, filmed: str, browser: webdriver.Chrome) -> Iterator[Server]:
    """A film for a camera, and no evening yet."""
    with served(tmp_path, browser=browser, source=filmed) as server:
        yield server


def test_a_deck_is_taught_and_chosen_without_leaving_the_decks_pages(browser, showing):
    browser.get(showing.address + "decks")
    type_into(browser, "input[name=name]", "Grandma")
    tap(browser, "form[action='/decks/teach'] button")
    wait_for(browser, "h1", "Show the cards of Grandma")
    wait_for(browser, "[role=status]", "0 of 78.")
    tap(browser, "button.answer[value=S7]")
    wait_for(browser, "[role=status]", "1 of 78.")
    wait_for(browser, "form[action='/decks/teach/undo'] button", "The last one was not 7 of spades")
    # Also while the page looks again and again for the next card.
    browser.execute_script("document.querySelector('form[action=\"/decks/teach/stop\"] button').click()")
    wait_for(browser, "h1", "Decks")
    wait_for(browser, "td", "1 of 78 cards")
    tap(browser, "form[action='/decks/use'] button")
    wait_for(browser, "tr:not(:first-child) form[action='/decks/use'] button", "Use")
    assert not browser.find_element("id", "toast").is_displayed()
    tap(browser, "button.danger")
    tap(browser, "dialog .button.danger")  # it is asked once
    gone(browser, "button.danger")


def test_what_an_entry_did_is_said_until_the_next_tap_and_covers_no_dialog(browser, server):
    browser.get(server.address)
    wait_for(browser, ".seat")
    browser.execute_script("toast('a long sentence '.repeat(40), false)")
    tap(browser, "a[href='/play']")
    wait_for(browser, "dialog h1", "Card played")
    assert not browser.find_element("id", "toast").is_displayed()
    # What went wrong stays, until it is tapped itself.
    browser.execute_script("toast('what went wrong '.repeat(40), true)")
    tap(browser, "dialog h1")
    assert browser.find_element("id", "toast").is_displayed()
    tap(browser, "#toast")
    assert not browser.find_element("id", "toast").is_displayed()


def test_what_an_entry_did_covers_no_button_of_a_hand_that_is_over(browser, tmp_path):
    table = open_table(tmp_path, OPENED, *hand(3), fair_play=False)
    with served(tmp_path, table, browser) as server:
        for width, height in ((360, 740), (1280, 800)):
            screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 900}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
            browser.get(server.address)
            wait_for(browser, ".result .button.main", "Next hand")
            browser.execute_script("toast('Bo took the last trick with trump 5', false)")
            covered = browser.execute_script(
                "const note = document.getElementById('toast').getBoundingClientRect();"
                "return [...document.querySelectorAll('.acts a, .result summary, .result .button')].filter((e) => {"
                " const box = e.getBoundingClientRect();"
                " return box.top < note.bottom && box.bottom > note.top && box.left < note.right"
                " && box.right > note.left;"
                "}).map((e) => e.textContent)"
            )
            assert covered == [], width


def test_a_page_that_takes_no_news_misses_none(browser, server):
    """A page other than the table's is not connected, and so cannot lose its connection."""
    browser.get(server.address + "ledger")
    # A minute later, as the page's clock has it; it looks every five seconds, and when it is shown again.
    browser.execute_script("const now = Date.now; Date.now = () => now() + 60000")
    browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    time.sleep(5.5)
    assert not browser.find_element("id", "connection").is_displayed()
    fetched = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert not [address for address in fetched if "undefined" in address]


def test_a_flag_of_an_earlier_hand_is_found_from_the_settling_dialog_and_let_pass(browser, server):
    table = server.stored()
    table.enter(HandAbandoned())
    server.kill()  # so that what was entered beside it is read
    server.start()
    browser.get(server.address)
    tap(browser, ".acts a[href='/settle']")
    tap(browser, "dialog a[href^='/hands/1#finding-']")
    wait_for(browser, ".notice.flag", "Revoke")
    tap(browser, "button[name='flag']")
    # The page is loaded again by itself and shows what was decided.
    wait_for(browser, ".notice.flag", "Settled without a fine.")
    browser.get(server.address + "settle")
    wait_for(browser, "h1", "Settle the evening")
    assert browser.find_elements("css selector", "a[href^='/hands/1#']") == []


def test_two_pages_of_one_phone_both_show_what_is_entered_and_do_not_fight_for_the_stream(browser, server):
    browser.get(server.address)
    wait_for(browser, ".seat")
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    second = browser.current_window_handle
    browser.get(server.address)
    wait_for(browser, ".seat")
    before = chips(browser)
    time.sleep(8)  # a browser reopens a broken stream after some seconds
    fine = """
        const form = new FormData(document.querySelector("#entry"));
        for (const [name, value] of [["player", "Bo"], ["category", "minor"]]) form.set(name, value);
        fetch("/fines", { method: "POST", body: new URLSearchParams(form) });
    """
    browser.execute_script(fine)
    ended = "return performance.getEntriesByType('resource').filter(e => e.name.includes('/stream')).length"
    for window in (second, first):
        browser.switch_to.window(window)
        until(lambda: chips(browser) != before)
        assert browser.execute_script(ended) <= 1


def test_a_dialog_that_is_a_page_of_its_own_leads_back_to_the_table_when_it_is_done(browser, server):
    for path, button in (
        ("abandon", "form[action='/abandon'] button"),
        ("undo", "form[action='/undo'] button"),
    ):
        browser.get(server.address + path)
        tap(browser, button)
        until(lambda: browser.current_url == server.address)
        wait_for(browser, "#toast:not([hidden])")
