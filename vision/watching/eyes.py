"""The eyes at work: frames in, recognised cards and plays out."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tracker.events import Event
from vision.arrays import Float32Array, UInt8Array
from vision.camera.capture import frames
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder, Found
from vision.reading.identifier import Identifier
from vision.taught.gallery import TaughtIdentifier, open_deck
from vision.watching.explanations import Expectation, Judged
from vision.watching.health import Health, HealthMeter
from vision.watching.plays import PlayReader
from vision.watching.sightings import LooksClosely, Names, Sighting, SightingTracker

FAINTEST = 0.15
"""Score of the finder from which a box is followed at all; what it shows is for the identifier to say."""

DRAWN_S = 0.25
"""Seconds for which a card is still drawn after it was last found."""

NOBODY = Expectation((), None, (), frozenset())


@dataclass(frozen=True)
class SeenCard:
    """A card as recognised in a frame, for drawing.

    `corners_px` is (4, 2) float32. `card` is None where it is face down or not named yet. `confidence` (0..1)
    is that of the name. `state` is moving, lying, settled or doubtful.
    """

    corners_px: Float32Array
    card: str | None
    face: bool
    confidence: float
    state: str


@dataclass(frozen=True)
class WatchUpdate:
    """What one frame told: its picture, the cards in it, and the events that it completed.

    `gone_crops` has the picture, (N, N, 3) uint8 BGR, of each card that was booked only when it was gone, by card.
    `played` has the sighting numbers of the plays among `events`, in order. `judged` has the explanations that
    are new or have changed.
    """

    time_s: float
    frame: UInt8Array
    cards: tuple[SeenCard, ...]
    events: tuple[Event, ...]
    health: Health
    progress: float | None
    gone_crops: Mapping[str, UInt8Array] = field(default_factory=dict)
    played: tuple[int, ...] = ()
    judged: tuple[Judged, ...] = ()


class Finds(Protocol):
    """What finds cards: `vision.reading.finder.Finder`, or one with something around it."""

    def find(self, frame: UInt8Array, least_score: float) -> list[Found]:
        """Cards in `frame`, best first."""
        ...


class Eyes:
    """Finder, identifier, sightings and plays of one table, frame by frame.

    `tracker` and `reader` may be read between two frames.
    """

    def __init__(
        self, sides: Mapping[str, str], finder: Finds, identifier: Names, close: LooksClosely | None = None
    ):
        """`sides` gives each seated player the side of the picture he sits at: S, E, N or W."""
        self._finder = finder
        self.tracker = SightingTracker(identifier, close)
        self.reader = PlayReader(sides)
        self._health = HealthMeter()

    def look(
        self, frame: UInt8Array, time_s: float, expectation: Expectation | None, progress: float | None = None
    ) -> WatchUpdate:
        """What the frame (H, W, 3) uint8 BGR at `time_s` tells; times must rise."""
        began = time.perf_counter()
        found = self._finder.find(frame, FAINTEST)
        gone = self.tracker.update(frame, found, time_s)
        events = self.reader.update(frame, self.tracker.sightings, gone, expectation or NOBODY, time_s)
        cards = tuple(self._seen(s, time_s) for s in self.tracker.sightings if time_s - s.seen_s < DRAWN_S)
        health = self._health.update(frame, time_s, time.perf_counter() - began, len(cards))
        crops = {s.number: s.crop for s in gone if s.crop is not None}
        gone_crops = {self.reader.read[n].card: crops[n] for n in self.reader.played if n in crops}
        played, judged = tuple(self.reader.played), tuple(self.reader.judged)
        return WatchUpdate(time_s, frame, cards, events, health, progress, gone_crops, played, judged)

    def _seen(self, sighting: Sighting, time_s: float) -> SeenCard:
        read = self.reader.read.get(sighting.number)
        if read is not None:
            state = "doubtful" if read.doubtful else "settled"
            confidence = float(sighting.probabilities().max())
            return SeenCard(sighting.corners_px, read.card, True, confidence, state)
        state = "lying" if sighting.still_for(time_s) > 0 else "moving"
        return SeenCard(sighting.corners_px, None, sighting.face, 0.0, state)


def open_identifier(weights: Path | None, deck: Path | None, threads: int) -> Identifier:
    """The identifier with `weights` (None: the shipped ones) and the taught deck in the folder `deck`, if any.

    Raises `VisionError` when either cannot be used.
    """
    if deck is None:
        return Identifier(weights, threads)
    return TaughtIdentifier(open_deck(deck), weights, threads)


def watch(
    source: str | int,
    sides: Mapping[str, str],
    expect: Callable[[float], Expectation | None],
    *,
    every: int = 1,
    threads: int = 1,
    deck: Path | None = None,
) -> Iterator[WatchUpdate]:
    """Watch `source` (a video file or a camera's number): one update for each frame examined.

    `expect` is called before each frame with its time in s and returns what the game expects then. `deck` is the
    folder of a taught deck.
    Raises `VisionError` when the source, a model or the deck cannot be used, `CameraLost` when a camera stops.
    """
    eyes = Eyes(
        sides, Finder(threads=threads), open_identifier(None, deck, threads), CornerFinder(threads=threads)
    )
    for frame in frames(source, every):
        yield eyes.look(frame.picture, frame.time_s, expect(frame.time_s), frame.progress)
