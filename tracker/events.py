"""What happened at the table, in the past tense; an evening is a list of these and nothing else.

Every event is frozen. Corrections are events too: they name the sequence number of the stored event they
put right, so that the record only ever grows. `event_to_json` and `event_from_json` round-trip each one.
"""

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tracker.errors import TarokError

OptionValue = bool | int | str


@dataclass(frozen=True, slots=True)
class Combination:
    """One declared combination (DECL-1..4).

    `kind` is trumps (`count`, `pagat`), matadors (`count`), cavallerie (`suit`, `grade`) or kings (`grade`);
    a half `grade` names what is `missing`: a court rank of a cavallerie, a suit of the kings.
    """

    kind: str
    count: int | None = None
    pagat: bool | None = None
    suit: str | None = None
    grade: str | None = None
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """An evening began. `rules` names a rule set; `seats` are the players counter-clockwise (TABLE-1)."""

    rules: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    seats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandStarted:
    """A hand was dealt; `dealer` None is the next in turn."""

    dealer: str | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """A player declared; no combinations is "pass"."""

    player: str
    combinations: tuple[Combination, ...] = ()


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card came to lie on the table.

    `alternatives` (likeliest first, the booked card not among them) mark a doubtful reading; `time_s` is in
    seconds on the source's clock.
    """

    player: str
    card: str
    named: str | None = None
    alternatives: tuple[str, ...] = ()
    time_s: float | None = None


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The cards of a trick left towards `player`: what the camera saw, live only."""

    player: str
    time_s: float | None = None


@dataclass(frozen=True, slots=True)
class Unwatched:
    """Nobody watched the table for a while in the middle of a hand: plays may be missing; live only.

    Undone (`EventRetracted`) it means that nothing is missing, or no longer.
    """


@dataclass(frozen=True, slots=True)
class FoolNamed:
    """A player named, or renamed, the suit of the fool that was led (FOOL-2, FOOL-3)."""

    player: str
    suit: str


@dataclass(frozen=True, slots=True)
class FoolCalled:
    """A player called for the fool in trick 23 (FOOL-5)."""

    player: str


@dataclass(frozen=True, slots=True)
class ToutAnnounced:
    """The dealer announced that he plays for Tout (DISC-3)."""

    player: str


@dataclass(frozen=True, slots=True)
class PlaysTakenBack:
    """The last `count` plays of the hand were taken back; with `time_s` (source's clock, s) the camera saw it."""

    count: int
    time_s: float | None = None


@dataclass(frozen=True, slots=True)
class Fined:
    """The table fined a player (FINE-1: a person confirmed it); it is paid now (FINE-4).

    `declarations` are the combinations whose payment goes back; under DTF rules all of his do, unasked.
    `hand` is the number of the hand, from 1, that he is fined for, the current or an earlier one; None is the
    current one. `finding` is the name of the finding (`Finding.name`) that he is fined for, if for one.
    """

    player: str
    category: str
    reason: str = ""
    declarations: tuple[Combination, ...] = ()
    hand: int | None = None
    finding: str = ""


@dataclass(frozen=True, slots=True)
class SkatShown:
    """The three cards of the skat were shown."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Redealt:
    """The same dealer deals again: `misdeal` (5 to each pot) or `no_trumps` (free, TABLE-4)."""

    reason: str


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The players moved `amount` chips among themselves, from and to a player or pot, and said why (FINE-5)."""

    source: str
    target: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A player sat down next after `after`, counter-clockwise (PAY-9).

    Records of earlier versions have `seat_index` instead, the place among the seats from 0.
    """

    player: str
    after: str | None = None
    seat_index: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player left the table (PAY-10)."""

    player: str


@dataclass(frozen=True, slots=True)
class HandAbandoned:
    """Play of the hand was given up (FINE-2)."""


@dataclass(frozen=True, slots=True)
class SessionClosed:
    """The evening ended: the pots are shared (PAY-8)."""


@dataclass(frozen=True, slots=True)
class PlayCorrected:
    """The play stored as `seq` was really this card, player or name; None leaves it as it was.

    With `time_s` (source's clock, s) the camera put itself right.
    """

    seq: int
    card: str | None = None
    player: str | None = None
    named: str | None = None
    time_s: float | None = None


@dataclass(frozen=True, slots=True)
class PlayRemoved:
    """The play stored as `seq` never happened."""

    seq: int


@dataclass(frozen=True, slots=True)
class PlayInserted:
    """A play that was missed: before the event stored as `before_seq`, or now where that is None."""

    before_seq: int | None
    player: str
    card: str
    named: str | None = None


@dataclass(frozen=True, slots=True)
class DealerCorrected:
    """The hand started as `seq` was really dealt by this player."""

    seq: int
    dealer: str


@dataclass(frozen=True, slots=True)
class EventRetracted:
    """The event stored as `seq` is undone; a correction can be undone too."""

    seq: int


Event = (
    SessionOpened
    | HandStarted
    | Declared
    | CardPlayed
    | TrickTaken
    | Unwatched
    | FoolNamed
    | FoolCalled
    | ToutAnnounced
    | PlaysTakenBack
    | Fined
    | SkatShown
    | Redealt
    | Adjusted
    | PlayerJoined
    | PlayerLeft
    | HandAbandoned
    | SessionClosed
    | PlayCorrected
    | PlayRemoved
    | PlayInserted
    | DealerCorrected
    | EventRetracted
)
CORRECTIONS = (PlayCorrected, PlayRemoved, PlayInserted, DealerCorrected, EventRetracted)
EVENT_TYPES: dict[str, type[Event]] = {cls.__name__: cls for cls in typing.get_args(Event)}


class Recorded(typing.NamedTuple):
    """An event as stored: its number within the session (from 1, never reused) and the time (Unix, s)."""

    seq: int
    event: Event
    at: float = 0.0


def event_to_json(event: Event) -> dict[str, Any]:
    """`event` as a JSON object: `{"event": "CardPlayed", ...its fields that differ from their default}`."""
    data: dict[str, Any] = {"event": type(event).__name__}
    for field in dataclasses.fields(event):
        value = getattr(event, field.name)
        if value != field.default:
            data[field.name] = _plain(value)
    return data


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The event that `event_to_json` wrote. Raises TarokError for anything else."""
    fields = dict(data)
    name = fields.pop("event", None)
    cls = EVENT_TYPES.get(name) if isinstance(name, str) else None
    if cls is None:
        raise TarokError(f"unknown event {name!r}")
    hints = typing.get_type_hints(cls)
    unknown = fields.keys() - hints.keys()
    if unknown:
        raise TarokError(f"{name}: unknown field {min(unknown)!r}")
    try:
        values = {key: _typed(hints[key], value) for key, value in fields.items()}
        return cls(**values)
    except (TypeError, ValueError) as error:
        raise TarokError(f"{name}: {error}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Combination):
        return {
            field.name: getattr(value, field.name)
            for field in dataclasses.fields(value)
            if getattr(value, field.name) is not None
        }
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _typed(hint: Any, value: Any) -> Any:
    """`value` from JSON as the field's type; raises ValueError where it is of another type."""
    origin = typing.get_origin(hint)
    if origin is tuple:
        arguments = typing.get_args(hint)
        if not isinstance(value, list):
            raise ValueError(f"{value!r} is not a list")
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple(_typed(arguments[0], item) for item in value)
        if len(arguments) != len(value):
            raise ValueError(f"{value!r} does not have {len(arguments)} entries")
        return tuple(_typed(argument, item) for argument, item in zip(arguments, value, strict=True))
    if hint is Combination:
        if not isinstance(value, dict):
            raise ValueError(f"{value!r} is not a combination")
        hints = typing.get_type_hints(Combination)
        return Combination(**{key: _typed(hints[key], item) for key, item in value.items() if key in hints})
    allowed = typing.get_args(hint) if origin in (types.UnionType, typing.Union) else (hint,)
    # bool is an int in Python, but a count of true is a mistake.
    if type(value) in allowed or (float in allowed and type(value) is int):
        return value
    if value is None and type(None) in allowed:
        return None
    raise ValueError(f"{value!r} is not of the type {hint}")
