"""Fitting what a thing at rest may be (`vision.watching.weighing`) to recordings with truth.

Of the truth the plays are needed: who laid which card when. For each the sighting that shows it best is the card;
what lies on it is a part of it or a second box; what lies apart from all of them is a thing, a back, or nothing.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace

import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float32Array, Float64Array
from vision.bench.truth import TimedPlay
from vision.watching.eyes import Eyes
from vision.watching.sightings import Sighting, covered_share
from vision.watching.weighing import CARD, PART, TERMS, THING, THING_KINDS, Measured

EDGES: Mapping[str, Sequence[float]] = {
    "score": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    "size": (-0.5, -0.35, -0.25, -0.15, -0.08, 0.08, 0.15, 0.25, 0.4),
    "shape": (0.1, 0.25, 0.35, 0.45, 0.55, 0.65, 0.8, 1.0),
    "inside": (0.05, 0.15, 0.3, 0.5, 0.7, 0.9),
    "beaten": (0.05, 0.15, 0.3, 0.5, 0.7, 0.9),
    "own": (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7),
    "name": (-3.0, -1.5, -0.5, 0.5, 1.5, 3.0, 5.0),
    "none": (-9.0, -6.0, -4.0, -2.0, 0.0),
    "face": (-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0),
    "like": (0.01, 0.05, 0.2, 0.5, 0.8),
    "came": (0.5,),
}
"""The inner edges of the bins of each term."""
BEFOREHAND: Sequence[tuple[str, int, float, float, float]] = (
    ("score", CARD, -np.inf, 0.4, -4.0),
    ("score", CARD, 0.4, 0.5, -2.0),
    ("beaten", PART, 0.3, np.inf, 6.0),
    ("size", PART, -np.inf, -0.25, 9.0),
    ("size", THING, 0.25, np.inf, 7.0),
    ("inside", PART, 0.7, np.inf, 6.0),
    ("own", PART, -np.inf, 0.1, 7.0),
    ("name", CARD, -np.inf, -0.5, -1.5),
    ("name", CARD, 3.0, np.inf, 1.2),
    ("none", THING, -2.0, np.inf, 2.0),
    ("like", PART, 0.5, np.inf, 10.0),
    ("came", THING, -np.inf, 0.5, 12.0),
)
"""What is held of a term between two values before any film is seen, a natural log for one of `THING_KINDS`.

Few films have a stack of chips that looks like a card, or a score sheet: what they have is learnt, the rest is this.
"""
USUALLY = 5.5
"""Natural log of the odds of a card, when nothing speaks against it."""
LANDED_BEFORE_S, LANDED_AFTER_S = 0.7, 2.5
"""A card comes to rest from so long before to so long after the truth says so."""
NAMED = 0.3
"""Votes for the true card from which a sighting may be it."""
SMALLEST = -0.3
"""Natural log of the size, against the cards', below which nothing is a whole card."""
MADE = 0.2
"""Weight of what was made up, against what was met."""
SMOOTH, SHRINK = 1.0, 20.0
"""How much neighbouring bins are held together, and all of them to what was held beforehand."""
FIT_STEPS = 1500


@dataclass
class Met:
    """A sighting as it was met in a film: when it landed, how it read, where it lay, and what was measured of it."""

    landed_s: float
    from_s: float
    until_s: float
    votes: Float32Array
    corners_px: Float32Array
    sighting: Sighting
    measured: list[Measured] = field(default_factory=list)


@dataclass
class MetSightings:
    """All that came to rest in one film."""

    met: dict[int, Met] = field(default_factory=dict)

    def note(self, eyes: Eyes, time_s: float) -> None:
        """Take in what was weighed in the frame of `time_s`, just after `eyes` looked at it."""
        for sighting in eyes.tracker.sightings:
            measured = eyes.reader.measured.get(sighting.number)
            if measured is None or not sighting.found:
                continue
            votes, place = sighting.probabilities(), sighting.corners_px
            new = Met(sighting.landed_s, time_s, time_s, votes, place, sighting)
            met = self.met.setdefault(sighting.number, new)
            met.until_s, met.votes, met.corners_px = time_s, votes, place
            if not met.measured or met.measured[-1] != measured:
                met.measured.append(measured)

    def labelled(self, plays: Sequence[TimedPlay]) -> list[tuple[Measured, int, float]]:
        """What was measured, the index in `THING_KINDS` of what it was, and a weight: one for each sighting."""
        kinds: dict[int, int | None] = {}
        for play in plays:
            index = CARDS.index(play.card)
            near = {
                n: m for n, m in self.met.items()
                if play.at_s - LANDED_BEFORE_S <= m.landed_s <= play.at_s + LANDED_AFTER_S
                and m.votes[index] >= NAMED and (m.measured[-1].size or 0.0) > SMALLEST
            }  # fmt: skip
            if near:
                largest = max(_area(m.corners_px) for m in near.values())
                whole = {n: m for n, m in near.items() if _area(m.corners_px) > 0.8 * largest}
                best = max(whole, key=lambda n: whole[n].sighting.best_score)
                kinds[best] = CARD
                # The same card, lost and found again: neither one nor the other.
                kinds |= {n: None for n in whole if n != best and not self._together(n, best)}
        cards = [n for n, kind in kinds.items() if kind == CARD]
        for number, met in self.met.items():
            if number in kinds:
                continue
            on = [
                n
                for n in cards
                if self._together(n, number) and covered_share(met.sighting, self.met[n].sighting) > 0.15
            ]
            kinds[number] = PART if on else self._apart(met, plays)
        return [
            (measured, kind, 1 / len(met.measured))
            for number, met in self.met.items()
            if (kind := kinds[number]) is not None
            for measured in met.measured
        ]

    def _together(self, one: int, other: int) -> bool:
        a, b = self.met[one].sighting, self.met[other].sighting
        return max(a.landed_s, b.landed_s) < min(a.seen_s, b.seen_s)

    def _apart(self, met: Met, plays: Sequence[TimedPlay]) -> int | None:
        """A thing, unless it reads as a card that was played until then: that may be it, shown or moved."""
        name = int(met.votes.argmax())
        cards = {CARDS.index(p.card) for p in plays if p.at_s < met.landed_s + LANDED_AFTER_S}
        return None if name in cards and float(met.votes[name]) > NAMED else THING


def fit_plays(samples: Sequence[tuple[Measured, int, float]]) -> Mapping[str, object]:
    """The table fitted to labelled `samples`, as `vision.watching.weighing.play_table` reads it.

    A softmax regression on the bins of all terms together: what two terms both tell is not counted twice. Only the
    prior does not depend on it: each kind is met as often as the others.
    """
    rows, kinds, weights = _binned([*samples, *_of_other_sizes(samples)])
    sums = np.array([weights[kinds == kind].sum() for kind in range(len(THING_KINDS))])
    # Things are met rarely in one film and often in another.
    weights = weights * np.sqrt(sums.max() / np.maximum(sums, 1.0))[kinds]
    starts = np.cumsum([0] + [len(EDGES[name]) + 1 for name in TERMS])
    held = _held(starts)
    beforehand = _beforehand(starts)
    logs = beforehand.copy()
    target = np.eye(len(THING_KINDS))[kinds]
    rate = 1.0 / (0.5 * len(TERMS) * weights.sum() / 8 + np.abs(held).sum(1).max())
    momentum = np.zeros_like(logs)
    for _ in range(FIT_STEPS):
        ahead = logs + 0.9 * momentum
        scores = rows @ ahead
        scores -= scores.max(1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(1, keepdims=True)
        gradient = rows.T @ ((chances - target) * weights[:, None]) + held @ (ahead - beforehand)
        momentum = 0.9 * momentum - rate * gradient
        logs = logs + momentum
    terms = {
        name: {"edges": list(EDGES[name]), "logs": logs[a:b].T.round(3).tolist()}
        for name, a, b in zip(TERMS, starts[:-1], starts[1:], strict=True)
    }
    return {
        "samples": [round(float(s), 1) for s in sums],
        "prior": logs[-1].round(3).tolist(),
        "terms": terms,
    }


def _of_other_sizes(samples: Sequence[tuple[Measured, int, float]]) -> list[tuple[Measured, int, float]]:
    """What finders take for cards besides: parts of them and larger things, each found and named as well as a card.

    Films hold what the finders do that watch them; the next one errs otherwise. All cards are of one size.
    """
    chance = np.random.default_rng(0)
    made = []
    for measured, kind, weight in samples:
        if kind == CARD and measured.size is not None:
            for other, least, most in ((PART, 0.1, 0.6), (THING, 1.7, 5.0)):
                size = measured.size + 0.5 * float(np.log(chance.uniform(least, most)))
                made.append((replace(measured, size=size, shape=None, inside=None), other, MADE * weight))
    return made


def _binned(samples: Sequence[tuple[Measured, int, float]]) -> tuple[Float64Array, np.ndarray, Float64Array]:
    """Rows (N, bins + 1) of zeros and ones, the kinds (N,) and the weights (N,) of `samples`."""
    starts = np.cumsum([0] + [len(EDGES[name]) + 1 for name in TERMS])
    rows = np.zeros((len(samples), starts[-1] + 1))
    rows[:, -1] = 1
    for row, (measured, _, _) in zip(rows, samples, strict=True):
        for start, name, value in zip(starts[:-1], TERMS, astuple(measured), strict=True):
            if value is not None:
                row[start + np.searchsorted(EDGES[name], value)] = 1
    return rows, np.array([kind for _, kind, _ in samples]), np.array([weight for _, _, weight in samples])


def _beforehand(starts: np.ndarray) -> Float64Array:
    """`BEFOREHAND` for each bin of each term, and at the end `USUALLY`: (bins + 1, 3)."""
    logs = np.zeros((int(starts[-1]) + 1, len(THING_KINDS)))
    logs[-1, CARD] = USUALLY
    for name, kind, least, most, value in BEFOREHAND:
        edges = np.array([-np.inf, *EDGES[name], np.inf])
        start = starts[TERMS.index(name)]
        logs[start : start + len(edges) - 1, kind] += np.where(
            (edges[:-1] >= least) & (edges[1:] <= most), value, 0.0
        )
    return logs


def _held(starts: np.ndarray) -> Float64Array:
    """What holds the bins of a term to their neighbours, and to where they were: (bins + 1, bins + 1)."""
    size = int(starts[-1]) + 1
    held = SHRINK * np.eye(size)
    held[-1, -1] = SHRINK
    for a, b in itertools.pairwise(starts):
        for k in range(a, b - 1):
            held[k : k + 2, k : k + 2] += SMOOTH * np.array([[1, -1], [-1, 1]])
    return held


def _area(corners_px: Float32Array) -> float:
    a, b = corners_px[2] - corners_px[0], corners_px[3] - corners_px[1]
    return 0.5 * abs(float(a[0] * b[1] - a[1] * b[0]))
