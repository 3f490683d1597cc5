"""Figures and advice for the health line: how well camera and models see, and what a person should fix."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.decks import CARD_MM
from vision.picture import half_gray, rectify, sharpness_of

CHECK_S = 0.5
"""Seconds between two checks of the camera and the light."""
CONFIRMED = 3
"""Checks in a row that must agree, so that a passing hand is not reported."""
SAID_S = 8.0
"""Seconds for which a change is reported."""
MOVED_SHARE = 0.015
"""Shift of the table from which the camera counts as moved, as a share of the picture's width."""
LIGHT_STEP = 0.25
"""Change in the natural log of a colour's brightness, overall or uneven, from which the light counts as changed."""

LEAST_CARD_PX = 80
"""Height of a card in px below which its index can hardly be read. The models were trained from 95 px."""
MOST_TILT_DEG = 38
"""Tilt of the camera from straight above from which advice is given. The models were trained up to 35 degrees."""
BLACK = 12
"""Mean brightness of a picture (0..255) below which nothing can be seen in it."""
BLURRED = 0.115
"""Focus (see `View`) below which cards begin to be misread: in four decks a blur of 2 px on a crop of 128 px."""
CARDS_TOLD, CARDS_TILT = 3, 5
"""How many cards in different places tell the view, and how many its tilt."""

_FOCUS_PX = 128
_WIDTH = 480
_LEAST_POINTS = 40
_CELLS = (8, 5)
_STEADY_CELLS = 6


@dataclass(frozen=True)
class Health:
    """How well the camera and models see.

    `latency_s` is the time from picture to result. `sharpness` is as in `vision.picture.sharpness_of`, `brightness`
    is the picture's mean (0..255), `cards` the number of cards in view. `advice` has keys of what a person should fix.
    `blind` means that a card played now would be missed: the lens is covered or the picture is black.
    """

    frames_per_s: float
    latency_s: float
    sharpness: float
    brightness: float
    cards: int
    advice: tuple[str, ...]
    blind: bool = False


class HealthMeter:
    """Health over the last 30 frames."""

    def __init__(self) -> None:
        self._spent_s: list[float] = []
        self._times_s: list[float] = []
        self._stability = Stability()

    def update(self, frame: UInt8Array, time_s: float, spent_s: float, cards: int) -> Health:
        """The health after `frame` (H, W, 3) uint8 BGR at `time_s`: `cards` were found in it, within `spent_s`."""
        self._spent_s = [*self._spent_s[-29:], spent_s]
        self._times_s = [*self._times_s[-29:], time_s]
        gray = half_gray(frame)
        light, spread = (float(told[0, 0]) for told in cv2.meanStdDev(gray))
        elapsed = self._times_s[-1] - self._times_s[0]
        rate = (len(self._times_s) - 1) / elapsed if elapsed > 0 else 0.0
        spent = float(np.median(self._spent_s))
        advice = self._stability.advice(frame, time_s)
        dark = light < 35 and float(np.percentile(gray, 99)) < 120
        if not dark and spread < 4:
            advice.add("blocked")
        blind = "blocked" in advice or light < BLACK
        if dark:
            advice = (advice - {"blocked"}) | {"dark"}
        if spent > 0.2:
            advice.add("slow")
        return Health(rate, spent, sharpness_of(gray), light, cards, tuple(sorted(advice)), blind)


class Stability:
    """Whether the camera was moved, the light changed or the lens was covered.

    The camera is judged by matched feature points: a hand or a card hides a few, but a pushed camera shifts all
    alike. A plain cloth has no such points, so it tells nothing. The light is judged by the median over many places,
    since hands and cards change only some of them.
    """

    def __init__(self) -> None:
        self._orb = cv2.ORB.create(nfeatures=400, nlevels=3)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
        self._next_s = float("-inf")
        self._points: Float32Array | None = None
        self._marks: UInt8Array | None = None
        self._light: Float32Array | None = None
        self._busy: Float32Array | None = None
        self._suspected: dict[str, int] = {}
        self._shift_px = np.zeros(2)
        self._said_until_s: dict[str, float] = {}

    def advice(self, frame: UInt8Array, time_s: float) -> set[str]:
        """Check `frame` (H, W, 3) uint8 BGR at `time_s`; returns which of "moved", "light", "blocked" to report now."""
        if time_s >= self._next_s:
            self._next_s = time_s + CHECK_S
            height = round(_WIDTH * frame.shape[0] / frame.shape[1])
            small = cv2.resize(frame, (_WIDTH, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
            camera = self._camera(small)
            light = None if camera else self._lamp(small)
            for key in ("moved", "blocked", "light"):
                self._suspected[key] = self._suspected.get(key, 0) + 1 if key in (camera, light) else 0
                if self._suspected[key] >= CONFIRMED:
                    self._said_until_s[key] = time_s + SAID_S
                    if key != "blocked":  # the change is the new normal
                        self._points = self._light = None
                        self._suspected[key] = 0
        return {key for key, until_s in self._said_until_s.items() if time_s < until_s}

    def _camera(self, small: UInt8Array) -> str | None:
        gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        found, raw_marks = self._orb.detectAndCompute(gray, None)
        marks = np.asarray(raw_marks if found else np.zeros((0, 32)), np.uint8)
        points = np.array([point.pt for point in found], np.float32).reshape(-1, 2)
        if self._is_covered(points, small.shape[0]):
            return "blocked"
        before, before_marks = self._points, self._marks
        if before is None or before_marks is None or len(before) < _LEAST_POINTS:
            self._points, self._marks = points, marks
            return None
        if not len(points):
            return None
        pairs = [pair for pair in self._matcher.match(before_marks, marks) if pair.distance < 50]
        if not pairs:
            return None
        old = before[[pair.queryIdx for pair in pairs]]
        new = points[[pair.trainIdx for pair in pairs]]
        stayed = int((np.linalg.norm(new - old, axis=1) < 0.5 * MOVED_SHARE * _WIDTH).sum())
        motion, kept = cv2.estimateAffinePartial2D(old, new, method=cv2.RANSAC, ransacReprojThreshold=2.5)
        agree = int(kept.sum()) if motion is not None else 0
        if motion is None or agree < 20 or stayed >= 0.5 * agree:
            if stayed >= 20:
                self._points, self._marks = points, marks
            return None
        middle = np.array([_WIDTH / 2, small.shape[0] / 2])
        moved_px = motion[:, :2] @ middle + motion[:, 2] - middle
        wide = np.ptp(old[kept.ravel() > 0], axis=0).max() > 0.4 * _WIDTH
        turned = abs(np.arctan2(motion[1, 0], motion[0, 0])) > 0.03
        if not wide or not (turned or np.linalg.norm(moved_px) > MOVED_SHARE * _WIDTH):
            return None
        same = np.linalg.norm(moved_px - self._shift_px) < 3.0
        self._shift_px = moved_px
        if not same:  # still moving, or a false match: count from the start
            self._suspected["moved"] = 0
        return "moved"

    def _is_covered(self, points: Float32Array, height: int) -> bool:
        """Whether points that were long stable, in cells all over the picture, vanished all at once.

        Cards and hands on a plain cloth take their points with them, too. But these points were not stable for long,
        or they do not leave all at once. Points elsewhere show that the lens is free.
        """
        columns, rows = _CELLS
        seen = np.zeros((rows, columns), np.float32)
        cells = (points / (_WIDTH, height) * _CELLS).astype(int).clip(0, (columns - 1, rows - 1))
        seen[cells[:, 1], cells[:, 0]] = 1.0
        if self._busy is None:
            self._busy = 0.5 * seen
        stable = self._busy > 0.9
        if stable.sum() >= _STEADY_CELLS and not seen[stable].any() and seen.sum() <= 2:
            return True
        self._busy = np.asarray(0.9 * self._busy + 0.1 * seen, np.float32)
        return False

    def _lamp(self, small: UInt8Array) -> str | None:
        places = cv2.resize(small, (24, 14), interpolation=cv2.INTER_AREA).astype(np.float32)
        light = np.log(places + 8)
        if self._light is None:
            self._light = light
            return None
        change = light - self._light
        common = np.median(change, axis=(0, 1))
        uneven = float(np.median(np.abs(change - common)))
        if float(np.abs(common).max()) > LIGHT_STEP or uneven > 0.6 * LIGHT_STEP:
            return "light"
        # Slow changes, as of daylight, are followed and not reported.
        self._light = np.asarray(self._light + 0.05 * change, np.float32)
        return None


@dataclass(frozen=True)
class View:
    """How the cards appear: their height in px, the camera's tilt from straight above in degrees, and `focus`.

    Focus is the share (0..1) of a card's contrast that lies in its finest detail. `unread`: the deck cannot be read.
    """

    card_px: float
    tilt_deg: float
    focus: float
    unread: bool = False

    @property
    def advice(self) -> tuple[str, ...]:
        """Keys of what a person should fix: "unread", "far", "leaning", "blurred"."""
        faults = {
            "unread": self.unread,
            "far": self.card_px < LEAST_CARD_PX,
            "leaning": self.tilt_deg > MOST_TILT_DEG,
            "blurred": self.focus < BLURRED,
        }
        return tuple(key for key, present in faults.items() if present)


class CardScale:
    """Scale, tilt and focus of the table, measured without markers by its cards, which are taken to be 61 x 112 mm.

    Measuring begins before the first hand, with the cards of the set-up or of the deal.
    """

    def __init__(self) -> None:
        self._next_s = float("-inf")
        # By place in the picture, newest last: px per mm as a (2, 2) matrix, and the focus.
        self._seen: dict[tuple[int, int], tuple[Float32Array, float]] = {}

    def measure(self, frame: UInt8Array, time_s: float, cards: Iterable[Float32Array]) -> View | None:
        """The view after `frame` (H, W, 3) uint8 BGR at `time_s`; None until enough cards were seen.

        `cards` are the corners (4, 2) px of the cards that lie open in it.
        """
        if time_s >= self._next_s:
            self._next_s = time_s + CHECK_S
            for corners in cards:
                x, y = (corners.mean(0) / 25).astype(int)
                self._seen.pop((x, y), None)
                self._seen[x, y] = _px_per_mm(corners), focus_of(frame, corners)
            while len(self._seen) > 12:
                del self._seen[next(iter(self._seen))]
        if len(self._seen) < CARDS_TOLD:
            return None
        scales = np.array([scale for scale, _ in self._seen.values()])
        return View(
            float(np.median(np.sqrt(np.abs(np.linalg.det(scales))))) * CARD_MM[1],
            _tilt_deg(scales) if len(scales) >= CARDS_TILT else 0.0,
            float(np.median([focus for _, focus in self._seen.values()])),
        )


def _tilt_deg(scales: Float32Array) -> float:
    """The camera's tilt from straight above in degrees, by the `scales` (N, 2, 2) of cards."""
    areas = np.abs(np.linalg.det(scales))
    # A card's matrix times its transpose does not depend on the card's rotation on the table.
    table = (scales @ scales.transpose(0, 2, 1) / areas[:, None, None]).mean(0)
    least, most = np.linalg.eigvalsh(table)
    return float(np.degrees(np.arccos(np.sqrt(least / most))))


def _px_per_mm(corners: Float32Array) -> Float32Array:
    """The (2, 2) matrix from mm on the card to px; the first side of `corners` (4, 2) px is a short one."""
    a, b, c, d = corners
    return np.asarray(
        np.stack([(b - a + c - d) / CARD_MM[0], (d - a + c - b) / CARD_MM[1]], 1) / 2, np.float32
    )


def focus_of(frame: UInt8Array, corners: Float32Array) -> float:
    """The focus (see `View`) at a card's `corners` (4, 2) px in `frame` (H, W, 3)."""
    card = rectify(frame, corners, _FOCUS_PX)
    gray = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY).astype(np.float32)[10:-10, 10:-10]
    return float((gray - cv2.GaussianBlur(gray, (0, 0), 1.5)).std() / max(float(gray.std()), 1.0))
