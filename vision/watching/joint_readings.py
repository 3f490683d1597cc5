"""One trick, one decision: what lies on the table is read as a whole.

Each thing that may be a play has its own evidence. A reading says of each whether it is a play, and whose. It weighs
the sum of that evidence and of what the game expects. A few readings are kept while the things are gone through in the
order in which they came: a beam, as in multiple-hypothesis tracking (Reid 1979, "An algorithm for tracking multiple
targets").
"""

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

OUT_OF_TURN = 0.03
"""Prior odds of a play out of turn."""
SECOND_CARD = 0.005
"""Prior odds of a second card by one player in a trick."""
NOT_PLAYING = 1e-4
"""Prior odds of a card by a player who does not play in this hand."""
NEVER_SEEN = 0.05
"""Prior odds that a card of a trick was never seen where it lay."""
PLAYED_ON = 0.001
"""Prior odds of one more card to a trick that was swept away."""
MOST_READINGS = 24
"""Readings that are kept from one thing to the next."""


@dataclass(frozen=True)
class TableThing:
    """A thing on the table that may be a play, all as natural logarithms.

    `laid` are the odds that a player laid it as his card, by itself. `players` are the probabilities of each player, by
    what was seen of how it came. `names` has its likeliest names, each with its share of the likeliest one's
    probability; "" is another card than it reads as. What is `known` is a play without a doubt: (player, card) as a
    person entered it. It came `after_sweep` if the trick before was swept away by then.
    """

    number: int
    laid: float
    players: Mapping[str, float]
    names: Mapping[str, float]
    known: tuple[str, str] | None = None
    after_sweep: bool = False


@dataclass(frozen=True)
class ReadPlay:
    """A thing, by its `number`, that is read as a play: one of `card`, or "" where it is another than it reads as."""

    number: int
    player: str
    card: str
    after_sweep: bool = False


@dataclass(frozen=True)
class JointReading:
    """A joint reading of some `things`: which are plays, in order.

    `weight` is the natural logarithm of its odds against the reading that has no play.
    """

    weight: float
    plays: tuple[ReadPlay, ...]
    things: frozenset[int]

    def of(self, number: int) -> ReadPlay | None:
        """The play that the thing `number` is; None for none."""
        return next((play for play in self.plays if play.number == number), None)

    def as_json(self) -> dict[str, object]:
        """Its weight and its plays: sighting, player and card, which is empty where it is none that it reads as."""
        plays = [{"sighting": play.number, "player": play.player, "card": play.card} for play in self.plays]
        return {"weight": round(self.weight, 2), "plays": plays}


def joint_readings(
    things: Sequence[TableThing],
    active: Sequence[str],
    due: Callable[[Sequence[tuple[str, str]]], str | None],
    early: tuple[int, float],
    played: Set[str],
) -> list[JointReading]:
    """The likeliest readings of `things`, given in the order in which they came; the likeliest first.

    The first is of a trick's first card. `active` are the players of the hand. `due` says whose turn it is after some
    (player, card) plays. From the play `early` on, counted from 0, each has these prior odds: the trick before lies
    there still. `played` are the cards that were surely played before.
    """
    numbers = frozenset(thing.number for thing in things)
    best = [JointReading(0.0, (), numbers)]
    for thing in things:
        longer = [] if thing.known else list(best)
        for reading in best:
            longer += _with(reading, thing, active, due, early, played)
        best = sorted(longer, key=lambda reading: -reading.weight)[:MOST_READINGS]
    return best


def _with(
    reading: JointReading,
    thing: TableThing,
    active: Sequence[str],
    due: Callable[[Sequence[tuple[str, str]]], str | None],
    early: tuple[int, float],
    played: Set[str],
) -> list[JointReading]:
    """`reading` with `thing` as a play, in each way that it may be."""
    plays = reading.plays
    if thing.known is not None:
        known = ReadPlay(thing.number, *thing.known, thing.after_sweep)
        return [replace(reading, plays=(*plays, known))]
    count = max(len(active), 1)
    in_trick = [play.player for play in plays[len(plays) // count * count :]]
    turn = due(tuple((play.player, play.card) for play in plays))
    named = {play.card for play in plays}
    unknown = 1 / count if "" in named else 1.0
    too_early = math.log(early[1]) if len(plays) >= early[0] else 0.0
    if in_trick and thing.after_sweep and not plays[-1].after_sweep:
        too_early += math.log(PLAYED_ON)
    longer = []
    for player, told in thing.players.items():
        if player not in active:
            fits = NOT_PLAYING
        elif player in in_trick:
            fits = SECOND_CARD
        else:
            fits = 1.0 if turn == player else OUT_OF_TURN if turn else unknown
        for card, read in thing.names.items():
            if card and (card in played or card in named):
                continue
            weight = thing.laid + told + math.log(fits) + read + too_early
            play = ReadPlay(thing.number, player, card, thing.after_sweep)
            longer.append(replace(reading, weight=reading.weight + weight, plays=(*plays, play)))
    return longer


def margin(best: Sequence[JointReading], number: int, otherwise: Callable[[ReadPlay | None], bool]) -> float:
    """By how much the best reading outweighs all in which the thing `number` is read `otherwise`, in nats."""
    others = (reading.weight for reading in best if otherwise(reading.of(number)))
    return best[0].weight - max(others, default=-math.inf)


def rather_with(best: list[JointReading], number: int) -> list[JointReading]:
    """`best`, but first the one with the thing `number` as a play: its trick leaves, and is short of a card."""
    with_it = next((reading for reading in best if reading.of(number)), best[0])
    return best if best[0].weight - with_it.weight > -math.log(NEVER_SEEN) else [with_it, *best]


def rivals(best: Sequence[JointReading], most: int) -> tuple[JointReading, ...]:
    """The first `most` of the readings that differ in which things are plays, and whose; names do not count."""
    told: dict[tuple[tuple[int, str], ...], JointReading] = {}
    for reading in best:
        told.setdefault(tuple((play.number, play.player) for play in reading.plays), reading)
    return tuple(told.values())[:most]
