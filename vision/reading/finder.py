"""The finder: where cards lie in a frame."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.picture import overlap, share_within
from vision.reading.letterbox import letterbox
from vision.reading.network import as_input, open_network, shipped_network

SAME_CARD = 0.5
"""IoU from which two boxes are of one card. Two cards of a row, of which the lower shows 35 %, have 0.48."""
ALIKE = 0.8
"""IoU with a better box above which a box tells the same place."""
CROSSED_DEG, CROSSED_SCORE = 20.0, 0.5
"""From which turn against a better box, in degrees, and from which score a box below `ALIKE` is of another card.

Two cards that lie across one another on a heap have an IoU of up to 0.6. Worse boxes so turned lie across cards.
"""
SMALLER, INSIDE = 0.8, 0.85
"""When a box is of part of a card that a better box has whole: all cards on a table have one size.

Its area is below the first share of the better one's, and the second share of it lies inside the better one.
"""
MOST_BOXES = 600
"""The most boxes that are compared with one another."""


@dataclass(frozen=True)
class Found:
    """A card in a frame: its whole rectangle `corners_px` (4, 2) float32, whether it is `face` up, its score (0..1).

    The corners go round the card, a short side first. Which end is up is unknown.
    """

    corners_px: Float32Array
    face: bool
    score: float

    @property
    def center_px(self) -> Float32Array:
        """The (2,) middle of the card."""
        return np.asarray(self.corners_px.mean(0), np.float32)

    @property
    def height_px(self) -> float:
        """The mean length of the card's two long sides, in px."""
        c = self.corners_px
        return float(np.linalg.norm(c[3] - c[0]) + np.linalg.norm(c[2] - c[1])) / 2


def box_corners(x: float, y: float, width: float, height: float, angle: float) -> Float32Array:
    """The (4, 2) corners of an oriented box, going round it, a short side first.

    `angle` is in rad, clockwise in the picture, as ultralytics gives it.
    """
    if width > height:
        width, height, angle = height, width, angle + np.pi / 2
    c, s = np.cos(angle), np.sin(angle)
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (width, height)
    return np.asarray(unit @ np.array([[c, s], [-s, c]]) + (x, y), np.float32)


class Finds(Protocol):
    """What finds cards: a `Finder`, or something built on one."""

    def find(self, frame: UInt8Array, least_score: float) -> list[Found]:
        """Cards in `frame` (H, W, 3) uint8 BGR that score at least `least_score`, in frame px, best first."""
        ...


class Proposes(Finds, Protocol):
    """A finder that also gives all the boxes that it chooses from: a `Finder`, or something built on one.

    `size` is the (width, height) in px of its input.
    """

    size: tuple[int, int]

    def propose(self, frame: UInt8Array, least_score: float) -> list[Found]:
        """All boxes in `frame` that may be cards and score at least `least_score`, best first."""
        ...


class Finder:
    """The oriented-box model: frames in, cards out."""

    def __init__(self, path: Path | None = None, threads: int = 1):
        """Load `path` (default: the shipped weights); raises `VisionError` when it cannot be run."""
        self._session = open_network(path or shipped_network("finder"), threads)
        self._name = self._session.get_inputs()[0].name
        shape = self._session.get_inputs()[0].shape
        self.size = (int(shape[3]), int(shape[2]))

    def find(self, frame: UInt8Array, least_score: float = 0.35) -> list[Found]:
        """Cards in `frame` (H, W, 3) uint8 BGR, in frame px, best first, each card once."""
        return each_card(self.propose(frame, least_score))

    def propose(self, frame: UInt8Array, least_score: float) -> list[Found]:
        """All boxes in `frame` that may be cards, best first: several for each card, and some across two.

        Of boxes with an IoU above `ALIKE` only the best is given. An upright frame, as of a phone, is turned first:
        lying down it fills the input better.
        """
        upright = frame.shape[0] > frame.shape[1]
        seen = cv2.rotate(frame, cv2.ROTATE_90_COUNTERCLOCKWISE) if upright else frame
        picture, scale, offset = letterbox(seen.astype(np.uint8, copy=False), self.size)
        output = self._session.run(None, {self._name: as_input([picture])})[0][0]
        rows = _best_rows(output, least_score)
        found: list[Found] = []
        for x, y, width, height, score, kind, angle in rows[np.argsort(-rows[:, 4])]:
            corners = (box_corners(x, y, width, height, angle) - offset) / np.float32(scale)
            if upright:
                corners = np.stack([frame.shape[1] - corners[:, 1], corners[:, 0]], axis=1)
            found.append(Found(corners.astype(np.float32), bool(kind == 0), float(score)))
        return found


def each_once(boxes: Iterable[Found], are_one: Callable[[Found, Found], bool]) -> list[Found]:
    """`boxes`, best first, without those that are of one card with a better box, as `are_one` tells."""
    kept: list[Found] = []
    for box in boxes:
        if not any(are_one(box, better) for better in kept):
            kept.append(box)
    return kept


def each_card(boxes: Iterable[Found]) -> list[Found]:
    """`boxes`, best first, without those of the card of a better one, or of part of it."""
    return each_once(
        boxes,
        lambda box, better: are_in_one_place(box, better) or is_part(box.corners_px, better.corners_px),
    )


def are_in_one_place(box: Found, better: Found) -> bool:
    """Whether a box is where the card of a `better` one lies, and not across it."""
    if overlap(box.corners_px, better.corners_px) <= SAME_CARD:
        return False
    return box.score < CROSSED_SCORE or not are_crossed(box.corners_px, better.corners_px)


def are_crossed(one_px: Float32Array, other_px: Float32Array) -> bool:
    """Whether two boxes (4, 2) lie across one another, and not in nearly one place."""
    one, other = (px[3] - px[0] + px[2] - px[1] for px in (one_px, other_px))
    across = float(one[0] * other[1] - one[1] * other[0])
    turn_deg = float(np.degrees(np.arctan2(abs(across), abs(float(one @ other)))))
    return turn_deg >= CROSSED_DEG and overlap(one_px, other_px) <= ALIKE


def _best_rows(places: Float32Array, least_score: float) -> Float32Array:
    """The rows (N, 7) of the best boxes: x, y, width, height, score, class, angle.

    `places` (7, A) has x, y, width, height, the scores of face and back, and the angle at each of the A places of the
    network's grid. Many places see the same card: of boxes with an IoU above `ALIKE` only the best stays.
    """
    scores = places[4:6].max(0)
    chosen = np.flatnonzero(scores >= least_score)
    chosen = chosen[np.argsort(-scores[chosen])][:MOST_BOXES]
    x, y, width, height = (places[k, chosen] for k in range(4))
    rows = np.column_stack(
        [x, y, width, height, scores[chosen], places[4:6, chosen].argmax(0), places[6, chosen]]
    )
    boxes = [((r[0], r[1]), (r[2], r[3]), np.degrees(r[6])) for r in rows.tolist()]
    kept = cv2.dnn.NMSBoxesRotated(boxes, rows[:, 4].tolist(), least_score, ALIKE)
    return np.asarray(rows[np.array(kept, np.intp)], np.float32)


def is_part(corners_px: Float32Array, whole_px: Float32Array) -> bool:
    """Whether a box is of part of the card at `whole_px`: smaller, and nearly all of it inside."""
    area, whole = cv2.contourArea(corners_px), cv2.contourArea(whole_px)
    return area < SMALLER * whole and share_within(corners_px, whole_px) > INSIDE
