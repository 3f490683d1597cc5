"""The history of a table at which all games were played: each by itself, looked at again, printed, taken in and out."""

import json
import re

import pytest
from webui_history import FILES, rows_of, sent
from webui_page import Page
from webui_table import FOUR

from tracker.events import HandAbandoned, HandStarted, SessionClosed, SessionOpened
from tracker.french.events import BidMade, ContractNamed, DealAnnulled
from webui.table.live import LiveTable

NUMBER = {game: number for number, game in enumerate(FILES, 1)}


def test_no_season_adds_up_two_games(all_games: Page) -> None:
    rows = rows_of(all_games, "/history.csv")[1:]
    assert {row[6] for row in rows} == {"Dansk tarok", "Tarot anno 1659", "Amerikansk tarok", "Fransk tarot"}
    points = {row[0]: int(row[3]) for row in rows if row[6] == "Amerikansk tarok"}
    assert points == {"Anna": 48, "Bo": 48, "Carl": 0, "Dora": 0}
    for game in ("Dansk tarok", "Tarot anno 1659"):
        assert sum(int(row[3]) for row in rows if row[6] == game) == 0
    shown = all_games.text("/history")
    for title in ("Danish Tarok", "Tarot of 1659", "American Tarock", "French Tarot"):
        assert f"The season · {title}" in shown
    american = shown.partition("The season · American Tarock")[2].partition("Evenings Evening")[0]
    assert "owe" in shown and "owes Anna" not in american and "nobody owes anything for them" in american


def test_one_game_has_one_season_without_its_name(empty: LiveTable) -> None:
    page = Page(empty)
    sent(page, FILES["danish"])
    shown = page.text("/history")
    assert "The season Only settled evenings" in shown and "Danish Tarok" not in shown


def test_an_evening_names_its_game_and_so_do_the_hands_to_learn_from_where_there_are_several(
    all_games: Page,
) -> None:
    for number, title in enumerate(("Danish Tarok", "Tarot of 1659", "American Tarock", "French Tarot"), 1):
        assert f"History · {title} " in all_games.text(f"/history/{number}")
        assert f" · {title} · Anna" in all_games.text("/learn")


def test_the_page_of_a_hand_says_that_it_does_not_count_or_was_given_up(empty: LiveTable) -> None:
    opened, page = SessionOpened("french-tarot", (), FOUR), Page(empty)
    empty.open_evening(opened, {})
    empty.enter(HandStarted("Dora"), *[BidMade(player, "pass") for player in FOUR])
    empty.enter(HandStarted("Anna"), ContractNamed("garde", "Bo"), DealAnnulled("cards were seen"))
    empty.enter(HandStarted("Anna"), ContractNamed("garde", "Bo"), HandAbandoned(), SessionClosed())
    for number, said in enumerate(
        (
            "All passed: the hand does not count. ",
            "The table annulled the hand: cards were seen. ",
            "The hand was abandoned. ",
        ),
        1,
    ):
        for path in (f"/history/1/hands/{number}", f"/hands/{number}"):
            shown = page.text(path)
            assert said in shown and "No card has been played. " in shown, path


def test_the_share_of_what_nobody_was_dealt_is_told_in_a_sentence(all_games: Page) -> None:
    asked = {"seed": "1", "right": "0", "spent": "0", "asked": "0", "answer": "99", "lang": "en"}
    path = "/history/2/hands/1/drill"
    told = [
        all_games.client.get(path, query_string={**asked, "at": str(at)}).get_data(as_text=True)
        for at in range(3)
    ]
    (said,) = [one for one in told if "most likely holds" in one]
    assert "Most likely: " in said and "with set aside" not in said


@pytest.mark.parametrize("lang", ["en", "da"])
@pytest.mark.parametrize("game", list(FILES))
def test_each_games_evening_is_shown_looked_at_again_and_asked_about(
    all_games: Page, game: str, lang: str
) -> None:
    number = NUMBER[game]
    evening, one = (
        all_games.text(f"/history/{number}", lang),
        all_games.text(f"/history/{number}/hands/1", lang),
    )
    assert ("jetoner" in evening + one or "chips" in evening + one.lower()) == (
        game in ("danish", "tarot1659")
    )
    session = all_games.table.kept.store.events(session=number)
    last = sum(type(record.event).__name__ == "CardPlayed" for record in session)
    for after in (0, 1, last // 2, last):
        shown = all_games.text(f"/history/{number}/hands/1/review?after={after}", lang)
        assert f"{after}" in shown
        assert ("skat" in shown) == (game == "danish")
        assert ("Missed declarations" in shown or "Glemte meldinger" in shown) == (game == "danish")
    drill = f"/history/{number}/hands/1/drill"
    for at in range(3):
        assert all_games.client.get(f"{drill}?seed=3&at={at}&lang={lang}").status_code == 200
    assert drill in all_games.html("/learn")


def test_a_question_does_not_tell_what_came_to_light_later(all_games: Page) -> None:
    """The cards that the declarer laid face down are known with the last card, not with the first question."""
    asked = all_games.text(f"/history/{NUMBER['american']}/hands/1/drill?seed=3&at=0")
    assert "Laid face up: tarock 19" in asked and "Laid: " not in asked
    shown = all_games.text(f"/history/{NUMBER['american']}/hands/1")
    assert "Laid: 1 of diamonds, tarock 19" in shown


@pytest.mark.parametrize("game", list(FILES))
def test_each_games_evening_goes_out_as_it_came_in(all_games: Page, game: str) -> None:
    number = NUMBER[game]
    assert all_games.client.get(f"/history/{number}.json").get_json() == json.loads(FILES[game])
    head, *rows, total = rows_of(all_games, f"/history/{number}.csv")
    for column in range(1, len(head)):
        assert sum(int(row[column]) for row in rows) == int(total[column])


def test_a_round_has_its_lines_of_the_score_sheet(all_games: Page) -> None:
    shown = all_games.text("/history/3/hands/1")
    assert "On the score sheet" in shown and "Payments" not in shown
    body = all_games.html("/history/3/hands/1")
    scored = [int(one.replace("−", "-")) for one in re.findall(r'<td class="num">([+−]?\d+)</td>', body)]
    assert sum(scored) == 96
    assert "the Skeench: tarocks" not in shown.lower()
