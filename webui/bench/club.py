"""`tarok bench club`: how the club's server bears many tables, and years of evenings.

`load` serves a database in a process of its own and reports to it as many tables would, over HTTP on this machine's
loopback: first at the pace of play, then many times as fast. `pages` fills an empty database with years of evenings,
times each page's query, and prints the plan that the database chose. Each needs a database of its own.
"""

import argparse
import asyncio
import io
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from tracker.events import Event, HandStarted, SessionClosed, SessionOpened, event_to_json
from tracker.store import Stored
from webui.bench.crowd import told_times
from webui.bench.rules import DEALT_TO, random_hand
from webui.bench.serving import asked, children_spent_s, serving, visited
from webui.errors import UserError, require_positive
from webui.kept_file import json_of
from webui.people.signatures import PHONE_COOKIE
from webui.reporting.club_line import START, digest_of
from webui.serving.connections import allow_many_files

if TYPE_CHECKING:
    from sqlalchemy import Engine

_CLUB: Final = "Klub {}"
_HANDS: Final = 12
_TABLES_A_CLUB: Final = 20
_DIFFERENT: Final = 20
_WALL_EVERY_S: Final = 5.0
_EVENTS_PER_S: Final = 0.2
"""The events of a table at the pace of play."""
_PATIENCE_S: Final = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench club`."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    load = kinds.add_parser("load", help="tables that report, and walls that are looked at")
    load.add_argument("--tables", type=int, default=200, help="default: 200; twenty to a club")
    load.add_argument("--seconds", type=int, default=60, help="at the pace of play; default: 60")
    load.add_argument(
        "--burst-seconds",
        type=int,
        default=60,
        help="ten times as fast after that; default: 60; 0 for no burst",
    )
    pages = kinds.add_parser("pages", help="years of evenings, and each page's query")
    pages.add_argument("--events", type=int, default=1_000_000, help="default: 1000000")
    pages.add_argument("--clubs", type=int, default=200, help="default: 200")
    for kind in (load, pages):
        kind.add_argument("--db", required=True, metavar="URL", help="an empty database")


def run(args: argparse.Namespace) -> int:
    """Measure, and print the figures."""
    if args.kind == "pages":
        require_positive(args, "events", "clubs")
        _measure_pages(empty_club_database(args.db), args.events, args.clubs)
        return 0
    require_positive(args, "tables", "seconds")
    engine = empty_club_database(args.db)
    allow_many_files()
    tables, walls = _joined(engine, args.tables)
    with serving("club", ["club", "serve", "--db", args.db, "--club", _CLUB.format(0)]) as port:
        asyncio.run(_Load(port, tables, walls).measured(args))
    _tell_work(sum(table.batches for table in tables))
    _count(engine, tables)
    return 0


def empty_club_database(url: str) -> "Engine":
    """The database at `url`, as `open_database` opens it. Raises UserError also if a club is kept there."""
    from sqlalchemy import select

    from webui.club.schema import CLUBS, open_database

    engine = open_database(url)
    with engine.connect() as connection:
        if connection.execute(select(CLUBS.c.id).limit(1)).first() is not None:
            raise UserError("--db: a club is kept there; give an empty database")
    return engine


# ---- evenings dealt by chance ----


def played_evening(chance: random.Random) -> list[str]:
    """The events of an evening of `_HANDS` hands dealt by chance to `DEALT_TO`, as JSON texts."""
    events: list[Event] = [SessionOpened("dtf-2011", (), DEALT_TO)]
    for _ in range(_HANDS):
        events += [HandStarted("Carl"), *random_hand(chance)]
    events.append(SessionClosed())
    return [json.dumps(event_to_json(event), ensure_ascii=False, separators=(",", ":")) for event in events]


# ---- load ----


@dataclass
class _Table:
    """A table that reports: its `key`, the `texts` of its events, and how many `happened` and are `stored`."""

    key: str
    evening: str
    texts: list[str]
    happened: int = 1
    stored: int = 0
    batches: int = 0
    digest: str = START


def _joined(engine: "Engine", count: int) -> tuple[list[_Table], list[str]]:
    """So many tables, in as many clubs as they need, and for each club the cookie of its wall."""
    from webui.club.members import Members, club_called
    from webui.club.roles import ClubRole

    members, chance = Members(engine), random.Random(1)
    evenings = [played_evening(chance) for _ in range(_DIFFERENT)]
    tables, walls = [], []
    for number in range(count):
        club = club_called(engine, _CLUB.format(number // _TABLES_A_CLUB))
        key = f"{chance.getrandbits(256):064x}"
        members.take_in(members.new_code(club, f"Bord {number % _TABLES_A_CLUB}"), key)
        tables.append(_Table(key, f"1-{time.time():.3f}", evenings[number % _DIFFERENT]))
        if number % _TABLES_A_CLUB == 0:
            walls.append(f"{PHONE_COOKIE}={members.cookie(members.join(club, ClubRole.WALL).id)}")
    return tables, walls


class _Load:
    """Every table and every wall. Times in s on the clock of `time.perf_counter`."""

    def __init__(self, port: int, tables: list[_Table], walls: list[str]) -> None:
        self._port = port
        self._tables = tables
        self._walls = walls
        self._rate = 0.0
        self._stored_s: list[float] = []
        self._wall_s: list[float] = []
        self._failed = 0

    async def measured(self, args: argparse.Namespace) -> None:
        """Let the tables play, and print the times."""
        self._rate = _EVENTS_PER_S
        crowd = [asyncio.create_task(self._report(table)) for table in self._tables]
        crowd += [
            asyncio.create_task(self._look(cookie, _WALL_EVERY_S * place / len(self._walls)))
            for place, cookie in enumerate(self._walls)
        ]
        await asyncio.sleep(10)  # the evenings begin
        await self._phase(f"{args.tables} tables, {_EVENTS_PER_S:g} events/s each", args.seconds)
        if args.burst_seconds:
            self._rate = 10 * _EVENTS_PER_S
            await self._phase("10 times as fast", args.burst_seconds)
            self._rate = 0.0
            behind, begun_s = self._waiting(), time.perf_counter()
            while self._waiting() and time.perf_counter() - begun_s < 600:
                await asyncio.sleep(0.1)
            took_s = time.perf_counter() - begun_s
            print(f"after that {behind} events waited; {self._waiting()} after {took_s:.1f} s")
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    async def _phase(self, name: str, seconds: int) -> None:
        self._stored_s, self._wall_s, self._failed = [], [], 0
        before, begun_s = sum(table.stored for table in self._tables), time.perf_counter()
        await asyncio.sleep(seconds)
        per_s = (sum(table.stored for table in self._tables) - before) / (time.perf_counter() - begun_s)
        print(f"{name}, for {seconds} s: {per_s:.1f} events/s stored, {self._waiting()} waiting at the end")
        print(f"  a batch stored  {told_times(self._stored_s)}; {self._failed} requests failed")
        print(f"  the wall        {told_times(self._wall_s)}", flush=True)

    def _waiting(self) -> int:
        return sum(table.happened - table.stored for table in self._tables)

    async def _report(self, table: _Table) -> None:
        """Play at a table: events happen by chance, and once a second those that have happened are sent."""
        chance = random.Random(table.key)
        await asyncio.sleep(chance.random() * 5)
        due = time.perf_counter()
        while True:
            begun_s = time.perf_counter()
            while self._rate and due <= begun_s:
                due += chance.expovariate(self._rate)
                table.happened = min(table.happened + 1, len(table.texts))
            due = max(due, begun_s - 1)
            if table.happened > table.stored:
                with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                    async with asyncio.timeout(_PATIENCE_S):
                        await self._send(table)
            await asyncio.sleep(max(0.0, 1.0 - (time.perf_counter() - begun_s)))

    async def _send(self, table: _Table) -> None:
        rows = [
            Stored(place + 1, float(place), "", table.texts[place])
            for place in range(table.stored, table.happened)
        ]
        batch = {
            "evening": table.evening,
            "opened_at": float(table.evening.partition("-")[2]),
            "after": table.stored,
            "digest": table.digest,
            "events": [[row.at, row.by, row.data] for row in rows],
            "chips": None,
        }
        body = json.dumps(batch)
        begun_s = time.perf_counter()
        answer = await asked(
            self._port,
            f"POST /api/events HTTP/1.1\r\nAuthorization: Bearer {table.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n",
            body,
        )
        if answer.startswith("HTTP/1.1 200"):
            self._stored_s.append(time.perf_counter() - begun_s)
            table.digest = digest_of(rows, table.digest)
            table.stored += len(rows)
            table.batches += 1
        else:
            self._failed += 1

    async def _look(self, cookie: str, phase_s: float) -> None:
        """Load a wall again and again."""
        await asyncio.sleep(phase_s)
        while True:
            begun_s = time.perf_counter()
            with suppress(OSError, asyncio.IncompleteReadError):
                status, _ = await visited(self._port, "/", cookie)
                if status == 200:
                    self._wall_s.append(time.perf_counter() - begun_s)
                else:
                    self._failed += 1
            await asyncio.sleep(max(0.0, _WALL_EVERY_S - (time.perf_counter() - begun_s)))


def _tell_work(batches: int) -> None:
    """Print the processor time of the server, which has ended. On a shared machine it says more than the clock does."""
    work_s = children_spent_s()
    if not work_s:  # Windows
        return
    each_ms = 1000 * work_s / max(1, batches)
    print(f"the server worked {work_s:.1f} s in all, {each_ms:.1f} ms a batch, without the database")


def _count(engine: "Engine", tables: list[_Table]) -> None:
    from sqlalchemy import func, select

    from webui.club.schema import EVENT_ROWS

    with engine.begin() as connection:
        stored = connection.execute(select(func.count()).select_from(EVENT_ROWS)).scalar_one()
    said = sum(table.stored for table in tables)
    print(f"the database has {stored} events; {said} were acknowledged")


# ---- pages ----


def _measure_pages(engine: "Engine", events: int, clubs: int) -> None:
    """Fill the database, then time each page's query, and show its plan."""
    from webui.club import results, tournament
    from webui.club.intake import replayed, stored_events

    begun_s = time.perf_counter()
    people, evenings = _fill(engine, events, clubs)
    print(
        f"{evenings} evenings of {clubs} clubs, {events} events: loaded in {time.perf_counter() - begun_s:.0f} s"
    )
    chance = random.Random(2)
    year = date.today() - timedelta(days=365)
    with engine.begin() as connection:

        def some_club() -> int:
            return chance.randrange(clubs) + 1

        queries: dict[str, Callable[[int], Any]] = {
            "wall": lambda club: results.wall_query(club, time.time() - results.WALL_S),
            "flags": results.flags_query,
            "people": results.people_query,
            "person": lambda club: results.sittings_query(club, (club - 1) * people + 1),
            "ledger, a year": lambda club: results.season_query(club, year, date.max),
            "ledger, all years": lambda club: results.season_query(club, date.min, date.max),
            "evenings": results.evenings_query,
            "tournaments": tournament.tournaments_query,
            "its players": tournament.entrants_query,
            "its rounds": tournament.round_seats_query,
            "its evenings": lambda club: tournament.played_query(club, "danish"),
        }
        for name, query in queries.items():
            times = []
            for _ in range(20):
                asked = query(some_club())
                begun_s = time.perf_counter()
                rows = connection.execute(asked).all()
                times.append(time.perf_counter() - begun_s)
            print(f"{name:18} {told_times(times)}; {len(rows)} rows")
            print(_plan(connection, asked))
        times, work_s = [], time.process_time()
        for _ in range(10):
            begun_s = time.perf_counter()
            replayed(stored_events(connection, chance.randrange(evenings) + 1))
            times.append(time.perf_counter() - begun_s)
        work_ms = 1000 * (time.process_time() - work_s) / len(times)
        print(f"{'an evening played':18} {told_times(times)}; {work_ms:.0f} ms of work each")


def _plan(connection: Any, asked: Any) -> str:
    """The database's own plan of a query."""
    from sqlalchemy import text as sql

    compiled = asked.compile(connection, compile_kwargs={"literal_binds": True})
    how = (
        "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF)"
        if connection.dialect.name == "postgresql"
        else "EXPLAIN QUERY PLAN"
    )
    rows = connection.execute(sql(f"{how} {compiled}".replace(":", r"\:"))).all()
    return "\n".join(f"    {row[-1]}" for row in rows)


def _fill(engine: "Engine", events: int, clubs: int) -> tuple[int, int]:
    """Load about so many events; returns how many people a club has, and how many evenings there are in all."""
    from sqlalchemy import insert

    from webui.club.heads import head_of
    from webui.club.intake import replayed
    from webui.club.schema import CLUBS, EVENINGS, EVENT_ROWS, NAMES, PEOPLE, PLACES, SEAT_ROWS, now_s

    people = 30
    texts = played_evening(random.Random(3))
    rows = [Stored(seq, float(seq), "", text) for seq, text in enumerate(texts, start=1)]
    session = replayed(rows)
    head = json_of(head_of(session)).decode()
    count = max(clubs, events // len(texts))
    years_s = 5 * 365 * 86400
    chance = random.Random(4)
    with engine.begin() as connection:
        connection.execute(insert(CLUBS), [{"name": f"Klub {club}"} for club in range(clubs)])
        connection.execute(
            insert(PLACES),
            [
                {"club": club + 1, "name": f"Bord {table}", "key_hash": f"{club} {table}", "joined_at": 0.0}
                for club in range(clubs)
                for table in range(4)
            ],
        )
        names = [(club + 1, f"Spiller {one}") for club in range(clubs) for one in range(people)]
        connection.execute(
            insert(PEOPLE), [{"club": club, "name": name, "erased": False} for club, name in names]
        )
        connection.execute(
            insert(NAMES),
            [{"club": club, "name": name, "person": place} for place, (club, name) in enumerate(names, 1)],
        )
        for part in _parts(count, 1000):
            evenings, seats = [], []
            for number in part:
                club = number % clubs
                at = now_s() - years_s * (1 - number / count)
                evenings.append(
                    {
                        "club": club + 1, "place": club * 4 + chance.randrange(4) + 1, "key": f"{number}",
                        "opened_at": at, "received_at": at, "changed_at": at, "game": "danish", "rules": "dtf-2011",
                        "last": len(texts), "digest": START,
                        "closed": True, "open_flags": 0, "head": head,
                    }
                )  # fmt: skip
                for name, chips, one in zip(
                    DEALT_TO, session.balances.values(), chance.sample(range(people), 3), strict=True
                ):
                    person = club * people + one + 1
                    seats.append(
                        {
                            "evening": number + 1,
                            "name": name,
                            "person": person,
                            "chips": chips,
                            "hands": _HANDS,
                        }
                    )
            connection.execute(insert(EVENINGS), evenings)
            connection.execute(insert(SEAT_ROWS), seats)
            _copy(connection, EVENT_ROWS.name, part, rows)
        _fill_tournaments(connection, clubs, people)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    return people, count


def _fill_tournaments(connection: Any, clubs: int, people: int) -> None:
    """Add a tournament to each club: 24 of its people, six at each of its four tables, for five rounds."""
    from sqlalchemy import insert

    from webui.club.schema import ENTRANTS, ROUND_SEATS, ROUNDS, TOURNAMENT_TABLES, TOURNAMENTS, now_s

    rows: dict[Any, list[dict[str, object]]] = {}

    def add(table: Any, **values: object) -> None:
        rows.setdefault(table, []).append(values)

    for club in range(1, clubs + 1):
        add(
            TOURNAMENTS,
            club=club,
            name="Træf",
            game="danish",
            size=4,
            rounds=5,
            choices="{}",
            made_at=now_s(),
        )
        for table in range(1, 5):
            add(TOURNAMENT_TABLES, tournament=club, number=table, place=(club - 1) * 4 + table)
        for one in range(1, 25):
            add(ENTRANTS, tournament=club, person=(club - 1) * people + one, active=True, substitute=False)
        for turn in range(1, 6):
            add(ROUNDS, tournament=club, number=turn, published=True, after=0, key="")
            for one in range(24):
                table, place = one % 4 + 1, one // 4 + 1
                entrant = (club - 1) * 24 + one + 1
                add(ROUND_SEATS, tournament=club, round=turn, entrant=entrant, number=table, place=place)
    for table, values in rows.items():
        connection.execute(insert(table), values)


def _parts(count: int, size: int) -> Iterator[range]:
    return (range(start, min(start + size, count)) for start in range(0, count, size))


def _copy(connection: Any, table: str, evenings: Any, rows: list[Stored]) -> None:
    """Add the events `rows` to each of these evenings, by COPY if the database has it."""
    if connection.dialect.name != "postgresql":
        values = [(number + 1, *row) for number in evenings for row in rows]
        connection.exec_driver_sql(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)", values)
        return
    lines = [f"{row.seq}\t{row.at}\t{row.by}\t{row.data}\n" for row in rows]
    with connection.connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
        for number in evenings:
            text = io.StringIO()
            text.writelines(f"{number + 1}\t{line}" for line in lines)
            copy.write(text.getvalue())
