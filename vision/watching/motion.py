"""Recent motion on the table, in small grey pictures evened to the same light."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import BoolArray, Float32Array, UInt8Array

UNCHANGED = 4.0
"""Mean difference in grey (0..255) below which a place looks the same in two small pictures."""
LEAST_BARE = 0.2
"""Share of a place that must be free of other cards to tell whether something came to it."""
KNOWN_S = 3.0
"""Seconds a place must have been watched before one can say that nothing has come to it."""
MEMORY_S = 6.0
"""Seconds for which small pictures are kept."""
STEP_S = 0.1
"""Seconds from one kept picture to the next, so that results do not depend on the frame rate."""
NOISE_S = 1.0
"""Seconds between the pictures that tell the noise: a video repeats what it takes for still from frame to frame."""
DARK = 0.05
"""Share of the first picture's light below which nothing can be seen: the lamp is out, or the lens is covered."""
WIDTH_PX = 160
PLACE_PX = 16
_SQUARE = np.array([[0, 0], [PLACE_PX, 0], [PLACE_PX, PLACE_PX], [0, PLACE_PX]], np.float32)
_MOVED, _NOISE_TOPS = 14.0, 4.0
"""Grey by which a pixel must differ to have moved, and by how many times the noise."""
_LEAST = 12.0
"""Grey above which a pixel is used to measure the light."""
_FLICKER, _STRIP_PX = 0.2, 6
"""The greatest relative difference in light that counts as flicker; the height in px of the strips that measure it."""
_SAME, _FLOOR, _CALM = 0.06, 3.0, 0.8
"""A picture is calm if more than the share `_CALM` of its pixels are as before.

A pixel is as before if its grey differs by less than the share `_SAME` of it plus `_FLOOR`.
"""


def small_gray(frame: UInt8Array) -> UInt8Array:
    """`frame` (H, W, 3) uint8 BGR as a small grey picture, `WIDTH_PX` broad."""
    height = max(1, round(WIDTH_PX / frame.shape[1] * frame.shape[0]))
    small = cv2.resize(frame, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)


@dataclass(frozen=True)
class SmallPicture:
    """A frame of `size` (width, height) px. `gray` (H, W) float32 is small, and evened to the light of the first."""

    gray: Float32Array
    size: tuple[int, int]


class Light:
    """Evens pictures to the light of the first one, so that their greys can be compared.

    A lamp or automatic exposure changes the whole picture by one factor. A flickering lamp changes each row by its own
    factor, since a camera exposes the rows one after the other. Motion is assumed to change less than half of the
    pixels.
    """

    def __init__(self) -> None:
        self._reference: Float32Array | None = None

    def small_picture(self, frame: UInt8Array) -> SmallPicture:
        """The small picture of `frame` (H, W, 3) uint8 BGR."""
        return SmallPicture(self.even(small_gray(frame)), (frame.shape[1], frame.shape[0]))

    def even(self, gray: UInt8Array) -> Float32Array:
        """The picture `gray` (H, W) evened to the light of the first one; unchanged if it is too dark."""
        now = gray.astype(np.float32)
        if self._reference is None or self._reference.shape != now.shape:
            self._reference = now
        bright = self._reference > _LEAST
        if not bright.any():
            self._reference = None  # the first picture of all was dark
            return now
        ratio = now / np.maximum(self._reference, 1.0)
        level = float(np.median(ratio[bright]))
        if level < DARK:
            return now
        alike = bright & (np.abs(ratio / level - 1) < _FLICKER)
        # Sums, not a median, because integer greys are coarse on a dark cloth.
        starts = np.arange(0, len(now), _STRIP_PX)
        lit = np.add.reduceat(np.where(alike, now, 0).sum(1), starts)
        was = np.add.reduceat(np.where(alike, self._reference, 0).sum(1), starts)
        known = was > _LEAST * _STRIP_PX
        levels = np.where(known, lit / np.maximum(was, 1.0), level).astype(np.float32)[:, None]
        rows = cv2.resize(levels, (1, len(now)), interpolation=cv2.INTER_LINEAR)
        evened = np.asarray(now / rows, np.float32)
        same = np.abs(evened - self._reference) < _SAME * self._reference + _FLOOR
        if float(same[bright].mean()) > _CALM:
            self._reference = evened
        return evened


class Motion:
    """What moved lately, and where. Hands come and go at the edges of the picture.

    Pictures are (H, W) float32: small, grey and evened to one light. A place is where a card lies: the corners (4, 2)
    in frame px.
    """

    def __init__(self) -> None:
        self._history: list[tuple[float, Float32Array, Float32Array]] = []
        self._marks: list[Float32Array] = []
        self._scale = 1.0
        self.picture: Float32Array = np.zeros((1, 1), np.float32)
        self.noise = 0.0  # the mean difference in grey of two pictures of the same

    def update(self, small: SmallPicture, time_s: float) -> None:
        """Take in the `small` picture of `time_s`."""
        self._scale = WIDTH_PX / small.size[0]
        self.picture = small.gray
        self._marks = self._marks or [self.picture]
        if self._history and time_s < self._history[-1][0] + 0.9 * STEP_S:
            return
        at_sides = np.zeros(4, np.float32)
        if self._history:
            moved = self._moved(self._history[-1][1]).astype(np.float32)
            deep, wide = len(moved) // 7, WIDTH_PX // 8
            sides = (moved[-deep:], moved[:, -wide:], moved[:deep], moved[:, :wide])
            at_sides = np.array([side.sum() for side in sides], np.float32)
        self._history = [entry for entry in self._history if entry[0] > time_s - MEMORY_S]
        self._history.append((time_s, self.picture, at_sides))
        earlier = next(picture for at, picture, _ in self._history if at >= time_s - NOISE_S)
        # Most of the table is still, so the median is noise alone. Of normal noise the mean is 1.18 times as much.
        self.noise = 1.18 * float(np.median(np.abs(self.picture - earlier)))

    @property
    def bare_table(self) -> Float32Array:
        """The picture just after the last trick had left; the first picture if none has."""
        return self._marks[-1]

    def mark(self) -> None:
        """Note that a trick has left: what lies in a place from now on is compared with how the table looks now."""
        self._marks = [*self._marks[-1:], self.picture]

    def place(self, picture: Float32Array, corners_px: Float32Array) -> Float32Array:
        """The place `corners_px` cut out of a picture, (16, 16) float32."""
        matrix = cv2.getPerspectiveTransform((corners_px * self._scale).astype(np.float32), _SQUARE)
        size = (PLACE_PX, PLACE_PX)
        return cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)

    def change(self, earlier: Float32Array, corners_px: Float32Array) -> float:
        """The mean change of the place since an `earlier` picture, in grey."""
        return self._change(earlier, self.picture, corners_px)

    def _change(
        self,
        earlier: Float32Array,
        later: Float32Array,
        corners_px: Float32Array,
        bare: BoolArray | bool = True,
    ) -> float:
        """The mean change of the place between two pictures, in grey, where it is `bare` (16, 16)."""
        return self.distance(self.place(later, corners_px), self.place(earlier, corners_px), bare)

    def distance(self, one: Float32Array, other: Float32Array, where: BoolArray | bool = True) -> float:
        """The mean difference in grey of two pictures of one place `where` they count, less what is noise."""
        return float(np.sqrt(max(float(np.abs(one - other).mean(where=where)) ** 2 - self.noise**2, 0.0)))

    def lay_there(
        self, corners_px: Float32Array, time_s: float, others_px: Sequence[Float32Array] = ()
    ) -> bool:
        """Whether what lay at the place at `time_s` surely had not come there lately.

        Such as a stack of chips: its place looks as it did in the seconds before and when the last tricks left. A hand
        that passes over changes the place only for a moment. The cards `others_px` are left out, unless too little of
        the place remains.
        """
        earlier = [(at, picture) for at, picture, _ in self._history if at <= time_s]
        if len(earlier) < 2 or time_s - earlier[0][0] < KNOWN_S:
            return False
        picture = earlier[-1][1]
        where = self._left_bare(corners_px, others_px)

        def otherwise(before: Float32Array) -> bool:
            return self._change(before, picture, corners_px, where) >= UNCHANGED

        if any(otherwise(mark) for mark in self._marks):
            return False
        seconds = [otherwise(before) for _, before in earlier[:: max(1, len(earlier) // 24)]]
        return sum(seconds) < len(seconds) / 4

    def was_bare(
        self, corners_px: Float32Array, from_s: float, to_s: float, others_px: Sequence[Float32Array]
    ) -> bool:
        """Whether the place looked, at some time from `from_s` to `to_s`, as it did when the last trick had left.

        The cards `others_px` are left out, unless too little of the place remains. A change that is the same
        everywhere does not count: that trick may have left long ago, in another light.
        """
        where = self._left_bare(corners_px, others_px)

        def is_bare(picture: Float32Array) -> bool:
            lit = np.float32(np.median(picture - self.bare_table))
            return self._change(self.bare_table + lit, picture, corners_px, where) < UNCHANGED

        return any(is_bare(picture) for at_s, picture, _ in self._history if from_s <= at_s < to_s)

    def _left_bare(self, corners_px: Float32Array, others_px: Sequence[Float32Array]) -> BoolArray | bool:
        """The part of the place outside the cards `others_px`, (16, 16); all of it if that part is too small."""
        bare = self.place(self._outside(others_px).astype(np.float32), corners_px) > 0.5
        return bare if bare.mean() >= LEAST_BARE else True

    def _moved(self, earlier: Float32Array) -> BoolArray:
        """Where the picture is another than an `earlier` one, (H, W), by more than noise."""
        return np.asarray(np.abs(self.picture - earlier) > max(_MOVED, _NOISE_TOPS * self.noise))

    def moving(self) -> Float32Array:
        """The points where something moves now, (N, 2) in frame px."""
        if len(self._history) < 2:
            return np.zeros((0, 2), np.float32)
        rows, columns = np.nonzero(self._moved(self._history[-2][1]))
        return np.stack([columns, rows], 1).astype(np.float32) / np.float32(self._scale)

    def shares(self, from_s: float, to_s: float) -> dict[str, float]:
        """The share (0..1) of the motion between two times at each side (S, E, N, W); all equal if nothing moved."""
        total = np.full(4, 6.0, np.float32)
        for at, _, sides in self._history:
            if from_s <= at <= to_s:
                total += sides
        total /= total.sum()
        return dict(zip("SENW", (float(x) for x in total), strict=True))

    def before(self, corners_px: Float32Array, time_s: float) -> Float32Array | None:
        """The last picture before `time_s` in which the place had been still for 0.2 s; None without one."""
        earlier = [(at, picture) for at, picture, _ in self._history if at < time_s]
        for k in range(len(earlier) - 1, 1, -1):
            at_s, picture = earlier[k]
            since = next((p for at, p in reversed(earlier[:k]) if at <= at_s - 1.9 * STEP_S), None)
            if since is not None and self._change(since, picture, corners_px) < UNCHANGED:
                return picture
        return None

    def own_share(
        self, corners_px: Float32Array, others_px: Sequence[Float32Array], before: Float32Array | None
    ) -> float:
        """The share (0..1) of the place that has changed since `before`, outside the cards `others_px`.

        Without `before` the change since the last trick left counts. Even a card that is mostly covered has such a
        share; a box across two cards has none.
        """
        mask = np.zeros(self.picture.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners_px * self._scale).astype(np.int32), 1)
        changed = self._moved(self.bare_table if before is None else before)
        return float((changed & (mask > 0) & self._outside(others_px)).sum()) / max(int(mask.sum()), 1)

    def _outside(self, cards_px: Sequence[Float32Array]) -> BoolArray:
        """Where in the small picture none of the cards `cards_px` lies, (H, W) bool."""
        outside = np.ones(self.picture.shape, np.uint8)
        for card_px in cards_px:
            # Boxes are inexact, so each is widened.
            wide = (card_px.mean(0) + 1.15 * (card_px - card_px.mean(0))) * self._scale
            cv2.fillConvexPoly(outside, np.round(wide).astype(np.int32), 0)
        return np.asarray(outside > 0)

    def looks_as_at(self, corners_px: Float32Array, time_s: float) -> bool:
        """Whether the place looks as it did at `time_s`; False if that is longer ago than pictures are kept."""
        then = next((picture for at, picture, _ in reversed(self._history) if at <= time_s), None)
        return then is not None and self.change(then, corners_px) < UNCHANGED

    def rests(self, corners_px: Float32Array, for_s: float) -> bool:
        """Whether the place has looked the same for `for_s` seconds."""
        now_s = self._history[-1][0]
        lately = [picture for at, picture, _ in self._history if at >= now_s - for_s]
        known = now_s - self._history[0][0] >= for_s
        return known and all(self.change(picture, corners_px) < UNCHANGED for picture in lately)
