"""Which events still count, which of them people entered, and which one an undo takes back."""

from collections.abc import Iterable, Sequence

from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayerJoined,
    PlayerLeft,
    PlayRemoved,
    PlaysTakenBack,
    Recorded,
    SessionOpened,
    TrickTaken,
    Unwatched,
)


def standing(recorded: Iterable[Recorded]) -> list[Recorded]:
    """The events that were not undone."""
    undone: set[int] = set()
    kept = []
    # Newest first: an undo may itself be undone, by a later one.
    for record in reversed(list(recorded)):
        if record.seq in undone:
            continue
        if isinstance(record.event, EventRetracted):
            undone.add(record.event.seq)
        else:
            kept.append(record)
    return kept[::-1]


def is_by_hand(event: Event) -> bool:
    """Whether a person entered `event`; the camera or the program made the others."""
    match event:
        case CardPlayed() | TrickTaken() | PlaysTakenBack() | PlayCorrected() | PlayRemoved():
            return event.time_s is None
        case HandStarted(dealer=None):
            return False  # a person names the dealer
        case SessionOpened() | Unwatched():
            return False
    return True


def entries_to(recorded: Sequence[Recorded], seq: int) -> list[Recorded]:
    """What is undone to go back before the entry `seq`, newest first; nothing where undoing does not get there."""
    record = list(recorded)
    undone: list[Recorded] = []
    while (last := last_entry(record)) is not None and last.seq >= seq:
        undone.append(last)
        if last.seq == seq:
            return undone
        record.append(Recorded(record[-1].seq + 1, EventRetracted(last.seq)))
    return []


def last_entry(recorded: Sequence[Recorded]) -> Recorded | None:
    """What an undo takes back: the newest entry of a person that still counts. None if there is none.

    `recorded` is numbered from 1 without gaps. Dismissing what the camera saw is an entry; an undo is none. The
    start of a hand can be undone until a card is played. After that it is skipped, and so is what made way for it:
    a hand abandoned, a player who joined or left.
    """
    undone: set[int] = set()
    played = taken_back = 0
    begun = False
    for record in reversed(recorded):
        event = record.event
        if record.seq in undone:
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
        if isinstance(event, EventRetracted):
            undone.add(event.seq)
            event = recorded[event.seq - 1].event
            if not isinstance(event, EventRetracted) and not is_by_hand(event):
                return record
        elif is_by_hand(event):
            return record
    return None
