"""What may be a play of the trick on the table: the evidence of each thing, and how all of them are read together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from tracker.cards import CARDS
from vision.watching.expectation import Expectation
from vision.watching.joint_readings import JointReading, TableThing, joint_readings
from vision.watching.seats import SeatMeasures, seat_odds
from vision.watching.sightings import Sighting
from vision.watching.table_cards import TableCards

AT_ONCE_S = 0.3
"""Cards that come to rest within these seconds of each other landed at once: their order was not seen."""
LAID, SURELY_LAID = 0.97, 0.995
"""Share of plays among the faces at rest that nothing else explains, and among those of them that are surely read."""
SOMEWHERE = 0.14
"""How likely what is no play lies at a place, for a square with a card's height: anywhere on a small table."""
THROWN = 0.05
"""Share of cards that come to lie anywhere, and tell nothing by their place."""
PILED = 0.01
"""Odds of a play against a pile for what lies where no cards are played, and came as a pile does."""
SURELY_MISREAD = 0.01
"""Share of surely read cards that are another one."""
MOST_NAMES, LEAST_NAME = 3, 3e-4
"""How many names of a thing are weighed at most, and down to which share of the likeliest one's probability."""
BEFORE_TAKEN = 0.01
"""Prior odds of a card that is led while all of the last trick still lies there."""


@dataclass(frozen=True)
class PossiblePlay:
    """What may be a play: its sighting, and natural logarithms of what was seen when it came.

    `place` are the odds of a play by where it lies, `players` the probabilities of each player. `piled`: it came as a
    pile does.
    """

    sighting: Sighting
    place: float
    piled: bool
    players: Mapping[str, float]


class PossiblePlays:
    """What may be a play of the trick on the table or of the one before, by the number of its sighting."""

    def __init__(self, table: TableCards):
        self._table = table
        self._noted: dict[int, PossiblePlay] = {}
        # The plays of these tricks as they stand: (player, card).
        self.booked: dict[int, tuple[str, str]] = {}
        self._last: tuple[object, list[JointReading]] = (None, [])  # what was read last, and from what

    def __contains__(self, number: int) -> bool:
        return number in self._noted

    def __getitem__(self, number: int) -> PossiblePlay:
        return self._noted[number]

    def note(self, sighting: Sighting, measures: Mapping[str, SeatMeasures], piled: bool) -> None:
        """`sighting` may be a play; `measures` are what was seen of each player. `piled`: it came as a pile does."""
        odds = seat_odds(measures)
        whole = float(np.logaddexp.reduce(list(odds.values())))
        place = max(measure.place for measure in measures.values()) - np.log(SOMEWHERE)
        place = float(np.logaddexp(place, np.log(THROWN)) + (np.log(PILED) if piled else 0.0))
        players = {player: value - whole for player, value in odds.items()}
        self._noted[sighting.number] = PossiblePlay(sighting, place, piled, players)

    def readings(self, expectation: Expectation, sightings: Sequence[Sighting]) -> list[JointReading]:
        """The likeliest readings of the last two tricks, the likeliest first; `sightings` are those in view."""
        order = self._in_order(expectation, sightings)
        things = [self._thing(number, expectation) for number in order]
        played = expectation.played - expectation.doubtful.keys() - {card for _, card in self.booked.values()}
        trick = self._table.trick()
        lies = all(card.sighting.found for card in trick.values())
        # The next trick is led to once the one that lies there is taken.
        lying = (at + len(expectation.active) for at, number in enumerate(order) if number in trick)
        early = next(lying, len(order))
        asked = (things, expectation.active, expectation.leader, expectation.last_trick, early, lies, played)
        if asked != self._last[0]:
            due = cache(expectation.due_after)
            odds = BEFORE_TAKEN if lies else 1.0
            self._last = asked, joint_readings(things, expectation.active, due, (early, odds), played)
        return self._last[1]

    def is_misread(self, card: str, best: JointReading) -> bool:
        """Whether a play that stands as `card` is another card in the reading `best`."""
        plays = (best.of(number) for number, (_, name) in self.booked.items() if name == card)
        return any(play is not None and play.card != card for play in plays)

    def _in_order(self, expectation: Expectation, sightings: Sequence[Sighting]) -> list[int]:
        """The numbers of what may be a play of the last two tricks, in the order in which they came.

        A play that the camera did not book has the number of the play, below 0.
        """
        trick, back = self._table.trick(), self._table.exchanged(sightings, expectation)
        if back is not None and self._table.booked[back].card in expectation.kept:
            back = None  # on its player's pile, and still played
        self.booked = {
            self._table.number_of(card, expectation): (player, card)
            for player, card in (*expectation.last_trick, *expectation.trick)
            if card in expectation.played  # after a new start the game waits to see some of them again
        }
        if back is not None:
            self.booked.pop(back, None)
        order = list(self.booked)
        used = {*order, *trick, *(s.number for s in sightings)}
        self._noted = {number: one for number, one in self._noted.items() if number in used}
        for number, one in sorted(self._noted.items(), key=lambda item: item[1].sighting.landed_s):
            if number not in self._table.booked:
                until_s = one.sighting.landed_s + AT_ONCE_S
                landed = [self._landed_s(other) <= until_s for other in order]
                order.insert(len(order) - landed[::-1].index(True) if any(landed) else 0, number)
        return order

    def _landed_s(self, number: int) -> float:
        """When a thing came to lie; minus infinity where that is not known, as of what people enter."""
        if number in self._noted:
            return self._noted[number].sighting.landed_s
        return self._table.cards[number].sighting.landed_s if number in self._table.cards else -np.inf

    def _thing(self, number: int, expectation: Expectation) -> TableThing:
        """A thing with its evidence. A play that people entered or put right is known, and so is one of a new start."""
        play, one = self.booked.get(number), self._noted.get(number)
        landed_s = self._landed_s(number)
        after = landed_s > self._table.swept_s if np.isfinite(landed_s) else play in expectation.trick
        if play is not None and (one is None or not self._table.is_as_booked(number, expectation)):
            return TableThing(number, 0.0, {}, {}, play, after)
        assert one is not None
        votes = one.sighting.probabilities()[: len(CARDS)].astype(np.float64)
        shares = votes / votes.max()
        likeliest = [int(at) for at in np.argsort(-shares)[:MOST_NAMES] if shares[at] > LEAST_NAME]
        other = SURELY_MISREAD + (shares.sum() - shares[likeliest].sum())
        names = {CARDS[at]: float(np.log(shares[at])) for at in likeliest} | {"": float(np.log(other))}
        laid = SURELY_LAID if one.sighting.is_sure() else LAID
        return TableThing(
            number, float(np.log(laid / (1 - laid))) + one.place, one.players, names, after_sweep=after
        )
