"""What each person did over evenings of one game, and what it moved: counted from the hands and their payments."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tracker.events import FindingPassed
from tracker.hand import Hand
from tracker.ledger import SCORE_SHEET, Payment
from tracker.session import Session

Measured = Literal[
    "evenings", "hands", "dealt", "tricks", "in tricks", "points", "in points", "fined", "passed",
    "declared", "made", "times won", "won", "times lost", "lost", "from", "to",
]  # fmt: skip
"""What is counted of a person; chips are points where the game keeps a score sheet.

- `evenings`, `hands`: those that he played. `dealt`: the hands that he dealt.
- `tricks`: how many he took, in the `in tricks` hands whose cards were named.
- `points`: his card points, in the `in points` hands whose points are known.
- `fined`, `passed`: how often he was fined, and how often the table let it pass.
- By contract, `declared` and `made`: the hands that he declared, and those of them that he made.
- By the kind of payment, `times won` and `times lost`: how often he won or lost chips. `won`, `lost`: how many.
- By the other player or pot, `from` and `to`: chips that came from there, and that went there.
"""
PersonFigures = Counter[tuple[Measured, str]]
"""A person's numbers, each by the measure and what it is of: a contract, a kind of payment, a player or pot, or ""."""


class Deed(NamedTuple):
    """What a payment is for: its `kind`, and which one of that kind: who did it (`doer`), and with what (`by`)."""

    kind: str
    doer: str | None = None
    by: object = None


class Attempt(NamedTuple):
    """A hand that one player played against the others: who, which game, and whether he made it."""

    player: str
    contract: str
    made: bool


@dataclass(frozen=True)
class PersonCounts:
    """What a game says of its hands where persons are counted.

    `deed` tells what a payment is for. `points` gives each player's own card points; it is empty where points are
    unknown, or belong to a side. `declared` is who played the hand against the others. It is None until that is
    decided, and in a hand that everybody plays for himself.
    """

    deed: Callable[[Payment], Deed] = lambda payment: Deed(payment.reason)
    points: Callable[[Any], Mapping[str, int]] = lambda hand: {}
    declared: Callable[[Any], Attempt | None] = lambda hand: None


def figures_of(session: Session[Any, Any], counted: PersonCounts) -> dict[str, PersonFigures]:
    """Everybody's figures of an evening, those of the pots too, or of the score sheet: its chips sum to 0."""
    others = session.pot_names if session.keeps_chips else (SCORE_SHEET,)
    found: dict[str, PersonFigures] = {name: Counter() for name in (*session.balances, *others)}
    for name in session.balances:
        found[name]["evenings", ""] = 1
    for part in session.parts:
        _count_payments(part.payments, counted.deed, found)
        if isinstance(part, Hand) and not part.void:
            _count_hand(part, counted, found)
    assert not sum(chips_of(one) for one in found.values()), found
    return found


def _count_payments(
    payments: Iterable[Payment], deed: Callable[[Payment], Deed], found: Mapping[str, PersonFigures]
) -> None:
    """Count the payments of a hand.

    The payments of one deed count once, however many people pay. If the same pair pays again, it is another deed.
    """
    pairs: dict[Deed, set[tuple[str, str]]] = {}
    for payment in payments:
        one, pair = deed(payment), (payment.source, payment.target)
        before = pairs.setdefault(one, set())
        if pair in before:
            before.clear()
        loser, winner = found[payment.source], found[payment.target]
        loser["times lost", one.kind] += payment.source not in {source for source, _ in before}
        winner["times won", one.kind] += payment.target not in {target for _, target in before}
        before.add(pair)
        loser["lost", one.kind] += payment.amount
        winner["won", one.kind] += payment.amount
        loser["to", payment.target] += payment.amount
        winner["from", payment.source] += payment.amount


def _count_hand(hand: Hand, counted: PersonCounts, found: Mapping[str, PersonFigures]) -> None:
    found[hand.dealer]["dealt", ""] += 1
    for name in hand.active:
        found[name]["hands", ""] += 1
        if hand.complete and hand.result is None and not hand.unseen_tricks:
            found[name]["tricks", ""] += hand.tricks_won[name]
            found[name]["in tricks", ""] += 1
    for name, points in counted.points(hand).items():
        found[name]["points", ""] += points
        found[name]["in points", ""] += 1
    for event in hand.fines.values():
        found[event.player]["passed" if isinstance(event, FindingPassed) else "fined", ""] += 1
    declared = counted.declared(hand)
    if declared is not None:
        found[declared.player]["declared", declared.contract] += 1
        found[declared.player]["made", declared.contract] += declared.made


def chips_of(figures: PersonFigures) -> int:
    """The chips, or points, that somebody won and lost in all."""
    won = sum(number for (measure, _), number in figures.items() if measure == "won")
    return won - sum(number for (measure, _), number in figures.items() if measure == "lost")


def added_up(evenings: Iterable[Mapping[str, PersonFigures]]) -> dict[str, PersonFigures]:
    """Everybody's figures over several evenings. Players of one name are one person."""
    found: dict[str, PersonFigures] = {}
    for evening in evenings:
        for name, figures in evening.items():
            found.setdefault(name, Counter()).update(figures)
    return found
