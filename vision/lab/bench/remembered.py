"""The networks' answers to a film, kept in a file: watched again, only the decisions are new.

The key of an answer is a hash of its question: the network's weights, the picture, and the places to look at.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from tracker.files import PUBLIC, replace_file
from vision.arrays import Float32Array, UInt8Array
from vision.errors import VisionError
from vision.reading.corners import PASSES, CloseLook, LooksClosely
from vision.reading.finder import Found, Proposes, each_card
from vision.reading.identifier import CLASSES
from vision.watching.votes import Names

# Numbers in a row: 8 of corners, face and score; 8 of corners, 4 spreads and 3 sides; the classes' probabilities.
_FOUND, _LOOK, _NAMES = 10, 15, len(CLASSES)
_EACH = 4  # every fourth row and column of a picture goes into the hash


class Answers:
    """The networks' answers to one film. `asked` counts the questions to which no answer was kept."""

    def __init__(self, path: Path):
        """Read the answers in the file at `path`, if there is one; raises `VisionError` when it has something else."""
        self._path, self.asked = path, 0
        try:
            kept = path.read_bytes() if path.exists() else msgspec.msgpack.encode({})
            self._rows = msgspec.msgpack.decode(kept, type=dict[bytes, bytes])
        except (OSError, msgspec.MsgspecError) as error:
            raise VisionError(f"{path}: cannot be read as answers of the networks") from error

    def rows(
        self, asked: bytes, frame: UInt8Array, about: bytes, wide: int, answer: Callable[[], Float32Array]
    ) -> Float32Array:
        """The answer to the question `asked` of `frame` (H, W, 3) uint8 `about` some places: rows (N, `wide`) float32.

        Where none is kept, `answer` is called.
        """
        key = hashlib.blake2b(asked + f" {frame.shape}".encode() + about, digest_size=16)
        key.update(frame[::_EACH, ::_EACH].tobytes())
        if key.digest() not in self._rows:
            self.asked += 1
            self._rows[key.digest()] = answer().astype(np.float32).tobytes()
        return np.frombuffer(self._rows[key.digest()], np.float32).reshape(-1, wide).copy()

    def keep(self) -> None:
        """Write the file, if there is a new answer; raises `VisionError` when it cannot be written."""
        if self.asked:
            try:
                replace_file(self._path, msgspec.msgpack.encode(self._rows), PUBLIC)
            except OSError as error:
                raise VisionError(f"{self._path}: cannot be written ({error.strerror})") from error


class RememberedFinder:
    """A finder whose answers are kept; `weights` are the files that it was loaded from."""

    def __init__(self, finder: Proposes, answers: Answers, weights: Sequence[Path]):
        self._finder, self._answers, self.size = finder, answers, finder.size
        self._network = _digest(weights)

    def find(self, frame: UInt8Array, least_score: float) -> list[Found]:
        """As the finder itself."""
        return each_card(self.propose(frame, least_score))

    def propose(self, frame: UInt8Array, least_score: float) -> list[Found]:
        """As the finder itself."""

        def answer() -> Float32Array:
            found = self._finder.propose(frame, least_score)
            rows = [[*card.corners_px.ravel(), float(card.face), card.score] for card in found]
            return np.array(rows, np.float32).reshape(-1, _FOUND)

        question = self._network + f"propose {least_score}".encode()
        rows = self._answers.rows(question, frame, b"", _FOUND, answer)
        return [Found(row[:8].reshape(4, 2), bool(row[8]), float(row[9])) for row in rows]


class RememberedCorners:
    """A corner network whose answers are kept; `weights` as of `RememberedFinder`."""

    def __init__(self, corners: LooksClosely, answers: Answers, weights: Sequence[Path]):
        self._corners, self._answers = corners, answers
        self._network = _digest(weights)

    def close_looks(
        self, frame: UInt8Array, rough_px: Sequence[Float32Array], passes: int = PASSES
    ) -> list[CloseLook]:
        """As the network itself."""

        def answer() -> Float32Array:
            looks = self._corners.close_looks(frame, rough_px, passes)
            rows = [[*look.corners_px.ravel(), *look.spread, *look.sides] for look in looks]
            return np.array(rows, np.float32).reshape(-1, _LOOK)

        question = self._network + f"corners {passes}".encode()
        rows = self._answers.rows(question, frame, _places(rough_px), _LOOK, answer)
        return [CloseLook(row[:8].reshape(4, 2), row[8:12], row[12:]) for row in rows]


class RememberedNames:
    """An identifier whose answers are kept; `weights` as of `RememberedFinder`, with those of a taught deck."""

    def __init__(self, identifier: Names, answers: Answers, weights: Sequence[Path]):
        self._identifier, self._answers = identifier, answers
        self._network = _digest(weights)

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """As the identifier itself."""
        return self._answers.rows(
            self._network,
            frame,
            _places(corners_px),
            _NAMES,
            lambda: self._identifier.name(frame, corners_px),
        )


def _digest(weights: Sequence[Path]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for path in weights:
        digest.update(path.read_bytes())
    return digest.digest()


def _places(corners_px: Sequence[Float32Array]) -> bytes:
    return np.asarray(corners_px, np.float32).tobytes()
