"""What takes something away asks once, and names it. What is deleted at the club can be brought back for 30 days."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from club_table import Club, enter, joined_table, sends_all
from club_visit import Visit, begun, played, published
from sqlalchemy import select
from webui_deals import OPENED, hand
from webui_page import Page
from webui_until import until

from tracker.events import SessionClosed
from tracker.games import rule_set
from webui.app_parts import app_parts
from webui.club.deleted import purge
from webui.club.roles import ClubRole
from webui.club.schema import DELETED, EVENINGS, EVENT_ROWS, KEPT_S, TOURNAMENTS, now_s
from webui.people.roles import Role
from webui.reporting.reporter import Reporter
from webui.table.live import LiveTable
from webui.table.own_rule_sets import own_rule_sets, save_own_rule_set
from webui.table.saved_evening import save_evening

# ---- at the table ----


@pytest.fixture
def kept(table: LiveTable, tmp_path: Path) -> Page:
    """A table with an evening that is over and saved, a set of rules of its own, a phone, and an open evening."""
    enter(table, [*hand(3), SessionClosed()])
    save_evening(table)
    seats = ("Anna", "Bo", "Carl", "Dora")
    table.open_evening(replace(OPENED, seats=seats), dict(zip(seats, "SENW", strict=True)))
    page = Page(table)
    page.phones.join(Role.PLAYER, "Bo")
    page.phones.join(Role.HOST)
    base = rule_set("dtf-2011", ())
    save_own_rule_set(table.rules_folder, base, replace(base, name="Vores", tout=40))
    return page


@pytest.mark.parametrize(
    ("path", "fields", "names"),
    [
        ("/host/evenings/delete", {"evening": "1"}, "Anna, Bo, Carl"),
        ("/host/saved/delete", {"name": "SAVED"}, "saved evening"),
        ("/host/phones", {"phone": "PHONE", "do": "remove"}, "Bo"),
        ("/rules/delete", {"name": "Vores"}, "Vores"),
        ("/leave", {"player": "Dora"}, "Dora leaves"),
        ("/me/leave", {}, "This phone"),
    ],
)
def test_the_table_asks_once_and_names_what_goes(
    path: str, fields: dict[str, str], names: str, kept: Page, table: LiveTable
) -> None:
    number = next(one.number for one in kept.phones.all() if one.seat == "Bo")
    saved = next(one.name for one in table.kept.saved.iterdir())
    fields = {key: {"PHONE": str(number), "SAVED": saved}.get(value, value) for key, value in fields.items()}
    before = stands(kept, table)
    data = {"token": kept.token, **fields}
    page = kept.client.post(f"{path}?lang=en", data=data)
    assert page.status_code == 428 and names in page.get_data(as_text=True)
    answer = kept.client.post(f"{path}?lang=en", data=data, headers={"Accept": "application/json"})
    told = answer.get_json()
    assert answer.status_code == 428 and names in told["message"] and 'name="sure"' in told["ask"]
    assert told["ask"].count('name="sure"') == 1
    assert "<html" not in told["ask"] and f'action="{path}"' in told["ask"]
    assert stands(kept, table) == before, "nothing is done before it is answered"
    assert kept.client.post(path, data={**data, "sure": "yes"}).status_code == 303


def stands(page: Page, table: LiveTable) -> Any:
    """What there is to lose."""
    own = [path.name for path in table.kept.saved.rglob("*")]
    return (
        list(table.recorded),
        page.phones.all(),
        table.kept.all(),
        own,
        list(own_rule_sets(table.rules_folder)),
    )


def test_what_moves_when_somebody_leaves_is_said_before_and_is_what_happens(table: LiveTable) -> None:
    seats = ("Anna", "Bo", "Dora", "Carl")
    enter(table, [SessionClosed()])
    table.open_evening(replace(OPENED, seats=seats), dict(zip(seats, "SENW", strict=True)))
    enter(table, hand(3))  # Dora sits out
    page = Page(table)
    _, asked = page.post("/leave?lang=en", player="Dora", sure="")
    assert "Dora leaves" in asked and any(letter.isdigit() for letter in asked), "so many chips move"
    status, told = page.post("/leave?lang=en", player="Dora")
    assert status == 200 and told == asked


def test_leaving_the_club_asks_and_names_the_club(table: LiveTable, tmp_path: Path) -> None:
    club = Club(f"sqlite:///{tmp_path / 'club.sqlite3'}")
    page = Page(table)
    reporter = club.take_in(table)
    app_parts(page.app).reporter = reporter
    status, asked = page.post("/host/club/leave?lang=en", sure="")
    assert status == 428 and "Bord 1" in asked and "Lauget" in asked and reporter.club is not None
    assert page.post("/host/club/leave")[0] == 200 and reporter.club is None
    club.engine.dispose()


# ---- at the club ----


def test_an_evening_deleted_at_the_club_is_brought_back_whole(club: Club, tmp_path: Path) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3))
    sends_all(reporter)
    admin = Visit(club, ClubRole.ADMIN)
    before = {path: admin.get(path) for path in ("/", "/people", "/evenings", "/evenings/1", "/ledger")}
    status, told = admin.post("/evenings/1/delete", sure="")
    assert status == 428 and "Bord 1" in told["message"] and "Anna, Bo, Carl" in told["message"]
    assert admin.post("/evenings/1/delete")[0] == 200
    for path in ("/", "/evenings", "/ledger", f"/people/{club.person('Anna')}", "/flags"):
        assert "Bord 1" not in admin.get(path), path
    assert admin.client.get("/evenings/1").status_code == 404
    assert admin.client.get("/evenings/1.json").status_code == 404
    club.restart()
    assert sends_all(reporter).state == "told" and admin.client.get("/evenings/1").status_code == 404
    enter(table, [SessionClosed()])
    assert sends_all(reporter).state == "refused", "what comes meanwhile waits at the table"
    assert "Bord 1" in admin.get("/deleted")
    assert Visit(club, ClubRole.HOST).post("/deleted/evenings/1")[0] == 403
    assert admin.post("/deleted/evenings/1")[0] == 200
    assert {path: admin.get(path) for path in before} == before
    assert sends_all(Reporter(table, club.ask)).state == "told" and club.count() == 78
    assert "Nothing was deleted" in admin.get("/deleted")


def test_what_the_club_brings_back_the_table_goes_on_with_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.reporting.reporter.BATCH_S", 0.01)
    monkeypatch.setattr("webui.reporting.reporter._LONGEST_WAIT_S", 0.05)
    club = Club(f"sqlite:///{tmp_path / 'club.sqlite3'}")
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3))
    sends_all(reporter)
    admin = Visit(club, ClubRole.ADMIN)
    admin.post("/evenings/1/delete")
    enter(table, [SessionClosed()])
    reporter.start()
    until(lambda: reporter.progress.state == "refused")
    admin.post("/deleted/evenings/1")
    until(lambda: reporter.progress.state == "told")
    reporter.stop()
    assert club.count() == 78
    club.engine.dispose()


def test_who_was_erased_stays_so_in_an_evening_that_is_brought_back(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    admin = Visit(club, ClubRole.ADMIN)
    admin.post("/evenings/1/delete")
    assert admin.post(f"/people/{club.person('Anna')}/erase")[0] == 200
    assert "Anna" not in str(club.rows(EVENT_ROWS))
    assert admin.post("/deleted/evenings/1")[0] == 200
    assert "N.N." in admin.get("/evenings/1") and "Anna" not in admin.get("/evenings/1")


def test_after_thirty_days_it_is_gone_and_no_table_sends_it_again(club: Club, tmp_path: Path) -> None:
    reporter = played(tmp_path, club, "Bord 1")
    admin = Visit(club, ClubRole.ADMIN)
    begun(club)
    for path in ("/evenings/1/delete", "/tournaments/1/delete"):
        assert admin.post(path)[0] == 200
    for days, left in ((29, 1), (31, 0)):
        with club.engine.begin() as connection:
            for table in (EVENINGS, TOURNAMENTS):
                connection.execute(table.update().values(deleted_at=now_s() - days * 86400))
            purge(connection)
            assert len(connection.execute(select(EVENINGS.c.id)).all()) == left
            assert len(connection.execute(select(TOURNAMENTS.c.id)).all()) == left
    assert club.rows(EVENT_ROWS) == [] and len(club.rows(DELETED)) == 1 and KEPT_S == 30 * 86400
    assert admin.post("/deleted/evenings/1")[0] == 404
    club.restart()
    assert sends_all(reporter).state == "told" and club.rows(EVENT_ROWS) == []


def test_a_table_that_was_removed_is_brought_back_and_sends_what_waited(club: Club, tmp_path: Path) -> None:
    table, reporter = joined_table(tmp_path, club)
    sends_all(reporter)
    host = Visit(club, ClubRole.HOST)
    status, told = host.post("/tables/remove", table=1, sure="")
    assert status == 428 and "Bord 1" in told["message"]
    assert host.post("/tables/remove", table=1)[0] == 200
    enter(table, hand(3)[:5])
    for _ in range(2):
        assert sends_all(reporter).state == "unknown" and club.count() == 1
        club.restart()
    host = Visit(club, ClubRole.HOST)
    assert "Bord 1" not in host.get("/tables")
    assert "Bord 1" in host.get("/deleted") and host.post("/deleted/tables/1")[0] == 200
    assert sends_all(reporter).state == "told" and club.count() == 6
    club.restart()
    assert "Bord 1" in Visit(club, ClubRole.HOST).get("/tables")


def test_a_deleted_tournament_is_brought_back_with_its_results(club: Club) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    published(club)
    before = admin.get("/tournaments/1")
    status, told = admin.post("/tournaments/1/delete", sure="")
    assert status == 428 and "1 published" in told["message"]
    assert admin.post("/tournaments/1/delete")[0] == 200
    assert admin.client.get("/tournaments/1").status_code == 404
    assert "No tournament" in admin.get("/tournaments")
    assert admin.post("/deleted/tournaments/1")[0] == 200
    assert admin.get("/tournaments/1") == before


def test_the_club_asks_before_anybody_goes(club: Club, tmp_path: Path) -> None:
    played(tmp_path, club, "Bord 1")
    played(tmp_path, club, "Bord 2", ("Annette", "Jytte", "Ove"), seed=5)
    admin, other = Visit(club, ClubRole.ADMIN), Visit(club, ClubRole.PLAYER)
    begun(club)
    anna, annette = club.person("Anna"), club.person("Annette")
    other.post("/me", person=anna)
    for visit, path, fields, names in (
        (admin, f"/people/{anna}/erase", {}, ("Anna",)),
        (admin, "/people/merge", {"one": anna, "other": annette}, ("Anna", "Annette")),
        (admin, "/admin/members", {"member": other.member.id[:12], "do": "remove"}, ("Anna",)),
        (admin, "/tournaments/1/leave", {"entrant": 1, "round": "left"}, ("not published",)),
        (other, "/me/leave", {}, ("This browser",)),
    ):
        status, told = visit.post(path, sure="", **fields)
        assert status == 428 and all(name in told["message"] for name in names), told
        page = visit.client.post(path, data={"token": visit.members.form_token(visit.member.id), **fields})
        assert page.status_code == 428 and 'name="sure" value="yes"' in page.get_data(as_text=True)
    assert club.person("Anna") == anna and other.client.get("/").status_code == 200
