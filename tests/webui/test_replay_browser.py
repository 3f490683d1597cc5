"""A shared hand in a real browser, without a server: arrow keys, swipes and a tapped flag move it."""

from pathlib import Path

from look import sized
from test_replay import FILES, packed_in
from webui_browser import gone, served, tap, wait_for
from webui_deals import OPENED, hand
from webui_history import with_evenings
from webui_table import open_table
from webui_until import until


def touched(browser, *steps: list[tuple[int, int]]) -> None:
    """Fingers are put down at the first places, move from step to step, and are lifted."""
    for kind, places in zip(["touchStart", *["touchMove"] * (len(steps) - 1)], steps, strict=True):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def step_of(browser) -> int:
    return int(browser.execute_script("return document.getElementById('slider').value"))


def test_the_file_is_stepped_through_by_keys_swipes_and_flags(browser, empty, tmp_path: Path) -> None:
    page = with_evenings(empty, FILES).html("/history/1/replay.html?names=1")
    file = tmp_path / "evening.html"
    file.write_text(page, encoding="utf-8")
    first, second = packed_in(page)
    browser.get(file.as_uri())
    wait_for(browser, "#replay-said", "Anna deals")
    body = browser.find_element("css selector", "body")
    for _ in range(len(first["steps"])):  # one more than there are
        body.send_keys("\ue014")  # the right arrow
    wait_for(browser, "#replay-said", "Trick 25")
    last = len(first["steps"]) - 1
    assert step_of(browser) == last
    touched(browser, [(100, 300)], [(150, 305)], [(200, 300)])
    until(lambda: step_of(browser) == last - 1)
    touched(browser, [(100, 500)], [(130, 400)], [(160, 200)])  # the page is moved up
    touched(browser, [(200, 300)], [(150, 305)], [(100, 300)])
    until(lambda: step_of(browser) == last)
    touched(browser, [(150, 300), (200, 300)], [(50, 300), (250, 300)])  # the page is made larger
    until(lambda: browser.execute_script("return visualViewport.scale > 1"))
    touched(browser, [(100, 300)], [(150, 305)], [(200, 300)])  # and moved about
    body.send_keys("\ue012")  # the left arrow
    until(lambda: step_of(browser) == last - 1)
    browser.execute_cdp_cmd("Emulation.setPageScaleFactor", {"pageScaleFactor": 1})
    sized(browser, 390, 700)
    tap(browser, ".told-flag")  # far below the felt, which comes into sight
    wait_for(browser, ".flagged-now", first["flags"][0][1])
    top = "return document.getElementById('replay-felt').getBoundingClientRect().top"
    until(lambda: browser.execute_script(top) >= 0)
    broken = "return [...document.images].filter((one) => !one.naturalWidth).length"
    assert browser.execute_script(broken) == 0 and browser.execute_script("return document.images.length") > 2
    browser.execute_script(
        "const chosen = document.getElementById('hand'); chosen.value = 1; chosen.dispatchEvent(new Event('change'))"
    )
    wait_for(browser, "#replay-said", "Bo deals")
    assert (
        int(browser.execute_script("return document.getElementById('slider').max"))
        == len(second["steps"]) - 1
    )


def test_a_page_that_is_loaded_again_or_come_back_to_shows_the_same_step(browser, tmp_path: Path) -> None:
    with served(tmp_path, open_table(tmp_path, OPENED, *hand(3)), browser) as server:
        address = f"{server.address}history/1/hands/1/replay"
        browser.get(address)
        wait_for(browser, "#replay-said", "Anna deals")
        for _ in range(5):
            tap(browser, "[data-step='1']")
        wait_for(browser, "#replay-said", "Trick 2")
        until(lambda: browser.execute_script("return history.state?.step === 5"))
        browser.refresh()
        wait_for(browser, "#replay-said", "Trick 2")
        assert step_of(browser) == 5
        tap(browser, "details.menu summary")
        tap(browser, "details.menu a[data-dialog]")
        wait_for(browser, "dialog h1")
        browser.back()  # closes the dialog alone
        gone(browser, "dialog[open]")
        assert browser.current_url == address
        browser.get(f"{server.address}history/1")
        wait_for(browser, "h1")
        browser.back()
        wait_for(browser, "#replay-said", "Trick 2")
        assert step_of(browser) == 5
        browser.get(f"{server.address}history/1")
        browser.get(address)  # anew
        wait_for(browser, "#replay-said", "Anna deals")
