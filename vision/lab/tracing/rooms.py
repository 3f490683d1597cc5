"""The table and its room: a top, the floor beyond it, and the light of lamps and windows. Lengths are mm."""

from dataclasses import dataclass

import numpy as np

from vision.arrays import Rng, one_of
from vision.lab.tracing import surfaces
from vision.lab.tracing.geometry import Mesh, box, lathe
from vision.lab.tracing.packs import Album
from vision.lab.tracing.tracer import Lamp, Material, Thing

MARGIN_MM = 60
"""How far from the table's edge things lie at least."""


@dataclass(frozen=True)
class Room:
    """A table in a room: its meshes with the floor, its lamps, and a word each for its `top` and its `light`.

    `half_mm` is half its width and depth; a round one is as deep as wide.
    """

    things: tuple[Thing, ...]
    lights: tuple[Lamp, ...]
    ambient: tuple[float, float, float]
    top: str
    light: str
    half_mm: tuple[float, float]
    round: bool

    def holds(self, x: float, y: float) -> bool:
        """Whether a point (mm) is on the table, at least `MARGIN_MM` from its edge."""
        half_x, half_y = (half - MARGIN_MM for half in self.half_mm)
        if self.round:
            return bool(np.hypot(x, y) < half_x)
        return abs(x) < half_x and abs(y) < half_y


def lay_table(rng: Rng, album: Album, hard: bool = False) -> Room:
    """A random table, rectangular or round, with one of `surfaces.TOPS` and one of `LIGHTS`.

    A `hard` one never has the even light of strips.
    """
    top = one_of(rng, surfaces.TOPS)(rng)
    wide, deep = rng.uniform(900, 1700), rng.uniform(900, 1300)
    material: Material = {"image": album.save(top.picture), **top.surface}
    plate = box(wide, deep, 28)
    is_round = rng.random() < 0.2
    if is_round:
        wide = deep
        plate = lathe([(wide / 2, 0), (wide / 2, 28), (0.1, 28)], 64)
    beyond = surfaces.floor(rng)
    ground = Mesh(
        np.array([[-2500, -2500, -720], [2500, -2500, -720], [2500, 2500, -720], [-2500, 2500, -720]], np.float64),
        ((0, 1, 2, 3),), np.array([[0, 0], [3, 0], [3, 3], [0, 3]], np.float64),
    )  # fmt: skip
    things = (
        Thing(plate.moved((0, 0, -28)), material),
        Thing(ground, {"image": album.save(beyond.picture), **beyond.surface}),
    )
    names = [name for name in LIGHTS if not (hard and name == "strips")]
    light = one_of(rng, names)
    lights, ambient = LIGHTS[light](rng)
    return Room(things, tuple(lights), ambient, top.kind, light, (wide / 2, deep / 2), is_round)


_WARM, _COLD = (1.0, 0.82, 0.6), (0.8, 0.9, 1.0)
Lit = tuple[list[Lamp], tuple[float, float, float]]
"""Lamps, and ambient light (RGB)."""


def _even(
    rng: Rng, strength: float, color: tuple[float, float, float] = (1.0, 1.0, 1.0)
) -> tuple[float, float, float]:
    r, g, b = (float(c * strength * rng.uniform(0.9, 1.1)) for c in color)
    return (r, g, b)


def _pendant(rng: Rng) -> Lit:
    """One lamp hanging over the table."""
    x, y = rng.normal(0, 220, 2)
    size = rng.uniform(120, 420)
    at = (float(x), float(y), float(rng.uniform(950, 1500)))
    return [Lamp(at, (x, y, 0), (size, size), rng.uniform(12, 30), _WARM)], _even(
        rng, rng.uniform(0.15, 0.6), _WARM
    )


def _window(rng: Rng) -> Lit:
    """Daylight from one side."""
    angle = rng.uniform(0, 2 * np.pi)
    far = rng.uniform(1300, 2400)
    at = (float(far * np.cos(angle)), float(far * np.sin(angle)), float(rng.uniform(500, 1300)))
    size = (rng.uniform(800, 1400), rng.uniform(900, 1600))
    return [Lamp(at, (0, 0, 0), size, rng.uniform(60, 160), _COLD, "RECTANGLE")], _even(
        rng, rng.uniform(0.2, 0.6), _COLD
    )


def _spots(rng: Rng) -> Lit:
    """Small bright lamps in the ceiling."""
    lights = []
    for _ in range(int(rng.integers(2, 5))):
        x, y = rng.uniform(-1200, 1200, 2)
        size = rng.uniform(50, 110)
        at = (x, y, float(rng.uniform(1400, 1900)))
        lights.append(Lamp(at, (x * 0.6, y * 0.6, 0), (size, size), rng.uniform(12, 30)))
    return lights, _even(rng, rng.uniform(0.1, 0.4))


def _strips(rng: Rng) -> Lit:
    """Fluorescent tubes in the ceiling of a club or school."""
    angle = rng.uniform(0, np.pi)
    lights = []
    for k in (-1, 1):
        x, y = k * 600 * np.cos(angle) + rng.normal(0, 150), k * 600 * np.sin(angle)
        size, watts = (rng.uniform(900, 1400), 90), rng.uniform(20, 40)
        lights.append(Lamp((x, y, 1800), (x, y, 0), size, watts, (0.95, 1.0, 0.97), "RECTANGLE"))
    return lights, _even(rng, rng.uniform(0.25, 0.6))


def _dim(rng: Rng) -> Lit:
    """One lamp in the corner of a dark room."""
    angle = rng.uniform(0, 2 * np.pi)
    at = (float(1700 * np.cos(angle)), float(1700 * np.sin(angle)), float(rng.uniform(500, 1100)))
    return [Lamp(at, (0, 0, 0), (260, 260), rng.uniform(8, 16), (1.0, 0.7, 0.42))], _even(
        rng, rng.uniform(0.04, 0.15), _WARM
    )


def _mixed(rng: Rng) -> Lit:
    """Daylight and a lamp."""
    lamp, first = _pendant(rng)
    day, second = _window(rng)
    both = ((a + b) / 2 for a, b in zip(first, second, strict=True))
    return lamp + day, tuple(both)  # type: ignore[return-value]


LIGHTS = {
    "pendant": _pendant, "window": _window, "spots": _spots, "strips": _strips, "dim": _dim, "mixed": _mixed,
}  # fmt: skip
