"""A hand trick by trick, and the plays in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tracker.cards import FOOL
from tracker.doubts import doubt_of
from tracker.events import cards_of
from tracker.games import game_of
from tracker.hand import Hand
from tracker.tricks import Play, Trick
from tracker.undo import is_by_hand
from tracker.words import Words
from webui.games.page import Fact
from webui.games.pages import page_of
from webui.people.fair_play import Sight
from webui.table.live import LiveTable
from webui.view.entry_rows import EntryRow, entry_rows, who_text
from webui.view.event_text import event_text
from webui.view.put_right import put_right_href


@dataclass(frozen=True)
class PlayRow:
    """A card on the page.

    `shot`: there is a picture of it. `by` says who entered it. `named` is what a led fool was named.
    """

    seq: int
    card: str
    name: str
    player: str
    doubt: bool = False
    flag: bool = False
    by_hand: bool = False
    by: str = ""
    best: bool = False
    led: bool = False
    named: str = ""
    shot: bool = False

    @property
    def tilt(self) -> int:
        """By how many degrees the card lies askew on the felt; always the same for one card."""
        return self.seq * 37 % 13 - 6


@dataclass(frozen=True)
class BesideRow:
    """A card that lies with a trick, but that nobody played to it; `what` says what it is, `href` puts it right."""

    card: str
    what: str
    href: str


@dataclass(frozen=True)
class TrickRow:
    """A trick: its plays in order, and the cards that lie with it.

    `unseen_href` is the dialog in which people name its unseen cards, "" if all were seen.
    """

    number: int
    plays: list[PlayRow]
    winner: str | None
    beside: Sequence[BesideRow] = ()
    unseen_href: str = ""


@dataclass(frozen=True)
class HandRows:
    """A hand: its tricks, newest first, and what its game tells of it.

    `hidden` are the numbers of the tricks that are hidden while the hand is played. `by_result`: people entered the
    hand's result instead of its cards.
    """

    number: int
    players: list[str]
    tricks: list[TrickRow]
    facts: list[Fact]
    entries: list[EntryRow]
    hidden: list[int]
    by_result: bool = False


def trick_number(hand: Hand, seq: int) -> int:
    """The number, from 1, of the trick with the play `seq`; 0 if no trick has it."""
    for trick in hand.tricks:
        if any(play.seq == seq for play in trick.plays):
            return trick.number
    return 0


def bare_row(play: Play, words: Words, lang: str, **more: Any) -> PlayRow:
    """One play with nothing but its card's name and player; `more` are further fields of the row."""
    return PlayRow(play.seq, play.card, words.card_label(play.card, lang), play.player, **more)


def play_row(table: LiveTable, sight: Sight, hand: Hand, play: Play, lang: str, **more: Any) -> PlayRow:
    """One play as the page shows it; `more` are further fields of the row."""
    told = [finding for _, finding in sight.findings(hand)]
    offences = {(f.player, f.card) for f in told if f.card and not doubt_of(hand, f)}
    record = table.recorded[play.seq - 1]  # numbered from 1 without gaps
    return bare_row(
        play,
        game_of(sight.session).words,
        lang,
        doubt=bool(play.alternatives),
        flag=(play.player, play.card) in offences,
        by_hand=table.camera.is_there and is_by_hand(record.event),
        by=who_text(record.by) if record.by else "",
        shot=play.seq in table.pictures.evidence.known,
        **more,
    )


def hand_rows(table: LiveTable, sight: Sight, hand: Hand, lang: str) -> HandRows:
    """`hand` trick by trick, newest trick first, as far as it may be shown now."""
    players = [name for name in hand.seats if name in hand.active]
    shown = sight.tricks(hand)
    return HandRows(
        number=hand.number,
        players=players,
        tricks=[trick_row(table, sight, hand, trick, lang) for trick in reversed(shown)],
        entries=entry_rows(table, sight, hand, lang),
        hidden=[trick.number for trick in hand.tricks[: len(hand.tricks) - len(shown)]],
        facts=page_of(sight.session).facts(hand, lang),
        by_result=hand.result is not None,
    )


def trick_row(table: LiveTable, sight: Sight, hand: Hand, trick: Trick, lang: str) -> TrickRow:
    """One trick of `hand`."""
    words = game_of(sight.session).words
    rows = []
    for place, play in enumerate(trick.plays):
        led = place == 0
        named = words.suit_name(trick.suit, lang) if led and play.card == FOOL and trick.suit else ""
        rows.append(
            play_row(table, sight, hand, play, lang, best=play.player == trick.winner, led=led, named=named)
        )
    page = page_of(sight.session)
    beside = [
        BesideRow(card, event_text(event, lang, page), put_right_href(page, event, seq))
        for event, seq in hand.entries
        if event.lies_with == trick.number
        for card in cards_of(event)
    ]
    unseen_href = f"/unseen/{trick.closed_by}" if trick.closed_by is not None else ""
    return TrickRow(trick.number, rows, trick.winner, beside, unseen_href)


def past_tricks(hand: Hand, words: Words, lang: str) -> list[TrickRow]:
    """The tricks of a hand of the history in order, with nothing that the table alone shows."""
    rows = []
    for trick in hand.tricks:
        plays = []
        for place, play in enumerate(trick.plays):
            suit = hand.pack.letter[hand.pack.index[play.card]]
            fool_named = place == 0 and play.card == FOOL and trick.suit not in (None, suit)
            named = words.suit_name(trick.suit or suit, lang) if fool_named else ""
            plays.append(bare_row(play, words, lang, led=place == 0, named=named))
        rows.append(TrickRow(trick.number, plays, trick.winner))
    return rows
