"""The club's pages: who may what, the wall, people over tables and evenings, the ledger, what is kept of it."""

import json
import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from club_table import Club, enter, joined_table, sends_all
from club_visit import Visit, played
from webui_deals import hand, plays
from webui_hidden import routes
from webui_table import FOUR, open_table

from tracker.american import events as american
from tracker.danish.events import Fined
from tracker.events import Event, HandStarted, SessionClosed, SessionOpened
from tracker.french import events as french
from tracker.session_file import export
from webui.bench.dealing_1659 import evening_of_1659
from webui.bench.dealing_american import evening_of_american
from webui.club.heads import head_of
from webui.club.limits import RateLimit
from webui.club.members import club_called
from webui.club.parts import club_parts
from webui.club.roles import NEEDED_CLUB_ROLE, TABLES_ONLY, ClubRole, club_may
from webui.club.schema import METADATA, migrate, open_database
from webui.errors import UserError

# ---- the database ----


def test_a_database_of_the_first_version_gets_the_tables_that_the_program_knows(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite3"
    with closing(sqlite3.connect(path)) as old:
        old.executescript((Path(__file__).parent / "club_0001.sql").read_text(encoding="utf-8"))
    engine = open_database(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


def test_a_new_database_has_the_tables_that_the_program_knows(club: Club) -> None:
    with club.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    migrate(club.engine)  # again, as at every start


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "is not the address of a database"),
        ("mysql://localhost/tarok", "only postgresql and sqlite"),
        ("sqlite:////nowhere/at/all.sqlite3", "cannot be opened"),
        (
            "postgresql://nobody@/tarok?host=/nowhere",
            "a file will do instead: --db sqlite:////srv/club.sqlite3",
        ),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_one_sentence(url: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as told:
        open_database(url)
    assert "\n" not in str(told.value)


# ---- who may what ----


def test_each_route_says_which_role_it_needs(club: Club) -> None:
    assert {endpoint for _, endpoint, _ in routes(club.app)} == NEEDED_CLUB_ROLE.keys()


@pytest.mark.slow
def test_every_route_is_refused_to_who_may_not_and_answered_to_who_may(club: Club) -> None:
    for role in ClubRole:
        visit = Visit(club, role) if role is not ClubRole.STRANGER else None
        for place, (method, endpoint, address) in enumerate(routes(club.app)):
            if endpoint in TABLES_ONLY or endpoint == "joining.leave":
                continue
            if place % 40 == 39:
                club.restart()  # nobody is turned away for asking often
            client = visit.client if visit else club.app.test_client()
            token = visit.members.form_token(visit.member.id) if visit else ""
            answer = client.open(address, method=method, data={"token": token} if method == "POST" else None)
            if not club_may(role, endpoint):
                assert answer.status_code == 403, (role, endpoint)
            else:
                assert answer.status_code != 500, (role, endpoint)
                assert answer.status_code != 403 or endpoint.startswith("joining."), (role, endpoint)
        club.restart()


def test_an_entry_needs_the_pages_token_and_its_origin(club: Club) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    token = admin.members.form_token(admin.member.id)
    assert admin.client.post("/tables/code", data={"name": "Bord 1"}).status_code == 403
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = admin.client.post("/tables/code", data={"name": "Bord 1", "token": token}, headers=headers)
        assert answer.status_code == 403
    assert admin.client.get("/", headers={"Host": "evil.example"}).status_code == 403
    assert admin.post("/tables/code", name="Bord 1")[0] == 200


def test_every_answer_has_the_security_headers(club: Club) -> None:
    answer = club.app.test_client().get("/")
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


def test_a_link_works_once_and_only_when_it_is_confirmed(club: Club) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    assert admin.post("/admin/links", role="host", label="Berit")[0] == 200
    link = re.search(r"/link/([\w-]+)", admin.get("/admin"))
    assert link is not None and "/link/" not in admin.get("/admin")
    for _ in range(2):
        client = club.app.test_client()
        page = client.get(link[0]).get_data(as_text=True)  # a mail program looks at it first
    token = re.search(r'name="token" value="(\w+)"', page)
    assert client.post(link[0], data={"token": token[1]}).status_code == 303
    assert client.get("/tables").status_code == 200 and client.get("/admin").status_code == 403
    assert club.app.test_client().get(link[0]).status_code == 403
    assert "Berit" in admin.get("/admin")


def test_without_a_name_the_only_club_is_meant(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'own.sqlite3'}")
    own = club_called(engine, "Tarokklubben")
    assert club_called(engine) == own
    club_called(engine, "Another")
    with pytest.raises(UserError, match="say which with --club, such as Another, Tarokklubben"):
        club_called(engine)
    engine.dispose()


def test_who_goes_back_to_the_used_link_reads_that_the_browser_has_joined(club: Club) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    word = admin.members.new_link(club.number, ClubRole.ADMIN)
    assert admin.post(f"/link/{word}")[0] == 200
    answer = admin.client.get(f"/link/{word}?lang=en")
    assert answer.status_code == 403 and "This browser has joined as club admin." in answer.text


def test_who_lets_tables_in_finds_on_the_empty_wall_how(club: Club) -> None:
    assert "Let a card table in" in Visit(club, ClubRole.HOST).get("/")
    assert "Let a card table in" not in Visit(club, ClubRole.PLAYER).get("/")


def test_who_joins_as_a_player_by_a_link_or_the_code_is_asked_who_he_is(club: Club) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    assert admin.post("/admin/links", role="player", label="Berit")[0] == 200
    link = re.search(r"/link/[\w-]+", admin.get("/admin"))
    assert link is not None
    for path in (
        link[0],
        f"/invitation/{club_parts(club.app).members.new_invitation(f'club {club.number}')}",
    ):
        client = club.app.test_client()
        token = re.search(r'name="token" value="(\w+)"', client.get(path).get_data(as_text=True))
        assert token is not None and client.post(path, data={"token": token[1]}).location == "/me"


def test_the_only_admin_cannot_go(club: Club) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    assert admin.post("/me/leave")[0] == 409
    assert admin.post("/admin/members", member=admin.member.id[:12], do="player")[0] == 409
    other = Visit(club, ClubRole.ADMIN)
    assert admin.post("/admin/members", member=other.member.id[:12], do="remove")[0] == 200
    assert other.client.get("/").status_code == 403


def test_who_asks_too_often_waits(club: Club) -> None:
    client = club.app.test_client()
    key = "k" * 40
    told = [client.post("/api/join", json={"code": "AAAA-AAAA", "key": key}).status_code for _ in range(12)]
    assert told.count(403) == 10 and told[-1] == 429
    answer = client.post("/api/join", json={"code": "AAAA-AAAA", "key": key})
    assert 1 <= int(answer.headers["Retry-After"]) <= 5
    assert Visit(club, ClubRole.PLAYER).client.get("/").status_code == 200  # others do not


def test_a_page_never_comes_without_its_style_however_quickly_its_reader_goes_on(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    client = Visit(club, ClubRole.PLAYER).client
    told = [client.get("/").status_code for _ in range(101)]
    assert told[-1] == 429
    assert client.get("/static/club.css").status_code == 200
    stranger = club.app.test_client()
    assert {stranger.get("/static/table.css").status_code for _ in range(80)} == {200}
    # Nor do the files of a page use up what its readers may ask.
    assert stranger.get("/source").status_code == 200


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    limit = RateLimit(rate=2, burst=3)
    assert [limit.wait_s("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert limit.wait_s("b") == 0
    now = 100.6
    assert limit.wait_s("a") == 0 and limit.wait_s("a") > 0


def test_a_table_of_one_club_is_no_table_of_another(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    other = Visit(club, ClubRole.ADMIN, club_called(club.engine, "En anden klub"))
    assert "Bord 1" not in other.get("/") + other.get("/evenings") + other.get("/tables")
    assert other.client.get("/evenings/1").status_code == 404
    assert other.client.get(f"/people/{club.person('Anna')}").status_code == 404
    assert other.post("/evenings/1/delete")[0] == 404
    assert "Anna" not in other.get("/people") + other.get("/ledger")


def test_the_trail_says_who_did_what_and_names_nobody(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    admin = Visit(club, ClubRole.ADMIN)
    admin.post(f"/people/{club.person('Anna')}/erase")
    trail = admin.get("/trail")
    for said in ("the table Bord 1 joined", "erased person", f"browser {admin.member.id[:6]}"):
        assert said in trail
    assert "Anna" not in trail


def test_the_trail_is_told_in_the_readers_language(club: Club, tmp_path: Path) -> None:
    joined_table(tmp_path, club, "Bord 2")
    admin = Visit(club, ClubRole.ADMIN)
    admin.post("/admin/links", role="host", label="")
    said = admin.client.get("/trail?lang=da").get_data(as_text=True)
    assert "bordet Bord 2 kom med" in said and "lavede et link til en anden browser: vært" in said


# ---- the wall ----


def test_the_wall_has_hand_trick_leader_and_what_waits(club: Club, tmp_path: Path) -> None:
    table, reporter = joined_table(tmp_path, club, "Bord 2")
    enter(table, hand(3, revoke_in_trick=4))
    enter(table, hand(4, "Bo")[:8])
    sends_all(reporter)
    wall = Visit(club, ClubRole.WALL).get("/")
    assert "Bord 2" in wall and "hand 2, trick 3" in wall and "led the trick" in wall
    assert "1 flag waits for an arbiter" in wall and "is ahead" in wall
    flags = Visit(club, ClubRole.ARBITER).get("/flags")
    who = table.session.hands[0].findings[0].player
    assert "Bord 2" in flags and "hand 1" in flags and who in flags


def test_the_wall_says_who_is_ahead_and_who_has_won(club: Club, tmp_path: Path) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3))
    assert sends_all(reporter).state == "told"
    wall = Visit(club, ClubRole.WALL)
    assert wall.get("/").count("ahead") == 0, "nobody has won any chips: they are in the pots"
    enter(table, [SessionClosed()])
    assert sends_all(reporter).state == "told"
    (best,) = (name for name, chips in table.session.balances.items() if chips > 0)
    assert f"{best} wins the evening +{table.session.balances[best]}" in wall.get("/")
    even = replace(head_of(table.session), closed=False, chips={"Anna": 5, "Bo": -10, "Carl": 5})
    assert even.ahead == (["Anna", "Carl"], 5)


def test_a_table_that_needs_an_arbiter_comes_first(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1", close=False)
    table, reporter = joined_table(tmp_path, club, "Bord 10")
    enter(table, hand(3, revoke_in_trick=4))
    sends_all(reporter)
    played(tmp_path, club, "Bord 9", close=False)
    wall = Visit(club, ClubRole.WALL).get("/")
    assert wall.index("Bord 10") < wall.index("Bord 1 ") < wall.index("Bord 9")


AMERICAN = SessionOpened("american-tarock", (), FOUR)
BO_REVOKES = plays("Anna S7", "Bo H4", "Carl S9", "Dora S10")
IT_SHOWS = plays("Dora C7", "Anna C8", "Bo S8", "Carl C10")


@pytest.mark.parametrize(
    ("opened", "before", "between"),
    [
        (SessionOpened("tarot-1659", (("cards", 3), ("ante", 10)), FOUR), [], []),
        (AMERICAN, [american.ContractNamed("klop")], [american.VitaminTurned("T8", 1)]),
        (SessionOpened("french-tarot", (), FOUR), [french.ContractNamed("prise", "Anna")], []),
    ],
    ids=lambda value: value.rules if isinstance(value, SessionOpened) else "",
)
def test_the_flags_of_every_game_reach_the_wall_and_the_arbiter(
    opened: SessionOpened, before: list[Event], between: list[Event], club: Club, tmp_path: Path
) -> None:
    table = open_table(tmp_path, opened)
    reporter = club.take_in(table)
    enter(table, [HandStarted("Dora"), *before, *BO_REVOKES, *between, *IT_SHOWS])
    assert sends_all(reporter).state == "told"
    assert "1 flag waits for an arbiter" in Visit(club, ClubRole.WALL).get("/")
    flags = Visit(club, ClubRole.ARBITER).get("/flags")
    assert "hand 1" in flags and "Bo" in flags and "4 of hearts" in flags


def test_what_is_in_doubt_or_was_let_pass_is_no_flag_that_waits(club: Club, tmp_path: Path) -> None:
    table, reporter = joined_table(tmp_path, club, "Bord 1")
    enter(table, hand(3, revoke_in_trick=4))
    sends_all(reporter)
    arbiter = Visit(club, ClubRole.ARBITER)
    assert "hand 1" in arbiter.get("/flags")
    (finding,) = [one for one in table.session.hands[0].findings if one.fine]
    assert finding.player is not None
    enter(table, [Fined(finding.player, "superficial", finding=finding.name)])
    sends_all(reporter)
    assert "No flag waits" in arbiter.get("/flags")


# ---- people ----


def test_a_players_page_is_over_tables_and_evenings(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    played(tmp_path, club, "Bord 2", ("Anna", "Dora", "Erik"), seed=5)
    page = Visit(club, ClubRole.PLAYER).get(f"/people/{club.person('Anna')}")
    assert "Bord 1" in page and "Bord 2" in page and "2 evenings, 2 hands" in page


def test_a_players_phone_says_whose_it_is_and_leads_to_his_own_evenings(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    phone = Visit(club, ClubRole.PLAYER)
    assert '<option value=""></option>' in phone.client.get("/me").get_data(as_text=True), (
        "nobody is proposed"
    )
    assert "My evenings" in phone.get("/") and "Scan the code" not in phone.get("/")
    anna = club.person("Anna")
    assert phone.post("/me", person="")[0] == 400
    assert phone.post("/me", person=anna)[0] == 200
    for path in ("/", "/tournaments"):
        assert f'href="/people/{anna}">My evenings</a>' in phone.client.get(f"{path}?lang=en").get_data(
            as_text=True
        )
    assert "Scan the code" in Visit(club, ClubRole.HOST).get("/")


def test_the_colour_of_a_person_tells_no_chips_of_an_evening_that_is_played(
    club: Club, tmp_path: Path
) -> None:
    """ETI-1: what a hand has moved so far shows nowhere."""
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3)[:20])
    assert sends_all(reporter).state == "told"
    told = Visit(club, ClubRole.PLAYER).client.get(f"/people/{club.person('Anna')}").get_data(as_text=True)
    assert "Bord 1" in told and "minus" not in told


def test_people_and_tables_are_listed_as_a_dane_looks_for_them(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 10", ("Åse", "Ærø", "émile"))
    played(tmp_path, club, "Bord 2", ("Øjvind", "Zita", "Frida"))
    admin = Visit(club, ClubRole.ADMIN)
    for page in (admin.get("/people"), admin.get("/me")):
        places = [page.index(f" {name} ") for name in ("émile", "Frida", "Zita", "Ærø", "Øjvind", "Åse")]
        assert places == sorted(places), page
    tables = admin.get("/tables")
    assert tables.index("Bord 2") < tables.index("Bord 10")


def test_a_tournament_lists_its_players_as_a_dane_looks_for_them(club: Club) -> None:
    names = ("Bo", "A\u030age", "Zita", "Åse", "Ægir", "Øjvind")  # the first å is an a with a ring above it
    admin = Visit(club, ClubRole.ADMIN)
    asked = {"name": "Træf", "game": "danish", "size": 3, "rounds": 1, "names": "\n".join(names)}
    for path, fields in (("", asked), ("/1/draw", {}), ("/1/publish", {"round": 1})):
        assert admin.post(f"/tournaments{path}", **fields)[0] == 200
    in_order = ["Bo", "Zita", "Ægir", "Øjvind", "A\u030age", "Åse"]
    page = admin.client.get("/tournaments/1").get_data(as_text=True)
    for menu in re.findall(r'<select name="entrant">(.*?)</select>', page):
        assert re.findall(r'<option value="\d+">([^<]+)', menu) == in_order
    # All are equal, so their names alone say who stands before whom.
    numbers = dict(re.findall(r'<option value="(\d+)">([^<]+)', page))
    for number in (1, 2):
        table = re.search(rf'name="table" value="{number}">(.*?)</form>', page)
        assert table is not None
        chips = dict.fromkeys(re.findall(r"chips-\d+", table[1]), 0)
        assert chips and {one.removeprefix("chips-") for one in chips} <= numbers.keys()
        assert admin.post("/tournaments/1/result", round=1, table=number, hands=8, **chips)[0] == 200
    standings = admin.client.get("/tournaments/1.json").get_json()["by chips"]
    assert [one["player"] for one in standings] == in_order


def test_two_who_are_one_are_merged_and_told_apart_again(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    played(tmp_path, club, "Bord 2", ("Annette", "Dora", "Erik"), seed=5)
    admin = Visit(club, ClubRole.ADMIN)
    anna, other = club.person("Anna"), club.person("Annette")
    assert admin.post("/people/merge", one=anna, other=other, sure="")[0] == 428
    assert "1 evening," in admin.get(f"/people/{anna}")
    assert admin.post("/people/merge", one=anna, other=other)[0] == 200
    page = admin.get(f"/people/{anna}")
    assert "2 evenings" in page and "as Annette" in page
    assert admin.client.get(f"/people/{other}").status_code == 404
    # What the merged name plays later is hers as well.
    played(tmp_path, club, "Bord 3", ("Annette", "Dora", "Erik"), seed=6)
    assert "3 evenings" in admin.get(f"/people/{anna}")
    assert admin.post(f"/people/{anna}/apart", name="Annette")[0] == 200
    assert "1 evening," in admin.get(f"/people/{anna}")
    assert "2 evenings" in admin.get(f"/people/{club.person('Annette')}")


def test_anna_and_anna_with_a_small_letter_are_one_person_until_they_are_told_apart(
    club: Club, tmp_path: Path
) -> None:
    played(tmp_path, club, "Bord 1", ("Åse", "Bo", "Carl"))
    played(tmp_path, club, "Bord 2", ("åse", "Dora", "Erik"), seed=5)
    admin, other = Visit(club, ClubRole.ADMIN), club.person("Åse")
    page = admin.get(f"/people/{other}")
    assert "2 evenings" in page and "as åse" in page
    assert admin.post(f"/people/{other}/apart", name="åse")[0] == 200
    assert club.person("åse") != other and "1 evening," in admin.get(f"/people/{other}")


def test_two_who_sat_at_one_table_are_two(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    admin = Visit(club, ClubRole.ADMIN)
    anna, bo = club.person("Anna"), club.person("Bo")
    for sure in ("yes", ""):  # nobody is asked whether he is sure of what cannot be
        status, told = admin.post("/people/merge", one=anna, other=bo, sure=sure)
        assert status == 409 and "one table" in told["message"]
        assert admin.post("/people/merge", one=anna, other=anna, sure=sure)[0] == 400


def test_another_of_the_same_name_gets_the_evening_that_is_his(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    admin = Visit(club, ClubRole.ADMIN)
    assert admin.post("/people/seat", evening=1, name="Anna", to="Anna Lund")[0] == 200
    assert "1 evening" in admin.get(f"/people/{club.person('Anna Lund')}")
    assert "No evening" in admin.get(f"/people/{club.person('Anna')}")
    assert admin.post("/people/seat", evening=1, name="Anna", to="Bo")[0] == 409
    assert admin.post("/people/seat", evening=1, name="Eve", to="Bo")[0] == 404


def test_who_asks_is_erased_and_the_chips_stay(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    admin = Visit(club, ClubRole.ADMIN)
    anna = club.person("Anna")
    chips = club.standing()
    assert admin.post(f"/people/{anna}/erase")[0] == 200
    everything = json.dumps(
        [[str(value) for value in row] for table in METADATA.sorted_tables for row in club.rows(table)]
    )
    assert "Anna" not in everything and "N.N." in everything
    assert club.standing() == chips | {"N.N.": chips.pop("Anna")}
    assert "N.N." in admin.get("/evenings/1") and "Anna" not in admin.get("/evenings/1")
    # The next evening's Anna is somebody new.
    played(tmp_path, club, "Bord 2", seed=5)
    assert club.person("Anna") != anna


def test_nobody_is_erased_while_playing(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1", close=False)
    status, told = Visit(club, ClubRole.ADMIN).post(f"/people/{club.person('Anna')}/erase")
    assert status == 409 and "not over" in told["message"]


# ---- ledger and files ----


def test_the_ledger_of_evening_and_season_says_who_owes_whom(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    played(tmp_path, club, "Bord 2", ("Anna", "Dora", "Erik"), seed=5)
    player, host = Visit(club, ClubRole.PLAYER), Visit(club, ClubRole.HOST)
    page = player.get("/ledger")
    assert "Danish Tarok" in page and " owes " in page
    game = host.client.get("/ledger.json").get_json()["games"]["danish"]
    chips = {one["name"]: one["chips"] for one in game["standings"]}
    assert sum(chips.values()) == 0 and chips.keys() == {"Anna", "Bo", "Carl", "Dora", "Erik"}
    for owed in game["owed"]:
        chips[owed["from"]] += owed["amount"]
        chips[owed["to"]] -= owed["amount"]
    assert set(chips.values()) == {0}
    assert "No settled evening" in player.get("/ledger?from=1999-01-01&to=1999-12-31")
    table = host.client.get("/ledger.csv?lang=en").get_data(as_text=True)
    assert table.count("\n") == 6 and "danish,Anna,2,2," in table
    assert player.client.get("/ledger.csv").status_code == 403


def test_an_evening_is_downloaded_as_the_session_file_that_the_table_has(club: Club, tmp_path: Path) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, [*hand(3), SessionClosed()])
    sends_all(reporter)
    player = Visit(club, ClubRole.PLAYER)
    file = player.client.get("/evenings/1.json").get_json()
    assert file == export(table.recorded, type(table.session))
    assert "Hand" in player.client.get("/evenings/1.csv?lang=en").get_data(as_text=True)


def test_the_hand_that_is_played_is_in_no_page_and_no_file(club: Club, tmp_path: Path) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3)[:40])
    sends_all(reporter)
    player = Visit(club, ClubRole.PLAYER)
    assert player.client.get("/evenings/1.json").get_json()["hands"] == []
    assert "not here until it is over" in player.get("/evenings/1")


def test_a_database_that_is_away_is_told_in_one_sentence(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    with club.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE evenings RENAME TO gone")
    answer = admin.client.get("/evenings?lang=en")
    assert answer.status_code == 503 and "does not answer" in answer.get_data(as_text=True)
    assert "Traceback" not in answer.get_data(as_text=True)
    with club.engine.begin() as connection:  # tests share the tables
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO evenings")


# ---- other games ----


@pytest.mark.parametrize("evening_of", [evening_of_1659, evening_of_american], ids=["1659", "american"])
def test_the_evening_of_another_game_is_at_the_club_as_at_its_table(
    evening_of: Callable[[random.Random], tuple[SessionOpened, list[Event]]], club: Club, tmp_path: Path
) -> None:
    opened, events = evening_of(random.Random(5))
    table = open_table(tmp_path, opened)
    reporter = club.take_in(table)
    enter(table, events[: len(events) // 2])
    assert sends_all(reporter).state == "told"  # what comes later goes on from there
    in_pots = "chips are still in the pots" in Visit(club, ClubRole.PLAYER).get("/evenings/1")
    assert in_pots == table.session.keeps_chips
    enter(table, [*events[len(events) // 2 :], SessionClosed()])
    assert sends_all(reporter).state == "told"
    assert club.standing() == table.session.balances
    player, host = Visit(club, ClubRole.PLAYER), Visit(club, ClubRole.HOST)
    assert "Bord 1" in player.get("/") and "closed" in player.get("/")
    title = "Tarot of 1659" if opened.rules == "tarot-1659" else "American Tarock"
    for page in ("/evenings", "/evenings/1", "/ledger", f"/people/{club.person(opened.seats[0])}"):
        assert title in player.get(page)
    (sums,) = host.client.get("/ledger.json").get_json()["games"].values()
    owed = bool(sums["owed"])
    assert owed == table.session.keeps_chips and ("score sheet" in player.get("/ledger")) != owed
    file = player.client.get("/evenings/1.json").get_json()
    assert file == export(table.recorded, type(table.session))
