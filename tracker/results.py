"""Results of evenings of any game: chips hand by hand, and each player's totals over a season."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tracker.hand import Hand
from tracker.ledger import Payment
from tracker.seat_change import SeatChange
from tracker.session import Session

CLOSING: Final = "close"
"""The reason of the payments that are made when an evening is settled."""


@dataclass(frozen=True)
class Tally:
    """What one `part` of an evening came to: a hand, a change of seats, or (None) the settling.

    `payments` are its own. `moved` are the chips that each player gained or lost in it. `balances` are those after it,
    of the players who had sat down by then.
    """

    part: Hand | SeatChange | None
    payments: list[Payment]
    moved: dict[str, int]
    balances: dict[str, int]


def tallies(session: Session[Any, Any], parts: Sequence[Hand | SeatChange]) -> list[Tally]:
    """What each of `parts`, the first ones of an evening, came to; last, where chips are kept, the settling."""
    found: list[Tally] = []
    balances = dict.fromkeys(session.opened.seats, 0)
    for part, payments in _chapters(session, parts):
        if isinstance(part, SeatChange):
            balances = {**balances, part.player: balances.get(part.player, 0)}
        moved = Counter(dict.fromkeys(balances, 0))
        for payment in payments:
            moved[payment.source] -= payment.amount
            moved[payment.target] += payment.amount
        balances = {name: chips + moved[name] for name, chips in balances.items()}
        found.append(Tally(part, payments, {name: moved[name] for name in balances}, balances))
    return found


def _chapters(
    session: Session[Any, Any], parts: Sequence[Hand | SeatChange]
) -> Iterator[tuple[Hand | SeatChange | None, list[Payment]]]:
    """Each part with its payments; those of the settling, which are booked in the last part, by themselves.

    A score sheet is not settled: it stands as it is.
    """
    closing: list[Payment] = []
    for part in parts:
        yield part, [payment for payment in part.payments if payment.reason != CLOSING]
        closing += [payment for payment in part.payments if payment.reason == CLOSING]
    if session.closed and session.keeps_chips:
        yield None, closing


@dataclass(frozen=True)
class Result:
    """What an evening came to: each player's `chips`, the hands each has `played`, and how many `hands` there were.

    `chips` sum to 0 once the evening is `settled`; until then the pots hold some. A game that keeps points instead of
    chips (`keeps_chips` False) has its points there, whose sum may be any. `rules` names the rule set that was played.
    """

    chips: dict[str, int]
    played: dict[str, int]
    hands: int
    settled: bool
    keeps_chips: bool = True
    rules: str = ""

    @property
    def counts(self) -> bool:
        """Whether a season counts the evening: it is settled, and was not opened by mistake."""
        return self.settled and (self.hands > 0 or any(self.chips.values()))


def result_of(session: Session[Any, Any], parts: Sequence[Hand | SeatChange]) -> Result:
    """The result of an evening by the `parts` of it that are shown."""
    last = tallies(session, parts)[-1:]
    chips = last[0].balances if last else dict.fromkeys(session.opened.seats, 0)
    hands = [part for part in parts if isinstance(part, Hand) and not part.void]
    played = Counter(name for hand in hands for name in hand.active)
    assert not (session.closed and session.keeps_chips) or sum(chips.values()) == 0, chips
    return Result(
        chips,
        {name: played[name] for name in chips},
        len(hands),
        session.closed,
        session.keeps_chips,
        session.opened.rules,
    )


@dataclass(frozen=True)
class Total:
    """One player's season: `evenings`, `hands` played, `chips` won or lost, the `best` and the `worst` evening."""

    player: str
    evenings: int
    hands: int
    chips: int
    best: int
    worst: int


def totals(results: Iterable[Result]) -> list[Total]:
    """Each player's total over the evenings of one game that count, the most chips, or points, first."""
    counted = [result for result in results if result.counts]
    names = dict.fromkeys(name for result in counted for name in result.chips)
    found = []
    for name in names:
        own = [result for result in counted if name in result.chips]
        chips = [result.chips[name] for result in own]
        hands = sum(result.played[name] for result in own)
        found.append(Total(name, len(own), hands, sum(chips), max(chips), min(chips)))
    return sorted(found, key=lambda total: (-total.chips, total.player))
