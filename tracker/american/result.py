"""A round of American Tarock by its result: the game, the points and the bonuses, and nothing of its cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tracker.american.contracts import ANNOUNCED, CONTRACTS, KLOP
from tracker.american.events import EVENTS
from tracker.american.scoring import Achieved
from tracker.by_result import ByResult, by_player, lists_by_player, must_play, player_at
from tracker.errors import EventError
from tracker.reader import Reader

if TYPE_CHECKING:
    from tracker.american.hand import AmericanHand

BOTH_SIDES: Final = ("declarer", "opponents")
HALF: Final = 35
_ALL: Final = 70
"""AT-COUNT-1: all cards together."""
_SIGNS: Final = {"declarer": 1, "opponents": -1}
_OF_SIDE: Final = {sign: side for side, sign in _SIGNS.items()} | {0: None}
BY_SIDE: Final = ("trula", "kings", "king_ultimo", "valat")
"""The bonuses of which a result names the side that won them."""


@EVENTS.add
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered(ByResult):
    """What a round came to. `declarer` is None in Klop, `partner` where he was alone.

    `points` are those of each player in Klop, and of the declarer alone, for his side, in the games that are counted.
    `won` tells how a game ended that is not counted, and whether 35 points were more than half (AT-COUNT-3); in Klop
    `over_half` is whose 35 were. `announced` are pairs of player and bonus.

    `trula`, `kings`, `king_ultimo` and `valat` are the side that won it: "declarer" or "opponents". `pagat` won the
    last trick with the Pagat, `pagat_lost` played it there in vain. `king_lost`: the opponents took the called card.
    `mond` paid for a captured Mond. `skeench` is who ended up with it, in a Skeench-a-tola.
    """

    game: str
    declarer: str | None = None
    partner: str | None = None
    points: tuple[tuple[str, int], ...] = ()
    won: bool | None = None
    over_half: str | None = None
    announced: tuple[tuple[str, str], ...] = ()
    trula: str | None = None
    kings: str | None = None
    king_ultimo: str | None = None
    valat: str | None = None
    pagat: str | None = None
    pagat_lost: str | None = None
    king_lost: bool = False
    mond: str | None = None
    skeench: str | None = None

    of_one: ClassVar[tuple[str, ...]] = (
        "declarer",
        "partner",
        "over_half",
        "pagat",
        "pagat_lost",
        "mond",
        "skeench",
    )

    @classmethod
    def stated_in(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The result that the object `item` states."""
        item.object(RESULT_KEYS)
        declarer = player_at(item, "declarer", seats)
        if "points" not in item:
            points: tuple[tuple[str, int], ...] = ()
        elif declarer is not None:
            points = ((declarer, item["points"].number()),)
        else:
            points = tuple((player, number.number()) for player, number in by_player(item, "points", seats))
        named: dict[str, Any] = {key: player_at(item, key, seats) for key in cls.of_one}
        named |= {bonus: item[bonus].one_of(BOTH_SIDES) for bonus in BY_SIDE if bonus in item}
        return cls(
            game=item["game"].one_of(tuple(CONTRACTS)),
            points=points,
            won=item["won"].boolean() if "won" in item else None,
            announced=tuple(
                (player, bonus.one_of(ANNOUNCED))
                for player, bonuses in by_player(item, "announced", seats)
                for bonus in bonuses.items()
            ),
            king_lost=item["king_lost"].boolean() if "king_lost" in item else False,
            **named,
        )

    def said(self) -> dict[str, Any]:
        """The values of all keys, None for what did not happen."""
        points = dict(self.points)
        return {
            "game": self.game,
            "declarer": self.declarer,
            "partner": self.partner,
            "won": self.won,
            "over_half": self.over_half,
            **{bonus: getattr(self, bonus) for bonus in BY_SIDE},
            "pagat": self.pagat,
            "pagat_lost": self.pagat_lost,
            "mond": self.mond,
            "skeench": self.skeench,
            "points": points.get(self.declarer) if self.declarer is not None else points or None,
            "announced": lists_by_player(self.announced) or None,
            "king_lost": self.king_lost or None,
        }

    def side(self) -> tuple[str, ...]:
        """The declarer and his partner."""
        return tuple(player for player in (self.declarer, self.partner) if player is not None)

    def lost_klop(self) -> list[str]:
        """AT-KLOP-3: who took more than half in a Klop."""
        return [player for player, points in self.points if points > HALF or player == self.over_half]

    def achieved(self) -> Achieved:
        """What decides the score of a game that is counted."""
        side = self.side()
        points = self.points[0][1]
        tried = self.pagat or self.pagat_lost
        signs: dict[str, Any] = {bonus: _SIGNS.get(getattr(self, bonus), 0) for bonus in BY_SIDE}
        return Achieved(
            CONTRACTS[self.game],
            points,
            bool(self.won) if points == HALF else points > HALF,
            self.king_lost,
            **signs,
            pagat=0 if self.pagat is None else 1 if self.pagat in side else -1,
            pagat_tried=0 if tried is None else 1 if tried in side else -1,
            announced=frozenset((player in side, bonus) for player, bonus in self.announced),
        )


RESULT_KEYS: Final = set(ResultEntered(game=KLOP.name).said())
"""What a result may state, in session file and audit."""


def check_result(result: ResultEntered, active: Sequence[str], *, skeench_round: bool) -> None:
    """Raise EventError if no round of the players `active` comes to `result`."""
    contract = CONTRACTS[result.game]
    must_play(active, [getattr(result, key) for key in result.of_one])
    must_play(active, [player for player, _ in (*result.points, *result.announced)])
    if contract is KLOP:
        _check_klop(result, active)
    elif result.declarer is None:
        raise EventError("{game} needs a declarer", game=result.game)
    elif contract.aim != "points":
        if result.won is None:
            raise EventError("the contract was neither made nor lost")
    elif [player for player, _ in result.points] != [result.declarer]:
        raise EventError("the points of {player} are missing", player=result.declarer)
    elif not 0 <= result.points[0][1] <= _ALL:
        raise EventError("the points of a side are 0 to {most}", most=_ALL)
    elif result.points[0][1] == HALF and result.won is None:
        raise EventError("nobody entered whether the 35 points were more than half")
    elif result.won not in (None, result.achieved().won):
        raise EventError("{points} points do not fit the result that was entered", points=result.points[0][1])
    if result.partner is not None and (not contract.calls or result.partner == result.declarer):
        raise EventError("{player} is not a partner in this contract", player=result.partner)
    _check_bonuses(result)
    if result.skeench is not None and not skeench_round:
        raise EventError("this is not Skeench-a-tola")


def _check_bonuses(result: ResultEntered) -> None:
    """The game has bonuses, and they do not contradict one another."""
    contract = CONTRACTS[result.game]
    of_bonus = [getattr(result, key) for key in (*BY_SIDE, "pagat", "pagat_lost", "mond")]
    if not contract.normal and (any(of_bonus) or result.announced):
        raise EventError("there is no bonus in this contract")
    if not contract.calls and (result.king_lost or result.king_ultimo):
        raise EventError("nothing is called in this contract")
    if result.pagat is not None and result.pagat_lost is not None:
        raise EventError("the Pagat is played once")
    achieved = result.achieved() if contract.normal else None
    if achieved is not None and {-1, 1} <= {achieved.valat, achieved.king_ultimo, achieved.pagat}:
        raise EventError("one side alone won the last trick")
    if result.king_ultimo is not None and result.king_lost is not (result.king_ultimo == "opponents"):
        # AT-BONUS-2, AT-CALL-7: the called card lay in the trick that they won.
        raise EventError("the side that won King Ultimo took the called card")
    if len(set(result.announced)) < len(result.announced):
        raise EventError("a bonus is announced once by a player")


def _check_klop(result: ResultEntered, active: Sequence[str]) -> None:
    """AT-KLOP-1: what each took; the piles are counted one by one, so they may come to a point more or less."""
    points = dict(result.points)
    if result.declarer is not None:
        raise EventError("{game} has no declarer", game=result.game)
    for player in active:
        if player not in points:
            raise EventError("the points of {player} are missing", player=player)
    if min(points.values()) < 0 or abs(sum(points.values()) - _ALL) > 1:
        total = sum(points.values())
        raise EventError("the points of a hand are {sum} together, not {total}", sum=_ALL, total=total)
    if result.over_half is not None and points[result.over_half] != HALF:
        raise EventError("only exactly 35 points may be more than half or not")


def result_so_far(hand: "AmericanHand") -> ResultEntered:
    """What was said and seen in `hand` tells of its result: all of it once it is complete."""
    outcome, contract = hand.outcome, hand.contract or KLOP
    achieved = outcome.achieved if outcome is not None else None
    counted = outcome.points if outcome is not None and outcome.points is not None else {}
    heavy = [score.player for score in hand.scores if score.rule == "AT-KLOP-3"]
    bonuses: dict[str, Any] = {}
    if achieved is not None and contract.normal:
        last = hand.tricks[-1]
        pagat = next((play.player for play in last.plays if play.card == "T1"), None)
        bonuses = {bonus: _OF_SIDE[getattr(achieved, bonus)] for bonus in BY_SIDE}
        bonuses["pagat" if pagat == last.winner else "pagat_lost"] = pagat
    if achieved is not None and hand.declarer is not None:
        counted = {hand.declarer: achieved.points}
    return ResultEntered(
        game=contract.name,
        declarer=hand.declarer,
        partner=hand.call.partner,
        points=tuple(counted.items()),
        won=outcome.won if outcome is not None else None,
        over_half=next((player for player in heavy if counted[player] == HALF), None),
        announced=tuple(hand.bidding.announced),
        king_lost=achieved is not None and contract.normal and achieved.king_lost,
        mond=next((score.player for score in hand.scores if score.reason == "mond"), None),
        skeench=hand.skeench_to() if hand.skeench_round else None,
        **bonuses,
    )
