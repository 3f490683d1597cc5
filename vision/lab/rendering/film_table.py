"""The table that is filmed: what lies on it, its light, and the frames that a camera makes.

Sides are those of the picture. Lengths on the table are mm, times s.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.arrays import Float32Array, Float64Array, Rng, UInt8Array
from vision.decks import Deck, Sprite
from vision.lab.rendering.backs import back_of_cards, back_of_signs, wordy_back
from vision.lab.rendering.degrade import light
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, opaque, paste, project
from vision.lab.rendering.props import draw_back, draw_background, draw_clutter, draw_hand, smooth_noise
from vision.lab.rendering.score_sheets import ruled_sheet
from vision.picture import DIRECTIONS

DRIFT_S = 8.0
"""Seconds in which a drifting light rises and falls once."""


@dataclass(frozen=True)
class FilmStyle:
    """How the plays are filmed.

    - `size`: (width, height) px. `card_height_px`: height of a card where the camera looks.
    - `tilt_deg`, `azimuth_deg`: how far the camera is tilted from the vertical, and towards where.
    - `difficulty`: 0 is a tidy table in good, even light. Towards 1 the light gets dim, uneven and mixed in colour,
      with glare; the picture gets noise and motion blur; the table gets clutter, overlapping cards, lingering fingers
      and a second pack.
    - `pause_s`: about the time between two plays.
    - `off_mm`: how far (right, down) from where the camera looks the cards are laid.
    - `lamp`, `drift`: the share of the full light, and by what share it rises and falls every `DRIFT_S` seconds.
    - `things`: so many chips, cups and other things lie on the table, and a score sheet; 0 for none.
    - `odd_backs`: two packs, whose backs show words and suit signs. `card_backs`: a back that shows small cards.
    - `passing_arms`: after each play an arm passes over the cards, and the light changes by 5 %.
    - `face_down`: one play of seven is laid face down, so that nobody can read its card.
    - `heap`: the cards are thrown on one another in the middle, at all angles.
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
    face_down: bool = False
    heap: bool = False


@dataclass(frozen=True)
class FilmCard:
    """A card on the filmed table, face up unless `down`; a card that `stays` goes with no trick.

    `side` is its player's side. `kept` and `beside` are as in a play.
    """

    card: str
    corners_mm: Float32Array
    side: str
    kept: bool = False
    stays: bool = False
    beside: int = 0
    down: bool = False


@dataclass(frozen=True)
class FilmMoment:
    """What moves in one frame: cards, and by side the fingertips (2,) in mm of the hands over the table.

    `light` is the share of the light that falls on the table.
    """

    cards: tuple[FilmCard, ...] = ()
    hands: Mapping[str, Float64Array] = field(default_factory=dict)
    light: float = 1.0

    def before(self, earlier: "FilmMoment", share: float) -> "FilmMoment":
        """This moment, moved by a `share` (0..1) of the way back to an `earlier` one."""
        cards = {card.card: card.corners_mm for card in earlier.cards}
        moved = tuple(
            replace(c, corners_mm=c.corners_mm + (cards[c.card] - c.corners_mm) * np.float32(share))
            if c.card in cards
            else c
            for c in self.cards
        )
        hands = {side: tip + (earlier.hands.get(side, tip) - tip) * share for side, tip in self.hands.items()}
        return replace(self, cards=moved, hands=hands)


class FilmTable:
    """The filmed table: the cards `lying` on it, the `piles` of each side (back and corners), cloth, light and backs.

    `chips` has the picture of each chip, which lies there as a card does, by its name. `count` frames have been passed
    to `write`.
    """

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
        self.chips: dict[str, Sprite] = {}
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
        mask = np.zeros(self._cloth.shape[:2], np.uint8)
        middle = cv2.fillConvexPoly(mask, corners.astype(np.int32), 1) > 0
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

    def _lay_sheet(self, rng: Rng) -> None:
        """Lay a score sheet on the cloth beside the cards."""
        art, size_mm = ruled_sheet(rng)
        at = rng.choice([-1, 1], 2) * (210, 120)
        corners_mm = place_card(at, rng.normal(0, 0.3), size_mm)
        paste(self._cloth, opaque(art)[:1], project(self._matrix, corners_mm), 0.3)

    def frames_of(self, seconds: float) -> int:
        """How many frames `seconds` take, at least one."""
        return max(1, round(seconds * self.style.fps))

    def edge_mm(self, side: str) -> float:
        """The distance in mm from the middle of the table to the edge of the picture at `side`."""
        steps = np.arange(0.0, 1500.0, 5.0)
        points_px = project(self._matrix, np.outer(steps, DIRECTIONS[side]))
        inside = ((points_px >= 0) & (points_px < np.array(self.style.size))).all(1)
        return float(steps[inside].max())

    def beyond_mm(self, side: str) -> Float64Array:
        """Where (2,) in mm the hand of `side` waits: its fingertips are beyond the edge of the picture."""
        return np.array(DIRECTIONS[side]) * (self.edge_mm(side) + 90)

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

    def take_pile(self, side: str) -> None:
        """The tricks of `side` go back into its player's hand."""
        self.piles.pop(side, None)
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
        if card.card in self.chips:
            return self.chips[card.card]
        return self._backs[0] if card.down else self.deck.faces[card.card]

    def talon_mm(self, side: str) -> float:
        """How far in mm the cards that lie face down reach from the table's middle towards `side`; 0 without any."""
        down = [
            card.corners_mm @ np.array(DIRECTIONS[side]) for card in self.lying if card.down and card.stays
        ]
        return float(np.max(down, initial=0.0))

    def shoot(self, moment: FilmMoment) -> None:
        """Pass one frame to `write`: the stationary table and what moves on it, with motion blur."""
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
    """The light, exposure and sensor noise of each frame."""

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

    def expose(self, canvas: UInt8Array, time_s: float, level: float) -> UInt8Array:
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
