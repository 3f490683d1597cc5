"""What is sent twice, by two at once, or too late: nothing is lost, nothing happens twice, one sentence says why."""

import threading
from pathlib import Path

from club_table import Club
from club_visit import Visit, begun, card_tables, chips_of, play, published

from webui.club.roles import ClubRole
from webui.club.schema import ADJUSTMENTS, SEASONS, TOURNAMENTS, TRAIL


def test_a_form_that_is_sent_twice_is_entered_once(club: Club) -> None:
    host = begun(club)
    made = {"name": "Forår", "game": "danish", "size": 4, "rounds": 1, "once": "a1"}
    for _ in range(2):
        assert host.post("/tournaments", **made) == (200, {"go": "/tournaments/2"})
    assert club.count(TOURNAMENTS) == 2
    season = {"name": "Vinter", "game": "danish", "since": "2026-01-01", "until": "2026-12-31", "once": "a2"}
    assert host.post("/seasons", **season) == host.post("/seasons", **season)
    assert club.count(SEASONS) == 1
    host.publish()
    given = {"round": 1, "entrant": club.entrant(host.drawn(1)[0][0]), "chips": "-10", "reason": "Late"}
    before = club.count(TRAIL)
    at_once = [
        threading.Thread(target=host.post, args=("/tournaments/1/adjust",), kwargs={**given, "once": "a3"})
        for _ in range(4)
    ]
    for one in at_once:
        one.start()
    for one in at_once:
        one.join()
    assert club.count(ADJUSTMENTS) == 1 and club.count(TRAIL) == before + 1
    # A mark of its own, other fields, or another's browser: that is another entry.
    assert host.post("/tournaments/1/adjust", **given, once="a4")[0] == 200
    assert host.post("/tournaments/1/adjust", **{**given, "chips": "-20"}, once="a4")[0] == 200
    assert Visit(club, ClubRole.HOST).post("/tournaments/1/adjust", **given, once="a4")[0] == 200
    assert club.count(ADJUSTMENTS) == 4


def test_what_was_refused_may_be_sent_again(small: Club) -> None:
    host = published(small)
    seats = host.drawn(1)[0]
    right = chips_of(small, seats, 40, -25, -15)
    arbiter = Visit(small, ClubRole.ARBITER)
    assert arbiter.post("/tournaments/1/draw", once="b1")[0] == 403
    arbiter.members.change(arbiter.member, role=ClubRole.HOST)
    assert arbiter.post("/tournaments/1/draw", once="b1")[0] == 200
    assert host.post("/tournaments/1/result", **right, once="b2")[0] == 200
    assert host.post("/tournaments/1/result", **right, once="b3")[1]["message"] == "Say why."


def test_two_directors_publish_a_round_once(club: Club) -> None:
    one = begun(club)
    other = Visit(club, ClubRole.HOST)
    assert one.publish(1)[0] == 200
    status, answer = other.publish(1)
    assert (status, answer["message"]) == (409, "Round 1 is already published.")
    assert len(one.told()["rounds"]) == 1
    # The round after it is asked about while tables play, and none is skipped.
    status, answer = other.post("/tournaments/1/publish", round=2, sure="")
    assert status == 428 and "Round 1 is not over at these tables: 1, 2." in answer["message"]
    assert other.publish(3)[0] == 409
    assert other.publish(2)[0] == 200
    assert one.post("/tournaments/1/withdraw", round=1)[0] == 409
    assert one.withdraw()[0] == 200 and one.post("/tournaments/1/withdraw", round=2)[0] == 409
    assert len(one.told()["rounds"]) == 1


def test_a_late_table_does_not_hold_the_wall_up(small: Club) -> None:
    host = published(small)
    seats = host.drawn(1)
    assert host.post("/tournaments/1/result", **chips_of(small, seats[0], 40, -25, -15))[0] == 200
    assert host.publish()[0] == 200
    wall, page = host.get("/tournaments/1/wall"), host.get("/tournaments/1")
    assert "Round 2 of 2" in wall and "Round 1 is not over at these tables: 2." in wall
    assert page.index("Round 2") < page.index("Round 1 is not over at these tables: 2.")
    # Its result comes after all, and counts in its own round.
    chips = zip(seats[1], (9, -4, -5), strict=True)
    late = {f"chips-{small.entrant(name)}": str(own) for name, own in chips}
    assert host.post("/tournaments/1/result", round=1, table=2, hands=9, **late)[0] == 200
    assert host.counted()[seats[1][0]] == 9
    assert "is not over" not in host.get("/tournaments/1/wall")


def test_a_table_that_comes_back_after_its_round_was_closed_changes_nothing_and_is_told(
    club: Club, tmp_path: Path
) -> None:
    at, host = card_tables(tmp_path, club, 1)[0], published(club)
    seats = host.drawn(1)[0]
    assert host.post("/tournaments/1/result", **chips_of(club, seats, 40, -25, -15))[0] == 200
    assert host.publish()[0] == 200
    evening = play(at, seats, seed=5)
    assert evening != dict(zip(seats, (40, -25, -15), strict=True))
    assert host.counted() == dict(zip(seats, (40, -25, -15), strict=True))
    said = "The evening at the table ended with other chips"
    assert said in host.get("/tournaments/1")
    # The director finds that the table is right: one tap, and the evening counts.
    assert host.post("/tournaments/1/result", round=1, table=1, evening=1)[0] == 200
    assert host.counted() == evening
    assert said not in host.get("/tournaments/1")


def test_what_was_put_right_already_drops_no_draft(small: Club) -> None:
    host = begun(small)
    anna = small.entrant("Anna")
    assert host.post("/tournaments/1/leave", entrant=anna, round=2)[0] == 200
    assert host.post("/tournaments/1/present", entrant=anna, round=2)[0] == 200
    assert host.post("/tournaments/1/draw")[0] == 200
    assert host.post("/tournaments/1/present", entrant=anna, round=2)[0] == 404
    assert host.publish()[0] == 200
