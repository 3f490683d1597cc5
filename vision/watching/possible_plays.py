"""What may be a play of the trick on the table: the evidence of each thing, and how all of them are read together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tracker.cards import CARDS
from vision.watching.explanations import Expectation
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
    """What may be a play of the trick on the table, by the number of its sighting."""

    def __init__(self, table: TableCards):
        self._table = table
        self._noted: dict[int, PossiblePlay] = {}
        self._led: str | None = None  # who was to lead to the newest trick that has a card
        self.leader: str | None = None  # who is to lead to the open trick
        self._last: tuple[object, list[JointReading]] = (None, [])  # what was read last, and from what

    def __contains__(self, number: int) -> bool:
        return number in self._noted

    def __getitem__(self, number: int) -> PossiblePlay:
        return self._noted[number]

    def follow(self, expectation: Expectation) -> None:
        """Note who is to lead."""
        if expectation.trick:
            self._led = self.leader
        else:
            self.leader = expectation.to_play

    def note(self, sighting: Sighting, measures: Mapping[str, SeatMeasures], piled: bool) -> None:
        """`sighting` may be a play; `measures` are what was seen of each player. `piled`: it came as a pile does."""
        odds = seat_odds(measures)
        whole = float(np.logaddexp.reduce(list(odds.values())))
        place = max(measure.place for measure in measures.values()) - np.log(SOMEWHERE)
        place = float(np.logaddexp(place, np.log(THROWN)) + (np.log(PILED) if piled else 0.0))
        players = {player: value - whole for player, value in odds.items()}
        self._noted[sighting.number] = PossiblePlay(sighting, place, piled, players)

    def readings(self, expectation: Expectation, sightings: Sequence[Sighting]) -> list[JointReading]:
        """The likeliest readings of the trick on the table, the likeliest first; `sightings` are those in view."""
        order = self._in_order(expectation, sightings)
        things = [self._thing(number, expectation) for number in order]
        booked = self._table.booked
        known = {booked[number].card for number in order if number in booked}
        played = expectation.played - expectation.doubtful.keys() - known
        trick = self._table.trick()
        leader = self._led if expectation.trick or trick else expectation.to_play

        def due(players: Sequence[str]) -> str | None:
            return expectation.due(leader, players) if leader else None

        leads = None if expectation.trick else expectation.to_play
        begun = BEFORE_TAKEN if all(card.sighting.found for card in trick.values()) else 1.0
        asked = (things, expectation.active, leader, leads, begun, played)
        if asked != self._last[0]:
            self._last = asked, joint_readings(things, expectation.active, due, (leads, begun), played)
        return self._last[1]

    def _in_order(self, expectation: Expectation, sightings: Sequence[Sighting]) -> list[int]:
        """The numbers of what may be a play of the trick on the table, in the order in which they came."""
        trick, back = self._table.trick(), self._table.exchanged(sightings, expectation)
        if back is not None and self._table.booked[back].card in expectation.kept:
            back = None  # on its player's pile, and still played
        order = sorted(trick.keys() - {back}, key=lambda number: self._table.booked[number].seq or np.inf)
        used = trick.keys() | {s.number for s in sightings}
        self._noted = {number: one for number, one in self._noted.items() if number in used}
        for number, one in sorted(self._noted.items(), key=lambda item: item[1].sighting.landed_s):
            if number not in self._table.booked:
                until_s = one.sighting.landed_s + AT_ONCE_S
                landed = [self._sighting(other).landed_s <= until_s for other in order]
                order.insert(len(order) - landed[::-1].index(True) if any(landed) else 0, number)
        return order

    def _sighting(self, number: int) -> Sighting:
        return self._noted[number].sighting if number in self._noted else self._table.cards[number].sighting

    def _thing(self, number: int, expectation: Expectation) -> TableThing:
        """A thing with its evidence. A play that people entered or put right is known, and so is one of a new start."""
        booked, one = self._table.booked.get(number), self._noted.get(number)
        if booked is not None and (one is None or not self._table.is_as_booked(number, expectation)):
            return TableThing(number, 0.0, {}, {}, (booked.player, booked.card))
        assert one is not None
        votes = one.sighting.probabilities()[: len(CARDS)].astype(np.float64)
        shares = votes / votes.max()
        likeliest = [int(at) for at in np.argsort(-shares)[:MOST_NAMES] if shares[at] > LEAST_NAME]
        names = {CARDS[at]: float(np.log(shares[at])) for at in likeliest} | {
            "": float(np.log(SURELY_MISREAD))
        }
        laid = SURELY_LAID if one.sighting.is_sure() else LAID
        return TableThing(number, float(np.log(laid / (1 - laid))) + one.place, one.players, names)
