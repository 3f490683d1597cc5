"""Films of tricks with ground truth, for `tarok bench vision`: arms lay cards and take tricks, at ten frames a second.

Only frames in which something moves are traced. In between, the last one gets new noise and compression.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS, FOOL, TRUMP, suit_of
from vision.arrays import Float64Array, Rng, one_of
from vision.decks import BACK
from vision.errors import VisionError
from vision.lab.tracing import props
from vision.lab.tracing.geometry import Bend, Pose, Shape, TracedCamera, camera_over, lift_over
from vision.lab.tracing.packs import Album, TracedPack, shape_of
from vision.lab.tracing.rooms import Room, lay_table
from vision.lab.tracing.stills import Lying, card_things
from vision.lab.tracing.tracer import Thing, World, trace
from vision.lab.tracing.webcam import random_webcam, seen

FPS = 10
"""Frames a second."""
AT_ONCE = 8
"""Moments for which Blender is started once."""
SEATS = {"Anna": "S", "Bo": "E", "Carl": "W"}
"""Each player's side of the picture, in order of play; the first deals, the next leads."""
_ANGLE = {"S": 0.0, "E": np.pi / 2, "N": np.pi, "W": -np.pi / 2}
"""The angle of each side from S, rad counter-clockwise."""


@dataclass(frozen=True)
class FilmedTrick:
    """The plays (player, card) of a trick in order, and its taker."""

    plays: tuple[tuple[str, str], ...]
    taker: str


def play_out(rng: Rng, pack: TracedPack, tricks: int) -> list[FilmedTrick]:
    """The first `tricks` of a random hand, played at random; everybody follows suit, nobody has the fool.

    Raises `VisionError` when a hand of `pack` has fewer tricks.
    """
    names = list(SEATS)
    cards = [str(card) for card in rng.permutation([c for c in CARDS if c in pack.faces and c != FOOL])]
    hands = {name: cards[k :: len(names)] for k, name in enumerate(names)}
    most = min(map(len, hands.values()))
    if tricks > most:
        raise VisionError(f"--tricks {tricks}: a hand of {pack.name} has {most}")
    leader, played = names[1], []
    for _ in range(tricks):
        order = names[names.index(leader) :] + names[: names.index(leader)]
        plays: list[tuple[str, str]] = []
        for name in order:
            led = suit_of(plays[0][1]) if plays else None
            follow = [c for c in hands[name] if suit_of(c) == led]
            trumps = [c for c in hands[name] if suit_of(c) == TRUMP]
            choice = follow or (trumps if led else []) or hands[name]
            card = one_of(rng, choice)
            hands[name].remove(card)
            plays.append((name, card))
        leader = _taker(plays)
        played.append(FilmedTrick(tuple(plays), leader))
    return played


def _taker(plays: Sequence[tuple[str, str]]) -> str:
    led = suit_of(plays[0][1])

    def strength(play: tuple[str, str]) -> tuple[int, int]:
        suit = suit_of(play[1])
        return (2 if suit == TRUMP else 1 if suit == led else 0, CARDS.index(play[1]))

    return max(plays, key=strength)[0]


@dataclass(frozen=True)
class Moment:
    """What `frames` frames show: the cards, lowest first, and an arm as its side and its fingertips (x, y, z) in mm.

    `rests` is the card that comes to rest in the first of them, if one does.
    """

    cards: tuple[Lying, ...]
    arm: tuple[str, tuple[float, float, float]] | None = None
    frames: int = 1
    rests: str | None = None


@dataclass
class _Stage:
    """The table during a film: the cards of the trick, and the piles by side. Arms come from `reach` mm off."""

    rng: Rng
    shape: Shape
    reach: float
    lying: list[Lying]
    piles: dict[str, list[Lying]]

    def cards(self, *more: Lying) -> tuple[Lying, ...]:
        return (*(card for pile in self.piles.values() for card in pile), *self.lying, *more)

    def from_side(self, side: str, across: float, inward: float) -> tuple[float, float, float]:
        """A point (x, y, 0) mm of the table: `across` to the right of `side`'s player and `inward` of the centre."""
        c, s = np.cos(_ANGLE[side]), np.sin(_ANGLE[side])
        return (float(c * across - s * inward), float(s * across + c * inward), 0.0)

    def lift(self, card: Lying) -> Lying:
        """`card`, raised so that it lies on the cards below it."""
        below = [(other.bend, other.place) for other in self.cards()]
        return replace(card, place=replace(card.place, z=lift_over(self.shape, card.bend, card.place, below)))


def moments(rng: Rng, shape: Shape, tricks: Sequence[FilmedTrick], reach: float) -> Iterator[Moment]:
    """The moments of a film of `tricks`, in order; arms come from `reach` mm off the centre of the table."""
    stage = _Stage(rng, shape, reach, [], {side: [] for side in SEATS.values()})
    yield Moment((), frames=int(rng.integers(5, 9)))
    for trick in tricks:
        for name, card in trick.plays:
            yield from _lay(stage, SEATS[name], card)
        yield from _take(stage, SEATS[trick.taker])


def _lay(stage: _Stage, side: str, card: str) -> Iterator[Moment]:
    rng, shape = stage.rng, stage.shape
    x, y, _ = stage.from_side(side, rng.normal(0, 12), -shape.height * rng.uniform(0.4, 0.75))
    bend = Bend(float(rng.normal(0.4, 0.7)), float(rng.normal(0, 0.2)))
    laid = stage.lift(Lying(card, bend, Pose(x, y, _ANGLE[side] + rng.normal(0, 0.15))))
    out = np.array(stage.from_side(side, rng.normal(0, 40), -stage.reach))
    here = np.array([x, y, laid.place.z])
    for share in (0.75, 0.4, 0.15):
        at = _raised(here + (out - here) * share, 25 + 60 * share)
        carried = replace(laid, place=replace(laid.place, x=at[0], y=at[1], z=at[2]))
        yield Moment(stage.cards(carried), (side, _behind(side, at, shape)))
    stage.lying.append(laid)
    yield Moment(stage.cards(), (side, _behind(side, _raised(here, 12), shape)), rests=card)
    for share in (0.3, 0.7):
        yield Moment(stage.cards(), (side, _behind(side, _raised(here + (out - here) * share, 25), shape)))
    yield Moment(stage.cards(), frames=int(rng.integers(5, 12)))


def _raised(point: Float64Array, by: float) -> Float64Array:
    return np.asarray(point + np.array([0, 0, by]), np.float64)


def _behind(side: str, card_mm: Float64Array, shape: Shape) -> tuple[float, float, float]:
    """The fingertips (x, y, z) in mm of a hand of `side` that holds a card centred at `card_mm`."""
    back = shape.height * 0.22
    return (
        float(card_mm[0] + back * np.sin(_ANGLE[side])), float(card_mm[1] - back * np.cos(_ANGLE[side])),
        float(card_mm[2] + 3),
    )  # fmt: skip


def _take(stage: _Stage, side: str) -> Iterator[Moment]:
    """The taker gathers the cards, turns them over and puts them on his pile."""
    rng, shape = stage.rng, stage.shape
    out = np.array(stage.from_side(side, 0, -stage.reach))
    middle = np.zeros(3)
    yield Moment(stage.cards(), (side, _behind(side, _raised(out * 0.45, 25), shape)))
    yield Moment(stage.cards(), (side, _behind(side, _raised(middle, 12), shape)))
    trick, stage.lying = stage.lying, []
    gathered = [
        replace(card, place=Pose(card.place.x * 0.4, card.place.y * 0.4, card.place.angle, 2.0 + 1.5 * k))
        for k, card in enumerate(trick)
    ]
    yield Moment(stage.cards(*gathered), (side, _behind(side, _raised(middle, 12), shape)))
    home = np.array(stage.from_side(side, shape.height * 1.1, -shape.height * 1.55))
    angle = _ANGLE[side] + rng.normal(0, 0.08)
    for share in (0.4, 0.8):
        at = middle + (home - middle) * share
        packet = [
            Lying(BACK, Bend(), Pose(at[0] + k, at[1] - k, angle, 15 + k * 0.4)) for k in range(len(trick))
        ]
        yield Moment(stage.cards(*packet), (side, _behind(side, _raised(at, 18), shape)))
    for _ in trick:
        x, y = home[:2] + rng.normal(0, 3, 2)
        stage.piles[side].append(stage.lift(Lying(BACK, Bend(0.1), Pose(x, y, angle + rng.normal(0, 0.05)))))
    for share in (0.1, 0.6):
        yield Moment(stage.cards(), (side, _behind(side, _raised(home + (out - home) * share, 20), shape)))
    yield Moment(stage.cards(), frames=int(rng.integers(6, 11)))


def make_film(
    rng: Rng,
    pack: TracedPack,
    folder: Path,
    video: Path,
    tricks: int,
    size: tuple[int, int],
    samples: int,
) -> dict[str, object]:
    """Film `tricks` tricks into `video` (.avi, Motion JPEG as webcams send it); returns its truth.

    Scene files go under `folder`. Raises `VisionError` when Blender fails, the video cannot be written, or a hand has
    fewer tricks.
    """
    shape = shape_of(rng, pack)
    card_px = rng.uniform(110, 165)
    hfov, tilt = rng.uniform(58, 72), float(abs(rng.normal(0, 12)) % 30)
    height = shape.height * 640 / np.tan(np.radians(hfov / 2)) / card_px
    camera = camera_over(
        (0, 0), height, tilt, 90 + rng.normal(0, 4), 0, hfov, size, float(rng.uniform(0, 0.05))
    )
    album = Album(folder / "pictures", int(np.clip(1.5 * card_px * size[0] / 1280, 32, 448)))
    room = lay_table(rng, album)
    webcam = random_webcam(rng, False, room.light == "dim")
    arms = {side: int(rng.integers(1 << 30)) for side in SEATS.values()}
    filmed = _Set(camera, shape, pack, album, room, arms, int(rng.integers(1 << 30)))
    game = play_out(rng, pack, tricks)
    scripted = list(moments(rng, shape, game, 0.62 * height))
    # A webcam exposes for a table with cards, which are brighter than the bare one measured here.
    (bare,) = trace([filmed.world(scripted[0])], folder, 1)
    gain = np.float32(0.75) * bare.gain
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), FPS, size)
    if not writer.isOpened():
        raise VisionError(f"{video}: cannot be written as a video")
    frames = 0
    plays: list[dict[str, object]] = []
    players = iter([name for trick in game for name, _ in trick.plays])
    for start in range(0, len(scripted), AT_ONCE):
        some = scripted[start : start + AT_ONCE]
        for moment, picture in zip(
            some, trace([filmed.world(m) for m in some], folder, samples, 0, gain), strict=True
        ):
            if moment.rests is not None:
                plays.append({"play": next(players), "card": moment.rests, "frame": frames})
            for _ in range(moment.frames):  # the same light, each time with its own noise
                sent = np.frombuffer(seen(rng, picture.light, camera, webcam), np.uint8)
                writer.write(cv2.imdecode(sent, cv2.IMREAD_COLOR))  # type: ignore[arg-type]  # it is a picture
            frames += moment.frames
    writer.release()
    return {
        "seats": [f"{name}@{side}" for name, side in SEATS.items()], "dealer": next(iter(SEATS)), "rules": "dtf-2011",
        "fps": FPS, "frames": frames, "plays": plays, "taken": [trick.taker for trick in game],
        "taken_back": [], "deck": pack.name, "tilt": round(tilt, 1), "card_px": round(float(card_px)),
        "top": room.top, "light": room.light,
    }  # fmt: skip


@dataclass(frozen=True)
class _Set:
    """What stays the same during a film. `arms` are the seeds of arms by side, `varnish` is that of the gloss."""

    camera: TracedCamera
    shape: Shape
    pack: TracedPack
    album: Album
    room: Room
    arms: dict[str, int]
    varnish: int

    def world(self, moment: Moment) -> World:
        """The world to trace for a moment."""
        cards = card_things(
            moment.cards, self.shape, self.pack, self.album, np.random.default_rng(self.varnish), False
        )
        things: list[Thing] = [*self.room.things, *cards]
        if moment.arm is not None:
            side, tips = moment.arm
            things += props.hand(np.random.default_rng(self.arms[side]), tips, _ANGLE[side] + np.pi / 2)
        return World(self.camera, tuple(things), self.room.lights, self.room.ambient)


def write_truth(video: Path, truth: dict[str, object]) -> None:
    """Save a film's truth beside it."""
    video.with_suffix(".json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
