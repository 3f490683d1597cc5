"""Count what the page asks of a finger: taps and swipes, on a phone, in a real browser.

`.venv/bin/python tests/webui/taps.py` plays a hand of each game through the page at 390 × 844, from the deal to the
result, without a camera and with earlier tricks hidden. It puts a card of three tricks ago right, takes back a card
that was tapped wrong, and enters a declaration. It prints a line for each, and ends with 1 if one takes more than
`LIMITS` says. Five minutes.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any, Final

from look import chromium, enters, sized
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.support.ui import WebDriverWait
from webui_states import State, Table, served_table
from webui_until import until

from tracker.american.events import ContractNamed, GroupTaken, PartnerCalled, TalonTurned
from tracker.american.events import LaidFaceUp as LaidTarocks
from tracker.danish.events import Declared
from tracker.events import CardPlayed, Event, HandStarted
from tracker.french.events import BidMade, DogTurned
from tracker.french.events import LaidFaceUp as LaidTrumps
from tracker.tarot1659.events import FoolExchanged
from webui.commands.film import dealt_hands

PHONE: Final = (390, 844)
SEATS: Final = ("Anna", "Bo", "Carl", "Dora")
DEALS: Final = {
    "danish": ("dtf-2011", (("count", True),), 7, None, 3),
    "tarot1659": ("tarot-1659", (("cards", 19),), 7, None, 4),
    "american": ("american-tarock", (), 10, "two", 4),
    "french": ("french-tarot", (), 3, None, 4),
}
"""Of each game: its rules and options, what the hand is drawn by, the contract, and how many sit down."""
LIMITS: Final = {
    "a whole hand": 100,
    "a card of three tricks ago": 4,
    "a card tapped wrong": 2,
    "a declaration": 3,
}
"""So many taps at most, and no swipe."""


class Finger:
    """A finger on the page that `browser` shows: it taps what it sees, and swipes to what it does not."""

    def __init__(self, browser: Any, table: Table) -> None:
        self.browser = browser
        self.table = table
        self.taps: Counter[str] = Counter()
        """How often it tapped, by what it did."""
        self.swipes = 0
        self.doing = ""
        self.tapped_s = 0.0  # when it tapped last

    def tap(self, selector: str) -> None:
        """Tap what is at `selector`, as soon as it is there."""

        def tapped(browser: Any) -> bool:
            found = browser.find_element("css selector", selector)
            if not browser.execute_script(_IN_SIGHT, found):
                browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
                self.swipes += 1
            found.click()
            return True

        if "/plays" not in selector:  # the page takes two taps on one place in 0.4 s for one
            time.sleep(max(0.0, self.tapped_s + 0.45 - time.monotonic()))
        WebDriverWait(self.browser, 60, 0.03, ignored_exceptions=(WebDriverException,)).until(tapped)
        self.tapped_s = time.monotonic()
        self.taps[self.doing] += 1

    def shows(self, selector: str) -> bool:
        """Whether something is in sight at `selector`."""
        script = "const e = document.querySelector(arguments[0]); return !!e && e.checkVisibility()"
        return bool(self.browser.execute_script(script, selector))


_IN_SIGHT = """
    const { x, y, width, height } = arguments[0].getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return !!hit && (arguments[0] === hit || arguments[0].contains(hit) || hit.contains(arguments[0]));
"""


@singledispatch
def enter(event: Event, finger: Finger) -> None:
    """Enter `event` with the `finger`."""
    raise NotImplementedError(event)


@enter.register
def _(event: HandStarted, finger: Finger) -> None:
    finger.tap(".acts a[href='/start']")
    finger.tap("dialog .button.main")


@enter.register
def _(event: Declared, finger: Finger) -> None:
    assert not event.combinations
    if not finger.shows("dialog[open]"):
        finger.tap(".acts a[href='/declare']")
    until(lambda: finger.shows(f"dialog input[name=player][value={event.player}]:checked"))
    finger.tap("dialog button[name=pass]")


@enter.register
def _(event: BidMade, finger: Finger) -> None:
    if not finger.shows("dialog[open]"):
        finger.tap(".acts a.main")
    finger.tap(f"dialog form[action='/french/bids'] button[value='{event.contract}']")


@enter.register
def _(event: ContractNamed, finger: Finger) -> None:
    # The bids in turn: all pass but the declarer.
    finger.tap(".acts a.main")
    for player in finger.table.live.session.hand.active:
        until(lambda who=player: who in _text(finger, "form[action='/american/bids'] h2"))  # type: ignore[misc]
        said = event.game if player == event.declarer else "pass"
        finger.tap(f"dialog form[action='/american/bids'] button[value='{said}']")


def _text(finger: Finger, selector: str) -> str:
    script = "const e = document.querySelector(`dialog ${arguments[0]}`); return e ? e.innerText : ''"
    return str(finger.browser.execute_script(script, selector))


@enter.register
def _(event: PartnerCalled, finger: Finger) -> None:
    finger.tap(f"dialog button[name=call][value='{event.call}']")


@enter.register
def _(event: TalonTurned | DogTurned, finger: Finger) -> None:
    if isinstance(event, DogTurned):
        finger.tap("dialog a[href='/french/dog']")
    for number, card in enumerate(event.cards, start=1):
        until(lambda n=number: f"{n} of 6" in _text(finger, "h1"))  # type: ignore[misc]
        finger.tap(f"dialog button[value='{card}']")


@enter.register
def _(event: GroupTaken, finger: Finger) -> None:
    finger.tap(f"dialog button[name=group][value='{event.group}']")


@enter.register
def _(event: LaidTarocks | LaidTrumps, finger: Finger) -> None:
    form = "dialog form[action$='/laid']"
    for card in event.cards:
        finger.tap(f"{form} input[value='{card}']")
    finger.tap(f"{form} .button")


@enter.register
def _(event: FoolExchanged, finger: Finger) -> None:
    finger.tap("dialog a[href^='/tarot1659/fool']")
    finger.tap(f"dialog form[action='/tarot1659/fool'] button[value='{event.card}']")


@enter.register
def _(event: CardPlayed, finger: Finger) -> None:
    sheet = "dialog form[action='/plays']"
    way = (sheet, "dialog a.main[href='/play']", "body:not(:has(dialog[open])) .acts a[href='/play']")
    until(lambda: any(finger.shows(one) for one in way))
    if not finger.shows(sheet):
        finger.tap(next(one for one in way if finger.shows(one)))
    finger.tap(f"{sheet} button[value='{event.card}{event.named or ''}']")


def entries(game: str) -> tuple[State, list[Event]]:
    """A table of `game` before its first hand, and all that is entered of that hand."""
    rules, options, seed, contract, seats = DEALS[game]
    session = dealt_hands(seed, SEATS[:seats], (rules, options), contract)
    events: list[Event] = [record.event for record in session.record[1:]]
    order = session.ring(session.hands[0].dealer)  # who deals first sits first
    if game == "danish":
        events[1:1] = [Declared(name, ()) for name in order]
    return State(replace(session.opened, seats=order), [], hides=True), events


def finger_at(browser: Any, table: Table, state: State) -> Finger:
    """The `browser` is the host's phone at a table in this `state`."""
    browser.get("about:blank")  # else an answer to the page before may bring its own cookie with it
    table.shows(state)
    enters(browser, table)
    sized(browser, *PHONE)
    browser.get(table.address)
    browser.execute_script("sessionStorage.clear()")
    browser.refresh()
    return Finger(browser, table)


def whole_hand(browser: Any, table: Table, game: str, most: int | None = None) -> Finger:
    """A hand of `game` from the deal to the result, or `most` cards of it; the finger tells what it took."""
    state, events = entries(game)
    finger, cards = finger_at(browser, table, state), 0
    for event in events:
        before = len(table.live.recorded)
        finger.doing = _KINDS.get(type(event), "before the play")
        enter(event, finger)
        until(lambda booked=before: len(table.live.recorded) > booked)  # type: ignore[misc]
        until(lambda: not browser.execute_script("return sending"))
        cards += isinstance(event, CardPlayed)
        if cards == most:
            return finger
    until(lambda: finger.shows("#region-result .won") and not finger.shows("dialog[open]"))
    return finger


_KINDS: Final[dict[type[Event], str]] = {
    HandStarted: "deal",
    CardPlayed: "cards",
    FoolExchanged: "the fool's card",
}


def correction(browser: Any, table: Table, game: str) -> Finger:
    """Another card in the place of one of three tricks ago, while earlier tricks are hidden."""
    state, events = entries(game)
    players = len(state.opened.seats) if state.opened else 0
    plays = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
    shown = State(state.opened, events[: plays[5 * players + 1]], hides=True)
    finger = finger_at(browser, table, shown)
    hand = table.live.session.hand
    wrong = hand.tricks[1].plays[1]
    right = next(event.card for event in reversed(events) if isinstance(event, CardPlayed))
    finger.tap("label[for=show-tricks]")
    finger.tap("#region-history [formaction$='/tricks/2/open']")
    finger.tap(f"dialog a[href='/plays/{wrong.seq}']")
    finger.tap(f"dialog button[name=card][value='{right}']")
    until(lambda: table.live.session.hand.tricks[1].plays[1].card == right)
    return finger


def tapped_wrong(browser: Any, table: Table, game: str) -> Finger:
    """A wrong card was tapped on the open sheet: back, and the right one."""
    state, events = entries(game)
    plays = [event for event in events if isinstance(event, CardPlayed)]
    shown = State(state.opened, events[: events.index(plays[5])], hides=True)
    finger = finger_at(browser, table, shown)
    finger.tap(".acts a[href='/play']")
    booked = len(table.live.recorded)
    finger.tap(f"dialog button[value='{plays[-1].card}']")
    until(lambda: len(table.live.recorded) == booked + 1 and finger.shows(".undoing button:enabled"))
    finger.taps.clear()
    finger.tap("dialog .undoing button")
    until(lambda: len(table.live.recorded) == booked + 2)
    finger.tap(f"dialog button[value='{plays[5].card}']")
    until(lambda: table.live.session.hand.plays[-1].card == plays[5].card)
    return finger


def declaration(browser: Any, table: Table) -> Finger:
    """Full kings, declared by who is first to declare."""
    state, events = entries("danish")
    finger = finger_at(browser, table, State(state.opened, events[:1], hides=True))
    finger.tap(".acts a[href='/declare']")
    finger.tap("dialog input[name=kings][value=full]")
    finger.tap("dialog .deciding .main")
    until(lambda: len(table.live.recorded) == 3)
    return finger


def main(words: Sequence[str] | None = None) -> int:
    """Count all, print a table, and 1 if anything takes more than it may."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="*", default=list(DEALS), choices=list(DEALS))
    args = parser.parse_args(words)
    took: list[tuple[str, str, Finger]] = []
    with chromium() as browser, served_table() as table:
        for game in args.games:
            took.append((game, "a whole hand", whole_hand(browser, table, game)))
            took.append((game, "a card of three tricks ago", correction(browser, table, game)))
            took.append((game, "a card tapped wrong", tapped_wrong(browser, table, game)))
        if "danish" in args.games:
            took.append(("danish", "a declaration", declaration(browser, table)))
    print(f"{'game':<10} {'what':<28} {'taps':>4} {'most':>4} {'swipes':>6}")
    for game, what, finger in took:
        parts = ", ".join(f"{number} {doing}" for doing, number in finger.taps.items() if doing)
        numbers = f"{finger.taps.total():>4} {LIMITS[what]:>4} {finger.swipes:>6}"
        print(f"{game:<10} {what:<28} {numbers}  {parts}".rstrip())
    return int(any(finger.taps.total() > LIMITS[what] or finger.swipes for _, what, finger in took))


if __name__ == "__main__":
    sys.exit(main())
