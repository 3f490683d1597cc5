"""Meshes of what a card table has besides cards: chips, cups, phones, pens, papers, books, and hands."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.arrays import Float64Array, Rng, UInt8Array, one_of
from vision.lab.tracing import surfaces
from vision.lab.tracing.geometry import Mesh, box, joined, lathe, sheet, tube
from vision.lab.tracing.tracer import Material, Thing

Save = Callable[[UInt8Array], str]
"""Saves a picture for a scene and returns its path."""


@dataclass(frozen=True)
class Prop:
    """A prop centred on the table, and its radius `reach` in mm."""

    things: tuple[Thing, ...]
    reach: float

    def put(self, x: float, y: float, angle: float) -> tuple[Thing, ...]:
        """The prop turned by `angle` (rad) and centred at (x, y) mm."""
        return tuple(
            Thing(t.mesh.moved((x, y, 0), angle), t.material, t.number, t.smooth, t.melt_mm)
            for t in self.things
        )


def _color(rng: Rng, rough: float, **more: object) -> Material:
    b, g, r = surfaces.any_color(rng)
    linear = [(c / 255) ** 2.2 for c in (r, g, b)]
    return {"color": linear, "Roughness": rough, **more}


def chips(rng: Rng, save: Save) -> Prop:
    """A few stacks of chips."""
    things = []
    for k in range(int(rng.integers(1, 6))):
        x, y = rng.normal(0, 40, 2) if k else (0.0, 0.0)
        radius = rng.uniform(17, 21)
        material, edge = _color(rng, 0.35), _color(rng, 0.4)
        for level in range(int(rng.integers(1, 9))):
            z = 3.3 * level
            off = rng.normal(0, 0.8, 2)
            disk = lathe([(0, z), (radius, z), (radius, z + 3.2), (0, z + 3.2)])
            rim = lathe([(radius * 0.62, z + 3.21), (radius * 0.72, z + 3.3), (radius * 0.8, z + 3.21)])
            things.append(Thing(disk.moved((x + off[0], y + off[1], 0)), material))
            things.append(Thing(rim.moved((x + off[0], y + off[1], 0)), edge))
    return Prop(tuple(things), 75)


def tray(rng: Rng, save: Save) -> Prop:
    """An open tray with rows of chips standing on edge."""
    wide, deep, high = rng.uniform(120, 220), rng.uniform(80, 130), rng.uniform(15, 30)
    walls = joined([
        box(wide, deep, 4), box(wide, 5, high).moved((0, deep / 2, 0)), box(wide, 5, high).moved((0, -deep / 2, 0)),
        box(5, deep, high).moved((wide / 2, 0, 0)), box(5, deep, high).moved((-wide / 2, 0, 0)),
    ])  # fmt: skip
    things = [Thing(walls, _color(rng, 0.5))]
    rows = int(rng.integers(2, 5))
    for row in range(rows):
        y = (row + 0.5) / rows * deep - deep / 2
        material, radius = _color(rng, 0.4), deep / rows / 2 * 0.85
        x = -wide / 2 + 8
        while x < wide / 2 - 10 - rng.uniform(0, 50):
            disk = lathe([(0, 0), (radius, 0), (radius, 3.0), (0, 3.0)], 20)
            upright = Mesh(disk.points[:, [2, 1, 0]] + np.array([x, y, 4 + radius]), disk.faces, disk.uv)
            things.append(Thing(upright, material))
            x += 3.4
    return Prop(tuple(things), 0.5 * float(np.hypot(wide, deep)) + 5)


def cup(rng: Rng, save: Save) -> Prop:
    """A cup or mug with a handle and a drink, sometimes on a saucer."""
    radius, high = rng.uniform(32, 45), rng.uniform(60, 110)
    china = _color(rng, 0.15, Clearcoat=0.5)
    if rng.random() < 0.5:
        china["color"] = [0.8, 0.8, 0.78]
    drink: Material = {
        "color": one_of(rng, ([0.05, 0.02, 0.01], [0.6, 0.35, 0.03], [0.45, 0.3, 0.2])),
        "Roughness": 0.05,
    }
    outside = [(0, 2), (radius * 0.7, 2), (radius * 0.85, high * 0.3), (radius, high)]
    wall = lathe([*outside, (radius - 3, high), (radius * 0.8, high * 0.3), (0, 6)])
    fill = high * rng.uniform(0.5, 0.9)
    angles = np.linspace(-1.3, 1.3, 9)
    ring = np.column_stack(
        [radius * 0.9 + 22 * np.cos(angles), np.zeros(9), high * 0.55 + 24 * np.sin(angles)]
    )
    things = [
        Thing(wall, china, smooth=True), Thing(lathe([(0, fill), (radius - 4, fill + 0.01)]), drink),
        Thing(tube(ring, np.full(9, 5.0)), china, smooth=True),
    ]  # fmt: skip
    if rng.random() < 0.4:
        things.append(
            Thing(
                lathe([(0, 1), (radius * 1.1, 2), (radius * 1.7, 9), (radius * 1.1, 4), (0, 3)]),
                china,
                smooth=True,
            )
        )
    return Prop(tuple(things), radius * 1.7)


def phone(rng: Rng, save: Save) -> Prop:
    """A phone, screen up, dark or lit."""
    body: Material = {"color": [0.02, 0.02, 0.02], "Roughness": 0.1, "Clearcoat": 1.0}
    things = [Thing(box(75, 155, 8), body)]
    if rng.random() < 0.5:
        lit: Material = {
            "image": save(surfaces.screen(rng)),
            "Roughness": 0.1,
            "light": float(rng.uniform(0.2, 1.0)),
        }
        things.append(Thing(box(68, 145, 0.4).moved((0, 0, 8)), lit))
    return Prop(tuple(things), 88)


def pen(rng: Rng, save: Save) -> Prop:
    """A pen or pencil."""
    along = np.array([[-70, 0, 5], [-60, 0, 5], [0, 0, 5], [62, 0, 5], [74, 0, 4]], np.float64)
    return Prop((Thing(tube(along, np.array([4.5, 4.8, 4.8, 4.5, 1.2])), _color(rng, 0.3), smooth=True),), 40)


def paper(rng: Rng, save: Save) -> Prop:
    """A ruled score sheet, between a card and a letter in size."""
    wide = rng.choice([70, 105, 148, 210])
    picture: Material = {"image": save(surfaces.score_sheet(rng)), "Roughness": 0.8, "Specular": 0.2}
    return Prop((Thing(sheet(wide, wide * 1.4, rng.uniform(0, 12)), picture, smooth=True),), 0.75 * wide)


def book(rng: Rng, save: Save) -> Prop:
    """A book or magazine."""
    wide = rng.uniform(100, 190)
    picture: Material = {"image": save(surfaces.cover(rng)), "Roughness": float(rng.uniform(0.2, 0.6))}
    return Prop((Thing(box(wide, wide * 1.4, rng.uniform(2, 25)), picture),), 0.8 * wide)


PROPS = {"chips": chips, "tray": tray, "cup": cup, "phone": phone, "pen": pen, "sheet": paper, "book": book}
"""What makes a prop, by its name in a truth file."""

_FINGERS = ((84, -30, 66), (90, -10, 78), (88, 10, 72), (80, 28, 56))
"""The base (x, y) and the length of each finger, mm; the wrist is at 0, and the fingers point along x."""
REACH_MM = 158.0
"""From the wrist to the fingertips."""


def hand(rng: Rng, tips: tuple[float, float, float], angle: float) -> tuple[Thing, ...]:
    """A hand and a sleeved arm that point along `angle` (rad), with the fingertips at `tips` (x, y, z) mm."""
    spread = rng.uniform(-0.05, 0.16)  # rad between two fingers
    curl = rng.uniform(0.2, 0.7)
    left = -1.0 if rng.random() < 0.5 else 1.0
    parts = [
        tube([(-40, 0, 34), (5, 0, 34), (45, 0, 32), (84, 0, 27)], [26, 31, 40, 40], 0.42),
        tube([(20, -34, 28), (52, -54, 20), (86, -62, 9)], [14, 12, 8.5], 0.9),
    ]
    for k, (x, y, long) in enumerate(_FINGERS):
        aside = spread * (k - 1.5)
        steps = np.array([0, 0.45, 0.75, 1.0])
        xs = x + long * steps * (1 - 0.12 * curl)
        ys = y + long * steps * np.sin(aside)
        zs = 25 + np.array([0, 10 * curl, 2 - 4 * curl, -14 - 2 * curl])
        parts.append(tube(np.column_stack([xs, ys, zs]), [10.5, 9.5, 8.3, 6.8], 0.9))
    flesh = joined(parts)
    tone = rng.uniform(0.25, 1.0)
    skin: Material = {
        "color": [0.70 * tone, 0.40 * tone**1.25, 0.29 * tone**1.5], "Roughness": 0.55, "Specular": 0.3,
        "grain_mm": 5.0, "grain": 0.25,
    }  # fmt: skip
    far = rng.uniform(480, 700)
    elbow = np.array([-far, rng.uniform(-60, 60), rng.uniform(60, 130)])
    wrist = np.array([-40.0, 0, 36])
    forearm = tube([wrist + (elbow - wrist) * t for t in (0, 0.1, 0.3)], [25, 27, 33], 0.85)
    cuff = rng.uniform(0.03, 0.28)
    along = np.linspace(cuff, 1, 22)
    creases = 43 + 10 * along + 2.5 * np.convolve(rng.standard_normal(24), np.ones(3) / 3, "valid")
    sleeve = tube([wrist + (elbow - wrist) * t for t in along], creases, 0.85)
    woven = _color(rng, 0.9, Sheen=0.3, grain_mm=4.0, grain=0.4)
    arm = [Thing(joined([flesh, forearm]), skin, smooth=True, melt_mm=2.6)]
    arm.append(Thing(sleeve, woven, smooth=True))
    at = np.array(tips) - np.array([REACH_MM * np.cos(angle), REACH_MM * np.sin(angle), 11.0])
    return tuple(
        Thing(_mirrored(t.mesh, left).moved(at, angle), t.material, 0, t.smooth, t.melt_mm) for t in arm
    )


def _mirrored(mesh: Mesh, sign: float) -> Mesh:
    points: Float64Array = mesh.points * np.array([1.0, sign, 1.0])
    faces = mesh.faces if sign > 0 else tuple(face[::-1] for face in mesh.faces)
    return Mesh(points, faces, mesh.uv)
