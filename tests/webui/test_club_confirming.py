"""Results from the players' phones: entered by one, confirmed by another; corrections and adjustments with reasons."""

import re
from typing import Any

from club_table import Club
from club_visit import Visit, chips_of, published

from webui.club.roles import ClubRole


def phone_of(club: Club, name: str) -> Visit:
    """The phone of one who plays."""
    visit = Visit(club, ClubRole.PLAYER)
    assert visit.post("/me", person=club.person(name))[0] == 200
    return visit


def test_a_result_that_a_player_entered_counts_when_another_of_the_table_confirms_it(club: Club) -> None:
    host = published(club)
    seats = host.drawn(1)[0]
    stranger = next(name for name in host.drawn(1)[1])
    one, two = phone_of(club, seats[0]), phone_of(club, seats[1])
    fields = chips_of(club, seats, 40, -25, -15)
    path = "/tournaments/1/propose"
    assert "Enter our result" in one.get("/tournaments/1")
    assert phone_of(club, stranger).post(path, **fields)[0] == 403
    assert one.post(path, **{**fields, f"chips-{club.entrant(seats[0])}": "41"})[0] == 400
    assert one.post(path, **fields)[0] == 200
    assert host.counted() == {} and "waits for confirmation" in host.get("/tournaments/1")
    answers: dict[str, Any] = {**fields, "right": "yes"}
    assert one.post("/tournaments/1/answer", **answers)[0] == 409
    # The same phone cannot pass for another player.
    assert one.post("/me", person=club.person(seats[1]))[0] == 200
    assert one.post("/tournaments/1/answer", **answers)[0] == 409
    assert phone_of(club, stranger).post("/tournaments/1/answer", **answers)[0] == 403
    assert "That is right" in two.get("/tournaments/1")
    assert two.post("/tournaments/1/answer", **answers)[0] == 200
    assert host.counted() == {seats[0]: 40, seats[1]: -25, seats[2]: -15}
    assert f"{seats[0]} entered it, {seats[1]} confirmed it." in host.get("/tournaments/1")
    assert two.post("/tournaments/1/answer", **answers)[0] == 409
    assert one.post(path, **fields)[0] in (403, 409)


def test_a_dispute_is_shown_to_the_director_who_decides_with_a_reason(club: Club) -> None:
    host = published(club)
    seats = host.drawn(1)[0]
    one, two = phone_of(club, seats[0]), phone_of(club, seats[1])
    wrong = chips_of(club, seats, 40, -25, -15)
    one.post("/tournaments/1/propose", **wrong)
    assert two.post("/tournaments/1/answer", **wrong, right="no")[0] == 200
    page = host.get("/tournaments/1")
    assert f"{seats[1]} disputes what {seats[0]} entered" in page and "disputed" in page
    assert host.counted() == {}
    right = chips_of(club, seats, 30, -15, -15)
    arbiter = Visit(club, ClubRole.ARBITER)
    status, answer = arbiter.post("/tournaments/1/result", **right)
    assert (status, answer["message"]) == (400, "Say why.")
    assert arbiter.post("/tournaments/1/result", reason="The slip says 30", **right)[0] == 200
    assert host.counted()[seats[0]] == 30
    assert "The slip says 30" in Visit(club, ClubRole.WALL).get("/tournaments/1")
    table = host.told()["rounds"][0]["tables"][0]
    assert (table["entered"], table["reason"]) == ("corrected", "The slip says 30")
    sheet = host.client.get("/tournaments/1.csv?lang=en").get_data(as_text=True)
    assert sheet.count("The slip says 30") == 3


def test_an_adjustment_has_a_reason_stands_beside_the_result_and_is_taken_back(club: Club) -> None:
    host = published(club)
    seats = host.drawn(1)[0]
    assert host.post("/tournaments/1/result", **chips_of(club, seats, 40, -25, -15))[0] == 200
    fields = {"round": 1, "entrant": club.entrant(seats[0]), "chips": "−10", "points": "-1"}
    assert host.post("/tournaments/1/adjust", **fields)[0] == 400
    assert host.post("/tournaments/1/adjust", **{**fields, "chips": "", "points": ""}, reason="x")[0] == 400
    assert host.post("/tournaments/1/adjust", **fields, reason="Came ten minutes late")[0] == 200
    assert host.counted()[seats[0]] == 30
    ranked = {one["player"]: one for one in host.told()["standings"]}
    assert (ranked[seats[0]]["points"], ranked[seats[0]]["score"]) == ("2", "3")
    assert "Came ten minutes late" in Visit(club, ClubRole.PLAYER).get("/tournaments/1")
    assert host.told()["adjustments"][0]["reason"] == "Came ten minutes late"
    assert "Came ten minutes late" in host.client.get("/tournaments/1.csv").get_data(as_text=True)
    assert Visit(club, ClubRole.ARBITER).post("/tournaments/1/adjust", **fields, reason="x")[0] == 403
    assert host.post("/tournaments/1/adjust/back", adjustment=1)[0] == 200
    assert host.counted()[seats[0]] == 40 and host.told()["adjustments"] == []
    assert host.post("/tournaments/1/adjust/back", adjustment=1)[0] == 404


def test_what_is_confirmed_is_what_was_read(small: Club) -> None:
    host = published(small)
    seats = host.drawn(1)[0]
    one, two, three = (phone_of(small, name) for name in seats)
    read = chips_of(small, seats, 40, -25, -15)
    assert one.post("/tournaments/1/propose", **read)[0] == 200
    # Another of the table had the form open, too: what he types is told him, and replaces nothing.
    status, answer = two.post("/tournaments/1/propose", **chips_of(small, seats, 30, -15, -15))
    assert status == 409 and "Another player entered the result first" in answer["message"]
    # The first one corrects a slip while the third reads what stood there before.
    right = chips_of(small, seats, 45, -30, -15)
    assert one.post("/tournaments/1/propose", **right)[0] == 200
    status, answer = three.post("/tournaments/1/answer", **read, right="yes")
    assert status == 409 and "Somebody entered other chips meanwhile" in answer["message"]
    assert host.counted() == {}
    assert three.post("/tournaments/1/answer", **right, right="yes")[0] == 200
    assert host.counted()[seats[0]] == 45


def test_what_is_taken_from_a_substitute_is_taken_from_the_one_he_scores_for(small: Club) -> None:
    host = published(small, substitute="absent")
    seats = host.drawn(1)[0]
    ill = small.entrant(seats[0])
    assert host.post("/tournaments/1/leave", entrant=ill, round=1, substitute="Gro")[0] == 200
    seats = host.drawn(1)[0]
    assert host.post("/tournaments/1/result", **chips_of(small, seats, 40, -25, -15))[0] == 200
    fields = {"round": 1, "entrant": small.entrant("Gro"), "chips": "-10", "points": "", "reason": "Talked"}
    assert host.post("/tournaments/1/adjust", **fields)[0] == 200
    ranked = {one["player"]: one["chips"] for one in host.told()["standings"]}
    assert "Gro" not in ranked and sorted(ranked.values()) == [-25, -15, 30]


def test_who_puts_a_result_right_finds_the_hands_that_were_entered(club: Club) -> None:
    host = published(club, compare="chips")  # here nobody has to say how many
    seats = host.drawn(1)[0]
    assert host.post("/tournaments/1/result", **chips_of(club, seats, 40, -25, -15))[0] == 200

    def hands_filled_in() -> list[str]:
        page = host.client.get("/tournaments/1").get_data(as_text=True)
        return re.findall(r'name="hands" min="1" max="500" value="(\d*)"', page)

    assert sorted(hands_filled_in()) == ["", "10"]
    right = {
        **chips_of(club, seats, 30, -15, -15),
        "hands": max(hands_filled_in()),
        "reason": "counted wrongly",
    }
    assert host.post("/tournaments/1/result", **right)[0] == 200
    assert sorted(hands_filled_in()) == ["", "10"]
