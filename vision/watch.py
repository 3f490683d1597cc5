"""The eyes at work: frames in, recognised cards and plays out."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from tracker.events import Event
from vision.arrays import Float32Array, UInt8Array
from vision.capture import frames
from vision.models import Finder, Identifier
from vision.plays import Expectation, PlayReader
from vision.sightings import Sighting, SightingTracker

DRAWN_S = 0.25
"""Seconds a card not found any more goes on being shown."""

NOBODY = Expectation((), None, (), frozenset())


@dataclass(frozen=True)
class SeenCard:
    """A card as recognised in a frame, for drawing.

    `corners_px` (4, 2) float32; `card` None where it is face down or not named yet; `confidence` 0..1 of
    the name; `state` is moving, lying, settled or doubtful.
    """

    corners_px: Float32Array
    card: str | None
    face: bool
    confidence: float
    state: str


@dataclass(frozen=True)
class Health:
    """How well the eyes see: frames/s, latency s from picture to result, sharpness and brightness of the
    picture (0..255), cards in view; `advice` are keys of what a person should put right."""

    frames_per_s: float
    latency_s: float
    sharpness: float
    brightness: float
    cards: int
    advice: tuple[str, ...]


@dataclass(frozen=True)
class WatchUpdate:
    """What one frame told: its picture, the cards in it, and the events that it completed."""

    time_s: float
    frame: UInt8Array
    cards: tuple[SeenCard, ...]
    events: tuple[Event, ...]
    health: Health
    progress: float | None


class Watcher:
    """Finder, identifier, sightings and plays of one table, frame after frame."""

    def __init__(self, sides: Mapping[str, str], finder: Finder, identifier: Identifier):
        """`sides` gives each seated player the side of the picture he sits at: S, E, N or W."""
        self._finder = finder
        self._tracker = SightingTracker(identifier)
        self._reader = PlayReader(sides)
        self._spent_s: list[float] = []
        self._times_s: list[float] = []

    def look(
        self, frame: UInt8Array, time_s: float, expectation: Expectation | None, progress: float | None = None
    ) -> WatchUpdate:
        """Take in one frame (H, W, 3) uint8 BGR of `time_s`; times must rise."""
        began = time.perf_counter()
        found = self._finder.find(frame)
        gone = self._tracker.update(frame, found, time_s)
        events = self._reader.update(frame, self._tracker.sightings, gone, expectation or NOBODY, time_s)
        cards = tuple(self._seen(s, time_s) for s in self._tracker.sightings if time_s - s.seen_s < DRAWN_S)
        self._spent_s = [*self._spent_s[-29:], time.perf_counter() - began]
        self._times_s = [*self._times_s[-29:], time_s]
        return WatchUpdate(time_s, frame, cards, events, self._health(frame, cards), progress)

    def _seen(self, sighting: Sighting, time_s: float) -> SeenCard:
        read = self._reader.read.get(sighting.number)
        if read is not None:
            state = "doubtful" if read.doubtful else "settled"
            confidence = float(sighting.probabilities().max())
            return SeenCard(sighting.corners_px, read.card, True, confidence, state)
        state = "lying" if sighting.still_for(time_s) > 0 else "moving"
        return SeenCard(sighting.corners_px, None, sighting.face, 0.0, state)

    def _health(self, frame: UInt8Array, cards: tuple[SeenCard, ...]) -> Health:
        gray = cv2.cvtColor(frame[::2, ::2], cv2.COLOR_BGR2GRAY)
        sharpness = float(cv2.Laplacian(gray, cv2.CV_32F).std())
        brightness = float(gray.mean())
        elapsed = self._times_s[-1] - self._times_s[0]
        rate = (len(self._times_s) - 1) / elapsed if elapsed > 0 else 0.0
        spent = float(np.median(self._spent_s))
        advice = []
        if float(gray.std()) < 4:
            advice.append("blocked")
        elif brightness < 35 and float(np.percentile(gray, 99)) < 120:
            advice.append("dark")
        if spent > 0.2:
            advice.append("slow")
        return Health(rate, spent, sharpness, brightness, len(cards), tuple(advice))


def watch(
    source: str | int,
    sides: Mapping[str, str],
    expect: Callable[[], Expectation | None],
    *,
    every: int = 1,
    threads: int = 1,
) -> Iterator[WatchUpdate]:
    """Watch `source` (a video file or a camera's number), one update for each frame looked at.

    `expect` is asked before each frame what the game says just now. Raises `VisionError` when the source
    or a model cannot be used, `CameraLost` when a camera stops.
    """
    watcher = Watcher(sides, Finder(threads=threads), Identifier(threads=threads))
    for frame in frames(source, every):
        yield watcher.look(frame.picture, frame.time_s, expect(), frame.progress)
