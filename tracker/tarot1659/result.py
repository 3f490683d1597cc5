"""A hand of the Tarot of 1659 by its result: who takes the pot, and the points if they were counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from tracker.by_result import ByResult, by_player, must_play
from tracker.errors import EventError
from tracker.reader import Reader
from tracker.tarot1659.events import EVENTS
from tracker.tarot1659.pack import PACK
from tracker.tarot1659.rule_sets import RuleSet

if TYPE_CHECKING:
    from tracker.tarot1659.hand import Hand1659


@EVENTS.add
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered(ByResult):
    """What a hand came to: the `points` of all players, or only who had the most (`winners`)."""

    points: tuple[tuple[str, int], ...] = ()
    winners: tuple[str, ...] = ()

    @classmethod
    def stated_in(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The result that the object `item` states."""
        item.object(RESULT_KEYS)
        points = tuple((player, number.number()) for player, number in by_player(item, "points", seats))
        winners = item["winners"].items() if "winners" in item else []
        return cls(points=points, winners=tuple(player.player(seats) for player in winners))

    def said(self) -> dict[str, Any]:
        """The values of all keys, None for what was not said."""
        return {"points": dict(self.points) or None, "winners": list(self.winners) or None}


RESULT_KEYS: Final = set(ResultEntered().said())
"""What a result may state, in session file and audit."""


def highest(points: Mapping[str, int]) -> list[str]:
    """T59-WIN-1: who has the most points."""
    most = max(points.values())
    return [player for player in points if points[player] == most]


def most_points(rules: RuleSet) -> int:
    """T59-CARD-3: no hand has more, all players together."""
    return PACK.value(PACK.all_cards) + rules.cards


def standing_of(
    result: ResultEntered, players: Sequence[str], rules: RuleSet
) -> tuple[dict[str, int] | None, list[str]]:
    """The points of each of `players` (None if points were left uncounted), and who has the most.

    Raises EventError if no hand comes to `result`.
    """
    must_play(players, (*result.winners, *(player for player, _ in result.points)))
    if not result.points:
        if not result.winners:
            raise EventError("nobody won the hand; choose who won, or enter the points")
        if len(set(result.winners)) < len(result.winners):
            raise EventError("a winner is named twice")
        return None, [player for player in players if player in result.winners]
    known = dict(result.points)
    for player in players:
        if player not in known:
            raise EventError("the points of {player} are missing", player=player)
    most = most_points(rules)
    if min(known.values()) < 0 or sum(known.values()) > most:
        raise EventError(
            "the points of a hand are at most {sum} together, not {total}",
            sum=most,
            total=sum(known.values()),
        )
    points = {player: known[player] for player in players}
    winners = highest(points)
    if result.winners and set(result.winners) != set(winners):
        raise EventError("by the points {players} won the hand", players=", ".join(winners))
    return points, winners


def result_so_far(hand: "Hand1659") -> ResultEntered:
    """What the cards seen of `hand` say of its result: all of it once it is complete, and nothing before."""
    return ResultEntered(points=tuple((hand.points or {}).items()))
