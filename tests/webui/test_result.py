"""A hand ends with a result: what the last trick brought, everybody's chips with their reasons, the next dealer."""

import re
from dataclasses import replace

import pytest
from webui_deals import SEATS, hand
from webui_page import Page, view_of

from tracker.danish.combination import Combination
from tracker.danish.events import Declared, ToutAnnounced
from tracker.events import CardPlayed, HandAbandoned, HandStarted
from webui.people.roles import Role


@pytest.fixture
def over(table):
    """A hand that was played to its end."""
    table.enter(*hand(3))
    return table


def test_a_hand_that_is_over_shows_everybodys_chips_and_they_come_to_what_the_ledger_says(over):
    result = view_of(over, "en").result
    assert {row.name for row in result.rows} == set(SEATS)
    assert {row.name: row.chips for row in result.rows} == over.session.balances
    for row in result.rows:
        assert row.chips == sum(chips for _, chips in row.reasons), row
        assert dict(row.reasons)["founding"] <= -40, row
    assert result.next_dealer == over.session.next_dealer and result.endings


BO_WINS = "Bo fik sidste stik med tarok 5"
ENDINGS = {
    "the pagat wins": ("Anna:S7 Bo:S8 Carl:T1", ["Carl ultimerede pagaten"]),
    "a king wins": ("Anna:SR Bo:S2 Carl:S3", ["Anna ultimerede spar konge"]),
    "another card wins": ("Anna:S7 Bo:S8 Carl:S3", ["Bo fik sidste stik med spar 8"]),
    "the pagat loses": ("Anna:S7 Bo:T5 Carl:T1", [BO_WINS, "Carl gik bagud på pagaten"]),
    "two kings lose": (
        "Anna:HR Bo:T5 Carl:DR",
        [BO_WINS, "Anna gik bagud på hjerter konge", "Carl gik bagud på ruder konge"],
    ),
}


@pytest.mark.parametrize(("last", "said"), ENDINGS.values(), ids=ENDINGS)
def test_what_the_last_trick_brought_is_said(table, last, said):
    started, *plays = hand(3)
    chosen = [one.split(":") for one in last.split()]
    cards = [card for _, card in chosen]
    spare = [play.card for play in plays[72:] if play.card not in cards]
    before = [replace(play, card=spare.pop()) if play.card in cards else play for play in plays[:72]]
    # The leader of the last trick plays first.
    turn = [play.player for play in plays[72:]]
    chosen.sort(key=lambda one: turn.index(one[0]))
    table.enter(started, *before, *(CardPlayed(player, card) for player, card in chosen))
    view = view_of(table, "da")
    assert sorted(view.result.endings) == sorted(said)
    assert view.felt.banners == view.result.endings


def test_the_last_trick_is_told_with_its_card_in_both_languages(over):
    last = over.session.hand.tricks[-1]
    for lang in ("da", "en"):
        said = " ".join(view_of(over, lang).result.endings)
        assert last.winner in said
    assert any(line in view_of(over, "en").news for line in view_of(over, "en").result.endings)


def test_one_tap_deals_the_next_hand_and_a_second_one_is_told_so(over, page):
    dealer = over.session.next_dealer
    assert f"Next hand: {dealer} deals" in page.text("/")
    assert page.post("/hands/1/next")[0] == 200
    assert (over.session.hand.dealer, len(over.session.hands)) == (dealer, 2)
    assert page.post("/hands/1/next")[0] == 409
    assert len(over.session.hands) == 2 and view_of(over, "en").result is None


def test_a_screen_on_the_wall_sees_the_result_without_a_button(over):
    wall = Page(over, Role.WALL)
    assert "/hands/1/next" not in wall.client.get("/").get_data(as_text=True)
    assert "deals the next hand." in wall.text("/")
    assert wall.post("/hands/1/next")[0] == 403


def test_a_hand_given_up_has_a_result_without_a_last_trick(table, page):
    table.enter(HandStarted("Anna"), HandAbandoned())
    result = view_of(table, "en").result
    assert result.endings == ["The hand was abandoned"]
    assert {row.name: row.chips for row in result.rows} == table.session.balances


def test_a_settled_evening_has_no_result(over, page):
    assert page.post("/settle")[0] == 200
    assert view_of(over, "en").result is None


def test_all_payments_of_the_hand_are_there_those_alike_in_one_line(over, page):
    rows = view_of(over, "en").payments
    assert sum(row.amount * row.count for row in rows) == sum(one.amount for one in over.session.payments)
    assert len(rows) < len(over.session.payments)
    dialog = page.text("/hands/1")
    assert all(row.reason in dialog for row in rows)


def test_a_tout_that_is_announced_stands_on_the_felt(table):
    table.enter(
        HandStarted("Anna"),
        Declared("Anna", (Combination("trumps", count=10, pagat=False),)),
        ToutAnnounced("Anna"),
    )
    assert view_of(table, "da").felt.banners == ["Anna har meldt tout"]


@pytest.mark.parametrize("seat", SEATS)
def test_ones_own_seat_is_at_the_bottom_of_ones_phone(playing, seat):
    shown = Page(playing, Role.PLAYER, seat).client.get("/").get_data(as_text=True)
    (south,) = re.findall(
        r'class="side side-s"><a class="seat([^"]*)"[^>]*>\s*<span class="name"><b>(\w+)', shown
    )
    assert south[1] == seat and "own" in south[0]
