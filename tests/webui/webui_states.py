"""States that the page is looked at in: every game, three to six players, what is asked, what is over."""

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask
from webui_deals import AMERICAN, OPENED, hand
from webui_table import FOUR, NAMES, open_table
from werkzeug.serving import make_server

from tracker.american.events import VitaminTurned
from tracker.american.session import AmericanSession
from tracker.cards import CARDS
from tracker.danish.combination import Combination
from tracker.danish.events import Adjusted, Declared
from tracker.events import (
    CardPlayed,
    Event,
    HandAbandoned,
    HandStarted,
    SessionClosed,
    SessionOpened,
    Unwatched,
)
from webui.app import create_app
from webui.app_parts import app_parts
from webui.bench.dealing_1659 import hand_of_1659
from webui.bench.dealing_american import hand_of_american
from webui.bench.dealing_french import hand_of_french
from webui.people.roles import Role
from webui.people.signatures import PHONE_COOKIE
from webui.table.camera_status import CameraStatus
from webui.table.live import LiveTable

LONG = ("Anne-Margrethe Kjærsgård", "Bo", "Carl-Christian von Holst", "Dorthea Wilhelmine Pri", "Eskild")
_NONE = CameraStatus()
_SEES = CameraStatus("seeing", "", "", 25, 70, 310, 62, 3, 96, 12)


@dataclass(frozen=True)
class State:
    """A table to which `events` happened, and the `paths` of the pages that show it best.

    `hides`: fair play is on, as at a table. `practises`: it counts along. `demo`: it is the demo's. The browser that
    looks has this `role`, and is `seat`'s if one is named. `club`: it is a club's server instead.
    """

    opened: SessionOpened | None
    events: Sequence[Event]
    paths: tuple[str, ...] = ("/",)
    hides: bool = False
    practises: bool = False
    role: Role = Role.HOST
    seat: str = ""
    demo: bool = False
    camera: CameraStatus = _NONE
    club: bool = False


def _asked() -> list[Event]:
    """A revoke that is proved, a reading in doubt, and a time in which nobody watched."""
    played = hand(3, revoke_in_trick=4)[:20]
    free = [card for card in CARDS if card not in {one.card for one in played if isinstance(one, CardPlayed)}]
    last = played[-1]
    assert isinstance(last, CardPlayed)
    following = {"Anna": "Bo", "Bo": "Carl", "Carl": "Anna"}[last.player]
    return [*played, CardPlayed(following, free[0], alternatives=(free[1], free[2])), Unwatched()]


def _rich(*names: str) -> list[Event]:
    """Balances of four digits: the last of `names` has lost them all."""
    moved = [Adjusted(names[-1], name, 1450, "what he brought") for name in names[:-1]]
    return [HandStarted(names[0]), *moved, HandAbandoned()]


def _whole_trick(events: list[Event], tricks: int, players: int) -> list[Event]:
    """`events` as far as the card that ends trick number `tricks` of so many players."""
    plays = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
    return events[: plays[tricks * players - 1] + 1]


_KLOP = hand_of_american(random.Random(3), AMERICAN, "klop")
_BARACH = hand_of_american(random.Random(4), AMERICAN, "barach")
_OPEN_BARACH = hand_of_american(random.Random(4), AMERICAN, "open_barach")
_ROUND = hand_of_american(random.Random(3), AMERICAN, "two")
_VITAMINS = [event for event in _KLOP if isinstance(event, VitaminTurned)]
_SIX = SessionOpened("tarot-1659", (), NAMES)
_1659 = SessionOpened("tarot-1659", (), FOUR)
_SHORT_1659 = SessionOpened("tarot-1659", (("cards", 12),), FOUR)


def _french(players: int) -> SessionOpened:
    return SessionOpened("french-tarot", (), NAMES[:players])


def _american_hands() -> list[Event]:
    """Seven rounds, one after the other."""
    session = AmericanSession(AMERICAN, strict=True)
    events: list[Event] = []
    for seed in range(7):
        for event in hand_of_american(random.Random(seed), AMERICAN, ("two", "klop", "solo_two")[seed % 3]):
            if isinstance(event, HandStarted):
                event = HandStarted(session.next_dealer or FOUR[-1])
            session.apply(event)
            events.append(event)
    return events


_FRENCH_DEAL = hand_of_french(random.Random(2), _french(4), "garde")
_CLUB = (
    "/", "/tournaments", "/tournaments/1", "/seasons", "/seasons/1", "/people", "/people/1", "/evenings",
    "/evenings/3", "/ledger", "/flags", "/tables", "/admin", "/trail", "/deleted", "/me", "/source",
)  # fmt: skip
"""A tournament's wall is left out: it is made for a large screen, and test_club_wall.py looks at it there."""

STATES: dict[str, State] = {
    "nothing is open": State(
        None, [], ("/", "/history", "/guide", "/host-guide", "/rules", "/rules/form")
    ),
    "demo": State(OPENED, hand(3)[:20], demo=True, camera=_SEES),
    "camera trouble": State(
        OPENED, hand(3)[:20], ("/", "/decks", "/recording"), hides=True,
        camera=CameraStatus("trouble", "problem_lost", reopens=True),
    ),
    "declarations": State(
        OPENED, [HandStarted("Anna"), Declared("Anna", (Combination("trumps", count=11, pagat=True),))],
        ("/", "/declare", "/start"),
    ),
    "questions and flags": State(
        OPENED, _asked(),
        (
            "/", "/play", "/plays/3", "/plays/3/insert", "/fool", "/fine", "/more", "/adjust", "/undo", "/tout",
            "/abandon", "/settle", "/players/Anna", "/start", "/hands/1", "/hands/1/tricks/2", "/ledger", "/audit",
            "/seats", "/host", "/me", "/source",
        ),
    ),
    "a player's phone": State(
        OPENED, _asked(), ("/", "/play", "/declare", "/fine", "/ask", "/me"),
        hides=True, role=Role.PLAYER, seat="Anna",
    ),
    "a screen on the wall": State(OPENED, _asked(), hides=True, role=Role.WALL),
    "three with four digits": State(
        OPENED, [*_rich("Anna", "Bo", "Carl"), *hand(3)[:7]], hides=True, seat="Anna"
    ),
    "five with long names": State(
        SessionOpened("dtf-2011", (), LONG),
        [*_rich(*LONG), HandStarted(LONG[0]), *map(CardPlayed, (LONG[1], LONG[4], LONG[0]), ("S7", "S9", "SR"))],
        hides=True,
    ),
    "a hand is over": State(OPENED, hand(3)),
    "settled": State(
        OPENED, [*hand(3), SessionClosed()],
        (
            "/", "/history", "/history/1", "/history/1/hands/1", "/learn", "/history/1/hands/1/review",
            "/history/1/hands/1/review?after=30", "/history/1/hands/1/drill", "/history/1/hands/1/replay",
            "/history/persons/Anna", "/phone-camera", "/host/end",
        ),
    ),
    "practice": State(
        OPENED, hand(3)[:20], ("/", "/training", "/training/trumps", "/host"), practises=True, seat="Bo"
    ),
    "set-up": State(None, [], ("/setup/game", "/setup/players", "/setup/ready")),
    "1659": State(
        _1659, hand_of_1659(random.Random(1), FOUR, 12)[:20], ("/", "/play", "/adjust", "/more", "/settle")
    ),
    "1659 owes a card for the fool": State(
        _1659, hand_of_1659(random.Random(2), FOUR, 12)[:17], ("/", "/tarot1659/fool", "/tarot1659/fine")
    ),
    "1659 is over": State(_SHORT_1659, hand_of_1659(random.Random(1), FOUR, 12)),
    "1659 with six": State(_SIX, hand_of_1659(random.Random(5), NAMES, 12)[:30], ("/",), hides=True),
    "American bids": State(
        AMERICAN, [HandStarted("Dora")], ("/", "/american/round", "/more", "/american/adjust")
    ),
    "American play": State(
        AMERICAN, _ROUND[:-20], ("/", "/american/round", "/play", "/unseen", "/american/renonce", "/rules")
    ),
    "American asks for a vitamin": State(AMERICAN, _KLOP[: _KLOP.index(_VITAMINS[2])]),
    "American Barach": State(AMERICAN, _whole_trick(_BARACH, 2, 4)),
    "American open Barach": State(AMERICAN, _OPEN_BARACH[:10], ("/", "/american/round"), hides=True),
    "American is over": State(AMERICAN, _ROUND, ("/", "/american/renonce", "/settle")),
    "American score sheet": State(
        AMERICAN, _american_hands(),
        ("/", "/more", "/hands/2", "/american/late?hand=2", "/american/renonce?hand=2"),
    ),
    "French bids": State(
        _french(4), [HandStarted("Dora")], ("/", "/french/deal", "/more", "/french/handful")
    ),
    "French play": State(
        _french(4), _whole_trick(_FRENCH_DEAL, 3, 4),
        ("/", "/play", "/more", "/french/penalty", "/rules", "/settle"),
    ),
    "French with five": State(
        _french(5), _whole_trick(hand_of_french(random.Random(2), _french(5), "garde"), 3, 5), hides=True
    ),
    "French is over": State(_french(4), _FRENCH_DEAL, ("/", "/ledger")),
    "a club": State(None, [], _CLUB, club=True),
}  # fmt: skip


class Table:
    """A server in this process; `shows` puts it into a state, one after the other.

    `address` is its page, `live` is what it serves. `cookie` makes a browser the host's. An entry is answered
    after `delay_s`.
    """

    cookie_name = PHONE_COOKIE

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self.delay_s = 0.0
        self._app: Flask | None = None
        self.live: LiveTable
        self.cookie = ""
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self.address = f"http://127.0.0.1:{self._server.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _answer(self, environ, start_response):  # type: ignore[no-untyped-def]
        assert self._app is not None
        if environ["REQUEST_METHOD"] == "POST":
            time.sleep(self.delay_s)
        return self._app(environ, start_response)

    def shows(self, state: State) -> None:
        """From now on the table is in this state."""
        self._number += 1
        self.delay_s = 0.0
        if state.club:
            from webui_club_state import club_shown  # the club's server rests on packages that may be missing

            self._app, self.cookie = club_shown(self._folder / str(self._number))
            return
        table = open_table(self._folder, state.opened, *state.events, name=str(self._number))
        table.choose(fair_play=state.hides, training=state.practises)
        table.camera.set_status(state.camera)
        self.live, self._app = table, create_app(table, demo=state.demo)
        phones = app_parts(self._app).phones
        self.cookie = phones.cookie(phones.join(state.role, state.seat, "localhost").id)

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()


@contextmanager
def served_table() -> Iterator[Table]:
    """A table to be looked at, in a folder of its own."""
    with TemporaryDirectory() as folder:
        table = Table(Path(folder))
        try:
            yield table
        finally:
            table.close()
