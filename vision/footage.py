"""Filming a hand that was never played: recordings rendered from a list of plays, with the truth beside them.

The bundled demo and the test clips are made here, and recordings of any deck to measure `tarok watch` on.
Sides are as seen in the picture; lengths on the table in mm, times in s.
"""

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.decks import CARD_MM, Deck
from vision.degrade import light
from vision.errors import VisionError
from vision.plays import DIRECTIONS
from vision.props import draw_back, draw_background, draw_hand
from vision.scene import camera_matrix, paste, place_card, project

SIDE_ANGLE = {"S": 0.0, "E": -np.pi / 2, "N": np.pi, "W": np.pi / 2}


@dataclass(frozen=True)
class FilmedPlay:
    """One play of the script: the side it comes from, the card, and who takes the trick that it completes."""

    side: str
    card: str
    taken_by: str | None = None


@dataclass(frozen=True)
class FilmStyle:
    """How it is filmed; `difficulty` 0 is a tidy table in good light, 1 noisy, dim and careless."""

    size: tuple[int, int] = (1280, 720)
    fps: int = 10
    card_height_px: float = 150.0
    tilt_deg: float = 8.0
    difficulty: float = 0.2
    pause_s: float = 0.5


@dataclass(frozen=True)
class _Lying:
    card: str
    corners_mm: Float32Array


class _Table:
    """The table being filmed: what lies on it, and the look of its cloth, lamp and players."""

    def __init__(self, deck: Deck, style: FilmStyle, seed: int, cloth: UInt8Array | None):
        self.deck, self.style = deck, style
        self.rng = np.random.default_rng((seed, 1))
        self.noise = np.random.default_rng((seed, 2))
        self.cloth = (
            cloth if cloth is not None else draw_background(np.random.default_rng((seed, 3)), style.size)
        )
        self.back = deck.backs[0] if deck.backs else draw_back(np.random.default_rng((seed, 4)))
        self.matrix = camera_matrix(style.size, style.card_height_px, style.tilt_deg, 0.0, 0.0)
        self.reach = np.array(style.size) / 2 * CARD_MM[1] / style.card_height_px
        self.lamp = _lamp(np.random.default_rng((seed, 6)), style)
        self.seed = seed
        self.lying: list[_Lying] = []
        self.piles: dict[str, list[Float32Array]] = {}
        self._still: UInt8Array | None = None

    def changed(self) -> None:
        self._still = None

    def still(self) -> UInt8Array:
        """The table with what lies on it, without hands."""
        if self._still is None:
            canvas = self.cloth.copy()
            for pile in self.piles.values():
                for corners in pile[-6:]:
                    paste(canvas, self.back, project(self.matrix, corners), 0.3)
            for card in self.lying:
                paste(canvas, self.deck.faces[card.card], project(self.matrix, card.corners_mm), 0.3)
            self._still = canvas
        return self._still.copy()

    def shoot(
        self, moving: Sequence[_Lying] = (), hand: tuple[str, tuple[float, float]] | None = None
    ) -> UInt8Array:
        """One frame: the still table, cards on the move, a hand of `side` with its fingertips at (x, y) mm."""
        canvas = self.still()
        for card in moving:
            paste(canvas, self.deck.faces[card.card], project(self.matrix, card.corners_mm), 0.35)
        if hand is not None:
            side, tip_mm = hand
            look = np.random.default_rng((self.seed, 5, "SENW".index(side)))
            tip = project(self.matrix, [tip_mm])[0]
            direction = DIRECTIONS[side]
            reach = float(np.arctan2(direction[1], direction[0])) + float(look.normal(0, 0.12))
            draw_hand(look, canvas, (float(tip[0]), float(tip[1])), reach, self.style.card_height_px * 0.6)
        hard = self.style.difficulty
        gain = 1 + self.noise.normal(0, 0.002 + 0.02 * hard)
        width, height = self.style.size
        grain = cv2.resize(
            self.noise.standard_normal((height // 2, width // 2), dtype=np.float32), self.style.size
        )[:, :, None]
        values = canvas.astype(np.float32) * self.lamp * gain + grain * (0.5 + 7.0 * hard)
        picture = np.clip(values, 0, 255).astype(np.uint8)
        if hard > 0.5:
            picture = cv2.GaussianBlur(picture, (0, 0), 0.5 + 0.6 * hard).astype(np.uint8)
        return picture


def _lamp(rng: np.random.Generator, style: FilmStyle) -> Float32Array:
    """The light on the table as a factor for each pixel, (H, W, 3): even for difficulty 0, patchy with glare for 1."""
    grey = np.full((style.size[1], style.size[0], 3), 128, np.uint8)
    factor = light(rng, grey, glossy=style.difficulty).astype(np.float32) / 128
    return (1 + (factor - 1) * (0.15 + 0.85 * style.difficulty)).astype(np.float32)


def _ease(t: float) -> float:
    return t * t * (3 - 2 * t)


def film(
    plays: Sequence[FilmedPlay],
    deck: Deck,
    write: Callable[[UInt8Array], None],
    *,
    style: FilmStyle | None = None,
    seed: int = 0,
    cloth: UInt8Array | None = None,
) -> list[int]:
    """Film `plays` with `deck`, handing each frame (H, W, 3) uint8 BGR to `write`.

    Returns for each play the number of the first frame in which its card lies at rest. Raises
    `VisionError` when the deck lacks a card of the script.
    """
    style = style or FilmStyle()
    missing = {play.card for play in plays} - deck.faces.keys()
    if missing:
        raise VisionError(f"deck {deck.name} has no picture of {', '.join(sorted(missing))}")
    table = _Table(deck, style, seed, cloth)
    rng = table.rng
    count = 0
    rested = []

    def shoot(moving: Sequence[_Lying] = (), hand: tuple[str, tuple[float, float]] | None = None) -> None:
        nonlocal count
        write(table.shoot(moving, hand))
        count += 1

    def frames_of(seconds: float) -> int:
        return max(1, round(seconds * style.fps))

    for _ in range(frames_of(1.2)):
        shoot()
    for play in plays:
        direction = np.array(DIRECTIONS[play.side])
        sloppy = 0.5 + style.difficulty
        target = direction * rng.uniform(56, 72) + rng.normal(0, 8 * sloppy, 2)
        angle = SIDE_ANGLE[play.side] + rng.normal(0, 0.14 * sloppy)
        start = direction * (np.abs(direction) @ table.reach + 90) + rng.normal(0, 25, 2)
        grip = direction * CARD_MM[1] * rng.uniform(0.3, 0.42)
        steps = frames_of(rng.uniform(0.45, 0.8))
        for k in range(1, steps + 1):
            at = start + (target - start) * _ease(k / steps)
            card = _Lying(
                play.card,
                place_card((at[0], at[1]), angle * k / steps + (1 - k / steps) * SIDE_ANGLE[play.side]),
            )
            shoot([card], (play.side, (at[0] + grip[0], at[1] + grip[1])))
        table.lying.append(_Lying(play.card, place_card((target[0], target[1]), angle)))
        table.changed()
        rested.append(count)
        steps = frames_of(rng.uniform(0.35, 0.6))
        for k in range(1, steps + 1):
            at = target + grip + (start - target) * _ease(k / steps)
            shoot((), (play.side, (at[0], at[1])))
        for _ in range(frames_of(style.pause_s * rng.uniform(0.5, 1.5))):
            shoot()
        if play.taken_by is not None:
            _sweep(table, play.taken_by, shoot, frames_of)
            for _ in range(frames_of(style.pause_s * rng.uniform(0.5, 1.2))):
                shoot()
    for _ in range(frames_of(1.5)):
        shoot()
    return rested


def _sweep(
    table: _Table,
    side: str,
    shoot: Callable[..., None],
    frames_of: Callable[[float], int],
) -> None:
    """The taker's hand reaches in, draws the cards to himself and turns them onto his pile."""
    rng = table.rng
    direction = np.array(DIRECTIONS[side])
    edge = direction * (np.abs(direction) @ table.reach + 90)
    steps = frames_of(0.5)
    reached = direction * 30.0
    for k in range(1, steps + 1):
        at = edge + (reached - edge) * _ease(k / steps)
        shoot((), (side, (at[0], at[1])))
    swept, table.lying = table.lying, []
    table.changed()
    steps = frames_of(rng.uniform(0.6, 0.9))
    pull = edge - reached
    for k in range(1, steps + 1):
        t = _ease(k / steps)
        moving = []
        for card in swept:
            middle = card.corners_mm.mean(0)
            gathered = (card.corners_mm - middle) + middle * (1 - 0.6 * min(1.0, 2 * t)) + pull * t
            moving.append(_Lying(card.card, gathered.astype(np.float32)))
        at = reached + pull * t
        shoot(moving, (side, (at[0], at[1])))
    aside = np.array([-direction[1], direction[0]])
    corner = direction * (np.abs(direction) @ table.reach - 8) + aside * (np.abs(aside) @ table.reach) * 0.55
    nudge = rng.normal(0, 3, 2)
    angle = SIDE_ANGLE[side] + rng.normal(0, 0.12)
    table.piles.setdefault(side, []).append(place_card((corner[0] + nudge[0], corner[1] + nudge[1]), angle))
    table.changed()


class VideoFile:
    """A video file being written, as a context manager; `write` takes one BGR frame.

    H.264 through the ffmpeg program where there is one, else OpenCV's own, larger, MPEG-4.
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: int, quality: int = 27):
        """Open `path` for frames of (width, height) px; `quality` is H.264's rate factor, lower is better.

        Raises `VisionError` when it cannot be written.
        """
        self._path = path
        self._pipe: subprocess.Popen[bytes] | None = None
        ffmpeg = shutil.which("ffmpeg")
        if ffmpeg:
            command = [
                ffmpeg, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgr24",
                "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-", "-c:v", "libx264",
                "-preset", "slow", "-crf", str(quality), "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path),
            ]  # fmt: skip
            self._pipe = subprocess.Popen(command, stdin=subprocess.PIPE)
            return
        self._writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
        if not self._writer.isOpened():
            raise VisionError(f"{path}: no video can be written there")

    def write(self, picture: UInt8Array) -> None:
        """Add one frame."""
        if self._pipe is None:
            self._writer.write(picture)
            return
        assert self._pipe.stdin is not None
        try:
            self._pipe.stdin.write(picture.tobytes())
        except BrokenPipeError as error:
            raise VisionError(f"{self._path}: no video can be written there") from error

    def __enter__(self) -> "VideoFile":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pipe is None:
            self._writer.release()
        else:
            self._pipe.communicate()


def truth(
    seats: Mapping[str, str],
    dealer: str,
    rules: str,
    fps: int,
    frames: int,
    plays: Sequence[Mapping[str, object]],
) -> dict[str, object]:
    """The truth file beside a recording: seats as NAME@SIDE, and each play with the frame it came to rest in."""
    return {
        "seats": [f"{name}@{side}" for name, side in seats.items()],
        "dealer": dealer, "rules": rules, "fps": fps, "frames": frames, "plays": list(plays),
    }  # fmt: skip
