"""The history of a table at which all games were played: each by itself, looked at again, printed, taken in and out."""

import json
import re

import pytest
from test_history import file_of, rows_of, sent, with_evenings
from webui_deals import OPENED, hand
from webui_page import Page
from webui_table import FOUR

from tracker.events import SessionClosed
from tracker.session_file import export
from webui.commands.film import dealt_hand
from webui.table.live import LiveTable


def evening_file(rules: str, seed: int, contract: str | None = None) -> bytes:
    """The session file of an evening of one hand, closed."""
    options = (("cards", 6),) if rules == "tarot-1659" else ()
    session = dealt_hand(seed, FOUR, (rules, options), contract)
    session.apply(SessionClosed())
    return json.dumps(export(session.record, type(session))).encode()


FILES = {
    "danish": file_of([OPENED, *hand(5), SessionClosed()]),
    "tarot1659": evening_file("tarot-1659", 7),
    "american": evening_file("american-tarock", 10, "two"),
}
NUMBER = {"danish": 1, "tarot1659": 2, "american": 3}


@pytest.fixture
def played(empty: LiveTable) -> Page:
    """A table whose history has an evening of each game."""
    return with_evenings(empty, FILES)


def test_no_season_adds_up_two_games(played: Page) -> None:
    rows = rows_of(played, "/history.csv")[1:]
    assert {row[6] for row in rows} == {"Dansk tarok", "Tarot anno 1659", "Amerikansk tarok"}
    points = {row[0]: int(row[3]) for row in rows if row[6] == "Amerikansk tarok"}
    assert points == {"Anna": 48, "Bo": 48, "Carl": 0, "Dora": 0}
    for game in ("Dansk tarok", "Tarot anno 1659"):
        assert sum(int(row[3]) for row in rows if row[6] == game) == 0
    shown = played.text("/history")
    for title in ("Danish Tarok", "Tarot of 1659", "American Tarock"):
        assert f"The season · {title}" in shown
    american = shown.partition("The season · American Tarock")[2].partition("Evenings Evening")[0]
    assert "owe" in shown and "owes Anna" not in american and "nobody owes anything for them" in american


def test_one_game_has_one_season_without_its_name(empty: LiveTable) -> None:
    page = Page(empty)
    sent(page, FILES["danish"])
    shown = page.text("/history")
    assert "The season Only settled evenings" in shown and "Danish Tarok" not in shown


@pytest.mark.parametrize("lang", ["en", "da"])
@pytest.mark.parametrize("game", list(FILES))
def test_each_games_evening_is_shown_looked_at_again_and_asked_about(
    played: Page, game: str, lang: str
) -> None:
    number = NUMBER[game]
    evening, one = played.text(f"/history/{number}", lang), played.text(f"/history/{number}/hands/1", lang)
    assert ("jetoner" in evening + one or "chips" in evening + one.lower()) == (game != "american")
    session = played.table.kept.store.events(session=number)
    last = sum(type(record.event).__name__ == "CardPlayed" for record in session)
    for after in (0, 1, last // 2, last):
        shown = played.text(f"/history/{number}/hands/1/review?after={after}", lang)
        assert f"{after}" in shown
        assert ("skat" in shown) == (game == "danish")
        assert ("Missed declarations" in shown or "Glemte meldinger" in shown) == (game == "danish")
    drill = f"/history/{number}/hands/1/drill"
    for at in range(3):
        assert played.client.get(f"{drill}?seed=3&at={at}&lang={lang}").status_code == 200
    assert drill in played.html("/learn")


def test_a_question_does_not_tell_what_came_to_light_later(played: Page) -> None:
    """The cards that the declarer laid face down are known with the last card, not with the first question."""
    asked = played.text(f"/history/{NUMBER['american']}/hands/1/drill?seed=3&at=0")
    assert "Laid face up: tarock 19" in asked and "Laid: " not in asked
    shown = played.text(f"/history/{NUMBER['american']}/hands/1")
    assert "Laid: 1 of diamonds, tarock 19" in shown


@pytest.mark.parametrize("game", list(FILES))
def test_each_games_evening_goes_out_as_it_came_in(played: Page, game: str) -> None:
    number = NUMBER[game]
    assert played.client.get(f"/history/{number}.json").get_json() == json.loads(FILES[game])
    head, *rows, total = rows_of(played, f"/history/{number}.csv")
    for column in range(1, len(head)):
        assert sum(int(row[column]) for row in rows) == int(total[column])


def test_a_round_has_its_lines_of_the_score_sheet(played: Page) -> None:
    shown = played.text("/history/3/hands/1")
    assert "On the score sheet" in shown and "Payments" not in shown
    body = played.html("/history/3/hands/1")
    scored = [int(one.replace("−", "-")) for one in re.findall(r'<td class="num">([+−]?\d+)</td>', body)]
    assert sum(scored) == 96
    assert "the Skeench: tarocks" not in shown.lower()
