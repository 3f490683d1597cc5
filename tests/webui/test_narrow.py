"""No page scrolls sideways on the narrowest phone, however long a name is."""

import pytest
from look import enters, sized, too_wide, written
from webui_states import STATES

LONGEST = {
    "Anna": "Annelise Kirkegaard-Thom",
    "Bo": "Bartholomaeusschwarzenbe",
    "Carl": "Carl-Christian Holsteinb",
    "Dora": "Dorthea-Wilhelmine-Pries",
}
"""A name has 24 letters at most; the second is one word."""
EVERYWHERE = (
    "/history",
    "/history/1",
    "/ledger",
    "/hands/1",
    "/more",
    "/adjust",
    "/fine",
    "/start",
    "/seats",
    "/settle",
)


@pytest.mark.parametrize(
    "state",
    [
        "questions and flags",
        "a hand is over",
        "settled",
        "1659 owes a card for the fool",
    ],
)
def test_no_page_is_wider_than_the_narrowest_phone(browser, shown, state):
    shown.shows(STATES[state])
    for name, long in LONGEST.items():
        if name in shown.live.session.balances:
            shown.live.rename(name, long)
    enters(browser, shown, "da")
    sized(browser, 320, 568)
    wide = []
    for path in dict.fromkeys((*STATES[state].paths, *EVERYWHERE)):
        browser.get(shown.address + path.replace("Anna", LONGEST["Anna"]))
        browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
        for letters in ("normal", "large"):
            written(browser, letters)
            wide += [(path, letters, one) for one in too_wide(browser)]
    assert wide == []
