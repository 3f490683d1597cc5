"""Cards that a player shows of his hand: many that come to lie together are no plays.

In some games they mean something, and he takes them up again: the game says who may show what
(`tracker.shown_cards.MayReveal`). In all games he may throw them in. Such cards overlap, so the finder also sees boxes
between them, and some cards cannot be read alone. They are named jointly, because a pack has each card once and they
mostly lie in order.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tracker.cards import CARDS
from tracker.events import Event
from tracker.shown_cards import MayReveal
from vision.arrays import Float32Array, Float64Array
from vision.picture import DIRECTIONS, overlap
from vision.reading.identifier import CLASSES
from vision.watching.expectation import Expectation
from vision.watching.names import MOST_JOINT, joint_names, ordered_names
from vision.watching.seats import SeatModel
from vision.watching.shown_cards import (
    AWAY_S,
    BEFORE_PLAYER,
    LIKELY_IN,
    ON_SPOT,
    OPEN_CARDS,
    QUIET_S,
    TOGETHER_S,
    is_beside,
    lie_across,
)
from vision.watching.sightings import SETTLED_LOOKS, STILL_S, SURE, Sighting, lies_among

FOLLOWED_S: Final = 1.2
"""Seconds for which a card far from the middle is held back, until the next one lies beside it."""
FEWEST_AT_ONCE, HAND_S = 3, 0.8
"""So many cards that came within so many seconds, all one way, were laid down together by one hand."""
LEFT_SHARE: Final = 1 / 3
"""Shown cards count as taken up once no more than this share of their places has a card."""
BETWEEN: Final = 0.75
"""A box that is nearer to a card of its name than this share of the usual step between cards is of that card."""
GAP: Final = 1.6
"""Between two cards that lie this many usual steps apart, one may be missing."""
TAKEN: Final = 1e-3
"""Factor on the odds of a name that another card surely has."""
NEAREST: Final = 1.0
"""How much nearer to his side, in heights of a card, cards must lie for a player who shows them out of turn."""


@dataclass
class _Revealed:
    """The places (4, 2) px of cards that were shown.

    - `landed_s`: when the last card came.
    - `seen_s`: when enough of the places last had a card.
    - `unplayed`: the players who had played no card by then.
    - `told`: the game was told.
    - `cards`, `known_s`: the cards as they are read, and since when.
    """

    spots_px: list[Float32Array]
    landed_s: float
    seen_s: float
    unplayed: frozenset[str]
    told: bool = False
    cards: tuple[str, ...] = ()
    known_s: float = 0.0

    def has(self, sighting: Sighting) -> bool:
        """Whether a card lies where one was shown, or mostly among the shown cards."""
        on_spot = any(overlap(sighting.corners_px, spot_px) > ON_SPOT for spot_px in self.spots_px)
        return on_spot or lies_among(sighting, self.spots_px)

    def joins(self, sighting: Sighting) -> bool:
        """Whether a card lies beside a shown card and came with it."""
        return abs(sighting.landed_s - self.landed_s) <= TOGETHER_S and any(
            float(np.linalg.norm(sighting.center_px - spot_px.mean(0))) < sighting.height_px
            for spot_px in self.spots_px
        )


class RevealedCardReader:
    """Reads what players show of their hands, for the game (`update`) and the reader of plays (`holds`)."""

    def __init__(self, seats: SeatModel):
        self._seats = seats
        self._revealed: list[_Revealed] = []
        self._held: set[int] = set()
        self.undecided: set[int] = set()
        """The numbers of the sightings that may still turn out to be revealed."""

    def holds(self, sighting: Sighting) -> bool:
        """Whether a sighting is revealed, or may still turn out to be, and so is no play."""
        return sighting.number in self._held or (sighting.number in self.undecided and not sighting.left)

    def has(self, sighting: Sighting) -> bool:
        """Whether a sighting is certainly revealed."""
        return sighting.number in self._held

    @property
    def lies_open(self) -> bool:
        """Whether cards of a hand lie open."""
        return bool(self._revealed)

    def update(
        self,
        sightings: Sequence[Sighting],
        booked: Container[int],
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
    ) -> list[Event]:
        """The events of what was shown by this frame; `booked` are the numbers of the sightings that are plays.

        `size` is the frame's (width, height) in px.
        """
        faces = [s for s in sightings if s.found and s.number not in booked and s.face]
        for shown in self._revealed:
            lying = sum(any(overlap(s.corners_px, px) > ON_SPOT for s in faces) for px in shown.spots_px)
            if lying > LEFT_SHARE * len(shown.spots_px):
                shown.seen_s = time_s
        self._revealed = [shown for shown in self._revealed if time_s - shown.seen_s < AWAY_S]
        others = [s for s in faces if not any(shown.has(s) for shown in self._revealed)]
        # Before a hand, and in rows, cards may come together and be plays; the readings of the table tell them apart.
        gathers = not (expectation.begins or expectation.stays or expectation.waits)
        self.undecided = self._gather(others, expectation, size, time_s) if gathers else set()
        held = {s.number for s in faces if any(shown.has(s) for shown in self._revealed)}
        # A revealed card stays held while it moves. Where it comes to rest elsewhere, it is a new card.
        at_rest = {s.number for s in faces if s.still_for(time_s) >= STILL_S}
        self._held = (self._held - at_rest) | held
        return [
            event for shown in self._revealed for event in self._told(shown, faces, expectation, size, time_s)
        ]

    def _gather(
        self, faces: Sequence[Sighting], expectation: Expectation, size: tuple[int, int], time_s: float
    ) -> set[int]:
        """Take in what was shown since the last frame; returns the numbers of the `faces` that may be shown, too."""
        lying = [s for s in faces if s.still_for(time_s) >= STILL_S]
        for shown in self._revealed:
            for s in [s for s in lying if shown.joins(s)]:
                lying.remove(s)
                shown.spots_px.append(s.corners_px)
                shown.landed_s = max(shown.landed_s, s.landed_s)
        awaited, maybe = any(one.counts for one in expectation.may_reveal), set[int]()
        laid = 0 if expectation.shown_cards is None else expectation.shown_cards.count
        for together in _together(lying):
            last_s = max(s.landed_s for s in together)
            if len(together) > laid and _are_of_a_hand(together, len(expectation.active)):
                unplayed = frozenset(one.player for one in expectation.may_reveal if not one.played)
                self._revealed.append(_Revealed([s.corners_px for s in together], last_s, time_s, unplayed))
            elif awaited and any(self._is_far(s, size) for s in together):
                waits_s = TOGETHER_S if len(together) > 1 else FOLLOWED_S
                maybe |= {s.number for s in together if time_s - last_s <= waits_s}
        return maybe

    def _is_far(self, sighting: Sighting, size: tuple[int, int]) -> bool:
        way_px = float(np.linalg.norm(sighting.center_px - self._seats.middle(size)))
        return way_px > BEFORE_PLAYER * sighting.height_px

    def _told(
        self,
        shown: _Revealed,
        faces: Sequence[Sighting],
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
    ) -> list[Event]:
        """The event of what is `shown`, once it is that player's turn and all cards are surely read."""
        may = self._whose(shown, faces, expectation, size)
        if shown.told or may is None or not (may.now and may.counts):
            return []
        cards = _names([s for s in faces if shown.has(s)], may.among)
        if cards != shown.cards:
            shown.cards, shown.known_s = cards, time_s
        if len(cards) not in may.counts or time_s - shown.known_s < QUIET_S:
            return []
        shown.told = True
        return [may.event(cards)]

    def _whose(
        self, shown: _Revealed, faces: Sequence[Sighting], expectation: Expectation, size: tuple[int, int]
    ) -> MayReveal | None:
        """Who shows these cards: he before whom they lie. Of two players on one side it is the one whose turn it is."""
        height_px = max((s.height_px for s in faces if shown.has(s)), default=1.0)
        way = (np.mean(shown.spots_px, axis=(0, 1)) - self._seats.middle(size)) / height_px
        out = {
            may.player: float(np.dot(way, DIRECTIONS[self._seats.sides[may.player]])) + NEAREST * may.now
            for may in expectation.may_reveal
        }
        whose = max(expectation.may_reveal, key=lambda may: out[may.player], default=None)
        return whose if whose is not None and whose.player in shown.unplayed else None


def _together(lying: Sequence[Sighting]) -> list[list[Sighting]]:
    """The cards in groups: those of a group came together and lie beside one another."""
    groups: list[list[Sighting]] = []
    for s in lying:
        mine = [group for group in groups if any(is_beside(s, other) for other in group)]
        groups = [group for group in groups if group not in mine] + [[s, *(o for g in mine for o in g)]]
    return groups


def _are_of_a_hand(together: Sequence[Sighting], players: int) -> bool:
    """Whether the cards `together` are more than a trick has, or one hand laid them down at once, all one way.

    Several boxes may be on one card, so of a few cards the names are counted: likely ones, of which two are sure.
    """
    sure, landed_s = {s.read_as for s in together if s.is_sure()}, [s.landed_s for s in together]
    likely = {s.read_as for s in together if float(s.probabilities()[: len(CARDS)].max()) > LIKELY_IN}
    named = len(sure) >= FEWEST_AT_ONCE - 1 and len(likely) >= FEWEST_AT_ONCE
    at_once = named and max(landed_s) - min(landed_s) <= HAND_S
    return len(together) > max(OPEN_CARDS, players) or (at_once and not lie_across(together))


def _names(lying: Sequence[Sighting], among: Sequence[str]) -> tuple[str, ...]:
    """The names of the cards that are shown, in the order in which they lie.

    None while a name is unsure, or while two cards lie so far apart that one may be missing between them.
    """
    votes = {s.number: _votes(s, among) for s in lying}
    row = _in_order(_single(sorted(lying, key=lambda s: float(-votes[s.number].max())), votes))
    steps = _steps(row)
    if any(s.looks < SETTLED_LOOKS or s.stale for s in row) or not len(steps):
        return ()
    if float(steps.max()) > GAP * float(np.median(steps)):
        return ()
    chances = _jointly([votes[s.number] for s in row])
    names = tuple(among[int(one.argmax())] for one in chances)
    sure = all(float(one.max()) >= SURE for one in chances)
    return names if sure and len(set(names)) == len(names) else ()


def _in_order(lying: Sequence[Sighting]) -> list[Sighting]:
    """The cards along the row in which they lie."""
    centers = np.array([s.center_px for s in lying], np.float64).reshape(-1, 2)
    if len(centers) < 2:
        return list(lying)
    off = centers - centers.mean(0)
    along = off @ np.linalg.svd(off)[2][0]
    return [lying[int(at)] for at in np.argsort(along)]


def _steps(row: Sequence[Sighting]) -> Float64Array:
    """The distances (N - 1,) in px from each card of a row to the next."""
    centers = np.array([s.center_px for s in row], np.float64).reshape(-1, 2)
    return np.asarray(np.linalg.norm(np.diff(centers, axis=0), axis=1), np.float64)


def _votes(sighting: Sighting, among: Sequence[str]) -> Float64Array:
    """The probabilities (N,) of a card's names, given that it is one of the N cards in `among`."""
    votes = sighting.probabilities()[[CLASSES.index(card) for card in among]].astype(np.float64)
    return np.asarray(votes / max(float(votes.sum()), 1e-300), np.float64)


def _single(clearest: Sequence[Sighting], votes: dict[int, Float64Array]) -> list[Sighting]:
    """The cards without the boxes between them: such a box is read as the card of which it shows a part."""
    steps = _steps(_in_order(clearest))
    usual_px = float(np.median(steps)) if len(steps) else 0.0
    kept: list[Sighting] = []
    for s in clearest:
        name = int(votes[s.number].argmax())
        doubled = any(
            name == int(votes[other.number].argmax())
            and float(np.linalg.norm(s.center_px - other.center_px)) < BETWEEN * usual_px
            for other in kept
        )
        if not doubled:
            kept.append(s)
    return kept


def _jointly(rows: Sequence[Float64Array]) -> list[Float64Array]:
    """The probabilities of each card's names, jointly. If the cards that are sure alone lie in order, all do."""
    sure = [int(row.argmax()) for row in rows if float(row.max()) >= SURE]
    if len(sure) > 2 and sure in (sorted(sure), sorted(sure, reverse=True)):
        return ordered_names(rows)
    left = np.ones(len(rows[0]))
    left[sure] = TAKEN  # a name that is sure is no other card's
    doubtful = [row * left for row in rows if float(row.max()) < SURE]
    if len(doubtful) > MOST_JOINT:
        return list(rows)
    joint = iter(joint_names(doubtful))
    return [row if float(row.max()) >= SURE else next(joint) for row in rows]
