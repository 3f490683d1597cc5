"""The session file (`tarok-session/1`): reading it strictly, and writing it from a record.

The envelope is the same for every game: rules, options, seats, hands, who joined or left. The events are the
game's (`Session.kinds`), and each kind knows its form in a file. Malformed input, and an event that cannot
happen, raise SessionFileError, which names the place.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from time import thread_time
from typing import Any, Final, Generic, TypeVar

from tracker.by_result import ByResult
from tracker.errors import EventError, Reason, TarokError
from tracker.events import (
    CardPlayed,
    Event,
    HandAbandoned,
    HandStarted,
    OptionValue,
    PlayerJoined,
    PlayerLeft,
    PlaysTakenBack,
    Recorded,
    SessionClosed,
    SessionOpened,
    TrickUnseen,
)
from tracker.hand import Hand
from tracker.reader import Reader, SessionFileError, parsed
from tracker.rule_sets import with_options
from tracker.seat_change import SeatChange
from tracker.session import Session

FORMAT: Final = "tarok-session/1"
# An evening of 60 hands has about 5,000 events, and is replayed in 0.1 s.
MOST_FILE_EVENTS: Final = 10_000
MOST_HANDS: Final = 500
"""Hands and changes of seats."""
MOST_PEOPLE: Final = 50
"""Who may have sat at the table in an evening."""
MOST_SECONDS: Final = 5
"""How long the processor may need to replay an evening."""

S = TypeVar("S", bound=Session[Any, Any])


@dataclass(frozen=True, slots=True)
class SessionFile(Generic[S]):
    """A session file as it was read: its events, the place of each in the file, its game and its rules."""

    events: tuple[Event, ...]
    places: tuple[str, ...]
    game: type[S]
    rules: Any

    def session(self) -> S:
        """Fold the events. Raises SessionFileError for an event that cannot happen, and beyond `MOST_SECONDS`."""
        opened = self.events[0]
        assert isinstance(opened, SessionOpened)
        session = self.game(opened, rules=self.rules, strict=True)
        until_s = thread_time() + MOST_SECONDS
        for event, place in zip(self.events[1:], self.places[1:], strict=True):
            if thread_time() > until_s:
                raise SessionFileError(place, "takes longer than {most} s to replay", most=MOST_SECONDS)
            try:
                session.apply(event)
            except EventError as error:
                raise SessionFileError.of(place, error) from None
        return session


def loads(text: str | bytes, game: type[S]) -> SessionFile[S]:
    """The session file of `game` in `text` (UTF-8). Raises SessionFileError as `read_file` does."""
    return read_file(opened_file(text), game)


def opened_file(text: str | bytes) -> Reader:
    """The object in `text` (UTF-8), a session file of whatever game. Raises SessionFileError."""
    data = Reader("", parsed(text))
    if not isinstance(data.value, dict) or "format" not in data:
        raise SessionFileError("", "this is no file of an evening of Tarok Table")
    if data["format"].text() != FORMAT:
        data["format"].fail("must be {format!r}, not {value!r}", format=FORMAT, value=data["format"].value)
    data.object({"format", "rules", "options", "seats", "hands", "close"})
    return data


def read_file(data: Reader, game: type[S], rules: Any = None) -> SessionFile[S]:
    """The session file in `data`, the object of an `opened_file`.

    `rules`, a club's own set, replaces the set that the file names; the file's options still apply. Raises
    SessionFileError, which names the place. An event that cannot happen shows only when the session is folded.
    """
    data = data.of_pack(game.pack)
    name = data["rules"].text()
    with _failing_at(data, "rules"):
        standard = game.rule_set(name)
    options: tuple[tuple[str, OptionValue], ...] = ()
    if "options" in data:
        options = tuple(data["options"].mapping().items())
    try:
        chosen = with_options(standard if rules is None else rules, options)
    except TarokError as error:
        data["options"].fail_as(error)
    seats = tuple(item.text() for item in data["seats"].items())
    with _failing_at(data, "seats"):
        game.check_seats(seats, chosen)
    close = data["close"].boolean() if "close" in data else False
    placed: list[tuple[Event, str]] = [(SessionOpened(name, options, seats), "")]
    placed += islice(_hands(data["hands"], game, chosen, seats), MOST_FILE_EVENTS)
    if len(placed) > MOST_FILE_EVENTS:
        data["hands"].fail("more than {most} events", most=MOST_FILE_EVENTS)
    if close:
        placed.append((SessionClosed(), "close"))
    return SessionFile(tuple(event for event, _ in placed), tuple(place for _, place in placed), game, chosen)


@contextmanager
def _failing_at(data: Reader, key: str) -> Iterator[None]:
    """Name the place of `key` in errors that the game raises."""
    try:
        yield
    except TarokError as error:
        data[key].fail_as(error)


def _hands(
    hands: Reader, game: type[Session[Any, Any]], rules: Any, seats: tuple[str, ...]
) -> Iterator[tuple[Event, str]]:
    """Each event of the entries of `hands`, with its place."""
    known = seats  # everybody who was seated so far; whether they still are shows when the session is folded
    players = len(seats)
    missing = on_table = 0  # plays of the hand before; cards of its open trick
    if len(hands.items()) > MOST_HANDS:
        hands.fail("more than {most} hands and changes of seats", most=MOST_HANDS)
    for entry in hands.items():
        change = _seat_change(entry, known)
        if change is not None:
            if missing > 0:
                yield HandAbandoned(), entry.place  # a hand that ended early ends where the next entry begins
            missing = 0
            known = (*known, change.player)
            if len(set(known)) > MOST_PEOPLE:
                entry.fail("more than {most} people sat at the table", most=MOST_PEOPLE)
            fewest, most = game.players  # fewer or more are refused when the session is folded
            players = min(most, max(fewest, players + (1 if isinstance(change, PlayerJoined) else -1)))
            yield change, entry.place
        else:
            entry.object({"dealer", "events", "result"})
            if "result" in entry and "events" in entry:
                entry.fail("has either 'events' or a 'result'")
            dealer = entry["dealer"].player(known) if "dealer" in entry else None
            yield HandStarted(dealer), entry.place
            missing, on_table = game.plays_in_hand(rules, players), 0
        by_result = False
        in_trick = game.cards_in_trick(rules, players)
        for item in _items(entry, change):
            event = _event(item, game, known)
            if isinstance(event, ByResult):
                if by_result:
                    item.fail("a hand has one result")
                by_result = True
                missing = 0
            elif isinstance(event, CardPlayed):
                missing, on_table = missing - 1, (on_table + 1) % in_trick
            elif isinstance(event, PlaysTakenBack):
                missing, on_table = missing + event.count, (on_table - event.count) % in_trick
            elif isinstance(event, TrickUnseen):
                missing, on_table = missing - (in_trick - on_table), 0
            yield event, item.place


def _items(entry: Reader, change: Event | None) -> list[Reader]:
    """The events of an entry of `hands`; one with a `result` is a hand of which nothing else was written down."""
    if "result" in entry:
        return [Reader(entry.place, {"result": entry.value["result"]}, entry.pack)]
    return entry["events"].items() if change is None or "events" in entry else []


def _seat_change(entry: Reader, known: tuple[str, ...]) -> PlayerJoined | PlayerLeft | None:
    """Who joined or left, if an entry of `hands` says so; None if it is a hand.

    It may have `events` of its own: fines and adjustments before the next deal. The published format has none.
    """
    if not isinstance(entry.value, dict) or not {"join", "leave"} & entry.value.keys():
        return None
    if "leave" in entry:
        entry.object({"leave", "events"})
        return PlayerLeft(entry["leave"].player(known))
    entry.object({"join", "after", "events"})
    return PlayerJoined(entry["join"].text(), entry["after"].player(known))


def _event(item: Reader, game: type[Session[Any, Any]], seats: tuple[str, ...]) -> Event:
    """The event in an object. Exactly one of its keys must be that of a kind."""
    keys = game.kinds.keys_of(item.mapping())
    if len(keys) != 1:
        if keys:
            item.fail("one event cannot be both {key!r} and {other!r}", key=keys[0], other=keys[1])
        if not item.value:
            item.fail("unknown event: it is empty")
        item.fail("unknown event with the keys {keys}", keys=", ".join(map(repr, item.value)))
    kind = game.kinds.by_key[keys[0]]
    item.object({keys[0], *kind.keys})
    return kind.from_json(item, seats)


def export(events: Iterable[Event | Recorded], game: type[Session[Any, Any]]) -> dict[str, Any]:
    """The session file of a record, as a JSON object: corrections carried out, what does not count left out.

    A hand whose contract was never entered, or what else must be said before the play, stands in it without its cards:
    the format has no cards before that. Such a hand is not scored either way.
    """
    record = [
        event if isinstance(event, Recorded) else Recorded(number, event)
        for number, event in enumerate(events, start=1)
    ]
    session = game.replay(record)
    opened = session.opened
    data: dict[str, Any] = {"format": FORMAT, "rules": opened.rules}
    if opened.options:
        data["options"] = dict(opened.options)
    data["seats"] = list(opened.seats)
    parts: list[dict[str, Any]] = []
    data["hands"] = parts
    hands, changes = iter(session.hands), iter(session.seat_changes)
    uncounted = {alert.seq for alert in session.alerts}
    for seq, event in session.standing:
        if seq in uncounted:
            continue
        if isinstance(event, HandStarted):
            parts.append(_written_hand(next(hands)))
        elif isinstance(event, PlayerJoined | PlayerLeft):
            parts.append(_written_change(next(changes)))
        elif event.moves_chips and event.key is not None and parts and "dealer" not in parts[-1]:
            parts[-1].setdefault("events", []).append(event.to_json())
    if session.closed:
        data["close"] = True
    return data


def cardless(session: Session[Any, Any]) -> list[Reason]:
    """What each hand of `session` lacks that `export` writes without what was seen of its play."""
    return [
        error.reason
        for hand in session.hands
        if (error := hand.not_ready()) and any(event.of_play for event, _ in hand.entries)
    ]


def _written_hand(hand: Hand) -> dict[str, Any]:
    """The entry of a hand: what counts in it, in the order in which it counts."""
    followed = {play.seq for trick in hand.tricks for play in trick.plays[1:]}
    unsaid = hand.not_ready() is not None
    events = []
    for event, seq in hand.written():
        if event.key is None or (unsaid and event.of_play):
            continue
        if isinstance(event, CardPlayed) and seq in followed:
            event = replace(event, named=None)  # not the lead after all: a missed card came first
        if getattr(event, "hand", None) == hand.number:
            event = replace(event, hand=None)  # type: ignore[type-var]
        events.append(event.to_json())
    match events:
        case [{"result": result}]:
            return {"dealer": hand.dealer, "result": result}
    return {"dealer": hand.dealer, "events": events}


def _written_change(change: SeatChange) -> dict[str, Any]:
    if change.kind == "leave":
        return {"leave": change.player}
    return {"join": change.player, "after": change.seats[change.seats.index(change.player) - 1]}
