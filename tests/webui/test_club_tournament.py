"""Tournaments at the club: drawn, published, played at tables that report, put right, and counted."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from club_table import Club, enter, sends_all
from club_visit import SIX, Visit, begun, card_tables, play, published, renamed
from webui_deals import OPENED, hand
from webui_table import FOUR

from tracker.events import SessionClosed
from webui.club.roles import ClubRole
from webui.club.schema import TRAIL


def test_the_chips_of_one_who_only_sat_out_count_as_of_one_hand(club: Club, tmp_path: Path) -> None:
    (at,) = card_tables(tmp_path, club, 1)
    host = published(club, FOUR, rounds=1, size=4)
    (seats,) = host.drawn(1)
    table, reporter = at
    table.open_evening(replace(OPENED, seats=seats), dict(zip(seats, "SENW", strict=True)))
    dealer, second, sat_out, fourth = seats
    enter(table, [renamed(event, (dealer, second, fourth)) for event in hand(3)])
    assert sat_out not in table.session.hands[0].active
    enter(table, [SessionClosed()])
    assert sends_all(reporter).state == "told"
    chips = table.session.balances
    assert chips[sat_out] != 0, "he had his share of the pots"
    scores = {one["player"]: one["score"] for one in host.told()["standings"]}
    assert scores == {name: str(amount) for name, amount in chips.items()}


def test_a_round_is_drawn_published_played_and_counted(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host, player, wall = begun(club), Visit(club, ClubRole.PLAYER), Visit(club, ClubRole.WALL)
    assert "not published" in host.get("/tournaments/1")
    assert "No round is published yet" in player.get("/tournaments/1") and player.told()["rounds"] == []
    assert host.publish()[0] == 200
    assert "Round 1" in player.get("/tournaments/1") and "Round 2" not in player.get("/tournaments/1")
    assert "Round 1" in wall.get("/tournaments/1") and "Træf" in wall.get("/tournaments")
    chips: dict[str, int] = {}
    for number, seats in enumerate(player.drawn(1)):
        chips |= play(tables[number], seats, seed=3 + number)
    assert player.counted() == chips and sum(chips.values()) == 0
    points = {one["player"]: one["points"] for one in player.told()["by table points"]}
    for seats in player.drawn(1):
        assert points[max(seats, key=lambda name: chips[name])] == "3"
        assert points[min(seats, key=lambda name: chips[name])] == "0"
    best = max(chips, key=lambda name: chips[name])
    assert re.search(rf"Score 1 {best} 1 \+{chips[best]} 3\b", player.get("/tournaments/1"))
    table = player.client.get("/tournaments/1.csv?lang=en").get_data(as_text=True)
    assert table.count("\n") == 7 and f",{best},{chips[best]}" in table
    # The second round is another one, at the same tables.
    assert host.publish()[0] == 200
    for number, seats in enumerate(player.drawn(2)):
        for name, more in play(tables[number], seats, seed=8 + number).items():
            chips[name] += more
    assert player.counted() == chips
    assert host.post("/tournaments/1/draw")[0] == 409 and host.publish()[0] == 409


def test_an_evening_counts_when_it_is_settled(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host = published(club)
    play(tables[0], host.drawn(1)[0], seed=3, close=False)
    assert "hand 1" in host.get("/tournaments/1") and host.counted() == {}
    assert host.withdraw()[0] == 409


def test_who_comes_late_and_who_leaves_between_rounds(club: Club) -> None:
    host = published(club, rounds=3)
    first = host.drawn(1)
    anna = club.entrant("Anna")
    assert host.post("/tournaments/1/leave", entrant=anna, round="after")[0] == 200
    assert host.post("/tournaments/1/enter", names="Gro\nHans")[0] == 200
    assert "Round 2" not in host.get("/tournaments/1")  # it is drawn again first
    assert host.publish()[0] == 409
    assert host.post("/tournaments/1/draw")[0] == 200 and host.publish()[0] == 200
    assert host.drawn(1) == first
    second = host.told()["rounds"][1]
    assert host.seated(2) | set(second["resting"]) == {*SIX, "Gro", "Hans"} - {"Anna"}
    # She comes back.
    assert host.post("/tournaments/1/enter", names="Anna")[0] == 200
    assert host.post("/tournaments/1/draw")[0] == 200 and host.publish()[0] == 200
    assert "Anna" in host.seated(3) | set(host.told()["rounds"][2]["resting"])


def test_chips_are_entered_by_hand_and_taken_back(club: Club) -> None:
    host, arbiter = published(club), Visit(club, ClubRole.ARBITER)
    one, two, three = host.drawn(1)[0]
    at = {"round": 1, "table": 1}
    chips = {one: "+40", two: "-25", three: "−15"}

    def entered(**changes: str) -> tuple[int, dict[str, Any]]:
        fields = {f"chips-{club.entrant(name)}": value for name, value in {**chips, **changes}.items()}
        return arbiter.post("/tournaments/1/result", **at, hands=6, **fields)

    status, answer = entered(**{three: "-14"})
    assert status == 400 and "sum to +1. Look for" in answer["message"]
    assert "sum to −1." in entered(**{three: "−16"})[1]["message"]
    assert entered(**{three: "many"})[0] == 400
    assert arbiter.post("/tournaments/1/result", **at, **{f"chips-{club.entrant(one)}": "0"})[0] == 400
    assert host.counted() == {}
    assert entered()[0] == 200
    assert list(host.counted().items()) == [(one, 40), (three, -15), (two, -25)]
    assert "Entered by hand" in host.get("/tournaments/1")
    assert host.withdraw()[0] == 409
    assert arbiter.post("/tournaments/1/result", **at, evening="1")[0] == 200
    assert host.counted() == {} and host.withdraw()[0] == 200
    assert host.told()["rounds"] == []
    trail = [row.what.format(**json.loads(row.about)) for row in club.rows(TRAIL)]
    assert "entered round 1, table 1 (tournament 1)" in trail and "withdrew a round (tournament 1)" in trail


def test_others_than_were_drawn_count_once_that_is_put_right(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host = published(club)
    one, two, three = host.drawn(1)[0]
    chips = play(tables[0], ("Gæst", two, three), seed=3)
    assert (
        "The players there are not those who were drawn" in host.get("/tournaments/1")
        and host.counted() == {}
    )
    assert host.post("/people/seat", evening=3, name="Gæst", to=one)[0] == 200
    assert host.counted() == {one: chips["Gæst"], two: chips[two], three: chips[three]}


def test_the_host_says_which_table_is_which(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host = published(club)
    first, second = (one.id for one in sorted(host.members.tables_of(club.number), key=lambda one: one.name))
    fields = {"table-1": second, "table-2": first}
    assert host.post("/tournaments/1/tables", **{"table-1": first, "table-2": first})[0] == 400
    assert host.post("/tournaments/1/tables", **fields)[0] == 200
    play(tables[1], host.drawn(1)[0], seed=3)
    assert host.counted().keys() == set(host.drawn(1)[0])


def test_two_of_one_tournament_are_two_and_who_is_erased_keeps_his_chips(club: Club) -> None:
    host = published(club)
    status, answer = host.post("/people/merge", one=club.person("Anna"), other=club.person("Bo"))
    assert status == 409 and "one tournament" in answer["message"]
    seats = next(table for table in host.drawn(1) if "Anna" in table)
    number = host.drawn(1).index(seats) + 1
    fields = {f"chips-{club.entrant(name)}": 10 if name == "Anna" else -5 for name in seats}
    assert host.post("/tournaments/1/result", round=1, table=number, hands=6, **fields)[0] == 200
    assert host.post(f"/people/{club.person('Anna')}/erase")[0] == 200
    page = host.get("/tournaments/1")
    assert "Anna" not in page and host.told()["by chips"][0]["player"] == "N.N."


def test_a_score_sheets_points_need_not_sum_to_nothing(club: Club) -> None:
    host = published(club, SIX[:4], game="american", size=4)
    fields = {f"chips-{club.entrant(name)}": 20 for name in SIX[:4]}
    assert host.post("/tournaments/1/result", round=1, table=1, hands=6, **fields)[0] == 200
    assert {row["points"] for row in host.told()["by chips"]} == {"3/2"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, "Type a name"),
        ({"names": "Anna\nBo\nAnna"}, "twice"),
        ({"names": "x" * 25}, "1 to 24"),
        ({"names": "\n".join(f"Spiller {n}" for n in range(201))}, "200 players"),
        ({"size": 7}, "does not fit here: a whole number from"),
        ({"rounds": 31}, "does not fit here: a whole number from"),
        ({"game": "whist"}, "cannot be chosen"),
    ],
)
def test_what_is_no_tournament_is_refused_in_one_sentence(
    fields: dict[str, object], said: str, club: Club
) -> None:
    asked = {"name": "Træf", "game": "danish", "size": 3, "rounds": 2, "names": "Anna\nBo\nCarl"} | fields
    status, answer = Visit(club, ClubRole.ADMIN).post("/tournaments", **asked)
    assert status == 400 and said in answer["message"]
    assert "No tournament" in Visit(club, ClubRole.PLAYER).get("/tournaments")


def test_too_few_fill_no_table(club: Club) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    admin.post("/tournaments", name="Træf", game="danish", size=3, rounds=2, names="Anna\nBo")
    assert admin.post("/tournaments/1/draw")[0] == 409
    admin.post("/tournaments/1/enter", names="Carl")
    assert admin.post("/tournaments/1/draw")[0] == 200


def test_the_lists_are_printed(club: Club) -> None:
    host = begun(club)
    answer = host.client.get("/tournaments/1.pdf?lang=en")
    assert answer.status_code == 200 and answer.get_data().startswith(b"%PDF")


def test_a_name_is_entered_once_however_it_is_written_and_only_one_that_can_sit_at_a_table(
    club: Club,
) -> None:
    host = Visit(club, ClubRole.ADMIN)
    asked = {"name": "Cup", "game": "danish", "size": 3, "rounds": 1}
    assert host.post("/tournaments", **asked, names="Anna\nBo\nCarl")[0] == 200
    assert "twice" in host.post("/tournaments", **asked, names="Anna\nBo\nanna")[1]["message"]
    for name in ("king", "A/B"):
        status, told = host.post("/tournaments", **asked, names=f"Anna\nBo\n{name}")
        assert status == 400 and f"“{name}”" in told["message"]
    assert host.post("/tournaments/1/enter", names="anna")[0] == 200
    assert "3 players" in host.get("/tournaments/1")
