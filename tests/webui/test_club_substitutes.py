"""People are late, ill and tired: substitutes, rests, late entries, and leaving after the round was published."""

import re
from pathlib import Path

import pytest
from club_table import Club, enter, sends_all
from club_visit import SIX, Visit, begun, card_tables, entered, play, published

from tracker.events import PlayerJoined, PlayerLeft, SessionClosed
from webui.club.roles import ClubRole

SEVEN = (*SIX, "Gro")
EIGHT = (*SEVEN, "Hans")


def away(host: Visit, club: Club, name: str, at: int | str = 1, substitute: str = "") -> tuple[int, str]:
    fields = {"entrant": club.entrant(name), "round": at, "substitute": substitute}
    status, answer = host.post("/tournaments/1/leave", **fields)
    return status, answer.get("message", "")


def places(host: Visit) -> dict[str, tuple[int | None, str]]:
    """Everybody's place and score."""
    return {one["player"]: (one["rank"], one["score"]) for one in host.told()["standings"]}


def test_a_substitute_sits_in_and_scores_for_himself(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host = published(club)
    seats = host.drawn(1)[0]
    assert away(host, club, seats[1], substitute="Vita") == (200, "")
    now = (seats[0], "Vita", seats[2])
    assert host.drawn(1)[0] == now and host.told()["rounds"][0]["away"] == [seats[1]]
    assert host.told()["rounds"][0]["tables"][0]["seats"][1]["stands in for"] == seats[1]
    assert f"Vita for {seats[1]}" in host.get("/tournaments/1")
    chips = play(tables[0], now, seed=3)
    assert {row["player"]: row["chips"] for row in host.told()["standings"]} == chips
    # In the next round he sits there again, and the substitute does not.
    host.post("/tournaments/1/draw")
    host.publish()
    assert host.seated(2) == set(SIX)


def test_a_substitute_scores_for_the_absent_where_the_club_wants_it(small: Club) -> None:
    host = published(small, substitute="absent")
    seats = host.drawn(1)[0]
    away(host, small, seats[1], substitute="Vita")
    entered(host, small, 1, 1, best="Vita")
    assert places(host)[seats[1]] == (1, "10/3") and "Vita" not in places(host)  # 20 chips in 6 hands
    assert "A substitute scores for the one whose place he takes." in host.get("/tournaments/1")


def test_who_leaves_after_the_round_was_published_leaves_one_less_at_the_table(small: Club) -> None:
    host = published(small, EIGHT, size=4)
    before = host.drawn(1)
    assert away(host, small, before[0][0], at="left") == (200, "")
    assert host.drawn(1) == [before[0][1:], before[1]]  # nobody is drawn anew, and the next one deals first
    status, said = away(host, small, before[0][1], at="left")
    assert status == 409 and "name a substitute" in said
    assert host.drawn(1)[0] == before[0][1:]  # nothing of it was entered
    assert away(host, small, before[0][1], at="left", substitute="Vita") == (200, "")
    assert host.drawn(1)[0] == ("Vita", *before[0][2:])


def test_who_left_stands_apart_unranked(small: Club) -> None:
    host = published(small)
    first = host.drawn(1)[0][0]
    entered(host, small, 1, 1), entered(host, small, 1, 2)
    assert places(host)[first][0] == 1
    assert away(host, small, first, at="left") == (200, "")
    assert places(host)[first] == (None, "10/3") and list(places(host))[-1] == first
    assert min(rank for rank, _ in places(host).values() if rank) == 1
    host.post("/tournaments/1/rules", left="ranked")
    assert places(host)[first][0] == 1


def test_who_rests_by_draw_scores_his_own_average_and_who_was_away_nothing(small: Club) -> None:
    host = begun(small, (*SIX[:4], "Erik"), game="american", size=4, rounds=3)
    for at in (1, 2, 3):
        host.publish()
        entered(host, small, at, 1)
    data = host.told()
    for row in data["standings"]:
        rested = sum(row["player"] in one["resting"] for one in data["rounds"])
        assert row["credited"] == rested and row["rounds"] == 3 - rested
    host.post("/tournaments/1/rules", rest="nothing")
    assert {row["credited"] for row in host.told()["standings"]} == {0}
    host.post("/tournaments/1/enter", names="Sen")
    assert "Sen" not in places(host)  # he has played nothing yet


def test_a_rest_counts_when_its_round_is_over(small: Club) -> None:
    host = published(small, (*SIX[:4], "Erik"), game="american", size=4)
    entered(host, small, 1, 1)
    host.publish()
    resting = host.told()["rounds"][1]["resting"][0]
    assert next(row for row in host.told()["standings"] if row["player"] == resting)["credited"] == 0
    entered(host, small, 2, 1)
    assert next(row for row in host.told()["standings"] if row["player"] == resting)["credited"] == 1


def test_who_comes_late_sits_down_where_there_is_room(small: Club) -> None:
    host = published(small)
    before = host.drawn(1)
    assert host.post("/tournaments/1/enter", names="Sen", table=2)[0] == 200
    assert host.drawn(1) == [before[0], (*before[1], "Sen")]
    status, answer = host.post("/tournaments/1/enter", names=before[0][0], table=2)
    assert status == 409 and "sits at table 1" in answer["message"]
    assert host.post("/tournaments/1/enter", names="Ole", table=2)[0] == 200
    assert host.post("/tournaments/1/enter", names="Per", table=2)[0] == 409  # six are too many there
    entered(host, small, 1, 1)
    assert host.post("/tournaments/1/enter", names="Per", table=1)[0] == 409  # it has its result
    host.post("/tournaments/1/draw")
    host.publish()
    assert host.seated(2) == {*SIX, "Sen", "Ole"}


def test_a_tired_player_rests_in_a_round_to_come_and_may_play_after_all(small: Club) -> None:
    host = begun(small, SEVEN, rounds=3)
    assert away(host, small, "Anna", at=2) == (200, "")
    assert "Anna does not play in round 2" in host.get("/tournaments/1")
    host.post("/tournaments/1/draw")
    for _ in range(3):
        host.publish()
    assert ["Anna" in host.seated(at) for at in (1, 2, 3)] == [True, False, True]
    assert host.told()["rounds"][1]["away"] == ["Anna"]
    status, answer = host.post("/tournaments/1/present", entrant=small.entrant("Anna"), round=2)
    assert status == 409 and "published" in answer["message"]


def test_a_rest_is_taken_back_before_the_round_is_published(small: Club) -> None:
    host = begun(small, SEVEN)
    away(host, small, "Anna", at=1)
    assert host.post("/tournaments/1/present", entrant=small.entrant("Anna"), round=1)[0] == 200
    host.post("/tournaments/1/draw")
    host.publish()
    assert "Anna" in host.seated(1)


def test_nobody_and_no_round_is_chosen_beforehand_where_somebody_does_not_play(small: Club) -> None:
    host = published(small)
    page = host.client.get("/tournaments/1").get_data(as_text=True)
    form = re.search(r'<form method="post" action="/tournaments/1/leave".*?</form>', page)
    assert form is not None
    first = re.findall(r'<select name="(\w+)" required><option value="">–</option>', form[0])
    assert first == ["entrant", "round"]
    before = host.drawn(1)
    assert host.post("/tournaments/1/leave", entrant=small.entrant(before[0][0]))[0] == 400
    assert host.drawn(1) == before


@pytest.mark.parametrize("substitute", ["", "Vita"])
@pytest.mark.parametrize("place", [0, 1, 3])
def test_who_stood_up_from_a_published_round_comes_back_to_his_seat(
    small: Club, place: int, substitute: str
) -> None:
    host = published(small, EIGHT, size=4)
    before = host.drawn(1)
    name = before[0][place]
    assert away(host, small, name, substitute=substitute) == (200, "")
    assert name not in host.seated(1) and f"{name} does not play in round 1" in host.get("/tournaments/1")
    assert host.post("/tournaments/1/present", entrant=small.entrant(name), round=1)[0] == 200
    assert host.drawn(1) == before and host.told()["rounds"][0]["away"] == []
    assert host.post("/tournaments/1/present", entrant=small.entrant(name), round=1)[0] == 404


def test_nobody_comes_back_to_a_table_that_has_its_result(small: Club) -> None:
    host = published(small)
    name = host.drawn(1)[0][1]
    away(host, small, name, substitute="Vita")
    entered(host, small, 1, 1)
    assert host.post("/tournaments/1/present", entrant=small.entrant(name), round=1)[0] == 409
    assert name not in host.drawn(1)[0]


def test_who_was_relieved_while_they_play_keeps_what_he_played(club: Club, tmp_path: Path) -> None:
    (at, _), host = card_tables(tmp_path, club, 2), published(club)
    table, reporter = at
    seats = host.drawn(1)[0]
    play(at, seats, 3, close=False)
    assert away(host, club, seats[0], substitute="Vita") == (200, "")
    assert host.drawn(1)[0] == (*seats, "Vita")
    enter(table, [PlayerJoined("Vita", seats[0]), PlayerLeft(seats[0]), SessionClosed()])
    sends_all(reporter)
    assert {row["player"]: row["chips"] for row in host.told()["standings"]} == dict(table.session.balances)


def test_the_next_round_is_drawn_by_standing(small: Club) -> None:
    twelve = tuple(f"Spiller {number}" for number in range(12))
    host = published(small, twelve, rounds=2, draw="standing", compare="chips")
    assert host.post("/tournaments/1/draw")[0] == 409  # nobody knows yet how they stand
    for table in range(1, len(host.drawn(1)) + 1):
        entered(host, small, 1, table)
    assert host.post("/tournaments/1/draw")[0] == 200 and host.publish()[0] == 200
    best = {name for name, (rank, _) in places(host).items() if rank == 1}
    assert len(best) == 4
    meet = [len(best & set(table)) for table in host.drawn(2)]
    assert max(meet) >= 3


@pytest.mark.parametrize("rules", [{"compare": "luck"}, {"rest": ""}, {"draw": "nearly"}])
def test_what_cannot_be_chosen_is_refused(rules: dict[str, str], small: Club) -> None:
    host = begun(small)
    assert host.post("/tournaments/1/rules", **rules)[0] == 400
    assert host.post("/tournaments/1/result", round=1, table=1)[0] == 404


def test_nobody_but_the_host_changes_who_plays(small: Club) -> None:
    begun(small)
    arbiter = Visit(small, ClubRole.ARBITER)
    for what in ("leave", "present", "rules", "enter"):
        assert arbiter.post(f"/tournaments/1/{what}", entrant=1, round=1)[0] == 403


def test_hands_are_asked_for_where_they_count(small: Club) -> None:
    host = published(small)
    fields = {f"chips-{small.entrant(name)}": 0 for name in host.drawn(1)[0]}
    status, answer = host.post("/tournaments/1/result", round=1, table=1, **fields)
    assert status == 400 and "how many hands" in answer["message"]
    host.post("/tournaments/1/rules", compare="chips")
    assert host.post("/tournaments/1/result", round=1, table=1, **fields)[0] == 200
