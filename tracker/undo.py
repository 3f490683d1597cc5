"""Which events still count, which of them people entered, and what an undo takes back."""

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Any, Final

from tracker.events import (
    CardPlayed,
    DealtAgain,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayInserted,
    PlayRemoved,
    PlaysTakenBack,
    Recorded,
    SessionClosed,
    SessionOpened,
    TrickMissed,
    TrickTaken,
    Unwatched,
)
from tracker.record import corrected
from tracker.session import Session

Replay = Callable[[Sequence[Recorded]], Session[Any, Any]]
"""How a record becomes an evening."""
_BETWEEN: Final = (HandStarted, HandAbandoned, PlayerJoined, PlayerLeft, SessionClosed)
_COURSE: Final = (CardPlayed, PlaysTakenBack, *_BETWEEN)
"""The course of play; what lies between two hands makes way for the next."""


def standing(recorded: Iterable[Recorded]) -> list[Recorded]:
    """The events that were not undone."""
    record = list(recorded)
    counting = _counting(record)
    return [one for one in record if one.seq in counting and not isinstance(one.event, EventRetracted)]


def is_by_hand(event: Event) -> bool:
    """Whether a person entered `event`; the camera or the program made the others."""
    match event:
        case (
            CardPlayed() | TrickTaken() | PlaysTakenBack() | PlayCorrected() | PlayRemoved() | HandAbandoned()
        ):
            return event.time_s is None
        case HandStarted():
            return event.dealer is not None and event.time_s is None  # a person names the dealer
        case SessionOpened() | Unwatched():
            return False
        case PlayerRenamed():
            return False  # another new name undoes it
    return True


def goes_back(event: Event) -> bool:
    """Whether undoing `event` goes back to it: what was played since goes too. Anything else is undone alone."""
    return isinstance(event, _COURSE) or (isinstance(event, DealtAgain) and not event.was_late)


def undone_with(recorded: Sequence[Recorded], seq: int, replay: Replay) -> list[Recorded]:
    """What goes when the entry `seq` is undone, newest first. It is empty where the entry cannot be undone.

    With an entry of the play goes all that people entered of the play since. What refers to something that goes, goes
    with it: a correction of a card, the vitamin of a trick, the fine for a flag. Everything else stays.
    """
    entry = next((one for one in recorded if one.seq == seq), None)
    if entry is None or seq not in _counting(recorded) or not _is_entry(recorded, entry):
        return []
    gone = {seq}
    if goes_back(entry.event):
        gone = _play_since(recorded, seq)
        if seq not in gone:
            return []
    before = replay(recorded)
    while more := _referring(recorded, gone, before, replay) - gone:
        gone |= more
    return [one for one in reversed(recorded) if one.seq in gone]


def without(recorded: Sequence[Recorded], gone: Iterable[int]) -> list[Recorded]:
    """`recorded` as it is once the events numbered `gone` are undone."""
    following = recorded[-1].seq + 1
    undoing = [EventRetracted(seq) for seq in sorted(gone, reverse=True)]
    return [*recorded, *(Recorded(following + at, event) for at, event in enumerate(undoing))]


def _counting(recorded: Sequence[Recorded]) -> set[int]:
    """The numbers of the events that were not undone, undoings among them."""
    undone: set[int] = set()
    # Newest first: an undo may itself be undone, by a later one.
    for record in reversed(recorded):
        if isinstance(record.event, EventRetracted) and record.seq not in undone:
            undone.add(record.event.seq)
    return {record.seq for record in recorded} - undone


def _is_entry(recorded: Sequence[Recorded], record: Recorded) -> bool:
    """Whether a person entered it: dismissing what the camera saw is an entry, an undo is none."""
    if isinstance(record.event, EventRetracted):
        event = recorded[record.event.seq - 1].event
        return not isinstance(event, EventRetracted) and not is_by_hand(event)
    return is_by_hand(record.event)


def _play_since(recorded: Sequence[Recorded], seq: int) -> set[int]:
    """The numbers of what people entered of the play from `seq` on, and of the hands that are empty without it.

    A hand that the camera started, or saw cards in, stays, and so does what made way for it.
    """
    kept = [one for one in standing(recorded) if is_by_hand(one.event) and goes_back(one.event)]
    starts = {one.seq: one.event for one in standing(recorded) if isinstance(one.event, HandStarted)}
    gone = {one.seq for one in kept if one.seq >= seq and not isinstance(one.event, _BETWEEN)}
    plays: dict[int, int] = {}  # by the number of the start of their hand
    hand = 0
    for number, event in corrected(without(recorded, gone))[0]:
        if number in starts:
            hand = number
        plays[hand] = plays.get(hand, 0) + isinstance(event, CardPlayed)
        if isinstance(event, PlaysTakenBack):
            plays[hand] -= event.count
    begun = max(
        (start for start, event in starts.items() if plays.get(start) or not is_by_hand(event)), default=0
    )
    return gone | {one.seq for one in kept if one.seq >= seq and one.seq > begun}


def _referring(
    recorded: Sequence[Recorded], gone: Set[int], before: Session[Any, Any], replay: Replay
) -> set[int]:
    """The numbers of what refers to the events numbered `gone`, and can no longer stand."""
    after = replay(without(recorded, gone))
    alerts = {alert.seq for alert in after.alerts} - {alert.seq for alert in before.alerts}
    found = _of_hands(recorded, gone) | _taking_back(before, gone)
    for record in standing(recorded):
        event = record.event
        cannot_be = record.seq in alerts and (event.corrects or event.of_hand)
        if cannot_be and not isinstance(event, CardPlayed | Unwatched):
            found.add(record.seq)
        if isinstance(event, PlayInserted | TrickMissed) and event.before_seq in gone:
            found.add(record.seq)
    return found | (_flags_fined(before) - _flags_fined(after))


def _of_hands(recorded: Sequence[Recorded], gone: Set[int]) -> set[int]:
    """What belongs to a hand whose start goes: all but chips that moved, and fines for a hand before."""
    found, number, goes = set(), 0, False
    for record in standing(recorded):
        event = record.event
        if isinstance(event, HandStarted):
            number += 1
            goes = record.seq in gone
        elif goes and event.of_hand:
            about = getattr(event, "hand", 0)  # chips that are moved are about no hand
            if not event.moves_chips or about is None or about >= number:
                found.add(record.seq)
    return found


def _taking_back(session: Session[Any, Any], gone: Set[int]) -> set[int]:
    """The numbers of the events by which one of the plays `gone` was taken back."""
    found = set()
    uncounted = {alert.seq for alert in session.alerts}
    plays: list[int] = []
    for seq, event in session.standing:
        if isinstance(event, HandStarted):
            plays = []
        elif isinstance(event, CardPlayed) and seq not in uncounted:
            plays.append(seq)
        elif isinstance(event, PlaysTakenBack):
            taken_back = event.plays or tuple(plays[-event.count :])
            if gone & set(taken_back):
                found.add(seq)
            plays = [play for play in plays if play not in taken_back]
    return found


def _flags_fined(session: Session[Any, Any]) -> set[int]:
    """The numbers of the fines, and of what let pass, whose finding stands."""
    return {
        seq
        for hand in session.hands
        for seq, fine in hand.fines.items()
        if fine.finding and any(one.name == fine.finding for one in hand.findings)
    }


def last_entry(recorded: Sequence[Recorded]) -> Recorded | None:
    """What an undo takes back: the newest entry of a person that still counts. None if there is none.

    `recorded` is numbered from 1 without gaps. Dismissing what the camera saw is an entry; an undo is none. The
    start of a hand can be undone until a card is played. After that it is skipped, and so is what made way for it:
    a hand abandoned, a player who joined or left.
    """
    counting = _counting(recorded)
    played = taken_back = 0
    begun = False
    for record in reversed(recorded):
        event = record.event
        if record.seq not in counting:
            continue
        if isinstance(event, PlaysTakenBack):
            taken_back += event.count
        elif isinstance(event, CardPlayed):
            played += 1
        elif isinstance(event, HandStarted) and (played > taken_back or not is_by_hand(event)):
            begun = True
            continue
        elif isinstance(event, HandAbandoned | PlayerJoined | PlayerLeft) and begun:
            continue
        if _is_entry(recorded, record):
            return record
    return None
