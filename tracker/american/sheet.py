"""The score sheet: one column a player. Scores are no chips and do not sum to zero."""

from collections.abc import Iterable
from typing import NamedTuple

from tracker.ledger import Ledger


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
