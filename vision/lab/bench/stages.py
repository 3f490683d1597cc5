"""How long each stage of the eyes takes, compared with the bare models in the same run."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.reading.corners import PASSES, CloseLook, LooksClosely
from vision.reading.finder import Finder, Found, Proposes
from vision.reading.identifier import Identifier
from vision.reading.views import VIEW_PX
from vision.watching.votes import Names

P = ParamSpec("P")
R = TypeVar("R")


def timed(work: Callable[P, R], spent_s: list[float]) -> Callable[P, R]:
    """`work`, with the seconds of each call appended to `spent_s`."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        began = time.perf_counter()
        result = work(*args, **kwargs)
        spent_s.append(time.perf_counter() - began)
        return result

    return run


class TimedFinder:
    """A finder that records the time of each call, in s."""

    def __init__(self, finder: Proposes):
        self.spent_s: list[float] = []
        self._find = timed(finder.find, self.spent_s)
        self._propose = timed(finder.propose, self.spent_s)
        self.size = finder.size

    def find(self, frame: UInt8Array, least_score: float) -> list[Found]:
        """As the finder itself."""
        return self._find(frame, least_score)

    def propose(self, frame: UInt8Array, least_score: float) -> list[Found]:
        """As the finder itself."""
        return self._propose(frame, least_score)


class TimedIdentifier:
    """An identifier that records the time (s) and the number of cards of each call, and its last readings."""

    def __init__(self, identifier: Names):
        self.spent_s: list[float] = []
        self.cards: list[int] = []
        self.last: list[tuple[Float32Array, Float32Array]] = []
        self._name = timed(identifier.name, self.spent_s)

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """As the identifier itself; `last` keeps the corners (4, 2) and the row (79,) of each card."""
        rows = self._name(frame, corners_px)
        self.cards.append(len(corners_px))
        self.last = list(zip(corners_px, rows, strict=True))
        return rows


class TimedCorners:
    """A corner network that records the time of each card, in s."""

    def __init__(self, corners: LooksClosely):
        self.spent_s: list[float] = []
        self._corners = corners

    def close_looks(
        self, frame: UInt8Array, rough_px: Sequence[Float32Array], passes: int = PASSES
    ) -> list[CloseLook]:
        """As the network itself."""
        began = time.perf_counter()
        looks = self._corners.close_looks(frame, rough_px, passes)
        if looks:
            self.spent_s += [(time.perf_counter() - began) / len(looks)] * len(looks)
        return looks


class _BareFinder(Finder):
    def run(self) -> None:
        width, height = self.size
        self._session.run(None, {self._name: np.full((1, 3, height, width), 0.5, np.float32)})


class _BareIdentifier(Identifier):
    def run(self, cards: int) -> None:
        # Each card is read both ways up.
        self._session.run(None, {self._name: np.full((2 * cards, 3, *VIEW_PX[::-1]), 0.5, np.float32)})


@dataclass
class Times:
    """Times (s) of one run: by card for `identifier` and `corners`, by look for `finder`, by frame for the others.

    `sightings` is the rest of a frame's time: matching, tracking, plays, health. `chain` is all of a frame's time,
    from decoding it to booking its plays in the game. A bare model has two lists: with the run's threads and with one.
    """

    decoding: list[float] = field(default_factory=list)
    finder: list[float] = field(default_factory=list)
    identifier: list[float] = field(default_factory=list)
    corners: list[float] = field(default_factory=list)
    sightings: list[float] = field(default_factory=list)
    chain: list[float] = field(default_factory=list)
    bare_finder: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    bare_identifier: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))


class BareModels:
    """The finder and the identifier alone, on input of the same size as in the run."""

    def __init__(self, finder: Path | None, identifier: Path | None, threads: int):
        """Load the weights (None: the shipped ones), each with `threads` threads and with one.

        Raises `VisionError` when they cannot be loaded.
        """
        self._finders = (_BareFinder(finder, threads), _BareFinder(finder, 1))
        self._identifiers = (_BareIdentifier(identifier, threads), _BareIdentifier(identifier, 1))

    def run(self, cards: int, times: Times) -> None:
        """Run each model, the identifier on `cards` cards, and add its time to `times`.

        Each runs twice, and the second run counts: the first has cold processor caches.
        """
        for finder, spent_s in zip(self._finders, times.bare_finder, strict=True):
            finder.run()
            timed(finder.run, spent_s)()
        for identifier, spent_s in zip(self._identifiers, times.bare_identifier, strict=True):
            identifier.run(cards)
            timed(identifier.run, spent_s)(cards)
            spent_s[-1] /= cards


@dataclass(frozen=True)
class Stage:
    """A stage's median and 95th percentile in ms, its bare model's medians, and `ms` as a `ratio` to `bare_ms`."""

    ms: float | None
    p95_ms: float | None
    bare_ms: float | None = None
    bare_one_thread_ms: float | None = None
    ratio: float | None = None


STAGES = {
    "decoding": "decoding",
    "finder": "finder (shrink, model, boxes), a look",
    "identifier": "identifier, a card both ways up",
    "corners": "corners, a card that came to rest",
    "sightings": "sightings, plays, health",
    "chain": "whole chain",
}
"""How each stage is shown, by its name in `Times`."""


def stages(runs: Sequence[Times]) -> dict[str, Stage]:
    """The stages by name, over all `runs` together."""
    result = {}
    for name in STAGES:
        spent_s = [s for run in runs for s in getattr(run, name)]
        ms, p95_ms = _ms(spent_s, 50), _ms(spent_s, 95)
        if name in ("finder", "identifier"):
            pairs = [getattr(run, f"bare_{name}") for run in runs]
            bare, alone = (_ms((s for pair in pairs for s in pair[k]), 50) for k in (0, 1))
            ratio = round(ms / bare, 2) if ms and bare else None
            result[name] = Stage(ms, p95_ms, bare, alone, ratio)
        else:
            result[name] = Stage(ms, p95_ms)
    return result


def _ms(spent_s: Iterable[float], percentile: float) -> float | None:
    values = list(spent_s)
    return round(float(np.percentile(values, percentile)) * 1e3, 2) if values else None


def stages_as_text(found: dict[str, Stage], threads: int) -> str:
    """The stages as lines: median and 95th percentile in ms, with the bare models' medians."""
    lines = [f"  {f'stage, {threads} threads':<38}{'median':>10}{'p95':>10}"]
    for name, words in STAGES.items():
        stage = found[name]
        line = f"  {words:<38}{_shown(stage.ms):>10}{_shown(stage.p95_ms):>10}"
        if stage.bare_ms is not None:
            alone = _shown(stage.bare_one_thread_ms)
            line += f"   bare model {_shown(stage.bare_ms)}, ×{stage.ratio}; one thread {alone}"
        lines.append(line)
    return "\n".join(lines)


def _shown(ms: float | None) -> str:
    return "–" if ms is None else f"{ms:.1f} ms"
