"""A name that was typed wrong is put right in the middle of an evening: everything follows, and nobody is disturbed."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from club_table import Club, enter, joined_table, sends_all
from sqlalchemy import select
from webui_camera import sees
from webui_deals import AT_FOUR, OPENED, SIDES, hand
from webui_history import FILES
from webui_page import Page
from webui_table import open_table, restarted

from tracker.errors import TarokError
from tracker.events import (
    CardPlayed,
    HandAbandoned,
    HandStarted,
    PlayerJoined,
    PlayerLeft,
    SessionClosed,
    SessionOpened,
)
from tracker.games import read_session
from tracker.renaming import MOST_RENAMED, with_names
from tracker.session_file import export
from tracker.store import EventStore
from webui.app_parts import app_parts
from webui.club.people import erase, give_seat
from webui.club.results import people_by_name
from webui.club.schema import EVENINGS, PEOPLE, SEAT_ROWS
from webui.people.phones import Phones
from webui.people.roles import Role
from webui.reporting.rounds import OfferedRound
from webui.table.live import LiveTable
from webui.table.saved_evening import save_evening


def put_right(page: Page, old: str, new: str, status: int = 200) -> str:
    """The host puts the name `old` right; what the page says."""
    form = page.filled_in(f"/rename?player={old}", "/rename")
    assert form["called"] == old
    answered, said = page.post("/rename?lang=en", **form | {"called": new})
    assert answered == status, said
    return said


SHOWS_NAMES = (
    *("/", "/ledger", "/hands/1", "/players/Maja", "/session.json", "/audit", "/history", "/history/1"),
    *("/history/1.csv", "/history/1.json", "/history/persons/Maja", "/history/persons.csv"),
)


@pytest.mark.parametrize("game", FILES)
def test_in_every_game_all_of_the_evening_has_the_name(game: str, tmp_path: Path) -> None:
    kind, file = read_session(FILES[game])
    opened, *events = file.events
    assert isinstance(opened, SessionOpened)
    half = len(events) // 2
    table = open_table(tmp_path, opened, *events[:half], fair_play=False)
    page = Page(table)
    assert put_right(page, "Anna", "Maja") == "The name is now Maja, in the whole evening."
    table.enter(*(with_names(event, {"Anna": "Maja"}) for event in events[half:]))
    right = [with_names(event, {"Anna": "Maja"}) for event in file.events]
    assert export(table.recorded, kind.session) == export(right, kind.session)
    for path in SHOWS_NAMES:
        shown = page.html(path)
        assert "Anna" not in shown and "Maja" in shown, path
    assert "Anna" not in page.html("/undo")
    again = restarted(table)
    assert again.session.balances == table.session.balances and again.sides == table.sides
    assert again.kept.all()[0].players == tuple(table.session.balances)


def test_a_hand_that_is_played_goes_on_and_its_undo_is_the_same(table: LiveTable) -> None:
    table.enter(*hand(3)[:8])
    page = Page(table)
    before = page.text("/undo")
    put_right(page, "Bo", "Bodil")
    assert page.text("/undo") == before.replace("Bo ", "Bodil ")
    table.enter(*(with_names(event, {"Bo": "Bodil"}) for event in hand(3)[8:]))
    assert table.session.hand.complete and not table.session.alerts


NO_NAME = "A name has 1 to 24 characters, no / among them, and is not “king”, “pagat” or “pot”."


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "Type a name."),
        ("  ", "Type a name."),
        *((name, NO_NAME) for name in ("x" * 25, "king", "A/B", "Bo\u202e")),
        ("carl", "Carl already sits at the table."),
        ("Dora", "Dora already sat there."),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_one_sentence(table: LiveTable, name: str, said: str) -> None:
    table.enter(PlayerJoined("Dora", after="Carl"), PlayerLeft("Dora"))
    before = table.recorded
    assert put_right(Page(table), "Bo", name, 400) == said
    assert table.recorded == before


def test_small_and_large_letters_are_put_right_too(tmp_path: Path) -> None:
    table = open_table(tmp_path, replace(OPENED, seats=("anna", "Bo", "Carl")))
    put_right(Page(table), "anna", "Anna")
    assert table.session.seats == OPENED.seats


def test_two_names_that_were_exchanged_are_put_right_in_three_steps(table: LiveTable) -> None:
    table.enter(*hand(3)[:8])
    played = [play.player for play in table.session.hand.plays]
    page = Page(table)
    for old, new in (("Bo", "?"), ("Carl", "Bo"), ("?", "Carl")):
        page.sent(f"/rename?player={old}", "/rename", called=new)
    right = {"Bo": "Carl", "Carl": "Bo"}
    again = restarted(table)
    for one in (table, again):
        assert one.session.seats == ("Anna", "Carl", "Bo")
        assert [play.player for play in one.session.hand.plays] == [right.get(name, name) for name in played]
    assert table.sides == {"Anna": "S", "Carl": "E", "Bo": "W"} == again.sides


def test_a_form_that_is_sent_twice_changes_the_name_once(table: LiveTable) -> None:
    page = Page(table)
    form = page.filled_in("/rename?player=Bo", "/rename") | {"called": "Bodil"}
    assert page.post("/rename", **form)[0] == 200
    stored = len(table.recorded)
    assert page.post("/rename", **form)[0] == 200 and len(table.recorded) == stored
    assert page.post("/rename", **form | {"once": "another"})[0] == 400  # a Bo is not there any more
    assert page.post("/rename", player="Bodil", called="Bodil")[0] == 200 and len(table.recorded) == stored


def test_the_phone_of_the_seat_stays_its_phone(tmp_path: Path) -> None:
    table = open_table(tmp_path, AT_FOUR, HandStarted("Anna"))
    host = Page(table)
    bo = Page(table, Role.PLAYER, "Bo", host.app)
    carl = Page(table, Role.PLAYER, "Carl", host.app)  # sits out: the arbiter
    for player, card in (("Bo", "S7"), ("Dora", "S8"), ("Anna", "SR"), ("Anna", "H9")):
        assert bo.post("/plays", player=player, card=card)[0] == 200
    assert bo.post(f"/plays/{table.session.hand.plays[0].seq}/correct", player="Dora")[0] == 200
    assert [ask.by for ask in table.desk.asks] == ["Bo"]
    put_right(host, "Bo", "Bodil")
    put_right(host, "Carl", "Karl")
    assert [phone.seat for phone in bo.phones.all()] == ["", "Bodil", "Karl"]
    assert [phone.seat for phone in Phones(table.path).all()] == ["", "Bodil", "Karl"]
    assert bo.phones.role(carl.phones.all()[2].id, table.session) is Role.ARBITER
    # What the phone entered before is still its own: it takes that back without asking.
    assert {one.by for one in table.recorded[2:6]} == {"Bodil"}
    for desk in (table.desk, restarted(table).desk):
        assert [ask.by for ask in desk.asks] == ["Bodil"]
    assert bo.post("/undo", seq=table.recorded[5].seq) == (200, "Fortrudt.")


def test_what_people_are_told_meanwhile_has_the_name(table: LiveTable) -> None:
    """Who was refused often, and a card of the camera that the program failed to take in."""
    table.enter(hand(3)[0])
    host = Page(table)
    for _ in range(5):
        with pytest.raises(TarokError):
            table.enter(PlayerJoined("Dora", after="Carl"), by="Bo")
    table.camera.leave_out(CardPlayed("Bo", "S7"))
    assert "Bo" in host.text("/")
    put_right(host, "Bo", "Bodil")
    shown = host.text("/")
    assert "5 entries by Bodil were refused" in shown and re.search(r"\bBo\b", shown) is None


def test_what_was_filled_in_before_a_name_was_corrected_is_of_the_same_player(table: LiveTable) -> None:
    """Also where two names are exchanged meanwhile, and after a restart."""
    table.enter(hand(3)[0])
    phone = Page(table)
    card, fine = phone.filled_in("/play", "/plays"), phone.filled_in("/fine", "/fines")
    for old, new in (("Bo", "?"), ("Carl", "Bo"), ("?", "Carl")):
        phone.sent(f"/rename?player={old}", "/rename", called=new)
    assert card["player"] == "Bo" and phone.post("/plays", **card | {"card": "S7"})[0] == 200
    again = Page(restarted(table))
    fine |= {"player": "Bo", "category": "minor", "token": again.token}
    assert again.post("/fines", **fine)[0] == 200
    drawn_after = again.filled_in("/play", "/plays")
    assert (
        again.post("/plays", **drawn_after | {"player": "Bo", "card": "S8", "token": again.token})[0] == 200
    )
    hand_now = again.table.session.hand
    assert [play.player for play in hand_now.plays] == ["Carl", "Bo"]
    assert [one.player for one in hand_now.fines.values()] == ["Carl"]


@pytest.mark.parametrize("role", [Role.UNINVITED, Role.WALL, Role.PLAYER])
def test_only_the_host_may(table: LiveTable, role: Role) -> None:
    page = Page(table, role, "Bo" if role is Role.PLAYER else "")
    assert page.client.get("/rename?player=Bo").status_code == 403
    assert page.post("/rename", player="Bo", called="Bodil")[0] == 403
    assert table.session.seats == OPENED.seats
    if role is not Role.UNINVITED:
        assert "/rename" not in page.html("/players/Bo")
    assert 'href="/rename?player=Bo"' in Page(table).html("/players/Bo")


def test_the_eyes_watch_on_by_the_names_that_they_know(table: LiveTable) -> None:
    table.enter(hand(3)[0])
    told = hand(3)[1:]
    assert table.begin_watching() == SIDES
    seatings, page = table.seatings, Page(table)
    sees(table, *told[:4])
    for old, new in (("Bo", "?"), ("Carl", "Bo"), ("?", "Carl")):
        page.sent(f"/rename?player={old}", "/rename", called=new)
    assert (table.seatings, table.unplaced) == (seatings, ())
    right = {"Bo": "Carl", "Carl": "Bo"}
    expected, now = table.expectation(), restarted(table).expectation()
    # The eyes are told of the players that they know, who are those that sit there.
    assert expected.active == tuple(right.get(name, name) for name in now.active) == ("Bo", "Carl", "Anna")
    assert expected.turn == tuple(right.get(name, name) for name in now.turn)
    assert expected.trick == tuple((right.get(name, name), card) for name, card in now.trick)
    two = [(play.player, play.card) for play in told[:2]]  # type: ignore[attr-defined]
    assert expected.winner(two) in {name for name, _ in two}
    sees(table, *told[4:9])
    plays = [CardPlayed(play.player, play.card) for play in table.session.hand.plays]
    assert plays == [with_names(replace(event, time_s=None), right) for event in told[:9]]  # type: ignore[type-var]
    assert not table.session.alerts
    assert table.begin_watching() == table.sides
    sees(table, *(with_names(event, right) for event in told[9:12]))
    assert len(table.session.hand.plays) == 12 and not table.session.alerts


def test_the_saved_evening_and_an_erased_name_follow(table: LiveTable) -> None:
    table.enter(*hand(5))
    page = Page(table)
    put_right(page, "Anna", "Maja")
    table.enter(SessionClosed())
    folder, _ = save_evening(table)
    assert "Anna" not in (folder / "session.json").read_text()
    assert page.post("/host/erase", name="Anna")[0] == 404
    assert page.post("/host/erase", name="Maja")[0] == 200
    assert table.session.seats[0] == "N.N."
    # Not even the name that was wrong is left on the disk.
    assert b"Maja" not in table.path.read_bytes() and b"Anna" not in table.path.read_bytes()


@pytest.mark.parametrize("past", [False, True])
def test_a_copy_that_was_saved_before_follows(table: LiveTable, past: bool) -> None:
    sees(table, *hand(5))
    folder, _ = save_evening(table)
    (folder / "hand 1 trick 01 1 Anna S7.jpg").write_bytes(b"")
    page = Page(table)
    if past:
        table.enter(SessionClosed())
        table.open_evening(OPENED, SIDES)
    assert page.post("/history/1/rename", player="Anna", called="king")[0] == 400
    assert "king" not in (folder / "session.json").read_text()
    assert page.post("/history/1/rename", player="Anna", called="Maja")[0] == 200
    copy = (folder / "session.json").read_text()
    assert "Anna" not in copy and "Maja" in copy
    assert [path.name for path in folder.glob("*.jpg")] == ["hand 1 trick 01 1 Maja S7.jpg"]


def test_the_club_follows(tmp_path: Path, club: Club) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3)[:20])
    assert sends_all(reporter).state == "told"
    table.rename("Anna", "Maja")
    enter(table, [with_names(event, {"Anna": "Maja"}) for event in hand(3)[20:]])
    assert sends_all(reporter).state == "told"
    assert club.standing() == table.session.balances and "Maja" in club.standing()


def test_the_club_lists_nobody_by_a_name_that_was_wrong(tmp_path: Path, club: Club) -> None:
    def listed() -> list[str]:
        with club.engine.begin() as connection:
            return [row.name for row in people_by_name(connection, club.number)]

    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3)[:20])
    assert sends_all(reporter).state == "told" and listed() == ["Anna", "Bo", "Carl"]
    _, others_reporter = joined_table(tmp_path, club, "Bord 2", ("Bo", "Dora", "Erik"))
    assert sends_all(others_reporter).state == "told"
    table.rename("Anna", "Maja")
    table.rename("Bo", "Bodil")
    assert sends_all(reporter).state == "told"
    assert listed() == ["Bo", "Bodil", "Carl", "Dora", "Erik", "Maja"]  # at the other table a Bo plays
    table.rename("Maja", "Anna")
    assert sends_all(reporter).state == "told"
    assert listed() == ["Anna", "Bo", "Bodil", "Carl", "Dora", "Erik"]


def test_a_seat_that_the_club_gave_to_somebody_stays_his_under_each_name(tmp_path: Path, club: Club) -> None:
    def sat() -> dict[str, str]:
        names = {row.id: row.name for row in club.rows(PEOPLE)}
        return {row.name: names[row.person] for row in club.rows(SEAT_ROWS)}

    table, reporter = joined_table(tmp_path, club)
    sends_all(reporter)
    with club.engine.begin() as connection:
        give_seat(connection, club.number, 1, "Bo", "Bent Holm")
    table.rename("Bo", "Bodil")
    sends_all(reporter)
    assert sat() == {"Anna": "Anna", "Bodil": "Bent Holm", "Carl": "Carl"}
    assert {row.name for row in club.rows(PEOPLE)} == {"Anna", "Bent Holm", "Carl"}
    club.restart()
    for old, new in (("Bodil", "?"), ("Carl", "Bodil"), ("?", "Carl")):  # told to the club at once
        table.rename(old, new)
    assert sends_all(reporter).state == "told"
    assert sat() == {"Anna": "Anna", "Carl": "Bent Holm", "Bodil": "Bodil"}
    assert club.standing() == table.session.balances


def test_a_name_that_was_corrected_is_erased_at_the_club_with_the_wrong_one(
    tmp_path: Path, club: Club
) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, hand(3)[:20])
    table.rename("Anna", "Maja")
    enter(table, [HandAbandoned(), SessionClosed()])
    assert sends_all(reporter).state == "told"
    with club.engine.begin() as connection:
        seat = connection.execute(select(SEAT_ROWS).where(SEAT_ROWS.c.name == "Maja")).one()
        number = connection.execute(select(EVENINGS.c.club).where(EVENINGS.c.id == seat.evening)).scalar_one()
        erase(connection, number, seat.person)
    stored = str(club.stored())
    assert "Maja" not in stored and "Anna" not in stored and "N.N." in stored


def test_a_name_in_a_past_evening_is_corrected_in_all_that_follows_from_it(
    tmp_path: Path, club: Club
) -> None:
    table, reporter = joined_table(tmp_path, club)
    enter(table, [*hand(3), SessionClosed()])
    assert sends_all(reporter).state == "told"
    page = Page(table)
    assert "Anna" in page.text("/history/persons/Anna")  # the figures are known by now
    table.open_evening(OPENED, SIDES)
    chips = page.client.get("/history/1.csv").text
    form = page.filled_in("/history/1", "/history/1/rename") | {"player": "Anna"}
    for name, status in (("Maja", 403), ("bo", 400), ("", 400), ("king", 400), ("Maja", 200)):
        by = Page(table, Role.PLAYER, "Bo", page.app) if status == 403 else page
        assert by.post("/history/1/rename", **form | {"called": name, "token": by.token})[0] == status
    for path in ("/history/1", "/history/1/hands/1", "/history/persons/Maja"):
        assert "Anna" not in page.text(path) and "Maja" in page.text(path), path
    assert page.client.get("/history/1.csv").text == chips.replace("Anna", "Maja")
    assert table.session.seats == OPENED.seats  # this evening's name is another's
    assert restarted(table).kept.all()[1].players == ("Maja", "Bo", "Carl")
    assert sends_all(reporter).state == "told" and "Maja" in club.standing()


def test_a_name_in_the_evening_at_the_table_is_corrected_from_its_page_too(table: LiveTable) -> None:
    page = Page(table)
    assert page.post("/history/1/rename", player="Bo", called="Bodil")[0] == 200
    assert table.session.seats == ("Anna", "Bodil", "Carl") and page.post("/history/2/rename")[0] == 404


def test_the_names_of_a_round_are_the_clubs(table: LiveTable) -> None:
    page = Page(table)
    rounds = app_parts(page.app).reporter.rounds
    offer = OfferedRound("k", "Cup", 1, 1, "danish", OPENED.seats)
    with table.locked():
        rounds.save(replace(rounds.now, offer=offer))
        rounds.begin(offer)
    said = "The club named the players of this round. A name is corrected there."
    assert put_right(page, "Bo", "Bodil", 409) == said


def test_names_are_not_corrected_without_end(table: LiveTable) -> None:
    """A record with thousands of names would take minutes to read."""
    for number in range(MOST_RENAMED):
        table.rename("Bo" if not number else f"Bo {number}", f"Bo {number + 1}")
    stored = len(table.recorded)
    said = "That cannot happen now: names were corrected more than 100 times."
    assert put_right(Page(table), "Bo 100", "Bo", 422) == said
    assert len(table.recorded) == stored and restarted(table).session.seats[1] == "Bo 100"


def test_the_record_of_the_rename_names_nobody_wrong(table: LiveTable) -> None:
    put_right(Page(table), "Bo", "Bodil")
    assert "Bo," not in Page(table).text("/")
    raw = [json.loads(one.data) for one in EventStore(table.path).stored(1, 0, 10)]
    assert raw[-1] == {"event": "PlayerRenamed", "player": "Bo", "called": "Bodil"}  # only ever added
