"""What people entered, and who: for the history of a hand, and for what waits for the arbiter."""

import time
from dataclasses import dataclass

from tracker.events import (
    CardPlayed,
    Event,
    EventRetracted,
    HandStarted,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    Recorded,
)
from tracker.hand import Hand
from tracker.undo import is_by_hand, standing
from webui.games.page import GamePage
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.table.arbiter_desk import Opening
from webui.table.live import LiveTable
from webui.texts import text
from webui.view.event_text import event_text


@dataclass(frozen=True)
class EntryRow:
    """The entry `seq` that stands: when it was made (local time), by whom, and what it says."""

    seq: int
    at: str
    who: str
    what: str


@dataclass(frozen=True)
class AskRow:
    """What the arbiter is asked to enter."""

    number: int
    who: str
    what: list[str]


def who_text(by: str) -> str:
    """Who entered something, from `Recorded.by`."""
    match by:
        case "" | "/guest":
            return text("somebody")
        case "/host":
            return text("the host")
    return text("phone {number}", number=by[1:]) if by.startswith("/") else by


def entry_text(sight: Sight, record: Recorded, lang: str) -> str:
    """The entry `record` in a few words, without a card that is not to be told now."""
    if not sight.tells(record):
        return text("A card of an earlier trick")
    return event_text(record.event, lang, page_of(sight.session))


def entry_rows(table: LiveTable, sight: Sight, hand: Hand, lang: str) -> list[EntryRow]:
    """What people entered in `hand`, and after it until the next, newest first."""
    kept = standing(table.recorded)
    starts = [record.seq for record in kept if isinstance(record.event, HandStarted)][hand.number - 1 :]
    first, after = (starts + [len(table.recorded) + 1] * 2)[:2]
    return [
        EntryRow(
            record.seq,
            time.strftime("%H:%M", time.localtime(record.at)),
            who_text(record.by),
            entry_text(sight, record, lang),
        )
        for record in reversed(kept)
        if first <= record.seq < after and is_by_hand(record.event)
    ]


def ask_rows(table: LiveTable, lang: str) -> list[AskRow]:
    """What waits for the arbiter, oldest first."""
    if table.session is None:
        return []
    page = page_of(table.session)
    return [
        AskRow(ask.number, who_text(ask.by), [_ask_text(table, page, event, lang) for event in ask.events])
        for ask in table.desk.asks
    ]


def _ask_text(table: LiveTable, page: GamePage, event: Event, lang: str) -> str:
    """What is asked for, with the play that it is about."""
    if isinstance(event, EventRetracted):
        return text("Undo: {what}", what=event_text(table.recorded[event.seq - 1].event, lang, page))
    said = event_text(event, lang, page)
    if isinstance(event, PlayInserted):
        said = f"{event.player}: {said}"
    seq = event.seq if isinstance(event, PlayCorrected | PlayRemoved) else None
    seq = event.before_seq if isinstance(event, PlayInserted) else seq
    play = table.recorded[seq - 1].event if seq is not None else None
    trick = next(
        (
            (hand.number, trick.number)
            for hand in (table.session.hands if table.session is not None else ())
            for trick in hand.tricks
            for one in trick.plays
            if one.seq == seq
        ),
        None,
    )
    if trick is not None and isinstance(play, CardPlayed | PlayInserted):
        where = text("hand {hand}, trick {trick}", hand=trick[0], trick=trick[1])
        return f"{said} ({where}, {play.player})"
    return said


def opening_texts(openings: tuple[Opening, ...], hand: int) -> list[str]:
    """What was opened in the hand with this number, in words."""
    return [
        text("Trick {trick} was opened by {who}, to put it right.", trick=one.trick, who=who_text(one.by))
        if one.trick
        else text("A backup was taken in the middle of the hand by {who}.", who=who_text(one.by))
        for one in openings
        if one.hand == hand
    ]
