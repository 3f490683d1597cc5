"""A hand of Danish Tarok by its result: what PAY-3 to PAY-7 must know of it, and nothing of its cards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tracker.by_result import ByResult, by_player, lists_by_player, must_play, player_at
from tracker.cards import FOOL
from tracker.danish.combination import Combination
from tracker.danish.events import EVENTS, read_combinations
from tracker.danish.pack import KINGS, PACK, PAGAT
from tracker.danish.rule_sets import POTS, RuleSet
from tracker.danish.settlement import tout_and_nolo
from tracker.errors import EventError
from tracker.events import plain
from tracker.reader import Reader

if TYPE_CHECKING:
    from tracker.danish.hand import DanishHand

POINTS_IN_HAND: Final = 78
"""CARD-3: all together."""
_KINDS: Final = {PAGAT: "pagat"} | dict.fromkeys(KINGS, "king")


@EVENTS.add
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered(ByResult):
    """What a hand came to. An ultimo card (CARD-2) is "king" or "pagat", by the pot that it belongs to.

    `declarations` are those of players who have not declared before. `lost` is who lost such a card in tricks 1 to 24,
    once for each card; `pagat_won` who brought the pagat home there. `winner` won trick 25, and `last` is who played
    an ultimo card to it. `tout` won every trick; `nolo` alone won none. `fool_in_skat`: the dealer announced a Tout
    and laid the fool (DISC-3). `points` are those of the active players, or of all but one of them.
    """

    declarations: tuple[tuple[str, tuple[Combination, ...]], ...] = ()
    lost: tuple[tuple[str, str], ...] = ()
    pagat_won: str | None = None
    winner: str | None = None
    last: tuple[tuple[str, str], ...] = ()
    tout: str | None = None
    nolo: str | None = None
    fool_in_skat: bool = False
    points: tuple[tuple[str, int], ...] = ()

    of_one: ClassVar[tuple[str, ...]] = ("pagat_won", "winner", "tout", "nolo")

    @classmethod
    def stated_in(cls, item: Reader, seats: tuple[str, ...]) -> Self:
        """The result that the object `item` states."""
        item.object(RESULT_KEYS)
        last = item["last_trick"] if "last_trick" in item else Reader("", {})
        last.object({"winner", "cards"})
        return cls(
            declarations=tuple(
                (player, read_combinations(made)) for player, made in by_player(item, "declarations", seats)
            ),
            lost=tuple(
                (player, card.one_of(POTS))
                for player, cards in by_player(item, "lost", seats)
                for card in cards.items()
            ),
            pagat_won=player_at(item, "pagat_won", seats),
            winner=player_at(last, "winner", seats),
            last=tuple((player, card.one_of(POTS)) for player, card in by_player(last, "cards", seats)),
            tout=player_at(item, "tout", seats),
            nolo=player_at(item, "nolo", seats),
            fool_in_skat=item["fool_in_skat"].boolean() if "fool_in_skat" in item else False,
            points=tuple((player, number.number()) for player, number in by_player(item, "points", seats)),
        )

    def said(self) -> dict[str, Any]:
        """The values of all keys, None for what did not happen."""
        last = {} if self.winner is None else {"winner": self.winner}
        return {
            "declarations": {player: plain(made) for player, made in self.declarations} or None,
            "lost": lists_by_player(self.lost) or None,
            "pagat_won": self.pagat_won,
            "last_trick": last | ({"cards": dict(self.last)} if self.last else {}) or None,
            "tout": self.tout,
            "nolo": self.nolo,
            "fool_in_skat": self.fool_in_skat or None,
            "points": dict(self.points) or None,
        }

    def all_points(self, active: Sequence[str]) -> dict[str, int] | None:
        """The points of all `active` players, the third one's from the other two; None if they were not counted."""
        if not self.points:
            return None
        points = dict(self.points)
        rest = POINTS_IN_HAND - sum(points.values())
        return {player: points.get(player, rest) for player in active}


RESULT_KEYS: Final = set(ResultEntered().said())
"""What a result may state, in session file and audit."""


def check_result(result: ResultEntered, active: Sequence[str], rules: RuleSet) -> None:
    """Raise EventError if no hand that the players `active` play by `rules` comes to `result`."""
    tout, nolo = result.tout, result.nolo
    winner = tout or result.winner
    must_play(active, [player for player, _ in (*result.declarations, *result.lost, *result.last)])
    must_play(active, [player for player, _ in result.points])
    must_play(active, [player for player in (winner, tout, nolo, result.pagat_won) if player is not None])
    if tout is not None and nolo is not None:
        raise EventError("there is no nolo where one player won every trick")
    if winner is None and (nolo is None or result.last):
        raise EventError("nobody won the last trick")
    if tout is not None and result.winner not in (None, tout):
        raise EventError("{player} won every trick, so also the last", player=tout)
    winners = {one for one in (winner, result.pagat_won) if one is not None}
    losers = {player for player, _ in (*result.lost, *result.last) if player != winner}
    losers |= {player for player, _ in result.lost}
    if nolo in winners:
        raise EventError("{player} cannot have won a trick: it was a nolo", player=nolo)
    if tout is not None and (tout in losers or winners != {tout}):
        raise EventError(
            "{player} cannot have won every trick: another player won one, or {player} lost a card",
            player=tout,
        )
    last = dict(result.last)
    if len(last) != len(result.last):
        raise EventError("a player has one card in the last trick")
    if winner is not None and last.get(winner) == "king" and "pagat" in last.values():
        raise EventError("a king does not win a trick that holds the pagat")
    cards = Counter(card for _, card in (*result.lost, *result.last))
    cards["pagat"] += result.pagat_won is not None
    if cards["king"] > 4 or cards["pagat"] > 1:
        raise EventError("there are four kings and one pagat")
    if result.fool_in_skat and not rules.fool_in_skat_for_tout:
        raise EventError("by these rules the fool is never laid")
    if result.points or (rules.count and nolo is None):
        _check_points(result, active)


def _check_points(result: ResultEntered, active: Sequence[str]) -> None:
    """CARD-3: those of two players are enough, "all together 78"."""
    known = dict(result.points)
    total = sum(known.values())
    if len(known) != len(result.points) or len(known) < len(active) - 1:
        raise EventError(
            "the points of {player} are missing", player=next(p for p in active if p not in known)
        )
    wrong = total > POINTS_IN_HAND or (len(known) == len(active) and total < POINTS_IN_HAND)
    if wrong or min(known.values()) < 0:
        raise EventError(
            "the points of a hand are {sum} together, not {total}", sum=POINTS_IN_HAND, total=total
        )


def result_so_far(hand: "DanishHand") -> ResultEntered:
    """What the cards seen of `hand` say of its result: all of it once it is complete."""
    lost, won = [], None
    last = hand.tricks[24] if len(hand.tricks) == 25 else None
    for trick in hand.tricks[:24]:
        for play in trick.plays if trick.winner is not None else ():
            kind = _KINDS.get(play.card)
            if kind is not None and play.player != trick.winner:
                lost.append((play.player, kind))
            elif kind == "pagat":
                won = play.player
    ended = hand.complete and last is not None
    tout, nolo = tout_and_nolo(hand.tricks_won) if ended else (None, None)
    unseen = PACK.names(hand.knowledge.unseen)
    return ResultEntered(
        declarations=tuple((player, made) for player, made in hand.declared.items() if made is not None),
        lost=tuple(lost),
        pagat_won=won,
        winner=last.winner if ended and last is not None else None,
        last=tuple(
            (play.player, _KINDS[play.card])
            for play in (last.plays if last is not None else ())
            if play.card in _KINDS
        ),
        tout=tout,
        nolo=nolo,
        fool_in_skat=hand.tout_announced is not None
        and FOOL in (hand.skat or (unseen if ended else ()))
        and hand.rules.fool_in_skat_for_tout,
        points=tuple(hand.points.items()) if hand.points is not None else (),
    )
