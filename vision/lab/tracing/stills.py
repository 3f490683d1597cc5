"""Stills of card tables with ground truth, for `tarok bench stills`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Float64Array, Rng, one_of
from vision.decks import BACK
from vision.lab.tracing import layouts, props
from vision.lab.tracing.geometry import (
    Bend,
    Pose,
    Shape,
    TracedCamera,
    camera_over,
    card_corners,
    card_edge,
    card_rim,
    card_sheet,
    lift_over,
    turned,
)
from vision.lab.tracing.packs import Album, TracedPack, shape_of
from vision.lab.tracing.rooms import Room, lay_table
from vision.lab.tracing.tracer import Material, Numbers, Thing, World, trace
from vision.lab.tracing.webcam import bent_numbers, random_webcam, seen

USUAL, HARD = "usual", "hard"


@dataclass(frozen=True)
class Lying:
    """A card on the table: its name (or BACK), how it is warped, and its pose."""

    card: str
    bend: Bend
    place: Pose


def aim(rng: Rng, shape: Shape, group: str, size: tuple[int, int]) -> tuple[TracedCamera, float]:
    """A random camera 600 to 1,100 mm above the table, and its tilt of 0 to 35 degrees.

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
        places = layouts.pile(rng, int(rng.integers(1, 18)))
        middle = spots.find(0.75 * layouts.reach(places, shape), 10, 0.95)
        if middle is not None:
            lay(places, middle, rng.uniform(0, 2 * np.pi), [BACK] * len(places))
    return cards


def card_things(
    cards: Sequence[Lying], shape: Shape, pack: TracedPack, album: Album, rng: Rng, hard: bool
) -> list[Thing]:
    """The meshes of the cards, which are numbered from 1 and have one gloss."""
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
    rng: Rng, pack: TracedPack, group: str, folder: Path, size: tuple[int, int], samples: int
) -> tuple[bytes, dict[str, object]]:
    """A random still as JPEG, and its truth; scene files go under `folder`. Raises `VisionError` as `trace` does."""
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
        chosen = one_of(rng, faces).place
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
    """The `cards` of a truth file, lowest first."""
    shares = visible_shares(camera, shape, cards, numbers)
    return [
        {
            "card": card.card, "corners": np.round(true_corners(camera, shape, card), 2).tolist(),
            "visible": round(share, 3), "bow_mm": round(card.bend.bow, 2),
        }
        for card, share in zip(cards, shares, strict=True)
    ]  # fmt: skip


def write_still(out: Path, name: str, jpeg: bytes, truth: dict[str, object]) -> None:
    """Save NAME.jpg, then NAME.json: a still that has a truth file is complete."""
    (out / f"{name}.jpg").write_bytes(jpeg)
    (out / f"{name}.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
