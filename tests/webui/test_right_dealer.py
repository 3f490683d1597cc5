"""The right dealer: the first trick shows another deal, the page asks once, and one tap repairs it."""

import re

import pytest
from webui_camera import sees
from webui_deals import AT_FOUR, hand, plays
from webui_page import Page, view_of
from webui_table import NAMES, open_table

from tracker.danish.events import Declared
from tracker.events import CardPlayed, DealerCorrected, HandAbandoned, HandStarted, SessionOpened
from webui.people.roles import Role


@pytest.fixture
def four(tmp_path):
    """Anna is booked as the dealer, so Carl sits out; but Dora dealt, and Bo sits out."""
    return open_table(tmp_path, AT_FOUR, HandStarted("Anna"))


@pytest.mark.parametrize(
    ("words", "asked"), [("Bo:S7 Carl:S2 Anna:S3", False), ("Carl:S7 Anna:S2 Bo:S3", True)]
)
def test_the_page_asks_where_the_first_trick_shows_another_deal(table, words, asked):
    table.enter(HandStarted("Anna"), *plays(*words.split()))
    assert bool(view_of(table, "en").dealers) == asked


def test_one_tap_of_any_player_repairs_it(table):
    table.enter(HandStarted("Anna"), *plays("Carl:S7", "Anna:S2", "Bo:S3"))
    carl = Page(table, Role.PLAYER, "Carl")
    assert "Did Bo deal?" in carl.text("/") and "Flag: " not in carl.text("/")
    assert carl.post("/hands/1/dealer", dealer="Bo")[0] == 200
    assert (table.session.hand.dealer, table.session.hand.findings) == ("Bo", [])
    assert "Did Bo deal?" not in carl.text("/")
    entered = len(table.recorded)
    assert Page(table, Role.PLAYER, "Anna").post("/hands/1/dealer", dealer="Bo")[0] == 200
    assert len(table.recorded) == entered and not table.desk.asks


def test_while_it_is_asked_no_card_is_marked_and_no_page_tells_a_flag(table, page):
    table.enter(HandStarted("Anna"), *plays("Carl:S7", "Anna:S2", "Bo:S3"))
    assert [one.kind for one in table.session.hand.findings] == ["lead_out_of_turn"]
    for path in ("/", "/hands/1", "/ledger", "/settle"):
        assert not re.search("Flag: |Flags that are not settled", page.text(path)), path
        assert "mark flagged" not in page.html(path)
    page.post("/hands/1/dealer", dealer="Anna")
    assert "mark flagged" in page.html("/")


def test_it_is_asked_still_when_the_hand_is_over_and_who_deals_next_follows(table, page):
    table.enter(HandStarted("Anna"), *hand(3, "Bo")[1:])
    assert table.session.hand.complete and view_of(table, "en").dealers == [table.session.hand]
    assert view_of(table, "en").open_findings == []
    assert page.post("/hands/1/dealer", dealer="Bo")[0] == 200
    over = table.session.hand
    assert (over.dealer, over.findings, over.complete) == ("Bo", [], True)
    assert table.session.next_dealer == "Carl" and view_of(table, "en").dealers == []


def test_answered_no_it_is_not_asked_again_and_the_flag_stands(table, page):
    table.enter(HandStarted("Anna"), *plays("Carl:S7", "Anna:S2", "Bo:S3"))
    assert page.post("/hands/1/dealer", dealer="Anna")[0] == 200
    assert table.session.hand.dealer == "Anna" and view_of(table, "en").dealers == []
    assert [row.title for row in view_of(table, "en").open_findings] == ["Flag: Carl"]


@pytest.mark.parametrize(("first", "second"), [("Bo", "Anna"), ("Anna", "Bo")])
def test_of_two_who_answer_differently_the_later_is_told_what_was_answered(table, first, second):
    table.enter(HandStarted("Anna"), *plays("Carl:S7", "Anna:S2", "Bo:S3"))
    one, other = Page(table, Role.PLAYER, "Carl"), Page(table, Role.PLAYER, "Anna")
    assert 'name="answer" value="Bo"' in other.html("/")
    assert one.post("/hands/1/dealer", answer=first)[0] == 200
    entered = len(table.recorded)
    status, said = other.post("/hands/1/dealer", answer=second)
    assert status == 409 and said == f"Spørgsmålet er allerede besvaret: {first} gav."
    assert other.post("/hands/1/dealer", answer=first)[0] == 200, "both say the same"
    assert len(table.recorded) == entered and table.session.hand.dealer == first and not table.desk.asks


def test_when_one_who_sits_out_played_there_is_one_question_and_no_other_notice(four):
    sees(four, "Anna:S7 Carl:S2 Dora:S3")
    view = view_of(four, "en")
    assert four.session.alerts and view.dealers == [four.session.hand]
    assert (view.alerts, view.open_findings) == ([], [])
    assert Page(four).post("/hands/1/dealer", dealer="Dora")[0] == 200
    assert [play.player for play in four.session.hand.plays] == ["Anna", "Carl", "Dora"]
    assert not four.session.alerts and not four.session.hand.findings


def test_answered_no_all_that_one_did_who_sits_out_is_one_question_and_who_answered_wrongly_says_so(four):
    sees(four, "Anna:S7 Carl:S2 Dora:S3", "Anna:S8 Carl:S4 Dora:S5")
    assert Page(four).post("/hands/1/dealer", dealer="Anna")[0] == 200
    view = view_of(four, "en")
    assert view.dealers == []
    assert [alert.text for alert in view.alerts] == [
        "Carl played the 2 of spades. That cannot have happened: Carl sits this hand out. "
        "This leads to 3 more questions."
    ]
    assert '/hands/1/dealer" name="dealer" value="Dora"' in Page(four).html("/")
    assert Page(four).post("/hands/1/dealer", dealer="Dora")[0] == 200
    assert [play.player for play in four.session.hand.plays] == ["Anna", "Carl", "Dora"] * 2
    assert not four.session.alerts and not four.session.hand.findings


def test_while_it_is_asked_the_cards_lie_as_the_first_trick_shows_and_chips_are_as_booked(four):
    sees(four, "Anna:S7 Carl:S2 Dora:S3", "Anna:S8 Carl:S4")
    view = view_of(four, "en")
    assert [play.player for play in view.felt.trick] == ["Anna", "Carl"]
    assert {seat.name for seat in view.felt.seats if seat.out} == {"Bo"}
    assert {seat.name for seat in view.felt.seats if seat.turn} == {"Dora"}
    assert {seat.name: seat.balance for seat in view.felt.seats} == dict(four.sight.balances)


def test_nor_is_a_card_marked_by_what_would_be_a_revoke_if_it_is_answered_yes(four):
    four.choose(fair_play=False)
    sees(four, "Anna:S7 Carl:D2 Dora:S3", "Anna:S8 Carl:S4 Dora:S5")
    page = Page(four)
    for path in ("/", "/hands/1"):
        assert "mark flagged" not in page.html(path) and "Revoke" not in page.text(path), path
    assert page.post("/hands/1/dealer", dealer="Dora")[0] == 200
    assert [one.kind for one in four.session.hand.findings] == ["revoke"] and "Revoke" in page.text("/")


def test_nobody_is_accused_once_the_next_hand_is_dealt_either(table, page):
    table.enter(HandStarted("Anna"), *hand(3, "Bo")[1:], HandStarted("Bo"))
    view = view_of(table, "en")
    assert "Did Bo deal? · Hand 1" in page.text("/") and view.open_findings == []
    for path in ("/", "/hands/1", "/ledger", "/settle"):
        assert not re.search("Flag: |Flags that are not settled", page.text(path)), path
    assert page.post("/hands/1/dealer", dealer="Bo")[0] == 200
    assert [one.dealer for one in table.session.hands] == ["Bo", "Bo"]
    assert table.session.hands[0].findings == [] and view_of(table, "en").dealers == []


def test_who_taps_the_first_trick_sees_who_sits_out_and_can_say_who_dealt(four):
    page = Page(four)
    assert "Carl sits out. Another player dealt" in page.text("/play")
    assert "Carl er oversidder. En anden gav" in page.text("/play", "da")
    four.enter(*plays("Bo:S7", "Dora:S2", "Anna:S3"))
    assert "sits out." not in page.text("/play")


def test_while_it_is_asked_who_dealt_a_person_says_whose_card_it_is(four):
    sees(four, "Anna:S7 Carl:S2 Dora:S3")
    page = Page(four)
    dialog = page.html("/play")
    assert re.findall(r'name="player" value="(\w+)"( checked)?', dialog) == [
        (name, "") for name in ("Anna", "Bo", "Carl", "Dora")
    ]
    assert "Did Dora deal?" in dialog and "sits out" not in dialog
    assert re.findall(r'class="pick played" name="card" value="(\w+)"', dialog) == ["S2", "S3", "S7"]
    assert dialog.partition('class="on-table">')[2].startswith("</p>"), "the first trick is whole"
    assert page.post("/plays", card="S8")[0] == 409
    assert page.post("/plays", player="Anna", card="S8")[0] == 200
    assert page.post("/plays", player="Carl", card="S4")[0] == 200
    assert [play.player for play in view_of(four, "en").felt.trick] == ["Anna", "Carl"]
    page.sent("/play", "/hands/1/dealer", dealer="Dora")
    assert [play.player for play in four.session.hand.plays] == ["Anna", "Carl", "Dora", "Anna", "Carl"]
    assert four.session.alerts == [] and 'value="Dora" checked' in page.html("/play")


def test_where_nobody_sits_out_whose_turn_it_is_does_not_hang_on_the_dealer(table, page):
    table.enter(HandStarted("Anna"), *plays("Carl:S7", "Anna:S2", "Bo:S3"))
    assert view_of(table, "en").dealers and 'value="Carl" checked' in page.html("/play")


def test_who_dealt_is_put_right_from_the_list_of_entries(four):
    page = Page(four)
    four.enter(*plays("Bo:S7", "Dora:S2"))
    (link,) = re.findall(r'href="([^"]*)" data-dialog id="right-2"', page.html("/"))
    assert "Hand 1 · Anna deals" in page.text(link)
    page.sent(link, "/hands/1/dealer", dealer="Carl")
    assert four.session.hand.dealer == "Carl"
    four.enter(HandAbandoned(), HandStarted("Bo"))
    corrected = four.recorded[4].seq
    (link,) = re.findall(rf'href="([^"]*)" data-dialog id="right-{corrected}"', page.html("/hands/1"))
    page.sent(link, "/hands/1/dealer", dealer="Anna")
    assert [one.dealer for one in four.session.hands] == ["Anna", "Bo"]


def test_of_five_two_sit_out(tmp_path):
    table = open_table(tmp_path, SessionOpened("dtf-2011", (), NAMES[:5]), HandStarted("Anna"))
    assert "Carl and Dora sit out. Another player dealt" in Page(table).text("/play")


def test_what_one_said_who_sits_out_is_named_in_the_question_about_it(four):
    four.enter(Declared("Dora", ()))
    four.enter(DealerCorrected(2, "Bo"))
    (alert,) = view_of(four, "en").alerts
    assert alert.text == "Dora declares pass. That cannot have happened: Dora sits this hand out."


def test_while_declarations_are_made_the_dealer_speaks_first(table):
    table.enter(HandStarted("Anna"))

    def speaker():
        return [
            (seat.name, seat.note.split(" · ")[0]) for seat in view_of(table, "en").felt.seats if seat.turn
        ]

    for name in ("Anna", "Bo", "Carl"):
        assert speaker() == [(name, "to declare")]
        assert view_of(table, "en").news.endswith(f"{name} to declare")
        table.enter(Declared(name, ()))
    assert speaker() == [("Bo", "to lead")]
    table.enter(CardPlayed("Bo", "S7"))
    assert speaker() == [("Carl", "to play")]
