"""What an undo undoes: the last thing a person entered, and never a hand that is being played."""

import pytest
from webui_camera import sees
from webui_page import Page, view_of
from webui_table import restarted

from tracker.danish.combination import Combination
from tracker.danish.events import EVENTS, Declared
from tracker.events import EventRetracted, HandAbandoned, HandStarted, PlayCorrected, PlaysTakenBack
from tracker.undo import last_entry

KINGS = Declared("Anna", (Combination("kings", grade="full"),))


def last(table):
    entry = last_entry(table.recorded)
    return None if entry is None else entry.event


def test_a_hand_that_the_camera_started_is_nobodys_entry(table):
    sees(table, "Bo:S7 Carl:S2")
    assert last(table) is None
    assert "Nothing has been entered" in Page(table).text("/undo")


def test_a_hand_is_not_undone_once_cards_were_played_in_it(table, page):
    page.post("/hands", dealer="Carl")
    number = table.recorded[-1].seq
    assert last(table) == HandStarted("Carl")
    sees(table, "Anna:S7")
    assert last(table) is None
    assert page.post("/undo", seq=number)[0] == 409
    assert len(table.session.hand.plays) == 1
    sees(table, "", PlaysTakenBack(1))
    assert last(table) == HandStarted("Carl")


def test_a_hand_given_up_stays_so_once_the_next_is_played(table, page):
    page.post("/hands", dealer="Carl")
    page.post("/fines", player="Bo", category="minor")
    page.post("/abandon")
    assert last(table) == HandAbandoned()
    sees(table, "Bo:S7")
    # A fine of the hand before can still be undone.
    assert last(table).player == "Bo"
    sees(table, "", PlaysTakenBack(1))
    assert last(table).player == "Bo"


def test_what_the_camera_put_right_is_nobodys_entry(table):
    table.enter(HandStarted("Carl"), KINGS)
    sees(table, "Anna:S7 Bo:S2", PlayCorrected(4, card="S8"), PlaysTakenBack(1))
    assert [play.card for play in table.session.hand.plays] == ["S8"]
    assert last(table) == KINGS
    table.enter(PlaysTakenBack(1))
    assert last(table) == PlaysTakenBack(1)
    again = restarted(table)
    again.enter(EventRetracted(again.recorded[-1].seq))
    assert last(again) == KINGS


def test_an_evening_stored_before_the_camera_signed_its_corrections_still_loads():
    assert EVENTS.from_json({"event": "PlaysTakenBack", "count": 1}) == PlaysTakenBack(1)
    assert EVENTS.from_json({"event": "PlayCorrected", "seq": 4, "card": "S8"}) == PlayCorrected(4, card="S8")


@pytest.mark.parametrize("mistake", ["/settle", "/abandon"])
def test_a_hand_taken_up_again_asks_what_was_played_meanwhile(table, page, mistake):
    page.post("/hands", dealer="Carl")
    sees(table, "Anna:S7 Bo:S2 Carl:S3")
    page.post(mistake)
    page.post("/undo", seq=table.recorded[-1].seq)
    (question,) = view_of(table, "en").questions
    assert question.title == "Did the camera miss anything?"
    # Anna led the ace of hearts meanwhile; she looks guilty, and is not flagged.
    sees(table, "Bo:H3 Carl:H2 Anna:S8 Bo:S4 Carl:S5 Anna:H6")
    flags = view_of(table, "en").open_findings
    assert flags and all(row.unsure for row in flags)


def test_where_nothing_was_played_an_undo_asks_nothing(table, page):
    page.post("/hands", dealer="Carl")
    for mistake in ("/settle", "/abandon"):
        page.post(mistake)
        assert page.post("/undo", seq=table.recorded[-1].seq)[0] == 200
    sees(table, "Anna:S7")
    page.post("/abandon")
    page.post("/settle")
    assert page.post("/undo", seq=table.recorded[-1].seq)[0] == 200
    assert view_of(table, "en").questions == []
    assert table.session.hand.abandoned


def test_the_dealer_of_a_hand_that_the_camera_started_can_be_put_right(table, page):
    sees(table, "Carl:S7 Anna:S2 Bo:S3")
    assert table.session.hand.dealer == "Anna" and table.session.hand.findings
    page.sent("/more", "/hands/1/dealer", dealer="Bo")
    assert table.session.hand.dealer == "Bo" and table.session.hand.findings == []
    assert [play.card for play in table.session.hand.plays] == ["S7", "S2", "S3"]
    assert "Bo dealt the hand" in page.text("/undo")
    assert page.post("/undo", seq=table.recorded[-1].seq)[0] == 200
    assert table.session.hand.dealer == "Anna"


def test_the_dealer_of_a_hand_that_is_over_can_be_put_right_and_so_can_that_of_an_earlier_one(table, page):
    table.enter(HandStarted("Anna"), HandAbandoned())
    page.sent("/more", "/hands/1/dealer", dealer="Bo")
    table.enter(HandStarted("Anna"))
    page.sent("/hands/1", "/hands/1/dealer", dealer="Carl")
    assert [hand.dealer for hand in table.session.hands] == ["Carl", "Anna"]
    assert page.post("/hands/3/dealer", dealer="Bo")[0] == 404
