"""The score sheet of a game that keeps no chips: a column a player, the hands that write on it, and their evening."""

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from tracker.adjusting import PointsAdjusted, must_say_why
from tracker.errors import EventError
from tracker.hand import Deal, Hand
from tracker.ledger import SCORE_SHEET, Ledger, Payment
from tracker.pack import Pack
from tracker.rule_sets import Rules
from tracker.session import Session


class Score(NamedTuple):
    """One line of the score sheet: why `player` gets or loses `points`.

    `hand` counts from 1, `trick` is None outside the play; `note` is the reason that the players gave.
    `proposal_of` is the hand that a penalty was proposed for, where it is one.
    """

    rule: str
    reason: str
    player: str
    points: int
    hand: int
    trick: int | None = None
    note: str = ""
    proposal_of: int | None = None

    def as_payment(self) -> Payment:
        """The line as a payment between its player and the score sheet, as pages of every game show what moved."""
        won = self.points > 0
        of_other = self.proposal_of if self.proposal_of != self.hand else None
        return Payment(
            self.rule,
            self.reason,
            SCORE_SHEET if won else self.player,
            self.player if won else SCORE_SHEET,
            abs(self.points),
            self.hand,
            self.trick,
            note=self.note,
            fined_in=of_other,
        )


class ScoreSheet(Ledger):
    """The column of each player, from the start of the evening."""

    def __init__(self, players: Iterable[str]) -> None:
        super().__init__(players, ())

    def score(self, score: Score, scores: list[Score]) -> None:
        """Write a line into its player's column, and list it in `scores`."""
        assert score.points, score
        self.balances[score.player] += score.points
        scores.append(score)

    def rewrite(self, scores: list[Score], place: int, score: Score | None) -> None:
        """Put `score` (None: nothing) in the place of the line at `place` of `scores`."""
        before = scores[place]
        self.balances[before.player] -= before.points
        if score is None:
            del scores[place]
        else:
            self.balances[score.player] += score.points
            scores[place] = score


class ScoreSheetHand(Hand):
    """A hand that writes on the score sheet: `scores` are its lines, `scores_before` each player's total before it."""

    ledger: ScoreSheet
    fines: dict[int, Any]

    def __init__(self, deal: Deal, pack: Pack, score_sheet: ScoreSheet) -> None:
        self.scores: list[Score] = []
        self.scores_before = dict(score_sheet.balances)
        super().__init__(deal, pack, score_sheet)

    def book(
        self,
        rule: str,
        reason: str,
        player: str,
        points: int,
        *,
        trick: int | None = None,
        note: str = "",
        proposal_of: int | None = None,
    ) -> None:
        """Write a line on the score sheet; 0 is none."""
        if points:
            self.ledger.score(
                Score(rule, reason, player, points, self.number, trick, note, proposal_of), self.scores
            )
            self._assert_balance(player)
            self.tell_payments()

    def tell_payments(self) -> None:
        """`payments` are the lines of the score sheet, for those who tell what moved in every game."""
        self.payments = [score.as_payment() for score in self.scores]

    def _assert_balance(self, player: str) -> None:
        lines = sum(score.points for score in self.scores if score.player == player)
        assert self.ledger.balances[player] == self.scores_before.get(player, 0) + lines, player

    @property
    def totals(self) -> dict[str, int]:
        """The score sheet after this hand."""
        after = dict(self.scores_before)
        for score in self.scores:
            # Who sat down after the hand has no total before it.
            after[score.player] = after.get(score.player, 0) + score.points
        return after


H = TypeVar("H", bound=ScoreSheetHand)
R = TypeVar("R", bound=Rules)


class ScoreSheetSession(Session[H, R]):
    """An evening that is kept on a score sheet."""

    keeps_chips = False
    ledger: ScoreSheet

    def new_ledger(self) -> ScoreSheet:
        """A score sheet: points are no chips, and need not sum to zero."""
        return ScoreSheet(self.seats)

    def write_adjustment(self, rule: str, event: PointsAdjusted) -> None:
        """What no rule but `rule` covers; booked in the last hand, also after it. Raises EventError."""
        if event.player not in self.ledger:
            raise EventError("{player} is not seated", player=event.player)
        must_say_why(event.reason)
        self.hands[-1].book(rule, "adjustment", event.player, event.points, note=event.reason)
