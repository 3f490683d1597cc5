"""Following the cards of a table from frame to frame."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, UInt8Array
from vision.picture import overlap, rectify
from vision.reading.corners import LooksClosely
from vision.reading.finder import Found
from vision.watching.likeness import BACK_PX
from vision.watching.sightings import CLEAR, FEWEST_LOOKS, FORGET_S, SETTLED_LOOKS, Sighting
from vision.watching.table_plane import LAID_OVER, TablePlane
from vision.watching.twins import Twins
from vision.watching.votes import AGAIN_S, LaidOn, Names, vote

FAINT = 0.35
"""Score of the finder below which a sighting is hardly found, as a box across cards is."""
MOST_TOLD = 4.0
"""Where the sum of the finder's scores of a sighting, which tells its side, stops."""

_PATCH_PX = 32


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

        `backs` are the backs that the set-up learnt, as in `Twins`.
        """
        self._identifier = identifier
        self._plane = TablePlane(close)
        self._twins = Twins(backs)
        self._next = 1
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
        for sighting in self.sightings:
            sighting.found = False
        matches = self._match(found, rows is not None)
        matched = {match.find for match in matches}
        rested = [
            match.sighting for match in matches if self._follow(match, found[match.find], frame, time_s)
        ]
        self._plane.settle(rested, self.sightings, frame, rows)
        for sighting in rested:
            sighting.shown = rectify(frame, sighting.corners_px, BACK_PX)
            sighting.patch = _patch(frame, sighting.corners_px)
        self._twins.compare(rested, self.sightings)
        self._begin([card for index, card in enumerate(found) if index not in matched], time_s)
        self._twins.learn_backs(self.sightings)
        hidden = [self._lay_on(laid, frame) for laid in vote(self.sightings, self._identifier, frame, time_s)]
        self._twins.tell(self.sightings)
        self._plane.look_for_alone(self.sightings)
        return hidden + self._end(time_s)

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
                    score=card.score,
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

    def _match(self, found: Sequence[Found], in_rows: bool) -> list[_Match]:
        """Pair finds with sightings, the nearest first. `in_rows`: each player's cards stay before him in a row."""
        near: list[_Match] = []
        here = [sighting for sighting in self.sightings if not sighting.left]
        apart = _apart_from(found, here)
        # A card that was read lies still: a find farther off is another card, or this one picked up.
        most = np.array([0.25 if s.looks >= SETTLED_LOOKS and not s.stale else 0.35 for s in here])
        for index, at in np.argwhere(apart < most):
            card, sighting = found[index], here[at]
            if (in_rows or _was_faint(sighting, card)) and _is_laid_over(card, sighting):
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
        sighting.seen_s, sighting.found, sighting.score = time_s, True, card.score
        sighting.face_score = float(
            np.clip(sighting.face_score + (card.score if card.face else -card.score), -MOST_TOLD, MOST_TOLD)
        )
        if moved > 0.06 or match.shared < 0.7:
            if sighting.still_for(time_s) >= AGAIN_S:
                sighting.set_off_s, sighting.came_from_px = time_s, card.center_px
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

    def _disturb(self, sighting: Sighting, moved: float) -> None:
        """Note that a sighting moved, or that something moved over it: another card may lie there now."""
        sighting.stale = sighting.stale or moved > 0.15 or not sighting.is_sure()
        named = sighting.looks >= SETTLED_LOOKS and sighting.lay_s >= AGAIN_S
        sighting.disturbed, sighting.again = named and not sighting.stale, []

    def _lay_on(self, laid: LaidOn, frame: UInt8Array) -> Sighting:
        """Follow a card instead of the one that it was laid on; returns that one as it was before it was hidden."""
        sighting = laid.sighting
        self.sightings[self.sightings.index(sighting)] = Sighting(
            self._next,
            sighting.corners_px,
            sighting.face_score,
            sighting.still_since_s,
            sighting.still_since_s,
            sighting.seen_s,
            best_score=sighting.best_score,
            score=sighting.score,
            looks=laid.looks,
            log_votes=laid.log_votes,
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
        hidden = replace(sighting, found=False)
        if sighting.was_px is not None and sighting.was is not None and sighting.earlier is not None:
            hidden.corners_px = hidden.rough_px = sighting.was_px
            hidden.looks, hidden.log_votes = sighting.earlier
            hidden.crop = None  # it shows the card on it
        return hidden


def _apart_from(found: Sequence[Found], sightings: Sequence[Sighting]) -> Float64Array:
    """The distances (N, M) of N finds from the finder's last boxes of M sightings, in heights of the sighting.

    Of a thing that is no face, and larger than a card, they are in heights of a card.
    """
    finds_px = np.array([card.corners_px for card in found], np.float64).reshape(-1, 1, 4, 2).mean(2)
    boxes_px = np.array([s.found_px for s in sightings], np.float64).reshape(1, -1, 4, 2).mean(2)
    heights_px = np.maximum(
        [s.height_px / (1.0 if s.face else max(s.size or 1.0, 1.0)) for s in sightings], 1.0
    )
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
