"""A round of a tournament at its card tables: offered, begun with one tap, changed, cut off, and put right."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from club_table import ADDRESS, Club, cut, enter, joined_table, sends_all
from club_visit import SIX, Visit, begun, card_tables, play, published, renamed
from sqlalchemy import insert, update
from webui_deals import OPENED, SIDES, hand
from webui_page import Page

from tracker.events import SessionClosed
from webui.app_parts import app_parts
from webui.club.roles import ClubRole
from webui.club.schema import ENTRANTS, PEOPLE, SEAT_ROWS
from webui.reporting.reporter import Reporter
from webui.table.live import LiveTable

At = tuple[LiveTable, Reporter]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits a second for the next batch."""
    monkeypatch.setattr("webui.reporting.reporter.BATCH_S", 0.02)


def page_of_table(at: At) -> Page:
    """The page of a card table whose line is `at[1]`."""
    page = _PAGES.get(at[0].path) or _PAGES.setdefault(at[0].path, Page(at[0]))
    app_parts(page.app).reporter = at[1]
    return page


_PAGES: dict[Path, Page] = {}


def shown(at: At) -> str:
    return page_of_table(at).text("/")


def offered(at: At) -> tuple[str, ...]:
    """Who is offered to sit at the table, as the club says now."""
    sends_all(at[1])
    offer = at[1].rounds.now.offer
    return offer.seats if offer is not None else ()


def begins(at: At) -> tuple[int, Any]:
    """The one tap: the round that the page shows is begun."""
    return page_of_table(at).post("/round/begin", offer=at[1].rounds.now.offer.key)


def plays_on(at: At) -> dict[str, int]:
    """A hand is played in the open evening, which is settled; returns everybody's chips."""
    table, reporter = at
    events = hand(3, OPENED.seats[0])
    enter(table, [*(renamed(event, table.session.seats) for event in events), SessionClosed()])
    assert sends_all(reporter).state == "told"
    return dict(table.session.balances)


def test_a_published_round_comes_to_its_tables_and_one_tap_begins_it(club: Club, tmp_path: Path) -> None:
    tables, host = card_tables(tmp_path, club, 2), begun(club)
    assert [offered(at) for at in tables] == [(), ()]
    host.publish()
    assert [offered(at) for at in tables] == host.drawn(1)
    names = ", ".join(host.drawn(1)[0])
    assert f"Round 1: {names}" in shown(tables[0]) and "Begin" in shown(tables[0])
    assert begins(tables[0])[0] == 200
    session = tables[0][0].session
    assert session.seats == host.drawn(1)[0]
    assert session.next_dealer == session.seats[0]
    chips = plays_on(tables[0])
    assert host.counted() == chips and sum(chips.values()) == 0
    assert "Begin" not in shown(tables[0]) and begins(tables[0])[0] == 409


def test_an_offer_waits_through_a_cut_and_a_restart_and_the_result_is_of_that_round(
    small: Club, tmp_path: Path
) -> None:
    (at, _), host = card_tables(tmp_path, small, 2), published(small)
    seats = offered(at)
    small.before = cut
    table = at[0]
    restarted = Reporter(table, small.ask)
    assert restarted.rounds.now.offer.seats == seats
    assert begins((table, restarted))[0] == 200
    again = Reporter(table, small.ask)  # killed before anything was sent
    restarted.stop()
    small.before = lambda path: None
    assert host.counted() == {} and plays_on((table, again)) == host.counted()
    assert again.rounds.now.untold == []


def test_a_round_that_is_taken_back_or_drawn_anew_replaces_the_offer(club: Club, tmp_path: Path) -> None:
    (at, other), host = card_tables(tmp_path, club, 2), published(club)
    assert offered(at) == host.drawn(1)[0]
    old = at[1].rounds.now.offer
    assert old is not None and host.withdraw()[0] == 200
    assert offered(at) == ()
    assert page_of_table(at).post("/round/begin", offer=old.key)[0] == 409
    assert host.post("/tournaments/1/draw")[0] == 200 and host.publish()[0] == 200
    assert offered(at) == host.drawn(1)[0]
    new = at[1].rounds.now.offer
    assert new is not None and new.key != old.key
    # A table whose line was down began the old draw: its evening comes, and is no table's of the new round.
    other[1].rounds.save(replace(other[1].rounds.now, offer=replace(old, seats=SIX[:3])))
    assert begins(other)[0] == 200
    plays_on(other)
    assert host.counted() == {} or set(host.counted()) == set(SIX[:3])  # drawn alike by chance


def test_names_of_a_round_are_its_people_and_not_who_is_called_so_at_a_table(
    club: Club, tmp_path: Path
) -> None:
    """The club calls a second Anna “Anna 2”. At no table is anybody called so."""
    tables, host = card_tables(tmp_path, club, 1), begun(club, ("Anna", "Bo", "Carl"), rounds=1)
    first = club.person("Anna")
    with club.engine.begin() as connection:
        row = {"club": club.number, "name": "Anna 2", "erased": False}
        second = connection.execute(insert(PEOPLE).returning(PEOPLE.c.id), row).scalar_one()
        connection.execute(update(ENTRANTS).where(ENTRANTS.c.person == first).values(person=second))
    host.publish()
    assert set(offered(tables[0])) == {"Anna 2", "Bo", "Carl"}
    begins(tables[0])
    chips = plays_on(tables[0])
    people = {row.name: row.person for row in club.rows(SEAT_ROWS)}
    assert people["Anna 2"] == second and host.counted() == chips


def test_an_evening_begun_by_hand_is_put_to_its_round_at_the_table(small: Club, tmp_path: Path) -> None:
    (at, _), host = card_tables(tmp_path, small, 2), begun(small)
    table, reporter = at
    host.publish()
    seats = host.drawn(1)[0]
    play(at, seats[::-1], 5, close=False)
    assert offered(at) == seats and "This evening is that round" in shown(at)
    assert page_of_table(at).post("/round/this", offer=reporter.rounds.now.offer.key)[0] == 200
    enter(table, [SessionClosed()])
    sends_all(reporter)
    assert host.counted() == table.session.balances


def test_a_late_table_never_takes_its_round_for_the_next_one_even_with_the_same_players(
    small: Club, tmp_path: Path
) -> None:
    (at, _), host = card_tables(tmp_path, small, 2), begun(small, SIX[:3])
    reporter = at[1]
    host.publish()
    assert offered(at) == host.drawn(1)[0] and begins(at)[0] == 200
    sends_all(reporter)
    host.publish()
    for _ in range(2):  # the second answer comes when the table no longer has to tell of its round
        assert set(offered(at)) == set(host.drawn(1)[0])
    reporter.rounds.tick()
    page = shown(at)
    assert (
        "Round 2: " in page
        and "Settle this evening first" in page
        and "This evening is that round" not in page
    )
    assert page_of_table(at).post("/round/this", offer=reporter.rounds.now.offer.key)[0] == 409
    chips = plays_on(at)
    assert [one["chips"] for one in host.told()["rounds"][0]["tables"][0]["seats"]] == [
        chips[name] for name in host.drawn(1)[0]
    ]
    assert "Begin" in shown(at) and begins(at)[0] == 200


def test_the_players_of_a_table_who_sit_at_another_are_told_where(club: Club, tmp_path: Path) -> None:
    tables, host = card_tables(tmp_path, club, 2), published(club)
    assert host.get("/tournaments/1").count("not begun") == 2
    play(tables[1], host.drawn(1)[0], 3, close=False)
    page = host.get("/tournaments/1")
    assert page.count("sits at Bord 2") == page.count("not begun") == 1


def test_a_name_of_a_round_begun_by_hand_is_corrected_at_the_table_until_it_is_the_clubs(
    small: Club, tmp_path: Path
) -> None:
    (at, _), host = card_tables(tmp_path, small, 2), begun(small)
    table, reporter = at
    host.publish()
    seats = host.drawn(1)[0]
    play(at, (*seats[:2], "Karl"), 5, close=False)
    assert offered(at) == seats
    page = page_of_table(at)
    assert page.post("/round/this", offer=reporter.rounds.now.offer.key)[0] == 200
    sends_all(reporter)
    assert page.post("/rename", player="Karl", called=seats[2])[0] == 200
    assert page.post("/rename", player=seats[2], called="Karl")[0] == 409
    enter(table, [SessionClosed()])
    sends_all(reporter)
    assert host.counted() == table.session.balances
    # In a past evening a name may be corrected, and the result stays that of whom the club named.
    before, past = host.counted(), table.evening.number
    table.open_evening(OPENED, SIDES)
    assert page.post(f"/history/{past}/rename", player=seats[2], called="Karl")[0] == 200
    assert sends_all(reporter).state == "told" and host.counted() == before


def test_the_players_of_a_round_who_open_an_evening_by_hand_play_the_round(
    small: Club, tmp_path: Path
) -> None:
    (at, _), host = card_tables(tmp_path, small, 2), published(small)
    seats = offered(at)
    chips = play(at, seats, seed=3)
    assert at[1].rounds.now.evening and host.counted() == chips


def test_an_evening_begun_by_mistake_is_offered_again(small: Club, tmp_path: Path) -> None:
    (at, _), host = card_tables(tmp_path, small, 2), published(small)
    offered(at)
    assert begins(at)[0] == 200
    enter(at[0], [SessionClosed()])
    sends_all(at[1])
    assert host.counted() == {} and "Begin" in shown(at)
    assert begins(at)[0] == 200
    assert host.counted() == {} and plays_on(at) == host.counted()


def test_who_plays_at_two_tables_is_told_at_both(club: Club, tmp_path: Path) -> None:
    one = joined_table(tmp_path, club, "Bord 1", ("Anna", "Bo", "Carl"))
    two = joined_table(tmp_path, club, "Bord 2", ("Dora", "Anna", "Fie"))
    for at in (one, two, one, two):
        sends_all(at[1])
    assert one[1].rounds.now.twice == (("Anna", "Bord 2"),)
    assert two[1].rounds.now.twice == (("Anna", "Bord 1"),)
    assert "Anna plays at Bord 2, too" in shown(one)
    enter(one[0], [SessionClosed()])
    sends_all(one[1])
    sends_all(two[1])
    assert two[1].rounds.now.twice == ()


def test_a_table_that_joins_after_its_round_was_published_is_offered_it(small: Club, tmp_path: Path) -> None:
    host = published(small)
    late = card_tables(tmp_path, small, 2)[1]
    assert offered(late) == host.drawn(1)[1]
    assert "is played today" in Visit(small, ClubRole.PLAYER).get("/")


def test_a_round_that_a_table_said_it_began_is_not_taken_back(small: Club, tmp_path: Path) -> None:
    at, host = card_tables(tmp_path, small, 1)[0], published(small)
    assert offered(at) == host.drawn(1)[0]
    assert begins(at)[0] == 200
    # It says so with its key before its evening comes.
    (begun_now,) = at[1].rounds.now.untold
    said = {"begun": [[begun_now.evening, begun_now.offer]]}
    assert small.ask(ADDRESS, "/api/round", said, at[1].club.key).status == 200
    status, answer = host.withdraw()
    assert (status, answer["message"]) == (409, "This round has begun.")
    plays_on(at)
    assert set(host.counted()) == set(host.drawn(1)[0])
