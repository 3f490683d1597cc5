"""Layouts of cards: trick, row, column, block, fan, scattered cards, pile. Poses are relative to the group's centre."""

from collections.abc import Callable

import numpy as np

from vision.arrays import Rng, one_of
from vision.lab.tracing.geometry import Pose, Shape, turned

Layout = Callable[[Rng, Shape, int, bool], list[Pose]]
"""Gives the poses of some cards of a shape, lowest first; if the flag `hard` is set, they cover each other more."""


def trick(rng: Rng, shape: Shape, count: int, hard: bool) -> list[Pose]:
    """One card of each of up to four players, laid from the player's side towards the centre."""
    apart = rng.uniform(0.2, 0.55) if hard else rng.uniform(0.35, 0.95)
    sides = rng.permutation(4)[: min(count, 4)]
    places = []
    for side in sides:
        angle = side * np.pi / 2 + rng.normal(0, 0.18)
        off = np.array([[0.0, -apart * shape.height * rng.uniform(0.75, 1.25)]])
        x, y = turned(off, side * np.pi / 2)[0] + rng.normal(0, 10, 2)
        places.append(Pose(x, y, angle))
    return places


def row(rng: Rng, shape: Shape, count: int, hard: bool) -> list[Pose]:
    """Cards side by side: apart, touching or overlapping."""
    pitch = _pitch(rng, shape.width, hard)
    sloppy = rng.choice([0.005, 0.03, 0.08])
    return _middled([
        Pose(k * pitch, rng.normal(0, 40 * sloppy), rng.normal(0, sloppy)) for k in range(count)
    ])  # fmt: skip


def column(rng: Rng, shape: Shape, count: int, hard: bool) -> list[Pose]:
    """Cards end to end: apart, touching or overlapping."""
    pitch = _pitch(rng, shape.height, hard)
    sloppy = rng.choice([0.005, 0.03, 0.06])
    return _middled([
        Pose(rng.normal(0, 60 * sloppy), -k * pitch, rng.normal(0, sloppy)) for k in range(count)
    ])  # fmt: skip


def block(rng: Rng, shape: Shape, count: int, hard: bool) -> list[Pose]:
    """Two rows of cards that touch or nearly do."""
    gap = rng.uniform(0, 0.02 if hard else 0.05)
    columns = (count + 1) // 2
    return _middled([
        Pose(k % columns * shape.width * (1 + gap), -(k // columns) * shape.height * (1 + gap), rng.normal(0, 0.01))
        for k in range(count)
    ])  # fmt: skip


def fan(rng: Rng, shape: Shape, count: int, hard: bool) -> list[Pose]:
    """Cards fanned about a point below them, as a hand is shown."""
    step = rng.uniform(0.12, 0.22) if hard else rng.uniform(0.2, 0.42)
    reach = shape.height * rng.uniform(0.6, 1.4)
    places = []
    for k in range(count):
        angle = -(k - (count - 1) / 2) * step + rng.normal(0, 0.02)
        x, y = turned(np.array([[0.0, reach]]), angle)[0]
        places.append(Pose(x, y, angle))
    return _middled(places)


def strewn(rng: Rng, shape: Shape, count: int, hard: bool) -> list[Pose]:
    """Cards at random places and angles."""
    wide = shape.height * (0.45 if hard else 0.75) * np.sqrt(count)
    spots = rng.uniform(-wide / 2, wide / 2, (count, 2))
    return [Pose(float(x), float(y), rng.uniform(0, 2 * np.pi)) for x, y in spots]


def pile(rng: Rng, count: int) -> list[Pose]:
    """Cards on top of each other, neat or sloppy."""
    off, turn = one_of(rng, ((0.6, 0.008), (4.0, 0.06), (11.0, 0.2)))
    return [Pose(rng.normal(0, off), rng.normal(0, off), rng.normal(0, turn)) for _ in range(count)]


LAYOUTS: tuple[tuple[Layout, int, int], ...] = (
    (trick, 2, 4), (row, 2, 6), (column, 2, 5), (block, 4, 6), (fan, 2, 6), (strewn, 1, 4), (row, 3, 3),
)  # fmt: skip
"""Layouts of faces, each with its fewest and most cards; the last is the dog of French Tarot."""


def _pitch(rng: Rng, side: float, hard: bool) -> float:
    """From a card to the next, mm: touching, apart or overlapping."""
    kind = rng.random()
    if kind < 0.3:
        return float(side + rng.uniform(0, 1.5))
    if kind < 0.5:
        return float(side * rng.uniform(1.03, 1.3))
    return float(side * (rng.uniform(0.3, 0.65) if hard else rng.uniform(0.42, 0.92)))


def _middled(places: list[Pose]) -> list[Pose]:
    x, y = (float(np.mean([getattr(p, axis) for p in places])) for axis in "xy")
    return [Pose(p.x - x, p.y - y, p.angle) for p in places]


def reach(places: list[Pose], shape: Shape) -> float:
    """The radius in mm of a circle round a group of cards."""
    return max(float(np.hypot(p.x, p.y)) for p in places) + float(np.hypot(shape.width, shape.height)) / 2
