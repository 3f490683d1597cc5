"""What a sighting may be, and the evidence for it in one frame."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float64Array
from vision.picture import overlap
from vision.watching.expectation import Expectation
from vision.watching.joint_readings import JointReading
from vision.watching.names import joint_names
from vision.watching.seats import SeatMeasures, seat_weights
from vision.watching.sightings import SURE, Sighting

PLAYED_BEFORE = 1e-3
"""Prior odds of a name that is booked elsewhere without a doubt. That booking would be wrong."""
UNLIKELY = 0.02
"""Probability below which a name is not considered, even if the likelier card already lies on the table."""
HINT = 0.3
"""Least probability by the votes alone with which a name is booked without a question."""
BOOKED_BEFORE = 0.3
"""Prior odds of the name of a doubtful or hidden card: the sighting may be that card, seen again."""
OFFERED = 0.004
"""Probability from which another name is offered when a card is asked about."""
MOST_OFFERED = 4
"""Other names offered, at most."""


class Explanation(StrEnum):
    """What a sighting is taken for."""

    NEW_CARD = "a new card"
    INSTEAD = "a new card in place of one taken back"
    MISSED = "a new card that was missed when it was laid, before the last ones"
    SAME_CARD = "a card that lay there, nudged or uncovered"
    LAID_AGAIN = "a card of the open trick, laid again"
    SECOND_BOX = "a second box on a card"
    ACROSS_CARDS = "a box across cards"
    OTHER_SIZE = "a thing of another size than the cards"
    EARLIER_TRICK = "an earlier trick shown again"
    TO_A_PILE = "a card of an earlier trick on its way to a pile"
    LAY_THERE = "a thing that lay there before"
    NO_HAND = "a card shown between two hands"
    PILE = "a pile: it came with a trick that was taken, and lies where no cards are played"
    OUTWEIGHED = "no play: the trick is likelier without it"
    NOT_CLEAR_YET = "not clear yet"
    NO_CARD = "booked as a card, but a back or no card"
    SETTLED = "a doubtful card, whose other names were played elsewhere"
    READ_OTHERWISE = "a card booked unsurely read, that reads surely as another one by now"


Reading = tuple[tuple[str, float], ...]
"""The likeliest cards, each with its probability, likeliest first."""


@dataclass(frozen=True)
class Likely:
    """How likely each name of a sighting is, with the game taken into account.

    `chances` (78,) are the probabilities in the order of `CARDS`. `as_read` is the likeliest card's probability by
    the votes alone. `sure` means that nobody need be asked.
    """

    chances: Float64Array
    as_read: float
    sure: bool

    @property
    def order(self) -> list[str]:
        """All cards, the likeliest first."""
        return [CARDS[int(i)] for i in np.argsort(-self.chances)]

    @property
    def card(self) -> str:
        """The likeliest card."""
        return CARDS[int(self.chances.argmax())]

    def names(self, played: Set[str], raw: str) -> tuple[str, tuple[str, ...]]:
        """The card to book, and up to four others to ask about, the likeliest first.

        `played` is empty, unless the likeliest card was played before, so that one of its two readings is wrong.
        Then the likeliest card outside `played` is booked, and `raw`, the name as read, is the first of the others.
        """
        order = self.order
        if played:
            card, *others = [card for card in order if card not in played]
            return card, tuple([raw, *others][:MOST_OFFERED])
        offered = tuple(
            card for card in order[1 : 1 + MOST_OFFERED] if self.chances[CARDS.index(card)] > OFFERED
        )
        return order[0], offered or (order[1],)

    def without(self, offered: Sequence[str], played: Set[str]) -> tuple[str, tuple[str, ...]]:
        """The likeliest card `offered`, and the other ones to ask about; cards in `played` are left out."""
        left = sorted((card for card in offered if card not in played), key=self.order.index)
        if self.chances[CARDS.index(left[0])] >= SURE and self.as_read >= HINT:
            return left[0], ()
        return left[0], tuple(left[1:])


def likely_name(chances: Float64Array, votes: Float64Array) -> Likely:
    """A card's names: `chances` (78,) are their probabilities with the game, `votes` (78,) those without it."""
    best = int(chances.argmax())
    as_read = float(votes[best])
    # The votes must support the name too. Otherwise the last card still out would be read into anything.
    return Likely(chances, as_read, float(chances[best]) >= SURE and as_read >= HINT)


def name_doubts(doubts: Mapping[str, Float64Array], certain: Set[str]) -> dict[str, Likely]:
    """The names of the doubtful plays, given jointly. `certain` are the cards that were surely played.

    `doubts` has the votes (78,) of each play by the name that it is booked as; so has the answer.
    """
    rows = [votes * _elsewhere(certain) for votes in doubts.values()]
    return {
        card: likely_name(chances, votes)
        for (card, votes), chances in zip(doubts.items(), joint_names(rows), strict=True)
    }


def _elsewhere(certain: Set[str]) -> Float64Array:
    """The prior odds (78,) of each name, where the cards `certain` were surely played elsewhere."""
    return np.array([PLAYED_BEFORE if card in certain else 1.0 for card in CARDS])


@dataclass(frozen=True)
class Judged:
    """The explanation of a sighting, with the evidence for its name and its player.

    `read` has the names by the votes alone, `likely` those with the game. `players` has the evidence for each player.
    `rivals` are the likeliest readings of the trick, if they were weighed.
    """

    time_s: float
    sighting: int
    explanation: Explanation
    read: Reading
    likely: Likely
    players: Mapping[str, SeatMeasures]
    rivals: tuple[JointReading, ...] = ()

    def as_json(self) -> dict[str, object]:
        """One line of `tarok watch --explain`. Players have natural log-odds by measure, readings a weight in nats."""
        odds = {
            player: {name: round(value, 2) for name, value in seat_weights().log_odds(seen).items()}
            for player, seen in self.players.items()
        }
        return {
            "time_s": round(self.time_s, 3), "sighting": self.sighting, "explanation": str(self.explanation),
            "read": _rounded(self.read), "with_the_game": _rounded(_likeliest(self.likely.chances)),
            "players": odds, "readings": [reading.as_json() for reading in self.rivals],
        }  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """A sighting in one frame, among the others, and what the game expects.

    - `here`: the other booked cards that were seen together with it, by card.
    - `doubts`: the votes (78,) of each doubtful play, by the name that it is booked as.
    - `hidden`: the names of the booked cards that lie on the table or were just swept away.
    - `size`: the frame's (width, height) in px.
    - `leaving`: the sighting leaves the table unnamed.
    - `pressed`: a later card is already named, so this one must be named now.
    - `votes`: the probabilities (78,) of `CARDS` by the votes alone.
    - `likely`: its names with the game.
    - `others`: the names of the doubtful plays, given jointly with this one, by the name that they are booked as.
    """

    sighting: Sighting
    sightings: tuple[Sighting, ...]
    here: Mapping[str, Sighting]
    doubts: Mapping[str, Float64Array]
    hidden: Set[str]
    expectation: Expectation
    size: tuple[int, int]
    time_s: float
    leaving: bool
    pressed: bool
    votes: Float64Array = field(init=False)
    likely: Likely = field(init=False)
    others: Mapping[str, Likely] = field(init=False)

    def __post_init__(self) -> None:
        votes = self.sighting.probabilities()[: len(CARDS)].astype(np.float64)
        object.__setattr__(self, "votes", votes)
        certain = self.expectation.come_no_more - self.doubts.keys()
        rows = [doubt * _elsewhere(certain) for doubt in self.doubts.values()]
        mine, *others = joint_names([votes * self._prior(certain), *rows])
        object.__setattr__(self, "likely", likely_name(mine, votes))
        named = zip(self.doubts.items(), others, strict=True)
        object.__setattr__(
            self, "others", {card: likely_name(chances, doubt) for (card, doubt), chances in named}
        )

    def _prior(self, certain: Set[str]) -> Float64Array:
        """The prior odds (78,) of its names, before the doubtful plays are named with it."""
        prior = _elsewhere(certain)
        for index, card in enumerate(CARDS):
            if card in self.doubts or (card in self.hidden and card not in self.here):
                prior[index] = BOOKED_BEFORE
            elif card in certain and card in self.here:
                prior[index] *= PLAYED_BEFORE
        return prior

    @property
    def raw(self) -> str:
        """The likeliest card by the votes alone."""
        return CARDS[int(self.votes.argmax())]

    def reading(self) -> Reading:
        """Its three likeliest names by the votes alone."""
        return _likeliest(self.votes)

    def is_named_anew(self) -> bool:
        """Whether it surely reads as a card that was played in this hand and is seen nowhere else on the table."""
        return self.raw in self.expectation.played and self.raw not in self.here and self.sighting.is_sure()

    def lies_on_its_like(self, clear: bool) -> bool:
        """Whether it lies on a card of its name that is booked, or surely read and found more clearly.

        Unless it is `clear`, any possible name of it counts.
        """
        score = self.sighting.best_score
        clearer = [(s.read_as, s) for s in self.sightings if s.best_score > score and s.is_sure()]
        return any(
            (card == self.raw or (not clear and self.votes[CARDS.index(card)] > UNLIKELY))
            and overlap(self.sighting.corners_px, other.corners_px) > 0.25
            for card, other in (*self.here.items(), *clearer)
        )

    def is_beside(self) -> bool:
        """Whether its sure name is that of a doubtful play which lies beside it."""
        return self.likely.sure and self.likely.card in self.doubts and self.likely.card in self.here


def _likeliest(chances: Float64Array) -> Reading:
    return tuple((CARDS[int(i)], float(chances[i])) for i in np.argsort(-chances)[:3])


def _rounded(reading: Reading) -> dict[str, float]:
    return {card: round(chance, 4) for card, chance in reading}
