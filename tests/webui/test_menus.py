"""What the page offers at a moment is not refused at that moment: the menu, the buttons, the forms of the dialogs."""

import random
import re
from collections.abc import Callable
from html import unescape
from itertools import count
from pathlib import Path

import pytest
from fuzz_taps import Offered
from webui_deals import AMERICAN, FRENCH, OPENED, hand
from webui_page import Page
from webui_table import FOUR, open_table

from tracker.danish.events import ToutAnnounced
from tracker.events import CardPlayed, Event, HandAbandoned, HandStarted, SessionClosed, SessionOpened
from webui.bench.dealing_1659 import hand_of_1659
from webui.games.pages import PAGES
from webui.people.roles import Role
from webui.table.live import LiveTable

OPENED_1659 = SessionOpened("tarot-1659", (("cards", 3), ("ante", 10)), FOUR)
DEALT = [HandStarted("Anna")]
DANISH: dict[str, list[Event]] = {
    "opened": [],
    "dealt": [*DEALT],
    "tout announced": [*DEALT, ToutAnnounced("Anna")],
    "trick 1": hand(3)[:3],
    "the fool is led": [*DEALT, CardPlayed("Bo", "F")],
    "trick 6": hand(3)[:19],
    "trick 23": hand(3)[:68],
    "over": hand(3),
    "abandoned": [*hand(3)[:19], HandAbandoned()],
    "closed": [*hand(3), SessionClosed()],
}
MOMENTS: dict[str, tuple[SessionOpened, list[Event]]] = {
    **{f"Danish Tarok, {name}": (OPENED, events) for name, events in DANISH.items()},
    "Tarot of 1659, opened": (OPENED_1659, []),
    "Tarot of 1659, dealt": (OPENED_1659, [HandStarted("Dora")]),
    "Tarot of 1659, trick 1": (OPENED_1659, hand_of_1659(random.Random(4), FOUR, 3)[:3]),
    "Tarot of 1659, over": (OPENED_1659, hand_of_1659(random.Random(4), FOUR, 3)),
    "French Tarot, opened": (FRENCH, []),
    "French Tarot, dealt": (FRENCH, [HandStarted("Dora")]),
    "American Tarock, opened": (AMERICAN, []),
    "American Tarock, dealt": (AMERICAN, [HandStarted("Dora")]),
}
FINES = {page.fine_href for page in PAGES.values()}
DIALOGS = FINES | {"/more", "/fool", "/declare", "/adjust", "/american/adjust", "/french/adjust"}
REFUSED = (403, 404, 409, 422)


@pytest.fixture(params=MOMENTS)
def at_that_moment(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], LiveTable]:
    """Makes a table as it is at a moment, under fair play."""
    opened, events = MOMENTS[request.param]
    numbers = count()
    return lambda: open_table(tmp_path, opened, *events, name=str(next(numbers)))


def offered(body: str) -> set[str]:
    """The addresses that a page links to, in its menu, its buttons and its rows."""
    return {unescape(one) for one in re.findall(r'href="(/[^"#]*)', body) if not one.startswith("/static")}


def forms(body: str) -> list[tuple[str, dict[str, object]]]:
    """Each way to send each form of a dialog: its address, and its fields with one of its buttons."""
    found = []
    for form in Offered(body).forms:
        fields: dict[str, object] = {name: values[0] for name, values in form.choices.items()}
        fields |= {name: value or ("1" if kind == "number" else "Zoe") for name, kind, value in form.typed}
        fields |= {name: [value for same, value in form.fixed if same == name] for name, _ in form.fixed}
        buttons = [(name, value) for name, value in form.buttons if name != "card"]
        found += [(form.action, fields | ({name: value} if name else {})) for name, value in buttons]
    return found


@pytest.mark.parametrize("role", [Role.HOST, Role.PLAYER], ids=lambda role: role.name.lower())
def test_nothing_is_offered_that_the_moment_refuses(at_that_moment, role):
    page = Page(at_that_moment(), role, "Bo" if role is Role.PLAYER else "")
    links = offered(page.html("/"))
    assert "/ledger" in links and "/history" in links
    refused = {link: code for link in links if (code := page.client.get(link).status_code) >= 400}
    assert refused == {}


def test_no_form_of_a_dialog_is_refused(at_that_moment):
    page = Page(at_that_moment())
    links = offered(page.html("/"))
    links |= offered(page.html("/more")) if "/more" in links else set()
    links |= offered(page.html("/players/Anna"))
    for dialog in DIALOGS & links:
        shown = forms(page.html(dialog))
        last = {
            action: place for place, (action, _) in enumerate(shown)
        }  # of buttons alike, the one that asks most
        for action, place in last.items():
            page = Page(at_that_moment())
            fields = forms(page.html(dialog))[place][1]
            status, said = page.post(action, **fields | {"token": page.token})
            assert status not in REFUSED, (action, fields, said)


def test_during_a_hand_the_menu_has_no_audit_and_no_file_and_after_it_both(table, page):
    table.choose(fair_play=True)
    table.enter(*hand(3)[:-1])
    during = offered(page.html("/"))
    page.post("/plays", player=hand(3)[-1].player, card=hand(3)[-1].card)
    after = offered(page.client.get("/state").get_json()["regions"]["menu"])
    assert {"/audit", "/session.json"} & during == set()
    assert {"/audit", "/session.json"} <= after


@pytest.mark.parametrize("address", ["/ledger", "/rules", "/me", "/history", "/seats", "/guide"])
def test_a_page_is_titled_by_its_heading(page: Page, address: str) -> None:
    html = page.html(address)
    (title,), (heading,) = (
        re.findall("<title>(.*?)</title>", html),
        re.findall('<h1 id="dialog-title">(.*?)</h1>', html),
    )
    assert title and title == heading
