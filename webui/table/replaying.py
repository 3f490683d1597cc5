"""Folding a record into its game. An event at which the program fails is left out, so that no fault ends an evening."""

from collections.abc import Sequence
from time import thread_time
from typing import Any

from tracker.errors import TarokError
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    EntryCorrected,
    EventRetracted,
    PlayCorrected,
    PlayInserted,
    Recorded,
    SessionOpened,
)
from tracker.findings import Alert
from tracker.games import game_of_rules
from tracker.record import corrected
from tracker.renaming import named_now
from tracker.session import Session

_MOST_FAULTS = 20
FAULT = "fault"
"""The kind of an alert about an event at which the program failed."""


def fold(
    recorded: Sequence[Recorded], since: Session[Any, Any] | None = None
) -> tuple[Session[Any, Any], dict[int, Exception]]:
    """The game of `recorded`, and what went wrong with each event left out, by its number.

    `since` is the game of an earlier record: what was settled in it is not folded again if it still stands.

    The session has an alert of the kind FAULT for each of these events; undoing or correcting the event settles it. An
    event that cannot have happened is no fault: the game itself makes an alert of it.

    Raises TarokError when the record does not begin with a valid SessionOpened.
    """
    recorded, game = named_now(recorded), _game_of(recorded)
    game.replay(recorded[:1])
    left_out: dict[int, Exception] = {}
    while True:
        good = [record for record in recorded if record.seq not in left_out]
        try:
            session = game.replay(good, since)
        except Exception as fault:  # noqa: BLE001 - a fault of the game's own may be of any kind
            left_out[_faulty(good)] = fault
        else:
            session.alerts += [_alert(record) for record in recorded if record.seq in left_out]
            return session, left_out


def is_replayed_within(recorded: Sequence[Recorded], seconds: float) -> bool:
    """Whether folding `recorded` takes at most so many `seconds` of the processor. Raises TarokError as `fold` does."""
    until_s = thread_time() + seconds
    recorded = named_now(recorded)
    session = _game_of(recorded).replay(recorded[:1])
    faults = 0
    for seq, event in corrected(recorded)[0]:
        if thread_time() > until_s or faults > _MOST_FAULTS:
            return False
        try:
            session.apply(event, seq)
        except Exception:  # noqa: BLE001 - a fault of the game's own may be of any kind; each is one more fold
            faults += 1
    return True


def _game_of(recorded: Sequence[Recorded]) -> type[Session[Any, Any]]:
    """The game that the record's rules name. Raises TarokError if the record does not begin with rules."""
    opened = recorded[0].event if recorded else None
    if not isinstance(opened, SessionOpened):
        raise TarokError("the record does not begin with the opening of an evening")
    return game_of_rules(opened.rules).session


def _faulty(recorded: Sequence[Recorded]) -> int:
    """The number of the first event at which the game fails; that of the last if it fails only at the end."""
    session = _game_of(recorded).replay(recorded[:1])
    at = recorded[-1].seq
    try:
        for at, event in corrected(recorded)[0]:
            session.apply(event, at)
    except Exception:  # noqa: BLE001 - as above
        undone = {record.event.seq for record in recorded if isinstance(record.event, EventRetracted)}
        for record in reversed(recorded):
            event = record.event
            # If a correction made the event what it is, the correction is left out.
            if (
                isinstance(event, PlayCorrected | DealerCorrected | EntryCorrected)
                and event.seq == at
                and record.seq not in undone
            ):
                return record.seq
        return at
    return recorded[-1].seq


def _alert(record: Recorded) -> Alert:
    play = record.event if isinstance(record.event, CardPlayed | PlayInserted) else None
    return Alert(FAULT, record.seq, play.player if play else None, play.card if play else None)
