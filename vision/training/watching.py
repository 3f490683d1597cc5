"""Watching a recording as at the table, for what is fitted to films."""

from collections.abc import Callable
from pathlib import Path

from tracker.events import Event
from vision.bench.truth import Recording
from vision.camera.capture import frames
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.reading.identifier import Identifier
from vision.watching.explanations import Expectation
from vision.watching.eyes import Eyes


def watch_film(
    recording: Recording,
    expect: Callable[[float], Expectation | None],
    book: Callable[[Event], int],
    note: Callable[[Eyes, float], None],
    *,
    finder: Path | None = None,
    threads: int = 1,
) -> None:
    """Watch `recording`, and call `note` after each frame with the eyes and the frame's time in s.

    `expect` and `book` are the game's two ends (see `webui.scorekeeper`); `finder` are weights (None: the shipped
    ones). Raises `VisionError` when the video or a model cannot be used.
    """
    eyes = Eyes(
        recording.sides,
        Finder(finder, threads=threads),
        Identifier(threads=threads),
        CornerFinder(threads=threads),
    )
    for frame in frames(str(recording.video)):
        for event in eyes.look(frame.picture, frame.time_s, expect(frame.time_s)).events:
            book(event)
        note(eyes, frame.time_s)
