"""Sightings: cards that are followed from frame to frame until they lie still and are named.

A sighting is *settled* once the votes of several frames name its card, which lay still with nothing moving over it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple, Protocol

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, UInt8Array
from vision.picture import NOT_A_CARD, aside, overlap, rectify, share_within
from vision.reading.belief import (
    back_evidence,
    belief_table,
    box_evidence,
    chance_of_side,
    face_evidence,
    second_evidence,
)
from vision.reading.corners import CloseLook, LooksClosely
from vision.reading.finder import INSIDE, Found
from vision.reading.identifier import ASIDE, CLASSES
from vision.reading.magnified import SAME_CARD
from vision.reading.plane import MOST_OFF, MOST_PLANE_CARDS, PLANE_CARDS, Plane, hold_to, plane_of
from vision.watching.learnt import SAME_BACK, BacksInView, like_learnt_back
from vision.watching.likeness import BACK_PX, is_plain, likeness_apart, likeness_in_view, softened

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
FAINT = 0.35
"""Score of the finder below which a sighting counts as a card only if its name is sure."""
CLEAR = 0.6
"""Score of the finder that a whole card on top of another easily reaches, and a box across two cards does not."""
MOST_TOLD, DECIDED = 4.0, 2.0
"""How the finder's scores of all frames tell a side. A face's score is above 0, a back's below.

The sum of the scores stops at the first number. From the second on the sum is of one side alone.
"""
FALSE_FACE = 3.0
"""A back or a thing that is told as a face is as bad as so many faces that are not told."""
TOLD = FALSE_FACE / (1 + FALSE_FACE)
"""Probability from which a face is told."""
SUREST = (1.0, 0.0)
"""The probabilities of the likeliest card and of no card, for the surest name."""
UNREAD = (0.5, 0.5)
"""The same probabilities where nothing was read."""
MOST_LOOKS = 12
"""Looks after which a stationary card is not read again."""
AGAIN_S = 0.5
"""Seconds a card that was read must lie still, after something moved over it, before it is read again."""
AGAIN_LOOKS = 3
"""Sure looks that prove that another card was laid on one that was read. One look with the old name refutes it."""
MOST_AGAIN = 8
"""Looks after which the card counts as the same, if too few looks were sure."""
FEWEST_LOOKS = 2
"""Looks from which a sighting's names count. What is surely a back has fewer."""
SETTLED_LOOKS = 3
"""Looks after which a card counts as read."""

LOOK_OFF = ((0.0, 0.0, 1.0), *ASIDE, (-0.015, -0.01, 1.0))
"""The offset of each look in turn: right and down as shares of the card's sides, and the scale.

Frames of a card at rest are all alike and are misread alike. Looks that are a little off make different mistakes.
"""

LAID_OVER = 0.06
"""Distance from where a card of a row was read, in heights of a card, from which a find is the next card."""

CLOSER_LOOKS = 2
"""Further close looks, each from the corners that the plane gave. They help most with cards that are partly covered."""
TOO_LONG = 1.05
"""Length of a close look at a card in a row, in heights of a card, from which it took in the card below."""
AT_PLACE = 0.85
"""IoU of what a close look shows with the place of another card of its row from which it shows that card."""
FINDER_OFF = 0.03
"""Error of the finder's corners, as a share of the card's height."""

ONE_SIDE = np.array(
    [[FINDER_OFF if k in (j, (j + 1) % 4) else 0.5 for k in range(4)] for j in range(4)], np.float32
)
"""Error of each corner (4,) of a box of which only one side is a card's, for each of the four sides."""

_NONE = CLASSES.index(NOT_A_CARD)
_PATCH_PX = 32


@dataclass
class Sighting:
    """One card as it is followed; times in s on the source's clock, corners (4, 2) in frame px.

    Where and when:
    - `came_from_px`: (2,) where its centre was first seen.
    - `landed_s`: when it came to where it lies.
    - `lay_s`: the longest time in s that it has lain still.
    - `found`: it was found in the newest frame. Times cannot tell this: two frames may have the same time.
    - `rough_px`: the finder's own box, by which movement is told.
    - `close`: the close look at it where it came to rest.
    - `first_look`: the close look before it was fitted to the table's plane.
    - `shown`: its picture where it came to rest, (BACK_PX, BACK_PX, 3) uint8 BGR.
    - `off`: how far the finder's box is from a card on the table's plane, in standard deviations; None while unknown.
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
    patch: UInt8Array | None = None
    anchor_px: Float32Array | None = None
    crop: UInt8Array | None = None
    came_from_px: Float32Array | None = None
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

    def is_sure(self) -> bool:
        """Whether the votes name the card without a question."""
        return float(self.probabilities(ALONE_WORTH)[:_NONE].max()) >= SURE

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
            told = float(chances[:_NONE].max()), float(chances[_NONE])
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


class Names(Protocol):
    """What names cards: `vision.reading.identifier.Identifier`, or one with something around it."""

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of the N cards at `corners_px` in `frame`."""
        ...


class _Match(NamedTuple):
    """A find, by its index in `find`, and the sighting that it is.

    It has `moved` by so many heights of the card, and its box overlaps the last one by the share `shared` (IoU).
    """

    find: int
    sighting: Sighting
    moved: float
    shared: float


class SightingTracker:
    """Follows the cards of a table through its frames."""

    def __init__(
        self, identifier: Names, close: LooksClosely | None = None, backs: Sequence[UInt8Array] = ()
    ):
        """`identifier` names cards, `close` looks closely at them; without `close` the finder's corners are used.

        `backs` are the backs that the set-up learnt (see `vision.watching.learnt.LearntTable`). Others are learnt
        from the cards that lie face down.
        """
        self._backs = BacksInView(backs)
        self._identifier = identifier
        self._close = close
        self._next = 1
        # The surest first look at each of the last cards that lay alone, by sighting number, the newest last.
        self._alone: dict[int, CloseLook] = {}
        self._unfit: set[int] = set()  # the last faces in a row that fit no card on the plane
        self._rows: Mapping[int, Float32Array] | None = None
        self._on_others: set[int] = set()  # the cards in rows that lie on other cards, or under them
        # How alike two cards at rest look, by sighting numbers.
        self._alike: dict[tuple[int, int], float] = {}
        self.plane: Plane | None = None  # the table's plane, once enough cards tell it
        self.sightings: list[Sighting] = []

    def update(
        self,
        frame: UInt8Array,
        found: Sequence[Found],
        time_s: float,
        rows: Mapping[int, Float32Array] | None = None,
    ) -> list[Sighting]:
        """Match the cards `found` in `frame` to sightings; returns the sightings whose tracks have just ended.

        Where each player's cards stay before him in a row, the next card nearly covers the last. `rows` has where
        (4, 2) px the cards of all rows lie, by sighting number. None says that cards do not stay.
        """
        self._rows = rows
        if rows is None:
            self._on_others = set()
        for sighting in self.sightings:
            sighting.found = False
        matches = self._match(found)
        matched = {match.find for match in matches}
        rested = [
            match.sighting for match in matches if self._follow(match, found[match.find], frame, time_s)
        ]
        self._settle(rested, frame)
        self._compare(rested)
        self._begin([card for index, card in enumerate(found) if index not in matched], time_s)
        self._learn_backs()
        self._vote(frame, time_s)
        self._tell_twins()
        self._look_for_alone()
        return self._end(time_s)

    def _begin(self, found: Sequence[Found], time_s: float) -> None:
        """Begin a track for each of the cards `found` that no sighting has."""
        for card in found:
            self.sightings.append(
                Sighting(
                    self._next,
                    card.corners_px,
                    card.score if card.face else -card.score,
                    time_s,
                    time_s,
                    time_s,
                    best_score=card.score,
                    came_from_px=self._came_from(card, time_s),
                    landed_s=time_s,
                    rough_px=card.corners_px,
                )
            )
            self._next += 1

    def _end(self, time_s: float) -> list[Sighting]:
        """End the tracks of cards not seen for `FORGET_S`; returns them."""
        gone = [s for s in self.sightings if time_s - s.seen_s > FORGET_S]
        for sighting in gone:
            # It was swept away and hardly read on its way, so its reading from before counts.
            if sighting.looks < FEWEST_LOOKS and sighting.earlier is not None:
                sighting.looks, sighting.log_votes = sighting.earlier
        self.sightings = [s for s in self.sightings if time_s - s.seen_s <= FORGET_S]
        return gone

    def _learn_backs(self) -> None:
        """Learn the backs of the cards that surely lie face down."""
        down = [
            s for s in self.sightings
            if s.is_surely_back and s.anchor_px is not None and s.like_back < SAME_BACK
        ]  # fmt: skip
        apart = [
            s for at, s in enumerate(down) if not any(covered_share(s, other) > 0 for other in down[:at])
        ]
        if self._backs.learn([s.shown for s in apart if s.shown is not None]):
            for sighting in self.sightings:
                if sighting.shown is not None:
                    sighting.like_back = like_learnt_back(sighting.shown, self._backs.backs)

    def _compare(self, rested: Sequence[Sighting]) -> None:
        """Compare the cards that have just come to rest with all that lie there."""
        new = {s.number for s in rested}
        lying = [s for s in self.sightings if s.anchor_px is not None and _has_pattern(s)]
        known = {s.number for s in lying} - new
        self._alike = {pair: like for pair, like in self._alike.items() if known >= set(pair)}
        if new.isdisjoint(s.number for s in lying):
            return
        soft = [softened(s.shown) for s in lying if s.shown is not None]
        apart = likeness_apart(soft)
        for (i, one), (k, other) in combinations(enumerate(lying), 2):
            pair = one.number, other.number
            if pair in self._alike:
                continue
            if overlap(one.corners_px, other.corners_px):
                self._alike[pair] = likeness_in_view(soft[i], one.corners_px, soft[k], other.corners_px)
            else:
                self._alike[pair] = float(apart[i, k])

    def _tell_twins(self) -> None:
        """Set for each card in view how much it looks like a back, and how much it looks and reads like another."""
        in_view = {s.number: s for s in self.sightings if s.found}
        looks = {s.number: s.one_look() for s in in_view.values() if s.looks}
        for sighting in self.sightings:
            sighting.like = sighting.like_back
            sighting.twin = 0.0 if not sighting.like_back or sighting.is_sure() else sighting.like_back
        for pair, like in self._alike.items():
            if like <= 0 or not in_view.keys() >= set(pair):
                continue
            one, other = (in_view[number] for number in pair)
            touching = same_card_evidence(one, other)
            if touching is not None:  # two boxes of one card are no twins
                like *= 1 - belief_table().second.chance(touching)
            if looks.keys() >= set(pair):
                # The more their names have in common, the more alike they read.
                like *= float(np.minimum(*(looks[number] for number in pair)).sum())
                if _may_be_card(one) and _may_be_card(other):
                    one.twin, other.twin = max(one.twin, like), max(other.twin, like)
            one.like, other.like = max(one.like, like), max(other.like, like)

    def _came_from(self, card: Found, time_s: float) -> Float32Array:
        """Where a new card was first seen, (2,) px.

        A moving card goes too far between two frames to be matched. So a track that was lost nearby in the last
        0.25 s counts as the same card, unless it was read at rest or hardly found, as a box across cards is.
        """
        height = max(float(np.linalg.norm(card.corners_px[3] - card.corners_px[0])), 1.0)
        near = [
            (float(np.linalg.norm(card.center_px - s.center_px)), s)
            for s in self.sightings
            if (s.stale or s.looks == 0)
            and not s.found
            and s.best_score >= FAINT
            and time_s - 0.25 <= s.seen_s
        ]
        distance, before = min(near, key=lambda entry: entry[0], default=(np.inf, None))
        if before is None or before.came_from_px is None or distance > 1.3 * height:
            return card.center_px
        return before.came_from_px

    def _match(self, found: Sequence[Found]) -> list[_Match]:
        """Pair finds with sightings, the nearest first."""
        near: list[_Match] = []
        here = [sighting for sighting in self.sightings if not sighting.left]
        apart = _apart_from(found, here)
        # A card that was read lies still: a find farther off is another card, or this one picked up.
        most = np.array([0.25 if s.looks >= SETTLED_LOOKS and not s.stale else 0.35 for s in here])
        for index, at in np.argwhere(apart < most):
            card, sighting = found[index], here[at]
            if (self._rows is not None or _was_faint(sighting, card)) and _is_laid_over(card, sighting):
                continue
            shared = overlap(card.corners_px, sighting.found_px)
            near.append(_Match(int(index), sighting, float(apart[index, at]), shared))
        near.sort(key=lambda match: match.moved - 0.3 * match.shared)
        taken: set[int] = set()
        used: set[int] = set()
        matches = []
        for match in near:
            if match.find not in taken and match.sighting.number not in used:
                taken.add(match.find)
                used.add(match.sighting.number)
                matches.append(match)
        return matches

    def _follow(self, match: _Match, card: Found, frame: UInt8Array, time_s: float) -> bool:
        """Update a sighting with its find in this frame; returns whether it has just come to rest."""
        sighting, moved = match.sighting, match.moved
        sighting.seen_s, sighting.found = time_s, True
        sighting.face_score = float(
            np.clip(sighting.face_score + (card.score if card.face else -card.score), -MOST_TOLD, MOST_TOLD)
        )
        if moved > 0.06 or match.shared < 0.7:
            sighting.corners_px = sighting.rough_px = card.corners_px
            sighting.anchor_px = None
            sighting.patch = None
            sighting.still_since_s = sighting.landed_s = time_s
            if not sighting.looks:  # its scores on the way do not count where it lies
                sighting.best_score = card.score
            self._disturb(sighting, moved)
            return False
        patch = _patch(frame, sighting.corners_px)
        if sighting.patch is not None and _changed(patch, sighting.patch):
            sighting.corners_px = sighting.rough_px = card.corners_px
            sighting.anchor_px = None
            sighting.still_since_s = time_s
            sighting.patch = None
            self._disturb(sighting, moved)
            return False
        sighting.patch = patch
        # For a card that was read only scores at rest count: what slides over its place is another card.
        sighting.best_score = max(sighting.best_score, card.score)
        sighting.lay_s = max(sighting.lay_s, sighting.still_for(time_s))
        if sighting.anchor_px is not None:
            return False
        sighting.corners_px = sighting.rough_px = card.corners_px
        return True

    def _settle(self, rested: Sequence[Sighting], frame: UInt8Array) -> None:
        """Look closely at the cards that have just come to rest, and fit them to the table's plane."""
        if self._close is not None and rested:
            self._look_closely(self._close.close_looks(frame, [s.found_px for s in rested]), rested)
            for sighting in rested:
                sighting.first_look = sighting.close
            self._check_plane(rested)
            held = self._hold(rested, frame, self.plane)
            for _ in range(CLOSER_LOOKS if held else 0):
                self._look_closely(self._close.close_looks(frame, [s.corners_px for s in rested], 1), rested)
                held = self._hold(rested, frame, held[0] if held else None)
            if held:
                self.plane, misfits = held
                for sighting in misfits:
                    self._look_from_each_side(frame, self.plane, sighting)
        for sighting in rested:
            sighting.off = None
            sighting.anchor_px = sighting.corners_px
            sighting.shown = rectify(frame, sighting.corners_px, BACK_PX)
            sighting.like_back = like_learnt_back(sighting.shown, self._backs.backs)
            sighting.patch = _patch(frame, sighting.corners_px)
        if self.plane is not None:
            for sighting in self.sightings:
                if sighting.off is None and sighting.anchor_px is not None:
                    sighting.off = off_plane(sighting.found_px, self.plane)

    def _look_closely(self, looks: Sequence[CloseLook], rested: Sequence[Sighting]) -> None:
        """Give the cards `rested` the close `looks` at them, and the corners of those looks that show the same card."""
        for sighting, close in zip(rested, looks, strict=True):
            sighting.close = close
            sighting.corners_px = close.corners_px if close.is_of(sighting.found_px) else sighting.found_px

    def _hold(
        self, rested: Sequence[Sighting], frame: UInt8Array, before: Plane | None = None
    ) -> tuple[Plane, list[Sighting]] | None:
        """Fit the corners of `rested` to the table's plane; returns the plane, and the cards that do not fit it.

        None if too few cards tell the plane. It is learnt from the cards that lie on it and from the last ones that
        lay alone, and starts from an earlier fit `before` if there is one.

        In a row both close look and finder may take in the cards below. So in rows the plane is learnt only from
        cards that lay alone, and of a box that is too long the end counts that sticks out of the row.
        """
        lying = [s for s in self.sightings if s.anchor_px is not None or s in rested]
        seen = [(s, s.close) for s in lying if s.close is not None and s.close.is_of(s.found_px)]
        in_rows = self._rows is not None and len(self._alone) >= PLANE_CARDS
        here = [] if in_rows else seen
        told = [(s.best_score, s.found_px, close) for s, close in here]
        counted = {s.number for s, _ in here}
        alone = [look for number, look in self._alone.items() if number not in counted]
        plane = plane_of(told, (frame.shape[1], frame.shape[0]), before, alone)
        if plane is None:
            return None
        misfits: list[Sighting] = []
        for sighting, close in seen:
            if sighting in rested:
                corners_px, off = hold_to(plane, close.corners_px, close.spread)
                too_long = _length_px(close.corners_px) > TOO_LONG * _length_px(corners_px)
                if in_rows and (too_long or self._lies_beyond(sighting, corners_px)):
                    end_px = self._end_of_row(sighting, _length_px(corners_px))
                    corners_px, off = hold_to(plane, end_px, np.full(4, FINDER_OFF, np.float32))
                if off < MOST_OFF:
                    sighting.corners_px = corners_px
                else:
                    misfits.append(sighting)
        return plane, misfits

    def _look_from_each_side(self, frame: UInt8Array, plane: Plane, sighting: Sighting) -> None:
        """Look for the card in a box that fits no card of this table: one side of the box may be a card's.

        Such a box lies across two cards, ends at the neighbour's edge, or misses an end of its card.
        """
        assert self._close is not None
        starts = [hold_to(plane, sighting.corners_px, spread)[0] for spread in ONE_SIDE]
        # Boxes within this one are parts of its card, so the card may fit where they lie.
        beside_px = [
            s.corners_px
            for s in self.sightings
            if s is not sighting and s.found and share_within(sighting.found_px, s.corners_px) < INSIDE
        ]
        fits = []
        for close in self._close.close_looks(frame, starts):
            corners_px, off = hold_to(plane, close.corners_px, close.spread)
            there_px = [at_px for at_px in beside_px if overlap(corners_px, at_px) > SAME_CARD]
            is_another = any(off_plane(at_px, plane) < MOST_OFF for at_px in there_px)
            if off < MOST_OFF and close.is_of(sighting.found_px) and not is_another:
                fits.append((corners_px, close))
        if fits:
            sighting.corners_px, sighting.close = min(fits, key=lambda fit: float(fit[1].spread.mean()))

    def _lies_beyond(self, sighting: Sighting, corners_px: Float32Array) -> bool:
        """Whether the finder's box of a new card goes on beyond `corners_px` (4, 2), where a card of a row lies.

        The close look took a side of that card for the new one's.
        """
        if sighting.looks:
            return False
        far_px = LAID_OVER * _length_px(corners_px)
        return any(
            overlap(corners_px, at_px) > AT_PLACE
            and np.linalg.norm(sighting.found_px.mean(0) - at_px.mean(0)) > far_px
            for at_px in self._others_in_rows(sighting)
        )

    def _others_in_rows(self, sighting: Sighting) -> list[Float32Array]:
        """Where the other cards of the rows lie, (4, 2) px, whether or not they are still seen."""
        return [at_px for number, at_px in (self._rows or {}).items() if number != sighting.number]

    def _end_of_row(self, sighting: Sighting, length_px: float) -> Float32Array:
        """The finder's box (4, 2) px of a card in a row, cut to `length_px` if it took in the cards below.

        The end that lies on the cards of the rows is cut off.
        """
        box_px = sighting.found_px
        if _length_px(box_px) <= TOO_LONG * length_px:
            return box_px
        down_px = (box_px[[3, 2]] - box_px[[0, 1]]) * length_px / _length_px(box_px)
        ends_px = [
            np.stack([box_px[0], box_px[1], box_px[1] + down_px[1], box_px[0] + down_px[0]]),
            np.stack([box_px[3] - down_px[0], box_px[2] - down_px[1], box_px[2], box_px[3]]),
        ]
        below_px = self._others_in_rows(sighting)
        on_them = [max((overlap(end_px, at_px) for at_px in below_px), default=0.0) for end_px in ends_px]
        return box_px if on_them[0] == on_them[1] else ends_px[int(np.argmin(on_them))].astype(np.float32)

    def _look_for_alone(self) -> None:
        """Remember the close looks at cards that lie alone: they tell the table's plane.

        Only surely read cards count: another thing, or the squared Talon, would tell a wrong length. Of a card's looks
        the surest counts, because a hand may lie on it at first.
        """
        read = [s for s in self.sightings if s.found and s.anchor_px is not None and s.looks >= SETTLED_LOOKS]
        for s in read:
            if s.first_look is None or not s.is_sure() or s.number in self._on_others:
                continue
            known = self._alone.get(s.number)
            if known is not None and known.spread.max() <= s.first_look.spread.max():
                continue
            if not self._lies_alone(s):
                if self._rows is not None:
                    self._on_others.add(s.number)
            elif s.first_look.is_of(s.found_px):
                self._alone[s.number] = s.first_look
                self._alone = dict(list(self._alone.items())[-MOST_PLANE_CARDS:])

    def _lies_alone(self, sighting: Sighting) -> bool:
        """Whether a card lies neither on another card nor under one, as far as is seen.

        In rows a card stays though it is no longer found, so what lies over its place does not lie alone.
        """
        others_px = [s.corners_px for s in self.sightings if s is not sighting and s.found and s.face]
        return not _overlaps_one(sighting.corners_px, others_px) and all(
            overlap(sighting.corners_px, at_px) == 0 for at_px in self._others_in_rows(sighting)
        )

    def _check_plane(self, rested: Sequence[Sighting]) -> None:
        """Forget the plane once the last few faces that lay alone do not fit it: the camera was moved.

        Names do not count here: corners on a wrong plane make every name unsure.
        """
        exact = belief_table().box
        for s in rested:
            if self.plane is None or s.first_look is None or not s.first_look.is_of(s.found_px):
                continue
            if float(s.first_look.sides[0]) <= 0.5 or not self._lies_alone(s):
                continue
            if exact.odds(box_evidence(s.best_score, s.found_px, s.first_look)) <= 0:
                continue
            if hold_to(self.plane, s.first_look.corners_px, s.first_look.spread)[1] < MOST_OFF:
                self._unfit.clear()
            else:
                self._unfit.add(s.number)
            if len(self._unfit) == PLANE_CARDS:
                self.plane, self._alone, self._unfit = None, {}, set()
                self._on_others = set()

    def _disturb(self, sighting: Sighting, moved: float) -> None:
        """Note that a sighting moved, or that something moved over it: another card may lie there now."""
        sighting.stale = sighting.stale or moved > 0.15 or not sighting.is_sure()
        named = sighting.looks >= SETTLED_LOOKS and sighting.lay_s >= AGAIN_S
        sighting.disturbed, sighting.again = named and not sighting.stale, []

    def _vote(self, frame: UInt8Array, time_s: float) -> None:
        """Read the cards at rest that need more looks, and add up their votes."""
        due = [
            s for s in self.sightings
            if not s.is_surely_back and s.found and s.anchor_px is not None
            and (s.stale or (s.looks < MOST_LOOKS and not s.disturbed and not self._is_buried(s)))
        ]  # fmt: skip
        self._read_again(frame, time_s)
        self._compare_moved(frame, time_s)
        if not due:
            return
        for sighting in due:
            if sighting.stale:
                if sighting.was is None and sighting.looks >= SETTLED_LOOKS and sighting.is_sure():
                    sighting.was, sighting.was_px = int(sighting.log_votes.argmax()), sighting.read_px
                if sighting.looks >= FEWEST_LOOKS:
                    sighting.earlier = sighting.looks, sighting.log_votes
                sighting.stale, sighting.looks = False, 0
                sighting.log_votes = np.zeros(len(CLASSES), np.float32)
        probabilities = self._identifier.name(frame, [look_corners(s.corners_px, s.looks) for s in due])
        for sighting, row in zip(due, probabilities, strict=True):
            sighting.log_votes = (sighting.log_votes + np.log(np.maximum(row, 1e-5))).astype(np.float32)
            sighting.looks += 1
            sighting.read_px = sighting.found_px
            sighting.crop = rectify(frame, sighting.corners_px, 160)

    def _read_again(self, frame: UInt8Array, time_s: float) -> None:
        """Check whether another card was laid exactly on one that was read: the finder still sees one card."""
        due = [
            s for s in self.sightings
            if s.disturbed and s.found and s.anchor_px is not None and s.still_for(time_s) >= AGAIN_S
            and not self._is_covered(s, s.read_px)
        ]  # fmt: skip
        if not due:
            return
        corners = [look_corners(s.corners_px, len(s.again)) for s in due]
        for sighting, row in zip(due, self._identifier.name(frame, corners), strict=True):
            sighting.again.append(row)
            before = int(sighting.log_votes.argmax())
            sure = [int(again.argmax()) for again in sighting.again if float(again.max()) >= SURE]
            if int(row.argmax()) in (_NONE, before) or len(set(sure)) > 1:
                sighting.disturbed = False
            elif len(sure) == AGAIN_LOOKS:
                votes = np.log(np.maximum(sighting.again, 1e-5)).sum(0).astype(np.float32)
                self._lay_on(sighting, frame, len(sighting.again), votes)
            elif len(sighting.again) == MOST_AGAIN:
                sighting.disturbed = False

    def _compare_moved(self, frame: UInt8Array, time_s: float) -> None:
        """Check that a card read anew after a move is the same: a card laid askew on it looks like a move, too."""
        for sighting in [s for s in self.sightings if s.was is not None and s.found and not s.stale]:
            if sighting.looks < SETTLED_LOOKS or not sighting.is_sure():
                continue
            if int(sighting.log_votes.argmax()) in (_NONE, sighting.was):
                sighting.was = None
            elif sighting.still_for(time_s) >= AGAIN_S and not self._is_covered(sighting, sighting.was_px):
                self._lay_on(sighting, frame, sighting.looks, sighting.log_votes)

    def _is_covered(self, sighting: Sighting, where_px: Float32Array | None) -> bool:
        """Whether a card that came later overlaps it, so that it cannot be read reliably.

        `where_px` (4, 2) is where it lay when it was read, which counts, too: of a card partly under another the rest
        may be found as a smaller one, that reads otherwise.
        """
        places_px = [sighting.corners_px, *([] if where_px is None else [where_px])]
        later = [s for s in self.sightings if s is not sighting and s.first_s >= sighting.first_s and s.face]
        return any(_overlaps_one(px, [other.corners_px for other in later]) for px in places_px)

    def _is_buried(self, sighting: Sighting) -> bool:
        """Whether it was surely read and now lies mostly under a later card, which a look would read instead."""
        if sighting.looks < SETTLED_LOOKS or not sighting.is_sure():
            return False
        later = (other for other in self.sightings if other.first_s > sighting.first_s and other.face)
        return any(covered_share(sighting, other) > 0.5 for other in later)

    def _lay_on(self, sighting: Sighting, frame: UInt8Array, looks: int, log_votes: Float32Array) -> None:
        """Replace `sighting` by a new one for the card laid on it. The hidden card below is no longer followed."""
        self.sightings[self.sightings.index(sighting)] = Sighting(
            self._next,
            sighting.corners_px,
            sighting.face_score,
            sighting.still_since_s,
            sighting.still_since_s,
            sighting.seen_s,
            best_score=sighting.best_score,
            looks=looks,
            log_votes=log_votes,
            patch=sighting.patch,
            anchor_px=sighting.anchor_px,
            crop=rectify(frame, sighting.corners_px, 160),
            came_from_px=sighting.center_px,
            landed_s=sighting.still_since_s,
            lay_s=AGAIN_S,
            upon=sighting.number,
            rough_px=sighting.rough_px,
            close=sighting.close,
        )
        self._next += 1


def same_card_evidence(one: Sighting, other: Sighting) -> dict[str, float] | None:
    """The evidence that two sightings are boxes of one card, as in `vision.reading.belief`; None if they lie apart."""
    if overlap(one.corners_px, other.corners_px) <= 0:
        return None
    read = None
    if min(one.looks, other.looks) >= FEWEST_LOOKS:
        read = one.one_look(), other.one_look()
    return second_evidence(one.corners_px, other.corners_px, read)


def _has_pattern(sighting: Sighting) -> bool:
    """Whether it shows a pattern by which it can be compared."""
    return sighting.shown is not None and not is_plain(sighting.shown)


def _may_be_card(sighting: Sighting) -> bool:
    """Whether the close look takes it for a card: two boards of a floor look alike, too."""
    return sighting.close is None or float(sighting.close.sides[2]) < 0.5


def _overlaps_one(corners_px: Float32Array, others_px: Sequence[Float32Array]) -> bool:
    """Whether one of `others_px` overlaps a card at `corners_px` (4, 2) by more than its edge."""
    return any(share_within(corners_px, at_px) > 0.1 for at_px in others_px)


def _apart_from(found: Sequence[Found], sightings: Sequence[Sighting]) -> Float64Array:
    """The distances (N, M) of N finds from the finder's last boxes of M sightings, in heights of the sighting."""
    finds_px = np.array([card.corners_px for card in found], np.float64).reshape(-1, 1, 4, 2).mean(2)
    boxes_px = np.array([s.found_px for s in sightings], np.float64).reshape(1, -1, 4, 2).mean(2)
    heights_px = np.maximum([s.height_px for s in sightings], 1.0)
    return np.asarray(np.linalg.norm(finds_px - boxes_px, axis=2) / heights_px)


def _is_laid_over(card: Found, sighting: Sighting) -> bool:
    """Whether a find lies a little beside where a sighting was read: in a row it is the next card, slid over it."""
    if sighting.read_px is None:
        return False
    off = float(np.linalg.norm(card.center_px - sighting.read_px.mean(0)))
    return off > LAID_OVER * max(sighting.height_px, 1.0)


def _was_faint(sighting: Sighting, card: Found) -> bool:
    """Whether a clear find is another thing than the sighting, which was read but hardly found, as between cards."""
    return sighting.looks >= SETTLED_LOOKS and sighting.best_score < FAINT and card.score >= CLEAR


def off_plane(box_px: Float32Array, plane: Plane) -> float:
    """How far the finder's box (4, 2) px is from a card on the `plane`, in standard deviations."""
    return hold_to(plane, box_px, np.full(4, FINDER_OFF, np.float32))[1]


def _length_px(corners_px: Float32Array) -> float:
    """The mean length of a card's two long sides, in px."""
    return float(np.linalg.norm(corners_px[[3, 2]] - corners_px[[0, 1]], axis=1).mean())


def covered_share(sighting: Sighting, other: Sighting) -> float:
    """The share (0..1) of a sighting's area that lies within `other`."""
    return share_within(sighting.corners_px, other.corners_px)


def look_corners(corners_px: Float32Array, look: int) -> Float32Array:
    """The corners (4, 2) px at which look number `look` (from 0) cuts out the card at `corners_px`."""
    return aside(corners_px, *LOOK_OFF[look % len(LOOK_OFF)])


def _patch(frame: UInt8Array, corners_px: Float32Array) -> UInt8Array:
    """The card at `corners_px`, (32, 32) uint8 grey, to tell whether something moves over it."""
    return cv2.cvtColor(rectify(frame, corners_px, _PATCH_PX), cv2.COLOR_BGR2GRAY).astype(np.uint8)


def _changed(now: UInt8Array, before: UInt8Array) -> bool:
    """Whether something moved over the card between two frames: a hand, not noise or flicker.

    Flicker changes the whole card by the same amount, so the median change is subtracted first.
    """
    difference = now.astype(np.float32) - before.astype(np.float32)
    difference -= np.median(difference)
    blocks = cv2.resize(difference, (8, 8), interpolation=cv2.INTER_AREA)
    return bool((np.abs(blocks) > 18).sum() >= 4)
