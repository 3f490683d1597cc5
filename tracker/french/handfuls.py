"""Trumps that players show before their first card."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tracker.french.pack import PACK
from tracker.tricks import Play


class Handful(NamedTuple):
    """Trumps that a player showed, as he laid them out, after so many `plays` of the deal; `own` of them were his.

    `covered`: the last of those was not his own.
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

    def fault(self, taker: str | None, plays: Sequence[Play]) -> Literal["late", "other_time"] | None:
        """FT-HANDFUL-2, FT-REN-6: whether it was shown when it should not have been; `plays` are all so far.

        In time: he has played no card, and the next card, played by anybody, is his; for the taker the first is enough.
        "late" is before his first card was covered.
        """
        if self.own:
            return "late" if self.own == 1 and not self.covered else "other_time"
        if self.player == taker or len(plays) == self.plays or plays[self.plays].player == self.player:
            return None
        return "other_time"
