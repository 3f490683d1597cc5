"""The live table: what was acknowledged stays, what cannot be is refused, what is doubtful is asked."""

import threading
from dataclasses import replace

import pytest
from webui_camera import FRAME, seen
from webui_deals import OPENED, SIDES, hand
from webui_page import view_of

from tracker.danish.events import Declared, Fined
from tracker.errors import TarokError
from tracker.events import CardPlayed, HandAbandoned, HandStarted, PlayCorrected, SessionClosed
from tracker.store import EventStore, StoreError
from webui.table.live import RefusedError


def test_an_event_is_on_disk_before_the_page_hears_of_it(table):
    heard = []

    def listen():
        table.changes.wait(table.changes.version, 5.0)
        heard.append(len(EventStore(table.path).events()))

    listener = threading.Thread(target=listen)
    listener.start()
    table.enter(HandStarted("Anna"))
    listener.join()
    assert heard == [2]


@pytest.mark.parametrize(
    "event",
    [CardPlayed("Bo", "S7"), Declared("Dora"), HandStarted("Dora"), PlayCorrected(99, card="S7")],
    ids=["a card without a hand", "nobody of that name", "an unknown dealer", "a correction of nothing"],
)
def test_an_entry_that_cannot_be_is_refused_and_stores_nothing(table, event):
    with pytest.raises(RefusedError):
        table.enter(event)
    assert len(EventStore(table.path).events()) == 1


def test_of_two_entries_together_both_or_none_are_taken(table):
    with pytest.raises(RefusedError):
        table.enter(HandStarted("Anna"), CardPlayed("Dora", "S7"))
    assert len(EventStore(table.path).events()) == 1


def test_of_entries_together_none_is_taken_when_the_disk_is_full_in_between(table):
    database = table._store._database
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreError, match="full"):
        table.enter(*hand(3))  # room for some of it
    assert len(table.recorded) == len(EventStore(table.path).events()) == 1
    assert table.session.hand is None


def test_a_second_evening_is_refused_until_the_first_is_settled(table):
    with pytest.raises(TarokError):
        table.open_evening(OPENED, SIDES)
    table.enter(SessionClosed())
    table.open_evening(OPENED, SIDES)
    assert table.session.hands == []


def test_a_doubtful_play_is_booked_and_asked_about_till_it_is_answered(table):
    table.enter(HandStarted("Anna"))
    table.saw(seen(CardPlayed("Bo", "H6", alternatives=("H9", "D9"), time_s=2.0)))
    (question,) = view_of(table, "da").questions
    assert [answer[0] for answer in question.answers] == ["H6", "H9", "D9"]
    table.enter(PlayCorrected(question.seq, card="H9"))
    assert view_of(table, "da").questions == []
    assert [play.card for play in table.session.hand.plays] == ["H9"]


def test_a_second_card_from_one_player_is_asked_about_and_not_counted(table):
    table.enter(HandStarted("Anna"))
    table.saw(seen(CardPlayed("Bo", "H6", time_s=2.0), CardPlayed("Bo", "H7", time_s=3.0)))
    (alert,) = view_of(table, "en").alerts
    assert "already has a card" in alert.text
    assert [play.card for play in table.session.hand.plays] == ["H6"]
    table.enter(PlayCorrected(alert.seq, player="Carl"))
    assert view_of(table, "en").alerts == []
    assert [play.player for play in table.session.hand.plays] == ["Bo", "Carl"]


def test_the_first_card_a_camera_sees_starts_the_hand(table):
    table.saw(seen(CardPlayed("Bo", "H6", time_s=2.0)))
    assert table.session.hand.dealer == "Anna"
    assert table.session.hand.to_play == "Carl"


def test_the_cards_of_a_hand_just_over_are_no_new_hand(table):
    table.enter(*hand(3))
    assert table.session.hand.complete
    assert table.expectation().active == ()


@pytest.mark.parametrize("later_s", [-60, 3600], ids=["as it is", "the clock was put back an hour"])
def test_what_people_enter_between_two_hands_delays_the_next_ones_first_card_not(table, later_s):
    table.enter(*hand(3))
    table.evening.recorded = [record._replace(at=record.at + later_s) for record in table.recorded]
    assert table.expectation().to_play == "Carl"
    table.enter(Fined("Anna", "minor"))
    assert table.expectation().to_play == "Carl"


def test_an_abandoned_hands_cards_are_gathered_before_the_next_hand(table):
    table.enter(HandStarted("Anna"), CardPlayed("Bo", "S7"))
    table.evening.recorded = [record._replace(at=record.at - 60) for record in table.recorded]
    table.enter(HandAbandoned())
    assert table.expectation() is None


def test_the_camera_picture_is_drawn_from_the_newest_frame(table):
    assert table.camera.picture() is None
    table.saw(seen())
    first = table.camera.picture()
    assert first is not None and first[:2] == b"\xff\xd8"
    table.saw(replace(seen(), frame=FRAME + 90))
    assert table.camera.picture() != first


def test_what_cannot_be_saved_is_said_and_not_shown(table):
    table._store.close()
    table.saw(seen(CardPlayed("Bo", "H6", time_s=2.0)))
    assert table.session.hand is None
    assert table.camera.status.problem == "problem_disk"


def test_nobody_is_flagged_because_a_card_before_was_given_to_the_wrong_player(table):
    table.enter(HandStarted("Carl"), CardPlayed("Anna", "S7"))
    # Bo's card, taken for a second one of Anna's, so that Carl seems to play before his turn.
    table.saw(seen(CardPlayed("Anna", "S8", time_s=1.0), CardPlayed("Carl", "S3", time_s=2.0)))
    (alert,) = table.session.alerts
    (row,) = view_of(table, "en").open_findings
    assert "cannot have happened" in row.unsure and not row.fine_href
    assert not any(play.flag for play in view_of(table, "en").felt.trick)
    table.enter(PlayCorrected(alert.seq, player="Bo"))
    assert view_of(table, "en").open_findings == []


def test_nobody_is_flagged_by_a_doubtful_reading(playing):
    (finding,) = playing.session.hand.findings
    (row,) = view_of(playing, "en").open_findings
    assert row.unsure == "" and row.fine_href
    shown = next(p for p in playing.session.hand.plays if p.card == finding.evidence[0])
    doubtful = CardPlayed(shown.player, shown.card, alternatives=("F",), time_s=1.0)
    # The same hand, but the card that shows the revoke was read with doubt.
    again = [r.event for r in playing.recorded[1:]]
    again = [doubtful if isinstance(e, CardPlayed) and e.card == shown.card else e for e in again]
    playing.enter(SessionClosed())
    playing.open_evening(OPENED, SIDES)
    playing.enter(*again)
    (row,) = view_of(playing, "en").open_findings
    assert row.unsure and not row.fine_href and not row.proposal
    seq = next(p.seq for p in playing.session.hand.plays if p.card == shown.card)
    playing.enter(PlayCorrected(seq, card=shown.card))
    (row,) = view_of(playing, "en").open_findings
    assert row.fine_href
