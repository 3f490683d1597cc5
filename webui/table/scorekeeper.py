"""What the game tells the eyes: whose turn it is, what lies in the trick, what has been played."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event, HandAbandoned, HandStarted, Recorded, SessionOpened, TrickTaken
from tracker.games import game_of_rules, read_session
from tracker.hand import Hand
from tracker.pack import Pack
from tracker.session import Session
from tracker.session_file import FORMAT
from vision.watching.explanations import Expectation
from webui.errors import UserError

BETWEEN_HANDS_S = 45.0
"""Seconds after a hand in which its cards and the skat are shown around; none of that is play."""


def expectation_of(session: Session[Any, Any] | None) -> Expectation | None:
    """What the game expects next, as a soft prior for reading a frame; None without a hand."""
    hand = session.hand if session is not None and not session.closed else None
    if session is None or hand is None or hand.abandoned:
        return None
    kept, laid_out = (
        hand.kept_cards(len(hand.tricks)),
        game_of_rules(session.opened.rules).laid_out_next(hand),
    )
    if hand.complete:
        played = frozenset(play.card for play in hand.plays)
        return Expectation((), (), (), played, kept=kept, laid_out=laid_out)
    trick = hand.trick
    in_trick = (
        () if trick is None or trick.winner is not None else tuple((p.player, p.card) for p in trick.plays)
    )
    return Expectation(
        tuple(hand.active),
        hand.turn,
        in_trick,
        _not_to_come(hand),
        {play.card: (play.seq, play.alternatives) for play in hand.plays if play.alternatives},
        {play.card: play.seq for play in hand.plays},
        kept,
        laid_out,
        hand.cards_stay,
        hand.thrown_cards,
    )


def _not_to_come(hand: Hand) -> frozenset[str]:
    """The cards that cannot be played any more: played, seen elsewhere, or of no use in this game."""
    return frozenset(hand.pack.names(hand.gone)) | _of_no_use(hand.pack)


def _of_no_use(pack: Pack) -> frozenset[str]:
    """The cards that are not among those played with; one of them that is seen is asked about."""
    return frozenset(CARDS) - pack.index.keys()


def next_hand(session: Session[Any, Any]) -> Expectation:
    """What is expected before the next hand of `session`: its first lead."""
    active = session.order_of_play(session.next_dealer)
    return Expectation(active, active, (), _of_no_use(session.pack))


def last_of_hand(record: Sequence[Recorded]) -> Recorded | None:
    """The last play, trick taken or hand abandoned; None before any."""
    of_hand = CardPlayed | TrickTaken | HandAbandoned
    return next((recorded for recorded in reversed(record) if isinstance(recorded.event, of_hand)), None)


class Scorekeeper:
    """An evening watched without a page: it books what the eyes report, and tells them what to expect."""

    def __init__(
        self,
        opened: SessionOpened,
        dealer: str | None = None,
        said: Sequence[Sequence[Event]] = (),
        before: Sequence[Event] = (),
    ):
        """Open the evening and its first hand; raises TarokError for rules or seats that cannot be.

        `said` is what people say before the play of each hand, which no camera sees. `before` is what happened in
        the first hand already.
        """
        self._said = [list(events) for events in said]
        self.game = game_of_rules(opened.rules)
        self.session = self.game.session(opened)
        self.record: list[Recorded] = [Recorded(1, opened)]
        self._append(HandStarted(dealer))
        for event in before:
            self._append(event)

    def _append(self, event: Event) -> None:
        self.record.append(Recorded(len(self.record) + 1, event))
        self.session.apply(event, self.record[-1].seq)
        self._say()

    def _say(self) -> None:
        """Enter what was said, each once what lies on the table before it was seen."""
        hand = self.session.hand
        said = self._said[hand.number - 1] if hand is not None and hand.number <= len(self._said) else []
        if hand is None or not said:
            return
        awaited = self.game.laid_out_next(hand)
        if awaited is None or awaited.kind not in ("talon", "group"):
            self._append(said.pop(0))

    def book(self, event: Event) -> int:
        """Book `event` and return its number; a card after the last trick starts the next hand."""
        hand = self.session.hand
        if isinstance(event, CardPlayed) and hand is not None and hand.complete:
            self._append(HandStarted())
        seq = len(self.record) + 1
        self._append(event)
        return seq

    def expectation(self, time_s: float = math.inf) -> Expectation | None:
        """What the game expects at `time_s` of the video (default: long after the last event).

        From `BETWEEN_HANDS_S` after a hand, it is the next hand's first card.
        """
        hand, last = self.session.hand, last_of_hand(self.record)
        if hand is None or not hand.complete or last is None:
            return expectation_of(self.session)
        last_s = last.event.time_s if isinstance(last.event, CardPlayed | TrickTaken) else None
        if last_s is not None and time_s - last_s < BETWEEN_HANDS_S:
            return expectation_of(self.session)
        return next_hand(self.session)


def said_events(said: Sequence[Mapping[str, object]], opened: SessionOpened) -> list[Event]:
    """The events, as of a session file, that people said before the play. Raises SessionFileError."""
    data = {
        "format": FORMAT,
        "rules": opened.rules,
        "seats": list(opened.seats),
        "hands": [{"events": list(said)}],
    }
    return [event for event in read_session(json.dumps(data))[1].events if event.of_hand]


def cards_shown(session: Session[Any, Any]) -> set[frozenset[str]]:
    """The sets of cards that were laid open in `session` and are no plays; a group of a talon too."""
    shown = set()
    for hand in session.hands:
        for event, _ in hand.entries:
            if isinstance(event, CardPlayed):
                continue
            card = getattr(event, "card", None)
            shown.add(frozenset(getattr(event, "cards", () if card is None else (card,))))
        taken = getattr(hand, "taken", None)
        if taken is not None:
            shown.add(frozenset(hand.pack.names(taken)))
    return shown - {frozenset()}


def said_in(path: Path, opened: SessionOpened) -> list[list[Event]]:
    """What people said before the play of each hand of the session file at `path`, of the game of `opened`.

    Raises UserError where it cannot be read, is of another game, or names others than the seats of `opened`.
    """
    try:
        game, file = read_session(path.read_bytes())
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    first = file.events[0]
    assert isinstance(first, SessionOpened)
    if game is not game_of_rules(opened.rules):
        raise UserError(f"{path}: it is of another game than {opened.rules}")
    if set(first.seats) != set(opened.seats):
        raise UserError(f"{path}: its seats are {', '.join(first.seats)}, not {', '.join(opened.seats)}")
    hands: list[list[Event]] = []
    for event in file.events:
        if isinstance(event, HandStarted):
            hands.append([])
        elif isinstance(event, game.spoken) and hands:
            hands[-1].append(event)
    return hands
