"""The end of an evening of every game: who won, who pays whom, and the next evening with the same people."""

import re
from pathlib import Path

import pytest
from webui_page import Page, view_of
from webui_table import FOUR, open_table, sides_of

from tracker.events import ResultChosen, SessionClosed
from webui.commands.film import dealt_hands
from webui.people.roles import Role
from webui.table.live import LiveTable

GAMES = {
    "danish": ("pagat-2024", 5, None),
    "tarot1659": ("tarot-1659", 7, None),
    "american": ("american-tarock", 10, "two"),
    "french": ("french-tarot", 3, None),
}


@pytest.fixture(params=GAMES)
def ended(request: pytest.FixtureRequest, tmp_path: Path) -> LiveTable:
    """A table at which one hand was played to its end."""
    rules, seed, contract = GAMES[request.param]
    session = dealt_hands(seed, FOUR, (rules, ()), contract)
    return open_table(tmp_path, session.opened, *(record.event for record in session.record[1:]))


def test_a_hand_ends_with_three_lines_and_its_details(ended: LiveTable) -> None:
    for lang in ("en", "da"):
        result = view_of(ended, lang).result
        assert result is not None and result.told
        assert 1 + len(result.told) + bool(result.earned) <= 3
        chips = [row.chips for row in result.rows]
        assert chips == sorted(chips, reverse=True)
        assert set(result.earned) <= set(result.rows[0].reasons)
        shown = Page(ended, Role.WALL).client.get(f"/?lang={lang}").get_data(as_text=True)
        card = re.search(r'id="region-result".*?<details[^>]*>(.*?)</details>', shown, re.DOTALL)
        assert card is not None and all(f"<b>{row.name}</b>" in card[1] for row in result.rows)
        # Whoever adds up the line sees that it is not all.
        (line,) = re.findall(r'<p class="why">(.*?)</p>', card[0].split("<details")[0]) or [""]
        assert line.endswith("…") is (bool(line) and set(result.earned) != set(result.rows[0].reasons))


@pytest.mark.parametrize(
    ("game", "winners"), [("french", "Dora"), ("american", "Anna and Bo, each")], ids=["one", "two"]
)
def test_the_reasons_name_all_who_won_as_much(game: str, winners: str, tmp_path: Path) -> None:
    rules, seed, contract = GAMES[game]
    session = dealt_hands(seed, FOUR, (rules, ()), contract)
    table = open_table(tmp_path, session.opened, *(record.event for record in session.record[1:]))
    result = view_of(table, "en").result
    assert result is not None and result.earned and result.winners == winners


def test_the_evening_ends_with_the_final_table_and_who_pays_whom(ended: LiveTable) -> None:
    page = Page(ended)
    assert view_of(ended, "en").evening is None
    assert page.post("/settle")[0] == 200
    evening = view_of(ended, "en").evening
    assert evening is not None and dict(evening.rows) == ended.session.balances
    assert evening.rows[0][1] == max(ended.session.balances.values()) and evening.rows[0][0] in evening.won
    left = dict(ended.session.balances)
    for source, target, amount in evening.owed or ():
        left[source] += amount
        left[target] -= amount
    assert (evening.owed is not None) is ended.session.keeps_chips
    assert evening.owed is None or (not any(left.values()) and len(evening.owed) < len(FOUR))
    fields = {"token": page.token, "amount": "0,25", "currency": "kr."}
    assert "kr." not in page.text("/") and page.client.post("/history/chip", data=fields).status_code == 303
    for role in (Role.WALL, Role.PLAYER, Role.HOST):
        shown = Page(ended, role).text("/")
        assert evening.won in shown and ("kr." in shown) is ended.session.keeps_chips
        assert ("The whole evening, to print" in shown) is (role > Role.WALL)
        assert ("Next evening with the same people" in shown) is (role is Role.HOST)


def test_points_are_paid_for_in_the_fewest_payments_where_one_is_worth_something(ended: LiveTable) -> None:
    page = Page(ended)
    page.post("/settle")
    points, keeps_chips = ended.session.balances, ended.session.keeps_chips
    assert not view_of(ended, "en").evening.owed_money
    assert ("What a point is worth" in page.text("/")) is not keeps_chips
    page.client.post("/history/chip", data={"token": page.token, "point": "0,25", "currency": "kr."})
    owed = view_of(ended, "en").evening.owed_money
    assert bool(owed) is not keeps_chips
    if keeps_chips:
        return
    left = {name: 25 * (own - sum(points.values()) / len(points)) for name, own in points.items()}
    for one in owed:
        amount = round(100 * float(one.amount.removesuffix(" kr.")))
        left[one.source] += amount
        left[one.target] -= amount
        for shown in (page.text("/"), page.text("/history/1")):
            assert f"{one.source} owes {one.target}: {one.amount}" in shown
    assert len(owed) < len(points) and all(abs(rest) < 1 for rest in left.values())


def test_two_taps_open_the_next_evening_with_the_same_people(ended: LiveTable) -> None:
    page, before = Page(ended), ended.session
    assert page.post("/evening/again")[0] == 409
    ended.enter(ResultChosen(evening=True), SessionClosed())
    assert Page(ended, Role.PLAYER, "Bo").post("/evening/again")[0] == 403
    status, asked = page.post("/evening/again", sure="")
    assert (status, asked) == (428, "Hvem der skylder hvem, bliver stående i historikken.")
    assert ended.session.closed, "one tap, which may be by accident, opens nothing"
    assert page.post("/evening/again")[0] == 200
    after = ended.session
    assert after is not None and after is not before and not after.closed
    assert (after.rules, set(after.seats), ended.sides) == (before.rules, set(FOUR), sides_of(FOUR))
    assert after.next_dealer == before.next_dealer and after.seats == before.ring(before.next_dealer)
    assert after.by_result and not any(after.balances.values())
    assert page.post("/evening/again")[0] == 409
