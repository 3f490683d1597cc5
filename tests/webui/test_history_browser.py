"""The history in a real browser: a file taken in by two taps, nothing lies on anything else, one sheet of paper."""

import base64
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from look import enters, sized, too_wide
from pypdf import PdfReader
from webui_browser import tap, wait_for
from webui_deals import OPENED, hand
from webui_states import STATES

from tracker.danish.session import DanishSession
from tracker.events import HandAbandoned, SessionClosed
from tracker.session_file import export

LONG_EVENING = [
    OPENED, *(event for seed in range(24) for event in hand(seed, OPENED.seats[seed % 3])), SessionClosed(),
]  # fmt: skip

OVERLAPS = """
const shown = [...document.querySelectorAll('svg.chart text')].map(e => e.getBoundingClientRect());
return shown.filter((a, i) => shown.some((b, j) => j > i && a.left < b.right - 1 && b.left < a.right - 1
  && a.top < b.bottom - 2 && b.top < a.bottom - 2)).length;
"""


def paper(browser) -> list[str]:
    """What each sheet says when the page is printed on A4."""
    a4 = {"paperWidth": 8.27, "paperHeight": 11.69}  # inches
    printed = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", a4)["data"])
    return [" ".join(sheet.extract_text().split()) for sheet in PdfReader(io.BytesIO(printed)).pages]


def test_an_evening_of_24_hands_comes_in_from_a_file_and_is_printed_on_one_sheet(
    browser, server, tmp_path: Path
):
    file = tmp_path / "club.json"
    file.write_text(json.dumps(export(LONG_EVENING, DanishSession)), encoding="utf-8")
    browser.get(server.address + "language/da?to=/history")
    browser.find_element("css selector", "input[type=file]").send_keys(str(file))
    tap(browser, "form[action='/history/import'] button")
    wait_for(browser, "#toast", "1 aften er nu i historikken.")
    tap(browser, "th a[href='/history/2']")
    wait_for(browser, "h1", "Aftenen")
    for width, height in ((390, 844), (1280, 800), (2560, 1440)):
        sized(browser, width, height)
        for path in ("/history", "/history/2", "/history/2/hands/24"):
            browser.get(f"{server.address}{path[1:]}?lang=da")
            assert browser.execute_script(OVERLAPS) == 0, (path, width)
            assert too_wide(browser) == [], path
            assert len(paper(browser)) == 1, path
    assert [line for line in browser.get_log("browser") if "/history" in line["message"]] == []


def test_an_evening_of_60_hands_is_printed_with_one_total_and_whole_names(browser, server, tmp_path: Path):
    names = ("Anne Kirkegaard-Thomsen", "Bent Vestergaard-Hansen", "Carl-Christian Østergård")
    events = [
        OPENED,
        *(event for seed in range(60) for event in hand(seed, OPENED.seats[seed % 3])),
        SessionClosed(),
    ]
    file = tmp_path / "club.json"
    called = dict(zip(OPENED.seats, names, strict=True))
    told = json.dumps(export(events, DanishSession), ensure_ascii=False)
    for short, name in called.items():
        told = re.sub(rf'"{short}(?=[":])', f'"{name}', told)
    file.write_text(told, encoding="utf-8")
    browser.get(server.address + "language/da?to=/history")
    browser.find_element("css selector", "input[type=file]").send_keys(str(file))
    tap(browser, "form[action='/history/import'] button")
    wait_for(browser, "#toast", "1 aften er nu i historikken.")
    browser.get(server.address + "history/2")
    sheets = paper(browser)
    assert len(sheets) == 2 and all("Spil " in sheet for sheet in sheets)
    # The sums stand once, below the last hand, and not at the foot of the first sheet.
    assert [sheet.count("I alt") for sheet in sheets] == [0, 1]
    # At the lines' ends the names are whole; on a screen they are cut there.
    assert all(re.search(rf"{name} [+−]?\d", sheets[0]) for name in names)
    assert "Udskriv" not in " ".join(sheets)


def test_an_evening_of_long_names_breaks_no_number_and_cuts_no_chips_on_a_phone(browser, shown):
    shown.shows(STATES["five with long names"])
    enters(browser, shown, "da")
    sized(browser, 390, 844)
    browser.get(f"{shown.address}/history/1")
    wait_for(browser, ".ledger tbody th", "Spil 1")
    heights = "return [...document.querySelectorAll('.ledger tbody a, .ledger tfoot th')].map((e) => "
    heights += "{ const all = document.createRange(); all.selectNodeContents(e); "
    assert set(browser.execute_script(heights + "return all.getClientRects().length; })")) == {1}
    beyond = "const edge = document.querySelector('svg.chart').getBoundingClientRect().right; return [..."
    beyond += (
        "document.querySelectorAll('svg.chart text')].filter((e) => e.getBoundingClientRect().right > edge)"
    )
    assert browser.execute_script(beyond + ".map((e) => e.textContent)") == []


def test_with_long_names_the_chips_are_in_view_on_the_narrowest_phone(browser, shown):
    state = STATES["five with long names"]
    shown.shows(replace(state, events=[*state.events, HandAbandoned(), SessionClosed()]))
    enters(browser, shown, "en")
    sized(browser, 320, 844)
    cut = "return [...document.querySelector('.ledger').querySelectorAll('tr .num:nth-child(2)')].map((e) => "
    cut += "e.getBoundingClientRect().right - e.closest('.ledger').getBoundingClientRect().right)"
    for path in ("/ledger", "/history"):
        browser.get(f"{shown.address}{path}")
        beyond = browser.execute_script(cut)
        assert len(beyond) > 5 and max(beyond) <= 0, path


@pytest.mark.parametrize(
    "path", ["/", "/ledger", "/rules", "/history", "/history/1", "/history/1/hands/1", "/seats"]
)
def test_no_button_is_on_paper(browser, shown, path):
    shown.shows(STATES["settled"])
    enters(browser, shown, "en")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.get(f"{shown.address}{path}")
    pressed = (
        "return [...document.querySelectorAll('button, .button, .chip')].filter((e) => e.checkVisibility()"
    )
    assert browser.execute_script(pressed + ").map((e) => e.outerHTML)") == []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
