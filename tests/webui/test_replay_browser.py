"""A shared hand in a real browser, without a server: arrow keys, swipes and a tapped flag move it."""

from pathlib import Path

from test_browser import pytestmark, tap, wait_for  # noqa: F401
from test_replay import fetched, host, packed_in  # noqa: F401

SWIPE = """
const felt = document.getElementById("replay-felt");
for (const [kind, x] of [["touchstart", arguments[0]], ["touchend", arguments[1]]]) {
  const touch = new Touch({identifier: 1, target: felt, clientX: x, clientY: 9});
  felt.dispatchEvent(new TouchEvent(kind, {touches: kind === "touchstart" ? [touch] : [], changedTouches: [touch]}));
}
"""


def test_the_file_is_stepped_through_by_keys_swipes_and_flags(browser, host, tmp_path: Path) -> None:  # noqa: F811
    page = fetched(host, "/history/1/replay.html?names=1")
    file = tmp_path / "evening.html"
    file.write_text(page, encoding="utf-8")
    first, second = packed_in(page)
    browser.get(file.as_uri())
    wait_for(browser, "#replay-said", "Anna deals")
    body = browser.find_element("css selector", "body")
    for _ in range(len(first["steps"])):  # one more than there are
        body.send_keys("\ue014")  # the right arrow
    wait_for(browser, "#replay-said", "Trick 25")
    browser.execute_script(SWIPE, 100, 200)
    wait_for(browser, "#replay-said", "Trick")
    assert (
        int(browser.execute_script("return document.getElementById('slider').value"))
        == len(first["steps"]) - 2
    )
    tap(browser, ".told-flag")
    wait_for(browser, ".flagged-now", first["flags"][0][1])
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
