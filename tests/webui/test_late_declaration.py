"""A declaration that was made and paid at the table and not entered: it is entered late, also once the hand is over."""

from pathlib import Path

import pytest
from webui_deals import SEATS, hand
from webui_page import Page
from webui_table import open_table

from tracker.danish.events import Declared
from tracker.events import CardPlayed, EntryInserted, HandAbandoned, HandStarted, PlayerJoined, SessionOpened
from webui.people.roles import Role
from webui.table.live import LiveTable

DTF = SessionOpened("dtf-2011", (), SEATS)


@pytest.fixture
def over(tmp_path: Path) -> LiveTable:
    """A hand that Carl dealt is over, and nobody has entered a declaration."""
    return open_table(tmp_path, DTF, *hand(3, "Carl"), fair_play=False)


def full_kings_are_paid_in_hand_1(table: LiveTable) -> None:
    one = table.session.hands[0]
    kinds = [type(event) for event, _ in one.entries]
    assert kinds.index(Declared) < kinds.index(CardPlayed) and not table.session.alerts
    paid = [
        (payment.source, payment.target, payment.amount)
        for payment in one.payments
        if payment.rule == "PAY-3"
    ]
    assert sorted(paid) == [("Anna", "Bo", 10), ("Carl", "Bo", 10)]


@pytest.mark.parametrize(
    "later",
    [
        (),
        (HandStarted("Anna"),),
        (PlayerJoined("Dora", "Carl"),),
        (PlayerJoined("Dora", "Carl"), HandStarted("Anna")),
    ],
    ids=["over", "the next hand", "one who joined", "a hand of four"],
)
def test_it_is_entered_under_the_hand_and_everything_after_follows(over, later):
    over.enter(*later)
    page = Page(over)
    assert 'href="/declare?hand=1"' in page.html("/hands/1")
    told = page.sent("/declare?hand=1", "/declarations", player="Bo", kings="full")
    assert "dialog" not in told
    full_kings_are_paid_in_hand_1(over)


def test_it_is_entered_under_a_hand_that_was_given_up(tmp_path):
    events = hand(3, "Carl")[:7]
    table = open_table(tmp_path, DTF, *events, HandAbandoned(), fair_play=False)
    Page(table).sent("/declare?hand=1", "/declarations", player="Bo", kings="full")
    full_kings_are_paid_in_hand_1(table)
    assert table.session.hand.abandoned and isinstance(table.recorded[-1].event, EntryInserted)


def test_other_leads_there_while_no_hand_is_played(over):
    page = Page(over)
    assert 'href="/declare?hand=1"' in page.html("/more") and "Carl announced a tout" in page.text("/more")
    over.enter(HandStarted("Anna"))
    assert "/declare" not in page.html("/more") and "Anna announces a tout" in page.text("/more")


def test_a_player_asks_for_that_of_an_earlier_hand(over):
    over.enter(HandStarted("Anna"))
    before = len(over.recorded)
    Page(over, Role.PLAYER, "Bo").sent("/declare?hand=1", "/declarations", player="Bo", kings="full")
    assert len(over.recorded) == before and len(over.desk.asks) == 1
