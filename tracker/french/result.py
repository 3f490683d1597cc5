"""A deal of French Tarot by its result: the contract, the points and bouts of the taker's side, and the bonuses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tracker.bidding import PASS
from tracker.by_result import ByResult, by_player, must_play, player_at
from tracker.errors import EventError
from tracker.french.contracts import BIDS, HANDFUL_POINTS
from tracker.french.events import COUNTING_SIDES, EVENTS
from tracker.french.pack import ALL_HALVES, BOUTS
from tracker.reader import Reader

if TYPE_CHECKING:
    from tracker.french.hand import FrenchHand

HANDFULS: Final = dict(zip(("single", "double", "triple"), HANDFUL_POINTS, strict=True))
"""FT-HANDFUL-1: what each handful is worth."""


@EVENTS.add
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered(ByResult):
    """What a deal came to. The `contract` is "pass" where all passed; then there is nothing else.

    `partner` is None where the taker was alone. `halves` are the points of the taker's side, counted in halves, and
    `bouts` those that it has, as they count in the end. `petit_au_bout` and `slam` are the side, "taker" or "defence",
    that won the petit in the last trick, and that won every trick. `handfuls` are those that count: pairs of a player
    and one of `HANDFULS`.
    """

    contract: str
    taker: str | None = None
    partner: str | None = None
    halves: int | None = None
    bouts: int | None = None
    petit_au_bout: str | None = None
    handfuls: tuple[tuple[str, str], ...] = ()
    slam_announced: bool = False
    slam: str | None = None

    of_one: ClassVar[tuple[str, ...]] = ("taker", "partner")

    @classmethod
    def stated_in(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The result that the object `item` states."""
        item.object(RESULT_KEYS)
        sides: dict[str, Any] = {
            key: item[key].one_of(COUNTING_SIDES) for key in ("petit_au_bout", "slam") if key in item
        }
        return cls(
            contract=item["contract"].one_of(BIDS),
            taker=player_at(item, "taker", seats),
            partner=player_at(item, "partner", seats),
            halves=_halves(item["points"]) if "points" in item else None,
            bouts=item["bouts"].number() if "bouts" in item else None,
            handfuls=tuple(
                (player, size.one_of(tuple(HANDFULS))) for player, size in by_player(item, "handfuls", seats)
            ),
            slam_announced=item["slam_announced"].boolean() if "slam_announced" in item else False,
            **sides,
        )

    def said(self) -> dict[str, Any]:
        """The values of all keys, None for what did not happen."""
        return {
            "contract": self.contract,
            "taker": self.taker,
            "partner": self.partner,
            "points": in_points(self.halves) if self.halves is not None else None,
            "bouts": self.bouts,
            "petit_au_bout": self.petit_au_bout,
            "handfuls": dict(self.handfuls) or None,
            "slam_announced": self.slam_announced or None,
            "slam": self.slam,
        }


RESULT_KEYS: Final = set(ResultEntered(contract=PASS).said())
"""What a result may state, in session file and audit."""


def in_points(halves: int) -> int | float:
    """Points counted in halves, as a file has them: 40 or 40.5."""
    return halves // 2 if halves % 2 == 0 else halves / 2


def _halves(item: Reader) -> int:
    """Points with a half or without, counted in halves. Raises SessionFileError."""
    if not isinstance(item.value, float):
        return 2 * item.number()
    halves = 2 * item.value
    if not halves.is_integer():
        item.fail("points are whole or end in .5")
    return int(halves)


def check_result(result: ResultEntered, active: Sequence[str]) -> None:
    """Raise EventError if no deal of the players `active` comes to `result`."""
    if result.contract == PASS:
        if result != ResultEntered(contract=PASS):
            raise EventError("nothing is scored where all passed")
        return
    must_play(active, (result.taker, result.partner, *(player for player, _ in result.handfuls)))
    if result.taker is None:
        raise EventError("{contract} needs a taker", contract=result.contract)
    if result.partner is not None and (len(active) != 5 or result.partner == result.taker):
        # FT-5-1: only where five play has the taker a partner.
        raise EventError("{player} is not a partner in this contract", player=result.partner)
    if result.halves is None:
        raise EventError("the points of {player} are missing", player=result.taker)
    if not 0 <= result.halves <= ALL_HALVES:
        raise EventError("the points of a side are 0 to {most}", most=ALL_HALVES // 2)
    if result.bouts is None or not 0 <= result.bouts <= len(BOUTS):
        raise EventError("the bouts of {player} are missing: 0 to 3", player=result.taker)
    if result.slam is not None and result.petit_au_bout not in (None, result.slam):
        raise EventError("the side that won every trick won the petit au bout")
    if len(dict(result.handfuls)) < len(result.handfuls):
        raise EventError("a player shows one handful")


def result_so_far(hand: "FrenchHand") -> ResultEntered:
    """What was said and seen in `hand` tells of its result: all of it once it is scored."""
    lines = {rule: points for rule, _, points in hand.outcome.lines} if hand.outcome is not None else {}
    petit = lines.get("FT-PETIT-1", 0) + lines.get("FT-PETIT-2", 0)
    counted = hand.outcome.counted if hand.outcome is not None else None
    slam = None
    if counted is not None:
        won = hand.tricks_won_by("taker")
        slam = {hand.cards_each: "taker", 0: "defence"}.get(won)
    sizes = {worth: size for size, worth in HANDFULS.items()}
    return ResultEntered(
        contract=hand.contract.name if hand.contract is not None else PASS,
        taker=hand.taker,
        partner=hand.call.partner,
        halves=counted.halves["taker"] if counted is not None else None,
        bouts=counted.bouts if counted is not None else None,
        petit_au_bout=None if not petit else "taker" if petit > 0 else "defence",
        handfuls=tuple(
            (one.player, sizes[hand.worth_of(one)])
            for one in hand.handfuls
            if hand.worth_of(one) and hand.counts(one) is not False
        ),
        slam_announced=hand.slam,
        slam=slam,
    )
