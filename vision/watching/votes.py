"""The votes on the names of the cards at rest, and on whether another card was laid exactly on one of them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.picture import aside, overlap, rectify
from vision.reading.identifier import ASIDE, CLASSES, NONE
from vision.reading.plane import MOST_OFF
from vision.watching.sightings import (
    CLEAR,
    FEWEST_LOOKS,
    SETTLED_LOOKS,
    SURE,
    Sighting,
    covered_share,
    overlaps_one,
)

MOST_LOOKS = 12
"""Looks after which a stationary card is not read again."""
AGAIN_S = 0.5
"""Seconds a card that was read must lie still, after something moved over it, before it is read again."""
AGAIN_LOOKS = 3
"""Sure looks that prove that another card was laid on one that was read. One look with the old name refutes it."""
MOST_AGAIN = 8
"""Looks after which the card counts as the same, if too few looks were sure."""
LOOK_OFF = ((0.0, 0.0, 1.0), *ASIDE, (-0.015, -0.01, 1.0))
"""The offset of each look in turn: right and down as shares of the card's sides, and the scale.

Frames of a card at rest are all alike and are misread alike. Looks that are a little off make different mistakes.
"""


class Names(Protocol):
    """What names cards: `vision.reading.identifier.Identifier`, or one with something around it."""

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of the N cards at `corners_px` in `frame`."""
        ...


class LaidOn(NamedTuple):
    """A card that was laid exactly on the one of `sighting`, with the `looks` at it and the sum of their log votes."""

    sighting: Sighting
    looks: int
    log_votes: Float32Array


def vote(sightings: Sequence[Sighting], identifier: Names, frame: UInt8Array, time_s: float) -> list[LaidOn]:
    """Read the cards at rest that need more looks, and add up their votes; returns the cards laid exactly on others."""
    due = [
        s for s in sightings
        if not s.is_surely_back and s.found and s.anchor_px is not None
        and (s.stale or (s.looks < MOST_LOOKS and not s.disturbed and not _is_buried(s, sightings)))
    ]  # fmt: skip
    laid = _read_again(sightings, identifier, frame, time_s)
    hidden = {one.sighting.number for one in laid}
    laid += _moved_and_another([s for s in sightings if s.number not in hidden], time_s)
    if not due:
        return laid
    for sighting in due:
        if sighting.stale:
            if sighting.was is None and sighting.looks >= SETTLED_LOOKS and sighting.is_sure():
                sighting.was, sighting.was_px = int(sighting.log_votes.argmax()), sighting.read_px
            if sighting.looks >= FEWEST_LOOKS:
                sighting.earlier = sighting.looks, sighting.log_votes
            sighting.stale, sighting.looks = False, 0
            sighting.log_votes = np.zeros(len(CLASSES), np.float32)
    probabilities = identifier.name(frame, [look_corners(s.corners_px, s.looks) for s in due])
    for sighting, row in zip(due, probabilities, strict=True):
        sighting.log_votes = (sighting.log_votes + np.log(np.maximum(row, 1e-5))).astype(np.float32)
        sighting.looks += 1
        sighting.read_px = sighting.found_px
        sighting.crop = rectify(frame, sighting.corners_px, 160)
    return laid


def _read_again(
    sightings: Sequence[Sighting], identifier: Names, frame: UInt8Array, time_s: float
) -> list[LaidOn]:
    """The cards that were laid exactly on ones that were read: the finder still sees one card."""
    due = [
        s for s in sightings
        if s.disturbed and s.found and s.anchor_px is not None and s.still_for(time_s) >= AGAIN_S
        and not _is_covered(s, s.read_px, sightings)
    ]  # fmt: skip
    if not due:
        return []
    laid = []
    corners = [look_corners(s.corners_px, len(s.again)) for s in due]
    for sighting, row in zip(due, identifier.name(frame, corners), strict=True):
        sighting.again.append(row)
        before = int(sighting.log_votes.argmax())
        sure = [int(again.argmax()) for again in sighting.again if float(again.max()) >= SURE]
        name = CLASSES[sure[0]] if len(sure) == AGAIN_LOOKS else ""
        is_cover = bool(name) and _is_covered(sighting, sighting.read_px, sightings, name)
        if int(row.argmax()) in (NONE, before) or len(set(sure)) > 1 or is_cover:
            sighting.disturbed = False
        elif len(sure) == AGAIN_LOOKS:
            votes = np.log(np.maximum(sighting.again, 1e-5)).sum(0).astype(np.float32)
            laid.append(LaidOn(sighting, len(sighting.again), votes))
        elif len(sighting.again) == MOST_AGAIN:
            sighting.disturbed = False
    return laid


def _moved_and_another(sightings: Sequence[Sighting], time_s: float) -> list[LaidOn]:
    """The cards that read as another after a move: one that is laid askew on a card looks like a move, too."""
    laid = []
    for sighting in [s for s in sightings if s.was is not None and s.found and not s.stale]:
        if sighting.looks < SETTLED_LOOKS or not sighting.is_sure():
            continue
        if int(sighting.log_votes.argmax()) in (NONE, sighting.was):
            sighting.was = None
        elif sighting.still_for(time_s) >= AGAIN_S and not _is_covered(
            sighting, sighting.was_px, sightings, sighting.read_as
        ):
            laid.append(LaidOn(sighting, sighting.looks, sighting.log_votes))
    return laid


def _is_covered(
    sighting: Sighting, where_px: Float32Array | None, sightings: Sequence[Sighting], reads: str = ""
) -> bool:
    """Whether a card that came later overlaps it, so that it cannot be read reliably.

    Such a card would be read instead of it. So one that is surely another than what it `reads` as covers nothing that
    was read; "" if it is not read yet.

    `where_px` (4, 2) is where it lay when it was read, which counts, too: of a card partly under another the rest
    may be found as a smaller one, that reads otherwise. What is found there and reads likeliest as the card that was
    read there is that card itself, found anew beside the one on it.
    """
    places_px = [sighting.corners_px, *([] if where_px is None else [where_px])]
    name = CLASSES[int(sighting.log_votes.argmax()) if sighting.was is None else sighting.was]

    def lies_there(other: Sighting) -> bool:
        at_px = where_px
        return at_px is not None and overlap(other.found_px, at_px) > overlap(sighting.found_px, at_px)

    def is_that_card(other: Sighting) -> bool:
        return other.read_as == name and (other.is_sure() or lies_there(other))

    # What fits a whole card of this table lies on all that landed before it.
    whole = sighting.off is not None and sighting.off < MOST_OFF
    clear = sighting.score >= CLEAR
    later = [
        s for s in sightings
        if s is not sighting and s.first_s >= sighting.first_s and s.face and not is_that_card(s)
        and not (whole and s.landed_s < sighting.landed_s) and not (s.is_sure() and s.read_as != reads)
        and not (clear and s.score < CLEAR)
    ]  # fmt: skip
    return any(overlaps_one(px, [other.corners_px for other in later]) for px in places_px)


def _is_buried(sighting: Sighting, sightings: Sequence[Sighting]) -> bool:
    """Whether it was surely read and now lies mostly under a later card, which a look would read instead."""
    if sighting.looks < SETTLED_LOOKS or not sighting.is_sure():
        return False
    later = (other for other in sightings if other.first_s > sighting.first_s and other.face)
    return any(covered_share(sighting, other) > 0.5 for other in later)


def look_corners(corners_px: Float32Array, look: int) -> Float32Array:
    """The corners (4, 2) px at which look number `look` (from 0) cuts out the card at `corners_px`."""
    return aside(corners_px, *LOOK_OFF[look % len(LOOK_OFF)])
