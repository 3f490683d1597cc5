"""The page in a real browser, where one is installed: tapping, the balance that follows, languages, a kill."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from webui_deals import OPENED, SIDES, hand
from webui_program import Program
from webui_table import open_table

from tracker.events import HandAbandoned
from tracker.store import EventStore
from webui.table.live import LiveTable

webdriver = pytest.importorskip("selenium.webdriver")

from selenium.common.exceptions import (  # noqa: E402
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.remote.webelement import WebElement  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

NOT_YET = (
    NoSuchElementException,
    StaleElementReferenceException,
    ElementNotInteractableException,
    ElementClickInterceptedException,
)
"""What a page says that is just being replaced, or whose dialog still slides in."""


class Server:
    """`tarok serve` on the database in `folder`, which keeps its decks too; `kill` is a real SIGKILL.

    With the `source` "" the page asks for a camera.
    """

    def __init__(self, folder: Path, source: str = "none", host: str = "127.0.0.1") -> None:
        self.path = folder / "evening.sqlite3"
        self.host = host
        self.source = source
        self.port = "0"
        self.start()

    def start(self) -> None:
        words = ["serve", *([self.source] if self.source else []), "--host", self.host, "--port", self.port]
        home = dict.fromkeys(("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"), str(self.path.parent))
        self.program = Program([*words, "--no-browser", "--db", str(self.path)], home)
        address = re.search(r"http://\S+:(\d+)/", self.program.said.readline())
        link = re.search(r"http://\S+", self.program.said.readline())
        assert address is not None and link is not None
        self.address, self.port, self.host_link = address[0], address[1], link[0]

    def kill(self) -> None:
        self.program.kill()


def becomes_host(browser: "webdriver.Chrome", link: str, language: str = "en") -> None:
    """The browser has what the host's `link` gives it, and reads `language`. To load pages for that takes seconds."""
    found = urlsplit(link)
    asked = HTTPConnection(found.netloc, timeout=30)
    asked.request("GET", found.path)
    given = SimpleCookie(asked.getresponse().headers["Set-Cookie"])
    asked.close()
    browser.execute_cdp_cmd("Network.enable", {})
    for name, value in {**{name: one.value for name, one in given.items()}, "tarok_lang": language}.items():
        cookie = {"name": name, "value": value, "url": f"http://{found.netloc}/"}
        browser.execute_cdp_cmd("Network.setCookie", cookie)


@contextmanager
def served(
    folder: Path, table: LiveTable | None = None, browser: "webdriver.Chrome | None" = None, **how: str
) -> Iterator[Server]:
    """`tarok serve` in `folder`, at this `table` if there is one; `browser` is the host's if one is named."""
    if table is not None:
        table._store.close()
    server = Server(folder, **how)
    try:
        if browser is not None:
            becomes_host(browser, server.host_link)
        yield server
    finally:
        server.kill()


@pytest.fixture
def server(tmp_path: Path, browser: "webdriver.Chrome") -> Iterator[Server]:
    """A hand in progress, without a camera; everything is shown, and the browser is the host's."""
    table = open_table(tmp_path, OPENED, *hand(3, revoke_in_trick=4)[:19], fair_play=False)
    with served(tmp_path, table, browser) as server:
        yield server


def wait_for(browser: "webdriver.Chrome", selector: str, words: str = "", seconds: float = 60) -> None:
    # Asked in one go: the page may replace what it shows between two questions.
    script = (
        "return [...document.querySelectorAll(arguments[0])].some(e => e.innerText.includes(arguments[1]))"
    )
    wanted = (selector, words)
    WebDriverWait(browser, seconds).until(lambda b: b.execute_script(script, *wanted), str(wanted))


def chips(browser: "webdriver.Chrome") -> list[int]:
    """Everybody's chips, by their names."""
    script = (
        "return [...document.querySelectorAll('.seat')].map(e => [e.querySelector('.name b').innerText,"
        " e.querySelector('.chips').innerText.replace('−', '-').trim()])"
    )
    return [int(amount) for _, amount in sorted(browser.execute_script(script))]


def on_found(browser: "webdriver.Chrome", selector: str, act: Callable[[WebElement], object]) -> None:
    """Do `act` to the element at `selector` as soon as it can be done.

    A dialog that follows the table may be replaced between being found and being used, or still slide in.
    """

    def acted(driver: "webdriver.Chrome") -> bool:
        found = driver.find_element(By.CSS_SELECTOR, selector)
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
        act(found)
        return True

    WebDriverWait(browser, 60, ignored_exceptions=NOT_YET).until(acted)


_tapped_s = 0.0
"""When `tap` tapped last."""


def tap(browser: "webdriver.Chrome", selector: str) -> None:
    """Tap what is at `selector`, but not at once: the page takes two taps on one place in 0.4 s for one."""
    global _tapped_s
    time.sleep(max(0.0, _tapped_s + 0.45 - time.monotonic()))
    on_found(browser, selector, lambda found: found.click())
    _tapped_s = time.monotonic()


def type_into(browser: "webdriver.Chrome", selector: str, text: str) -> None:
    """Type `text` into an empty field."""
    on_found(browser, selector, lambda found: found.send_keys(text))


def test_a_card_put_right_with_two_taps_moves_the_chips(browser, server):
    """Once the last card is a king that lost the trick, it is paid for; undone, it is not."""
    table = LiveTable(EventStore(server.path))
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
    WebDriverWait(browser, 60).until(lambda b: chips(b) != before)
    WebDriverWait(browser, 60).until(lambda b: not b.find_elements(By.CSS_SELECTOR, "dialog[open]"))
    place = list(SIDES).index(wrong.player)
    changed = [now - then for now, then in zip(chips(browser), before, strict=True)]
    assert changed[place] == -15 and sum(changed) == -5
    tap(browser, "a[href='/undo']")
    tap(browser, "dialog .button.main")
    WebDriverWait(browser, 60).until(lambda b: chips(b) == before)


def test_the_player_who_was_tapped_stays_chosen_when_the_dialog_follows_news_of_the_table(browser, server):
    browser.get(server.address)
    tap(browser, "a[href='/play']")
    wait_for(browser, "dialog", "Card played")
    other = "dialog input[name=player]:not([checked])"
    tap(browser, other)
    browser.execute_script("document.querySelector('dialog form').id = 'before'; refresh()")
    WebDriverWait(browser, 60).until(
        lambda b: b.execute_script(
            "return !document.getElementById('before') && !!document.querySelector('dialog form')"
        )
    )
    assert browser.execute_script(f"return document.querySelector('{other}').checked")


def test_a_flag_is_shown_with_its_proof_and_the_language_is_switched(browser, server):
    browser.get(server.address + "language/da")
    wait_for(browser, ".notice.flag", "Kulørsvigt")
    assert browser.find_elements(By.CSS_SELECTOR, ".notice.flag .proof .card")
    tap(browser, ".menu summary")
    tap(browser, "a[href^='/language/en']")
    wait_for(browser, ".notice.flag", "Revoke")
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"
    assert browser.title == "Tarok Table"


def test_two_pages_show_the_same_and_a_kill_loses_nothing(browser, server):
    browser.get(server.address)
    wait_for(browser, ".status", "Hand 1")
    before = chips(browser)
    server.kill()
    server.start()
    # The page finds the new process by itself, still has its token, and shows the evening as it was.
    browser.execute_script("window.stayed = true")
    tap(browser, "a[href='/fine']")
    tap(browser, "dialog label:nth-of-type(2)")
    for name, value in (("player", "Bo"), ("category", "minor")):
        choice = f"dialog input[name={name}][value={value}]"
        browser.execute_script("document.querySelector(arguments[0]).click()", choice)
    tap(browser, "dialog .button.main")
    WebDriverWait(browser, 60).until(lambda b: chips(b) != before)
    assert browser.execute_script("return window.stayed") is True
    assert LiveTable(EventStore(server.path)).session.balances["Bo"] == chips(browser)[1]


def test_a_fourth_player_joins_chips_are_adjusted_and_he_leaves_again(browser, server):
    """All in the browser, between two hands: from the dialog of what happens seldom."""
    browser.get(server.address)
    wait_for(browser, ".status", "Hand 1")
    tap(browser, "a[href='/more']")
    wait_for(browser, "dialog", "Nobody can join or leave during a hand.")
    tap(browser, "dialog a[href='/abandon']")
    tap(browser, "dialog form[action='/abandon'] button")
    wait_for(browser, ".status", "abandoned")

    def chosen(form: str, **fields: str) -> None:
        for name, value in fields.items():
            script = "const one = arguments[0]; one.type === 'radio' ? one.click() : one.value = arguments[1]"
            found = browser.find_elements(By.CSS_SELECTOR, f"dialog form[action='{form}'] [name={name}]")
            radio = [one for one in found if one.get_attribute("type") == "radio"]
            one = next((one for one in radio if one.get_attribute("value") == value), found[0])
            browser.execute_script(script, one, value)

    tap(browser, "a[href='/more']")
    wait_for(browser, "dialog", "A player joins")
    chosen("/join", player="Dora", after="Carl", side="N")
    tap(browser, "dialog form[action='/join'] button")
    wait_for(browser, ".seat", "Dora")
    before = chips(browser)
    assert len(before) == 4 and before[3] < 0
    tap(browser, "a[href='/more']")
    tap(browser, "dialog a[href='/adjust']")
    wait_for(browser, "dialog h1", "Adjustment")
    chosen("/adjust", source="Anna", target="Dora", amount="10", reason="a cup fell over")
    tap(browser, "dialog form[action='/adjust'] button")
    WebDriverWait(browser, 60).until(lambda b: chips(b)[3] == before[3] + 10)
    tap(browser, "a[href='/more']")
    tap(browser, "dialog form[action='/leave'] button[value='Dora']")
    tap(browser, "dialog .button.danger")  # it is asked once
    WebDriverWait(browser, 60).until(lambda b: len(chips(b)) == 3)
    session = LiveTable(EventStore(server.path)).session
    assert session.balances["Dora"] <= 10 and sum((session.balances | session.pots).values()) == 0


def test_the_table_is_worked_by_keyboard_alone(browser, server):
    browser.get(server.address)
    wait_for(browser, ".seat")
    browser.execute_script("document.querySelector('a[href=\"/declare\"]').focus()")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait_for(browser, "dialog h1", "Declaration")
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    WebDriverWait(browser, 60).until(lambda b: not b.find_elements(By.CSS_SELECTOR, "dialog[open]"))
    assert browser.switch_to.active_element.get_attribute("href").endswith("/declare")
    unnamed = browser.execute_script(
        "return [...document.querySelectorAll('a,button,input:not([type=hidden]),select')]"
        ".filter(e => e.offsetParent && !(e.textContent.trim() || e.ariaLabel || e.title"
        " || (e.labels && e.labels.length))).map(e => e.outerHTML)"
    )
    assert unnamed == []


def test_a_phone_shows_everything_without_scrolling_sideways(browser, server):
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
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
        assert browser.execute_script(wide, browser.find_element(By.CSS_SELECTOR, "pre.audit"))
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture
def showing(tmp_path: Path, filmed: str, browser: "webdriver.Chrome") -> Iterator[Server]:
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
    assert not browser.find_element(By.ID, "toast").is_displayed()
    tap(browser, "button.danger")
    tap(browser, "dialog .button.danger")  # it is asked once
    WebDriverWait(browser, 60).until(lambda b: not b.find_elements(By.CSS_SELECTOR, "button.danger"))


def test_what_an_entry_did_is_said_until_the_next_tap_and_covers_no_dialog(browser, server):
    browser.get(server.address)
    wait_for(browser, ".seat")
    browser.execute_script("toast('a long sentence '.repeat(40), false)")
    tap(browser, "a[href='/play']")
    wait_for(browser, "dialog h1", "Card played")
    assert not browser.find_element(By.ID, "toast").is_displayed()
    # What went wrong stays, until it is tapped itself.
    browser.execute_script("toast('what went wrong '.repeat(40), true)")
    tap(browser, "dialog h1")
    assert browser.find_element(By.ID, "toast").is_displayed()
    tap(browser, "#toast")
    assert not browser.find_element(By.ID, "toast").is_displayed()


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
    assert not browser.find_element(By.ID, "connection").is_displayed()
    fetched = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert not [address for address in fetched if "undefined" in address]


def test_a_flag_of_an_earlier_hand_is_found_from_the_settling_dialog_and_let_pass(browser, server):
    table = LiveTable(EventStore(server.path))
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
    assert browser.find_elements(By.CSS_SELECTOR, "a[href^='/hands/1#']") == []


def test_two_pages_of_one_phone_both_show_what_is_entered_and_do_not_fight_for_the_stream(browser, server):
    browser.get(server.address)
    wait_for(browser, ".seat")
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    second = browser.current_window_handle
    try:
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
        ended = (
            "return performance.getEntriesByType('resource').filter(e => e.name.includes('/stream')).length"
        )
        for window in (second, first):
            browser.switch_to.window(window)
            WebDriverWait(browser, 60).until(lambda b: chips(b) != before)
            assert browser.execute_script(ended) <= 1
    finally:
        browser.switch_to.window(second)
        browser.close()
        browser.switch_to.window(first)


def test_a_dialog_that_is_a_page_of_its_own_leads_back_to_the_table_when_it_is_done(browser, server):
    for path, button in (
        ("abandon", "form[action='/abandon'] button"),
        ("undo", "form[action='/undo'] button"),
    ):
        browser.get(server.address + path)
        tap(browser, button)
        WebDriverWait(browser, 60).until(lambda b: b.current_url == server.address)
        wait_for(browser, "#toast:not([hidden])")
