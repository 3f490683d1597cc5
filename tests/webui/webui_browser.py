"""What tests do in a real browser: look at a server of their own, wait, tap and type."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from webui_serving import Server, serving

from webui.table.live import LiveTable

NOT_YET = (
    NoSuchElementException,
    StaleElementReferenceException,
    ElementNotInteractableException,
    ElementClickInterceptedException,
)
"""What a page says that is just being replaced, or whose dialog still slides in."""


def becomes_host(browser: webdriver.Chrome, link: str) -> None:
    """The browser has what the host's `link` gives it, and reads English. To load pages for that takes seconds."""
    found = urlsplit(link)
    asked = HTTPConnection(found.netloc, timeout=30)
    asked.request("GET", found.path)
    given = SimpleCookie(asked.getresponse().headers["Set-Cookie"])
    asked.close()
    browser.execute_cdp_cmd("Network.enable", {})
    for name, value in [*((name, one.value) for name, one in given.items()), ("tarok_lang", "en")]:
        cookie = {"name": name, "value": value, "url": f"http://{found.netloc}/"}
        browser.execute_cdp_cmd("Network.setCookie", cookie)


@contextmanager
def served(
    folder: Path, table: LiveTable | None = None, browser: webdriver.Chrome | None = None, **how: str
) -> Iterator[Server]:
    """`tarok serve` on the database in `folder`, at this `table` if there is one; `browser` is the host's."""
    if table is not None:
        table._store.close()
    with serving(folder, "--db", folder / "evening.sqlite3", **how) as server:
        if browser is not None:
            becomes_host(browser, server.host_link)
        yield server


def wait_for(browser: webdriver.Chrome, selector: str, words: str = "", seconds: float = 60) -> None:
    # Asked in one go: the page may replace what it shows between two questions.
    script = (
        "return [...document.querySelectorAll(arguments[0])].some(e => e.innerText.includes(arguments[1]))"
    )
    wanted = (selector, words)
    WebDriverWait(browser, seconds).until(lambda b: b.execute_script(script, *wanted), str(wanted))


def gone(browser: webdriver.Chrome, selector: str) -> None:
    """Wait until nothing is at `selector`."""
    WebDriverWait(browser, 60).until(lambda b: not b.find_elements("css selector", selector), selector)


def console(browser: webdriver.Chrome) -> list[str]:
    """What the browser complained of since it was asked last."""
    return [entry["message"] for entry in browser.get_log("browser")]


def chips(browser: webdriver.Chrome) -> list[int]:
    """Everybody's chips, by their names."""
    script = (
        "return [...document.querySelectorAll('.seat')].map(e => [e.querySelector('.name b').innerText,"
        " e.querySelector('.chips').innerText.replace('−', '-').trim()])"
    )
    return [int(amount) for _, amount in sorted(browser.execute_script(script))]


def on_found(browser: webdriver.Chrome, selector: str, act: Callable[[WebElement], object]) -> None:
    """Do `act` to the element at `selector` as soon as it can be done.

    A dialog that follows the table may be replaced between being found and being used, or still slide in.
    """

    def acted(driver: webdriver.Chrome) -> bool:
        found = driver.find_element("css selector", selector)
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
        act(found)
        return True

    WebDriverWait(browser, 60, ignored_exceptions=NOT_YET).until(acted)


_tapped_s = 0.0
"""When `tap` tapped last."""


def tap(browser: webdriver.Chrome, selector: str) -> None:
    """Tap what is at `selector`, but not at once: the page takes two taps on one place in 0.4 s for one."""
    global _tapped_s
    time.sleep(max(0.0, _tapped_s + 0.45 - time.monotonic()))
    on_found(browser, selector, lambda found: found.click())
    _tapped_s = time.monotonic()


def type_into(browser: webdriver.Chrome, selector: str, text: str) -> None:
    """Type `text` into an empty field."""
    on_found(browser, selector, lambda found: found.send_keys(text))
