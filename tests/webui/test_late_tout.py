"""A tout that was announced and not entered before the first card: it is entered late, and counts from its place."""

from pathlib import Path

import pytest
from webui_deals import SEATS, hand, plays
from webui_page import Page, view_of
from webui_table import open_table

from tracker.cards import CARDS
from tracker.danish.events import SkatShown, ToutAnnounced
from tracker.events import CardPlayed, Event, HandAbandoned, HandStarted, SessionClosed, SessionOpened
from tracker.session_file import export
from webui.people.roles import Role
from webui.table.live import LiveTable

P24 = SessionOpened("pagat-2024", (), SEATS)
FLAG = "Carl laid the fool in the skat"
ASKED = "If Carl announced a tout and nobody entered it, enter it now: then the fool may lie there."


def with_the_fool_laid() -> list[Event]:
    """A hand dealt by Carl in which the fool was never played: he laid it, and announced a tout that nobody entered."""
    events = hand(3, "Carl")
    played = [one for one in events if isinstance(one, CardPlayed)]
    at = next(place for place, one in enumerate(played) if one.card == "F")
    led = played[at - at % 3].card[0]
    laid = [card for card in CARDS if card not in {one.card for one in played} and card[0] != led]
    played[at] = CardPlayed(played[at].player, laid[0])
    return [events[0], *played]


@pytest.fixture
def late(tmp_path: Path) -> LiveTable:
    """The hand is over, and Carl is flagged."""
    table = open_table(tmp_path, P24, *with_the_fool_laid(), fair_play=False)
    assert [one.kind for one in table.session.hand.findings if one.kind == "fool_discarded"]
    return table


def is_in_its_place(table: LiveTable) -> None:
    """The tout of the first hand counts from before its first card: he is flagged for nothing and paid for failing."""
    one, session = table.session.hands[0], table.session
    kinds = [type(event) for event, _ in one.entries]
    assert kinds.index(ToutAnnounced) < kinds.index(CardPlayed) and one.tout_announced == "Carl"
    assert "fool_discarded" not in {finding.kind for finding in one.findings}
    failed = [paid.amount for paid in one.payments if paid.reason == "failed_tout"]
    assert failed == [85, 85] and not session.alerts
    assert sum(session.balances.values()) + sum(session.ledger.pots.values()) == 0
    (file, *_) = export(table.recorded, type(session))["hands"]
    assert file["events"][0] == {"announce_tout": "Carl"}


def test_the_flag_says_what_may_not_have_been_entered_and_one_tap_leads_there(late):
    page = Page(late)
    assert FLAG in page.text("/hands/1") and ASKED in page.text("/hands/1")
    assert 'href="/tout?hand=1"' in page.html("/hands/1")
    dialog = page.text("/tout?hand=1")
    assert (
        "The tout counts from before the first card" in dialog
        and "If Carl laid the fool and the tout failed" in dialog
    )
    told = page.sent("/tout?hand=1", "/tout")["message"]
    assert told.startswith("Carl melder tout. ") and "Carl meldte tout, tabte den" in told
    is_in_its_place(late)
    assert FLAG not in page.text("/hands/1") and "/tout?hand=1" not in page.html("/hands/1")


def test_it_is_entered_while_the_hand_is_played(tmp_path):
    started, *rest = with_the_fool_laid()
    table = open_table(tmp_path, P24, started, *rest[:5], fair_play=False)
    player = Page(table, Role.PLAYER, "Bo")
    assert 'href="/tout?hand=1"' in player.html("/more")
    player.sent("/tout?hand=1", "/tout")
    assert view_of(table, "en").felt.banners == ["Carl announced a tout"]
    assert "/tout" not in player.html("/more")
    table.enter(*rest[5:])
    is_in_its_place(table)


def test_it_is_entered_in_a_hand_before(late):
    late.enter(HandStarted("Anna"), *plays("Bo:S7"))
    page = Page(late)
    assert "If Carl announced a tout" in page.text("/hands/1")
    page.sent("/tout?hand=1", "/tout")
    is_in_its_place(late)
    assert [play.card for play in late.session.hand.plays] == ["S7"]


def test_a_player_asks_the_arbiter_for_it_in_a_hand_before(late):
    late.enter(HandStarted("Anna"))
    before = late.session.balances
    told = Page(late, Role.PLAYER, "Bo").sent("/tout?hand=1", "/tout")["message"]
    assert told == "Dommeren er bedt om at skrive det." and late.session.balances == before
    host = Page(late)
    assert "Entered late in hand 1: Carl announces a tout" in host.text("/")
    assert host.post("/asked/1/confirm")[0] == 200
    is_in_its_place(late)


def test_it_is_entered_in_a_hand_that_was_broken_off(tmp_path):
    started, *rest = with_the_fool_laid()
    table = open_table(tmp_path, P24, started, *rest[:6], SkatShown(("F", "S1", "S2")), HandAbandoned())
    page = Page(table)
    assert FLAG in page.text("/hands/1")
    page.sent("/tout?hand=1", "/tout")
    assert FLAG not in page.text("/hands/1") and table.session.hand.abandoned
    assert table.session.hand.tout_announced == "Carl" and not table.session.alerts


def test_two_phones_enter_it_once(late):
    first, second = Page(late, Role.PLAYER, "Bo"), Page(late, Role.PLAYER, "Anna")
    fields = second.filled_in("/tout?hand=1", "/tout")
    first.sent("/tout?hand=1", "/tout")
    status, said = second.post("/tout", **fields)
    assert status == 409 and "Der er sket noget ved bordet" in said
    assert sum(isinstance(one.event, ToutAnnounced) for one in late.recorded) == 1


def test_a_settled_evening_offers_nothing(late):
    late.enter(SessionClosed())
    assert "/tout" not in Page(late).html("/hands/1") and "/tout" not in Page(late).html("/more")


def test_where_the_fool_may_never_be_laid_a_tout_excuses_nothing(tmp_path):
    opened = SessionOpened("dtf-2011", (), SEATS)
    page = Page(open_table(tmp_path, opened, *with_the_fool_laid(), fair_play=False))
    assert FLAG in page.text("/hands/1") and "If Carl announced" not in page.text("/hands/1")


@pytest.mark.parametrize("path", ["/tout?hand=", "/declare?right="])
def test_a_number_of_any_length_is_refused_in_a_sentence(late: LiveTable, path: str) -> None:
    assert "does not fit here: a whole number from" in Page(late).html(path + "9" * 5000, 400)
