"""What a sighting may be, and the evidence for it in one frame."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event
from tracker.shown_cards import MayReveal, ShownCards
from vision.arrays import Float64Array
from vision.picture import overlap
from vision.watching.joint_readings import JointReading
from vision.watching.names import joint_names
from vision.watching.seats import SeatMeasures, seat_weights
from vision.watching.sightings import SURE, Sighting

PLAYED_BEFORE = 1e-3
"""Prior odds that a card is one booked elsewhere without a doubt: that booking was then wrong."""
UNLIKELY = 0.02
"""Probability below which a name is not considered, even if the likelier card already lies on the table."""
HINT = 0.3
"""Probability by the votes alone that a name needs, at least, to be booked without a question."""
BOOKED_BEFORE = 0.3
"""Prior odds that a sighting is called as a doubtful or hidden card is: it may be that card, seen again."""
OFFERED = 0.004
"""Probability from which another name is offered when a card is asked about."""
MOST_OFFERED = 4
"""Other names offered, at most."""


def _nobody(plays: Sequence[tuple[str, str]]) -> None:
    """Who would win is not known."""


@dataclass(frozen=True)
class Expectation:
    """What the game expects now: a soft prior, never a filter.

    - `active`: the players of the hand in order of play; empty between hands.
    - `turn`: who has still to play to the trick, in order; between two tricks all, the leader first.
    - `trick`: the (player, card) pairs booked in the open trick.
    - `last_trick`: those of the newest trick that is complete, if all its cards are known.
    - `leader`: who was to lead to that trick, or to the open one where there is none.
    - `winner`: who would win a trick of some (player, card) pairs, in order; None where that cannot be told.
    - `played`: every card booked in the hand.
    - `doubtful`: the played cards still asked about: card -> (number of the stored play, its alternatives).
    - `numbers`: card -> number of the stored play, for every play of the hand in order.
    - `shown_cards`: what is laid open next and is no play.
    - `may_reveal`: what players may show of their hands, and take up again.
    - `stays`: the cards of every trick stay on the table.
    - `thrown`: the cards that are thrown open onto the newest trick, and are no plays.
    - `waits`: people must say something first; what is laid meanwhile may turn out to be a play. Nobody is `active`.
    - `kept`: the cards that leave for their own player's pile, not the taker's, before or after the rest of the trick.

    The game is asked for this before each frame. What it says of the turn holds for the plays of one frame, too.
    """

    active: tuple[str, ...]
    turn: tuple[str, ...]
    trick: tuple[tuple[str, str], ...]
    played: frozenset[str]
    doubtful: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    shown_cards: ShownCards | None = None
    stays: bool = False
    thrown: frozenset[str] = frozenset()
    waits: bool = False
    may_reveal: tuple[MayReveal, ...] = ()
    last_trick: tuple[tuple[str, str], ...] = ()
    leader: str | None = None
    winner: Callable[[Sequence[tuple[str, str]]], str | None] = _nobody

    @property
    def to_play(self) -> str | None:
        """The player whose turn it is."""
        return self.turn[0] if self.turn else None

    @property
    def to_lead(self) -> str | None:
        """Who was to lead to the open trick, or is to lead to the next."""
        if not self.trick:
            return self.to_play
        return self.winner(self.last_trick) if self.last_trick else self.leader

    @property
    def last_play(self) -> str | None:
        """The card of the last play booked in the hand."""
        return next(reversed(tuple(self.numbers)), None)

    def after(self, events: Sequence[Event]) -> "Expectation":
        """The same with the plays among `events` booked. With the last of a trick nobody's turn is known."""
        now = self
        for play in (event for event in events if isinstance(event, CardPlayed)):
            turn = now.turn if now.trick else _from(now.active, play.player)
            waiting = tuple(player for player in turn if player != play.player)
            trick = (*now.trick, (play.player, play.card))
            now = replace(now, turn=waiting, trick=trick, played=now.played | {play.card})
            if now.active and not waiting:
                now = replace(now, trick=(), last_trick=trick, leader=now.to_lead)
        return now

    def without(self, player: str, card: str) -> "Expectation":
        """The same before `player` played `card` to the open trick: it is his turn again."""
        trick = tuple(play for play in self.trick if play != (player, card))
        return replace(self, turn=(player, *self.turn), trick=trick, played=self.played - {card})

    def due(self, leader: str, players: Sequence[str]) -> str | None:
        """Whose turn it is when `players` have played to a trick; `leader` was to lead to it. None after the last."""
        order = _from(self.active, players[0] if players else leader)
        return next((player for player in order if player not in players), None)

    def due_after(self, plays: Sequence[tuple[str, str]]) -> str | None:
        """Whose turn it is after these (player, card) `plays`, the first of which was to `last_trick`, if there is one.

        None where it is not known.
        """
        leader, count = self.leader, max(len(self.active), 1)
        whole = len(plays) // count * count
        if whole:
            leader = self.winner(plays[whole - count : whole])
        players = [player for player, _ in plays[whole:]]
        return self.due(leader or players[0], players) if leader or players else None

    def out_of_turn(self, leader: str, players: Sequence[str]) -> tuple[int, bool]:
        """How many of `players` were not due when they played to a trick, in this order, and whether the first was not.

        `leader` was to lead to it.
        """
        faults = [player != self.due(leader, players[:at]) for at, player in enumerate(players)]
        return sum(faults), any(faults[:1])


class Explanation(StrEnum):
    """What a sighting is taken for."""

    NEW_CARD = "a new card"
    INSTEAD = "a new card in place of one taken back"
    MISSED = "a new card that was missed when it was laid, before the last ones"
    SAME_CARD = "a card that lay there, nudged or uncovered"
    LAID_AGAIN = "a card of the open trick, laid again"
    SECOND_BOX = "a second box on a card"
    HARDLY_FOUND = "hardly found, and read as no card in particular"
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

    `chances` (78,) are the probabilities in the order of `CARDS`. `as_read` is the likeliest card's probability
    by the votes alone. `sure` means that it needs no question.
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

        `played` is given where the likeliest card was played before, so that one of its two readings is wrong. Then
        the likeliest card not in `played` is booked, and `raw`, the name as read, is the first of the others.
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
        """The card that it is of those `offered`, and the others to ask about. None of them is in `played`."""
        left = sorted((card for card in offered if card not in played), key=self.order.index)
        if self.chances[CARDS.index(left[0])] >= SURE and self.as_read >= HINT:
            return left[0], ()
        return left[0], tuple(left[1:])


def likely_name(chances: Float64Array, votes: Float64Array) -> Likely:
    """What follows from the probabilities (78,) of a card's names with the game, and from its `votes` (78,) alone."""
    best = int(chances.argmax())
    as_read = float(votes[best])
    # The votes must support the name too. Otherwise the last card still out would be read into anything.
    return Likely(chances, as_read, float(chances[best]) >= SURE and as_read >= HINT)


def name_doubts(doubts: Mapping[str, Float64Array], certain: Set[str]) -> dict[str, Likely]:
    """The names of the doubtful plays by the names that they are booked as, each with its votes (78,), jointly.

    `certain` are the cards that were surely played.
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

    `read` has the names by the votes alone, `likely` those with the game. `players` has what tells of each player.
    `rivals` are the likeliest readings of its trick, where they were weighed.
    """

    time_s: float
    sighting: int
    explanation: Explanation
    read: Reading
    likely: Likely
    players: Mapping[str, SeatMeasures]
    rivals: tuple[JointReading, ...] = ()

    def as_json(self) -> dict[str, object]:
        """As one line of `tarok watch --explain`: the natural log-odds of each player, by what tells of him.

        Each reading of the trick has its weight, in nats, and its plays.
        """
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

    `here` has the sightings of the other booked cards that were seen together with it, by card. `doubts` has the
    votes (78,) of each doubtful play, by the name that it is booked as. `hidden` has the names of the booked cards
    that lie on the table, or were just swept away. `leaving` means that it leaves the table unnamed, `pressed` that
    a later card is already named. `size` is the frame's (width, height) in px. `votes` (78,) are the probabilities
    of `CARDS` by the votes alone, `likely` its names with the game. `others` has the names of the doubtful plays,
    given this sighting's, by the name booked.
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
        certain = self.expectation.played - self.doubts.keys()
        rows = [doubt * _elsewhere(certain) for doubt in self.doubts.values()]
        mine, *others = joint_names([votes * self._prior(certain), *rows])
        object.__setattr__(self, "likely", likely_name(mine, votes))
        named = zip(self.doubts.items(), others, strict=True)
        object.__setattr__(
            self, "others", {card: likely_name(chances, doubt) for (card, doubt), chances in named}
        )

    def _prior(self, certain: Set[str]) -> Float64Array:
        """The prior odds (78,) of its names, but for the names of the doubtful plays."""
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
        """Whether it is surely a card booked in this hand that is found nowhere else on the table."""
        return self.raw in self.expectation.played and self.raw not in self.here and self.sighting.is_sure()

    def lies_on_its_like(self, clear: bool) -> bool:
        """Whether it lies on a booked card of the same name; if it is not `clear`, a possible name is enough."""
        return any(
            (card == self.raw or (not clear and self.votes[CARDS.index(card)] > UNLIKELY))
            and overlap(self.sighting.corners_px, other.corners_px) > 0.25
            for card, other in self.here.items()
        )

    def is_beside(self) -> bool:
        """Whether it is surely a card that is already booked, doubtfully, for another sighting beside it."""
        return self.likely.sure and self.likely.card in self.doubts and self.likely.card in self.here


def _from(turn: tuple[str, ...], player: str) -> tuple[str, ...]:
    """`turn`, starting with `player`."""
    at = turn.index(player) if player in turn else 0
    return turn[at:] + turn[:at]


def _likeliest(chances: Float64Array) -> Reading:
    return tuple((CARDS[int(i)], float(chances[i])) for i in np.argsort(-chances)[:3])


def _rounded(reading: Reading) -> dict[str, float]:
    return {card: round(chance, 4) for card, chance in reading}
