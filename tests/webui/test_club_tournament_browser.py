"""A tournament in a real browser, where one is installed: made, drawn, published, read on a phone, entered, counted."""

from time import sleep

from club_server import ClubServer, ClubVisitor
from look import barriers, lit, sized
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait
from webui_browser import NOT_YET, tap, wait_for


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
    club_server: ClubServer, browser: webdriver.Chrome
) -> None:
    new_tournament(browser, club_server, "Taroktræf", "Anna Bo Carl Dora Erik Fie Gro Hans")
    tap(browser, "#make summary")
    choices = [
        one.text.splitlines()[0] for one in browser.find_elements("css selector", "#make details label")
    ]
    assert choices[:2] == ["Hvad der afgør placeringen", "Når lodtrækningen lader en sidde over"]
    assert not barriers_in_both_themes(browser)
    publish_first_round(browser, "Taroktræf")

    # Somebody leaves: the published round stays, the others are drawn again.
    browser.execute_script("document.querySelector('#leave [name=round]').value = 'left'")
    browser.execute_script("document.querySelector('#leave [name=entrant]').selectedIndex = 1")
    tap(browser, "#leave button")
    tap(browser, "dialog button.danger")
    wait_for(browser, "form[action$='/draw'] button.main", "Træk lod om runderne")
    rounds = "return document.querySelectorAll('.round').length"
    assert browser.execute_script(rounds) == 1

    # The chips of a table are entered; what does not sum to 0 is refused, and stays to be put right.
    tap(browser, ".round .club-table:first-child summary")
    fields = ".round .club-table:first-child [name^='chips-']"
    names = browser.execute_script(f'return [...document.querySelectorAll("{fields}")].map(e => e.name)')
    for name, chips in zip(names, ("40", "-25", "-10", "-6"), strict=False):
        write(browser, f"[name='{name}']", chips)
    write(browser, ".round .club-table:first-child [name=hands]", "8")
    tap(browser, ".round .club-table:first-child details button")
    wait_for(browser, "#toast, .error", "tilsammen")
    assert not browser.execute_script("return document.body.innerText.includes('Stilling')")
    last = len(names) - 1  # who left may have sat here
    write(browser, f"[name='{names[last]}']", "-5" if last == 3 else "-15")
    tap(browser, ".round .club-table:first-child details button")
    wait_for(browser, "h2", "Stilling")
    wait_for(browser, ".ledger tbody tr:first-child", "+40")
    assert not barriers_in_both_themes(browser)
    browser.get(f"{club_server.address}/tournaments/1?by=points")
    wait_for(browser, ".ledger tbody tr:first-child", "3")

    # On a phone nothing is beside the screen.
    sized(browser, 390, 844)
    browser.get(f"{club_server.address}/tournaments/1?lang=en")
    wait_for(browser, ".round h2", "Round 1")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    for path in ("", "people", "ledger", "evenings", "tables", "admin", "trail", "me", "flags", "source"):
        browser.get(f"{club_server.address}/{path}?lang=en")
        wait_for(browser, "main")
        assert not barriers_in_both_themes(browser), path
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390, path
        cut = "return [...document.querySelectorAll('.ledger')].some((e) => e.scrollWidth > e.clientWidth)"
        assert not browser.execute_script(cut), path


def test_the_wall_keeps_the_clock_and_the_scores_in_sight_beside_a_long_name_and_on_a_phone(
    club_server: ClubServer, browser: webdriver.Chrome
) -> None:
    name = "Julemesterskabet 2026 i tarok for alle klubber på Sjælland"
    new_tournament(browser, club_server, name, "Anna Bo Carl Dora Erik Fie Gro Hans Ida Jens Kim Lis")
    publish_first_round(browser, name)
    write(browser, "#length [name=minutes]", "45")
    tap(browser, "#length button")
    wait_for(browser, "form[action$='/clock'] button.main", "Start uret")
    assert browser.execute_script("return scrollY") > 0, "the page stays where something was entered"
    tap(browser, "form[action$='/clock'] button.main")
    wait_for(browser, ".round-clock", "til kl.")
    for width, height in ((1280, 800), (1920, 1080), (390, 844)):
        sized(browser, width, height)
        browser.get(f"{club_server.address}/tournaments/1/wall")
        wait_for(browser, ".wall-tables h2", "Bord 1")
        beyond, cut = browser.execute_script(
            "const those = (all, wide) => [...document.querySelectorAll(all)].filter(wide).map((e) => e.outerHTML);"
            "return [those('body *', (e) => e.getBoundingClientRect().right > innerWidth),"
            " those('.wall-tables li span', (e) => e.scrollWidth > e.clientWidth)]"
        )
        assert beyond == cut == [], width


def test_what_others_enter_comes_onto_an_open_page_but_not_under_somebody_who_types(
    club_server: ClubServer, browser: webdriver.Chrome
) -> None:
    new_tournament(browser, club_server, "Taroktræf", "Anna Bo Carl Dora")
    publish_first_round(browser, "Taroktræf")
    other = ClubVisitor(club_server.address)
    for cookie in browser.get_cookies():
        other.opener.addheaders.append(("Cookie", f"{cookie['name']}={cookie['value']}"))
    other.post("/tournaments/1/length", "/tournaments/1", minutes="45")
    other.post("/tournaments/1/clock", "/tournaments/1", round="1", do="start")
    wait_for(browser, ".round-clock", "til kl.")

    # Who types keeps what he typed; once it is away, the news comes.
    write(browser, "#adjust [name=reason]", "kom ti minutter for sent")
    other.post("/tournaments/1/clock", "/tournaments/1", round="1", do="stop")
    sleep(20)
    assert "til kl." in browser.find_element("css selector", ".round-clock").text
    assert browser.find_element("css selector", "#adjust [name=reason]").get_attribute("value")
    write(browser, "#adjust [name=reason]", "")
    browser.execute_script("document.activeElement.blur()")
    wait_for(browser, "form[action$='/clock'] button.main", "Start uret")


def test_an_impatient_finger_that_starts_the_clock_does_not_stop_it_again(
    club_server: ClubServer, browser: webdriver.Chrome
) -> None:
    new_tournament(browser, club_server, "Taroktræf", "Anna Bo Carl Dora")
    publish_first_round(browser, "Taroktræf")
    write(browser, "#length [name=minutes]", "45")
    tap(browser, "#length button")
    start = "form[action$='/clock'] button.main"
    wait_for(browser, start, "Start uret")
    x, y = browser.execute_script(
        "const e = document.querySelector(arguments[0]); e.scrollIntoView({ block: 'center' });"
        "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]",
        start,
    )
    place = {"x": x, "y": y, "button": "left", "clickCount": 1}
    for _ in range(3):
        for kind in ("mousePressed", "mouseReleased"):
            browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **place})
        wait_for(browser, ".round-clock", "til kl.")
        sleep(1)  # longer than a tap that is meant once
    assert "til kl." in browser.find_element("css selector", ".round-clock").text


def test_a_screen_on_the_wall_says_that_the_server_is_silent_keeps_its_page_and_goes_on_afterwards(
    club_server: ClubServer, browser: webdriver.Chrome
) -> None:
    new_tournament(browser, club_server, "Taroktræf", "Anna Bo Carl Dora")
    publish_first_round(browser, "Taroktræf")
    browser.get(f"{club_server.address}/tournaments/1/wall")
    wait_for(browser, ".wall-tables h2", "Bord 1")
    club_server.kill()
    wait_for(browser, "#connection", "Ingen forbindelse")
    wait_for(browser, ".wall-tables h2", "Bord 1")
    club_server.start()
    WebDriverWait(browser, 60).until(lambda driver: driver.current_url.endswith("/wall?part=0"))
    wait_for(browser, ".wall-tables h2", "Bord 1")
    assert not browser.find_element("css selector", "#connection").is_displayed()
