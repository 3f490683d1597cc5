"""How an entry becomes events: entered at once, or asked for. An entry that is sent twice counts once."""

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from flask import Blueprint, g, request

from tracker.catalogue import msgid
from tracker.events import (
    EntryInserted,
    Event,
    EventRetracted,
    Recorded,
)
from tracker.game import Game
from tracker.games import game_of
from tracker.hand import Hand
from tracker.open_questions import open_questions
from tracker.store import Token
from tracker.undo import is_by_hand
from webui.pages import forms
from webui.pages.common import Answer, EntryError, live, opened_next, page, sender, sight, told
from webui.people.roles import Role
from webui.texts import language, text
from webui.view.booked import booked_text
from webui.view.entry_rows import still_corrected

PUT_RIGHT: Final = msgid("Corrected; everything after it is worked out again.")
_ENTERED: Final = msgid("Entered.")
_ASKED: Final = msgid("The arbiter is asked to enter it.")
H = TypeVar("H", bound=Hand)
_LONGEST_TOKEN = 64
_MOST_ASKS = 20
_MOST_ASKS_OF_ONE = 3


def sent_again() -> Answer | None:
    """The answer to an entry that was stored already and is sent again; None for a new entry."""
    return told(text(_ENTERED)) if live().evening.has_entered(once()) else None


def once() -> Token | None:
    """The token of the entry: its name, and a digest of its path and fields; None for an entry without a name."""
    name = request.form.get("once", "")
    if not name:
        return None
    if len(name) > _LONGEST_TOKEN:
        raise EntryError("“{value}” cannot be chosen here.", value=name)
    said = sorted(field for field in request.form.items(multi=True) if field[0] not in ("token", "once"))
    content = json.dumps([request.path, said], ensure_ascii=True)
    return Token(name, hashlib.sha256(content.encode()).hexdigest())


def enter(*events: Event, done: str = "") -> Answer:
    """Enter `events`; the answer says what was booked, or `done`."""
    return told(booked(*events, done=done))


def booked(*events: Event, done: str = "") -> str:
    """Enter `events`; returns what was booked, or `done`, and who pays whom."""
    with live().locked() as session:
        before = list(session.payments) if session is not None else []
        live().enter(*events, once=once(), by=sender())
        said = text(done) if done else ""
        gone = [live().recorded[one.seq - 1] for one in events if isinstance(one, EventRetracted)]
        said = " ".join([said, *still_corrected(sight(), live().recorded, gone, language())]).strip()
        return booked_text(said, events, before, forms.session(), language())


def enter_or_ask(*events: Event, at_hand: bool, done: str = PUT_RIGHT) -> Answer:
    """Enter `events` if they are `at_hand`, or the sender is an arbiter; otherwise ask the arbiter to enter them."""
    if at_hand or g.role >= Role.ARBITER:
        return enter(*events, done=done)
    if sum(ask.by == sender() for ask in live().desk.asks) >= _MOST_ASKS_OF_ONE:
        raise EntryError(
            "{count} entries of yours already wait for the arbiter. Ask for more when they are settled.",
            409,
            count=_MOST_ASKS_OF_ONE,
        )
    if len(live().desk.asks) >= _MOST_ASKS:
        raise EntryError(
            "Too many entries already wait for the arbiter. Ask again when some are settled.", 409
        )
    live().ask(sender(), *events)
    return told(text(_ASKED))


def is_at_hand(seq: int) -> bool:
    """Whether the play `seq` is of the trick on the table or is asked about, so that any player may put it right."""
    session = forms.session()
    hand = session.hand
    on_table = hand.tricks[-1].plays if hand is not None and hand.tricks else []
    asked = {play.seq for _, play in open_questions(session)} | {alert.seq for alert in session.alerts}
    return seq in asked or seq in {play.seq for play in on_table}


def belongs_to(hand: Hand, event: Event) -> Event:
    """`event` as it is entered in `hand`, even if another hand has begun since."""
    session = forms.session()
    ended = session.closed or hand.abandoned or hand is not session.hand or hand is not session.now
    return EntryInserted(hand.number, event) if ended else event


def go_on(hand: H, events: Iterable[Event], next_href: Callable[[H], str]) -> Answer:
    """Enter `events` in `hand`. The answer opens `next_href` of the hand as it is then, or nothing where that is ""."""
    entries = [belongs_to(hand, event) for event in events]
    if hand is not forms.session().hand and not page().lacks(hand, language()):
        # Another hand was dealt since, and this one has all that it needs: a player asks the arbiter.
        return enter_or_ask(*entries, at_hand=False)
    said = booked(*entries)
    href = next_href(forms.session().hands[hand.number - 1])
    return opened_next(href, said) if href else told(said)


def entered_by_sender(records: Iterable[Recorded]) -> bool:
    """Whether all of `records` that people entered were entered by the sender of this request."""
    return all(one.by == sender() for one in records if is_by_hand(one.event))


def only_in(blueprint: Blueprint, game: Game) -> None:
    """Refuse all requests to `blueprint` while another game than `game` is played."""

    @blueprint.before_request
    def check() -> Answer | None:
        if game_of(forms.session()) is not game:
            raise EntryError("That belongs to another game than the one being played.", 409)
        return sent_again()
