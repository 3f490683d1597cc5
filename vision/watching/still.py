"""The cards in a single picture, read as if a camera watched a table on which nothing moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.errors import VisionError
from vision.reading.corners import LooksClosely
from vision.reading.finder import Finds, Found
from vision.reading.identifier import CLASSES
from vision.watching.attention import FAINTEST
from vision.watching.decision import Decided, decide
from vision.watching.sightings import PATIENCE_S, SURE, TOLD
from vision.watching.tracking import SightingTracker
from vision.watching.votes import Names

FRAMES_PER_S = 10
"""Rate at which the picture is read again and again, as if a camera sent it."""

HALF_PX = np.float32(0.5)
"""What turns OpenCV's px, counted from the middle of the first pixel, into px from the picture's upper left corner."""

NAMES_TOLD = 3
"""How many names are told of each card."""

FACE_SIDE, BACK_SIDE, UNKNOWN_SIDE = "face", "back", "unknown"


@dataclass(frozen=True)
class DetectedCard:
    """A card in a picture.

    `corners_px` (4, 2) go round the card. Their origin is the picture's upper left corner, so the middle of the first
    pixel is at (0.5, 0.5). `side` is the side that is up: face, back or unknown; the table would book nothing of an
    unknown side. `score` (0..1) is the finder's. `names` are the three likeliest cards with their probabilities; a
    back has none.
    """

    corners_px: Float32Array
    side: str
    score: float
    names: tuple[tuple[str, float], ...]

    @property
    def is_sure(self) -> bool:
        """Whether its name would be booked at the table without a question."""
        return bool(self.names) and self.names[0][1] >= SURE


def read_photo(path: Path) -> UInt8Array:
    """The picture in `path`, (H, W, 3) uint8 BGR, with the rotation in its EXIF data applied.

    Raises `VisionError` naming the file when it is missing or cannot be decoded.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise VisionError(f"{path}: {error.strerror}") from error
    try:
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    except cv2.error:  # larger than OpenCV takes
        picture = None
    if picture is None:
        raise VisionError(f"{path}: not a picture that can be read")
    return picture.astype(np.uint8, copy=False)


def detected_cards(
    picture: UInt8Array, finder: Finds, identifier: Names, close: LooksClosely | None = None
) -> list[DetectedCard]:
    """The cards in `picture` (H, W, 3) uint8 BGR, best score first.

    Sightings and sure names are told as at the table. What each sighting is, is decided for all of them together.
    """
    tracker = lying_still(picture, finder.find(picture, FAINTEST), identifier, close)
    sightings = sorted(tracker.sightings, key=lambda sighting: -sighting.best_score)
    told = [(decided, _side(decided)) for decided in decide(sightings)]
    return [_told(decided, side) for decided, side in told if side is not None]


def lying_still(
    picture: UInt8Array, found: Sequence[Found], identifier: Names, close: LooksClosely | None
) -> SightingTracker:
    """The cards `found` in a picture, followed as if a camera sent that picture again and again.

    It is sent until the table would book what cannot be surely named as doubtful.
    """
    tracker = SightingTracker(_ReadOnce(identifier), close)
    for frame in range(round(PATIENCE_S * FRAMES_PER_S) + 2):
        tracker.update(picture, found, frame / FRAMES_PER_S)
    return tracker


class _ReadOnce:
    """An identifier for a picture that stays the same: it reads the same corners only once."""

    def __init__(self, identifier: Names) -> None:
        self._identifier = identifier
        self._rows: dict[bytes, Float32Array] = {}

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of the N cards at `corners_px` in `frame`."""
        new = {key: c for c in corners_px if (key := c.tobytes()) not in self._rows}
        if new:
            self._rows |= dict(zip(new, self._identifier.name(frame, list(new.values())), strict=True))
        return np.stack([self._rows[c.tobytes()] for c in corners_px])


def _side(decided: Decided) -> str | None:
    """The side that is told of a card; None for a second box, and for what is likelier no card."""
    if decided.is_second:
        return None
    if decided.face > TOLD:
        return FACE_SIDE
    if decided.back > 0.5:
        return BACK_SIDE
    return UNKNOWN_SIDE if decided.none < 0.5 else None


def _told(decided: Decided, side: str) -> DetectedCard:
    likeliest = [] if side == BACK_SIDE else [int(i) for i in np.argsort(-decided.names)[:NAMES_TOLD]]
    names = tuple((CLASSES[i], float(decided.names[i])) for i in likeliest)
    sighting = decided.sighting
    return DetectedCard(sighting.corners_px + HALF_PX, side, sighting.best_score, names)


def as_json(cards: Sequence[DetectedCard]) -> list[Mapping[str, object]]:
    """`cards` as `tarok look --format json` prints them: corners to 0.01 px, probabilities to 0.0001."""
    return [
        {
            "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in card.corners_px],
            "side": card.side,
            "score": round(card.score, 4),
            "names": [[name, round(chance, 4)] for name, chance in card.names],
        }
        for card in cards
    ]
