"""Two evenings that differ in hidden cards alone: no answer to anybody, GET or POST, tells them apart (ETI-1)."""

import itertools
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from webui_camera import sees_card
from webui_deals import AT_FOUR, hand
from webui_hidden import PEOPLE, at_four, pages, routes
from webui_page import Page
from webui_table import FOUR, open_table

from tracker.cards import CARDS
from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, Event, HandStarted, Recorded
from tracker.store import EventStore
from webui.app import create_app
from webui.app_parts import app_parts
from webui.people.roles import Role
from webui.table.live import LiveTable

pytestmark = pytest.mark.slow

PLAYS = 19
"""Six tricks and a card of the seventh."""


def played(*, instead: tuple[str, str] | None = None) -> list[Event]:
    """A hand so far; with `instead`, another card lay in its place."""
    events = [HandStarted("Anna"), *map(at_four, hand(3, revoke_in_trick=4)[1 : PLAYS + 1])]
    there, other = instead or ("", "")
    return [
        replace(event, card=other) if isinstance(event, CardPlayed) and event.card == there else event
        for event in events
    ]


def shown_of(events: list[Event]) -> tuple[object, ...]:
    """What all may know of the hand."""
    session = DanishSession.replay([Recorded(seq, event) for seq, event in enumerate([AT_FOUR, *events], 1)])
    hand = session.hand
    table = hand.tricks[-1].plays, hand.to_play
    return session.alerts, session.payments, hand.findings, hand.tricks_won, table


def hidden_pairs() -> Iterator[tuple[str, str]]:
    """A card of an earlier trick, and one not seen yet, in the place of which nobody can tell it."""
    events = played()
    seen = [event.card for event in events if isinstance(event, CardPlayed)]
    for there, other in itertools.product(seen[:-1], CARDS):
        if other not in seen and shown_of(played(instead=(there, other))) == shown_of(events):
            yield there, other


def make(folder: Path, events: list[Event]) -> None:
    """Keep an evening in `folder` with a hand in progress, as the camera saw it."""
    folder.mkdir()
    table = open_table(folder, AT_FOUR, events[0])
    for event in events[1:]:
        sees_card(table, event)
    table._store.close()


class Evening:
    """The evening that is kept in `folder`, and its people: with the same keys and phones in each."""

    def __init__(self, folder: Path) -> None:
        self._store = EventStore(folder / "evening.sqlite3")
        self.table = LiveTable(self._store)
        self.app = create_app(self.table)
        self.people = {role: Page(self.table, Role.UNINVITED, app=self.app) for role in PEOPLE}
        for page, phone in zip(self.people.values(), app_parts(self.app).phones.all(), strict=True):
            page.is_phone(phone.id)
        self._began = self._stands()

    def _stands(self) -> object:
        table = self.table
        return len(table.recorded), table.desk.asks, table.desk.openings, table.choices, table.sides

    def changed(self) -> bool:
        """Whether an entry was made since the beginning."""
        return self._stands() != self._began

    def close(self) -> None:
        self._store.close()


class Twins:
    """Two evenings that differ in one hidden card. They are made anew once an entry has changed one of them."""

    def __init__(self, folder: Path) -> None:
        self.pair = next(hidden_pairs())
        self._folder = folder
        for name, events in (("one", played()), ("other", played(instead=self.pair))):
            make(folder / name, events)
        with closing(EventStore(folder / "one" / "evening.sqlite3")) as store:
            pages(table := LiveTable(store), create_app(table))
        for end in (".key", ".phones.json"):
            shutil.copy(folder / "one" / f"evening.sqlite3{end}", folder / "other")
        self._count = 0
        self._open()

    def _open(self) -> None:
        self._count += 1
        self.one, self.other = (
            Evening(Path(shutil.copytree(self._folder / name, self._folder / f"{name}{self._count}")))
            for name in ("one", "other")
        )

    def renew(self) -> None:
        """Make both anew if one has changed."""
        if self.one.changed() or self.other.changed():
            self.one.close()
            self.other.close()
            self._open()


OFTEN_NEW = (
    r"\?[0-9a-f]{8}\"",  # the running program
    r"[0-9a-f]{16,}",  # the name of the next entry
    r'"version": ?\d+',
    r'data-version="\d+"',
    r"\d\d:\d\d",
    r'/invitation/[^"<]*',
    r"<svg[^>]*segno.*?</svg>",
)


def told(page: Page, method: str, path: str, form: Mapping[str, object] | None = None) -> list[str]:
    """The answer's status and its lines, without what is new in every answer."""
    headers = {"Accept": "application/json"} if method == "POST" else {}
    answer = page.client.open(
        path, method=method, data={"token": page.token, **(form or {})}, headers=headers
    )
    said = answer.get_data(as_text=True) if answer.mimetype.startswith(("text", "application/json")) else ""
    return [str(answer.status_code), *re.sub("|".join(OFTEN_NEW), "#", said, flags=re.DOTALL).splitlines()]


def differences(one: list[str], other: list[str]) -> list[tuple[str, str]]:
    return [pair for pair in itertools.zip_longest(one, other, fillvalue="") if pair[0] != pair[1]][:3]


SKIPPED = (
    "static", "source.archive", "source.licence_text", "source.about", "camera.card", "table.stream", "host.backup",
    "joining.leave", "joining.laptop", "club.join", "decks.start", "set_up.camera", "set_up.look", "host.phone",
)  # fmt: skip
"""What shows nothing of the evening, or ends the asking. A backup in the middle of a hand is told on every screen."""
FORM = {
    "category": "minor", "amount": "5", "target": "Bo", "source": "king", "reason": "so", "count": "1", "trick": "1",
    "suit": "S", "named": "", "on": "yes", "keep": "no", "after": "", "number": "1", "hand": "1", "text": "x",
}  # fmt: skip


def posts(evening: Evening, cards: tuple[str, ...], role: Role) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Every entry with players and cards that may make a difference, also into earlier tricks."""
    hand = evening.table.session.hand
    tricks = [[play.seq for play in trick.plays] for trick in hand.tricks]
    players = ("Bo", "Dora", "Anna") if role is Role.PLAYER else ("Bo",)
    for method, endpoint, address in routes(evening.app):
        if method == "POST" and endpoint not in SKIPPED:
            for path in {
                address,
                *(address.replace("/3", f"/{trick[0]}") for trick in (tricks[0], tricks[-1])),
            }:
                for player, card in zip(players, cards, strict=False):
                    yield path, {**FORM, "player": player, "card": card, "dealer": player}
    for player, card in itertools.product(FOUR, cards if role is Role.PLAYER else ()):
        yield "/plays", {"player": player, "card": card}
        for before in (tricks[2][1], tricks[-1][0]):
            yield "/plays", {"player": player, "card": card, "before_seq": str(before)}
        for trick in ("3", "7"):
            yield "/ask", {"player": player, "card": card, "trick": trick}
    for three in itertools.combinations(cards, 3):
        yield "/skat", {"card": list(three)}


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[Twins]:
    found = Twins(tmp_path)
    yield found
    found.one.close()
    found.other.close()


def test_no_page_tells_the_two_evenings_apart(twins: Twins) -> None:
    for role, page in twins.one.people.items():
        for method, endpoint, path in routes(twins.one.app):
            if method == "GET" and endpoint not in SKIPPED:
                for query in ("lang=en", "lang=da&player=Bo", "lang=en&card=S7&player=Dora"):
                    asked = f"{path}?{query}"
                    twin = told(twins.other.people[role], "GET", asked)
                    assert not differences(told(page, "GET", asked), twin), (role, asked)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.HOST], ids=lambda role: role.name)
def test_no_entry_tells_the_two_evenings_apart(twins: Twins, role: Role) -> None:
    """Nor a refused one. The cards are those two, one on the table, one of an earlier trick, and one not seen yet.

    What is entered into an earlier trick, which a player only asks for, moves chips for all to see: that tells of it.
    """
    seen = [event.card for event in played() if isinstance(event, CardPlayed)]
    earlier = next(card for card in seen if card not in twins.pair)
    unseen = next(card for card in CARDS if card not in seen and card not in twins.pair)
    refused = 0
    for path, form in posts(twins.one, (*twins.pair, seen[-1], earlier, unseen), role):
        said = told(twins.one.people[role], "POST", path, form)
        twin = told(twins.other.people[role], "POST", path, form)
        if role is not Role.PLAYER and said[0] == twin[0] == "200":
            said = twin = []
        assert not differences(said, twin), (path, form)
        refused += said[:1] >= ["400"]
        twins.renew()
    assert refused > 50
