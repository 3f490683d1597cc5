"""The cards at rest on the table while it is set up. No game helps to name them yet."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float32Array, UInt8Array
from vision.camera.capture import frames
from vision.picture import rectify
from vision.reading.identifier import CLASSES
from vision.watching.eyes import WatchUpdate, open_eyes
from vision.watching.health import focus_of
from vision.watching.likeness import BACK_PX
from vision.watching.sightings import CLEAR, SETTLED_LOOKS, Sighting

_REST_S = 0.4
"""Seconds that a card must lie still to be told."""


@dataclass(frozen=True)
class RestingCard:
    """A card that lies still, with the `number` of its sighting.

    `at` is its middle, (x, y) as shares (0..1) of the picture. `card` is its likeliest name, "" for a back; `sure`
    means that this name would be booked without a question. `height_px` is the card's height, `focus` is as in
    `vision.watching.health.View`. `shown` is its picture, (BACK_PX, BACK_PX, 3) uint8 BGR.
    """

    number: int
    at: tuple[float, float]
    card: str
    sure: bool
    height_px: float
    focus: float
    shown: UInt8Array

    @property
    def is_face(self) -> bool:
        """Whether it lies face up."""
        return bool(self.card)


@dataclass(frozen=True)
class TableLook:
    """One picture: the update with its cards named, and the cards at rest."""

    update: WatchUpdate
    resting: tuple[RestingCard, ...]


def table_looks(
    source: str | int, *, deck: Path | None = None, threads: int | None = None
) -> Iterator[TableLook]:
    """Watch `source` (a video file or a camera) while nobody plays: one look for each picture.

    `deck`, `threads` and errors are those of `vision.watching.eyes.watch`.
    """
    eyes = open_eyes({}, threads=threads, deck=deck)
    for frame in frames(source):
        update = eyes.update(frame.picture, frame.time_s, None, frame.progress)
        resting = [
            (sighting, _told(sighting, frame.picture))
            for sighting in eyes.tracker.sightings
            if _is_at_rest(sighting, frame.time_s)
        ]
        names = {_key(sighting.corners_px): card for sighting, card in resting if card.is_face}
        cards = tuple(
            replace(seen, card=told.card, state="settled" if told.sure else "doubtful")
            if (told := names.get(_key(seen.corners_px))) is not None
            else seen
            for seen in update.cards
        )
        yield TableLook(replace(update, cards=cards), tuple(card for _, card in resting))


def _key(corners_px: Float32Array) -> bytes:
    return corners_px.tobytes()


def _is_at_rest(sighting: Sighting, time_s: float) -> bool:
    if not sighting.found or sighting.still_for(time_s) < _REST_S or sighting.best_score < CLEAR:
        return False
    return sighting.is_back() or (sighting.face and sighting.looks >= SETTLED_LOOKS)


def _told(sighting: Sighting, frame: UInt8Array) -> RestingCard:
    height, width = frame.shape[:2]
    x, y = sighting.center_px
    chances = sighting.probabilities()[: len(CARDS)]
    return RestingCard(
        sighting.number,
        (float(x) / width, float(y) / height),
        CLASSES[int(np.argmax(chances))] if sighting.face else "",
        sighting.face and sighting.is_sure(),
        sighting.height_px,
        focus_of(frame, sighting.corners_px),
        rectify(frame, sighting.corners_px, BACK_PX),
    )
