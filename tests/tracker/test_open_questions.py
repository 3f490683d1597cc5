"""What still wants an answer, and what an undo takes back, told from the record alone."""

import pytest
from tracker_live import numbered

from tracker.danish.events import Fined
from tracker.danish.session import DanishSession
from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    Recorded,
    SessionClosed,
    SessionOpened,
    TrickTaken,
    Unwatched,
)
from tracker.open_questions import Unanswered, open_alerts, unanswered
from tracker.undo import last_entry, standing

OPENED = SessionOpened("dtf-2011", (), ("Anna", "Bo", "Carl"))
DEALT = HandStarted("Carl")
SEEN = (CardPlayed("Anna", "S7", time_s=1.0), CardPlayed("Bo", "S2", time_s=2.0))
BY_HAND = CardPlayed("Carl", "S3")
OUT_OF_TURN = CardPlayed("Bo", "H10")


def record(*events: Event) -> list[Recorded]:
    return numbered(OPENED, *events)


def session(*events: Event) -> DanishSession:
    return DanishSession.replay(record(*events))


@pytest.mark.parametrize(
    ("events", "seq"),
    [
        pytest.param((), None, id="nothing"),
        pytest.param((DEALT,), 2, id="a hand started"),
        pytest.param((DEALT, *SEEN), None, id="a hand that is played is no entry any more"),
        pytest.param((HandStarted(), *SEEN), None, id="the camera's own start"),
        pytest.param((DEALT, *SEEN, BY_HAND), 5, id="a card by hand"),
        pytest.param((DEALT, *SEEN, BY_HAND, EventRetracted(5)), None, id="an undo is no entry"),
        pytest.param((DEALT, *SEEN, BY_HAND, EventRetracted(5), EventRetracted(6)), 5, id="an undo undone"),
        pytest.param(
            (DEALT, *SEEN, PlayCorrected(3, card="S8", time_s=3.0)), None, id="a correction of the camera"
        ),
        pytest.param((DEALT, *SEEN, PlayCorrected(3, card="S8")), 5, id="a correction by hand"),
        pytest.param((DEALT, *SEEN, Unwatched(), EventRetracted(5)), 6, id="a time unwatched dismissed"),
        pytest.param((DEALT, *SEEN, HandAbandoned()), 5, id="a hand abandoned"),
        pytest.param((DEALT, *SEEN, HandAbandoned(), HandStarted("Anna")), 6, id="the next hand"),
        pytest.param(
            (DEALT, *SEEN, HandAbandoned(), HandStarted("Anna"), CardPlayed("Bo", "S4", time_s=9.0)),
            None,
            id="what made way for a hand that is played",
        ),
    ],
)
def test_an_undo_takes_back_the_last_entry_of_a_person(events: tuple[Event, ...], seq: int | None) -> None:
    last = last_entry(record(*events))
    assert (last.seq if last else None) == seq


def test_what_stands_is_what_was_not_undone() -> None:
    events = record(DEALT, *SEEN, BY_HAND, EventRetracted(5), EventRetracted(6), EventRetracted(4))
    assert [one.seq for one in standing(events)] == [1, 2, 3, 5]


def test_doubtful_plays_gaps_and_alerts_are_questions() -> None:
    doubtful = CardPlayed("Carl", "S3", alternatives=("S5",), time_s=3.0)
    assert unanswered(session(DEALT, *SEEN, doubtful)).questions == 1
    assert unanswered(session(DEALT, *SEEN, Unwatched())).questions == 1
    assert unanswered(session(DEALT, *SEEN, CardPlayed("Bo", "S9", time_s=3.0))).questions == 1
    assert unanswered(session(DEALT, *SEEN, doubtful, PlayCorrected(5, card="S5"))).questions == 0


def test_who_took_a_trick_is_not_asked_while_a_card_of_it_is_doubtful() -> None:
    doubtful = CardPlayed("Carl", "S3", alternatives=("SV",), time_s=3.0)
    asked = session(DEALT, *SEEN, doubtful, TrickTaken("Carl", time_s=4.0))
    assert len(asked.alerts) == 1 and open_alerts(asked) == []
    answered = session(DEALT, *SEEN, doubtful, TrickTaken("Carl", time_s=4.0), PlayCorrected(5, card="S3"))
    assert open_alerts(answered) == answered.alerts != []


def test_a_flag_is_open_until_it_is_fined_or_let_pass_or_the_evening_is_settled() -> None:
    played = (DEALT, *SEEN, BY_HAND, OUT_OF_TURN)
    flagged = session(*played)
    assert unanswered(flagged) == Unanswered(0, {1: [0]})
    name = flagged.hand.findings[0].name
    for category in (flagged.hand.findings[0].category, "superficial"):
        assert unanswered(session(*played, Fined("Bo", category, "", (), 1, name))).flags == {}
    assert unanswered(session(*played, SessionClosed())).flags == {}
