"""Folding a record into its game, without the events that the program fails at: no fault stops an evening."""

from collections.abc import Sequence

from tracker.danish.session import DanishSession
from tracker.events import CardPlayed, DealerCorrected, EventRetracted, PlayCorrected, PlayInserted, Recorded
from tracker.findings import Alert
from tracker.record import corrected

FAULT = "fault"
"""The kind of alert about an event that the program failed at."""


def fold(recorded: Sequence[Recorded]) -> tuple[DanishSession, dict[int, Exception]]:
    """The game of `recorded`, and what went wrong with each event left out, by its number.

    The session has an alert of the kind FAULT for each of these; undoing or correcting the event settles it. An
    event that cannot have happened is no fault: the game makes an alert of it by itself. Raises TarokError when
    the record does not begin with a valid SessionOpened.
    """
    DanishSession.replay(recorded[:1])
    left_out: dict[int, Exception] = {}
    while True:
        good = [record for record in recorded if record.seq not in left_out]
        try:
            session = DanishSession.replay(good)
        except Exception as fault:  # noqa: BLE001 - a fault of the game's own may be of any kind
            left_out[_faulty(good)] = fault
        else:
            session.alerts += [_alert(record) for record in recorded if record.seq in left_out]
            return session, left_out


def _faulty(recorded: Sequence[Recorded]) -> int:
    """The number of the first event at which the game fails; the last one, if it fails only as a whole."""
    session = DanishSession.replay(recorded[:1])
    at = recorded[-1].seq
    try:
        for at, event in corrected(recorded)[0]:
            session.apply(event, at)
    except Exception:  # noqa: BLE001 - as above
        undone = {record.event.seq for record in recorded if isinstance(record.event, EventRetracted)}
        for record in reversed(recorded):
            event = record.event
            # If a correction made it what it is, that is the one to leave out.
            if (
                isinstance(event, PlayCorrected | DealerCorrected)
                and event.seq == at
                and record.seq not in undone
            ):
                return record.seq
        return at
    return recorded[-1].seq


def _alert(record: Recorded) -> Alert:
    play = record.event if isinstance(record.event, CardPlayed | PlayInserted) else None
    return Alert(FAULT, record.seq, play.player if play else None, play.card if play else None)
