"""A round has a clock and a length: on the club's pages and at the tables, also while the line is down."""

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from club_table import Club, cut, enter, sends_all
from club_visit import Visit, begun, card_tables, published, renamed
from test_club_rounds import begins, offered, page_of_table, quick, shown
from webui_deals import hand
from webui_until import until

from tracker.events import SessionClosed
from webui.club.clock import RoundClock, clocks_of, keep_in_step, steady_s
from webui.club.roles import ClubRole
from webui.club.schema import TRAIL
from webui.table.live import LiveTable

assert quick  # the line waits for nothing here, either


def deals(table: LiveTable, seed: int, cards: int | None = None) -> None:
    """A hand at the table, or its first `cards`."""
    seats = table.session.seats
    events = hand(seed, ("Anna", "Bo", "Carl")[len(table.session.hands) % 3])
    enter(table, [renamed(event, seats) for event in events[: cards and cards + 1]])


def test_the_host_starts_stops_and_prolongs_the_clock_and_the_tables_follow(
    club: Club, tmp_path: Path
) -> None:
    (at, _), host = card_tables(tmp_path, club, 2), published(club)

    def turns(what: str) -> int:
        return host.post("/tournaments/1/clock", do=what, round=1)[0]

    assert turns("start") == 409 and turns("stop") == 200 and turns("more") == 409
    assert host.post("/tournaments/1/length", minutes="40")[0] == 200
    assert turns("start") == 200
    offered(at)
    offer = at[1].rounds.now.offer
    assert offer is not None and offer.ends_at is not None
    assert abs(offer.ends_at - time.time() - 2400) < 60
    assert time.strftime("Until %H:%M", time.localtime(offer.ends_at)) in shown(at)
    wall = Visit(club, ClubRole.WALL)
    assert re.search(r"\b(40|39|38):[0-5][0-9] until", wall.get("/tournaments/1"))
    assert turns("stop") == 200
    offered(at)
    assert "The clock is stopped" in shown(at) and "The clock is stopped" in wall.get("/tournaments/1")
    assert turns("more") == 200 and turns("start") == 200
    offered(at)
    offer = at[1].rounds.now.offer
    assert offer is not None and offer.ends_at is not None
    assert abs(offer.ends_at - time.time() - 2700) < 60
    assert Visit(club, ClubRole.ARBITER).post("/tournaments/1/clock", do="stop", round=1)[0] == 403
    # The time is up: the hand in play is the last.
    begins(at)
    deals(at[0], 3, 20)
    for _ in range(10):
        turns("less")
    sends_all(at[1])
    offered(at)
    assert "Last hand" in shown(at) and "last hand" in wall.get("/tournaments/1")
    assert "not begun" in wall.get("/tournaments/1")  # the other table
    assert host.post("/tournaments/1/clock", do="more", round=1)[0] == 200
    offered(at)
    assert "Last hand" not in shown(at)


def test_a_second_tap_of_the_same_wish_changes_nothing(club: Club, tmp_path: Path) -> None:
    """From two phones, or by one finger: each tap says whether the clock is to run."""
    card_tables(tmp_path, club, 2)
    host, other = published(club), Visit(club, ClubRole.HOST)
    host.post("/tournaments/1/length", minutes="40")

    def clock_and_trail() -> tuple[RoundClock, int]:
        with club.engine.begin() as connection:
            clock = clocks_of(connection, 1)[1]
        return clock, club.count(TRAIL)

    for wish in ("start", "stop"):
        assert host.post("/tournaments/1/clock", do=wish, round=1)[0] == 200
        before = clock_and_trail()
        assert before[0].running == (wish == "start")
        assert other.post("/tournaments/1/clock", do=wish, round=1)[0] == 200
        assert clock_and_trail() == before
        # Each wish keeps its place, so that a finger that taps on meets no other.
        places = re.findall(r'name="do" value="(\w+)"( disabled)?', host.client.get("/tournaments/1").text)
        assert places[:2] == [
            ("start", " disabled" * (wish == "start")),
            ("stop", " disabled" * (wish == "stop")),
        ]


def test_a_round_lasts_as_long_though_the_computers_clock_is_set_and_ends_right_after_a_restart(
    small: Club,
) -> None:
    host = published(small)
    host.post("/tournaments/1/length", minutes="40")
    host.post("/tournaments/1/clock", do="start", round=1)
    for wall in (time.time() + 3600, time.time() - 7200, time.time()):
        keep_in_step(small.engine, wall)
        with small.engine.begin() as connection:
            ends_at = clocks_of(connection, 1)[1].ends_at
        assert ends_at is not None and abs(ends_at - steady_s() - 2400) < 60
        assert abs(ends_at - wall - 2400) < 60, (
            "a server that is started again counts by the clock as it was set"
        )
        assert re.search(r"\b(40|39|38):[0-5][0-9] until", host.get("/tournaments/1"))


def test_when_the_number_of_hands_is_reached_the_round_is_over(small: Club, tmp_path: Path) -> None:
    (at, _), host = card_tables(tmp_path, small, 2), published(small)
    host.post("/tournaments/1/length", hands="2")
    offered(at)
    assert "2 hands are played" in shown(at)
    begins(at)
    deals(at[0], 3)
    sends_all(at[1])
    assert "The round is over" not in shown(at) and "hand 1/2" in host.get("/tournaments/1")
    deals(at[0], 4, 20)
    sends_all(at[1])
    assert "Last hand" in shown(at) and "last hand" in host.get("/tournaments/1")
    enter(at[0], [renamed(event, at[0].session.seats) for event in hand(4, "Bo")[21:]])
    sends_all(at[1])
    assert "The round is over" in shown(at) and "to be settled" in host.get("/tournaments/1")
    enter(at[0], [SessionClosed()])
    sends_all(at[1])
    assert "done" in host.get("/tournaments/1")


def test_a_table_whose_line_is_down_goes_on_by_the_end_that_it_knows(small: Club, tmp_path: Path) -> None:
    at, _ = card_tables(tmp_path, small, 2)
    published(small)
    offered(at)
    begins(at)
    deals(at[0], 3, 20)
    rounds, page = at[1].rounds, page_of_table(at)

    small.before = cut
    offer = rounds.now.offer
    assert offer is not None
    rounds.save(replace(rounds.now, offer=replace(offer, ends_at=time.time() + 1.5)))
    assert "Last hand" not in page.text("/")
    version = at[0].changes.version
    at[1].start()
    until(lambda: rounds.phase == "last hand")
    assert at[0].changes.wait(version, 10) and "Last hand" in page.text("/")
    at[1].stop()


@pytest.mark.parametrize("fields", [{"minutes": "0"}, {"minutes": "601"}, {"hands": "x"}])
def test_what_is_no_length_is_refused(fields: dict[str, str], small: Club) -> None:
    host = begun(small)
    assert host.post("/tournaments/1/length", **fields)[0] == 400
    assert host.post("/tournaments/1/clock", do="turn", round=1)[0] == 400
