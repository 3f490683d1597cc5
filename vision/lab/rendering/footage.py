"""Rendered recordings of scripted plays, with their ground truth.

The bundled demo, the test clips and recordings of any deck to measure `tarok watch` on are made here.
Sides are those of the picture. Lengths on the table are in mm, times in s.
"""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, UInt8Array
from vision.decks import CARD_MM, Deck, Sprite
from vision.errors import VisionError
from vision.lab.rendering.backs import back_of_cards, back_of_signs, wordy_back
from vision.lab.rendering.degrade import light
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.props import (
    draw_back,
    draw_background,
    draw_clutter,
    draw_hand,
    ruled_sheet,
    smooth_noise,
)
from vision.lab.rendering.scene import camera_matrix, paste, project
from vision.picture import DIRECTIONS

ROW_FROM_MM, ROW_STEP_MM = 90.0, 18.0
"""Where the cards that stay before a player lie: the first one's middle, and how much farther out each next is, mm."""
SHARED_MM, ARM_MM = 42.0, 150.0
"""How far from the middle of their side, mm, two who share it lay their cards, and their arms come in."""
SIDE_ANGLE = {"S": 0.0, "E": -np.pi / 2, "N": np.pi, "W": np.pi / 2}
"""By side, the angle (rad, clockwise) at which its player lays a card."""
DRIFT_S = 8.0
"""Seconds in which a drifting light rises and falls once."""
UNDER_ARM = 0.95
"""Share of the light while an arm passes: it darkens the picture, or the camera's exposure follows it."""


@dataclass(frozen=True)
class FilmedPlay:
    """One play of the script: `card` from `side`.

    - `taken_by`: this play completes the trick, and this side takes it.
    - `back_after_s`: the card goes back into the hand this long after it came to rest.
    - `lands_at`: the card lands in front of this side instead of its player's.
    - `with_next`: this card and the next are played together and come to rest within 0.3 s.
    - `kept`: its player keeps the card (the fool) and puts it on his own pile when the trick is taken.
    - `in_row`: the card stays before its player in a row, and has this place there, from 0 next to the middle.
    - `beside`: where two share the side, -1 for the one who plays first of them and 1 for the other.
    """

    side: str
    card: str
    taken_by: str | None = None
    back_after_s: float | None = None
    lands_at: str | None = None
    with_next: bool = False
    kept: bool = False
    in_row: int | None = None
    beside: int = 0


class FilmedStep(Protocol):
    """What is filmed beside plays: cards that are laid out and are no plays."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that it shows."""
        ...

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """Those of them that mean something by themselves: the group of a talon that is taken."""
        ...

    @property
    def taken_by(self) -> str | None:
        """The side that takes a trick with them, if one does."""
        ...

    def moments(self, table: "FilmTable", rested: dict[int, int], number: int) -> Iterator["FilmMoment"]:
        """What moves in each frame. Enters in `rested`, as step `number`, the frame in which all cards lie."""
        ...


Script = Sequence[FilmedPlay | FilmedStep]
"""A hand as it is filmed: its plays, and what is laid out between them."""


@dataclass(frozen=True)
class FilmStyle:
    """How the plays are filmed.

    `size` is (width, height) px. The camera is tilted `tilt_deg` from the vertical towards `azimuth_deg`.
    `difficulty` 0 is a tidy table in good, even light. Towards 1 the light gets dim, uneven and mixed in colour,
    with glare; the picture gets noise and motion blur; the table gets clutter, overlapping cards, lingering
    fingers and a second pack.

    `off_mm` (right, down) is how far from where the camera looks the cards are laid. `lamp` is the share of the full
    light, which rises and falls by the share `drift` every `DRIFT_S` seconds. There is a score sheet on the table if
    `things` is not 0, and so many chips, cups and other things. With `odd_backs` there are two packs, whose backs show
    words and suit signs, with `card_backs` one whose back shows small cards. Between two plays an arm passes over the
    cards, and the light changes by 5 %, with `passing_arms`.
    """

    size: tuple[int, int] = (1280, 720)
    fps: int = 10
    card_height_px: float = 150.0
    tilt_deg: float = 8.0
    azimuth_deg: float = 0.0
    difficulty: float = 0.2
    pause_s: float = 0.5
    off_mm: tuple[float, float] = (0.0, 0.0)
    lamp: float = 1.0
    drift: float = 0.0
    things: int = 0
    odd_backs: bool = False
    card_backs: bool = False
    passing_arms: bool = False


@dataclass(frozen=True)
class FilmCard:
    """A card on the table being filmed, face up unless `down`. One that `stays` goes with no trick.

    `beside` is as of a play.
    """

    card: str
    corners_mm: Float32Array
    side: str
    kept: bool = False
    stays: bool = False
    beside: int = 0
    down: bool = False


_Point = tuple[float, float]


@dataclass(frozen=True)
class FilmMoment:
    """What moves in one frame: cards, and by side the fingertips (mm) of the hands over the table.

    `light` is the share of the light that falls on it.
    """

    cards: tuple[FilmCard, ...] = ()
    hands: Mapping[str, _Point] = field(default_factory=dict)
    light: float = 1.0

    def before(self, earlier: "FilmMoment", share: float) -> "FilmMoment":
        """This moment, interpolated by a `share` (0..1) of the way back to an `earlier` one."""
        cards = {card.card: card.corners_mm for card in earlier.cards}
        moved = tuple(
            replace(c, corners_mm=c.corners_mm + (cards[c.card] - c.corners_mm) * np.float32(share))
            if c.card in cards
            else c
            for c in self.cards
        )
        hands = {}
        for side, (x, y) in self.hands.items():
            was = earlier.hands.get(side, (x, y))
            hands[side] = (x + (was[0] - x) * share, y + (was[1] - y) * share)
        return replace(self, cards=moved, hands=hands)


class FilmTable:
    """The table being filmed: its cards, cloth, light and players."""

    def __init__(
        self,
        deck: Deck,
        style: FilmStyle,
        seed: int,
        cloth: UInt8Array | None,
        write: Callable[[UInt8Array], None],
    ):
        self.deck, self.style, self.seed, self.count = deck, style, seed, 0
        self.rng = np.random.default_rng((seed, 1))
        self.lying: list[FilmCard] = []
        self.piles: dict[str, list[tuple[Sprite, Float32Array]]] = {}
        self._write = write
        turn = np.random.default_rng((seed, 7)).normal(0, 5 * style.difficulty)
        self._matrix = camera_matrix(
            style.size, style.card_height_px, style.tilt_deg, style.azimuth_deg, float(turn)
        )
        right, down = style.off_mm
        self._matrix = self._matrix @ np.array([[1.0, 0, right], [0, 1, down], [0, 0, 1]])
        self._cloth = cv2.resize(
            cloth if cloth is not None else draw_background(np.random.default_rng((seed, 3)), style.size),
            style.size,
        ).astype(np.uint8, copy=False)
        self._put_things()
        looks = np.random.default_rng((seed, 4))
        self._backs = [deck.backs[0] if deck.backs else draw_back(looks)]
        if looks.random() < style.difficulty:
            self._backs.append(draw_back(looks))
        if style.odd_backs:
            self._backs = [wordy_back(looks), back_of_signs(looks)]
        if style.card_backs:
            self._backs = [back_of_cards(looks, list(deck.faces.values()))]
        self._light = _Light(style, seed)
        self._still: UInt8Array | None = None
        self._earlier = FilmMoment()

    def _put_things(self) -> None:
        """Put clutter on the cloth, but not in the middle, where cards are played."""
        rng = np.random.default_rng((self.seed, 8))
        corners = project(self._matrix, np.array([[-110, -110], [110, -110], [110, 110], [-110, 110]]))
        middle = (
            cv2.fillConvexPoly(np.zeros(self._cloth.shape[:2], np.uint8), corners.astype(np.int32), 1) > 0
        )
        if self.style.things:
            self._lay_sheet(rng)
        missing = rng.poisson(6 * self.style.difficulty) + self.style.things
        for _ in range(40):
            if missing == 0:
                break
            littered = self._cloth.copy()
            draw_clutter(rng, littered, self.style.card_height_px)
            if not (littered != self._cloth).any(2)[middle].any():
                self._cloth = littered
                missing -= 1

    def _lay_sheet(self, rng: np.random.Generator) -> None:
        """Lay a score sheet on the cloth beside the cards."""
        art, size_mm = ruled_sheet(rng)
        at = rng.choice([-1, 1], 2) * (210, 120)
        sheet = cv2.merge([art, np.full(art.shape[:2], 255, np.uint8)]).astype(np.uint8)
        corners_mm = place_card((float(at[0]), float(at[1])), rng.normal(0, 0.3), size_mm)
        paste(self._cloth, (sheet,), project(self._matrix, corners_mm), 0.3)

    def frames_of(self, seconds: float) -> int:
        """How many frames `seconds` take, at least one."""
        return max(1, round(seconds * self.style.fps))

    def edge_mm(self, side: str) -> float:
        """Distance in mm from the middle of the table to the edge of the picture towards `side`."""
        steps = np.arange(0.0, 1500.0, 5.0)
        points_px = project(self._matrix, np.outer(steps, DIRECTIONS[side]))
        inside = ((points_px >= 0) & (points_px < np.array(self.style.size))).all(1)
        return float(steps[inside].max())

    def lay_down(self, card: FilmCard) -> None:
        """Put a card on the table."""
        self.lying.append(card)
        self._still = None

    def pick_up(self, cards: Sequence[FilmCard]) -> None:
        """Take these cards off the table."""
        gone = {card.card for card in cards}
        self.lying = [card for card in self.lying if card.card not in gone]
        self._still = None

    def put_on_pile(self, side: str, corners_mm: Float32Array) -> None:
        """Put a trick face down on the pile of `side`."""
        back = self._backs[int(self.rng.integers(len(self._backs)))]
        self.piles.setdefault(side, []).append((back, corners_mm))
        self._still = None

    def still(self) -> UInt8Array:
        """The table (H, W, 3) with everything stationary on it, without hands."""
        if self._still is None:
            canvas = self._cloth.copy()
            for pile in self.piles.values():
                for back, corners in pile[-6:]:
                    paste(canvas, back, project(self._matrix, corners), 0.3)
            for card in self.lying:
                paste(canvas, self._picture(card), project(self._matrix, card.corners_mm), 0.3)
            self._still = canvas
        return self._still.copy()

    def _picture(self, card: FilmCard) -> Sprite:
        return self._backs[0] if card.down else self.deck.faces[card.card]

    def talon_mm(self, side: str) -> float:
        """How far from the middle of the table towards `side` the cards that lie face down reach, mm; 0 without any."""
        down = [card.corners_mm @ np.array(DIRECTIONS[side]) for card in self.lying if card.down]
        return float(np.max(down, initial=0.0))

    def shoot(self, moment: FilmMoment) -> None:
        """Write one frame: the stationary table and what moves on it, with motion blur."""
        open_share = min(1.0, self._light.exposure_s * self.style.fps)
        if self._light.exposure_s > 0.008 and (moment.cards or moment.hands):
            # The mean of three moments approximates a long exposure.
            sharp = [self._draw(moment.before(self._earlier, open_share * k / 2)) for k in range(3)]
            ends = cv2.addWeighted(sharp[0], 0.5, sharp[2], 0.5, 0)
            canvas = cv2.addWeighted(ends, 2 / 3, sharp[1], 1 / 3, 0).astype(np.uint8, copy=False)
        else:
            canvas = self._draw(moment)
        self._earlier = moment
        self._write(self._light.expose(canvas, self.count / self.style.fps, moment.light))
        self.count += 1

    def _draw(self, moment: FilmMoment) -> UInt8Array:
        canvas = self.still()
        for card in moment.cards:
            paste(canvas, self._picture(card), project(self._matrix, card.corners_mm), 0.35)
        for side, tip_mm in moment.hands.items():
            look = np.random.default_rng((self.seed, 5, "SENW".index(side)))
            outwards = np.array([tip_mm, tip_mm]) + np.outer([0, 20], DIRECTIONS[side])
            tip, behind = project(self._matrix, outwards)
            reach = float(np.arctan2(behind[1] - tip[1], behind[0] - tip[0])) + float(look.normal(0, 0.12))
            draw_hand(look, canvas, (float(tip[0]), float(tip[1])), reach, self.style.card_height_px * 0.6)
        return canvas


class _Light:
    """Illumination, exposure and sensor noise of each frame."""

    def __init__(self, style: FilmStyle, seed: int):
        hard = style.difficulty
        rng = np.random.default_rng((seed, 6))
        self._noise = np.random.default_rng((seed, 2))
        self._size, self._hard = style.size, hard
        grey = np.full((style.size[1], style.size[0], 3), 128, np.uint8)
        lamp = light(rng, grey, glossy=0).astype(np.float32) / 128
        # Mixed colours, as of daylight and a warm lamp.
        mixed = np.clip(smooth_noise(rng, style.size, 2) * 0.18, -0.3, 0.3) * hard
        lamp *= 1 + mixed[:, :, None] * np.array([-1, 0, 1], np.float32)
        dimmed = 1 - 0.45 * hard * rng.random()
        self._lamp = ((1 + (lamp - 1) * (0.15 + 0.85 * hard)) * dimmed).astype(np.float32)
        self._glare = (
            light(rng, np.zeros_like(grey), glossy=hard).astype(np.float32) * (0.2 + 0.8 * hard)
        ).astype(np.uint8)
        # Less light means a longer exposure and more sensor noise.
        self.exposure_s = (0.004 + 0.026 * hard) / dimmed
        deviation = (0.5 + 7.0 * hard) / np.sqrt(dimmed)
        grain = rng.standard_normal((style.size[1] // 2 + 32, style.size[0] // 2 + 32, 3), dtype=np.float32)
        grain = 0.8 * grain.mean(2, keepdims=True) * np.sqrt(3) + 0.6 * grain
        self._grain = cv2.resize(grain * deviation, None, fx=2, fy=2).astype(np.int16)
        self._band = 0.1 * hard * rng.random()
        self._band_px, self._band_hz = style.size[1] / rng.uniform(0.6, 3), rng.uniform(0.2, 2)
        self._lit = np.empty_like(self._lamp)
        self._level, self._drift = style.lamp, style.drift

    def expose(self, canvas: UInt8Array, time_s: float, level: float = 1.0) -> UInt8Array:
        """The (H, W, 3) uint8 picture that the camera takes of `canvas` at `time_s`.

        `level` is the share of the light.
        """
        width, height = self._size
        level *= self._level * (1 + self._drift * np.sin(2 * np.pi * time_s / DRIFT_S))
        gain = level * (1 + self._noise.normal(0, 0.002 + 0.02 * self._hard))
        turns = np.arange(height, dtype=np.float32) / self._band_px + self._band_hz * time_s
        rows = (gain * (1 + self._band * np.sin(2 * np.pi * turns))).astype(np.float32)
        np.multiply(self._lamp, rows[:, None, None], out=self._lit)
        picture = cv2.multiply(canvas, self._lit, dtype=cv2.CV_8U)
        picture = cv2.add(picture, self._glare)
        x, y = self._noise.integers(64, size=2)
        picture = cv2.add(picture, self._grain[y : y + height, x : x + width], dtype=cv2.CV_8U)
        if self._hard > 0.5:
            picture = cv2.GaussianBlur(picture, (0, 0), 0.5 + 0.6 * self._hard)
        return picture.astype(np.uint8, copy=False)


def _ease(t: float) -> float:
    return t * t * (3 - 2 * t)


def film(
    plays: Script,
    deck: Deck,
    write: Callable[[UInt8Array], None],
    *,
    style: FilmStyle | None = None,
    seed: int = 0,
    cloth: UInt8Array | None = None,
) -> list[int]:
    """Film `plays` with `deck` and pass each frame (H, W, 3) uint8 BGR to `write`.

    `cloth` is a picture (H, W, 3) of the table top; by default one is drawn from `seed`. Returns for each play the
    number of the first frame in which its card is stationary; for what is laid out, that in which all its cards are.
    Raises `VisionError` when the deck lacks a card of the script.
    """
    style = style or FilmStyle()
    shown = {
        card for step in plays for card in ((step.card,) if isinstance(step, FilmedPlay) else step.cards)
    }
    missing = shown - deck.faces.keys()
    if missing:
        raise VisionError(f"deck {deck.name} has no picture of {', '.join(sorted(missing))}")
    table = FilmTable(deck, style, seed, cloth, write)
    rested: dict[int, int] = {}
    for moment in scene(table, plays, rested):
        table.shoot(moment)
    return [rested[number] for number in range(len(plays))]


def scene(table: FilmTable, plays: Script, rested: dict[int, int]) -> Iterator[FilmMoment]:
    """What moves in each frame in which `plays` are filmed.

    Enters in `rested`, by play, the frame in which its card comes to rest.
    """
    rng, pause_s = table.rng, table.style.pause_s
    yield from nothing_moves(table, 1.2)
    together: list[Iterator[FilmMoment]] = []
    reach_s = 0.0
    for number, play in enumerate(plays):
        if not isinstance(play, FilmedPlay):
            yield from play.moments(table, rested, number)
            yield from nothing_moves(table, pause_s * rng.uniform(0.5, 1.5))
            continue
        reach_s = reach_s if together else rng.uniform(0.45, 0.8)
        lag = list(nothing_moves(table, rng.uniform(0.1, 0.25))) if together else []
        together.append(chain(lag, _lay(table, play, reach_s, rested, number)))
        if play.with_next:
            continue
        for moments in zip_longest(*together, fillvalue=FilmMoment()):
            yield FilmMoment(
                tuple(card for moment in moments for card in moment.cards),
                {side: tip for moment in moments for side, tip in moment.hands.items()},
            )
        together = []
        yield from nothing_moves(table, pause_s * rng.uniform(0.5, 1.5))
        if table.style.passing_arms:
            yield from _pass(table, "SENW"["SENW".index(play.side) - 1])
        if play.taken_by is not None:
            yield from sweep_trick(table, play.taken_by)
            for card in [card for card in table.lying if card.kept]:
                yield from nothing_moves(table, 0.3)
                yield from _keep(table, card)
            yield from nothing_moves(table, pause_s * rng.uniform(0.5, 1.2))
    yield from nothing_moves(table, 1.5)


def sideways(side: str) -> Float64Array:
    """The unit vector to the right of the player of `side`, (2,): the way in which play goes round the table."""
    x, y = DIRECTIONS[side]
    return np.array([y, -x], np.float64)


def nothing_moves(table: FilmTable, seconds: float) -> Iterator[FilmMoment]:
    """The table as it is, for so many `seconds`."""
    for _ in range(table.frames_of(seconds)):
        yield FilmMoment()


def _resting_place(table: FilmTable, play: FilmedPlay) -> tuple[Float64Array, float]:
    """Where the card of `play` comes to rest: its centre (2,) in mm, and its angle in rad."""
    rng = table.rng
    direction = np.array(DIRECTIONS[play.side])
    sloppy = 0.5 + table.style.difficulty
    talon_mm = table.talon_mm(play.side)
    beyond_mm = talon_mm + CARD_MM[1] / 2 + 5.0 if talon_mm else 0.0
    if play.in_row is not None:
        # The rows of all four are a cross; each card leaves the inner end of the one before it in view.
        row_from_mm = max(ROW_FROM_MM, beyond_mm)
        at = direction * (row_from_mm + ROW_STEP_MM * play.in_row) + rng.normal(0, 2 * sloppy, 2)
        return at, SIDE_ANGLE[play.side] + rng.normal(0, 0.03 * sloppy)
    careless = rng.random() < 0.4 * table.style.difficulty
    # A careless player's card often occludes the index of another.
    distance = max(rng.uniform(15, 50) if careless else rng.uniform(56, 72), beyond_mm)
    target = np.array(DIRECTIONS[play.lands_at or play.side]) * distance + rng.normal(0, 8 * sloppy, 2)
    target += sideways(play.side) * play.beside * SHARED_MM
    if any((card.side, card.beside) == (play.side, play.beside) for card in table.lying):
        # A second card from the same hand lands beside the first.
        target += np.array([-direction[1], direction[0]]) * rng.choice([-1, 1]) * rng.uniform(35, 60)
    return target, SIDE_ANGLE[play.side] + rng.normal(0, 0.14 * sloppy * (2 if careless else 1))


def _lay(
    table: FilmTable, play: FilmedPlay, reach_s: float, rested: dict[int, int], number: int
) -> Iterator[FilmMoment]:
    """A hand brings a card within `reach_s`, lays it down, may linger, and leaves or takes the card back."""
    rng = table.rng
    direction = np.array(DIRECTIONS[play.side])
    target, angle = _resting_place(table, play)
    start = direction * (table.edge_mm(play.side) + 90) + rng.normal(0, 25, 2)
    start += sideways(play.side) * play.beside * ARM_MM
    lay_open = [card for card in table.lying if card.card == play.card]
    if lay_open:  # it comes from a hand that lies open
        start = lay_open[0].corners_mm.mean(0).astype(np.float64)
        edge = direction * (table.edge_mm(play.side) + 90)
        yield from move_hand(play.side, edge, start, table.frames_of(0.4))
        table.pick_up(lay_open)
    grip = direction * CARD_MM[1] * rng.uniform(0.3, 0.42)

    def carry(steps: int, back: bool) -> Iterator[FilmMoment]:
        for k in range(1, steps + 1):
            share = 1 - k / steps if back else k / steps
            at = start + (target - start) * _ease(share)
            turned = angle * share + (1 - share) * SIDE_ANGLE[play.side]
            card = FilmCard(play.card, place_card((at[0], at[1]), turned), play.side)
            yield FilmMoment((card,), {play.side: (at[0] + grip[0], at[1] + grip[1])})

    yield from carry(table.frames_of(reach_s), back=False)
    at = place_card((target[0], target[1]), angle)
    laid = FilmCard(play.card, at, play.side, play.kept, beside=play.beside)
    table.lay_down(laid)
    rested[number] = table.count
    tip, stay_s = _lingering(table, play, target, grip)
    for _ in range(round(stay_s * table.style.fps)):
        trembling = tip + rng.normal(0, 0.7, 2)
        yield FilmMoment((), {play.side: (trembling[0], trembling[1])})
    if play.back_after_s is None or play.back_after_s >= 1:
        yield from move_hand(play.side, tip, start, table.frames_of(rng.uniform(0.35, 0.6)))
    if play.back_after_s is not None:
        steps = table.frames_of(0.4)
        frames_lying = table.count - rested[number]
        if play.back_after_s >= 1:
            yield from nothing_moves(table, play.back_after_s - (frames_lying + steps) / table.style.fps)
            yield from move_hand(play.side, start, target + grip, steps)
        table.pick_up([laid])
        yield from carry(table.frames_of(0.5), back=True)
        yield from nothing_moves(table, 0.4)


def _lingering(
    table: FilmTable, play: FilmedPlay, target: Float64Array, grip: Float64Array
) -> tuple[Float64Array, float]:
    """Where (mm) the fingertips stay after laying a card at `target`, held at `grip` from it, and how long (s)."""
    rng = table.rng
    if play.back_after_s is not None and play.back_after_s < 1:
        return target + grip, play.back_after_s
    if rng.random() < 0.5 * table.style.difficulty:
        over_index = target + grip * rng.uniform(0.4, 0.9) + rng.normal(0, 8, 2)
        return over_index, rng.uniform(0.3, 1.6)
    return target + grip, 0.0


def move_hand(side: str, start: Float64Array, end: Float64Array, steps: int) -> Iterator[FilmMoment]:
    """The empty hand of `side` goes from `start` to `end` (mm)."""
    for k in range(1, steps + 1):
        at = start + (end - start) * _ease(k / steps)
        yield FilmMoment((), {side: (at[0], at[1])})


def _pass(table: FilmTable, side: str) -> Iterator[FilmMoment]:
    """An arm from `side` passes over the cards and goes back, as for a cup at the other side."""
    direction = np.array(DIRECTIONS[side])
    edge, beyond = direction * (table.edge_mm(side) + 90), -direction * 120
    steps = table.frames_of(0.5)
    there = chain(move_hand(side, edge, beyond, steps), move_hand(side, beyond, edge, steps))
    for moment in there:
        yield replace(moment, light=UNDER_ARM)


def sweep_trick(table: FilmTable, side: str) -> Iterator[FilmMoment]:
    """The taker's hand reaches in, pulls in the trick and puts it on the taker's pile."""
    direction = np.array(DIRECTIONS[side])
    edge = direction * (table.edge_mm(side) + 90)
    reached = direction * 30.0
    yield from move_hand(side, edge, reached, table.frames_of(0.5))
    swept = [
        card
        for card in table.lying
        if not card.stays and (not card.kept or (card.side == side and not card.beside))
    ]
    yield from draw_in(table, side, swept, reached)


def _keep(table: FilmTable, card: FilmCard) -> Iterator[FilmMoment]:
    """The player of a kept card (the fool) puts it on his own pile."""
    direction = np.array(DIRECTIONS[card.side])
    edge = direction * (table.edge_mm(card.side) + 90)
    reached = card.corners_mm.mean(0).astype(np.float64) + direction * 40
    yield from move_hand(card.side, edge, reached, table.frames_of(0.4))
    yield from draw_in(table, card.side, [card], reached)


def draw_in(
    table: FilmTable, side: str, cards: Sequence[FilmCard], reached: Float64Array, *, onto_pile: bool = True
) -> Iterator[FilmMoment]:
    """The hand of `side` at `reached` (mm) pulls `cards` in, out of the picture, and puts them on its pile.

    Without `onto_pile` they go to the player's hand.
    """
    rng = table.rng
    direction = np.array(DIRECTIONS[side])
    edge_mm = table.edge_mm(side)
    pull = direction * (edge_mm + 90) - reached
    table.pick_up(cards)
    steps = table.frames_of(rng.uniform(0.6, 0.9))
    for k in range(1, steps + 1):
        t = _ease(k / steps)
        moving = []
        for card in cards:
            middle = card.corners_mm.mean(0)
            gathering = 0.6 * min(1.0, 2 * t) if len(cards) > 1 else 0.0
            gathered = (card.corners_mm - middle) + middle * (1 - gathering) + pull * t
            moving.append(replace(card, corners_mm=gathered.astype(np.float32)))
        at = reached + pull * t
        yield FilmMoment(tuple(moving), {side: (at[0], at[1])})
    if not onto_pile:
        return
    sideways = np.array([-direction[1], direction[0]])
    half_width = min(table.edge_mm("SENW"["ESWN".index(side)]), 400.0)
    inset = 8 + 20 * table.style.difficulty * rng.random()
    corner = direction * (edge_mm - inset) + sideways * half_width * 0.55
    nudge = rng.normal(0, 3, 2)
    angle = SIDE_ANGLE[side] + rng.normal(0, 0.12)
    table.put_on_pile(side, place_card((corner[0] + nudge[0], corner[1] + nudge[1]), angle))


CODECS = {
    "h264": ("libx264", ("-preset", "fast", "-crf"), 27, "yuv420p", (".mp4", ".mkv")),
    "mjpeg": ("mjpeg", ("-q:v",), 6, "yuvj420p", (".avi", ".mkv")),
}
"""By codec: ffmpeg's encoder, its options, the default quality, the pixel format, and the file extensions."""


class VideoFile:
    """A video file being written; a context manager.

    Written by the ffmpeg program where it is installed, else by OpenCV (MPEG-4 instead of H.264, in larger files).
    """

    def __init__(
        self, path: Path, size: tuple[int, int], fps: int, quality: int | None = None, codec: str = "h264"
    ):
        """Open `path` for frames of `size` (width, height) px, `fps` a second.

        `codec` is "h264", or "mjpeg" as webcams send it. `quality` is H.264's rate factor (18..35) or MJPEG's
        quantiser (2..31); lower is better. Raises `VisionError` when the file cannot be written.
        """
        self._path = path
        self._pipe: subprocess.Popen[bytes] | None = None
        encoder, options, default_quality, pixels, endings = CODECS[codec]
        if path.suffix.lower() not in endings:
            raise VisionError(f"{path}: {codec} video is written as {' or '.join(endings)}")
        ffmpeg = shutil.which("ffmpeg")
        if ffmpeg:
            command = [
                ffmpeg, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgr24",
                "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-", "-c:v", encoder,
                *options, str(default_quality if quality is None else quality), "-pix_fmt", pixels,
                *(("-movflags", "+faststart") if path.suffix.lower() == ".mp4" else ()), str(path),
            ]  # fmt: skip
            self._pipe = subprocess.Popen(command, stdin=subprocess.PIPE)
            return
        fourcc = cv2.VideoWriter.fourcc(*("mp4v" if codec == "h264" else "MJPG"))
        self._writer = cv2.VideoWriter(str(path), fourcc, fps, size)
        if not self._writer.isOpened():
            raise VisionError(f"{path}: cannot be written as a video")

    def write(self, picture: UInt8Array) -> None:
        """Add one frame (H, W, 3) uint8 BGR; raises `VisionError` when it cannot be written."""
        if self._pipe is None:
            self._writer.write(picture)
            return
        assert self._pipe.stdin is not None
        try:
            self._pipe.stdin.write(picture.tobytes())
        except BrokenPipeError as error:
            raise VisionError(f"{self._path}: cannot be written as a video") from error

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
    plays: Script,
    rested: Sequence[int],
    said: Sequence[Mapping[str, object]] = (),
    options: Mapping[str, bool | int | str] | None = None,
) -> dict[str, object]:
    """The content of a recording's truth file: seats as NAME@SIDE, and each play with its card's first frame at rest.

    `said` is what people said before the play, as events of a session file. `shown` has the cards that were laid out
    and are no plays.

    `seats` gives each player's side, `rested` is what `film` returned. Cards taken back are in `taken_back`, not in
    `plays`. `taken` lists the players who took the tricks, in order, unless two share a side. `options` are those of
    the rules.
    """
    names = {place: name for name, place in places_at_sides(seats).items()}
    takers = {side: name for name, side in seats.items()} if len(set(seats.values())) == len(seats) else {}
    steps = list(zip(plays, rested, strict=True))
    played = [(play, frame) for play, frame in steps if isinstance(play, FilmedPlay)]
    entries = [
        {"play": names[play.side, play.beside], "card": play.card, "frame": frame} for play, frame in played
    ]
    valid = [play.back_after_s is None for play, _ in played]
    data: dict[str, object] = {
        "seats": [f"{name}@{side}" for name, side in seats.items()],
        "dealer": dealer, "rules": rules, "fps": fps, "frames": frames,
        "plays": [entry for entry, stands in zip(entries, valid, strict=True) if stands],
        "taken": [takers[step.taken_by] for step, _ in steps if step.taken_by in takers],
        "taken_back": [entry for entry, stands in zip(entries, valid, strict=True) if not stands],
    }  # fmt: skip
    shown = [
        {"cards": list(cards), "frame": frame}
        for step, frame in steps
        if not isinstance(step, FilmedPlay)
        for cards in (step.cards, *step.parts)
        if cards
    ]
    more = {"options": dict(options or {}), "said": list(said), "shown": shown}
    return data | {key: value for key, value in more.items() if value}


def places_at_sides(seats: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Each player's side and his place there, as `FilmedPlay.beside`; `seats` gives the sides, in order of play."""
    order = {side: [name for name, its in seats.items() if its == side] for side in seats.values()}
    return {
        name: (side, 0 if len(order[side]) == 1 else 2 * order[side].index(name) - 1)
        for name, side in seats.items()
    }
