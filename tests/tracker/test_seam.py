"""A new kind of event in one place."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import pytest

from tracker.danish.audit import audit as danish_audit
from tracker.danish.events import EVENTS
from tracker.danish.session import DanishSession
from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandStarted,
    Kinds,
    PlaysTakenBack,
    SessionOpened,
)
from tracker.games import DANISH, GAMES
from tracker.reader import Reader, SessionFileError
from tracker.session_file import export, loads
from tracker.store import EventStore

# -- a new kind of event -------------------------------------------------------------------------------------

KINDS = Kinds(EVENTS)


@KINDS.add
@dataclass(frozen=True, slots=True)
class TipGiven(Event):
    """A player tips the house through the pagat pot; invented here, and nowhere else known."""

    player: str
    amount: int = 5
    hand: int | None = None

    key = "tip"
    keys = ("amount", "hand")
    of_hand = True

    @classmethod
    def from_json(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        hand = item["hand"].number() if "hand" in item else None
        return cls(item["tip"].player(seats), item["amount"].number(), hand)

    def to_json(self) -> dict[str, Any]:
        where = {} if self.hand is None else {"hand": self.hand}
        return {"tip": self.player, "amount": self.amount} | where

    def apply(self, session: DanishSession, seq: int) -> None:
        session.now.pay("TIP", "adjustment", self.player, "pagat", self.amount)


@KINDS.add
@dataclass(frozen=True, slots=True)
class LampWentOut(Event):
    """Live only: a session file does not have it."""

    of_hand = True

    def apply(self, session: DanishSession, seq: int) -> None:
        session.hands[-1].note_gap(seq)


class Evening(DanishSession):
    kinds = KINDS


OPENED = SessionOpened("pagat-2024", seats=("Anna", "Bo", "Carl"))
TOLD = (
    HandStarted("Carl"),
    CardPlayed("Anna", "SR"),
    TipGiven("Bo", 15),
    LampWentOut(),
    CardPlayed("Bo", "S1"),
    PlaysTakenBack(1),
    CardPlayed("Bo", "S2"),
)


def tips(session: DanishSession) -> list[tuple[str, int]]:
    return [(payment.source, payment.amount) for payment in session.payments if payment.rule == "TIP"]


def test_a_new_kind_of_event_goes_through_record_json_and_session_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, DANISH.name, replace(DANISH, session=Evening))
    live = Evening(OPENED)
    for event in TOLD:
        live.apply(event)
    assert not live.alerts and live.hands[0].gaps
    assert tips(live) == [("Bo", 15)]  # also after the hand was replayed for the card that was taken back

    store = EventStore(tmp_path / "evening.sqlite3")
    store.open_session(OPENED)
    for event in TOLD:
        store.append(event)
    stored = EventStore(tmp_path / "evening.sqlite3").events()
    assert [item.event for item in stored] == [OPENED, *TOLD]
    assert danish_audit(Evening.replay(stored)) == danish_audit(live)

    written = export(stored, Evening)
    assert written["hands"][0]["events"] == [
        {"play": "Anna", "card": "SR"},
        {"tip": "Bo", "amount": 15},
        {"play": "Bo", "card": "S2"},
    ]
    again = loads(json.dumps(written), Evening).session()
    assert danish_audit(again) == danish_audit(live)

    live.apply(EventRetracted(4))
    assert tips(live) == []
    assert live.balances == DanishSession.replay(Evening.replay(live.record).record[:3]).balances


def test_an_event_that_names_the_hand_in_which_it_stands_is_written_without() -> None:
    record = [
        OPENED,
        HandStarted("Carl"),
        TipGiven("Bo", 5, hand=1),
        HandStarted("Anna"),
        TipGiven("Bo", 5, hand=1),
    ]
    events = [hand["events"] for hand in export(record, Evening)["hands"]]
    assert events == [[{"tip": "Bo", "amount": 5}], [{"tip": "Bo", "amount": 5, "hand": 1}]]


def test_a_kind_is_known_where_it_was_added_and_nowhere_else() -> None:
    assert "TipGiven" in KINDS.by_name and "TipGiven" not in EVENTS.by_name
    game = {"format": "tarok-session/1", "rules": "pagat-2024", "seats": ["Anna", "Bo", "Carl"]}
    game |= {"hands": [{"events": [{"tip": "Bo", "amount": 5}]}]}
    assert tips(loads(json.dumps(game), Evening).session()) == [("Bo", 5)]
    with pytest.raises(SessionFileError, match="unknown event with the keys 'tip', 'amount'"):
        loads(json.dumps(game), DanishSession)
