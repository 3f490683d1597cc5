"""Look at the page as people see it: every state, both languages, light and dark, on all sizes of screen.

`.venv/bin/python tests/webui/look.py` visits all of them, prints what axe finds and what lies over something else,
and ends with 1 if there is anything. `--pictures DIR` keeps a picture of each page. A page is loaded once in each
language; letters, light and size are changed on it. `--states`, `--sizes` and the like make it less.
"""

import argparse
import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from webui_chromium import start_chromium
from webui_states import STATES, Table, served_table

from webui.people.appearance import Appearance

logging.getLogger("werkzeug").setLevel(logging.WARNING)  # what is wrong is all that is printed
AXE: Final = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
MEASURE: Final = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
SIZES: Final = ((320, 568), (360, 740), (390, 844), (768, 1024), (844, 390), (1366, 768))
"""Screens, in CSS pixels: phones, a tablet, a phone on its side, a laptop."""
AXE_SIZES: Final = ((320, 568), (390, 844), (844, 390), (1366, 768))
BY_LOOKS: Final = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
"""The rules of axe that other letters or another light can break."""


@contextmanager
def chromium(*flags: str) -> Iterator[Any]:
    """A browser without a window that moves nothing; `flags` are its own."""
    with TemporaryDirectory() as folder:
        driver = start_chromium(Path(folder), "--hide-scrollbars", "--window-size=1366,900", *flags)
        try:
            yield driver
        finally:
            driver.quit()


def sized(browser: Any, width: int, height: int) -> None:
    """The window is a screen of this size."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 900}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def lit(browser: Any, theme: str) -> None:
    """The device wants it "light" or "dark", and nothing to move."""
    features = [
        {"name": "prefers-color-scheme", "value": theme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def written(browser: Any, letters: str) -> None:
    """The page has "normal" or "large" letters, or "200 %": those that the reader's browser makes twice as large."""
    sheets = Appearance("large" if letters == "large" else "normal").style_sheets
    browser.execute_cdp_cmd(
        "Page.setFontSizes", {"fontSizes": {"standard": 32 if letters == "200 %" else 16}}
    )
    browser.execute_script(
        "document.documentElement.classList.toggle('large', arguments[0]);"
        "for (const [sheet, media] of arguments[1])"  # a club's server has fewer
        " for (const link of document.querySelectorAll(`link[href*='/${sheet}']`)) link.media = media;",
        letters == "large",
        sheets,
    )


def enters(browser: Any, table: Table, language: str = "en", letters: str = "normal") -> None:
    """The browser is the host's at `table`, in `language` and with these letters."""
    browser.execute_cdp_cmd("Network.enable", {})
    for name, value in (
        (table.cookie_name, table.cookie),
        ("tarok_lang", language),
        ("tarok_reading", f"{letters}.auto"),
    ):
        browser.execute_cdp_cmd("Network.setCookie", {"name": name, "value": value, "url": table.address})


def barriers(browser: Any, only: Sequence[str] = ()) -> list[str]:
    """What axe finds on the page: the rule, and the element; `only` by these rules."""
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


def faults(browser: Any) -> list[str]:
    """What of the page lies over something else, is cut off, or reaches beyond the screen."""
    # The screen may just have changed, axe scrolls, and a busy machine may let the page miss its news.
    browser.execute_async_script(
        "scrollTo(0, 0); document.querySelector('#connection')?.toggleAttribute('hidden', true);"
        "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
    )
    found = browser.execute_script(MEASURE)
    assert isinstance(found, list)
    return [str(one) for one in found]


def too_wide(browser: Any) -> list[str]:
    """What makes the page scroll sideways; on an emulated phone `innerWidth` would grow with the page."""
    return [one for one in faults(browser) if one.startswith("the page is ")]


def main(words: list[str] | None = None) -> int:
    """Visit all that is asked for; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", nargs="*", default=list(STATES), choices=list(STATES), metavar="STATE")
    parser.add_argument("--pictures", type=Path, help="the folder for a picture of each page")
    parser.add_argument("--sizes", nargs="*", default=[f"{w}x{h}" for w, h in SIZES])
    parser.add_argument("--languages", nargs="*", default=["da", "en"])
    parser.add_argument("--paths", nargs="*", help="only these pages")
    parser.add_argument("--letters", nargs="*", default=["normal", "large", "200 %"])
    parser.add_argument("--themes", nargs="*", default=["light", "dark"])
    parser.add_argument("--no-axe", action="store_true", help="only measure")
    args = parser.parse_args(words)
    sizes = [tuple(map(int, size.split("x"))) for size in args.sizes]
    looked = Counter[str]()
    wrong: list[tuple[str, list[str]]] = []
    with chromium() as browser, served_table() as table:
        for name in args.states:
            table.shows(STATES[name])
            for language, path in product(args.languages, args.paths or STATES[name].paths):
                enters(browser, table, language)
                browser.get(table.address + path)
                # A club's pages have no large print of their own; a phone's own letters they follow.
                offered = [one for one in args.letters if one != "large" or not STATES[name].club]
                for letters, size in product(offered, sizes):
                    written(browser, letters)
                    lit(browser, "light")
                    sized(browser, *size)
                    where = f"{name} {path} {language} {letters} {size[0]}x{size[1]}"
                    found = faults(browser)
                    for theme in args.themes:
                        lit(browser, theme)
                        looked["states"] += 1
                        if args.pictures:
                            args.pictures.mkdir(parents=True, exist_ok=True)
                            file = re.sub(r"[^\w-]+", "-", f"{where} {theme}")
                            browser.save_screenshot(str(args.pictures / f"{file}.png"))
                        if not args.no_axe and size in AXE_SIZES:
                            looked["axe"] += 1
                            whole = theme == "light" and letters == offered[0]
                            found += barriers(browser, () if whole else BY_LOOKS)
                    if found:
                        wrong.append((where, found))
                        print(json.dumps({where: found}, ensure_ascii=False), flush=True)
    print(f"{looked['states']} states, axe in {looked['axe']}: {len(wrong)} with something wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
