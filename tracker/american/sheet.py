"""The score sheet: one column a player. Scores are no chips and do not sum to zero."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from tracker.ledger import Ledger, Payment

SHEET: Final = ""
"""Who stands on the other side of a line of the sheet, where it is told as a payment. No player has that name."""


class Score(NamedTuple):
    """One line of the sheet: why `player` gets or loses `points`.

    `hand` counts from 1, `trick` is None outside the play; `note` is the reason that the players gave.
    `proposal_of` is the hand whose full score a renonce costs (AT-REN-2), where the table named no amount.
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
        """The line as a payment between its player and the sheet, as pages of every game show what moved."""
        won = self.points > 0
        of_other = self.proposal_of if self.proposal_of != self.hand else None
        return Payment(
            self.rule,
            self.reason,
            SHEET if won else self.player,
            self.player if won else SHEET,
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
        """Put `score` (None: nothing) in the stead of the line at `place` of `scores`."""
        before = scores[place]
        self.balances[before.player] -= before.points
        if score is None:
            del scores[place]
        else:
            self.balances[score.player] += score.points
            scores[place] = score
