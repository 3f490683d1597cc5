"""One trick, one decision: what lies on the table is read as a whole.

Each thing that may be a play has its own evidence. A reading says of each thing whether it is a play, and whose. Its
weight is the sum of that evidence and of what the game expects. The things are taken in the order in which they came,
and after each only the likeliest readings are kept: a beam, as in multiple-hypothesis tracking (Reid 1979, "An
algorithm for tracking multiple targets").
"""

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from vision.watching.expectation import players_from

OUT_OF_TURN = 0.03
"""Prior odds of a play out of turn."""
SECOND_CARD = 0.005
"""Prior odds of a second card by one player in a trick."""
NOT_PLAYING = 1e-4
"""Prior odds of a card by a player who does not play in this hand."""
NEVER_SEEN = 0.02
"""Prior odds that a card of a trick was never seen where it lay."""
NOR_ANOTHER = 0.2
"""Prior odds that one more card was never seen of a trick that was swept away: the sweep tells that it was complete."""
TOOK_IT = 0.8
"""Share of leads by the player to whose side the last trick was swept."""
PLAYED_ON = 0.001
"""Prior odds that one more card was played to a trick that was swept away."""
MOST_READINGS = 24
"""Readings that are kept after each thing."""
UNSEEN: Final = 0
"""The number of a play that was never seen."""


@dataclass(frozen=True)
class TableThing:
    """A thing on the table that may be a play. All its odds and probabilities are natural logarithms.

    - `laid`: the odds that a player laid it as his card, by its own evidence.
    - `players`: the probability of each player, by how the thing came.
    - `names`: its likeliest names, each as a share of the likeliest one's probability. "" stands for all others.
    - `known`: (player, card), where a person entered it: a play without a doubt.
    - `sweeps`: how many times cards were swept away before it came.
    """

    number: int
    laid: float
    players: Mapping[str, float]
    names: Mapping[str, float]
    known: tuple[str, str] | None = None
    sweeps: int = 0


@dataclass(frozen=True)
class ReadPlay:
    """The thing `number`, read as a play of `card`; "" where it is none of its likeliest names.

    With `UNSEEN` for its number it is a play that was never seen, of an unknown card.
    """

    number: int
    player: str
    card: str
    sweeps: int = 0


@dataclass(frozen=True)
class JointReading:
    """A joint reading of `things` (their numbers): those that are `plays`, in order.

    `weight` is the natural logarithm of its odds against the reading without any play. `dealer` is who dealt the hand
    that begins with these plays; "" in a hand that has begun.
    """

    weight: float
    plays: tuple[ReadPlay, ...]
    things: frozenset[int]
    dealer: str = ""

    def of(self, number: int) -> ReadPlay | None:
        """The play that the thing `number` is in this reading, if any."""
        return next((play for play in self.plays if play.number == number), None)

    def as_json(self) -> dict[str, object]:
        """For `tarok watch --explain`: the weight, and each play with its sighting, player and card."""
        plays = [{"sighting": play.number, "player": play.player, "card": play.card} for play in self.plays]
        return {"weight": round(self.weight, 2), "plays": plays}


def joint_readings(
    things: Sequence[TableThing],
    active: tuple[str, ...],
    due: Callable[[Sequence[tuple[str, str]]], str | None],
    early: tuple[int | None, float],
    played: Set[str],
    taker: str | None = None,
    stays: bool = False,
) -> list[JointReading]:
    """The likeliest readings of `things`, the likeliest first.

    `things` are in the order in which they came, from the first card of a trick. `active` are the players of the
    hand. `due` says whose turn it is after some (player, card) plays. `early` is (number, odds): the trick of that
    thing still lies there, so a play to a later trick has these prior odds. `played` are the cards that were surely
    played before. `taker` is the player to whose side the last trick was swept. `stays`: no trick is swept away, and
    each of the `things` is surely a play.
    """
    numbers = frozenset(thing.number for thing in things)
    best: list[_Way] = [(0.0, ())]
    for thing in things:
        longer = [] if thing.known or stays else list(best)
        for weight, plays in best:
            longer += _with(weight, plays, thing, active, due, early, played)
            rest = _rest_of_trick(plays, active)
            if rest and (stays or _is_swept_before(thing, plays)):
                nor_another = NEVER_SEEN if stays else NOR_ANOTHER
                unseen = weight + math.log(NEVER_SEEN) + (len(rest) - 1) * math.log(nor_another)
                longer += _with(unseen, (*plays, *rest), thing, active, due, early, played, taker)
        best = sorted(longer, key=lambda way: -way[0])[:MOST_READINGS]
    return [JointReading(weight, plays, numbers) for weight, plays in best]


_Way = tuple[float, tuple[ReadPlay, ...]]
"""The weight and the plays of a reading that is being made."""


def _in_trick(plays: tuple[ReadPlay, ...], active: tuple[str, ...]) -> list[str]:
    """Who of the `active` players has played to the trick that is open after `plays`, in order."""
    count = max(len(active), 1)
    return [play.player for play in plays[len(plays) // count * count :]]


def _rest_of_trick(plays: tuple[ReadPlay, ...], active: tuple[str, ...]) -> tuple[ReadPlay, ...]:
    """The plays that the open trick lacks after `plays`, as plays that were never seen; none where no trick is open."""
    in_trick = _in_trick(plays, active)
    lacking = len(active) - len(in_trick) if in_trick else 0
    return tuple(ReadPlay(UNSEEN, player, "") for player in active if player not in in_trick)[:lacking]


def _is_swept_before(thing: TableThing, plays: tuple[ReadPlay, ...]) -> bool:
    """Whether what the last of `plays` was played to was swept away before `thing` came."""
    return bool(plays) and thing.sweeps > plays[-1].sweeps


def _with(
    weight: float,
    plays: tuple[ReadPlay, ...],
    thing: TableThing,
    active: tuple[str, ...],
    due: Callable[[Sequence[tuple[str, str]]], str | None],
    early: tuple[int | None, float],
    played: Set[str],
    taker: str | None = None,
) -> list[_Way]:
    """A reading of this `weight` and these `plays`, with `thing` as one more play, in each way that it may be.

    Between them there may be plays that were never seen. `taker` took a trick that was short of a card.
    """
    if thing.known is not None:
        return [(weight, (*plays, ReadPlay(thing.number, *thing.known, thing.sweeps)))]
    count, in_trick = max(len(active), 1), _in_trick(plays, active)
    turn = due(tuple((play.player, play.card) for play in plays))
    named = {play.card for play in plays}
    first = next((at for at, play in enumerate(plays) if play.number == early[0]), len(plays))
    too_early = math.log(early[1]) if first < len(plays) - len(in_trick) else 0.0
    if in_trick and _is_swept_before(thing, plays):
        too_early += math.log(PLAYED_ON)
    longer = []
    for player, told in thing.players.items():
        skipped: tuple[ReadPlay, ...] = ()
        if player not in active:
            fits = NOT_PLAYING
        elif player in in_trick:
            fits = SECOND_CARD
        elif turn == player:
            fits = 1.0
        elif turn:
            order = players_from(active, turn)
            passed_over = [one for one in order[: order.index(player)] if one not in in_trick]
            skipped = tuple(ReadPlay(UNSEEN, one, "", thing.sweeps) for one in passed_over)
            fits = OUT_OF_TURN
        elif taker is not None and count > 1:
            fits = TOOK_IT if player == taker else (1 - TOOK_IT) / (count - 1)
        else:
            fits = _may_lead(player, plays, count, due) if "" in named else 1.0
        for card, read in thing.names.items():
            if card and (card in played or card in named):
                continue
            more = weight + thing.laid + told + read + too_early
            play = ReadPlay(thing.number, player, card, thing.sweeps)
            longer.append((more + math.log(fits), (*plays, play)))
            if skipped:
                longer.append((more + len(skipped) * math.log(NEVER_SEEN), (*plays, *skipped, play)))
    return longer


def _may_lead(
    player: str,
    plays: tuple[ReadPlay, ...],
    count: int,
    due: Callable[[Sequence[tuple[str, str]]], str | None],
) -> float:
    """The probability that `player` leads after a trick of `count` cards, one of which is unknown.

    The trick was won by the player of that card, or by who wins it without that card.
    """
    trick = plays[-count:]
    unknown = [play.player for play in trick if not play.card]
    lead = trick[0].card
    won = due(tuple((play.player, play.card or lead) for play in plays)) if lead else None
    if won is None or len(unknown) != 1:
        return 1 / count
    return 0.5 if player in (won, *unknown) else OUT_OF_TURN


def begins_after_unseen(reading: JointReading, number: int, active: Sequence[str]) -> bool:
    """Whether the thing `number` leads in `reading`, after a trick of the `active` of which a play was never seen."""
    count = max(len(active), 1)
    at = next((at for at, play in enumerate(reading.plays) if play.number == number), 0)
    return at % count == 0 and any(play.number == UNSEEN for play in reading.plays[max(at - count, 0) : at])


def is_from_each(plays: Sequence[ReadPlay], players: int) -> bool:
    """Whether no player has two cards in any trick of `plays`: so a hand begins."""
    tricks = [plays[at : at + players] for at in range(0, len(plays), players)]
    return all(len({play.player for play in trick}) == len(trick) for trick in tricks)


def margin(best: Sequence[JointReading], number: int, otherwise: Callable[[ReadPlay | None], bool]) -> float:
    """Nats by which the best reading outweighs every reading for which `otherwise` is true of the thing `number`."""
    others = (reading.weight for reading in best if otherwise(reading.of(number)))
    return best[0].weight - max(others, default=-math.inf)


def rather_with(best: list[JointReading], number: int) -> list[JointReading]:
    """`best`, but first the likeliest reading in which the thing `number` is a play, unless that is far less likely.

    It is asked when a trick leaves that is short of a card.
    """
    with_it = next((reading for reading in best if reading.of(number)), best[0])
    return best if best[0].weight - with_it.weight > -math.log(NEVER_SEEN) else [with_it, *best]


def rivals(best: Sequence[JointReading], most: int) -> tuple[JointReading, ...]:
    """The first `most` readings that differ in which things are plays, or in whose. Names make no difference."""
    told: dict[tuple[tuple[int, str], ...], JointReading] = {}
    for reading in best:
        told.setdefault(tuple((play.number, play.player) for play in reading.plays), reading)
    return tuple(told.values())[:most]
