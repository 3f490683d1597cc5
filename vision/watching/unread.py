"""Whether the deck on the table can be read. People are told within two tricks, before much is wrong or asked."""

from typing import Final

import numpy as np

DOUBTED: Final = (0.05, 0.4)
"""Share of plays booked in doubt: with a deck that can be read, in poor light, and with one that cannot."""
TELLING: Final = 4.5
"""Natural log-odds from which a deck counts as unread: three plays in doubt of six."""
MOST_ODDS: Final = 6.5
"""Greatest log-odds: five plays that are surely read then end the warning."""


class DeckMeter:
    """Tells from play to play whether a deck cannot be read, by a cumulative sum (Page 1954).

    A play is in doubt if it reads as one of several cards, or as one that was played before: a deck that is surely
    misread names some card twice in the end.
    """

    def __init__(self) -> None:
        self._odds = 0.0
        self._counted: set[int] = set()

    def take(self, doubted: bool) -> None:
        """Count a play or a shown card; `doubted` says whether its name is in doubt."""
        read, unread = DOUBTED
        told = unread / read if doubted else (1 - unread) / (1 - read)
        self._odds = float(np.clip(self._odds + np.log(told), 0.0, MOST_ODDS))

    def take_once(self, number: int, doubted: bool) -> None:
        """Count the card of the sighting `number`, unless it was counted before."""
        if number not in self._counted:
            self._counted.add(number)
            self.take(doubted)

    @property
    def is_unread(self) -> bool:
        """Whether the deck on the table cannot be read."""
        return self._odds >= TELLING
