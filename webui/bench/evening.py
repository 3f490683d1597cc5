"""`tarok bench evening`: whether a card is booked as fast late in an evening as at first, and how the history opens.

A table is served in a process of its own, and asked over HTTP on this machine's loopback, as a host's phone does.
"""

import argparse
import asyncio
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from tracker.events import CardPlayed, Event, HandStarted, SessionClosed, SessionOpened
from tracker.store import EventStore
from webui.bench.dealing_french import hand_of_french
from webui.bench.rules import DEALT_TO, random_hand
from webui.bench.serving import serving, visited
from webui.errors import UserError, require_positive
from webui.people.phones import Phones
from webui.people.roles import Role
from webui.people.signatures import PHONE_COOKIE

_DANISH: Final = SessionOpened("dtf-2011", (), DEALT_TO)
_FRENCH: Final = SessionOpened("french-tarot", (), ("Anna", "Bo", "Carl", "Dora"))
_GAMES: Final[Mapping[str, tuple[SessionOpened, Callable[[random.Random], list[Event]]]]] = {
    "Danish Tarok": (_DANISH, lambda chance: [HandStarted("Carl"), *random_hand(chance)]),
    "French Tarot": (_FRENCH, lambda chance: hand_of_french(chance, _FRENCH, "garde")),
}
"""The games that are measured: the opening of an evening, and what deals a hand by chance."""
_HANDS_KEPT: Final = 12
"""The hands of an evening in the history."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench evening`."""
    parser.add_argument("--hands", type=int, nargs="+", default=[1, 20, 60], help="default: 1 20 60")
    parser.add_argument("--cards", type=int, default=5, help="entered in each of these hands; default: 5")
    parser.add_argument("--evenings", type=int, default=30, help="in the history; default: 30")


def run(args: argparse.Namespace) -> int:
    """Measure, and print the figures."""
    require_positive(args, "cards", "evenings")
    for name, (opened, deal) in _GAMES.items():
        for hand in args.hands:
            if hand < 1:
                raise UserError(f"--hands {hand}: must be 1 or more")
            booked_s, shown_s = _cards_s(opened, deal, hand, args.cards)
            print(
                f"{name}, hand {hand:<3} a card booked in {_ms(booked_s)}, the page after it in {_ms(shown_s)}"
            )
    first_s, second_s = _history_s(args.evenings)
    print(f"history of {args.evenings} evenings: first {_ms([first_s])}, again {_ms([second_s])}")
    return 0


def _cards_s(
    opened: SessionOpened, deal: Callable[[random.Random], list[Event]], hand: int, cards: int
) -> tuple[list[float], list[float]]:
    """For each card entered in the middle of the hand of that number, seconds until it is booked, then to the page."""
    chance = random.Random(hand)
    hands = [deal(chance) for _ in range(hand)]
    last = hands.pop()
    said = max(place for place, event in enumerate(last) if not isinstance(event, CardPlayed))
    begin = max(said + 1, len(last) // 2)
    with tempfile.TemporaryDirectory(prefix="tarok-evening-", ignore_cleanup_errors=True) as folder:
        database = Path(folder) / "evening.sqlite3"
        store = EventStore(database)
        store.open_session(opened)
        store.append_all([event for events in [*hands, last[:begin]] for event in events])
        store.close()
        cookie = _host_cookie(database)
        booked_s, shown_s = [], []
        with _served(database) as port:
            _, page, _ = _asked(port, "/?lang=en", cookie)
            token = re.search(r'name="token" value="([^"]*)"', page)
            assert token is not None
            for event in last[begin : begin + cards + 1]:
                assert isinstance(event, CardPlayed)
                form = {"token": token[1], "player": event.player, "card": event.card + (event.named or "")}
                status, said_back, spent_s = _asked(port, "/plays", cookie, form)
                if status != 200:
                    raise UserError(f"{event}: was not booked: {status} {said_back[:200]}")
                booked_s.append(spent_s)
                shown_s.append(_asked(port, "/state", cookie)[2])
    return booked_s[1:], shown_s[1:]  # at the first card, forms and templates are compiled


def _history_s(evenings: int) -> tuple[float, float]:
    """Seconds to the history of so many `evenings`, the first time after a start and the second."""
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="tarok-evening-", ignore_cleanup_errors=True) as folder:
        database = Path(folder) / "evening.sqlite3"
        store = EventStore(database)
        for _ in range(evenings):
            store.open_session(_DANISH)
            deal = _GAMES["Danish Tarok"][1]
            hands = [event for _ in range(_HANDS_KEPT) for event in deal(chance)]
            store.append_all([*hands, SessionClosed()])
        store.close()
        cookie = _host_cookie(database)
        with _served(database) as port:
            _asked(port, "/", cookie)
            first, again = (_asked(port, "/history", cookie) for _ in range(2))
            if first[0] != 200:
                raise UserError(f"the history was not shown: {first[0]} {first[1][:200]}")
    return first[2], again[2]


def _host_cookie(database: Path) -> str:
    phones = Phones(database)
    return f"{PHONE_COOKIE}={phones.cookie(phones.join(Role.HOST).id)}"


def _served(database: Path) -> AbstractContextManager[int]:
    return serving("table", ["serve", "none", "--no-browser", "--db", str(database)])


def _asked(
    port: int, path: str, cookie: str, form: Mapping[str, str] | None = None
) -> tuple[int, str, float]:
    """Status and body of the answer, and how many seconds it took."""
    begun_s = time.perf_counter()
    status, body = asyncio.run(visited(port, path, cookie, form))
    return status, body, time.perf_counter() - begun_s


def _ms(seconds: list[float]) -> str:
    return f"{1000 * statistics.median(seconds):.0f} ms"
