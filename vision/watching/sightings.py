"""Sightings: cards that are followed from frame to frame until they lie still and are named.

A sighting is *settled* once the votes of several frames name its card, which lay still with nothing moving over it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, UInt8Array
from vision.picture import overlap, share_within
from vision.reading.belief import back_evidence, belief_table, chance_of_side, face_evidence, second_evidence
from vision.reading.corners import CloseLook
from vision.reading.identifier import CLASSES, NONE

STILL_S = 0.25
"""Seconds a card must lie still before its votes count as settled."""
SURE = 0.95
"""Probability from which a name is booked without a question."""
WORTH, ALONE_WORTH = 2.0, 1.0
"""How many independent looks all looks at a card at rest are worth, however many they are.

The first counts together with the game, whose priors were fitted to it. The second counts for a name by itself.
"""
NAMELESS_OFF = 0.1
"""Error of the corners, as a share of the card's height, from which a name read from them tells nothing.

With this number the right names of cards on rendered tables are likeliest (`tarok bench stills`).
"""
PATIENCE_S = 1.3
"""Seconds of lying still after which an unsure name is booked as doubtful."""
FORGET_S = 0.6
"""Seconds a card may go unseen (occluded by a hand, say) before its track ends."""
CLEAR = 0.6
"""Score of the finder that a whole card on top of another easily reaches, and a box across two cards does not."""
DECIDED = 2.0
"""Sum of the finder's scores of all frames from which it is of one side alone: a face's are above 0, a back's below."""
FALSE_FACE = 3.0
"""A back or a thing that is told as a face is as bad as so many faces that are not told."""
TOLD = FALSE_FACE / (1 + FALSE_FACE)
"""Probability from which a face is told."""
SUREST = (1.0, 0.0)
"""The probabilities of the likeliest card and of no card, for the surest name."""
UNREAD = (0.5, 0.5)
"""The same probabilities where nothing was read."""
FEWEST_LOOKS = 2
"""Looks from which a sighting's names count. What is surely a back has fewer."""
SETTLED_LOOKS = 3
"""Looks after which a card counts as read."""


@dataclass(eq=False)
class Sighting:
    """One card as it is followed; times in s on the source's clock, corners (4, 2) in frame px.

    Where and when:
    - `came_from_px`: (2,) where its centre was first seen.
    - `set_off_s`: when it last set off after it had lain still: another card may have taken over its track then.
    - `landed_s`: when it came to where it lies.
    - `lay_s`: the longest time in s that it has lain still.
    - `found`: it was found in the newest frame. Times cannot tell this: two frames may have the same time.
    - `score`, `best_score`: the finder's last score of it (0..1), and the best one at rest.
    - `rough_px`: the finder's own box, by which movement is told.
    - `close`: the close look at it where it came to rest.
    - `first_look`: the close look before it was fitted to the table's plane.
    - `shown`: its picture where it came to rest, (BACK_PX, BACK_PX, 3) uint8 BGR.
    - `off`: how far the finder's box is from a card on the table's plane, in standard deviations; None while unknown.
    - `size`: how long it is, in lengths of a card that lies there on the table's plane; None while unknown.
    - `like_back`: how much `shown` looks like a learnt back of the packs in play (0..1).
    - `like`: how much it looks like a back, or like another card that lies there and reads no differently (0..1).
    - `twin`: the same, where both cards were read. A sure name overrides the likeness to a back.
    - `left`: its place was seen bare since, so what lies there later is another card.

    What was read:
    - `log_votes`: the sum of the log probabilities of its `looks`, (79,) as in `CLASSES`.
    - `stale`: it has moved since it was read, and must be read anew.
    - `earlier`: its looks and log votes before it moved, if it was read then.
    - `was`: the index in `CLASSES` of its sure name before it moved, until it is read as that again.
    - `was_px`: (4, 2) where the finder saw it then.
    - `disturbed`: something moved over it since it was last read, so another card may lie on it.
    - `again`: the rows (79,) of probabilities read since then.
    - `read_px`: (4, 2) where the finder saw it when it was last read.
    - `upon`: the number of the sighting that this card was laid exactly on, 0 without one.
    """

    number: int
    corners_px: Float32Array
    face_score: float
    first_s: float
    still_since_s: float
    seen_s: float
    best_score: float = 0.0
    looks: int = 0
    log_votes: Float32Array = field(default_factory=lambda: np.zeros(len(CLASSES), np.float32))
    score: float = 0.0
    patch: UInt8Array | None = None
    anchor_px: Float32Array | None = None
    crop: UInt8Array | None = None
    came_from_px: Float32Array | None = None
    set_off_s: float = -np.inf
    landed_s: float = 0.0
    lay_s: float = 0.0
    stale: bool = False
    left: bool = False
    disturbed: bool = False
    again: list[Float32Array] = field(default_factory=list)
    earlier: tuple[int, Float32Array] | None = None
    was: int | None = None
    was_px: Float32Array | None = None
    upon: int = 0
    read_px: Float32Array | None = None
    found: bool = True
    rough_px: Float32Array | None = None
    close: CloseLook | None = None
    first_look: CloseLook | None = None
    shown: UInt8Array | None = None
    off: float | None = None
    size: float | None = None
    like_back: float = 0.0
    like: float = 0.0
    twin: float = 0.0
    # What `_name_and_none` told last, with the votes and the looks that it follows from.
    _told: tuple[Float32Array | None, int, tuple[float, float]] = field(
        default=(None, 0, (0.0, 0.0)), init=False, repr=False
    )

    @property
    def found_px(self) -> Float32Array:
        """The corners (4, 2) as the finder gave them."""
        return self.corners_px if self.rough_px is None else self.rough_px

    @property
    def center_px(self) -> Float32Array:
        """The (2,) centre of the card, in px."""
        return np.asarray(self.corners_px.mean(0), np.float32)

    @property
    def way_px(self) -> Float32Array:
        """The way (2,) in px back to where it was first seen; 0 if that is not known."""
        from_px = self.center_px if self.came_from_px is None else self.came_from_px
        return np.asarray(from_px - self.center_px, np.float32)

    @property
    def height_px(self) -> float:
        """Length of the card's long side, in px."""
        return float(np.linalg.norm(self.corners_px[3] - self.corners_px[0]))

    @property
    def face(self) -> bool:
        """Whether it is a card's face, by all evidence; before it is read, whether a face is likelier than not."""
        if self.looks >= FEWEST_LOOKS:
            return not self.is_no_card()
        if self.close is None:
            return self.face_score > 0 and not self.is_surely_back
        return float(self.sides()[0]) > 0.5

    @property
    def is_surely_back(self) -> bool:
        """Whether it is a back that not even the surest name would make a face."""
        face, back, none = self.sides(SUREST)
        return bool(face < TOLD and back > none)

    def still_for(self, time_s: float) -> float:
        """Seconds it has lain still at `time_s`."""
        return time_s - self.still_since_s

    def probabilities(self, worth: float = WORTH) -> Float32Array:
        """The votes so far as probabilities (79,) of `CLASSES`.

        Looks at a card at rest make the same errors, so many looks count only as `worth` looks. All of them use the
        same corners, so a name is never surer than the corners are.
        """
        if self.looks == 0:
            return np.full(len(CLASSES), 1 / len(CLASSES), np.float32)
        logs = self.log_votes / self.looks * min(self.looks, worth)
        p = np.exp(logs - logs.max())
        nameless = 0.0 if self.close is None else float(np.exp(-NAMELESS_OFF / self.close.spread.mean()))
        return np.asarray((1 - nameless) * p / p.sum() + nameless / len(CLASSES), np.float32)

    @property
    def read_as(self) -> str:
        """The likeliest of `CLASSES` by the votes so far."""
        return CLASSES[int(self.probabilities().argmax())]

    def is_sure(self) -> bool:
        """Whether the votes name the card without a question."""
        return float(self.probabilities(ALONE_WORTH)[:NONE].max()) >= SURE

    def is_no_card(self) -> bool:
        """Whether it was read and is too unlikely a face, by identifier, close look, finder, plane and twins together.

        The close look sees what is round the box, so it tells a score sheet's numerals from a trump's. The finder may
        take fingers for a back, and the identifier may read the numerals between them.
        """
        return self.looks >= FEWEST_LOOKS and float(self.sides()[0]) < TOLD

    def is_back(self) -> bool:
        """Whether it is likelier a card's back than a face or no card, as chips and paper are."""
        return not self.face and float(self.sides()[1]) > 0.5

    def sides(self, name_and_none: tuple[float, float] | None = None) -> Float64Array:
        """The probabilities (3,) of a face, a back and no card, by the evidence for this sighting alone.

        `name_and_none` as in `face_evidence`.
        """
        table = belief_table()
        face = table.face.chance(self.face_evidence(name_and_none))
        back = table.back.chance(self.back_evidence())
        return np.array([face, (1 - face) * back, (1 - face) * (1 - back)])

    def face_evidence(self, name_and_none: tuple[float, float] | None = None) -> dict[str, float]:
        """The evidence for a face, as in `vision.reading.belief`.

        `name_and_none` are the probabilities of the likeliest card and of no card; None takes those read so far.
        """
        name, none = name_and_none or self._name_and_none()
        # Before the close look all three sides count alike.
        sides = np.full(3, 1 / 3, np.float32) if self.close is None else self.close.sides
        return face_evidence(self._found_as_face(), sides, name, none, self.off, self.twin)

    def back_evidence(self) -> dict[str, float]:
        """The evidence for a back, where there is no face, as in `vision.reading.belief`."""
        sides = None if self.close is None else self.close.sides
        return back_evidence(self.best_score, sides, self.like, self.off)

    def _name_and_none(self) -> tuple[float, float]:
        """The probabilities of the likeliest card and of no card; the same for both before it is read."""
        read, looks, told = self._told
        if read is not self.log_votes or looks != self.looks:
            chances = self.one_look()
            told = float(chances[:NONE].max()), float(chances[NONE])
            self._told = self.log_votes, self.looks, told
        return told

    def one_look(self) -> Float32Array:
        """The probabilities (79,) of `CLASSES` if all its looks count as one: more would exaggerate a weak hint."""
        votes = np.exp(self.log_votes / max(self.looks, 1))
        return np.asarray(votes / votes.sum(), np.float32)

    def _found_as_face(self) -> float:
        """The probability of a face by the finder's scores, whose sum is `face_score`."""
        share = min(max(0.5 + 0.5 * self.face_score / DECIDED, 0.0), 1.0)
        return share * chance_of_side(self.best_score) + (1 - share) * chance_of_side(-self.best_score)


def same_card_evidence(one: Sighting, other: Sighting) -> dict[str, float] | None:
    """The evidence that two sightings are boxes of one card, as in `vision.reading.belief`; None if they lie apart."""
    if overlap(one.corners_px, other.corners_px) <= 0:
        return None
    read = None
    if min(one.looks, other.looks) >= FEWEST_LOOKS:
        read = one.one_look(), other.one_look()
    return second_evidence(one.corners_px, other.corners_px, read)


def covered_share(sighting: Sighting, other: Sighting) -> float:
    """The share (0..1) of a sighting's area that lies within `other`."""
    return share_within(sighting.corners_px, other.corners_px)


def lies_among(sighting: Sighting, cards_px: Sequence[Float32Array]) -> bool:
    """Whether most of a card lies within the area that cards with the corners `cards_px` (4, 2) take up together."""
    if not cards_px:
        return False
    hull_px = cv2.convexHull(np.concatenate(cards_px).astype(np.float32))
    return share_within(sighting.corners_px, hull_px.astype(np.float32, copy=False)) > 0.5


def overlaps_one(corners_px: Float32Array, others_px: Sequence[Float32Array]) -> bool:
    """Whether one of `others_px` overlaps a card at `corners_px` (4, 2) by more than its edge."""
    return any(share_within(corners_px, at_px) > 0.1 for at_px in others_px)
