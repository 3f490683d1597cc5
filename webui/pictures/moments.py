"""When the card of each play came to rest, on a clock that goes on even if the camera's clock begins anew."""

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.watching.eyes import WatchUpdate

TYPED_S: Final = 5.0
"""Seconds within which people mostly enter a card that the camera missed."""
_MISSED_S: Final = 1.0


class Moments:
    """The moments of plays (s), by the play's number: `at` for cards that were seen, `typed` for cards entered.

    `now_s` is the time of the newest picture.
    """

    def __init__(self) -> None:
        self.now_s = 0.0
        self.at: dict[int, float] = {}
        self.typed: dict[int, float] = {}
        self._ahead_s = 0.0
        self._rests: dict[int, float] = {}

    def take(self, update: "WatchUpdate") -> None:
        """Take in the time of `update`."""
        if update.time_s + self._ahead_s < self.now_s:
            self._ahead_s = self.now_s - update.time_s  # the camera was opened anew
        self.now_s = update.time_s + self._ahead_s
        for card in update.cards:
            if card.state == "moving":
                self._rests.pop(card.sighting, None)
            else:
                self._rests.setdefault(card.sighting, self.now_s)

    def booked(self, play: int, sighting: int | None) -> None:
        """The play with this number was booked from the newest picture, for `sighting`."""
        self.at[play] = self.now_s if sighting is None else self._rests.get(sighting, self.now_s)

    def entered(self, plays: Iterable[int]) -> None:
        """Note that people entered these plays just now, because the camera missed them."""
        self.typed |= dict.fromkeys(plays, self.now_s)

    def keep(self, plays: Collection[int]) -> None:
        """Forget all plays but these, because another hand has begun."""
        self.at = {play: at_s for play, at_s in self.at.items() if play in plays}
        self.typed = {}

    def of(self, play: int, plays: Sequence[int]) -> float | None:
        """When the card of `play`, one of `plays` in order, came to rest: as seen, or between its neighbours."""
        if play in self.at or play not in plays:
            return self.at.get(play)
        place = plays.index(play)
        before = next((self.at[seq] for seq in plays[:place][::-1] if seq in self.at), None)
        after = next((self.at[seq] for seq in plays[place + 1 :] if seq in self.at), None)
        typed = self.typed.get(play)
        if typed is not None:  # people enter a card soon after it lies there
            return max(before + _MISSED_S, typed - TYPED_S) if before is not None else None
        if before is None or after is None:
            return (
                before + _MISSED_S if before is not None else after - _MISSED_S if after is not None else None
            )
        return (before + after) / 2
