"""Cards that lie open and are no plays.

These are a talon in its groups, its rest thrown onto a trick, discards, a vitamin, an open hand, and a card handed
across. The game says which of them it awaits (`tracker.shown_cards`). Where such cards lie, nothing counts as a play
until they have left or are played.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tracker.events import Event
from tracker.shown_cards import ShownCards
from vision.arrays import Float32Array
from vision.picture import DIRECTIONS, overlap
from vision.reading.identifier import CLASSES
from vision.watching.expectation import Expectation
from vision.watching.seats import SeatModel
from vision.watching.sightings import (
    FEWEST_LOOKS,
    SETTLED_LOOKS,
    STILL_S,
    Sighting,
    covered_share,
    lies_among,
)
from vision.watching.table_cards import BookedCard

AWAY_S = 1.0
"""Seconds without a card after which the card of a place has left: a hand may be over it for a while."""
QUIET_S = 0.8
"""Seconds without a new name after which all cards that were awaited are known."""
FEWEST_FRAMES = 2
"""Frames in which a card must be surely named."""
IN_ROW = 0.05
"""Overlap with a card of a row from which a card lies in that row."""
GROWN = 0.04
"""The least distance from the top card of a row to the others along the row, in heights of a card."""
BEFORE_PLAYER = 1.15
"""The least distance from the middle, in heights of a card, of what a player lays or shows; plays lie nearer."""
CROSSED = 0.5
"""Cosine of the angle between two cards below which they lie across."""
BACK_BESIDE = 1.5
"""The greatest distance, in heights of a card, from a discard laid open to one face down beside it."""
OPEN_CARDS = 4
"""So many cards that come to lie together are a hand laid open: cards are played one by one."""
TOGETHER_S = 2.5
"""Seconds for which a card that may be of an open hand is held back, until others lie beside it."""
LIKELY_IN = 0.5
"""Probability from which a card is one of those thrown onto a trick, or discarded: they may lie on one another."""
ON_SPOT, SAME_SPOT = 0.3, 0.8
"""Overlap from which a card lies on the spot of another; the second in an open hand, where each covers the last."""
MOST_COVERED = 0.4
"""Greatest share of a card of an open hand that may lie within another, for its name to be trusted."""


@dataclass
class _Spot:
    """Where a card lies that is no play: when it came, and when a card was last seen there, in s.

    A spot that `stays` is kept though no card is seen there.
    """

    home_px: Float32Array
    landed_s: float
    seen_s: float
    stays: bool


@dataclass
class _Named:
    """A card that was surely named: when it came, when it was first so named, its spot, and in how many frames."""

    landed_s: float
    new_s: float
    home_px: Float32Array
    frames: int = 0


class ShownCardReader:
    """Reads what lies open and is no play, for the game (`update`) and the reader of plays (`holds`)."""

    def __init__(self, seats: SeatModel):
        self._seats = seats
        self._spots: list[_Spot] = []
        self._named: dict[str, _Named] = {}
        self._kind = ""
        self._held: set[int] = set()
        self._past = False  # a talon is awaited, but tricks are played already
        self._told: tuple[str, ...] = ()
        # The open hand as far as it is known, and since when.
        self._hand: tuple[tuple[str, ...], float] = ((), 0.0)

    def holds(self, sighting: Sighting) -> bool:
        """Whether a sighting is no play, or may still turn out to be none."""
        return sighting.number in self._held

    def update(
        self,
        sightings: Sequence[Sighting],
        booked: Mapping[int, BookedCard],
        rows: Mapping[str, Sequence[Float32Array]],
        untaken: bool,
        expectation: Expectation,
        size: tuple[int, int],
        time_s: float,
        waits: bool = False,
    ) -> list[Event]:
        """The events of what was laid open by this frame; `booked` are the plays by sighting number.

        `rows` has the corners (4, 2) px of each player's cards, in the order in which he played them. `untaken` means
        that the last trick still lies there. `size` is the frame's (width, height) in px. With `waits` a discard is
        not told yet, because it may turn out to be something else.
        """
        awaited = expectation.shown_cards
        if not expectation.active and awaited is None:
            self._spots, self._named, self._held, self._kind = [], {}, set(), ""
            return []
        kind = "" if awaited is None else awaited.kind
        if kind != self._kind:
            # A group is taken from the talon, whose cards are named already.
            self._named = self._named if kind == "group" else {}
            self._kind, self._told, self._past = kind, (), False
        faces = [s for s in sightings if s.found and s.number not in booked and s.face]
        self._spots = [spot for spot in self._spots if self._is_used(spot, faces, time_s)]
        lying = [s for s in faces if s.still_for(time_s) >= STILL_S]
        # A hand is laid open before the next lead; later more of its cards are read.
        first = kind == "hand" and not expectation.trick and awaited is not None and not awaited.among
        if kind == "talon" and lie_across(lying):
            self._past, self._spots = True, []
        mine = (
            []
            if awaited is None or self._past or (kind == "hand" and not first)
            else self._shown(awaited, lying, untaken, size)
        )
        if kind == "discard" and awaited is not None and awaited.beside_backs and len(mine) == 1:
            mine = mine if any(_is_back_beside(s, mine[0]) for s in sightings) else []
        if kind == "gift":
            # Only what lies there now counts: players may have looked at an earlier trick with several such cards.
            shown = {_name(s) for s in mine}
            self._named = {card: named for card, named in self._named.items() if card in shown}
        for sighting in mine:
            self._note(sighting, kind, time_s)
        held = {s.number for s in faces if self._spot_of(s) is not None or s in mine or self._lies_in_hand(s)}
        held |= {s.number for s in lying if _share_of(s, expectation.thrown) > LIKELY_IN}
        if expectation.stays:
            held |= _under_others(sightings, rows.values())
        if (kind == "talon" and not self._past) or (kind == "hand" and first):
            held |= {s.number for s in faces if self._may_belong(s, faces, kind, time_s)}
        # A card stays held while it is out of sight or moves. Where it comes to rest elsewhere, it is a new card.
        self._held = self._held - {s.number for s in lying} | held
        if awaited is not None and kind == "hand":
            return self._hand_known(awaited, lying, expectation, time_s)
        if kind == "discard" and (waits or not all(s.is_sure() for s in mine)):
            return []
        return [] if awaited is None else self._events(awaited, time_s)

    def forget_named(self) -> None:
        """Forget the names of a discard that turned out to be something else."""
        if self._kind == "discard":
            self._named = {}

    def _is_used(self, spot: _Spot, faces: Sequence[Sighting], time_s: float) -> bool:
        if any(overlap(s.corners_px, spot.home_px) > ON_SPOT for s in faces):
            spot.seen_s = time_s
        return spot.stays or time_s - spot.seen_s < AWAY_S

    def _spot_of(self, sighting: Sighting, least: float = ON_SPOT) -> _Spot | None:
        return next((one for one in self._spots if overlap(sighting.corners_px, one.home_px) > least), None)

    def _lies_in_hand(self, sighting: Sighting) -> bool:
        """Whether most of a card lies within the hand laid open, where boxes come and go because the cards overlap."""
        return lies_among(sighting, [spot.home_px for spot in self._spots if spot.stays])

    def _came_with_hand(self, sighting: Sighting) -> bool:
        """Whether a card lies beside a card of the open hand and came with it."""
        return any(
            float(np.linalg.norm(sighting.center_px - spot.home_px.mean(0))) < sighting.height_px
            and abs(sighting.landed_s - spot.landed_s) <= TOGETHER_S
            for spot in self._spots
        )

    def _may_belong(self, sighting: Sighting, faces: Sequence[Sighting], kind: str, time_s: float) -> bool:
        """Whether a sighting among the `faces` in view may still turn out to be of the talon, or of the open hand.

        The cards of a hand come to rest one by one, and the last of a row may do so before its neighbour.
        """
        if kind == "hand":
            joins = any(is_beside(sighting, other) for other in faces if other is not sighting)
            return (joins or not self._spots) and time_s - sighting.landed_s <= TOGETHER_S
        return bool(self._spots) or not self._named  # the talon is still to come, or lies there

    def _shown(
        self, awaited: ShownCards, lying: Sequence[Sighting], untaken: bool, size: tuple[int, int]
    ) -> list[Sighting]:
        """The cards among those `lying` there that are what is awaited."""
        if awaited.kind == "talon":
            return [s for s in lying if self._spots or not self._named]
        if awaited.kind == "group":
            return []
        if awaited.kind == "discard":
            mine = [s for s in lying if self._lies_before(s, awaited.player, size)]
            return [s for s in mine if not awaited.among or _share_of(s, awaited.among) > LIKELY_IN]
        if awaited.kind == "vitamin":
            return list(lying) if untaken else []
        if awaited.kind == "gift":
            return [] if untaken else [s for s in lying if self._is_handed_across(s, awaited, size)]
        if self._spots:
            return [s for s in lying if self._lies_in_hand(s) or self._came_with_hand(s)]
        beside = [s for s in lying if any(is_beside(s, other) for other in lying if other is not s)]
        return beside if len(beside) >= OPEN_CARDS else []

    def _note(self, sighting: Sighting, kind: str, time_s: float) -> None:
        """Keep the spot of a card that is shown, and its name once it is sure."""
        if self._spot_of(sighting, SAME_SPOT if kind == "hand" else ON_SPOT) is None:
            self._spots.append(_Spot(sighting.corners_px, sighting.landed_s, time_s, kind == "hand"))
        if sighting.looks < FEWEST_LOOKS or sighting.stale or not sighting.is_sure():
            return
        named = self._named.setdefault(
            _name(sighting), _Named(sighting.landed_s, time_s, sighting.corners_px)
        )
        named.frames += 1

    def _lies_before(self, sighting: Sighting, player: str | None, size: tuple[int, int]) -> bool:
        """Whether a card lies farther out towards `player` than cards are played."""
        return player is not None and self._out(sighting, player, size) > BEFORE_PLAYER

    def _is_handed_across(self, sighting: Sighting, gift: ShownCards, size: tuple[int, int]) -> bool:
        """Whether a card can be the `gift`: it lies before the receiver, if he is known, and not before the giver."""
        if not sighting.is_sure() or _name(sighting) not in gift.among:
            return False
        if gift.receiver is None or gift.player is None:
            return True
        to_giver = self._out(sighting, gift.player, size)
        return self._lies_before(sighting, gift.receiver, size) and to_giver < BEFORE_PLAYER / 2

    def _out(self, sighting: Sighting, player: str, size: tuple[int, int]) -> float:
        """How far a card lies from the middle of the table towards `player`'s side, in heights of a card."""
        direction = np.array(DIRECTIONS[self._seats.sides[player]], np.float32)
        out_px = float(np.dot(sighting.center_px - self._seats.middle(size), direction))
        return out_px / max(sighting.height_px, 1.0)

    def _events(self, awaited: ShownCards, time_s: float) -> list[Event]:
        """The event that was awaited, once it is certain."""
        if awaited.kind == "group":
            return self._group_taken(awaited)
        sure = {card: named for card, named in self._named.items() if named.frames >= FEWEST_FRAMES}
        quiet = all(time_s - named.new_s >= QUIET_S for named in self._named.values())
        cards = tuple(sorted(sure, key=lambda card: sure[card].landed_s))
        enough = 0 < len(cards) <= awaited.count if awaited.kind == "discard" else len(cards) == awaited.count
        if not (enough and quiet) or cards == self._told:
            return []
        self._told = cards
        return [awaited.event(cards)]

    def _hand_known(
        self, awaited: ShownCards, lying: Sequence[Sighting], expectation: Expectation, time_s: float
    ) -> list[Event]:
        """The event of the hand laid open, once all its cards were either played or surely named.

        In a row hardly any box is right at first. The fewer cards are left, the better they are read.
        """
        if awaited.among & expectation.doubtful.keys():
            return []
        mine = [s for s in lying if self._lies_in_hand(s)]
        read = [
            s for s in mine
            if s.looks >= SETTLED_LOOKS and not s.stale and s.is_sure()
            and all(covered_share(s, other) < MOST_COVERED for other in mine if other is not s)
        ]  # fmt: skip
        names = dict.fromkeys(_name(s) for s in sorted(read, key=lambda s: s.landed_s))
        cards = (*sorted(awaited.among), *(card for card in names if card not in expectation.played))
        if cards != self._hand[0]:
            self._hand = cards, time_s
        if len(cards) != awaited.count or cards == self._told or time_s - self._hand[1] < QUIET_S:
            return []
        self._told = cards
        return [awaited.event(cards)]

    def _group_taken(self, awaited: ShownCards) -> list[Event]:
        """The event of the group taken: its spots are bare, and cards still lie on those of other groups."""
        bare = [group for group in awaited.groups if all(self._is_bare(card) for card in group)]
        if len(bare) != 1 or all(self._is_bare(card) for group in awaited.groups for card in group):
            return []
        return [awaited.event(bare[0])]

    def _is_bare(self, card: str) -> bool:
        named = self._named.get(card)
        if named is None:
            return False  # people entered the talon
        spots = [one for one in self._spots if overlap(one.home_px, named.home_px) > ON_SPOT]
        return not spots


def _under_others(sightings: Sequence[Sighting], rows: Iterable[Sequence[Float32Array]]) -> set[int]:
    """The numbers of the sightings that lie in a row of cards but not at its top, so that they are no new cards.

    A row grows at one end: that of the cards booked last.
    """
    under = set[int]()
    for row in rows:
        first, *others = (corners_px.mean(0) for corners_px in row)
        way = max((other - first for other in others), key=np.linalg.norm, default=np.zeros(2))
        length = float(np.linalg.norm(way))
        for s in sightings:
            in_row = s.found and s.face and any(overlap(s.corners_px, at_px) > IN_ROW for at_px in row)
            if not in_row or length < GROWN * s.height_px:
                continue
            farther = float(np.dot(s.center_px - first, way)) / length
            if farther <= length + GROWN * s.height_px:
                under.add(s.number)
    return under


def is_beside(sighting: Sighting, other: Sighting) -> bool:
    """Whether two cards lie beside one another and came one soon after the other, as the cards of an open hand do."""
    way = float(np.linalg.norm(sighting.center_px - other.center_px))
    return way < sighting.height_px and abs(sighting.landed_s - other.landed_s) <= TOGETHER_S


def lie_across(lying: Sequence[Sighting]) -> bool:
    """Whether two sure cards lie across, as in a trick. The cards of a talon all lie one way."""
    ways = [s.corners_px[0] - s.corners_px[3] for s in lying if s.is_sure() and s.looks >= SETTLED_LOOKS]
    return any(
        abs(float(np.dot(one, other))) < CROSSED * float(np.linalg.norm(one)) * float(np.linalg.norm(other))
        for one, other in combinations(ways, 2)
    )


def _is_back_beside(sighting: Sighting, card: Sighting) -> bool:
    """Whether a sighting is a card face down beside `card`."""
    way_px = float(np.linalg.norm(sighting.center_px - card.center_px))
    return sighting.found and not sighting.face and way_px < BACK_BESIDE * card.height_px


def _share_of(sighting: Sighting, cards: Iterable[str]) -> float:
    """The probability that a sighting is one of `cards`."""
    chances = sighting.probabilities()
    return float(sum(chances[CLASSES.index(card)] for card in cards))


def _name(sighting: Sighting) -> str:
    """The likeliest name of a sighting."""
    return CLASSES[int(sighting.probabilities()[:-1].argmax())]
