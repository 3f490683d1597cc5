"""Between the eyes and the game: what the eyes are told to expect, and what is booked of what they report."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tracker.by_result import ByResult
from tracker.cards import CARDS
from tracker.events import (
    CardPlayed,
    DealerCorrected,
    Event,
    HandAbandoned,
    HandStarted,
    PlayCorrected,
    PlayRemoved,
    PlaysTakenBack,
    Recorded,
    SessionOpened,
    TrickTaken,
    Unwatched,
    cards_of,
)
from tracker.files import read_at_most
from tracker.games import game_of_rules, read_session
from tracker.pack import Pack
from tracker.reader import MOST_FILE_BYTES
from tracker.session import Session
from tracker.session_file import FORMAT
from tracker.tricks import Trick
from vision.watching.expectation import Expectation
from webui.errors import UserError, told_as

_WAITING = Expectation((), (), (), frozenset(), waits=True)
BETWEEN_HANDS_S = 45.0
"""Seconds after a hand in which players look at its cards and the skat, so that no card is a play."""


def expectation_of(session: Session[Any, Any] | None) -> Expectation | None:
    """What the game expects next; None without a hand."""
    hand = session.hand if session is not None and not session.closed else None
    if session is None or hand is None or hand.abandoned:
        return None
    if hand.awaits_word or (hand.by_result and session.under_way):
        return _WAITING
    game = game_of_rules(session.opened.rules)
    kept, shown_cards = hand.kept_cards(len(hand.tricks)), game.shown_cards_next(hand)
    if hand.complete:
        played = frozenset(play.card for play in hand.plays)
        return Expectation((), (), (), played, kept=kept, shown_cards=shown_cards)
    trick = hand.trick
    complete = hand.tricks[:-1] if trick else hand.tricks
    last = complete[-1] if complete and not complete[-1].unseen else None
    first = last or trick
    return Expectation(
        tuple(hand.active),
        hand.turn,
        _plays_of(trick) if trick else (),
        frozenset(hand.pack.names(hand.gone)) | _of_no_use(hand.pack),
        {play.card: (play.seq, play.alternatives) for play in hand.plays if play.alternatives},
        {play.card: play.seq for play in hand.plays},
        kept,
        shown_cards,
        hand.cards_stay,
        hand.thrown_cards,
        may_reveal=game.may_reveal(hand),
        last_trick=_plays_of(last) if last else (),
        leader=first.to_lead if first else hand.to_play,
        winner=hand.would_win,
    )


def _plays_of(trick: Trick) -> tuple[tuple[str, str], ...]:
    return tuple((play.player, play.card) for play in trick.plays)


def _of_no_use(pack: Pack) -> frozenset[str]:
    """The cards that the game does not use. People are asked about such a card if the eyes see one."""
    return frozenset(CARDS) - pack.index.keys()


def as_first_trick_shows(session: Session[Any, Any]) -> Session[Any, Any]:
    """`session` as if who dealt by its first trick had been booked, where another one is and somebody sits out.

    People are asked who dealt. Until they answer, plays of the one who was thought to sit out are refused in `session`.
    """
    hand = session.hand
    if hand is None or not any(alert.kind == "impossible_event" for alert in hand.alerts):
        return session
    dealer = hand.dealer_shown
    return session if dealer is None else _if_dealt_by(session.record, hand.started, dealer)


@lru_cache(maxsize=1)
def _if_dealt_by(record: tuple[Recorded, ...], started: int, dealer: str) -> Session[Any, Any]:
    """The evening of `record`, with the hand that the event `started` began dealt by `dealer`."""
    opened = record[0].event
    assert isinstance(opened, SessionOpened)
    corrected = Recorded(record[-1].seq + 1, DealerCorrected(started, dealer))
    session: Session[Any, Any] = game_of_rules(opened.rules).session.replay([*record, corrected])
    session.hands[-1].dealer_is_supposed = True
    return session


def expected(session: Session[Any, Any] | None, quiet_s: float) -> Expectation | None:
    """What the game expects `quiet_s` seconds after the last event of a hand that was seen.

    After a hand no play is expected for `BETWEEN_HANDS_S`. Then the first trick of the next hand is expected. So it is
    while nothing was played or said in a hand that people have started, and so long after the last trick: players may
    have thrown in their cards, and nobody has entered that.
    """
    session = as_first_trick_shows(session) if session is not None else None
    now = expectation_of(session)
    if session is None or session.closed:
        return now
    if not session.under_way:
        return next_hand(session) if quiet_s >= BETWEEN_HANDS_S else now
    if now is None or session.hand is None or not now.active:
        return now
    if not session.hand.entries:
        return replace(now, begins=True, deals=deals_of(session, session.hand.dealer))
    following = next_hand(session) if session.hand.plays else _WAITING
    begins = BETWEEN_HANDS_S <= quiet_s < math.inf and not now.trick
    return replace(now, begins=begins, next_hand=following if following.active else None)


def deals_of(session: Session[Any, Any], dealer: str) -> dict[str, tuple[str, ...]]:
    """The order of play for each who may have dealt; `dealer`, the likeliest one, comes first."""
    return {player: session.order_of_play(player) for player in session.ring(dealer)}


def next_hand(session: Session[Any, Any]) -> Expectation:
    """What is expected before the next hand of `session`: its first lead, or that people name its game."""
    if session.names_game or session.by_result:
        return _WAITING
    deals = deals_of(session, session.next_dealer)
    active = deals[session.next_dealer]
    return Expectation(
        active, active, (), _of_no_use(session.pack), leader=active[0], begins=True, deals=deals
    )


def last_of_hand(record: Sequence[Recorded]) -> Recorded | None:
    """The last event that tells of a hand: a play, a trick taken, the hand abandoned or entered by its result."""
    of_hand = CardPlayed | TrickTaken | HandAbandoned | ByResult
    return next((recorded for recorded in reversed(record) if isinstance(recorded.event, of_hand)), None)


def booked_as(
    session: Session[Any, Any], sides: Mapping[str, str], seen: Event, time_s: float
) -> list[Event]:
    """The events to book when the eyes report `seen` at `time_s` (source's clock, s); none if that is no news.

    `sides` has each player's side of the picture. Where no hand is under way, a card begins one, unless people must
    name the game first. Nothing is booked in a hand that is entered by its result.
    """
    session = as_first_trick_shows(session)
    hand = session.hand if session.under_way else None
    if session.by_result if hand is None else hand.by_result:
        return []
    if hand.awaits_word if hand is not None else session.names_game and isinstance(seen, CardPlayed):
        return []
    match seen:
        case HandStarted() if hand is not None and not hand.entries:
            return []
        case HandStarted(dealer=str(dealer)):
            # Who was thought to sit out has played. Otherwise people are asked: a lead may be out of turn.
            others = set(session.order_of_play(dealer)) != set(session.order_of_play(session.next_dealer))
            ended = [] if hand is None else [Unwatched(), HandAbandoned(time_s=time_s)]
            return [*ended, seen if others else HandStarted()]
        case CardPlayed() if hand is None:
            return [HandStarted(), seen]
        case TrickTaken():
            return [_taken_at_that_side(session, sides, seen)]
        case PlaysTakenBack(count=count) if hand is not None:
            return [replace(seen, time_s=time_s, plays=hand.last_plays(count))]
        case PlayCorrected() | PlayRemoved() | PlaysTakenBack():
            return [replace(seen, time_s=time_s)]
        case Unwatched():
            asked = hand is None or not hand.plays or any(gap.seq > hand.plays[-1].seq for gap in hand.gaps)
            return [] if asked else [seen]
    return [seen]


def _taken_at_that_side(
    session: Session[Any, Any], sides: Mapping[str, str], taken: TrickTaken
) -> TrickTaken:
    """`taken`, with the winner of the trick as its player if he sits at the side where it was taken."""
    hand = session.hand
    winner = hand.tricks[-1].winner if hand is not None and hand.tricks else None
    shared = winner is not None and sides.get(winner) == sides.get(taken.player, "")
    return replace(taken, player=winner) if winner is not None and shared else taken


class Scorekeeper:
    """An evening that is watched without a page: books what the eyes report, and tells them what to expect."""

    def __init__(
        self,
        opened: SessionOpened,
        sides: Mapping[str, str],
        dealer: str | None = None,
        said: Sequence[Sequence[Event]] = (),
        before: Sequence[Event] = (),
        dealing: bool = False,
    ):
        """Open the evening and its first hand, dealt by `dealer`; raises TarokError for rules or seats that cannot be.

        `sides` has each player's side of the picture. `said` has, for each hand, what people say before its play, which
        no camera sees. `before` is what happened in the first hand already. `dealing`: its cards are counted or dealt
        when the watching begins, so the eyes are to tell when it begins, and who dealt.
        """
        self._sides = sides
        self._said = [list(events) for events in said]
        self.game = game_of_rules(opened.rules)
        self.session = self.game.session(opened)
        self.record: list[Recorded] = [Recorded(1, opened)]
        if not dealing:
            self.enter(HandStarted(dealer))
        for event in before:
            self.enter(event)

    def enter(self, event: Event) -> int:
        """Take in `event`, and what people said by then; returns the event's number in the record."""
        seq = len(self.record) + 1
        self.record.append(Recorded(seq, event))
        self.session.apply(event, seq)
        self._say()
        return seq

    def _say(self) -> None:
        """Enter what people said, one after the other, but only after a talon that the eyes are still to tell of."""
        hand = self.session.hand
        said = self._left_to_say(hand.number) if hand is not None else []
        if hand is None or not said:
            return
        awaited = self.game.shown_cards_next(hand)
        if awaited is None or awaited.kind not in ("talon", "group"):
            self.enter(said.pop(0))

    def _left_to_say(self, number: int) -> list[Event]:
        """What people are still to say in the hand of that `number`, from 1."""
        return self._said[number - 1] if number <= len(self._said) else []

    def book(self, seen: Event, time_s: float) -> int:
        """Book what was `seen` at `time_s` of the video; returns its number in the record, 0 if nothing was booked."""
        seq = 0
        for event in booked_as(self.session, self._sides, seen, time_s):
            seq = self.enter(event)
        return seq

    def expectation(self, time_s: float = math.inf) -> Expectation | None:
        """What the game expects at `time_s` of the video (default: long after the last event)."""
        last = last_of_hand(self.record)
        last_s = last.event.time_s if last and isinstance(last.event, CardPlayed | TrickTaken) else None
        quiet_s = math.inf if last_s is None else time_s - last_s
        if (
            not self.session.under_way
            and quiet_s >= BETWEEN_HANDS_S
            and self._left_to_say(len(self.session.hands) + 1)
        ):
            self.enter(HandStarted())  # what people say begins the hand
        now = expected(self.session, quiet_s)
        begun = len(self.session.hands) == 1 and quiet_s == math.inf  # the first hand of a film
        return replace(now, begins=False, deals={}) if now is not None and begun else now


def said_events(said: Sequence[Mapping[str, object]], opened: SessionOpened) -> list[Event]:
    """What people `said` before the play, in the form of a session file, as events. Raises SessionFileError."""
    data = {
        "format": FORMAT,
        "rules": opened.rules,
        "seats": list(opened.seats),
        "hands": [{"events": list(said)}],
    }
    return [event for event in read_session(json.dumps(data))[1].events if event.of_hand]


def cards_shown(session: Session[Any, Any]) -> set[frozenset[str]]:
    """The sets of cards that were laid open in `session` and are no plays, groups of a talon among them."""
    shown = set()
    for hand in session.hands:
        for event, _ in hand.entries:
            if not isinstance(event, CardPlayed):
                shown.add(frozenset(cards_of(event)))
        talon = getattr(hand, "talon", None)
        if talon is not None and talon.taken is not None:
            shown.add(frozenset(hand.pack.names(talon.taken)))
    return shown - {frozenset()}


def _as_session(text: bytes) -> bytes:
    """The session file in `text`. The truth of a recording has one with what was said before its hand."""
    try:
        data = json.loads(text)
        if "format" in data or "said" not in data:
            return text
        seats = [seat.partition("@")[0] for seat in data["seats"]]
        hands = [{"dealer": data["dealer"], "events": data["said"]}]
        session = {"format": FORMAT, "rules": data["rules"], "seats": seats, "hands": hands}
        return json.dumps(session | {"options": data.get("options", {})}).encode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return text  # the reader of session files will say what is wrong


def said_in(path: Path, opened: SessionOpened) -> list[list[Event]]:
    """What people said before the play of each hand in the file at `path`, of the game of `opened`.

    The file is a session file, or the truth of a recording. Raises UserError if it cannot be read, is of another game,
    or has other players than `opened`.
    """
    with told_as(UserError, path):
        game, file = read_session(_as_session(read_at_most(path, MOST_FILE_BYTES)))
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
