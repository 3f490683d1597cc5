"""Stills of card tables with ground truth, for `tarok bench stills`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Float64Array, Rng
from vision.decks import BACK
from vision.lab.tracing import layouts, props, surfaces
from vision.lab.tracing.geometry import (
    Bend,
    Mesh,
    Pose,
    Shape,
    TracedCamera,
    box,
    camera_over,
    card_corners,
    card_edge,
    card_rim,
    card_sheet,
    lathe,
    lift_over,
    turned,
)
from vision.lab.tracing.packs import Album, TracedPack, shape_of
from vision.lab.tracing.tracer import Lamp, Material, Numbers, Thing, World, trace
from vision.lab.tracing.webcam import bent_numbers, random_webcam, seen

USUAL, HARD = "usual", "hard"


@dataclass(frozen=True)
class Lying:
    """A card (its name, or BACK), its pose, and how it is warped."""

    card: str
    bend: Bend
    place: Pose


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
    round: bool = False

    def holds(self, x: float, y: float, margin_mm: float = 60) -> bool:
        """Whether a point (mm) is on the table, at least `margin_mm` from its edge."""
        if self.round:
            return bool(np.hypot(x, y) < self.half_mm[0] - margin_mm)
        return abs(x) < self.half_mm[0] - margin_mm and abs(y) < self.half_mm[1] - margin_mm


def lay_table(rng: Rng, album: Album, hard: bool = False) -> Room:
    """A random table, rectangular or round, with one of `surfaces.TOPS` and one of `LIGHTS`.

    A `hard` one never has the even light of strips.
    """
    top = surfaces.TOPS[int(rng.integers(len(surfaces.TOPS)))](rng)
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
    light = names[int(rng.integers(len(names)))]
    lights, ambient = LIGHTS[light](rng)
    return Room(things, tuple(lights), ambient, top.kind, light, (wide / 2, deep / 2), is_round)


_WARM, _COLD = (1.0, 0.82, 0.6), (0.8, 0.9, 1.0)
Lit = tuple[list[Lamp], tuple[float, float, float]]


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
        lights.append(
            Lamp(
                (x, y, float(rng.uniform(1400, 1900))),
                (x * 0.6, y * 0.6, 0),
                (size, size),
                rng.uniform(12, 30),
            )
        )
    return lights, _even(rng, rng.uniform(0.1, 0.4))


def _strips(rng: Rng) -> Lit:
    """Fluorescent tubes in the ceiling of a club or school."""
    angle = rng.uniform(0, np.pi)
    lights = []
    for k in (-1, 1):
        x, y = k * 600 * np.cos(angle) + rng.normal(0, 150), k * 600 * np.sin(angle)
        lights.append(
            Lamp(
                (x, y, 1800),
                (x, y, 0),
                (rng.uniform(900, 1400), 90),
                rng.uniform(20, 40),
                (0.95, 1.0, 0.97),
                "RECTANGLE",
            )
        )
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


def aim(rng: Rng, shape: Shape, group: str, size: tuple[int, int]) -> tuple[TracedCamera, float]:
    """A random camera 60 to 110 cm above the table, and its tilt of 0 to 35 degrees.

    In a picture 1280 px wide, a card in the middle is 95 to 200 px high; in the group `HARD` 60 to 95.
    """
    least, most = (60, 95) if group == HARD else (95, 200)
    while True:
        height, hfov = rng.uniform(600, 1100), rng.uniform(55, 85 if group == HARD else 78)
        card_px = shape.height / height * 640 / np.tan(np.radians(hfov / 2))
        if least <= card_px <= most:
            break
    tilt = float(abs(rng.normal(0, 15)) % 35) if rng.random() < 0.7 else float(rng.uniform(20, 35))
    look = (float(rng.normal(0, 60)), float(rng.normal(0, 60)))
    camera = camera_over(
        look, height, tilt, rng.uniform(0, 360), rng.normal(0, 3), hfov, size, float(rng.uniform(0, 0.06))
    )
    return camera, tilt


def on_table(camera: TracedCamera, point_px: tuple[float, float]) -> Float64Array | None:
    """The point (2,) mm of the table plane that a pixel shows; None above the horizon."""
    x, y = camera.unbend(np.array([point_px]))[0] - np.array(camera.size) / 2
    ray = np.array([x, y, camera.focal_px]) @ camera.axes
    if ray[2] >= -1e-6:
        return None
    return np.asarray((camera.at - ray * (camera.at[2] / ray[2]))[:2], np.float64)


@dataclass
class _Spots:
    """Finds free places on a table in a camera's view; `taken` are circles (x, y, radius) in mm."""

    rng: Rng
    camera: TracedCamera
    room: Room
    taken: list[tuple[float, float, float]]

    def find(self, radius: float, margin_px: float = 60, crowding: float = 1.0) -> tuple[float, float] | None:
        """The centre (mm) of a free circle of `radius` mm, which is then taken; None if none was found.

        With `crowding` below 1 circles may overlap. In a picture 1280 px wide the centre is at least `margin_px`
        from the edges.
        """
        width, height = self.camera.size
        margin_px *= width / 1280
        for _ in range(120):
            pixel = (
                self.rng.uniform(margin_px, width - margin_px),
                self.rng.uniform(margin_px, height - margin_px),
            )
            point = on_table(self.camera, pixel)
            if point is None or not self.room.holds(*point):
                continue
            if all(np.hypot(point[0] - x, point[1] - y) > crowding * (radius + r) for x, y, r in self.taken):
                self.taken.append((float(point[0]), float(point[1]), radius))
                return float(point[0]), float(point[1])
        return None


def deal_out(rng: Rng, pack: TracedPack, shape: Shape, spots: _Spots, group: str) -> list[Lying]:
    """Cards on the table, lowest first: groups of faces, eight to twelve in all if there is room, and piles."""
    names = [str(card) for card in rng.permutation(sorted(pack.faces))]
    warp = rng.normal(0, 0.9)
    cards: list[Lying] = []
    wanted = int(rng.integers(8, 13))
    hard = group == HARD

    def lay(places: list[Pose], middle: tuple[float, float], angle: float, named: Sequence[str]) -> None:
        for place, card in zip(places, named, strict=True):
            x, y = turned(np.array([[place.x, place.y]]), angle)[0] + middle
            tame = 0.25 if card == BACK else 1.0
            bend = Bend(
                float(np.clip(warp + rng.normal(0, 0.6), -3, 3)) * tame, float(rng.normal(0, 0.25)) * tame
            )
            lying = Pose(x, y, place.angle + angle)
            lift = lift_over(shape, bend, lying, [(c.bend, c.place) for c in cards])
            cards.append(Lying(card, bend, replace(lying, z=lift)))

    first = rng.random() < 0.6
    tries = 0
    while wanted > 0 and names and tries < 14:
        tries += 1
        layout, least, most = layouts.LAYOUTS[0 if first else int(rng.integers(len(layouts.LAYOUTS)))]
        first = False
        count = min(int(rng.integers(least, most + 1)), max(wanted, 2))
        places = layout(rng, shape, count, hard)
        edge = -30.0 if rng.random() < 0.08 else 50.0
        middle = spots.find(0.8 * layouts.reach(places, shape), edge, 0.97)
        if middle is None:
            continue
        angle = rng.uniform(0, 2 * np.pi)
        lay(places, middle, angle, [names.pop() for _ in places])
        wanted -= len(places)
    for _ in range(int(rng.integers(0, 4))):
        places = layouts.pile(rng, shape, int(rng.integers(1, 18)), hard)
        middle = spots.find(0.75 * layouts.reach(places, shape), 10, 0.95)
        if middle is not None:
            lay(places, middle, rng.uniform(0, 2 * np.pi), [BACK] * len(places))
    return cards


def card_things(
    cards: Sequence[Lying], shape: Shape, pack: TracedPack, album: Album, rng: Rng, hard: bool
) -> list[Thing]:
    """The cards as meshes numbered from 1, all with the same gloss."""
    gloss: Material = {
        "Roughness": float(rng.uniform(0.3, 0.55)), "Specular": float(rng.uniform(0.2, 0.5)),
        "Clearcoat": float(rng.uniform(0.4 if hard else 0.0, 1.0)),
        "Clearcoat Roughness": float(rng.uniform(0.06, 0.35)),
    }  # fmt: skip
    rim: Material = {"color": [0.75, 0.74, 0.7], "Roughness": 0.8}
    things = []
    for number, card in enumerate(cards, 1):
        image = album.back(rng, pack) if card.card == BACK else album.card(pack, card.card)
        up = card_sheet(shape, card.bend, card.place)
        things.append(Thing(up, {"image": image, **gloss}, number, smooth=True))
        things.append(Thing(card_edge(shape, card.bend, card.place), rim, number))
    return things


def true_corners(camera: TracedCamera, shape: Shape, card: Lying) -> Float64Array:
    """A card's corners (4, 2) px in the picture as it is sent."""
    return camera.project(card_corners(shape, card.bend, card.place))


def visible_shares(
    camera: TracedCamera, shape: Shape, cards: Sequence[Lying], numbers: Numbers
) -> list[float]:
    """The visible share (0..1) of each card: neither covered nor outside the picture.

    `numbers` (H, W) says which card (from 1) each pixel of the undistorted picture shows.
    """
    shown = np.bincount(bent_numbers(numbers, camera).ravel(), minlength=len(cards) + 1)
    shares = []
    for number, card in enumerate(cards, 1):
        outline = camera.project(card_rim(shape, card.bend, card.place)).astype(np.float32)
        shares.append(float(min(1.0, shown[number] / max(cv2.contourArea(outline), 1.0))))
    return shares


def make_still(
    rng: Rng,
    pack: TracedPack,
    group: str,
    folder: Path,
    size: tuple[int, int] = (1280, 720),
    samples: int = 4,
) -> tuple[bytes, dict[str, object]]:
    """A random still as JPEG, and its truth; scene files go under `folder`. Raises `VisionError` when Blender fails."""
    shape = shape_of(rng, pack)
    camera, tilt = aim(rng, shape, group, size)
    card_px = shape.height / camera.at[2] * camera.focal_px
    album = Album(folder / "pictures", int(np.clip(1.5 * card_px, 32, 448)))
    room = lay_table(rng, album, group == HARD)
    spots = _Spots(rng, camera, room, [])
    cards = deal_out(rng, pack, shape, spots, group)
    things = [*room.things, *card_things(cards, shape, pack, album, rng, group == HARD)]
    lying = []
    for _ in range(int(rng.integers(0, 5))):
        kind = str(rng.choice(list(props.PROPS), p=[0.2, 0.08, 0.17, 0.1, 0.1, 0.25, 0.1]))
        prop = props.PROPS[kind](rng, album.save)
        middle = spots.find(prop.reach, -60, 0.9)
        if middle is not None:
            things += prop.put(*middle, rng.uniform(0, 2 * np.pi))
            lying.append(kind)
    hand = str(rng.choice(["none", "beside", "over"], p=[0.6, 0.2, 0.2]))
    faces = [card for card in cards if card.card != BACK]
    if hand != "none" and faces:
        chosen = faces[int(rng.integers(len(faces)))].place
        angle = float(np.arctan2(-chosen.y, -chosen.x) + rng.normal(0, 0.5))
        back_off = rng.uniform(30, 70) if hand == "over" else rng.uniform(90, 170)
        tips = (
            chosen.x - back_off * np.cos(angle),
            chosen.y - back_off * np.sin(angle),
            chosen.z + rng.uniform(6, 30),
        )
        things += props.hand(rng, tips, angle)
    world = World(camera, tuple(things), room.lights, room.ambient)
    (traced,) = trace([world], folder, samples, int(rng.integers(1 << 30)))
    webcam = random_webcam(rng, group == HARD, room.light == "dim")
    jpeg = seen(rng, traced.light, camera, webcam)
    truth = {
        "group": group, "deck": pack.name, "size": list(size), "tilt": round(tilt, 1),
        "height_mm": round(float(camera.at[2])), "hfov": round(camera.hfov_deg, 1), "card_px": round(float(card_px)),
        "bend": round(camera.bend, 3), "top": room.top, "light": room.light, "hand": hand, "props": lying,
        "webcam": vars(webcam), "cards": card_truths(camera, shape, cards, traced.numbers),
    }  # fmt: skip
    return jpeg, truth


def card_truths(
    camera: TracedCamera, shape: Shape, cards: Sequence[Lying], numbers: Numbers
) -> list[dict[str, object]]:
    """The truth's `cards`, lowest first."""
    shares = visible_shares(camera, shape, cards, numbers)
    return [
        {
            "card": card.card, "corners": np.round(true_corners(camera, shape, card), 2).tolist(),
            "visible": round(share, 3), "bow_mm": round(card.bend.bow, 2),
        }
        for card, share in zip(cards, shares, strict=True)
    ]  # fmt: skip


def write_still(out: Path, name: str, jpeg: bytes, truth: dict[str, object]) -> None:
    """Save NAME.jpg and then NAME.json, so that a still with truth is always complete."""
    (out / f"{name}.jpg").write_bytes(jpeg)
    (out / f"{name}.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
