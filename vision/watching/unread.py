"""Whether the deck on the table can be read. It is told within two tricks, before much is booked wrongly or asked."""

from typing import Final

import numpy as np

DOUBTED: Final = (0.05, 0.4)
"""Share of the plays booked in doubt: of a deck that is read, in poor light, and of one that cannot be read."""
TELLING: Final = 4.5
"""Natural log-odds from which a deck is told to be unread: three plays in doubt of six."""
MOST_ODDS: Final = 6.5
"""Most log-odds: five plays that are read take the word back."""


class DeckMeter:
    """Tells from play to play whether a deck cannot be read, by a cumulative sum (Page 1954).

    A play is in doubt where it is read as two cards, or as one that was played before: what is surely misread comes
    twice in the end.
    """

    def __init__(self) -> None:
        self._odds = 0.0
        self._counted: set[int] = set()

    def take(self, doubted: bool) -> None:
        """Count a play, or a card shown, by whether its name is in doubt."""
        read, unread = DOUBTED
        told = unread / read if doubted else (1 - unread) / (1 - read)
        self._odds = float(np.clip(self._odds + np.log(told), 0.0, MOST_ODDS))

    def take_once(self, number: int, doubted: bool) -> None:
        """Count the card of the sighting `number`, unless it was counted."""
        if number not in self._counted:
            self._counted.add(number)
            self.take(doubted)

    @property
    def is_unread(self) -> bool:
        """Whether the deck on the table cannot be read."""
        return self._odds >= TELLING
