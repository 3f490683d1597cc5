"""The eyes at work: frames in, recognised cards and plays out."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tracker.events import CardPlayed, Event, PlaysTakenBack
from vision.arrays import Float32Array, UInt8Array
from vision.camera.capture import frames
from vision.reading.corners import CornerFinder, LooksClosely
from vision.reading.finder import Finder, Proposes
from vision.reading.identifier import Identifier
from vision.reading.magnified import MagnifyingFinder
from vision.taught.folders import open_deck
from vision.taught.gallery import TaughtIdentifier
from vision.threads import helping_threads
from vision.watching.attention import Attention
from vision.watching.expectation import Expectation
from vision.watching.explanations import Judged
from vision.watching.health import CardScale, Health, HealthMeter, View
from vision.watching.learnt import NOTHING_LEARNT, LearntTable
from vision.watching.motion import Light
from vision.watching.plays import PlayReader
from vision.watching.sightings import CLEAR, PATIENCE_S, SETTLED_LOOKS, STILL_S, Sighting
from vision.watching.tracking import SightingTracker
from vision.watching.unread import DeckMeter
from vision.watching.votes import Names

DRAWN_S = 0.25
"""Seconds for which a card is still drawn after it was last found."""

NOBODY = Expectation((), (), (), frozenset())


@dataclass(frozen=True)
class SeenCard:
    """A card as recognised in a frame, for drawing.

    `corners_px` is (4, 2) float32. `card` is None for a card that is face down or not named yet. `state` is moving,
    lying, settled or doubtful. `sighting` is the sighting's number.
    """

    corners_px: Float32Array
    card: str | None
    face: bool
    state: str
    sighting: int = 0


@dataclass(frozen=True)
class WatchUpdate:
    """What one frame told: its picture, the cards in it, and the events that it completed.

    `progress` is the share (0..1) of a film read so far; None for a camera. `played` has the sighting number of each
    new card among `events`. `gone_crops` has the picture, (N, N, 3) uint8 BGR, of each sighting that was booked only
    after it had gone, by number. `judged` has the explanations that are new or have changed. `view` is how the cards
    appear, None until enough were seen.
    """

    time_s: float
    frame: UInt8Array
    cards: tuple[SeenCard, ...]
    events: tuple[Event, ...]
    health: Health
    progress: float | None
    gone_crops: Mapping[int, UInt8Array] = field(default_factory=dict)
    played: Mapping[Event, int] = field(default_factory=dict)
    judged: tuple[Judged, ...] = ()
    view: View | None = None


class Eyes:
    """Finder, identifier, sightings and plays of one table, frame by frame.

    `tracker` and `reader` may be read between two frames.
    """

    def __init__(
        self,
        sides: Mapping[str, str],
        finder: Proposes,
        identifier: Names,
        close: LooksClosely | None = None,
        learnt: LearntTable = NOTHING_LEARNT,
    ):
        """`sides` has each player's side of the picture: S, E, N or W. `learnt` is what the set-up learnt."""
        self._light = Light()
        self._attention = Attention(finder, MagnifyingFinder(finder, close) if close else None)
        self.tracker = SightingTracker(identifier, close, learnt.backs)
        self.reader = PlayReader(sides, learnt)
        self._health = HealthMeter()
        self._scale = CardScale()
        self._deck = DeckMeter()

    def update(
        self, frame: UInt8Array, time_s: float, expectation: Expectation | None, progress: float | None = None
    ) -> WatchUpdate:
        """What `frame` (H, W, 3) uint8 BGR at `time_s` tells; times must rise.

        `expectation` is what the game expects now, None while the table is set up. `progress` is passed on.
        """
        began = time.perf_counter()
        small = self._light.small_picture(frame)
        found = self._attention.find(frame, small.gray, time_s)
        is_set_up, expectation = expectation is None, expectation or NOBODY
        lain_px = {sighting.number: place.home_px for sighting, place in self.reader.places()}
        gone = self.tracker.update(frame, found, time_s, lain_px if expectation.stays else None)
        lying = [s for s in self.tracker.sightings if _lies_open(s, time_s)]
        view = self._scale.measure(frame, time_s, [s.corners_px for s in lying])
        card_px = view.card_px if view else 0.0
        hidden = self.reader.first_trick.cards
        events = self.reader.update(small, self.tracker.sightings, gone, expectation, time_s, card_px)
        self._judge_deck([s for s in lying if is_set_up and s.still_for(time_s) >= PATIENCE_S], events)
        view = replace(view, unread=self._deck.is_unread) if view else None
        cards = tuple(self._seen(s, time_s) for s in self.tracker.sightings if time_s - s.seen_s < DRAWN_S)
        health = self._health.update(frame, time_s, time.perf_counter() - began, len(cards))
        if "moved" in health.advice:
            self.reader.seats.forget_laid()
        played, judged = dict(self.reader.played), tuple(self.reader.judged)
        new = set(played.values())
        gone_crops = {s.number: s.crop for s in (*gone, *hidden) if s.crop is not None and s.number in new}
        return WatchUpdate(time_s, frame, cards, events, health, progress, gone_crops, played, judged, view)

    def _judge_deck(self, shown: Sequence[Sighting], events: Sequence[Event]) -> None:
        """Take in how surely the plays among `events` are read, and the cards `shown` during the set-up."""
        for sighting in shown:
            self._deck.take_once(sighting.number, not sighting.is_sure())
        if not any(isinstance(event, PlaysTakenBack) for event in events):
            for play in (event for event in events if isinstance(event, CardPlayed)):
                self._deck.take(bool(play.alternatives))

    def _seen(self, sighting: Sighting, time_s: float) -> SeenCard:
        read = self.reader.booked.get(sighting.number)
        if read is not None:
            state = "doubtful" if read.doubtful else "settled"
            return SeenCard(sighting.corners_px, read.card, True, state, sighting.number)
        state = "lying" if sighting.still_for(time_s) > 0 else "moving"
        return SeenCard(sighting.corners_px, None, sighting.face, state, sighting.number)


def _lies_open(sighting: Sighting, time_s: float) -> bool:
    """Whether a sighting surely is a card face up, at rest and read."""
    return (
        sighting.found
        and sighting.best_score >= CLEAR
        and sighting.looks >= SETTLED_LOOKS
        and sighting.still_for(time_s) >= STILL_S
        and sighting.face
    )


def open_identifier(weights: Path | None, deck: Path | None, threads: int) -> Identifier:
    """The identifier with `weights` (None: the shipped ones) and the taught deck in the folder `deck`, if any.

    Raises `VisionError` when either cannot be used.
    """
    if deck is None:
        return Identifier(weights, threads)
    return TaughtIdentifier(open_deck(deck), weights, threads)


def open_eyes(
    sides: Mapping[str, str],
    *,
    threads: int | None = None,
    deck: Path | None = None,
    learnt: LearntTable = NOTHING_LEARNT,
) -> Eyes:
    """The eyes with the shipped networks. `sides` are those of `Eyes`, the rest is as `watch` says."""
    threads = threads or helping_threads()
    finder, corners = Finder(threads=threads), CornerFinder(threads=threads)
    return Eyes(sides, finder, open_identifier(None, deck, threads), corners, learnt)


def watch(
    source: str | int,
    sides: Mapping[str, str],
    expect: Callable[[float], Expectation | None],
    *,
    every: int = 1,
    threads: int | None = None,
    deck: Path | None = None,
    learnt: LearntTable = NOTHING_LEARNT,
) -> Iterator[WatchUpdate]:
    """Watch `source` (a video file or a camera's number): one update for each frame examined.

    `expect` is called before each frame with its time in s, and returns what the game expects then; None while the
    table is set up. Of a file each `every`th frame is examined. `deck` is the folder of a taught deck, `learnt` is
    what the set-up learnt. Without `threads` the models run on as many threads as help.

    Raises `VisionError` when the source, a model or the deck cannot be used, `CameraLost` when a camera stops.
    """
    eyes = open_eyes(sides, threads=threads, deck=deck, learnt=learnt)
    for frame in frames(source, every):
        yield eyes.update(frame.picture, frame.time_s, expect(frame.time_s), frame.progress)
