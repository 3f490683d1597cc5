"""Watching a recording as at a table, and noting what is compared with its ground truth."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event, PlayCorrected, PlayRemoved, PlaysTakenBack
from vision.arrays import Float32Array, UInt8Array
from vision.camera.capture import frames
from vision.decks import CARD_MM
from vision.lab.bench.looks import Look, take
from vision.lab.bench.stages import BareModels, TimedCorners, TimedFinder, TimedIdentifier, Times
from vision.reading.corners import LooksClosely
from vision.reading.finder import Proposes
from vision.watching.drawing import annotate
from vision.watching.expectation import Expectation
from vision.watching.eyes import Eyes, WatchUpdate
from vision.watching.sightings import Sighting
from vision.watching.votes import Names, look_corners

BARE_EVERY = 20
"""Frames between two runs of the bare models."""

_FRAME_PX, _CARD_PX = 1280, (round(336 * CARD_MM[0] / CARD_MM[1]), 336)

Votes = tuple[tuple[str, float], ...]
"""The likeliest cards with their probabilities, likeliest first."""


@dataclass(frozen=True)
class Booking:
    """A play as booked, with its later corrections.

    `booked_s` is the time of the frame that booked it; `known_s` is that of its last correction, or the same.
    `voted` is the reading of its card when it was booked, from the votes of its looks alone. A play `taken_back`
    does not count. `seq` is its event's number in the game. `frame` and `crop` are JPEGs, empty if not asked for.
    """

    play: CardPlayed
    sighting: int
    booked_s: float
    known_s: float
    voted: Votes
    frame: bytes = b""
    crop: bytes = b""
    taken_back: bool = False
    seq: int = 0


@dataclass
class Observed:
    """What the eyes recognised in one recording.

    `looks` and `sightings` are by the sighting's number. `same` maps a sighting to the index of its booking;
    several sightings may share one, for instance after a nudge. `kept` has JPEGs of the wanted frames, by time in s.
    """

    bookings: list[Booking] = field(default_factory=list)
    looks: dict[int, list[Look]] = field(default_factory=dict)
    sightings: dict[int, Sighting] = field(default_factory=dict)
    same: dict[int, int] = field(default_factory=dict)
    kept: dict[float, bytes] = field(default_factory=dict)
    times: Times = field(default_factory=Times)
    end_s: float = 0.0


def observe(
    video: Path,
    sides: dict[str, str],
    expect: Callable[[float], Expectation | None],
    book: Callable[[Event, float], int],
    finder: Proposes,
    corners: LooksClosely,
    identifier: Names,
    *,
    bare: BareModels | None = None,
    every: int = 1,
    pictures: bool = False,
    frames_at_s: Sequence[float] = (),
    news: Callable[[WatchUpdate], WatchUpdate] = lambda update: update,
) -> Observed:
    """Watch `video` with `finder`, `corners` and `identifier`. The measured times do not contain the noting.

    - `expect`, `book`: the game (`webui.table.scorekeeper`). `expect` takes the video's time in s. `book` takes an
      event and the time of its frame in s, and returns the event's number.
    - `news`: leaves out of an update what was booked before the film begins.
    - `pictures`: keep JPEGs of each booking's frame and card, of each look's card, and of the frames at `frames_at_s`;
      a time past the end gets the last frame.
    - `bare`: models to time alone in the same run. `every`: look at each `every`-th frame only.

    Raises `VisionError` when the video cannot be read.
    """
    seen = Observed()
    finds, close, names = TimedFinder(finder), TimedCorners(corners), TimedIdentifier(identifier)
    eyes = Eyes(sides, finds, names, close)
    source = frames(str(video), every)
    wanted = sorted(frames_at_s) if pictures else []
    update: WatchUpdate | None = None
    while True:
        began = time.perf_counter()
        frame = next(source, None)
        if frame is None:
            break
        decoded = time.perf_counter()
        names.last = []
        looks, calls, closely = (len(timed.spent_s) for timed in (finds, names, close))
        update = news(eyes.update(frame.picture, frame.time_s, expect(frame.time_s), frame.progress))
        looked = time.perf_counter()
        numbers = [book(event, update.time_s) for event in update.events]
        seen.times.chain.append(time.perf_counter() - began)
        seen.times.decoding.append(decoded - began)
        parts_s = sum(finds.spent_s[looks:]) + sum(names.spent_s[calls:]) + sum(close.spent_s[closely:])
        seen.times.sightings.append(looked - decoded - parts_s)
        _note(seen, eyes, update, numbers, names.last, pictures)
        wanted = _keep_frames(seen, update, wanted)
        if bare is not None and len(seen.times.chain) % BARE_EVERY == 0:
            bare.run(names.cards[-1] if names.cards else 1, seen.times)
    if wanted and update is not None:
        seen.kept |= dict.fromkeys(wanted, _jpeg(annotate(update)))
    seen.times.finder, seen.times.corners = finds.spent_s, close.spent_s
    seen.times.identifier = [s / cards for s, cards in zip(names.spent_s, names.cards, strict=True)]
    return seen


def _keep_frames(seen: Observed, update: WatchUpdate, wanted: list[float]) -> list[float]:
    """Keep the frame of `update` if one of the times `wanted` (s, ascending) has come; returns the times to come."""
    due = [at_s for at_s in wanted if at_s <= update.time_s]
    if due:
        seen.kept |= dict.fromkeys(due, _jpeg(annotate(update)))
    return wanted[len(due) :]


def voted(sighting: Sighting) -> Votes:
    """The five likeliest cards of `sighting` from its votes so far, without the game's prior."""
    chances = sighting.probabilities()[: len(CARDS)]
    return tuple((CARDS[int(i)], float(chances[i])) for i in np.argsort(-chances)[:5])


def _note(
    seen: Observed,
    eyes: Eyes,
    update: WatchUpdate,
    numbers: Sequence[int],
    read: Sequence[tuple[Float32Array, Float32Array]],
    pictures: bool,
) -> None:
    """Note one frame: `numbers` are its events' in the game, `read` has the corners and the row of each card read."""
    seen.end_s = update.time_s
    seen.sightings |= {sighting.number: sighting for sighting in eyes.tracker.sightings}
    _note_plays(seen, eyes, update, numbers, pictures)
    for corners_px, row in read:
        _note_look(seen, eyes.tracker.sightings, update, corners_px, row, pictures)


def _note_plays(
    seen: Observed, eyes: Eyes, update: WatchUpdate, numbers: Sequence[int], pictures: bool
) -> None:
    """Note the plays that `update` booked or corrected."""
    read = eyes.reader.booked
    played = {number for event, number in update.played.items() if isinstance(event, CardPlayed)}
    new = [number for number in read if number not in seen.same and number not in played]
    for event, seq in zip(update.events, numbers, strict=True):
        if isinstance(event, CardPlayed):
            number = update.played[event]
            seen.same[number] = len(seen.bookings)
            booking = Booking(event, number, update.time_s, update.time_s, (), seq=seq)
            seen.bookings.append(_with_reading(booking, update, seen.sightings[number], pictures))
        else:
            _put_right(seen, event, update.time_s)
    for number in new:
        card = read[number].card
        older = [at for other, at in seen.same.items() if other in read and read[other].card == card]
        swapped = [at for at, b in enumerate(seen.bookings) if b.play.card == card and not b.taken_back]
        if older:  # the card was booked for an earlier sighting
            seen.same[number] = older[-1]
        elif swapped:  # the card replaces one that was taken back after others had played
            at = seen.same[number] = swapped[-1]
            booking = replace(seen.bookings[at], sighting=number)
            seen.bookings[at] = _with_reading(booking, update, seen.sightings[number], pictures)


def _put_right(seen: Observed, event: Event, time_s: float) -> None:
    """Note what `event`, at `time_s`, changes of the plays booked before; most events change none."""
    if isinstance(event, PlayCorrected):
        for at in _booked_by(seen, event.seq):
            old = seen.bookings[at].play
            play = replace(old, card=event.card or old.card, player=event.player or old.player)
            seen.bookings[at] = replace(seen.bookings[at], play=play, known_s=time_s)
    elif isinstance(event, PlayRemoved):
        for at in _booked_by(seen, event.seq):
            seen.bookings[at] = replace(seen.bookings[at], taken_back=True)
    elif isinstance(event, PlaysTakenBack):
        standing = [at for at, booking in enumerate(seen.bookings) if not booking.taken_back]
        for at in standing[-event.count :]:
            seen.bookings[at] = replace(seen.bookings[at], taken_back=True)


def _booked_by(seen: Observed, seq: int) -> list[int]:
    """The places of the bookings that the event numbered `seq` made."""
    return [at for at, booking in enumerate(seen.bookings) if booking.seq == seq]


def _with_reading(booking: Booking, update: WatchUpdate, sighting: Sighting, pictures: bool) -> Booking:
    frame, crop = (_marked(update, sighting), card_picture(sighting)) if pictures else (b"", b"")
    return replace(booking, voted=voted(sighting), frame=frame, crop=crop)


def _note_look(
    seen: Observed, sightings: Sequence[Sighting], update: WatchUpdate, corners: Float32Array, row: Float32Array,
    pictures: bool,
) -> None:  # fmt: skip
    sighting = next(
        (s for s in sightings if np.array_equal(look_corners(s.corners_px, s.looks - 1), corners)), None
    )
    if sighting is not None:
        look = take(update.frame, sighting, row, sightings, update.time_s, pictures)
        seen.looks.setdefault(sighting.number, []).append(look)


def _marked(update: WatchUpdate, sighting: Sighting) -> bytes:
    picture = annotate(update)
    outline = [np.round(sighting.corners_px).astype(np.int32)]
    cv2.polylines(picture, outline, True, (200, 60, 230), max(3, picture.shape[1] // 250), cv2.LINE_AA)
    return _jpeg(picture)


def card_picture(sighting: Sighting) -> bytes:
    """The card of `sighting` as last read, a JPEG with a card's aspect ratio; empty if it was never read."""
    if sighting.crop is None:
        return b""
    return _jpeg(cv2.resize(sighting.crop, _CARD_PX, interpolation=cv2.INTER_CUBIC).astype(np.uint8))


def _jpeg(picture: UInt8Array) -> bytes:
    if picture.shape[1] > _FRAME_PX:
        scale = _FRAME_PX / picture.shape[1]
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()
