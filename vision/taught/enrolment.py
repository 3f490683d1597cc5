"""Teaching a deck: cards are shown in any order, captured when they lie still, and named by a person.

Each card is saved at once, so teaching can be interrupted and taken up again at any time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tracker.cards import CARDS
from vision.arrays import UInt8Array
from vision.camera.capture import frames
from vision.decks import card_pictures, pictures_in, read_picture
from vision.picture import rectify
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.reading.magnified import find_shown
from vision.taught.crops import KEPT_PX, as_read
from vision.taught.gallery import TaughtIdentifier
from vision.watching.tracking import SightingTracker

STEADY_S = 0.4
"""Seconds for which a card must lie still before it is captured."""
SAME = 0.97
"""Likeness from which two crops surely show the same card.

In six decks half the cards had less when they were seen again in other light, so people are asked about them once more.
In the worst deck one pair of different cards in a hundred had more.
"""
DOUBTFUL = 0.6
"""Probability below which the best guess is not offered as the answer."""


@dataclass(frozen=True)
class Shown:
    """A card to be taught: its `crop` (KEPT_PX square, uint8 BGR) and the `guesses`, likeliest first.

    `doubtful`: no guess is likely enough to be offered. The one guess for a file is its name, without doubt.
    """

    crop: UInt8Array
    guesses: tuple[str, ...]
    doubtful: bool


def shown_by_camera(
    source: str | int, finder: Finder, corners: CornerFinder, identifier: TaughtIdentifier, *, looks: int = 1
) -> Iterator[Shown | None]:
    """Watch `source`, a camera or a video, and yield each card once it lies still; None for all other frames.

    A card may be laid on the one before, or be held close to the camera. Cards that already have `looks` crops are
    unlikely guesses. Raises `VisionError` as `vision.camera.capture.frames` does.
    """
    tracker = SightingTracker(identifier, corners)
    captured: dict[int, tuple[float, UInt8Array]] = {}  # by sighting: since when it lies still (s), crop
    for frame in frames(source):
        tracker.update(frame.picture, find_shown(finder, frame.picture), frame.time_s)
        due = [
            s for s in tracker.sightings
            if s.found and s.face and s.looks >= 2
            and s.still_for(frame.time_s) >= STEADY_S
            # Not captured yet, or moved since.
            and (s.number not in captured or s.still_since_s > captured[s.number][0])
        ]  # fmt: skip
        shown = False
        for sighting in due:
            crop = rectify(frame.picture, sighting.corners_px, KEPT_PX)
            before = captured.get(sighting.number) or captured.get(sighting.upon)
            captured[sighting.number] = sighting.still_since_s, crop
            if before is None or not is_same_card(identifier, before[1], crop):
                shown = True
                yield guess(identifier, crop, looks)
        if not shown:
            yield None


def is_same_card(identifier: TaughtIdentifier, one: UInt8Array, other: UInt8Array) -> bool:
    """Whether two crops (square, BGR) from one place surely show the same card."""
    seen, before = (
        identifier.prints.embed([as_read(one)]),
        identifier.prints.embed_both_ways([as_read(other)]),
    )
    return bool((before[0] @ seen[0]).max() >= SAME)


def guess(identifier: TaughtIdentifier, crop: UInt8Array, looks: int = 1) -> Shown:
    """The five likeliest cards of `crop` (square, BGR); cards that already have `looks` crops are unlikely."""
    chances = identifier.name_crops([as_read(crop)])[0, : len(CARDS)].astype(np.float64)
    done = np.array([identifier.gallery.looks[card] >= looks for card in CARDS])
    chances *= np.where(done, 0.02, 1.0)
    chances /= max(chances.sum(), 1e-12)
    order = np.argsort(-chances)[:5]
    return Shown(crop, tuple(CARDS[int(i)] for i in order), bool(chances[order[0]] < DOUBTFUL))


def not_cards(folder: Path) -> list[str]:
    """The pictures in `folder` that are named after no card."""
    return [path.name for path in pictures_in(folder) if path.stem not in CARDS]


def shown_by_folder(folder: Path) -> Iterator[Shown]:
    """The pictures in `folder` that are named after cards; raises `VisionError` when there is none."""
    for path in card_pictures(folder):
        yield Shown(as_read(read_picture(path)), (path.stem,), False)
