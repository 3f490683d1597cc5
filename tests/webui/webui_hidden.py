"""Every route of the page, everybody who may ask it, and what of an answer tells what fair play hides."""

import re
from dataclasses import replace

from flask import Flask
from webui_page import Page

from tracker.danish.words import WORDS
from tracker.events import CardPlayed, Event
from webui.people.roles import Role
from webui.table.live import LiveTable


def at_four(event: Event) -> Event:
    """`hand` as four play it: Anna deals, Carl sits out, and Dora has his cards."""
    of_carl = isinstance(event, CardPlayed) and event.player == "Carl"
    return replace(event, player="Dora") if of_carl else event


def secrets(table: LiveTable) -> set[str]:
    """Numbers that nobody may look up now: the pots, and the balances that are no longer what they were before."""
    session = table.session
    since = {name for payment in session.hand.payments for name in (payment.source, payment.target)}
    changed = {chips for name, chips in session.balances.items() if name in since}
    numbers = {*session.pots.values(), *changed}
    frozen = set(table.sight.balances.values())
    assert len(numbers) >= 4 and all(abs(number) > 100 for number in session.pots.values())
    return {str(abs(number)) for number in numbers - frozen if abs(number) > 100}


def hidden_cards(table: LiveTable) -> dict[str, int]:
    """The cards of earlier tricks that prove nothing, with the numbers of their plays."""
    session = table.session
    proof = {card for one in session.hand.findings for card in (one.card, *one.evidence)}
    earlier = [play for trick in session.hand.tricks[:-1] for play in trick.plays]
    cards = {play.card: play.seq for play in earlier if play.card not in proof}
    assert len(cards) > 12 and proof
    return cards


# What may be chosen is always the same: the cards, and the court that a half combination lacks.
PICKER = re.compile(
    r'<(?:button class|label class)="pick[^"]*"[^>]*>.*?</(?:button|label)>'
    r'|<label><input type="radio" name="\w+" value="half-\w"(?: checked)?>.*?</label>',
    re.DOTALL,
)


def is_said(word: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said, re.IGNORECASE) is not None


def leaks(table: LiveTable, said: str) -> list[str]:
    """What of an answer tells what is hidden."""
    cards = hidden_cards(table)
    faded = [one for one in PICKER.findall(said) if "played" in one.partition(">")[0]]
    found = [f"faded {card}" for card in cards if any(f"/cards/{card}.png" in one for one in faded)]
    rest = PICKER.sub("", said)
    for card, seq in cards.items():
        words = (f"/cards/{card}.png", f'"{card}"', f"evidence/{seq}.jpg")
        words += (f'plays/{seq}"', f'card-{seq}"', f'row-{seq}"')
        names = (WORDS.card_label(card, "en"), WORDS.card_label(card, "da"))
        found += [f"{card}: {word}" for word in words if word in rest]
        found += [f"{card}: {name}" for name in names if is_said(name, rest)]
    found += [number for number in secrets(table) if is_said(number, rest)]  # digits in a token say nothing
    found += re.findall(r"\b\d+ (?:tricks?|stik)\b(?! af)", rest)
    found += [word for word in ("tricks_won", '"pots"', "King pot</div>") if word in rest]
    return found


PEOPLE = {Role.WALL: "", Role.PLAYER: "Bo", Role.ARBITER: "Carl", Role.HOST: ""}


def pages(table: LiveTable, app: Flask) -> dict[Role, Page]:
    kinds = {Role.ARBITER: Role.PLAYER}
    return {role: Page(table, kinds.get(role, role), seat, app=app) for role, seat in PEOPLE.items()}


def routes(app: Flask) -> list[tuple[str, str, str]]:
    """Every route, of a table or of a club, as (method, endpoint, an address of it)."""
    values = {"seq": 3, "number": 1, "trick": 1, "hand": 1, "name": "Anna", "card": "S7", "code": "en"}
    values |= {
        "word": "x",
        "choice": "large",
        "picture": "camera.svg",
        "step": "game",
        "filename": "table.css",
    }
    adapter = app.url_map.bind("localhost")
    found = []
    for rule in app.url_map.iter_rules():
        address = adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments})
        found += [
            (method, rule.endpoint, address) for method in sorted((rule.methods or set()) & {"GET", "POST"})
        ]
    return found
