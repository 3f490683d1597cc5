"""Trumps that players show before their first card."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tracker.french.pack import PACK
from tracker.tricks import Play


class Handful(NamedTuple):
    """Trumps that a player showed, in the order in which he laid them.

    `plays` is how many cards had been played by then, and `own` how many of these were his. `covered`: the last of them
    was another player's. `known_at` is that last play, as (trick, play of the hand); None before any.
    """

    player: str
    cards: tuple[str, ...]
    plays: int
    own: int
    covered: bool
    known_at: tuple[int, int] | None

    @property
    def mask(self) -> int:
        """The cards as a mask."""
        return PACK.mask(self.cards)

    @property
    def trick(self) -> int:
        """The number of the trick in which, or after which, it was shown; 0 before the first."""
        return self.known_at[0] if self.known_at is not None else 0

    def fault(self, taker: str | None, plays: Sequence[Play]) -> Literal["late", "other_time"] | None:
        """FT-HANDFUL-2, FT-REN-6: whether it was shown when it should not have been. `plays` are all plays so far.

        In time means that he has played no card, and that the next card is his; of the taker only the first is asked.
        "late" means that he has played one card, and nobody has played since.
        """
        if self.own:
            return "late" if self.own == 1 and not self.covered else "other_time"
        if self.player == taker or len(plays) == self.plays or plays[self.plays].player == self.player:
            return None
        return "other_time"
