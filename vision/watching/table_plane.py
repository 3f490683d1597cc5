"""The table's plane, learnt from the cards at rest, and where on it each of them lies."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.picture import overlap, share_within
from vision.reading.belief import belief_table, box_evidence
from vision.reading.corners import CloseLook, LooksClosely
from vision.reading.finder import INSIDE, SAME_CARD
from vision.reading.plane import MOST_OFF, MOST_PLANE_CARDS, PLANE_CARDS, Plane, hold_to, plane_of
from vision.watching.sightings import SETTLED_LOOKS, Sighting, overlaps_one

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


class TablePlane:
    """Finds where the cards at rest lie: by close looks at them, and by the table's plane, which these looks tell."""

    def __init__(self, close: LooksClosely | None):
        """`close` looks closely at cards. Without it the finder's corners are used, and the plane is not learnt."""
        self._close = close
        # The surest first look at each of the last cards that lay alone, by sighting number, the newest last.
        self._alone: dict[int, CloseLook] = {}
        self._unfit: set[int] = set()  # the last faces in a row that fit no card on the plane
        self._rows: Mapping[int, Float32Array] | None = None
        self._on_others: set[int] = set()  # the cards in rows that lie on other cards, or under them
        self._plane: Plane | None = None  # None until enough cards tell it

    def settle(
        self,
        rested: Sequence[Sighting],
        sightings: Sequence[Sighting],
        frame: UInt8Array,
        rows: Mapping[int, Float32Array] | None = None,
    ) -> None:
        """Look closely at those of the `sightings` that have just come to rest, and fit them to the table's plane.

        `rows` as in `SightingTracker.update`.
        """
        self._rows = rows
        if rows is None:
            self._on_others = set()
        if self._close is not None and rested:
            self._look_closely(self._close.close_looks(frame, [s.found_px for s in rested]), rested)
            for sighting in rested:
                sighting.first_look = sighting.close
            self._check_plane(rested, sightings)
            held = self._hold(rested, sightings, frame, self._plane)
            for _ in range(CLOSER_LOOKS if held else 0):
                self._look_closely(self._close.close_looks(frame, [s.corners_px for s in rested], 1), rested)
                held = self._hold(rested, sightings, frame, held[0] if held else None)
            if held:
                self._plane, misfits = held
                for sighting in misfits:
                    self._look_from_each_side(frame, self._plane, sighting, sightings)
        for sighting in rested:
            sighting.off, sighting.size, sighting.anchor_px = None, None, sighting.corners_px
        if self._plane is not None:
            for sighting in sightings:
                if sighting.off is None and sighting.anchor_px is not None:
                    card_px, sighting.off = _nearest_card(sighting.found_px, self._plane)
                    areas = cv2.contourArea(sighting.corners_px), cv2.contourArea(card_px)
                    sighting.size = float(np.sqrt(areas[0] / max(areas[1], 1.0)))

    def look_for_alone(self, sightings: Sequence[Sighting]) -> None:
        """Remember the close looks at cards that lie alone: they tell the table's plane.

        Only surely read cards count: another thing, or the squared Talon, would tell a wrong length. Of a card's looks
        the surest counts, because a hand may lie on it at first.
        """
        read = [s for s in sightings if s.found and s.anchor_px is not None and s.looks >= SETTLED_LOOKS]
        for s in read:
            if s.first_look is None or not s.is_sure() or s.number in self._on_others:
                continue
            known = self._alone.get(s.number)
            if known is not None and known.spread.max() <= s.first_look.spread.max():
                continue
            if not self._lies_alone(s, sightings):
                if self._rows is not None:
                    self._on_others.add(s.number)
            elif s.first_look.is_of(s.found_px):
                self._alone[s.number] = s.first_look
                self._alone = dict(list(self._alone.items())[-MOST_PLANE_CARDS:])

    def _look_closely(self, looks: Sequence[CloseLook], rested: Sequence[Sighting]) -> None:
        """Give the cards `rested` the close `looks` at them, and the corners of those looks that show the same card."""
        for sighting, close in zip(rested, looks, strict=True):
            sighting.close = close
            sighting.corners_px = close.corners_px if close.is_of(sighting.found_px) else sighting.found_px

    def _hold(
        self,
        rested: Sequence[Sighting],
        sightings: Sequence[Sighting],
        frame: UInt8Array,
        before: Plane | None = None,
    ) -> tuple[Plane, list[Sighting]] | None:
        """Fit the corners of `rested` to the table's plane; returns the plane, and the cards that do not fit it.

        None if too few cards tell the plane. It is learnt from the cards that lie on it and from the last ones that
        lay alone, and starts from an earlier fit `before` if there is one.

        In a row both close look and finder may take in the cards below. So in rows the plane is learnt only from
        cards that lay alone, and of a box that is too long the end counts that sticks out of the row.
        """
        lying = [s for s in sightings if s.anchor_px is not None or s in rested]
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

    def _look_from_each_side(
        self, frame: UInt8Array, plane: Plane, sighting: Sighting, sightings: Sequence[Sighting]
    ) -> None:
        """Look for the card in a box that fits no card of this table: one side of the box may be a card's.

        Such a box lies across two cards, ends at the neighbour's edge, or misses an end of its card.
        """
        assert self._close is not None
        starts = [hold_to(plane, sighting.corners_px, spread)[0] for spread in ONE_SIDE]
        # Boxes within this one are parts of its card, so the card may fit where they lie.
        beside_px = [
            s.corners_px
            for s in sightings
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

    def _lies_alone(self, sighting: Sighting, sightings: Sequence[Sighting]) -> bool:
        """Whether a card lies neither on another card nor under one, as far as is seen.

        In rows a card stays though it is no longer found, so what lies over its place does not lie alone.
        """
        others_px = [s.corners_px for s in sightings if s is not sighting and s.found and s.face]
        return not overlaps_one(sighting.corners_px, others_px) and all(
            overlap(sighting.corners_px, at_px) == 0 for at_px in self._others_in_rows(sighting)
        )

    def _check_plane(self, rested: Sequence[Sighting], sightings: Sequence[Sighting]) -> None:
        """Forget the plane once the last few faces that lay alone do not fit it: the camera was moved.

        Names do not count here: corners on a wrong plane make every name unsure.
        """
        exact = belief_table().box
        for s in rested:
            if self._plane is None or s.first_look is None or not s.first_look.is_of(s.found_px):
                continue
            if float(s.first_look.sides[0]) <= 0.5 or not self._lies_alone(s, sightings):
                continue
            if exact.odds(box_evidence(s.best_score, s.found_px, s.first_look)) <= 0:
                continue
            if hold_to(self._plane, s.first_look.corners_px, s.first_look.spread)[1] < MOST_OFF:
                self._unfit.clear()
            else:
                self._unfit.add(s.number)
            if len(self._unfit) == PLANE_CARDS:
                self._plane, self._alone, self._unfit = None, {}, set()
                self._on_others = set()


def off_plane(box_px: Float32Array, plane: Plane) -> float:
    """How far the finder's box (4, 2) px is from a card on the `plane`, in standard deviations."""
    return _nearest_card(box_px, plane)[1]


def _nearest_card(box_px: Float32Array, plane: Plane) -> tuple[Float32Array, float]:
    """The card on the `plane` that is nearest to the finder's box (4, 2) px, and how far that is, as above."""
    return hold_to(plane, box_px, np.full(4, FINDER_OFF, np.float32))


def _length_px(corners_px: Float32Array) -> float:
    """The mean length of a card's two long sides, in px."""
    return float(np.linalg.norm(corners_px[[3, 2]] - corners_px[[0, 1]], axis=1).mean())
