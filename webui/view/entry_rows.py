"""What people entered, and who did: for the history of a hand, and for the requests to the arbiter."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tracker.by_result import ByResult
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    EntryCorrected,
    EntryInserted,
    Event,
    EventRetracted,
    HandStarted,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    Recorded,
)
from tracker.hand import Hand
from tracker.session import Session
from tracker.undo import goes_back, is_by_hand, standing
from webui.games.page import GamePage
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.table.arbiter_desk import Opening
from webui.table.live import LiveTable
from webui.texts import text, where_text
from webui.view.event_text import event_text
from webui.view.put_right import put_right_href


@dataclass(frozen=True)
class EntryRow:
    """The entry `seq` as it stands: when it was made (local time), by whom, and what it says.

    `waits`: it fits no longer beside the others, and counts again once it does. `goes_back`: undoing the entry also
    takes back what was played since. `href` is the dialog that puts the entry right, "" for none.
    """

    seq: int
    at: str
    who: str
    what: str
    waits: bool
    goes_back: bool
    href: str


@dataclass(frozen=True)
class AskRow:
    """A request to the arbiter: its number, who asks, and what the arbiter is to enter."""

    number: int
    who: str
    what: list[str]


def who_text(by: str) -> str:
    """Who entered something, in words; `by` as in `Recorded`."""
    match by:
        case "" | "/guest":
            return text("somebody")
        case "/host":
            return text("the host")
    return text("phone {number}", number=by[1:]) if by.startswith("/") else by


@dataclass(frozen=True)
class CardPlace:
    """Where a card lies: the numbers of its hand and trick, and who played it."""

    hand: int
    trick: int
    player: str


def place_of(session: Session[Any, Any], seq: int) -> CardPlace | None:
    """Where the card of the play numbered `seq` lies; None where it lies in no trick."""
    return next(
        (
            CardPlace(hand.number, trick.number, play.player)
            for hand in reversed(session.hands)
            for trick in hand.tricks
            for play in trick.plays
            if play.seq == seq
        ),
        None,
    )


def entry_text(sight: Sight, record: Recorded, lang: str) -> str:
    """The entry `record` in a few words, without a card that may not be told now."""
    if sight.tells(record):
        return event_text(record.event, lang, page_of(sight.session))
    match record.event:
        case PlayCorrected():
            return text("A card corrected")
        case PlayRemoved():
            return text("A card removed")
        case PlayInserted():
            return text("A card inserted")
    return text("A card")


def placed_texts(
    sight: Sight, recorded: Sequence[Recorded], records: Iterable[Recorded], lang: str
) -> list[str]:
    """Each entry of `records` in a few words, with the trick and the player of its card, and an earlier hand."""
    return [_placed_text(sight, recorded, record, lang) for record in records]


def _placed_text(sight: Sight, recorded: Sequence[Recorded], record: Recorded, lang: str) -> str:
    said = entry_text(sight, record, lang)
    event = record.event
    about = event.entry if isinstance(event, EntryCorrected | EntryInserted) else event
    if about.lies_with is not None:
        return f"{said} ({text('trick {trick}', trick=about.lies_with)})"
    hand = getattr(event, "hand", None)
    if hand not in (None, len(sight.session.hands)) and not isinstance(event, EntryInserted):
        return f"{said} ({text('hand {hand}', hand=hand)})"
    place = _place(sight.session, recorded, record)
    if place is None:
        return said
    where = where_text(place.trick, place.hand, len(sight.session.hands))
    # The words of a play name the player already.
    named = isinstance(event, CardPlayed) and sight.tells(record)
    return f"{said} ({where})" if named else f"{said} ({where}, {place.player})"


def _place(session: Session[Any, Any], recorded: Sequence[Recorded], record: Recorded) -> CardPlace | None:
    """The place of the card that an entry is about; None if it is about no card."""
    event = record.event
    seq = event.seq if isinstance(event, PlayCorrected | PlayRemoved) else record.seq
    play = recorded[seq - 1].event
    if not isinstance(play, CardPlayed | PlayInserted):
        return None
    if (place := place_of(session, seq)) is not None:
        return place
    # The card lies in no trick, so the place is where it would have lain.
    number = sum(hand.started < seq for hand in session.hands)
    if not number:
        return None
    hand = session.hands[number - 1]
    before = sum(one.seq < seq for one in hand.plays)
    return CardPlace(number, before // len(hand.active) + 1, play.player)


def entry_rows(table: LiveTable, sight: Sight, hand: Hand, lang: str) -> list[EntryRow]:
    """What people entered in `hand` and from then until the next hand, newest first."""
    kept = standing(table.recorded)
    after = next((one.started for one in sight.session.hands[hand.number :]), len(table.recorded) + 1)
    entered = [one for one in reversed(kept) if hand.started <= one.seq < after and is_by_hand(one.event)]
    return [
        EntryRow(
            record.seq,
            time.strftime("%H:%M", time.localtime(record.at)),
            who_text(record.by),
            what,
            record.seq in hand.idle,
            goes_back(record.event),
            _href(sight, hand, record),
        )
        for record, what in zip(entered, placed_texts(sight, table.recorded, entered, lang), strict=True)
    ]


def _href(sight: Sight, hand: Hand, record: Recorded) -> str:
    event = record.event.entry if isinstance(record.event, EntryInserted) else record.event
    if not sight.tells(record):
        return ""
    if isinstance(event, CardPlayed | PlayInserted):
        return f"/plays/{record.seq}"
    if isinstance(event, HandStarted | DealerCorrected):
        start = event.seq if isinstance(event, DealerCorrected) else record.seq
        dealt = [one.number for one in sight.session.hands if one.started == start]
        return f"/hands/{dealt[0]}/dealer" if dealt and not sight.session.closed else ""
    counts = any(seq == record.seq for _, seq in hand.entries)
    if isinstance(event, ByResult):
        return f"{page_of(sight.session).result_href}?hand={hand.number}" if counts else ""
    return put_right_href(page_of(sight.session), event, record.seq) if counts else ""


def still_corrected(
    sight: Sight, recorded: Sequence[Recorded], gone: Iterable[Recorded], lang: str
) -> list[str]:
    """Which corrections of a card by people stand in force though those among `gone` are undone, in words.

    Two who corrected a card alike were both right. When one of them undoes his, the card stays as the other said.
    """
    undone = {one.seq: one.event.seq for one in gone if isinstance(one.event, PlayCorrected)}
    if not undone:
        return []  # each card that is entered asks, and the record of an evening is long
    left: dict[int, Recorded] = {}  # by the number of the play; the last one is in force
    for one in standing(recorded):
        event = one.event
        if isinstance(event, PlayCorrected) and one.seq not in undone and is_by_hand(event):
            left[event.seq] = one
    return [
        text(
            "This stays in force: {what} ({who}).",
            what=entry_text(sight, left[seq], lang),
            who=who_text(left[seq].by),
        )
        for seq in dict.fromkeys(undone.values())
        if seq in left
    ]


def ask_rows(table: LiveTable, lang: str) -> list[AskRow]:
    """The requests that wait for the arbiter, oldest first."""
    if table.session is None:
        return []
    page = page_of(table.session)
    return [
        AskRow(ask.number, who_text(ask.by), [_ask_text(table, page, event, lang) for event in ask.events])
        for ask in table.desk.asks
    ]


def _ask_text(table: LiveTable, page: GamePage, event: Event, lang: str) -> str:
    """An event that is asked for, in words, with the play that it is about."""
    if isinstance(event, EventRetracted):
        return text("Undo: {what}", what=event_text(table.recorded[event.seq - 1].event, lang, page))
    said = event_text(event, lang, page)
    if isinstance(event, PlayInserted):
        said = text(": ").join((event.player, said))
    seq = event.seq if isinstance(event, PlayCorrected | PlayRemoved) else None
    seq = event.before_seq if isinstance(event, PlayInserted) else seq
    place = place_of(table.session, seq or 0) if table.session is not None else None
    if place is not None:
        where = text("hand {hand}, trick {trick}", hand=place.hand, trick=place.trick)
        return f"{said} ({where}, {place.player})"
    return said


def refused_texts(refused: Mapping[str, int]) -> list[str]:
    """Who had how many entries refused in this hand, in words."""
    return [
        text(
            "{count} entries by {who} were refused in this hand. Is somebody trying out cards?",
            count=count,
            who=who_text(by),
        )
        for by, count in refused.items()
    ]


def opening_texts(openings: tuple[Opening, ...], hand: int) -> list[str]:
    """What was opened in the hand with this number, in words."""
    return [
        text("Trick {trick} was opened by {who} to correct it.", trick=one.trick, who=who_text(one.by))
        if one.trick
        else text("A backup was taken in the middle of the hand by {who}.", who=who_text(one.by))
        for one in openings
        if one.hand == hand
    ]
