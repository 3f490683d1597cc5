"""The page can be read and worked by everybody: axe finds no barrier in any state, and the console stays empty."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_browser import Server, browser, pytestmark, tap, wait_for
from webui_deals import OPENED, hand

from tracker.american.events import VitaminTurned
from tracker.cards import CARDS
from tracker.danish.combination import Combination
from tracker.danish.events import Declared
from tracker.events import CardPlayed, Event, HandStarted, SessionClosed, SessionOpened, Unwatched
from tracker.store import EventStore
from webui.bench.dealing_1659 import hand_of_1659
from webui.bench.dealing_american import hand_of_american
from webui.table.live import LiveTable

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

__all__ = ["browser", "pytestmark"]

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
LONG = ("Anne-Margrethe Kjærsgård", "Bo", "Carl-Christian von Holst", "Dorthea Wilhelmine Pri", "Eskild")
FIVE = SessionOpened("dtf-2011", (), LONG)
FOUR = ("Anna", "Bo", "Carl", "Dora")
AMERICAN = SessionOpened("american-tarock", (), FOUR)
AMERICAN_ROUND = hand_of_american(random.Random(3), AMERICAN, "two")
KLOP = hand_of_american(random.Random(3), AMERICAN, "klop")
VITAMINS = [event for event in KLOP if isinstance(event, VitaminTurned)]
SIX = SessionOpened("tarot-1659", (), ("Anna", "Bo", "Carl", "Dora", "Erik", "Fie"))
FIVE_SIDES = dict(zip(LONG, "SENWW", strict=True))


def _asked() -> list[Event]:
    """A revoke that is proved, a reading in doubt, and a time in which nobody watched."""
    played = hand(3, revoke_in_trick=4)[:20]
    free = [card for card in CARDS if card not in {one.card for one in played if isinstance(one, CardPlayed)}]
    last = played[-1]
    assert isinstance(last, CardPlayed)
    following = {"Anna": "Bo", "Bo": "Carl", "Carl": "Anna"}[last.player]
    return [*played, CardPlayed(following, free[0], alternatives=(free[1], free[2])), Unwatched()]


# Each state, and the pages to see in it.
STATES: dict[str, tuple[SessionOpened | None, list[Event], list[str]]] = {
    "nothing is open": (
        None,
        [],
        ["/", "/open", "/history", "/guide", "/host-guide", "/rules", "/rules/form"],
    ),
    "declarations": (
        OPENED,
        [HandStarted("Anna"), Declared("Anna", (Combination("trumps", count=11, pagat=True),))],
        ["/", "/declare", "/start"],
    ),
    "questions and flags": (
        OPENED,
        _asked(),
        [
            *(
                "/",
                "/play",
                "/plays/3",
                "/plays/3/insert",
                "/fool",
                "/fine",
                "/more",
                "/adjust",
                "/undo",
                "/tout",
            ),
            *("/abandon", "/settle", "/players/Anna", "/hands/1", "/hands/1/tricks/2", "/ledger", "/audit"),
            *("/seats", "/host", "/me", "/source"),
        ],
    ),
    "five with long names": (
        FIVE,
        [
            HandStarted(LONG[0]),
            CardPlayed(LONG[1], "S7"),
            CardPlayed(LONG[4], "S9"),
            CardPlayed(LONG[0], "SR"),
        ],
        ["/"],
    ),
    "a hand is over": (OPENED, hand(3), ["/"]),
    "settled": (
        OPENED,
        [*hand(3), SessionClosed()],
        [
            *("/", "/history", "/history/1", "/history/1/hands/1", "/learn"),
            *("/history/1/hands/1/review", "/history/1/hands/1/review?after=30", "/history/1/hands/1/drill"),
        ],
    ),
    "practice": (OPENED, hand(3)[:20], ["/", "/training", "/training/trumps", "/host"]),
    "set-up": (
        None,
        [],
        ["/setup/game", "/setup/camera", "/setup/players", "/setup/ready"],
    ),
    "1659": (
        SessionOpened("tarot-1659", (), FOUR),
        hand_of_1659(random.Random(1), FOUR, 12)[:20],
        ["/", "/play", "/adjust", "/more", "/rules", "/settle"],
    ),
    "1659 owes a card for the fool": (
        SessionOpened("tarot-1659", (), FOUR),
        hand_of_1659(random.Random(2), FOUR, 12)[:17],
        ["/", "/tarot1659/fool", "/tarot1659/fine"],
    ),
    "1659 is over": (SessionOpened("tarot-1659", (), FOUR), hand_of_1659(random.Random(1), FOUR, 12), ["/"]),
    "American bids": (AMERICAN, [HandStarted("Dora")], ["/", "/american/round", "/more", "/american/adjust"]),
    "American play": (
        AMERICAN,
        AMERICAN_ROUND[:-20],
        ["/", "/american/round", "/play", "/american/renonce", "/rules"],
    ),
    "1659 with six": (SIX, hand_of_1659(random.Random(5), SIX.seats, 12)[:30], ["/"]),
    "American asks for a vitamin": (AMERICAN, KLOP[: KLOP.index(VITAMINS[2])], ["/"]),
    "American is over": (AMERICAN, AMERICAN_ROUND, ["/", "/american/renonce", "/settle"]),
}


def serve(
    folder: Path, opened: SessionOpened | None, events: list[Event], *, practises: bool = False
) -> Server:
    """The program on an evening to which that happened; everything is shown."""
    store = EventStore(folder / "evening.sqlite3")
    table = LiveTable(store)
    table.choose(replace(table.choices, fair_play=False, training=practises))
    if opened is not None:
        table.open_evening(
            opened,
            FIVE_SIDES
            if opened is FIVE
            else dict(zip(opened.seats, "SSENNW" if opened is SIX else "SENW", strict=False)),
        )
    if events:
        table.enter(*events)
    store.close()
    return Server(folder, "")  # the set-up asks for a camera


@pytest.fixture
def served(request: pytest.FixtureRequest, tmp_path: Path, browser: Any) -> Iterator[Server]:
    """A state of `STATES`, and the browser as its host."""
    opened, events, _ = STATES[request.param]
    practises = request.param == "practice"
    server = serve(tmp_path, opened, events, practises=practises)
    browser.get(server.host_link)
    if practises:  # his own trumps are entered by who sits at the table
        browser.get(server.address + "me")
        tap(browser, "form[action='/me'] button[value='Bo']")
        wait_for(browser, "#toast", "Bo")
    yield server
    server.kill()


@pytest.fixture
def emulated(browser: Any) -> Iterator[Any]:
    """The browser, which afterwards is no phone and has no theme."""
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def as_phone(browser: Any, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def wants(browser: Any, theme: str) -> None:
    features = [
        {"name": "prefers-color-scheme", "value": theme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def barriers(browser: Any, only: tuple[str, ...] = ()) -> list[str]:
    """What axe finds on the page: the rule, and the element."""
    if not browser.execute_script("return typeof axe === 'object'"):
        browser.execute_script(AXE)
    wanted: dict[str, Any] = {"resultTypes": ["violations"]}
    if only:
        wanted["runOnly"] = list(only)
    found = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, arguments[0]).then((found) => done(found.violations), (error) => done(String(error)))",
        wanted,
    )
    assert isinstance(found, list), found
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def console(browser: Any) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser")]


@pytest.mark.parametrize("served", STATES, indirect=True, ids=lambda name: name.replace(" ", "-"))
def test_axe_finds_no_barrier_and_the_console_is_empty(
    emulated: Any, served: Server, request: pytest.FixtureRequest
) -> None:
    walked(emulated, served, STATES[request.node.callspec.params["served"]][2])


def test_axe_finds_no_barrier_where_cards_are_shown_to_a_camera(
    emulated: Any, tmp_path: Path, filmed: str
) -> None:
    server = Server(tmp_path, filmed)
    try:
        emulated.get(server.host_link)
        walked(emulated, server, ["/setup/camera", "/setup/cards"])
    finally:
        server.kill()


def walked(browser: Any, served: Server, paths: list[str]) -> None:
    """In both languages and themes; what is the same in dark but for its colours is looked at for those alone."""
    wrong: dict[str, list[str]] = {}
    console(browser)
    for lang in ("da", "en"):
        wants(browser, "light")
        browser.get(f"{served.address}language/{lang}")
        for path in paths:
            wants(browser, "light")
            browser.get(served.address.rstrip("/") + path)
            wait_for(browser, "h1, main")
            found = barriers(browser)
            wants(browser, "dark")
            found += barriers(browser, ("color-contrast",))
            found += console(browser)
            if found:
                wrong[f"{path} {lang}"] = found
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


WIDTHS = [(390, 844), (320, 568), (844, 390)]


@pytest.mark.parametrize("served", ["five with long names"], indirect=True)
@pytest.mark.parametrize("size", WIDTHS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_of_five_on_a_phone_a_tap_on_the_middle_of_a_card_opens_that_card(
    emulated: Any, served: Server, size: tuple[int, int]
) -> None:
    as_phone(emulated, *size)
    emulated.get(served.address)
    wait_for(emulated, ".trick-card", "")
    script = """return [...document.querySelectorAll('.trick-card')].map((one) => {
        const box = one.querySelector('img').getBoundingClientRect();
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const card = hit && hit.closest('.trick-card');
        return [one.id, card ? card.id : String(hit && hit.className)];
    })"""
    cards = emulated.execute_script(script)
    assert len(cards) == 3 and all(wanted == hit for wanted, hit in cards), cards
    assert emulated.execute_script("return document.documentElement.scrollWidth") <= size[0]


SIZES = [(1366, 650), (1280, 600), (390, 844), (844, 390)]
FULL = ("1659", "1659 with six", "American play", "American asks for a vitamin")
LAID = [(state, size) for state in FULL for size in SIZES]


@pytest.mark.parametrize(("served", "size"), LAID, indirect=["served"], ids=str)
def test_no_players_plate_and_nothing_announced_covers_a_card(
    emulated: Any, served: Server, size: tuple[int, int]
) -> None:
    as_phone(emulated, *size)
    emulated.get(served.address)
    wait_for(emulated, ".trick-card", "")
    script = """return [...document.querySelectorAll('.seat, .banners span')].flatMap((seat) =>
        [...document.querySelectorAll('.trick-card .card')].map((card) => {
            const [one, other] = [seat.getBoundingClientRect(), card.getBoundingClientRect()];
            const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            return Math.max(0, width) * Math.max(0, height) / (other.width * other.height);
        }))"""
    shares = emulated.execute_script(script)
    assert shares and max(shares) < 0.05, shares


@pytest.mark.parametrize("served", ["questions and flags"], indirect=True)
def test_letters_twice_as_large_leave_nothing_outside_a_phone(emulated: Any, served: Server) -> None:
    """As a reader's own setting of 200 % would have it; the media queries' own em cannot be set from here."""
    emulated.get(served.address + "reading/large")
    for width, height in (*WIDTHS, (390, 844)):
        as_phone(emulated, width, height)
        for path in ("/", "/play", "/more", "/host", "/settle", "/rules", "/rules/form", "/guide", "/ledger"):
            emulated.get(served.address.rstrip("/") + path)
            wait_for(emulated, "main", "")
            assert emulated.execute_script("return document.documentElement.scrollWidth") <= width, (
                path,
                width,
            )
    emulated.get(served.address + "reading/normal")


@pytest.mark.parametrize("served", ["questions and flags"], indirect=True)
def test_a_dialog_begins_with_its_first_control_and_the_arrows_go_from_card_to_card(
    emulated: Any, served: Server
) -> None:
    browser = emulated
    browser.get(served.address)
    wait_for(browser, ".seat")
    tap(browser, "a[href='/play']")
    wait_for(browser, "dialog h1")
    WebDriverWait(browser, 10).until(lambda b: b.switch_to.active_element.get_attribute("name") == "player")
    tap(browser, "dialog .tab-H input")
    cards = browser.find_elements(By.CSS_SELECTOR, "dialog .panel-H .pick")
    names = [card.get_attribute("value") for card in cards]
    browser.execute_script("arguments[0].focus()", cards[0])

    def pressed(key: str) -> str:
        browser.switch_to.active_element.send_keys(key)
        return str(browser.switch_to.active_element.get_attribute("value"))

    assert [pressed(Keys.ARROW_RIGHT), pressed(Keys.ARROW_RIGHT), pressed(Keys.ARROW_LEFT)] == [
        names[1],
        names[2],
        names[1],
    ]
    assert pressed(Keys.ARROW_UP) == names[1]
    below = pressed(Keys.ARROW_DOWN)
    assert (below in names and pressed(Keys.ARROW_UP) == names[1]) or below == names[1]
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    WebDriverWait(browser, 10).until(lambda b: not b.find_elements(By.CSS_SELECTOR, "dialog[open]"))
    assert browser.switch_to.active_element.get_attribute("href").endswith("/play")


@pytest.mark.parametrize("served", ["questions and flags"], indirect=True)
def test_a_flag_is_said_once(emulated: Any, served: Server) -> None:
    """What stood there is not said again when something else is entered, and what comes is said in full."""
    browser = emulated
    browser.get(served.address + "language/en")
    wait_for(browser, ".notice.flag")
    said = "return document.getElementById('announcer').textContent"
    assert browser.execute_script(said) == ""
    live = (
        "return document.querySelectorAll('#region-notices[aria-live], #region-notices [aria-live]').length"
    )
    assert browser.execute_script(live) == 0
    browser.execute_script(
        "const region = document.getElementById('region-notices'); const html = region.innerHTML;"
        "const more = html + '<article id=\"question-999\"><h3>Which card?</h3><p>Trick 7.</p></article>';"
        "show({ version: 1, menu: document.body.dataset.menu, regions: { notices: more } });"
    )
    assert browser.execute_script(said) == "Which card? Trick 7."
    browser.execute_script(
        "document.getElementById('announcer').textContent = '';"
        "show({ version: 2, menu: document.body.dataset.menu, regions: "
        "{ notices: document.getElementById('region-notices').innerHTML + ' ' } });"
    )
    assert browser.execute_script(said) == ""
