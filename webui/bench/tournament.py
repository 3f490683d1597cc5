"""`tarok bench tournament`: a whole tournament at a club's server, whose standings are reckoned a second time.

The server runs in a process of its own on the database `--db`. The card tables are real ones, each with its file and
its line to the club; they send hands dealt by chance. Two players come late, a substitute sits in, one leaves after his
round was published, and one table is entered by hand. The line of one table is cut, and the server is killed and
started again. In the end the standings must be, to the chip, those that a second reckoning makes of the tables' files.
"""

import argparse
import json
import random
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracker.events import Event, HandStarted, SessionClosed, SessionOpened
from tracker.renaming import with_names
from tracker.store import EventStore
from webui.bench.club import empty_club_database
from webui.bench.rules import DEALT_TO, random_hand
from webui.bench.serving import Served
from webui.errors import UserError, require_within
from webui.people.signatures import PHONE_COOKIE
from webui.reporting.club_line import LineError, Reply, ask_the_club
from webui.reporting.reporter import Reporter
from webui.table.live import LiveTable

if TYPE_CHECKING:
    from sqlalchemy import Engine

_PATIENCE_S: Final = 300.0
_CLUB: Final = "Lauget"
_Results = dict[str, tuple[int, Fraction]]
"""Everybody's chips at a table, and in how many hands he was active."""
_Place = tuple[int | None, int, Fraction, Fraction]
"""A place in the standings, with chips, table points and score."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench tournament`."""
    parser.add_argument("--players", type=int, default=32, help="those who come late included; default: 32")
    parser.add_argument("--rounds", type=int, default=6, help="default: 6")
    parser.add_argument("--hands", type=int, default=3, help="at a table in a round; default: 3")
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    parser.add_argument("--db", required=True, metavar="URL", help="an empty database")


def run(args: argparse.Namespace) -> int:
    """Play the tournament, and print whether the standings are right; returns 1 if they are not."""
    for option, low, high in (("players", 10, 200), ("rounds", 2, 30), ("hands", 1, 30)):
        require_within(args, option, low, high)
    engine = empty_club_database(args.db)
    with tempfile.TemporaryDirectory(prefix="tarok-tournament-") as folder:
        played = _Played(engine, args, Path(folder))
        try:
            played.join(args.players // 3 + 1)
            played.play()
        finally:
            played.end()
        return played.judge()


class _CardTable:
    """A card table with its file and its line to the club, which can be cut."""

    def __init__(self, folder: Path, name: str, address: str, code: str) -> None:
        self.live = LiveTable(EventStore(folder / f"{name}.sqlite3"))
        self.cut = threading.Event()
        self.reporter = Reporter(self.live, self._ask)
        self.reporter.join(address, code)

    def _ask(self, address: str, path: str, data: dict[str, Any], key: str = "") -> Reply:
        reply = ask_the_club(address, path, data, key)
        # The tables of a club type their codes more slowly.
        while path == "/api/join" and reply.status == 429:
            time.sleep(reply.wait_s)
            reply = ask_the_club(address, path, data, key)
        if self.cut.is_set():
            raise LineError("cut: the club has it, and the table was not told")
        return reply

    def begin(self, seats: tuple[str, ...]) -> None:
        """Open an evening with these seats."""
        self.live.open_evening(SessionOpened("dtf-2011", (), seats), {})

    def play_hand(self, chance: random.Random) -> None:
        """Play a hand dealt by chance; everybody deals in turn."""
        session = self.live.session
        assert session is not None
        dealer = session.seats[len(session.hands) % len(session.seats)]
        events: list[Event] = random_hand(chance)
        for stage in ("{} for a while", "{}"):  # in two steps, so that no two have one name meanwhile
            for old, new in zip(DEALT_TO, session.order_of_play(dealer), strict=True):
                before = old if stage != "{}" else f"{new} for a while"
                events = [with_names(event, {before: stage.format(new)}) for event in events]
        self.live.enter(HandStarted(dealer), *events)

    def settle(self) -> _Results:
        """End the evening; returns everybody's result."""
        self.live.enter(SessionClosed())
        session = self.live.session
        assert session is not None
        return {
            name: (chips, Fraction(max(1, sum(name in hand.active for hand in session.hands))))
            for name, chips in session.balances.items()
        }


class _Played:
    """The tournament: what the host does at the server, and what happens at the tables."""

    def __init__(self, engine: "Engine", args: argparse.Namespace, folder: Path) -> None:
        from webui.club.members import Members, club_called
        from webui.club.roles import ClubRole

        self._engine = engine
        self._chance = random.Random(args.seed)
        self._rounds, self._hands = args.rounds, args.hands
        club = club_called(engine, _CLUB)
        members = Members(engine)
        host = members.join(club, ClubRole.ADMIN)
        self._cookie = f"{PHONE_COOKIE}={members.cookie(host.id)}"
        self._token = members.form_token(host.id)
        self._new_code = partial(members.new_code, club)
        names = [f"Spiller {number:02}" for number in range(1, args.players + 1)]
        self._names, self._late = names[:-2], names[-2:]
        self._folder = folder
        self._server = Served("club", ["club", "serve", "--db", args.db, "--club", _CLUB])
        self._tables: list[_CardTable] = []
        self._reckoned: list[list[_Results]] = []
        self._left: set[str] = set()
        self._club: dict[str, _Place] = {}
        self._begun_s = time.monotonic()

    @property
    def _address(self) -> str:
        return f"http://localhost:{self._server.port}"

    def join(self, count: int) -> None:
        """Let so many card tables join the club."""
        for number in range(1, count + 1):
            name = f"Bord {number}"
            self._tables.append(_CardTable(self._folder, name, self._address, self._new_code(name)))

    def end(self) -> None:
        """Stop all tables and the server."""
        for table in self._tables:
            table.reporter.stop()
        self._server.kill()

    # -- at the server --

    def _asked(self, path: str, fields: dict[str, object] | None = None) -> Any:
        data = None
        if fields is not None:
            data = urllib.parse.urlencode({"token": self._token, "sure": "yes", **fields}).encode()
        headers = {"Cookie": self._cookie, "Accept": "application/json"}
        request = urllib.request.Request(self._address + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise UserError(f"{path}: HTTP {error.code}: {error.read(300).decode()}") from None

    def _told(self) -> dict[str, Any]:
        return dict(self._asked("/tournaments/1.json"))

    def _drawn(self, at: int) -> list[tuple[str, ...]]:
        tables = self._told()["rounds"][at - 1]["tables"]
        return [tuple(seat["player"] for seat in table["seats"]) for table in tables]

    def _number_of(self, name: str) -> int:
        """The number of an entrant on the host's page."""
        from sqlalchemy import select

        from webui.club.schema import ENTRANTS, PEOPLE

        asked = (
            select(ENTRANTS.c.id).join(PEOPLE, PEOPLE.c.id == ENTRANTS.c.person).where(PEOPLE.c.name == name)
        )
        with self._engine.begin() as connection:
            return int(connection.execute(asked).scalar_one())

    def _host(self, what: str, **fields: object) -> None:
        self._asked(f"/tournaments/1/{what}", fields)

    # -- the tournament --

    def play(self) -> None:
        """Play all rounds, with what happens in them."""
        names, rounds = self._names, self._rounds
        self._asked(
            "/tournaments",
            {"name": "Træf", "game": "danish", "size": 4, "rounds": rounds, "names": "\n".join(names)},
        )
        print(f"{len(names)} players are drawn for {rounds} rounds; {len(self._tables)} card tables report.")
        for at in range(1, rounds + 1):
            self._host("draw")
            self._host("publish", round=at)
            self._reckoned.append(self._round(at))
        self._club = {
            one["player"]: (one["rank"], one["chips"], Fraction(one["points"]), Fraction(one["score"]))
            for one in self._told()["standings"]
        }

    def _round(self, at: int) -> list[_Results]:
        """Play the round `at`, with what happens in it; returns its results as the tables have them."""
        last = self._rounds
        if at == 1:
            self._comes_late(self._drawn(1))
        if at == min(2, last):
            self._host("enter", names=self._late[1])
            print(f"Round {at}: {self._late[1]} comes late and is drawn from the next round on.")
        if at == min(3, last):
            absent = self._drawn(at)[0][1]
            self._host("leave", entrant=self._number_of(absent), round=at, substitute="Vikar")
            print(f"Round {at}: Vikar sits in for {absent}.")
        if at == min(4, last):
            self._leaves(at, max(self._drawn(at)[1:], key=len))
        drawn = self._drawn(at)
        by_hand = len(drawn) if at == min(2, last) else 0
        playing = [number for number in range(1, len(drawn) + 1) if number != by_hand]
        for number in playing:
            self._tables[number - 1].begin(drawn[number - 1])
            self._tables[number - 1].play_hand(self._chance)
        cut = at == min(5, last)
        if cut:
            self._tables[0].cut.set()
            time.sleep(3)  # the tables are sending
            self._server.kill()
        results = {number: self._played(number) for number in playing}
        if cut:
            self._server.start()
            time.sleep(3)
            self._tables[0].cut.clear()
            print(f"Round {at}: the line of table 1 was cut, and the server was killed and started again.")
        if by_hand:
            results[by_hand] = self._by_hand(at, by_hand, drawn[by_hand - 1])
        self._wait_for(at)
        return [results[number] for number in sorted(results)]

    def _comes_late(self, drawn: list[tuple[str, ...]]) -> None:
        table = min(range(1, len(drawn) + 1), key=lambda number: len(drawn[number - 1]))
        self._host("enter", names=self._late[0], table=table)
        print(f"Round 1: {self._late[0]} comes late and sits down at table {table} at once.")

    def _leaves(self, at: int, table: tuple[str, ...]) -> None:
        substitute = "" if len(table) > 3 else "Reserve"
        self._host("leave", entrant=self._number_of(table[0]), round="left", substitute=substitute)
        self._left.add(table[0])
        then = f"{substitute} sits in" if substitute else "the others play on with one less"
        print(f"Round {at}: {table[0]} leaves for good after it was published; {then}.")

    def _played(self, number: int) -> _Results:
        for _ in range(self._hands - 1):
            self._tables[number - 1].play_hand(self._chance)
        return self._tables[number - 1].settle()

    def _by_hand(self, at: int, table: int, seats: tuple[str, ...]) -> _Results:
        chips = [self._chance.randrange(-90, 91) for _ in seats]
        chips[0] -= sum(chips)
        fields = {f"chips-{self._number_of(name)}": own for name, own in zip(seats, chips, strict=True)}
        self._host("result", round=at, table=table, hands=12, reason="counted at the table", **fields)
        print(f"Round {at}: table {table} has no laptop; its chips are entered by hand, after 12 hands.")
        hands = Fraction(12 * 3, len(seats))  # three are active, and all sit out equally often
        return {name: (own, hands) for name, own in zip(seats, chips, strict=True)}

    def _wait_for(self, at: int) -> None:
        """Wait until the club has all chips of the round."""
        until_s = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until_s:
            tables = self._told()["rounds"][at - 1]["tables"]
            if all(seat["chips"] is not None for table in tables for seat in table["seats"]):
                return
            time.sleep(0.3)
        raise UserError(f"round {at}: not all chips came to the club in {_PATIENCE_S:.0f} s")

    # -- the second reckoning --

    def judge(self) -> int:
        """Print what is right and what differs; returns 1 if anything differs."""
        own = _reckoned_again(self._reckoned, self._left)
        differing = told_differences(self._club, own)
        total = sum(place[1] for place in own.values())
        best = next((name for name, place in own.items() if place[0] == 1), "nobody")
        tables = sum(len(one) for one in self._reckoned)
        took_s = time.monotonic() - self._begun_s
        print(f"{tables} tables were played in {took_s:.0f} s; the chips of all players sum to {total}.")
        print(f"{best} wins; {', '.join(sorted(self._left))}, who left, stands apart without a place.")
        print(f"{len(own)} stand in the standings; {differing} differ from the second reckoning.")
        return 1 if differing or total else 0


def told_differences(club: dict[str, _Place], own: dict[str, _Place]) -> int:
    """Print each player whose place at the `club` differs from our `own`; returns how many there are."""
    differing = sorted(name for name in own.keys() | club.keys() if own.get(name) != club.get(name))
    for name in differing:
        print(f"  {name}: the club has {club.get(name)}, the tables' files come to {own.get(name)}")
    return len(differing)


def _reckoned_again(rounds: list[list[_Results]], left: set[str]) -> dict[str, _Place]:
    """The standings by chips per active hand, reckoned plainly: each player's place, chips, table points and score."""
    scores: dict[str, list[Fraction]] = {}
    chips: dict[str, int] = {}
    points: dict[str, Fraction] = {}
    for table in (table for one in rounds for table in one):
        for name, (own, hands) in table.items():
            others = [other for mate, (other, _) in table.items() if mate != name]
            halves = sum(2 * (own > other) + (own == other) for other in others)
            scores.setdefault(name, []).append(own / hands if hands else Fraction(0))
            chips[name] = chips.get(name, 0) + own
            points[name] = points.get(name, Fraction(0)) + Fraction(3 * halves, 2 * len(others))
    worth = {name: (sum(scores[name], Fraction(0)), points[name], chips[name]) for name in scores}
    staying = [worth[name] for name in worth if name not in left]
    return {
        name: (
            None if name in left else 1 + sum(other > own for other in staying),
            chips[name],
            points[name],
            own[0],
        )
        for name, own in worth.items()
    }
