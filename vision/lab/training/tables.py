"""Fitting the tables of places and seats (`vision.watching.places`, `vision.watching.seats`) to recordings."""

from collections.abc import Callable, Mapping, Sequence

from tracker.events import Event
from vision.camera.capture import frames
from vision.lab.bench.truth import Recording
from vision.lab.training.places import PlaceSamples, fit_places
from vision.lab.training.seats import SeatSamples, fit_seats
from vision.watching.expectation import Expectation
from vision.watching.eyes import open_eyes

Samples = tuple[PlaceSamples, SeatSamples]


def watch_film(
    recording: Recording,
    expect: Callable[[float], Expectation | None],
    book: Callable[[Event, float], int],
    threads: int = 1,
) -> Samples:
    """What the shipped weights see in `recording`; `expect` and `book` connect to the game (`webui.table.scorekeeper`).

    Raises `VisionError` when the video or a model cannot be used.
    """
    eyes = open_eyes(recording.sides, threads=threads)
    places, seats = PlaceSamples(), SeatSamples()
    for frame in frames(str(recording.video)):
        update = eyes.update(frame.picture, frame.time_s, expect(frame.time_s))
        for event in update.events:
            book(event, frame.time_s)
        places.note(eyes, frame.time_s)
        seats.note(update, recording.plays)
    return places, seats


def fit_tables(samples: Sequence[Samples]) -> Mapping[str, Mapping[str, object]]:
    """The tables fitted to the `samples` of some films, by the names of their files without the suffix."""
    return {
        "places": fit_places([places for places, _ in samples]),
        "seats": fit_seats([seats for _, seats in samples]),
    }
