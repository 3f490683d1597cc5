"""Cards followed from frame to frame until they lie still and are named: the sightings.

A sighting is *settled* when its card has lain still, with nothing moving over it, long enough for the
votes of several frames to name it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.picture import NOT_A_CARD, aside, overlap, rectify
from vision.reading.edges import refine_corners
from vision.reading.finder import Found
from vision.reading.identifier import ASIDE, CLASSES

STILL_S = 0.25
"""Seconds a card must lie still before its votes count as settled."""
SURE = 0.95
"""Probability from which a name is booked without a question."""
PATIENCE_S = 1.3
"""Seconds of lying still after which an unsure name is booked as doubtful."""
FORGET_S = 0.6
"""Seconds a card may go unseen (under a hand) before it is taken to have left."""
SURELY_BACK = -2.5
"""Sum of the finder's scores (faces +, backs -, at most 4) below which a card is a back and is not read."""
MOST_LOOKS = 12
"""Looks after which a settled card is not read again."""
AGAIN_S = 0.5
"""Seconds for which a card that was read must lie still, after something moved over it, to be read again."""
AGAIN_LOOKS = 3
"""Sure looks that tell of another card laid on one that was read; one look that names it as before denies it."""
MOST_AGAIN = 8
"""Looks after which, with too few sure ones, the same card is taken to lie there still."""
SETTLED_LOOKS = 3
"""Looks after which a card counts as lying still."""

LOOK_OFF = ((0.0, 0.0, 1.0), *ASIDE, (-0.015, -0.01, 1.0))
"""How each look is off in turn: to the right and down as shares of the card's sides, and in size. A camera's
frames of a card at rest are all alike and misread alike; looks a little off make different mistakes."""

_NONE = CLASSES.index(NOT_A_CARD)
_PATCH_PX = 32


@dataclass
class Sighting:
    """One card on the table, as followed so far; times in s on the source's clock, corners in frame px.

    It was first seen in the middle `came_from_px`, lies where it is since `landed_s` and has lain still for up to
    `lay_s`; `stale` says that it has moved since its votes were given, and is to be read anew; `left` that its
    place was seen bare since, so that what comes to lie there is another card; `disturbed` that something moved
    over it after it was read for the last time, so that another card may lie on it: `again` are the rows read then.
    `was` is the index in `CLASSES` of what it was surely read as before it moved, until it is read as that again.
    `upon` is the number of the sighting exactly on which the card was laid, 0 without one. `found` says whether it was
    found in the newest frame: two frames can have one time.
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
    was: int | None = None
    upon: int = 0
    found: bool = True

    @property
    def center_px(self) -> Float32Array:
        """The (2,) middle of the card."""
        return np.asarray(self.corners_px.mean(0), np.float32)

    @property
    def height_px(self) -> float:
        """Length of the card's long side."""
        return float(np.linalg.norm(self.corners_px[3] - self.corners_px[0]))

    @property
    def face(self) -> bool:
        """Whether it lies face up, by all frames so far; where the finder wavers, a name read for sure says so."""
        if self.face_score > 0 or self.face_score < SURELY_BACK or self.looks < 3:
            return self.face_score > 0
        return float(self.probabilities()[:_NONE].max()) > 0.98

    def still_for(self, time_s: float) -> float:
        """Seconds it has lain still at `time_s`."""
        return time_s - self.still_since_s

    def probabilities(self) -> Float32Array:
        """The votes so far as a probability for each of `CLASSES`.

        Frames of a card at rest err together, so the votes of many count as those of two.
        """
        if self.looks == 0:
            return np.full(len(CLASSES), 1 / len(CLASSES), np.float32)
        logs = self.log_votes / self.looks * min(self.looks, 2)
        p = np.exp(logs - logs.max())
        return np.asarray(p / p.sum(), np.float32)

    def is_sure(self) -> bool:
        """Whether the votes name it."""
        return float(self.probabilities()[:_NONE].max()) >= SURE

    def is_no_card(self) -> bool:
        """Whether the identifier says that this is not the face of a card."""
        return self.looks >= 2 and int(self.probabilities().argmax()) == _NONE


class Names(Protocol):
    """What names cards: `vision.reading.identifier.Identifier`, or one with something around it."""

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of the N cards at `corners_px` in `frame`."""
        ...


Refine = Callable[[UInt8Array, Float32Array], Float32Array]
"""What pulls rough corners (4, 2) px onto a card's edges in a frame."""


class SightingTracker:
    """Follows the cards of a table through its frames."""

    def __init__(self, identifier: Names, refine: Refine = refine_corners):
        self._identifier = identifier
        self._refine = refine
        self._next = 1
        self.sightings: list[Sighting] = []

    def update(self, frame: UInt8Array, found: Sequence[Found], time_s: float) -> list[Sighting]:
        """Take in one frame's cards; returns the sightings that have just left the table."""
        for sighting in self.sightings:
            sighting.found = False
        pairs = self._match(found)
        matched = {index for index, _ in pairs}
        for index, sighting in pairs:
            self._follow(sighting, found[index], frame, time_s)
        for index, card in enumerate(found):
            if index not in matched:
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
                    )
                )
                self._next += 1
        self._read(frame, time_s)
        gone = [s for s in self.sightings if time_s - s.seen_s > FORGET_S]
        # What was seen for a moment only, on its way, leaves without a word.
        self.sightings = [s for s in self.sightings if time_s - s.seen_s <= FORGET_S]
        return gone

    def _came_from(self, card: Found, time_s: float) -> Float32Array:
        """Where a card newly found was first seen: on its way it goes farther from frame to frame than is followed."""
        height = max(float(np.linalg.norm(card.corners_px[3] - card.corners_px[0])), 1.0)
        near = [
            (float(np.linalg.norm(card.center_px - s.center_px)), s)
            for s in self.sightings
            if (s.stale or s.looks == 0) and not s.found and time_s - 0.25 <= s.seen_s
        ]
        distance, before = min(near, key=lambda entry: entry[0], default=(np.inf, None))
        if before is None or before.came_from_px is None or distance > 1.3 * height:
            return card.center_px
        return before.came_from_px

    def _match(self, found: Sequence[Found]) -> list[tuple[int, Sighting]]:
        scored = []
        for index, card in enumerate(found):
            for sighting in self.sightings:
                if sighting.left:
                    continue
                near = float(np.linalg.norm(card.center_px - sighting.center_px)) / max(
                    sighting.height_px, 1.0
                )
                # A card that was read lies still: one farther off is another, or the same one picked up.
                read = sighting.looks >= SETTLED_LOOKS and not sighting.stale
                if near < (0.25 if read else 0.35):
                    scored.append(
                        (near - 0.3 * overlap(card.corners_px, sighting.corners_px), index, sighting)
                    )
        scored.sort(key=lambda entry: entry[0])
        taken: set[int] = set()
        used: set[int] = set()
        pairs = []
        for _, index, sighting in scored:
            if index not in taken and sighting.number not in used:
                taken.add(index)
                used.add(sighting.number)
                pairs.append((index, sighting))
        return pairs

    def _follow(self, sighting: Sighting, card: Found, frame: UInt8Array, time_s: float) -> None:
        moved = float(np.linalg.norm(card.center_px - sighting.center_px)) / max(sighting.height_px, 1.0)
        turned = overlap(card.corners_px, sighting.corners_px)
        sighting.seen_s, sighting.found = time_s, True
        sighting.best_score = max(sighting.best_score, card.score)
        sighting.face_score = float(
            np.clip(sighting.face_score + (card.score if card.face else -card.score), -4.0, 4.0)
        )
        if moved > 0.06 or turned < 0.7:
            sighting.corners_px = card.corners_px
            sighting.anchor_px = None
            sighting.patch = None
            sighting.still_since_s = sighting.landed_s = time_s
            self._disturb(sighting, moved)
            return
        patch = _patch(frame, sighting.corners_px)
        if sighting.patch is not None and _changed(patch, sighting.patch):
            sighting.corners_px = card.corners_px
            sighting.anchor_px = None
            sighting.still_since_s = time_s
            sighting.patch = None
            self._disturb(sighting, moved)
            return
        sighting.patch = patch
        sighting.lay_s = max(sighting.lay_s, sighting.still_for(time_s))
        if sighting.anchor_px is None:
            sighting.anchor_px = sighting.corners_px = self._refine(frame, card.corners_px)
            sighting.patch = _patch(frame, sighting.corners_px)

    def _disturb(self, sighting: Sighting, moved: float) -> None:
        """Note that what lies there may be another card by now, or the same one boxed otherwise."""
        sighting.stale = sighting.stale or moved > 0.15 or not sighting.is_sure()
        named = sighting.looks >= SETTLED_LOOKS and sighting.lay_s >= AGAIN_S
        sighting.disturbed, sighting.again = named and not sighting.stale, []

    def _read(self, frame: UInt8Array, time_s: float) -> None:
        due = [
            s for s in self.sightings
            if s.face_score > SURELY_BACK and s.found and s.anchor_px is not None
            and (s.stale or (s.looks < MOST_LOOKS and not s.disturbed and not self._is_buried(s)))
        ]  # fmt: skip
        self._read_again(frame, time_s)
        self._compare_moved(frame, time_s)
        if not due:
            return
        for sighting in due:
            if sighting.stale:
                if sighting.was is None and sighting.looks >= SETTLED_LOOKS and sighting.is_sure():
                    sighting.was = int(sighting.log_votes.argmax())
                sighting.stale, sighting.looks = False, 0
                sighting.log_votes = np.zeros(len(CLASSES), np.float32)
        probabilities = self._identifier.name(frame, [look_corners(s.corners_px, s.looks) for s in due])
        for sighting, row in zip(due, probabilities, strict=True):
            sighting.log_votes = (sighting.log_votes + np.log(np.maximum(row, 1e-5))).astype(np.float32)
            sighting.looks += 1
            sighting.crop = rectify(frame, sighting.corners_px, 160)

    def _read_again(self, frame: UInt8Array, time_s: float) -> None:
        """Look whether another card was laid exactly on one that was read: the finder sees one card still."""
        due = [
            s for s in self.sightings
            if s.disturbed and s.found and s.anchor_px is not None and s.still_for(time_s) >= AGAIN_S
            and not self._is_covered(s)
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
        """See whether what was read anew, after it had moved, is the same card: one laid askew seems to move it."""
        for sighting in [s for s in self.sightings if s.was is not None and s.found and not s.stale]:
            if sighting.looks < SETTLED_LOOKS or not sighting.is_sure():
                continue
            if int(sighting.log_votes.argmax()) in (_NONE, sighting.was):
                sighting.was = None
            elif sighting.still_for(time_s) >= AGAIN_S and not self._is_covered(sighting):
                self._lay_on(sighting, frame, sighting.looks, sighting.log_votes)

    def _is_covered(self, sighting: Sighting) -> bool:
        """Whether another card lies across it: then it is not read for sure."""
        others = (other for other in self.sightings if other is not sighting and other.face)
        return any(covered_share(sighting, other) > 0.1 for other in others)

    def _is_buried(self, sighting: Sighting) -> bool:
        """Whether it was read surely and most of it lies under a later card now: a look would read that one."""
        if sighting.looks < SETTLED_LOOKS or not sighting.is_sure():
            return False
        later = (other for other in self.sightings if other.face and other.first_s > sighting.first_s)
        return any(covered_share(sighting, other) > 0.5 for other in later)

    def _lay_on(self, sighting: Sighting, frame: UInt8Array, looks: int, log_votes: Float32Array) -> None:
        """Take what is read now in the place of `sighting` for a card of its own; the one below is seen no more."""
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
        )
        self._next += 1


def covered_share(sighting: Sighting, other: Sighting) -> float:
    """The share (0..1) of a sighting's rectangle that lies in that of another."""
    area = max(float(cv2.contourArea(sighting.corners_px)), 1.0)
    return float(cv2.intersectConvexConvex(sighting.corners_px, other.corners_px)[0]) / area


def look_corners(corners_px: Float32Array, look: int) -> Float32Array:
    """The corners (4, 2) px at which the card at `corners_px` is cut out for its look number `look` (from 0)."""
    return aside(corners_px, *LOOK_OFF[look % len(LOOK_OFF)])


def _patch(frame: UInt8Array, corners_px: Float32Array) -> UInt8Array:
    """The card at `corners_px`, small and grey, to tell whether something moves over it."""
    return cv2.cvtColor(rectify(frame, corners_px, _PATCH_PX), cv2.COLOR_BGR2GRAY).astype(np.uint8)


def _changed(now: UInt8Array, before: UInt8Array) -> bool:
    """Whether something moved over the card between two frames (a hand, not noise or flicker).

    A flicker changes the whole card alike, so the mean is taken out first.
    """
    difference = now.astype(np.float32) - before.astype(np.float32)
    difference -= np.median(difference)
    blocks = cv2.resize(difference, (8, 8), interpolation=cv2.INTER_AREA)
    return bool((np.abs(blocks) > 18).sum() >= 4)
