"""The session file (`tarok-session/1`): reading it strictly, and writing it from a record.

Anything malformed, and any event that cannot happen then, raises SessionFileError naming the place.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from tracker.cards import INDEX, SUIT_MASK
from tracker.declarations import CombinationError, check_combinations
from tracker.errors import EventError, TarokError
from tracker.events import (
    Adjusted,
    CardPlayed,
    Combination,
    Declared,
    Event,
    Fined,
    FoolCalled,
    FoolNamed,
    HandAbandoned,
    HandStarted,
    PlayerJoined,
    PlayerLeft,
    PlaysTakenBack,
    Recorded,
    Redealt,
    SessionClosed,
    SessionOpened,
    SkatShown,
    ToutAnnounced,
)
from tracker.ledger import POTS
from tracker.rulesets import FINE_CATEGORIES, RULE_SETS, RuleError, RuleSet, rule_set, with_options
from tracker.seat_change import SeatChange
from tracker.session import Session, check_seats, corrected, replay

FORMAT: Final = "tarok-session/1"


class SessionFileError(TarokError):
    """A session file that cannot be read; the message begins with the `place` (`hands[3].events[12]`)."""

    def __init__(self, place: str, message: str) -> None:
        # One line whatever a name in the file contains.
        text = f"{place}: {message}" if place else message
        super().__init__("".join(letter if letter.isprintable() else " " for letter in text))
        self.place = place


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A session file read: its events in order, each with its place in the file, and its rules."""

    events: tuple[Event, ...]
    places: tuple[str, ...]
    rules: RuleSet

    def session(self) -> Session:
        """The session folded. Raises SessionFileError where an event cannot happen."""
        opened = self.events[0]
        assert isinstance(opened, SessionOpened)
        session = Session(opened, rules=self.rules, strict=True)
        for event, place in zip(self.events[1:], self.places[1:], strict=True):
            try:
                session.apply(event)
            except EventError as error:
                raise SessionFileError(place, str(error)) from None
        return session


def loads(text: str | bytes, rules: RuleSet | None = None) -> SessionFile:
    """The session file in `text` (UTF-8). `rules`, a club's own set, replaces the set that the file names.

    The file's own options still apply. Raises SessionFileError naming the place of what is wrong; that an
    event cannot happen shows only when the session is folded.
    """
    data = _Reader("", _parsed(text))
    data.object({"format", "rules", "options", "seats", "hands", "close"})
    if data["format"].value != FORMAT:
        data["format"].fail(f"must be {FORMAT!r}, not {data['format'].value!r}")
    name = data["rules"].text()
    if name not in RULE_SETS:
        data["rules"].fail(f"unknown rule set {name!r}; there are {', '.join(RULE_SETS)}")
    options = _options(data)
    chosen = rule_set(name, options) if rules is None else with_options(rules, options)
    seats = tuple(item.text() for item in data["seats"].items())
    try:
        check_seats(seats, chosen)
    except TarokError as error:
        data["seats"].fail(str(error))
    close = data["close"].boolean() if "close" in data.value else False
    events: list[Event] = [SessionOpened(name, options, seats)]
    places = [""]
    known = seats  # everybody who was seated so far; whether they still are shows when the session is folded
    standing = 75  # plays of the hand before
    for entry in data["hands"].items():
        change = _seat_change(entry, known)
        if change is not None:
            known = (*known, change.player)
            if standing < 75:
                events.append(HandAbandoned())  # a hand that ended early ends where the next entry begins
                places.append(entry.place)
                standing = 75
            events.append(change)
            places.append(entry.place)
        else:
            entry.object({"dealer", "events"})
            dealer = entry["dealer"].player(known) if "dealer" in entry.value else None
            events.append(HandStarted(dealer))
            places.append(entry.place)
            standing = 0
        for item in entry["events"].items() if change is None or "events" in entry.value else ():
            event = _event(item, known)
            if isinstance(event, CardPlayed):
                standing += 1
            elif isinstance(event, PlaysTakenBack):
                standing -= event.count
            events.append(event)
            places.append(item.place)
    if close:
        events.append(SessionClosed())
        places.append("close")
    return SessionFile(tuple(events), tuple(places), chosen)


def export(events: Iterable[Event | Recorded]) -> dict[str, Any]:
    """The session file of a record, corrections resolved; what never counted (an alert) is left out."""
    record = [
        event if isinstance(event, Recorded) else Recorded(number, event)
        for number, event in enumerate(events, start=1)
    ]
    session = replay(record)
    opened = session.opened
    data: dict[str, Any] = {"format": FORMAT, "rules": opened.rules}
    if opened.options:
        data["options"] = dict(opened.options)
    data["seats"] = list(opened.seats)
    parts: list[dict[str, Any]] = []
    data["hands"] = parts
    dealt = 0
    changes = iter(session.seat_changes)
    uncounted = {alert.seq for alert in session.alerts}
    followed = {play.seq for hand in session.hands for trick in hand.tricks for play in trick.plays[1:]}
    for seq, event in corrected(record)[0]:
        if seq in uncounted:
            continue
        if isinstance(event, HandStarted):
            parts.append({"dealer": session.hands[dealt].dealer, "events": []})
            dealt += 1
        elif isinstance(event, PlayerJoined | PlayerLeft):
            parts.append(_written_change(next(changes)))
        elif parts:
            if isinstance(event, CardPlayed) and seq in followed:
                event = replace(event, named=None)  # not led after all: a card that was missed came first
            if isinstance(event, Fined) and event.hand == dealt:
                event = replace(event, hand=None)
            written = _written(event)
            if written:
                _add(parts[-1].setdefault("events", []), event, written)
    if session.closed:
        data["close"] = True
    return data


def _add(events: list[dict[str, Any]], event: Event, written: list[dict[str, Any]]) -> None:
    if isinstance(event, Declared | ToutAnnounced):
        # Entered late, live: in a file it stands where it was said, before the lead.
        lead = next((place for place, item in enumerate(events) if "play" in item), len(events))
        events[lead:lead] = written
    else:
        events += written


# -- reading -------------------------------------------------------------------------------------------------


def _parsed(text: str | bytes) -> Any:
    def no_constant(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no number of the format")

    def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            raise ValueError(f"key {next(key for key in keys if keys.count(key) > 1)!r} stands twice")
        return found

    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=no_twins, parse_constant=no_constant)
    except UnicodeDecodeError as error:
        raise SessionFileError("", f"not UTF-8: byte {error.start} cannot be read") from None
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} at line {error.lineno} column {error.colno}"
        raise SessionFileError("", message) from None
    except ValueError as error:
        raise SessionFileError("", f"not JSON of the format: {error}") from None
    except RecursionError:
        raise SessionFileError("", "not JSON of the format: nested too deeply") from None


class _Reader:
    """A value of the file and its place; every getter fails naming the place."""

    def __init__(self, place: str, value: Any) -> None:
        self.place = place
        self.value = value

    def fail(self, message: str) -> NoReturn:
        raise SessionFileError(self.place or "file", message)

    def __getitem__(self, key: str) -> "_Reader":
        if key not in self.value:
            self.fail(f"{key!r} is missing")
        return _Reader(f"{self.place}.{key}" if self.place else key, self.value[key])

    def object(self, keys: set[str]) -> None:
        if not isinstance(self.value, dict):
            self.fail(f"must be an object, not {_kind(self.value)}")
        for key in self.value:
            if key not in keys:
                self.fail(f"unknown key {key!r}")

    def items(self) -> list["_Reader"]:
        if not isinstance(self.value, list):
            self.fail(f"must be a list, not {_kind(self.value)}")
        return [_Reader(f"{self.place}[{number}]", item) for number, item in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail(f"must be a text, not {_kind(self.value)}")
        if any("\ud800" <= letter <= "\udfff" for letter in self.value):
            self.fail("is no text that can be written")
        return self.value

    def number(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fail(f"must be a whole number, not {_kind(self.value)}")
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            self.fail(f"must be true or false, not {_kind(self.value)}")
        return self.value

    def player(self, seats: tuple[str, ...]) -> str:
        name = self.text()
        if name not in seats:
            self.fail(f"{name!r} is not seated")
        return name

    def card(self) -> str:
        card = self.text()
        if card not in INDEX:
            self.fail(f"unknown card {card!r}")
        return card

    def suit(self) -> str:
        suit = self.text()
        if suit not in SUIT_MASK:
            self.fail(f"unknown suit {suit!r}; there are {', '.join(SUIT_MASK)}")
        return suit


def _kind(value: Any) -> str:
    return {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a whole number",
        float: "a fraction",
    }.get(type(value), "null")


def _options(data: _Reader) -> tuple[tuple[str, bool | int | str], ...]:
    if "options" not in data.value:
        return ()
    options = data["options"]
    if not isinstance(options.value, dict):
        options.fail(f"must be an object, not {_kind(options.value)}")
    pairs = tuple(options.value.items())
    try:
        rule_set("pagat-2024", pairs)
    except RuleError as error:
        options.fail(str(error))
    return pairs


def _seat_change(entry: _Reader, known: tuple[str, ...]) -> PlayerJoined | PlayerLeft | None:
    """An entry of `hands` that says who joined or left; None for one that is a hand.

    It may have `events` of its own, which the published format lacks: fines and adjustments before the next deal.
    """
    if not isinstance(entry.value, dict) or not {"join", "leave"} & entry.value.keys():
        return None
    if "leave" in entry.value:
        entry.object({"leave", "events"})
        return PlayerLeft(entry["leave"].player(known))
    entry.object({"join", "after", "events"})
    return PlayerJoined(entry["join"].text(), entry["after"].player(known))


def _event(item: _Reader, seats: tuple[str, ...]) -> Event:
    if not isinstance(item.value, dict):
        item.fail(f"must be an object, not {_kind(item.value)}")
    kinds = [key for key in item.value if key in _EVENTS]
    if len(kinds) != 1:
        if kinds:
            item.fail(f"one event cannot be both {kinds[0]!r} and {kinds[1]!r}")
        found = ", ".join(map(repr, item.value))
        item.fail(f"unknown event with the keys {found}" if found else "unknown event: it is empty")
    keys, read = _EVENTS[kinds[0]]
    item.object({kinds[0], *keys})
    return read(item, seats)


def _combinations(item: _Reader) -> tuple[Combination, ...]:
    found = []
    for entry in item.items():
        entry.object({"kind", "count", "pagat", "suit", "grade", "missing"})
        fields: dict[str, Any] = {"kind": entry["kind"].text()}
        for key in ("suit", "grade", "missing"):
            if key in entry.value:
                fields[key] = entry[key].text()
        if "count" in entry.value:
            fields["count"] = entry["count"].number()
        if "pagat" in entry.value:
            fields["pagat"] = entry["pagat"].boolean()
        combination = Combination(**fields)
        try:
            check_combinations((combination,))
        except CombinationError as error:
            entry.fail(str(error))
        found.append(combination)
    return tuple(found)


def _play(item: _Reader, seats: tuple[str, ...]) -> Event:
    named = item["named"].suit() if "named" in item.value else None
    return CardPlayed(item["play"].player(seats), item["card"].card(), named)


def _fine(item: _Reader, seats: tuple[str, ...]) -> Event:
    category = item["category"].text()
    if category not in FINE_CATEGORIES:
        item["category"].fail(f"unknown category {category!r}; there are {', '.join(FINE_CATEGORIES)}")
    reason = item["reason"].text() if "reason" in item.value else ""
    paid_back = _combinations(item["declarations"]) if "declarations" in item.value else ()
    hand = item["hand"].number() if "hand" in item.value else None
    return Fined(item["fine"].player(seats), category, reason, paid_back, hand)


def _adjust(item: _Reader, seats: tuple[str, ...]) -> Event:
    moved = item["adjust"]
    moved.object({"from", "to", "amount"})
    source, target = (moved[key].player((*POTS, *seats)) for key in ("from", "to"))
    return Adjusted(source, target, moved["amount"].number(), item["reason"].text())


def _take_back(item: _Reader, seats: tuple[str, ...]) -> Event:
    count = item["take_back"].number()
    if count < 1:
        item["take_back"].fail(f"must be 1 or more, not {count}")
    return PlaysTakenBack(count)


def _redeal(item: _Reader, seats: tuple[str, ...]) -> Event:
    reason = item["redeal"].text()
    if reason not in ("misdeal", "no_trumps"):
        item["redeal"].fail(f"must be 'misdeal' or 'no_trumps', not {reason!r}")
    return Redealt(reason)


# Each event's own keys beside the one that says what it is, and how it is read.
_EVENTS: Final[dict[str, tuple[set[str], Callable[[_Reader, tuple[str, ...]], Event]]]] = {
    "declare": (
        {"combinations"},
        lambda item, seats: Declared(item["declare"].player(seats), _combinations(item["combinations"])),
    ),
    "play": ({"card", "named"}, _play),
    "name_fool": (
        {"suit"},
        lambda item, seats: FoolNamed(item["name_fool"].player(seats), item["suit"].suit()),
    ),
    "call_fool": (set(), lambda item, seats: FoolCalled(item["call_fool"].player(seats))),
    "announce_tout": (set(), lambda item, seats: ToutAnnounced(item["announce_tout"].player(seats))),
    "take_back": (set(), _take_back),
    "fine": ({"category", "reason", "declarations", "hand"}, _fine),
    "adjust": ({"reason"}, _adjust),
    "skat": (set(), lambda item, seats: SkatShown(tuple(card.card() for card in item["skat"].items()))),
    "redeal": (set(), _redeal),
}


# -- writing -------------------------------------------------------------------------------------------------


def _written(event: Event) -> list[dict[str, Any]]:
    """The event as the file has it; nothing for what only a live record knows."""
    match event:
        case Declared(player, combinations):
            return [{"declare": player, "combinations": [_plain(item) for item in combinations]}]
        case CardPlayed(player, card, named):
            return [{"play": player, "card": card} | ({"named": named} if named else {})]
        case FoolNamed(player, suit):
            return [{"name_fool": player, "suit": suit}]
        case PlaysTakenBack(count):
            return [{"take_back": count}]
        case FoolCalled(player):
            return [{"call_fool": player}]
        case ToutAnnounced(player):
            return [{"announce_tout": player}]
        case Fined(player, category, reason, declarations, hand):
            written: dict[str, Any] = {"fine": player, "category": category}
            if hand is not None:
                written["hand"] = hand
            if reason:
                written["reason"] = reason
            if declarations:
                written["declarations"] = [_plain(item) for item in declarations]
            return [written]
        case SkatShown(cards):
            return [{"skat": list(cards)}]
        case Redealt(reason):
            return [{"redeal": reason}]
        case Adjusted(source, target, amount, reason):
            return [{"adjust": {"from": source, "to": target, "amount": amount}, "reason": reason}]
    return []


def _written_change(change: SeatChange) -> dict[str, Any]:
    if change.kind == "leave":
        return {"leave": change.player}
    return {"join": change.player, "after": change.seats[change.seats.index(change.player) - 1]}


def _plain(combination: Combination) -> dict[str, Any]:
    fields = ("kind", "count", "pagat", "suit", "grade", "missing")
    return {name: getattr(combination, name) for name in fields if getattr(combination, name) is not None}
