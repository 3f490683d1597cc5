"""Fines on the page: each is booked once, in its own hand, and settles the flag it was given for."""

import re

import numpy as np
import pytest
from webui_deals import hand
from webui_page import Page

from tracker.events import CardPlayed, Combination, Declared, HandAbandoned
from vision.watch import Health, WatchUpdate

FRAME = np.full((72, 128, 3), 90, np.uint8)
HEALTH = Health(10.0, 0.08, 20.0, 90.0, 1, ())
KINGS = Combination("kings", grade="full")


def sees(table, words):
    """The camera sees these plays, `"Anna:S7 Bo:S2"`."""
    plays = tuple(CardPlayed(*word.split(":"), time_s=1.0) for word in words.split())
    table.saw(WatchUpdate(1.0, FRAME, (), plays, HEALTH, None))


@pytest.fixture
def next_hand(table):
    """Bo declared kings that he did not have; the hand is over, and the camera started the next by itself."""
    started, *plays = hand(5)
    for event in (started, Declared("Bo", (KINGS,)), *plays):
        table.enter(event)
    (finding,) = table.session.hand.findings
    assert (finding.kind, finding.player) == ("declaration_false", "Bo")
    sees(table, "Carl:S7")
    assert len(table.session.hands) == 2
    return table


def fines(table, number):
    payments = table.session.hands[number - 1].payments
    return [(payment.source, payment.reason) for payment in payments if payment.rule == "FINE-1"]


def test_a_fine_for_the_hand_before_is_booked_in_that_hand(next_hand):
    page = Page(next_hand)
    next_hand.enter(Declared("Bo", (Combination("trumps", count=12, pagat=True),)))
    (link,) = re.findall(r'href="(/fine[^"]*)"', page.client.get("/hands/1").get_data(as_text=True))
    assert page.post("/fines", **page.filled_in(link, "/fines"))[0] == 200
    first, second = next_hand.session.hands
    assert {("Bo", "fine"), ("Bo", "declaration_returned")} <= set(fines(next_hand, 1))
    assert fines(next_hand, 2) == [] and first.barred == {"Bo"} and second.barred == frozenset()


def test_a_sheet_opened_before_the_camera_started_the_next_hand_fines_in_its_own(table, page):
    for event in hand(5):
        table.enter(event)
    sheet = page.filled_in("/fine?player=Bo", "/fines")
    sees(table, "Carl:S7")
    assert page.post("/fines", **sheet, category="minor")[0] == 200
    assert fines(table, 1) == [("Bo", "fine")] * 2 and fines(table, 2) == []


def test_the_last_hand_can_be_fined_in_after_a_fourth_player_joined(playing):
    page = Page(playing)
    playing.enter(HandAbandoned())
    assert page.post("/join", player="Dora", seat_index=3)[0] == 200
    assert page.post("/fines", **page.filled_in("/fine?finding=1-0", "/fines"))[0] == 200
    assert len(fines(playing, 1)) == 2
