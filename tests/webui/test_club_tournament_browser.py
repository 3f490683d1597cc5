"""A tournament in a real browser, where one is installed: made, drawn, published, read on a phone, entered, counted."""

from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest
from club_server import ClubServer, ClubVisitor
from look import barriers, lit, sized
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait
from webui_browser import NOT_YET, tap, wait_for


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ClubServer]:
    """A club's server with an empty database."""
    server = ClubServer(f"sqlite:///{tmp_path / 'club.sqlite3'}")
    yield server
    server.kill()


def write(driver: webdriver.Chrome, selector: str, words: str) -> None:
    """Put `words` into a field in place of what stands there."""

    def written(driver: webdriver.Chrome) -> bool:
        field = driver.find_element("css selector", selector)
        field.clear()
        field.send_keys(words)
        return str(field.get_attribute("value")) == words

    WebDriverWait(driver, 60, ignored_exceptions=NOT_YET).until(written)


def barriers_in_both_themes(driver: webdriver.Chrome) -> list[str]:
    found = barriers(driver)
    lit(driver, "dark")
    found += barriers(driver, ("color-contrast",))
    lit(driver, "light")
    return found


def new_tournament(driver: webdriver.Chrome, server: ClubServer, name: str, players: str) -> None:
    """The browser is the admin's, and shows the form of a new tournament with these words in it."""
    driver.get(f"{server.admin_link}?lang=da")
    tap(driver, "form[action^='/link/'] button")
    wait_for(driver, "#region-tables")
    driver.get(f"{server.address}/tournaments")
    write(driver, "#make [name='name']", name)
    write(driver, "#make [name='names']", players.replace(" ", "\n"))


def publish_first_round(driver: webdriver.Chrome, name: str) -> None:
    """Make the tournament of the form, draw it, and publish its first round."""
    tap(driver, "#make button.main")
    wait_for(driver, "h1", name)
    wait_for(driver, ".empty", "Ingen runde er offentliggjort endnu")
    tap(driver, "form[action$='/draw'] button")
    wait_for(driver, ".round.draft:last-of-type summary", "Runde 3")
    tap(driver, "form[action$='/publish'] button")
    wait_for(driver, "form[action$='/publish'] button", "Offentliggør runde 2")


def test_a_tournament_is_made_drawn_published_read_on_a_phone_and_counted(
    server: ClubServer, browser: webdriver.Chrome
) -> None:
    driver = browser
    new_tournament(driver, server, "Taroktræf", "Anna Bo Carl Dora Erik Fie Gro Hans")
    tap(driver, "#make summary")
    choices = [
        one.text.splitlines()[0] for one in driver.find_elements("css selector", "#make details label")
    ]
    assert choices[:2] == ["Hvad der afgør placeringen", "Når lodtrækningen lader en sidde over"]
    assert not barriers_in_both_themes(driver)
    publish_first_round(driver, "Taroktræf")

    # Somebody leaves: the published round stays, the others are drawn again.
    driver.execute_script("document.querySelector('#leave [name=round]').value = ''")
    tap(driver, "#leave button")
    tap(driver, "dialog button.danger")
    wait_for(driver, "form[action$='/draw'] button.main", "Træk lod om runderne")
    rounds = "return document.querySelectorAll('.round').length"
    assert driver.execute_script(rounds) == 1

    # The chips of a table are entered; what does not sum to 0 is refused, and stays to be put right.
    tap(driver, ".round .club-table:first-child summary")
    fields = ".round .club-table:first-child [name^='chips-']"
    names = driver.execute_script(f'return [...document.querySelectorAll("{fields}")].map(e => e.name)')
    for name, chips in zip(names, ("40", "-25", "-10", "-6"), strict=False):
        write(driver, f"[name='{name}']", chips)
    write(driver, ".round .club-table:first-child [name=hands]", "8")
    tap(driver, ".round .club-table:first-child details button")
    wait_for(driver, "#toast, .error", "tilsammen")
    assert not driver.execute_script("return document.body.innerText.includes('Stilling')")
    last = len(names) - 1  # who left may have sat here
    write(driver, f"[name='{names[last]}']", "-5" if last == 3 else "-15")
    tap(driver, ".round .club-table:first-child details button")
    wait_for(driver, "h2", "Stilling")
    wait_for(driver, ".ledger tbody tr:first-child", "+40")
    assert not barriers_in_both_themes(driver)
    driver.get(f"{server.address}/tournaments/1?by=points")
    wait_for(driver, ".ledger tbody tr:first-child", "3")

    # On a phone nothing is beside the screen.
    sized(driver, 390, 844)
    driver.get(f"{server.address}/tournaments/1?lang=en")
    wait_for(driver, ".round h2", "Round 1")
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 390
    for path in ("", "people", "ledger", "evenings", "tables", "admin", "trail", "me", "flags", "source"):
        driver.get(f"{server.address}/{path}?lang=en")
        wait_for(driver, "main")
        assert not barriers_in_both_themes(driver), path
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390, path
        cut = "return [...document.querySelectorAll('.ledger')].some((e) => e.scrollWidth > e.clientWidth)"
        assert not driver.execute_script(cut), path


def test_the_wall_keeps_the_clock_and_the_scores_in_sight_beside_a_long_name_and_on_a_phone(
    server: ClubServer, browser: webdriver.Chrome
) -> None:
    driver = browser
    name = "Julemesterskabet 2026 i tarok for alle klubber på Sjælland"
    new_tournament(driver, server, name, "Anna Bo Carl Dora Erik Fie Gro Hans Ida Jens Kim Lis")
    publish_first_round(driver, name)
    write(driver, "#length [name=minutes]", "45")
    tap(driver, "#length button")
    wait_for(driver, "form[action$='/clock'] button.main", "Start uret")
    assert driver.execute_script("return scrollY") > 0, "the page stays where something was entered"
    tap(driver, "form[action$='/clock'] button.main")
    wait_for(driver, ".round-clock", "til kl.")
    for width, height in ((1280, 800), (1920, 1080), (390, 844)):
        sized(driver, width, height)
        driver.get(f"{server.address}/tournaments/1/wall")
        wait_for(driver, ".wall-tables h2", "Bord 1")
        beyond, cut = driver.execute_script(
            "const those = (all, wide) => [...document.querySelectorAll(all)].filter(wide).map((e) => e.outerHTML);"
            "return [those('body *', (e) => e.getBoundingClientRect().right > innerWidth),"
            " those('.wall-tables li span', (e) => e.scrollWidth > e.clientWidth)]"
        )
        assert beyond == cut == [], width


def test_what_others_enter_comes_onto_an_open_page_but_not_under_somebody_who_types(
    server: ClubServer, browser: webdriver.Chrome
) -> None:
    driver = browser
    new_tournament(driver, server, "Taroktræf", "Anna Bo Carl Dora")
    publish_first_round(driver, "Taroktræf")
    other = ClubVisitor(server.address)
    for cookie in driver.get_cookies():
        other.opener.addheaders.append(("Cookie", f"{cookie['name']}={cookie['value']}"))
    other.post("/tournaments/1/length", "/tournaments/1", minutes="45")
    other.post("/tournaments/1/clock", "/tournaments/1", round="1", do="start")
    wait_for(driver, ".round-clock", "til kl.")

    # Who types keeps what he typed; once it is away, the news comes.
    write(driver, "#adjust [name=reason]", "kom ti minutter for sent")
    other.post("/tournaments/1/clock", "/tournaments/1", round="1", do="stop")
    sleep(20)
    assert "til kl." in driver.find_element("css selector", ".round-clock").text
    assert driver.find_element("css selector", "#adjust [name=reason]").get_attribute("value")
    write(driver, "#adjust [name=reason]", "")
    driver.execute_script("document.activeElement.blur()")
    wait_for(driver, "form[action$='/clock'] button.main", "Start uret")


def test_an_impatient_finger_that_starts_the_clock_does_not_stop_it_again(
    server: ClubServer, browser: webdriver.Chrome
) -> None:
    driver = browser
    new_tournament(driver, server, "Taroktræf", "Anna Bo Carl Dora")
    publish_first_round(driver, "Taroktræf")
    write(driver, "#length [name=minutes]", "45")
    tap(driver, "#length button")
    start = "form[action$='/clock'] button.main"
    wait_for(driver, start, "Start uret")
    x, y = driver.execute_script(
        "const e = document.querySelector(arguments[0]); e.scrollIntoView({ block: 'center' });"
        "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]",
        start,
    )
    place = {"x": x, "y": y, "button": "left", "clickCount": 1}
    for _ in range(3):
        for kind in ("mousePressed", "mouseReleased"):
            driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **place})
        wait_for(driver, ".round-clock", "til kl.")
        sleep(1)  # longer than a tap that is meant once
    assert "til kl." in driver.find_element("css selector", ".round-clock").text
