"""What happened at the table, in the past tense. An evening is a list of these events and nothing else.

Each kind of event is one frozen dataclass that says everything about itself: its fields, its form in a session
file, and what it does to the evening. `Kinds` are the kinds that a game knows: those below, which every game has
(`COMMON`), and its own.

Corrections are events too. They name the stored event that they correct by its number, so the record only
ever grows.
"""

import dataclasses
import functools
import types
import typing
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from tracker.cards import CARDS, FOOL
from tracker.errors import EventError, TarokError
from tracker.reader import Read, Reader, a_card, a_count, a_player, a_suit

if typing.TYPE_CHECKING:
    from tracker.record import Walk

OptionValue = bool | int | str
E = TypeVar("E", bound="type[Event]")


class Event:
    """The base of all kinds. A field `hand`, if there is one, is the number of the hand that the event is about."""

    __slots__ = ()

    form: ClassVar[dict[str, Read]] = {}
    """How a session file has it: for each of its first fields, in order, the key and what reads its value.

    A kind of which this and `may_have` do not tell all has `key`, `keys`, `from_json` and `to_json` of its own.
    """
    may_have: ClassVar[dict[str, Read]] = {}
    """The same for the fields after them, each of which a file has only where it differs from its default."""
    key: ClassVar[str | None] = None
    """The key by which a session file marks this kind; its value is usually the player. None: no file has it."""
    keys: ClassVar[tuple[str, ...]] = ()
    """The other keys that it may have in a session file."""
    of_hand: ClassVar[bool] = False
    """It belongs to the current hand, and is applied again each time that the hand is replayed."""
    moves_chips: ClassVar[bool] = False
    """It only moves chips, so it can also happen between a change of seats and the next deal."""
    before_lead: ClassVar[bool] = False
    """It was said before the opening lead. Entered later in a live session, it still counts from there."""
    gives_way: ClassVar[bool] = False
    """Live, it is replaced once it is entered anew. While another entry leaves no room for it, it does not count."""
    said_in_turn: ClassVar[bool] = False
    """What was said before it limits it. So put right, it may not fit until something else is put right, too."""
    of_play: ClassVar[bool] = False
    """It happened in the play. A session file has it only once all that must be said before the play is known."""
    names_fool: ClassVar[bool] = False
    """It named the suit of a fool that was led. When that name is corrected, it is dropped."""
    corrects: ClassVar[bool] = False
    """It changes an earlier event, so everything is folded again."""
    beside_result: ClassVar[bool] = False
    """It still counts in a hand that is known by its result, as what moves chips does (`tracker.by_result`)."""
    may_name: ClassVar[Collection[str]] = CARDS
    """The cards that it can name."""
    lets_pass: ClassVar[bool] = False
    """It settles a flag at no cost."""
    secret: ClassVar[bool] = False
    """Its player alone is shown what it says, and enters it anew."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.form:
            cls.key, *others = cls.form
            cls.keys = (*others, *cls.may_have)

    @property
    def lies_with(self) -> int | None:
        """The number of the trick that it lies with, and is hidden with while the hand is played; None for none."""
        return None

    @classmethod
    def from_json(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The event in `item`, an object of a session file; `seats` are all who were seated so far."""
        assert cls.form and dataclasses.is_dataclass(cls)
        values, fields = {}, dataclasses.fields(cls)
        for (key, read), field in zip((cls.form | cls.may_have).items(), fields, strict=False):
            if key in cls.form or key in item:
                values[field.name] = read(item[key], seats)
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """The event as an object of a session file."""
        assert self.form and dataclasses.is_dataclass(self)
        written = {}
        for key, field in zip(self.form | self.may_have, dataclasses.fields(self), strict=False):
            value = getattr(self, field.name)
            if key in self.form or value != field.default:
                written[key] = plain(value)
        return written

    def check(self, session: Any) -> None:
        """Raise EventError if it could not be said even before the lead; asked of `before_lead` events only."""

    def apply(self, session: Any, seq: int) -> None:
        """Carry it out in `session` (`tracker.session.Session`); `seq` is its number. Raises EventError."""
        raise NotImplementedError

    def rewritten(self, session: Any, seq: int) -> "Entries | None":
        """The entries of the hand to replay, if this event changes something earlier in the hand.

        None if it simply comes last. Raises EventError.
        """
        hand = session.hand
        if not (self.before_lead and hand.plays and not session.strict):
            return None
        self.check(session)
        lead = next(place for place, (event, _) in enumerate(hand.entries) if isinstance(event, CardPlayed))
        return [*hand.entries[:lead], (self, seq), *hand.entries[lead:]]

    def recorded(self, walk: "Walk", seq: int) -> None:
        """Change the events that stand, numbered `seq`; asked of what `corrects` only. All else joins them."""
        raise NotImplementedError


Entries = list[tuple[Event, int]]
"""Events of a hand, in order, each with its number."""


def cards_of(event: Event) -> tuple[str, ...]:
    """The cards that `event` names; none for most."""
    card = getattr(event, "card", None)
    return (card,) if card is not None else getattr(event, "cards", ())


class Recorded(NamedTuple):
    """An event as stored: its number within the session (from 1, never reused), the time (Unix, s), who entered it.

    `by` is what the page calls a person, "" where it was the camera or the program.
    """

    seq: int
    event: Event
    at: float = 0.0
    by: str = ""


class Kinds:
    """The kinds of event that a game knows, `by_name` as stored and `by_key` as in session files."""

    def __init__(self, *others: "Kinds") -> None:
        self.by_name: dict[str, type[Event]] = {}
        self.by_key: dict[str, type[Event]] = {}
        for other in others:
            self.by_name |= other.by_name
            self.by_key |= other.by_key

    def add(self, kind: E) -> E:
        """Add one more kind; a class decorator."""
        assert kind.__name__ not in self.by_name and kind.key not in self.by_key, kind
        self.by_name[kind.__name__] = kind
        if kind.key is not None:
            self.by_key[kind.key] = kind
        return kind

    def keys_of(self, item: Mapping[str, Any]) -> list[str]:
        """The keys of `item`, an object of a session file, that say which kind it is; one unless it is wrong.

        A key of a kind may be another one's field, as the contract of a bid.
        """
        found = [key for key in item if key in self.by_key]
        whole = [key for key in found if {*found} <= {key, *self.by_key[key].keys}]
        return whole or found

    def from_json(self, data: Mapping[str, Any]) -> Event:
        """The event that `event_to_json` wrote. Raises TarokError for anything else."""
        fields = dict(data) if isinstance(data, Mapping) else {}
        name = fields.pop("event", None)
        kind = self.by_name.get(name) if isinstance(name, str) else None
        if kind is None:
            raise TarokError(f"unknown event {name!r}")
        hints = _types_of(typing.cast(Any, kind))
        unknown = fields.keys() - hints.keys()
        if unknown:
            raise TarokError(f"{name}: unknown field {min(unknown)!r}")
        try:
            return kind(**{key: self._field(hints[key], value) for key, value in fields.items()})
        except (TypeError, ValueError) as error:
            raise TarokError(f"{name}: {error}") from None

    def _field(self, hint: Any, value: Any) -> Any:
        """A field's `value` from JSON; an event may hold another one. Raises ValueError, TarokError."""
        return self.from_json(value) if hint is Event and isinstance(value, dict) else _typed(hint, value)


COMMON = Kinds()


# -- the evening ---------------------------------------------------------------------------------------------


@COMMON.add
@dataclass(frozen=True, slots=True)
class SessionOpened(Event):
    """An evening began. `rules` names a rule set; `seats` are the players counter-clockwise (TABLE-1)."""

    rules: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    seats: tuple[str, ...] = ()

    def apply(self, session: Any, seq: int) -> None:
        raise EventError("the evening was already opened")


@COMMON.add
@dataclass(frozen=True, slots=True)
class HandStarted(Event):
    """A hand was dealt; `dealer` None means the next in turn.

    With `time_s` (source's clock, s) the camera saw by the first trick who dealt: who would sit out has played.
    `sure`: people were asked who dealt, or have corrected it.
    """

    dealer: str | None = None
    time_s: float | None = None
    sure: bool = False

    def apply(self, session: Any, seq: int) -> None:
        session.start_hand(self.dealer, seq, sure=self.sure)


@COMMON.add
@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """A player sat down next after `after`, counter-clockwise (PAY-9)."""

    player: str
    after: str

    def apply(self, session: Any, seq: int) -> None:
        session.join(self)


@COMMON.add
@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player left the table (PAY-10)."""

    player: str

    def apply(self, session: Any, seq: int) -> None:
        session.leave(self.player)


@COMMON.add
@dataclass(frozen=True, slots=True)
class SessionClosed(Event):
    """The evening ended: the pots are shared (PAY-8)."""

    def apply(self, session: Any, seq: int) -> None:
        session.close()


# -- the play ------------------------------------------------------------------------------------------------


@COMMON.add
@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A card was played. `named` is the suit named with a fool that is led, in a game that has this rule.

    `alternatives` mark a doubtful reading: the other cards it may be, likeliest first. `time_s` is in seconds on
    the source's clock. `new_trick`: the camera saw it led after a trick that was taken before it was complete. That
    trick is then closed, and `player` won it, unless people have said that it was not taken.
    """

    player: str
    card: str
    named: str | None = None
    alternatives: tuple[str, ...] = ()
    time_s: float | None = None
    new_trick: bool = False

    form: ClassVar = {"play": a_player, "card": a_card}
    may_have: ClassVar = {"named": a_suit}
    of_hand = True
    of_play = True

    def apply(self, session: Any, seq: int) -> None:
        session.hand.play(self, seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class PlaysTakenBack(Event):
    """The last `count` plays of the hand were taken back. With `time_s` (source's clock, s) the camera saw it.

    Live, `plays` are their numbers: a correction of an earlier play may change which are the last ones.
    """

    count: int
    time_s: float | None = None
    plays: tuple[int, ...] = ()

    form: ClassVar = {"take_back": a_count}
    of_hand = True
    of_play = True

    def rewritten(self, session: Any, seq: int) -> Entries:
        hand = session.hand
        entries: Entries = hand.entered
        last = hand.last_plays(self.count)
        if not self.plays or self.plays == last:
            entries = hand.taken_back(self.count)
        for play in self.plays or last:
            hand.came.pop(play, None)
        session.drop_alerts(self.plays)
        return [(event, number) for event, number in entries if number not in self.plays]


@COMMON.add
@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """The camera saw the cards of a trick swept towards `player`; live only."""

    player: str
    time_s: float | None = None

    def apply(self, session: Any, seq: int) -> None:
        session.trick_taken(self.player, seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class Unwatched(Event):
    """Nobody watched the table for a while during a hand, so plays may be missing; live only.

    It is undone (`EventRetracted`) once a person says that nothing is missing any more.
    """

    of_hand = True

    def apply(self, session: Any, seq: int) -> None:
        session.hand.note_gap(seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class TrickUnseen(Event):
    """`player` won the trick on the table, or the next one; those of its cards that were not entered are unknown."""

    player: str

    form: ClassVar = {"unseen_trick": a_player}
    of_hand = True
    of_play = True

    def apply(self, session: Any, seq: int) -> None:
        session.hand.pass_unseen(self.player, seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class HandAbandoned(Event):
    """Play of the hand was given up (FINE-2). In a session file the hand simply ends there.

    `findings` are the names of the flags that stood then. With `time_s` (source's clock, s) the camera saw the next
    hand begin. That ends no hand whose missing tricks are entered since.
    """

    findings: tuple[str, ...] = ()
    time_s: float | None = None

    of_hand = True

    def apply(self, session: Any, seq: int) -> None:
        if self.time_s is None or not session.hand.complete:
            session.hand.abandon()


@COMMON.add
@dataclass(frozen=True, slots=True)
class ResultChosen(Event):
    """From now on nobody names the cards: the hand will be entered by its result. Without `on` they are named again.

    With `evening` so are all later hands. Live only: what counts is the result itself.
    """

    on: bool = True
    evening: bool = False

    def apply(self, session: Any, seq: int) -> None:
        session.choose_result(on=self.on, evening=self.evening)


@COMMON.add
@dataclass(frozen=True, slots=True)
class FindingPassed(Event):
    """The table let a finding pass: `finding` is its name, `hand` the number of its hand. Live only."""

    player: str
    finding: str
    hand: int

    of_hand = True
    moves_chips = True
    lets_pass = True

    def apply(self, session: Any, seq: int) -> None:
        """It is settled; nothing is booked."""
        session.let_pass(self, seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """The name `player` was written wrong: he is `called` so, and was all evening. Live only.

    A record is read with the names as they are now (`tracker.renaming.named_now`), so there it has only the right one.
    """

    player: str
    called: str

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        pass  # what was stored before it has the new name


# -- corrections ---------------------------------------------------------------------------------------------


@COMMON.add
@dataclass(frozen=True, slots=True)
class PlayCorrected(Event):
    """The play stored as `seq` was really this card, player or named suit; None leaves it as it was.

    With `time_s` (source's clock, s) the camera corrected itself. If it still may be one of `alternatives`, it is still
    asked about.
    """

    seq: int
    card: str | None = None
    player: str | None = None
    named: str | None = None
    time_s: float | None = None
    alternatives: tuple[str, ...] = ()

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        play = walk.standing.get(self.seq)
        if not isinstance(play, CardPlayed):
            walk.complain(seq, "there is no play {number} to correct", number=self.seq)
            return
        card = self.card if self.card is not None else play.card
        walk.standing[self.seq] = replace(
            play,
            player=self.player if self.player is not None else play.player,
            card=card,
            named=(self.named if self.named is not None else play.named) if card == FOOL else None,
            # Correcting only the player leaves the card as doubtful as it was.
            alternatives=play.alternatives if self.card is None else self.alternatives,
        )
        if self.named is not None:
            walk.forget_names_after(self.seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class PlayRemoved(Event):
    """The play stored as `seq` never happened. With `time_s` (source's clock, s) the camera corrected itself."""

    seq: int
    time_s: float | None = None

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        if isinstance(walk.standing.get(self.seq), CardPlayed):
            del walk.standing[self.seq]
        else:
            walk.complain(seq, "there is no play {number} to remove", number=self.seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class PlayInserted(Event):
    """A play that was missed, before the event stored as `before_seq`; None means now."""

    before_seq: int | None
    player: str
    card: str
    named: str | None = None

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        walk.insert(seq, CardPlayed(self.player, self.card, self.named), self.before_seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class TrickMissed(Event):
    """A trick of which cards were missed, before the event stored as `before_seq`; None means now. `player` won it.

    What was seen of it stands before. It is undone (`EventRetracted`) once all its cards are entered.
    """

    before_seq: int | None
    player: str

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        walk.insert(seq, TrickUnseen(self.player), self.before_seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class DealerCorrected(Event):
    """The hand started as `seq` was really dealt by this player."""

    seq: int
    dealer: str

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        if isinstance(walk.standing.get(self.seq), HandStarted):
            walk.standing[self.seq] = HandStarted(self.dealer, sure=True)
        else:
            walk.complain(seq, "event {number} does not start a hand", number=self.seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class EntryCorrected(Event):
    """What was entered as `seq` was really `entry`, which is of the same kind. A play has corrections of its own."""

    seq: int
    entry: Event

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        if type(walk.standing.get(self.seq)) is type(self.entry) and not isinstance(self.entry, CardPlayed):
            walk.standing[self.seq] = self.entry
        else:
            walk.complain(seq, "there is no such entry {number} to correct", number=self.seq)


@COMMON.add
@dataclass(frozen=True, slots=True)
class EntryInserted(Event):
    """`entry` happened in the hand with the number `hand`, and was entered only when that was over."""

    hand: int
    entry: Event

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        place = walk.end_of_hand(self.hand) if self.entry.of_hand else None
        if place is None:
            walk.complain(seq, "there is no hand {number}", number=self.hand)
            return
        given_up = [one for one in walk.hand_before(place) if isinstance(walk.standing[one], HandAbandoned)]
        walk.order.insert(walk.order.index(given_up[0]) if given_up else place, seq)
        walk.standing[seq] = self.entry


@COMMON.add
@dataclass(frozen=True, slots=True)
class EventRetracted(Event):
    """The event stored as `seq` is undone; a correction can be undone too."""

    seq: int

    corrects = True

    def recorded(self, walk: "Walk", seq: int) -> None:
        pass  # `corrected` has left out what it undoes


class DealtAgain(Event):
    """The same dealer deals again: what was said before is void. Its key in a file is "redeal"."""

    __slots__ = ()
    key = "redeal"
    of_hand = True
    beside_result = True

    @property
    def was_late(self) -> bool:
        """Whether it was remembered only after cards of the new deal: then they stay when it is undone."""
        return False

    @staticmethod
    def begins(entries: Entries) -> int:
        """The place in the `entries` of a hand where its newest deal begins."""
        return next(
            (at + 1 for at in reversed(range(len(entries))) if isinstance(entries[at][0], DealtAgain)), 0
        )


# -- as JSON -------------------------------------------------------------------------------------------------


def event_to_json(event: Event) -> dict[str, Any]:
    """`event` as a JSON object: `{"event": "CardPlayed", …}` with the fields that differ from their defaults."""
    data: dict[str, Any] = {"event": type(event).__name__}
    for field in dataclasses.fields(event):  # type: ignore[arg-type]
        value = getattr(event, field.name)
        if value != field.default:
            data[field.name] = plain(value)
    return data


def plain(value: Any) -> Any:
    """`value` as JSON: tuples as lists, a dataclass as an object of those fields that are not None."""
    if isinstance(value, Event):
        return event_to_json(value)
    if dataclasses.is_dataclass(value):
        return {
            field.name: plain(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if getattr(value, field.name) is not None
        }
    return [plain(item) for item in value] if isinstance(value, tuple) else value


@functools.cache
def _types_of(kind: type[Any]) -> dict[str, Any]:
    """The types of a dataclass's fields. Python reads them anew whenever it is asked, longer than a hand is folded."""
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _typed(hint: Any, value: Any) -> Any:
    """`value` from JSON as the field's type `hint`. Raises ValueError if it is of another type."""
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
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, dict):
            raise ValueError(f"{value!r} is not a {hint.__name__.lower()}")  # type: ignore[union-attr]
        hints = _types_of(typing.cast(Any, hint))
        return hint(**{key: _typed(hints[key], item) for key, item in value.items() if key in hints})  # type: ignore[operator]
    allowed = typing.get_args(hint) if origin in (types.UnionType, typing.Union) else (hint,)
    # bool is an int in Python, but a count of true is a mistake.
    if type(value) in allowed or (float in allowed and type(value) is int):
        return value
    if value is None and type(None) in allowed:
        return None
    raise ValueError(f"{value!r} is not of the type {hint}")
