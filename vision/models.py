"""The two trained models, run by ONNX Runtime: where cards lie in a frame, and which card a crop shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors

from tracker.cards import CARDS
from vision.arrays import Float32Array, UInt8Array
from vision.errors import VisionError
from vision.letterbox import letterbox
from vision.resources import models_dir
from vision.scene import CROP_CORNERS_PX, NOT_A_CARD, rectify
from vision.views import views

CLASSES = (*CARDS, NOT_A_CARD)
"""The identifier's classes, in the order of its output."""

UNSURE = 0.9
"""A crop whose likeliest card has less than this probability is read again from a little aside."""
ASIDE = ((0.02, 0.0, 1.02), (-0.02, 0.012, 0.98), (0.0, -0.015, 1.03), (0.01, 0.015, 0.97))
"""How a card is cut out otherwise: so far to the right and down, as shares of its sides, and so much larger."""


@dataclass(frozen=True)
class Found:
    """A card in a frame: its full rectangle `corners_px` (4, 2) float32, `face` up or not, score 0..1.

    The corners go round the card and the first side is a short one; which end is up is not known.
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
        """Length of the card's long sides, mean of both."""
        c = self.corners_px
        return float(np.linalg.norm(c[3] - c[0]) + np.linalg.norm(c[2] - c[1])) / 2


# ONNX Runtime's errors share no base class of their own.
_UNUSABLE: tuple[type[Exception], ...] = (
    RuntimeError, ValueError, onnx_errors.Fail, onnx_errors.InvalidProtobuf, onnx_errors.InvalidGraph,
    onnx_errors.InvalidArgument, onnx_errors.NotImplemented, onnx_errors.RuntimeException,
)  # fmt: skip


def _session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    if not path.is_file():
        raise VisionError(f"{path}: the trained model is missing")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except _UNUSABLE as error:
        raise VisionError(f"{path}: not a model that ONNX Runtime can run ({error})") from error


def _input(pictures: Sequence[UInt8Array]) -> Float32Array:
    stack = np.stack(pictures)[:, :, :, ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stack, np.float32) / np.float32(255)


def box_corners(x: float, y: float, width: float, height: float, angle: float) -> Float32Array:
    """The (4, 2) corners of an oriented box, beginning with a short side and going round it.

    `angle` is in rad, clockwise in the picture, as ultralytics gives it.
    """
    if width > height:
        width, height, angle = height, width, angle + np.pi / 2
    c, s = np.cos(angle), np.sin(angle)
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (width, height)
    return np.asarray(unit @ np.array([[c, s], [-s, c]]) + (x, y), np.float32)


class Finder:
    """The oriented-box model: frames in, cards out."""

    def __init__(self, path: Path | None = None, threads: int = 1):
        """Load `path` (default: the shipped weights); raises `VisionError` when it cannot be run."""
        self._session = _session(path or models_dir() / "finder.onnx", threads)
        self._name = self._session.get_inputs()[0].name
        shape = self._session.get_inputs()[0].shape
        self.size = (int(shape[3]), int(shape[2]))

    def find(self, frame: UInt8Array, least_score: float = 0.35) -> list[Found]:
        """Cards in `frame` (H, W, 3) uint8 BGR, in frame px, best first, each card once.

        A frame higher than wide (a phone held upright) is looked at lying down: it fills the input better.
        """
        upright = frame.shape[0] > frame.shape[1]
        seen = cv2.rotate(frame, cv2.ROTATE_90_COUNTERCLOCKWISE) if upright else frame
        picture, scale, offset = letterbox(seen.astype(np.uint8, copy=False), self.size)
        rows = self._session.run(None, {self._name: _input([picture])})[0][0]
        found: list[Found] = []
        for x, y, width, height, score, kind, angle in rows[np.argsort(-rows[:, 4])]:
            if score < least_score:
                break
            corners = (box_corners(x, y, width, height, angle) - offset) / np.float32(scale)
            if upright:
                corners = np.stack([frame.shape[1] - corners[:, 1], corners[:, 0]], axis=1)
            if not any(_same_place(corners, other.corners_px) for other in found):
                found.append(Found(corners.astype(np.float32), bool(kind == 0), float(score)))
        return found


def _same_place(a: Float32Array, b: Float32Array) -> bool:
    """Whether two boxes are one card found twice, as the end-to-end head sometimes does."""
    near = np.linalg.norm(a.mean(0) - b.mean(0)) < 0.16 * np.linalg.norm(b[3] - b[0])
    return bool(near) and overlap(a, b) > 0.6


def overlap(a: Float32Array, b: Float32Array) -> float:
    """Intersection over union of two convex quadrilaterals, each (4, 2) px."""
    inter, _ = cv2.intersectConvexConvex(a, b)
    union = cv2.contourArea(a) + cv2.contourArea(b) - inter
    return float(inter / union) if union > 0 else 0.0


class Identifier:
    """The classifier: crops in, a probability for each of `CLASSES` out."""

    def __init__(self, path: Path | None = None, threads: int = 1):
        """Load `path` (default: the shipped weights); raises `VisionError` when it cannot be run."""
        self._session = _session(path or models_dir() / "identifier.onnx", threads)
        self._name = self._session.get_inputs()[0].name

    def read(self, crops: Sequence[UInt8Array]) -> tuple[Float32Array, Float32Array]:
        """Probabilities (N, 79) and embeddings (N, E), float32, of N square BGR crops of `CROP_PX` px."""
        if not crops:
            return np.zeros((0, len(CLASSES)), np.float32), np.zeros((0, 1), np.float32)
        probabilities, embeddings = self._session.run(
            None, {self._name: _input([views(crop) for crop in crops])}
        )
        return probabilities, embeddings

    def read_both(self, crops: Sequence[UInt8Array]) -> tuple[Float32Array, Float32Array]:
        """Probabilities (N, 79) of N crops, each read both ways up, and the embeddings (N, 2, E) of the two.

        What is unsure then is read once more from each of `ASIDE`, and all its readings count alike: a blurred
        or half covered index that is misread in one place of the network's grid is seldom misread in five.
        """
        probabilities, embeddings = self.read(both_ways(crops))
        readings = probabilities.reshape(len(crops), 2, len(CLASSES))
        merged = _agreed(readings)
        unsure = np.flatnonzero(merged.max(1, initial=0.0) < UNSURE)
        if len(unsure):
            again = [rectify(crops[int(i)], aside(CROP_CORNERS_PX, *off)) for i in unsure for off in ASIDE]
            more = self.read(both_ways(again))[0].reshape(len(unsure), 2 * len(ASIDE), len(CLASSES))
            merged[unsure] = _agreed(np.concatenate([readings[unsure], more], axis=1))
        return merged, embeddings.reshape(len(crops), 2, embeddings.shape[-1])

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of the N cards at `corners_px` in `frame`."""
        return self.read_both([rectify(frame, corners) for corners in corners_px])[0]


def _agreed(probabilities: Float32Array) -> Float32Array:
    """What K readings of each of N crops, (N, K, 79), say together: the mean of their logarithms, as (N, 79)."""
    logs = np.log(np.maximum(probabilities, 1e-6)).mean(1)
    merged = np.exp(logs - logs.max(1, keepdims=True, initial=-100.0))
    return np.asarray(merged / merged.sum(1, keepdims=True), np.float32)


def aside(corners_px: Float32Array, right: float, down: float, size: float) -> Float32Array:
    """The corners (4, 2) px of what is cut out a little aside of the card at `corners_px` (see `ASIDE`)."""
    middle = corners_px.mean(0)
    off = right * (corners_px[1] - corners_px[0]) + down * (corners_px[3] - corners_px[0])
    return np.asarray(middle + off + size * (corners_px - middle), np.float32)


def both_ways(crops: Sequence[UInt8Array]) -> list[UInt8Array]:
    """Each crop, and each turned by half a turn after it: a card has no up."""
    return [way for crop in crops for way in (crop, np.ascontiguousarray(crop[::-1, ::-1]))]
