"""Tournaments at the club: drawn, published, played at tables that report, put right, and counted."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from club_table import Club, enter, joined_table
from sqlalchemy import select
from test_club_line import sends_all
from test_club_pages import Visit, person, renamed
from webui_deals import OPENED, SIDES, hand
from webui_table import FOUR

from tracker.events import SessionClosed
from webui.club.roles import ClubRole
from webui.club.schema import ENTRANTS, TRAIL
from webui.reporting.reporter import Reporter
from webui.table.live import LiveTable

SIX = ("Anna", "Bo", "Carl", "Dora", "Erik", "Fie")


def begun(club: Club, names: tuple[str, ...] = SIX, rounds: int = 2, **fields: object) -> Visit:
    """A tournament with that many rounds drawn, none published; returns its admin."""
    admin = Visit(club, ClubRole.ADMIN)
    asked = {"name": "Træf", "game": "danish", "size": 3, "rounds": rounds, "names": "\n".join(names)}
    assert admin.post("/tournaments", **asked | fields)[0] == 200
    assert admin.post("/tournaments/1/draw")[0] == 200
    return admin


def published(club: Club, names: tuple[str, ...] = SIX, rounds: int = 2, **fields: object) -> Visit:
    """A tournament whose first round is shown to everybody; returns its admin."""
    admin = begun(club, names, rounds, **fields)
    assert publish(admin)[0] == 200
    return admin


def publish(host: Visit, number: int | None = None) -> tuple[int, dict[str, Any]]:
    """Show everybody the round with that number, the next one where none is named."""
    return host.post("/tournaments/1/publish", round=number or len(told(host)["rounds"]) + 1)


def withdraw(host: Visit) -> tuple[int, dict[str, Any]]:
    """Take the newest round back."""
    return host.post("/tournaments/1/withdraw", round=len(told(host)["rounds"]))


def told(visit: Visit) -> dict[str, Any]:
    return dict(visit.client.get("/tournaments/1.json").get_json())


def drawn(visit: Visit, number: int) -> list[tuple[str, ...]]:
    """The players at each table of a published round."""
    tables = told(visit)["rounds"][number - 1]["tables"]
    return [tuple(one["player"] for one in table["seats"]) for table in tables]


def seated(visit: Visit, number: int) -> set[str]:
    """All who play in a published round."""
    return {name for table in drawn(visit, number) for name in table}


def card_tables(folder: Path, club: Club, count: int) -> list[tuple[LiveTable, Reporter]]:
    """Tables that played something else before the tournament."""
    found = []
    for number in range(1, count + 1):
        table, reporter = joined_table(folder, club, f"Bord {number}")
        enter(table, [SessionClosed()])
        assert sends_all(reporter).state == "told"
        found.append((table, reporter))
    return found


def play(
    at: tuple[LiveTable, Reporter], seats: tuple[str, ...], seed: int, *, close: bool = True
) -> dict[str, int]:
    """An evening of one hand with these `seats`; returns everybody's chips."""
    table, reporter = at
    table.open_evening(replace(OPENED, seats=seats), dict(zip(seats, SIDES.values(), strict=True)))
    enter(table, [renamed(event, seats) for event in hand(seed)])
    if close:
        enter(table, [SessionClosed()])
    assert sends_all(reporter).state == "told"
    return dict(table.session.balances)


def test_the_chips_of_one_who_only_sat_out_count_as_of_one_hand(club: Club, tmp_path: Path) -> None:
    (at,) = card_tables(tmp_path, club, 1)
    host = published(club, FOUR, rounds=1, size=4)
    (seats,) = drawn(host, 1)
    table, reporter = at
    table.open_evening(replace(OPENED, seats=seats), dict(zip(seats, "SENW", strict=True)))
    dealer, second, sat_out, fourth = seats
    enter(table, [renamed(event, (dealer, second, fourth)) for event in hand(3)])
    assert sat_out not in table.session.hands[0].active
    enter(table, [SessionClosed()])
    assert sends_all(reporter).state == "told"
    chips = table.session.balances
    assert chips[sat_out] != 0, "he had his share of the pots"
    scores = {one["player"]: one["score"] for one in told(host)["standings"]}
    assert scores == {name: str(amount) for name, amount in chips.items()}


def test_a_round_is_drawn_published_played_and_counted(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host, player, wall = begun(club), Visit(club, ClubRole.PLAYER), Visit(club, ClubRole.WALL)
    assert "not published" in host.get("/tournaments/1")
    assert "No round is published yet" in player.get("/tournaments/1") and told(player)["rounds"] == []
    assert publish(host)[0] == 200
    assert "Round 1" in player.get("/tournaments/1") and "Round 2" not in player.get("/tournaments/1")
    assert "Round 1" in wall.get("/tournaments/1") and "Træf" in wall.get("/tournaments")
    chips: dict[str, int] = {}
    for number, seats in enumerate(drawn(player, 1)):
        chips |= play(tables[number], seats, seed=3 + number)
    found = told(player)
    assert {one["player"]: one["chips"] for one in found["by chips"]} == chips and sum(chips.values()) == 0
    points = {one["player"]: one["points"] for one in found["by table points"]}
    for seats in drawn(player, 1):
        assert points[max(seats, key=lambda name: chips[name])] == "3"
        assert points[min(seats, key=lambda name: chips[name])] == "0"
    best = max(chips, key=lambda name: chips[name])
    assert re.search(rf"Score 1 {best} 1 \+{chips[best]} 3\b", player.get("/tournaments/1"))
    table = player.client.get("/tournaments/1.csv?lang=en").get_data(as_text=True)
    assert table.count("\n") == 7 and f",{best},{chips[best]}" in table
    # The second round is another one, at the same tables.
    assert publish(host)[0] == 200
    for number, seats in enumerate(drawn(player, 2)):
        for name, more in play(tables[number], seats, seed=8 + number).items():
            chips[name] += more
    assert {one["player"]: one["chips"] for one in told(player)["by chips"]} == chips
    assert host.post("/tournaments/1/draw")[0] == 409 and publish(host)[0] == 409


def test_an_evening_counts_when_it_is_settled(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host = published(club)
    play(tables[0], drawn(host, 1)[0], seed=3, close=False)
    assert "hand 1" in host.get("/tournaments/1") and told(host)["by chips"] == []
    assert withdraw(host)[0] == 409


def test_who_comes_late_and_who_leaves_between_rounds(club: Club) -> None:
    host = published(club, rounds=3)
    first = drawn(host, 1)
    anna = entrant(club, "Anna")
    assert host.post("/tournaments/1/leave", entrant=anna, round="after")[0] == 200
    assert host.post("/tournaments/1/enter", names="Gro\nHans")[0] == 200
    assert "Round 2" not in host.get("/tournaments/1")  # it is drawn again first
    assert publish(host)[0] == 409
    assert host.post("/tournaments/1/draw")[0] == 200 and publish(host)[0] == 200
    assert drawn(host, 1) == first
    second = told(host)["rounds"][1]
    assert seated(host, 2) | set(second["resting"]) == {*SIX, "Gro", "Hans"} - {"Anna"}
    # She comes back.
    assert host.post("/tournaments/1/enter", names="Anna")[0] == 200
    assert host.post("/tournaments/1/draw")[0] == 200 and publish(host)[0] == 200
    assert "Anna" in seated(host, 3) | set(told(host)["rounds"][2]["resting"])


def entrant(club: Club, name: str) -> int:
    asked = select(ENTRANTS.c.id).where(ENTRANTS.c.person == person(club, name))
    with club.engine.begin() as connection:
        return int(connection.execute(asked).scalar_one())


def test_chips_are_entered_by_hand_and_taken_back(club: Club) -> None:
    host, arbiter = published(club), Visit(club, ClubRole.ARBITER)
    one, two, three = drawn(host, 1)[0]
    at = {"round": 1, "table": 1}
    chips = {one: "+40", two: "-25", three: "−15"}

    def entered(**changes: str) -> tuple[int, dict[str, Any]]:
        fields = {f"chips-{entrant(club, name)}": value for name, value in {**chips, **changes}.items()}
        return arbiter.post("/tournaments/1/result", **at, hands=6, **fields)

    status, answer = entered(**{three: "-14"})
    assert status == 400 and "sum to +1. Look for" in answer["message"]
    assert "sum to −1." in entered(**{three: "−16"})[1]["message"]
    assert entered(**{three: "many"})[0] == 400
    assert arbiter.post("/tournaments/1/result", **at, **{f"chips-{entrant(club, one)}": "0"})[0] == 400
    assert told(host)["by chips"] == []
    assert entered()[0] == 200
    counted = [(row["player"], row["chips"]) for row in told(host)["by chips"]]
    assert counted == [(one, 40), (three, -15), (two, -25)]
    assert "Entered by hand" in host.get("/tournaments/1")
    assert withdraw(host)[0] == 409
    assert arbiter.post("/tournaments/1/result", **at, evening="1")[0] == 200
    assert told(host)["by chips"] == [] and withdraw(host)[0] == 200
    assert told(host)["rounds"] == []
    with club.engine.begin() as connection:
        trail = [row.what.format(**json.loads(row.about)) for row in connection.execute(select(TRAIL))]
    assert "entered round 1, table 1 (tournament 1)" in trail and "withdrew a round (tournament 1)" in trail


def test_others_than_were_drawn_count_once_that_is_put_right(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host = published(club)
    one, two, three = drawn(host, 1)[0]
    chips = play(tables[0], ("Gæst", two, three), seed=3)
    assert "Those who sit there are not those" in host.get("/tournaments/1") and told(host)["by chips"] == []
    assert host.post("/people/seat", evening=3, name="Gæst", to=one)[0] == 200
    counted = {row["player"]: row["chips"] for row in told(host)["by chips"]}
    assert counted == {one: chips["Gæst"], two: chips[two], three: chips[three]}


def test_the_host_says_which_table_is_which(club: Club, tmp_path: Path) -> None:
    tables = card_tables(tmp_path, club, 2)
    host = published(club)
    first, second = (one.id for one in sorted(host.members.tables_of(club.number), key=lambda one: one.name))
    fields = {"table-1": second, "table-2": first}
    assert host.post("/tournaments/1/tables", **{"table-1": first, "table-2": first})[0] == 400
    assert host.post("/tournaments/1/tables", **fields)[0] == 200
    play(tables[1], drawn(host, 1)[0], seed=3)
    assert {row["player"] for row in told(host)["by chips"]} == set(drawn(host, 1)[0])


def test_two_of_one_tournament_are_two_and_who_is_erased_keeps_his_chips(club: Club) -> None:
    host = published(club)
    status, answer = host.post("/people/merge", one=person(club, "Anna"), other=person(club, "Bo"))
    assert status == 409 and "one tournament" in answer["message"]
    seats = next(table for table in drawn(host, 1) if "Anna" in table)
    number = drawn(host, 1).index(seats) + 1
    fields = {f"chips-{entrant(club, name)}": 10 if name == "Anna" else -5 for name in seats}
    assert host.post("/tournaments/1/result", round=1, table=number, hands=6, **fields)[0] == 200
    assert host.post(f"/people/{person(club, 'Anna')}/erase")[0] == 200
    page = host.get("/tournaments/1")
    assert "Anna" not in page and told(host)["by chips"][0]["player"] == "N.N."


def test_a_score_sheets_points_need_not_sum_to_nothing(club: Club) -> None:
    host = published(club, SIX[:4], game="american", size=4)
    fields = {f"chips-{entrant(club, name)}": 20 for name in SIX[:4]}
    assert host.post("/tournaments/1/result", round=1, table=1, hands=6, **fields)[0] == 200
    assert {row["points"] for row in told(host)["by chips"]} == {"3/2"}


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


def test_too_few_fill_no_table_and_a_deleted_one_is_gone(club: Club) -> None:
    admin = Visit(club, ClubRole.ADMIN)
    admin.post("/tournaments", name="Træf", game="danish", size=3, rounds=2, names="Anna\nBo")
    assert admin.post("/tournaments/1/draw")[0] == 409
    admin.post("/tournaments/1/enter", names="Carl")
    assert admin.post("/tournaments/1/draw")[0] == 200
    assert admin.post("/tournaments/1/delete")[0] == 200
    assert admin.client.get("/tournaments/1").status_code == 404
    assert "Træf" not in admin.get("/tournaments")


def test_the_lists_are_printed(club: Club) -> None:
    host = begun(club)
    answer = host.client.get("/tournaments/1.pdf?lang=en")
    assert answer.status_code == 200 and answer.get_data().startswith(b"%PDF")
