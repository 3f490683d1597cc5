"""A hand that is known by its result alone: nobody saw its cards, so it is paid and no revoke can be judged.

What a result says belongs to the game, which derives its own kind from `ByResult`; `Hand.settle` pays it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tracker.errors import EventError
from tracker.events import Entries, Event
from tracker.reader import Reader

if TYPE_CHECKING:
    from tracker.record import Walk


@dataclass(frozen=True, slots=True, kw_only=True)
class ByResult(Event):
    """The hand is known by its result: the base of a game's kind, which is called `ResultEntered` in every game.

    It stands for all the cards of the hand and for what was said for their play, which no longer count. What moves
    chips still counts, and so does what is `beside_result`. Entered again, it replaces the result before it. `hand` is
    the number of the hand, from 1; None means the current one.

    In a game's kind each item of a tuple is a player, or a player with what is said of him. `of_one` names the fields
    that hold one player.
    """

    hand: int | None = None
    of_one: ClassVar[tuple[str, ...]] = ()

    key = "result"
    of_hand = True
    corrects = True

    @classmethod
    def from_json(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The result in `item`, which has it under "result"."""
        return cls.stated_in(item["result"], seats)

    def to_json(self) -> dict[str, Any]:
        """The result as a session file has it."""
        return {"result": self.stated()}

    @classmethod
    def stated_in(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The result that the object `item` states; the game says with which keys."""
        raise NotImplementedError

    def stated(self) -> dict[str, Any]:
        """The result as an object of session file and audit, which `stated_in` reads; only what happened is in it."""
        return {key: value for key, value in self.said().items() if value is not None}

    def said(self) -> dict[str, Any]:
        """The values of all keys, None for what did not happen; the game says them."""
        raise NotImplementedError

    def recorded(self, walk: "Walk", seq: int) -> None:
        """It joins the events of its hand, in the place of a result that was entered before."""
        place = len(walk.order) if self.hand is None else walk.end_of_hand(self.hand)
        if place is None:
            walk.complain(seq, "there is no hand {number}", number=self.hand)
            return
        hand = walk.hand_before(place)
        before = next((one for one in hand if isinstance(walk.standing[one], ByResult)), None)
        if before is None:
            walk.order.insert(place, seq)
        else:
            walk.order[walk.order.index(before)] = seq
            del walk.standing[before]
        walk.standing[seq] = replace(self, hand=None)

    def rewritten(self, session: Any, seq: int) -> Entries | None:
        """Live, the cards that were seen before no longer count. A session file has none: raises EventError.

        It stands where the last card of a complete hand fell (FINE-4, T59-FINE-3), else where it is entered.
        """
        hand = session.hand
        entries: Entries = hand.entries
        played = [at for at, (event, _) in enumerate(entries) if event.of_play] if hand.complete else []
        over = played[-1] if played else len(entries)
        before, after = (
            [(event, number) for event, number in part if event.beside_result or event.moves_chips]
            for part in (entries[:over], entries[over:])
        )
        if len(before) + len(after) == len(entries):
            return None
        if session.strict:
            raise EventError("a hand with a result has no cards and nothing else that was played")
        return [*before, (self, seq), *after]

    def apply(self, session: Any, seq: int) -> None:
        """The hand is settled by it; what was asked about its cards is settled too."""
        hand = session.hand
        hand.enter_result(self)
        session.drop_alerts({alert.seq for alert in hand.alerts if alert.of_hand})

    def with_names(self, names: Mapping[str, str]) -> Self:
        """The same with each player of `names` called what it says."""
        changes: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                changes[field.name] = tuple(_renamed(item, names) for item in value)
            elif field.name in self.of_one:
                changes[field.name] = _renamed(value, names)
        return replace(self, **changes)


def _renamed(item: Any, names: Mapping[str, str]) -> Any:
    if isinstance(item, tuple):
        return (_renamed(item[0], names), *item[1:])
    return names.get(item, item)


# -- what results of several games have --------------------------------------------------------------------


def player_at(item: Reader, key: str, seats: tuple[str, ...]) -> str | None:
    """The player named by `key` in `item`; None where it is not there. Raises SessionFileError."""
    return item[key].player(seats) if key in item else None


def by_player(item: Reader, key: str, seats: tuple[str, ...]) -> list[tuple[str, Reader]]:
    """The values of the object `key` in `item`, if it is there, each with its player. Raises SessionFileError."""
    if key not in item:
        return []
    found = item[key]
    for name in found.mapping():
        if name not in seats:
            found.fail("{name!r} is not seated", name=name)
    return [(name, found[name]) for name in found.mapping()]


def lists_by_player(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """What is said of each player, in the order in which he is first named."""
    players = dict.fromkeys(player for player, _ in pairs)
    return {player: [said for name, said in pairs if name == player] for player in players}


def must_play(active: Sequence[str], players: Iterable[str | None]) -> None:
    """Raise EventError unless each of `players` who is named is one of `active`."""
    for player in players:
        if player is not None and player not in active:
            raise EventError("{player} does not play this hand", player=player)
