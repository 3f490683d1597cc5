"""The figures of persons at the table: in every game, for those who sat there alone, on a page and for spreadsheets."""

import re
from collections import defaultdict

from webui_deals import OPENED, hand
from webui_history import file_of, rows_of, sent
from webui_page import Page

from tracker.events import SessionClosed
from tracker.renaming import with_names
from webui.people.roles import Role
from webui.table.live import LiveTable


def test_the_table_for_spreadsheets_has_everybody_and_its_chips_sum_to_zero(all_games: Page) -> None:
    head, *rows = rows_of(all_games, "/history/persons.csv", "en")
    assert head == ["Game", "Player", "What", "Of what", "Times won", "Won", "Times lost", "Lost", "Together"]
    sums: dict[tuple[str, ...], int] = defaultdict(int)
    for row in rows:
        assert len(row) == len(head)
        if row[2] == "For what":
            assert int(row[5]) - int(row[7]) == int(row[8])
            sums[row[0], row[3]] += int(row[8])
        if row[2] == "Against whom":
            sums[row[0], "whom"] += int(row[8])
    assert {game for game, _ in sums} == {"Danish Tarok", "Tarot of 1659", "American Tarock", "French Tarot"}
    assert not any(sums.values())
    # Chips are those of the season.
    chips = {(row[6], row[0]): int(row[3]) for row in rows_of(all_games, "/history.csv", "en")[1:]}
    for (game, name), own in chips.items():
        assert own == sum(int(row[8]) for row in rows if row[:3] == [game, name, "For what"])
    own = rows_of(all_games, "/history/persons/Anna.csv", "en")[1:]
    assert own == [row for row in rows if row[1] == "Anna"]


def test_the_page_tells_each_game_in_its_terms(all_games: Page) -> None:
    shown = all_games.text("/history/persons/Anna")
    assert "Only settled evenings are counted." in shown
    danish, _, rest = shown.partition("Tarot of 1659")
    old, _, american = rest.partition("American Tarock")
    assert "Chips per hand" in danish and "Tricks per hand" in danish and "King pot" in danish
    assert "pot won" in old or "ante" in old
    assert "Contracts" not in old and "Points per hand" in american
    assert "Nobody wins points from another player" in american and "Against whom" not in american
    # How often stands behind the sum, where nobody multiplies the two.
    assert re.search(r" founding – 40 \(1\) −40 ", danish) and "In brackets: how often." in danish
    assert "/history/persons/Anna" in all_games.client.get("/history").get_data(as_text=True)
    assert "No such evening is kept." in all_games.text("/history/persons/Nobody")


def test_a_players_phone_is_told_of_the_evenings_at_which_he_sat(empty: LiveTable) -> None:
    with_anna = [OPENED, *hand(5), SessionClosed()]
    with_dora = [with_names(event, {"Anna": "Dora"}) for event in with_anna]
    host = Page(empty)
    assert sent(host, file_of(with_anna), "2026-03-07")[0] == 200
    assert sent(host, file_of(with_dora), "2026-03-08")[0] == 200

    def evenings(page: Page) -> dict[str, str]:
        rows = rows_of(page, "/history/persons.csv", "en")[1:]
        return {row[1]: row[8] for row in rows if row[2] == "Evenings"}

    assert evenings(host) == {"Anna": "1", "Bo": "2", "Carl": "2", "Dora": "1"}
    bo, dora = Page(empty, Role.PLAYER, "Bo"), Page(empty, Role.PLAYER, "Dora")
    assert evenings(bo) == evenings(host)
    assert evenings(dora) == {"Bo": "1", "Carl": "1", "Dora": "1"}
    assert "settled evenings at which you played" in dora.text("/history/persons/Bo")
    assert "No such evening is kept." in dora.text("/history/persons/Anna")
    assert evenings(Page(empty, Role.PLAYER)) == {}
    assert Page(empty, Role.WALL).client.get("/history/persons/Bo").status_code == 403
