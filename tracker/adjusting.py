"""What the players move by agreement: chips among themselves and the pots, or points on a score sheet."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tracker.errors import EventError
from tracker.events import Event
from tracker.ledger import Ledger
from tracker.reader import Reader
from tracker.rule_sets import MOST_CHIPS


@dataclass(frozen=True, slots=True)
class ChipsMoved(Event):
    """The players moved `amount` chips from and to a player or pot, and said why: the base of a game's kind.

    The game's own says which `pots` there are.
    """

    source: str
    target: str
    amount: int
    reason: str

    key = "adjust"
    keys = ("reason",)
    of_hand = True
    moves_chips = True
    pots: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def from_json(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The adjustment that `item` tells, as a session file has it."""
        moved = item["adjust"]
        moved.object({"from", "to", "amount"})
        source, target = (moved[key].player((*cls.pots, *seats)) for key in ("from", "to"))
        return cls(source, target, moved["amount"].number(), item["reason"].text())

    def to_json(self) -> dict[str, Any]:
        """The adjustment as a session file has it."""
        moved = {"from": self.source, "to": self.target, "amount": self.amount}
        return {"adjust": moved, "reason": self.reason}

    def apply(self, session: Any, seq: int) -> None:
        """Paid where it stands, in the current hand or after somebody joined or left. Raises EventError."""
        session.adjust(self)


def check_adjustment(event: ChipsMoved, ledger: Ledger, step: int) -> None:
    """Raise EventError unless `event` can be: a multiple of `step` chips, no more than a pot holds, with a reason."""
    source, target, amount = event.source, event.target, event.amount
    for name in (source, target):
        if name not in ledger:
            raise EventError("{player} is not seated", player=name)
    if source == target:
        raise EventError("chips go from one to another, not from {player} to {player}", player=source)
    if not step <= amount <= MOST_CHIPS:
        raise EventError(
            "an adjustment is from {least} to {most} chips, not {amount}",
            least=step,
            most=MOST_CHIPS,
            amount=amount,
        )
    if amount % step:
        raise EventError(
            "an adjustment is a multiple of {step} chips, not {amount}", step=step, amount=amount
        )
    content = ledger.pots.get(source)
    if content is not None and content < amount:
        raise EventError(
            "{pot} holds {content} chips, not {amount}",
            "pot_holds_less",
            pot=source,
            content=content,
            amount=amount,
        )
    must_say_why(event.reason)


def an_amount(item: Reader, seats: tuple[str, ...]) -> int:
    """What reads an amount that the table named. Raises SessionFileError."""
    if not 1 <= item.number() <= MOST_CHIPS:
        item.fail("must be from 1 to {most}", most=MOST_CHIPS)
    return item.number()


def must_be_amount(amount: int, unit: str) -> None:
    """Raise EventError unless a fine can be so many chips or points, as `unit` says."""
    if not 1 <= amount <= MOST_CHIPS:
        raise EventError(
            "a fine is from 1 to {most} {unit}, not {amount}", most=MOST_CHIPS, unit=unit, amount=amount
        )


def must_say_why(reason: str) -> None:
    """Raise EventError unless `reason` is in words."""
    if not reason.strip():
        raise EventError("a reason in words is missing")


@dataclass(frozen=True, slots=True)
class PointsAdjusted(Event):
    """Points were added to one player's total, or taken from it, for a reason in words: the base of a game's kind."""

    player: str
    points: int
    reason: str

    key = "adjust"
    keys = ("reason",)
    of_hand = True
    moves_chips = True

    @classmethod
    def from_json(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The adjustment that `item` tells, as a session file has it."""
        moved = item["adjust"]
        moved.object({"player", "points"})
        if not 1 <= abs(moved["points"].number()) <= MOST_CHIPS:
            moved["points"].fail("must be from 1 to {most}, or from -1 to -{most}", most=MOST_CHIPS)
        return cls(moved["player"].player(seats), moved["points"].number(), item["reason"].text())

    def to_json(self) -> dict[str, Any]:
        """The adjustment as a session file has it."""
        return {"adjust": {"player": self.player, "points": self.points}, "reason": self.reason}

    def apply(self, session: Any, seq: int) -> None:
        """Written into the player's column. Raises EventError for no points, or too many."""
        if not 1 <= abs(self.points) <= MOST_CHIPS:
            raise EventError("an adjustment is 1 to {most} points, up or down", most=MOST_CHIPS)
        session.adjust(self)
