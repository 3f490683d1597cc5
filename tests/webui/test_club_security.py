"""Nobody takes, learns or breaks at the club what is not his."""

import json
import re
import sqlite3
import stat
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from club_table import Club, batch_of, enter, joined_table, sends_all, sent
from club_visit import Visit, card_tables, play, played, published
from sqlalchemy import select, text
from webui_deals import OPENED, SIDES, hand

from tracker.events import CardPlayed, SessionClosed
from tracker.store import EventStore
from webui.club.members import LastAdminError, club_called
from webui.club.parts import club_parts
from webui.club.roles import NEEDED_CLUB_ROLE, ClubRole, club_may
from webui.club.schema import EVENINGS, SEAT_ROWS, open_database
from webui.errors import UserError
from webui.reporting.club_line import START, Reply, digest_of
from webui.reporting.reporter import Reporter


def asked(club: Club, reporter: Reporter, path: str, data: Any) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {reporter.club.key}", "Content-Type": "application/json"}
    body = data if isinstance(data, str) else json.dumps(data)
    answer = club.app.test_client().post(path, data=body, headers=headers)
    return answer.status_code, answer.get_json()


# ---- an evening belongs to the table that opened it ----


def test_no_table_learns_or_takes_over_the_evening_of_another(tmp_path: Path, club: Club) -> None:
    """Even with the evening's own key it is told what it is told of an evening that there is not."""
    own, reporter = joined_table(tmp_path, club, "Bord 1")
    enter(own, hand(3)[:20])
    sends_all(reporter)
    _, thief = joined_table(tmp_path, club, "Bord 2")
    (info,) = own.kept.played_here()
    stored = club.stored()
    assert asked(club, thief, "/api/places", {"evenings": [info.key]}) == (200, {"evenings": {}})
    enter(own, hand(3)[20:21])
    for after, until in ((21, 22), (5, 9)):
        known, unknown = (
            sent(club, thief, batch_of(own, after, until, evening=key)) for key in (info.key, "nobody's")
        )
        assert known == unknown and known[0] == 409
        assert (known[1]["last"], known[1]["digest"]) == (0, START)
    assert club.stored() == stored
    # What it sends under that key is another evening, its own.
    assert sent(club, thief, batch_of(own, 0, 5))[0] == 200
    assert [row for row in club.stored() if row[0] == 1] == stored
    assert sends_all(reporter).state == "told"
    assert sorted((row.place, row.last) for row in club.rows(EVENINGS)) == [(1, 22), (2, 5)]


def test_an_evenings_key_is_drawn_by_chance(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "evening.sqlite3")
    for _ in range(2):
        store.open_session(OPENED, at=1000.0)
    first, second = (info.key for info in store.sessions())
    assert first != second and min(len(first), len(second)) >= 32
    assert "1000" not in first


def test_few_evenings_are_asked_for_at_once_and_a_table_with_many_asks_again(
    tmp_path: Path, small: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, reporter = joined_table(tmp_path, small)
    assert asked(small, reporter, "/api/places", {"evenings": [f"key {n}" for n in range(1001)]})[0] == 400
    monkeypatch.setattr("webui.reporting.reporter.MOST_EVENINGS", 2)
    for _ in range(4):
        enter(table, [SessionClosed()])
        table.open_evening(OPENED, SIDES)
    assert sends_all(reporter).state == "told"
    small.sent.clear()
    assert sends_all(Reporter(table, small.ask)).state == "told"
    assert [len(data["evenings"]) for path, data in small.sent if path == "/api/places"] == [2, 2, 1]


# ---- what is shown while a hand is played ----


def test_the_clubs_pages_tell_nothing_of_the_hand_that_is_played(tmp_path: Path) -> None:
    """Two evenings that differ in the earlier tricks of this hand and in its payments look alike to every player."""
    pages, orders = [], []
    for number, seed in enumerate((16, 28)):
        folder = tmp_path / str(number)
        folder.mkdir()
        club = Club(f"sqlite:///{folder / 'club.sqlite3'}")
        table, reporter = joined_table(folder, club)
        events = hand(seed, "Bo")
        plays = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
        enter(table, events[: plays[30]])
        sends_all(reporter)
        orders.append(sorted(table.session.balances, key=table.session.balances.__getitem__))
        visit = Visit(club, ClubRole.PLAYER)
        paths = [
            rule.rule.replace("<int:number>", "1")
            for rule in club.app.url_map.iter_rules()
            if "GET" in (rule.methods or ())
            and ClubRole.WALL <= NEEDED_CLUB_ROLE[rule.endpoint] <= ClubRole.PLAYER
        ]
        pages.append({path: masked(visit, path) for path in paths if path != "/stream"})
        club.engine.dispose()
    one, other = pages
    assert orders[0] != orders[1], "the chips of the two evenings stand in another order"
    assert one.keys() == other.keys() and "/evenings/1.json" in one
    assert one == other


def masked(visit: Visit, path: str) -> tuple[int, str]:
    """What is answered, without what is drawn by chance or is the time."""
    answer = visit.client.get(path, query_string={"lang": "en"})
    page = answer.get_data(as_text=True).replace(visit.members.form_token(visit.member.id), "TOKEN")
    chance = r'name="once" value="\w+"|\?[0-9a-f]{8}(?=")|<svg.*?</svg>|data-version="\d+"|"version":\d+'
    return answer.status_code, re.sub(chance, "", page)


# ---- wrong clocks ----


@pytest.mark.parametrize("clock", [0.0, 1.58e9, 4.07e9])
def test_a_table_with_a_wrong_clock_is_seen_and_hides_nothing(
    clock: float, tmp_path: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1970, 2020 and 2099: the server orders by what it received."""
    monkeypatch.setattr("tracker.store.time", SimpleNamespace(time=lambda: clock))
    table, reporter = joined_table(tmp_path, club, "Bord 1", ("Anna", "Bo", "Carl"))
    enter(table, [*hand(3), SessionClosed()])
    sends_all(reporter)
    monkeypatch.undo()
    others = ("Dora", "Erik", "Finn")
    table.open_evening(replace(OPENED, seats=others), dict(zip(others, "SEN", strict=True)))
    sends_all(reporter)
    visit = Visit(club, ClubRole.PLAYER)
    wall = visit.get("/")
    assert "Bord 1" in wall and "Dora, Erik, Finn" in wall, "its newest evening is on the wall"
    today = time.strftime("%Y-%m-%d")
    assert "Anna" in visit.get(f"/ledger?from={today}&to={today}"), (
        "an evening that cannot be of then is of today"
    )
    evenings = visit.client.get("/evenings?lang=en").get_data(as_text=True)
    assert evenings.index("/evenings/2") < evenings.index("/evenings/1"), "the newest comes first"


def test_an_evening_without_a_network_stands_under_its_own_day(
    tmp_path: Path, small: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    then = time.time() - 3 * 86400
    monkeypatch.setattr("tracker.store.time", SimpleNamespace(time=lambda: then))
    table, reporter = joined_table(tmp_path, small)
    enter(table, [*hand(3), SessionClosed()])
    monkeypatch.undo()
    sends_all(reporter)
    day = time.strftime("%Y-%m-%d", time.localtime(then))
    assert "Anna" in Visit(small, ClubRole.PLAYER).get(f"/ledger?from={day}&to={day}")


def test_an_evening_of_a_tournament_counts_whatever_its_tables_clock(
    tmp_path: Path, small: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.store.time", SimpleNamespace(time=lambda: 0.0))
    (at,) = card_tables(tmp_path, small, 1)
    admin = published(small, ("Anna", "Bo", "Carl"), rounds=1)
    (seats,) = admin.drawn(1)
    chips = play(at, seats, 3)
    (table,) = admin.told()["rounds"][0]["tables"]
    assert {one["player"]: one["chips"] for one in table["seats"]} == chips


# ---- the only admin ----


def test_the_only_admin_stays_one_whatever_link_he_opens(small: Club) -> None:
    admin = Visit(small, ClubRole.ADMIN)
    for role in (ClubRole.PLAYER, ClubRole.WALL, ClubRole.HOST):
        word = admin.members.new_link(small.number, role)
        status, said = admin.post(f"/link/{word}")
        assert status == 409 and "only admin" in said["message"]
        assert admin.client.get("/admin").status_code == 200
        assert admin.members.link(word) is not None, "the link is still good for whom it is for"
    elsewhere = admin.members.new_link(club_called(small.engine, "En anden klub"), ClubRole.ADMIN)
    assert admin.post(f"/link/{elsewhere}")[0] == 409
    assert admin.post(f"/link/{admin.members.new_link(small.number, ClubRole.ADMIN)}")[0] == 200
    assert [one.role for one in admin.members.of_club(small.number)] == [ClubRole.ADMIN]


def test_two_admins_who_go_at_once_leave_one(small: Club) -> None:
    members = club_parts(small.app).members
    for _ in range(20):
        pair = [members.join(small.number, ClubRole.ADMIN) for _ in range(2)]
        for old in members.of_club(small.number):
            if old not in pair:
                members.remove(old)
        gate = threading.Barrier(2)
        refused: list[object] = []

        def go(one: Any, gate: threading.Barrier = gate, refused: list[object] = refused) -> None:
            gate.wait()
            try:
                members.remove(one)
            except LastAdminError as error:
                refused.append(error)

        threads = [threading.Thread(target=go, args=(one,)) for one in pair]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(refused) == 1 and len(members.of_club(small.number)) == 1


def test_the_only_admin_stays_one_when_his_name_is_erased(tmp_path: Path, small: Club) -> None:
    played(tmp_path, small, "Bord 1")
    admin = Visit(small, ClubRole.ADMIN)
    anna = small.person("Anna")
    assert admin.post("/me", person=anna)[0] == 200
    assert admin.post(f"/people/{anna}/erase")[0] == 200
    assert admin.client.get("/admin").status_code == 200
    small.restart()
    assert [one.role for one in club_parts(small.app).members.of_club(small.number)] == [ClubRole.ADMIN]


def test_who_was_made_less_stays_so_though_a_request_of_his_is_under_way(small: Club) -> None:
    members = club_parts(small.app).members
    members.join(small.number, ClubRole.ADMIN)
    host = replace(members.join(small.number, ClubRole.HOST), seen_at=0.0)
    members.change(host, role=ClubRole.WALL)
    members.note(host)  # as his request knew him
    assert members.member(host.id).role is ClubRole.WALL
    members.remove(host)
    members.note(host)
    assert members.member(host.id) is None


# ---- hostile requests ----


DEEP = "[" * 50_000
HALF = chr(0xD800)


BODIES = {
    "deep": DEEP,
    "deep inside": '{"evenings": ' + DEEP,
    "half a pair": '{"evenings": ["\\ud800"]}',
    "NUL": '{"evenings": ["\\u0000"]}',
    "huge": '{"evenings": [' + "9" * 5000 + "]}",
    "not a number": "NaN",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("path", ["/api/places", "/api/events", "/api/join"])
def test_a_table_that_sends_what_is_no_json_of_ours_is_told_400(
    body: str, path: str, tmp_path: Path, club: Club
) -> None:
    _, reporter = joined_table(tmp_path, club)
    status, said = asked(club, reporter, path, body)
    assert status == 400 and said["message"].endswith(".")


@pytest.mark.parametrize(
    "name", [HALF, "\0", "x" * 25, "x" * 100_000, "\n"], ids=["half a pair", "NUL", "25", "100,000", "line"]
)
def test_a_name_that_no_table_gives_is_refused(name: str, tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    opened = json.dumps({"event": "SessionOpened", "rules": "dtf-2011", "seats": ["Anna", "Bo", name]})
    status, said = sent(club, reporter, batch_of(table, 0, 1, events=[[1.0, "", opened]]))
    assert status in (400, 422) and said["message"] and club.count() == 0


@pytest.mark.parametrize("amount", [10**10, 10**30, 10**1000])
def test_chips_that_no_evening_comes_to_are_refused(amount: int, tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    event = json.dumps(
        {"event": "Adjustment", "source": "Anna", "target": "Bo", "amount": amount, "reason": ""}
    )
    sent(club, reporter, batch_of(table, 0, 1))
    batch = batch_of(table, 0, 1) | {"after": 1, "digest": digest_after(table), "events": [[1.0, "", event]]}
    status, said = sent(club, reporter, batch)
    assert status in (400, 422) and said["message"].endswith(".") and club.count() == 1


def digest_after(table: Any) -> str:
    (info,) = table.kept.played_here()
    return digest_of(table.kept.store.stored(info.id, 0, 1))


@pytest.mark.parametrize(
    "path",
    [
        "/evenings?before=1e400",
        "/evenings?before=nan",
        "/trail?before=" + "9" * 30,
        "/trail?before=-1",
        "/ledger?from=0001-01-02",
        "/ledger?to=9999-12-30",
        "/ledger?from=%00",
        "/evenings/999999999",
        "/link/%00",
        "/link/%ED%A0%80",
        "/invitation/%00%FF",
        "/state?since=" + "9" * 4000,
        "/?lang=%00",
    ],
)
def test_an_address_with_anything_in_it_is_answered(path: str, club: Club) -> None:
    assert Visit(club, ClubRole.ADMIN).client.get(path).status_code in (200, 400, 403, 404)


FIELDS = (
    "name", "label", "role", "to", "evening", "one", "other", "person", "table", "member", "do", "names",
    "game", "size", "rounds", "entrant", "round", "chips-1", "table-1",
)  # fmt: skip


@pytest.mark.parametrize("value", ["a\0b", "9" * 5000, "-1", "٣", "x" * 50_000, "\x1b[2J"])
def test_a_field_with_anything_in_it_is_answered(value: str, club: Club) -> None:
    visit = Visit(club, ClubRole.ADMIN)
    for rule in club.app.url_map.iter_rules():
        entered = "POST" in rule.methods and not rule.rule.startswith("/api")
        if not entered or not club_may(ClubRole.ADMIN, rule.endpoint):
            continue
        address = rule.rule.replace("<int:number>", "1").replace("<word>", "x")
        for right in ({}, {"role": "host"}, {"game": "danish", "size": "4", "rounds": "1", "name": "Cup"}):
            status, said = visit.post(address, **(dict.fromkeys(FIELDS, value) | right))
            assert status < 500, (rule.rule, said)


# ---- the database's file ----


@pytest.mark.skipif(sys.platform == "win32", reason="a user's folder is private there")
def test_the_sqlite_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite3"
    engine = open_database(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("SELECT 1"))
        modes = {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
    engine.dispose()
    assert modes == {0o600}
    path.chmod(0o644)  # as an older version left it
    open_database(f"sqlite:///{path}").dispose()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_damaged_database_is_told_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite3"
    open_database(f"sqlite:///{path}").dispose()
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(path.read_bytes().replace(b"clubs", b"cl\xcebs"))
    with pytest.raises(UserError, match=r"club\.sqlite3: cannot be opened \(it is damaged\)$"):
        open_database(f"sqlite:///{path}")


def test_a_file_that_is_no_clubs_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE own (x)")
    path.chmod(0o644)
    before = path.read_bytes()
    with pytest.raises(UserError, match="another program"):
        open_database(f"sqlite:///{path}")
    assert path.read_bytes() == before
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
    text_file = tmp_path / "notes.txt"
    text_file.write_text("no database" * 100)
    with pytest.raises(UserError, match="cannot be opened"):
        open_database(f"sqlite:///{text_file}")
    for address in ("sqlite://", "sqlite:///:memory:", f"sqlite:///{tmp_path}"):
        with pytest.raises(UserError):
            open_database(address)


# ---- the command, and what the table keeps of the club ----


@pytest.mark.parametrize(
    "words",
    [
        ("--players", "1000000000", "--rounds", "3"),
        ("--players", "12", "--rounds", "1000000"),
        ("--players", "12", "--rounds", "3", "--effort", "99999999999"),
        ("--names", "/dev/zero", "--rounds", "3"),
        ("--names", "many.txt", "--rounds", "3"),
        ("--players", "12", "--rounds", "3", "--played", "deep.json"),
        ("--players", "12", "--rounds", "3", "--played", "wide.json"),
    ],
)
def test_a_draw_of_any_size_ends(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("many.txt").write_text("\n".join(map(str, range(100_000))))
    Path("deep.json").write_text(DEEP)
    wide = {"tables": [list(map(str, range(10_000)))], "resting": []}
    Path("wide.json").write_text(json.dumps({"format": "tarok-seating/1", "rounds": [wide]}))
    refused("club", "seating", *words)


def test_a_hostile_club_does_not_stop_the_table(tmp_path: Path, small: Club) -> None:
    table, reporter = joined_table(tmp_path, small)
    enter(table, hand(3)[:5])
    for last in (10**30, -1, True, 2**63):
        place = {"last": last, "digest": START}
        told = {"evenings": {table.kept.played_here()[0].key: place}, **place}
        hostile = Reporter(table, lambda *_, told=told: Reply(409 if "last" in told else 200, told))
        hostile.start()
        time.sleep(0.05)
        hostile.stop()
    assert sends_all(reporter).state == "told"
    with small.engine.begin() as connection:
        assert connection.execute(select(SEAT_ROWS.c.name)).scalars().all()
