"""A hand by its result, on the page: who chooses it, its dialog in each game, and what no longer happens then."""

from pathlib import Path

import pytest
from webui_deals import plays
from webui_page import Page, view_of
from webui_table import NAMES, open_table, sides_of

from tracker.danish.result import ResultEntered
from tracker.events import CardPlayed, HandStarted, ResultChosen, SessionOpened, TrickTaken
from webui.people.roles import Role
from webui.table.live import LiveTable
from webui.table.scorekeeper import booked_as, expected

SIDES = sides_of(NAMES[:5])
LAST_TRICK = ResultEntered(winner="Anna", points=(("Anna", 30), ("Bo", 20)))


def opened(path: Path, rules: str, players: int) -> LiveTable:
    return open_table(path, SessionOpened(rules, (), NAMES[:players]))


@pytest.fixture
def danish(tmp_path: Path) -> LiveTable:
    """Anna, Bo and Carl; Anna deals first."""
    return opened(tmp_path, "pagat-2024", 3)


def test_in_an_evening_of_results_a_hand_is_dealt_and_paid_with_one_dialog(danish: LiveTable) -> None:
    page = Page(danish)
    assert page.post("/by-result", on="1", evening="1")[0] == 200
    assert view_of(danish, "en").acts[0].href == "/result"
    trick = {"winner": "Bo", "card": "king", "kings_0": "1", "pagat": "lost 2", "bagud": "king 2"}
    counted = {"points_0": "31", "points_1": "19", "0_trumps": "10"}
    said = page.sent("/result", "/result", **trick, **counted)["message"]
    assert "Bo ultimerede en konge" in said
    assert "betaler" not in said, "the card of the result has the payments"
    hand = danish.session.hands[0]
    assert hand.result == ResultEntered(
        declarations=hand.result.declarations,
        lost=(("Anna", "king"), ("Carl", "pagat")),
        winner="Bo",
        last=(("Bo", "king"), ("Carl", "king")),
        points=(("Anna", 31), ("Bo", 19)),
    )
    assert hand.points == {"Anna": 31, "Bo": 19, "Carl": 28} and hand.declared["Anna"][0].count == 10
    table = page.text("/")
    assert "no revoke can be judged" in table and "Bo deals the next hand." in table
    assert "Carl went bagud with a king" in table
    assert "no revoke can be judged" in page.text(f"/history/{danish.evening.number}/hands/1")
    assert 'action="/skat"' not in page.html("/more"), "nobody names its cards"
    assert page.filled_in("/result", "/result").get("hand") is None, "the next hand is asked for"
    # The dialog that changes it says what was entered; sent from before the change, it is refused.
    again = page.filled_in("/result?hand=1", "/result")
    assert again["kings_0"] == "1" and again["points_0"] == "31" and again["winner"] == "Bo"
    assert page.post("/result", **again | {"points_0": "40", "bagud": "king 2"})[0] == 200
    assert page.post("/result", **again)[0] == 409
    for none in ("0", "2", "9" * 5000, "²"):
        page.html(f"/result?hand={none}", 404)
    assert danish.session.hands[0].points["Anna"] == 40


def test_a_result_without_a_winner_of_the_last_trick_asks_for_him(danish: LiveTable) -> None:
    page = Page(danish)
    page.post("/by-result", on="1", evening="1")
    status, said = page.post("/result", **page.filled_in("/result", "/result") | {"points_0": "20"})
    assert (status, said) == (400, "Vælg, hvem der fik sidste stik.")
    assert not danish.session.hands


def test_an_undone_deal_takes_its_result_along_and_leaves_the_hand_before_as_it_was(
    danish: LiveTable,
) -> None:
    page = Page(danish)
    page.post("/by-result", on="1", evening="1")
    for points in ("20", "30"):
        page.sent("/result", "/result", winner="Bo", points_0=points, points_1="19")
    dealt = [one.seq for one in danish.recorded if isinstance(one.event, HandStarted)]
    page.sent(f"/undo?to={dealt[1]}", "/undo")
    (hand,) = danish.session.hands
    assert hand.points["Anna"] == 20 and hand.complete


def test_what_no_hand_comes_to_is_refused_and_nothing_is_lost(danish: LiveTable) -> None:
    danish.enter(HandStarted("Carl"), LAST_TRICK)
    before = danish.session.balances
    page = Page(danish)
    dialog = page.filled_in("/result?hand=1", "/result")
    status, said = page.post("/result", **dialog | {"points_0": "70", "points_1": "20", "points_2": "8"})
    assert status == 422 and "78 i alt, ikke 98" in said
    assert page.post("/result", **dialog | {"kings_0": "9"})[0] == 400
    assert page.post("/result", **dialog | {"bagud": "queen 1"})[0] == 400
    assert danish.session.balances == before and danish.session.hands[0].complete


def test_in_the_middle_of_a_hand_the_host_chooses_it_and_what_was_seen_is_filled_in(
    danish: LiveTable,
) -> None:
    danish.enter(HandStarted("Anna"), *plays("Bo S7", "Carl T3", "Anna SR"))
    host, player = Page(danish), Page(danish, Role.PLAYER, "Bo")
    assert player.post("/by-result", on="1")[0] == 403
    assert player.client.get("/result").status_code == 409, "until the host has chosen it"
    assert host.post("/by-result", on="1")[0] == 200
    assert host.post("/plays", card="S8", player="Bo")[0] == 409
    view = view_of(danish, "en")
    assert view.acts[0].href == "/result" and not view.felt.trick
    assert not any(seat.turn for seat in view.felt.seats)
    dialog = player.filled_in("/result", "/result")
    assert dialog["kings_0"] == "1" and "no longer count" in player.text("/result")
    assert "enter the fine first" in host.text("/result") and "enter the fine first" not in player.text(
        "/result"
    )
    status, _ = player.post("/result", **dialog | {"winner": "Bo", "points_0": "20", "points_1": "30"})
    assert status == 200 and danish.session.hands[0].points["Carl"] == 28
    # A player asks the arbiter to change it, and undone the cards are there again.
    other = player.filled_in("/result?hand=1", "/result") | {"points_0": "25", "points_2": "23"}
    assert player.post("/result", **other) == (200, "Dommeren er bedt om at skrive det.")
    assert danish.session.hands[0].points["Carl"] == 28
    assert "Bo asks you to enter" in host.text("/")
    assert host.post("/asked/1/confirm")[0] == 200 and danish.session.hands[0].points["Carl"] == 23
    assert host.post("/undo", **host.filled_in("/undo", "/undo"))[0] == 200
    assert host.post("/undo", **host.filled_in("/undo", "/undo"))[0] == 200
    assert len(danish.session.hands[0].plays) == 3


def test_the_camera_books_nothing_of_a_hand_that_is_entered_by_its_result(danish: LiveTable) -> None:
    danish.enter(HandStarted("Anna"), ResultChosen())
    seen = CardPlayed("Bo", "S7", time_s=1.0)
    session = danish.session
    assert booked_as(session, SIDES, seen, 1.0) == booked_as(session, SIDES, TrickTaken("Bo"), 1.0) == []
    assert expected(session, 1.0).waits
    danish.enter(LAST_TRICK)
    assert booked_as(danish.session, SIDES, seen, 1.0) != []  # type: ignore[arg-type]
    danish.enter(ResultChosen(evening=True))
    assert booked_as(danish.session, SIDES, seen, 1.0) == []  # type: ignore[arg-type]


def test_an_evening_is_opened_to_enter_results(empty: LiveTable) -> None:
    page = Page(empty)
    page.client.post("/setup/players", data={"token": page.token, "name": ["Anna", "Bo", "Carl"]})
    page.sent("/setup/ready", "/evening", dealer="E", by_result="1")
    assert empty.session.by_result
    assert "Bo deals." in page.text("/result")


def test_a_round_of_american_tarock_by_its_result(tmp_path: Path) -> None:
    table = opened(tmp_path, "american-tarock", 4)
    page = Page(table)
    page.post("/by-result", on="1", evening="1")
    two = {"game": "two", "declarer": "Anna", "partner": "Carl", "points": "42", "trula": "declarer"}
    bonuses = {"pagat": "lost 1", "announced": "pagat_ultimo 1", "mond": "Dora"}
    told = page.sent("/american/result", "/american/result", **two, **bonuses)
    assert "Anna vinder To med 42 point" in told["message"]
    # 20, the difference 7, the Trula 10, and the Pagat that Bo announced and lost, 50.
    assert table.session.balances == {"Anna": 87, "Bo": 0, "Carl": 87, "Dora": -21}
    again = page.filled_in("/american/result?hand=1", "/american/result")
    assert again["points"] == "42" and again["partner"] == "Carl" and again["pagat"] == "lost 1"
    points = {f"points_{place}": str(points) for place, points in enumerate((20, 0, 30, 20))}
    wrong = page.sent("/american/result", "/american/result", 422, game="klop")["message"]
    assert wrong.startswith("Resultatet er ikke rigtigt endnu: ") and "mangler" in wrong
    page.sent("/american/result", "/american/result", game="klop", **points)
    assert table.session.balances["Bo"] == 70
    assert "no revoke can be judged" in page.text("/")


def test_a_deal_of_french_tarot_by_its_result(tmp_path: Path) -> None:
    table = opened(tmp_path, "french-tarot", 5)
    page = Page(table)
    page.post("/by-result", on="1", evening="1")
    # Garde with two bouts and a half point more than 45: made by 5.
    garde = {"contract": "garde", "taker": "Bo", "partner": "Dora", "points": "45,5", "bouts": "2"}
    told = page.sent("/french/result", "/french/result", **garde, petit_au_bout="taker", handful_2="single")
    said = "to bouts, 45½ point mod 41, vundet med 5; petit au bout, håndfuld: +100 fra hver"
    assert said in told["message"]
    assert table.session.balances == {"Anna": -100, "Bo": 200, "Carl": -100, "Dora": 100, "Erik": -100}
    assert "Carl shows a handful" in page.text("/hands/1")
    again = page.filled_in("/french/result?hand=1", "/french/result")
    assert again["points"] == "45½" and again["partner"] == "Dora" and again["handful_2"] == "single"
    # All passed: the next in turn deals, and nothing is scored.
    page.sent("/french/result", "/french/result", contract="pass")
    session = table.session
    assert session.hands[1].void == "passed" and session.balances["Bo"] == 200
    assert "All passed" in page.text("/") and "no revoke can be judged" in page.text("/hands/2")
    third = page.filled_in("/french/result", "/french/result")
    for wrong in ({"points": "45,3"}, {"points": "91,5"}, {"points": "-1"}, {"bouts": "4"}, {"taker": ""}):
        assert page.post("/french/result", **third | garde | wrong)[0] == 400
    assert len(session.hands) == 2


def test_a_hand_of_1659_by_its_result(tmp_path: Path) -> None:
    table = opened(tmp_path, "tarot-1659", 4)
    page = Page(table)
    page.post("/by-result", on="1", evening="1")
    dialog = page.filled_in("/tarot1659/result", "/tarot1659/result")
    assert page.post("/tarot1659/result", **dialog)[0] == 422, "who won is missing"
    status, said = page.post("/tarot1659/result", **dialog | {"winner": "Bo"})
    assert status == 200 and "Bo har flest point og vinder" in said
    assert table.session.balances["Bo"] == 30
    points = {f"points_{place}": str(points) for place, points in enumerate((9, 14, 3, 12))}
    page.sent("/tarot1659/result", "/tarot1659/result", **points)
    assert "Bo has the most points, 14" in page.text("/")
