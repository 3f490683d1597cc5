"""The cards in a single picture, read as a camera would read a table on which nothing moves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.arrays import Float32Array, UInt8Array
from vision.errors import VisionError
from vision.reading.corners import LooksClosely
from vision.reading.finder import Finds, Found
from vision.reading.identifier import CLASSES
from vision.watching.attention import FAINTEST
from vision.watching.parts import is_second_box
from vision.watching.sightings import (
    ALONE_WORTH,
    FAINT,
    PATIENCE_S,
    STILL_S,
    SURE,
    Names,
    Sighting,
    SightingTracker,
)

FRAMES_PER_S = 10
"""Rate at which the picture is read repeatedly, as if a camera sent it."""

HALF_PX = np.float32(0.5)
"""Offset in px from OpenCV's origin, the middle of the first pixel, to the picture's upper left corner."""

NAMES_TOLD = 3
"""How many names are told of each card."""

FACE_SIDE, BACK_SIDE, UNKNOWN_SIDE = "face", "back", "unknown"


@dataclass(frozen=True)
class DetectedCard:
    """A card in a picture.

    `corners_px` (4, 2) go round the card. Their origin is the picture's upper left corner, so the middle of the
    first pixel is at (0.5, 0.5). `side` is the side that is up: face, back or unknown. Unknown is what would not be
    booked at the table: a box across two cards, paper, anything unclear. `score` (0..1) is the finder's. `names` are
    the three likeliest cards with their probabilities; a back has none.
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

    Sightings, names and what makes a name sure are those of the table. There it is also known how a card came, so that
    boxes across cards can be told by that; here they are told by their score.
    """
    booked: dict[int, DetectedCard] = {}
    sightings: list[Sighting] = []
    for time_s, sightings in lying_still(picture, finder.find(picture, FAINTEST), identifier, close):
        # At the table a surely named face is booked at once, so later frames cannot change it.
        for sighting in sightings:
            if _is_a_face(sighting) and sighting.still_for(time_s) >= STILL_S and sighting.is_sure():
                booked.setdefault(sighting.number, _told(sighting, FACE_SIDE))
    sightings = sorted(sightings, key=lambda s: -s.best_score)
    faces = [s for s in sightings if s.number in booked or _is_a_face(s)]
    once = _each_once(faces)
    cards = []
    for sighting in sightings:
        face = sighting in faces
        if face and sighting not in once:
            continue  # a second box on one of them
        if sighting.is_back():
            cards.append(_told(sighting, BACK_SIDE))
        elif face and _is_believed(sighting, once):
            cards.append(booked.get(sighting.number) or _told(sighting, FACE_SIDE))
        elif face or float(sighting.probabilities()[len(CARDS)]) < SURE:
            # What reads surely as no card is paper, say, and is not told at all.
            cards.append(_told(sighting, UNKNOWN_SIDE))
    return named_once(cards)


def lying_still(
    picture: UInt8Array, found: Sequence[Found], identifier: Names, close: LooksClosely | None
) -> Iterator[tuple[float, list[Sighting]]]:
    """The sightings of the cards `found` in a picture that stays the same, after each frame, with its time in s.

    It stays until what cannot be surely named would be booked as doubtful.
    """
    tracker = SightingTracker(_ReadOnce(identifier), close)
    for frame in range(round(PATIENCE_S * FRAMES_PER_S) + 2):
        tracker.update(picture, found, frame / FRAMES_PER_S)
        yield frame / FRAMES_PER_S, tracker.sightings


class _ReadOnce:
    """An identifier for an unchanging picture: it reads the same corners only once."""

    def __init__(self, identifier: Names) -> None:
        self._identifier = identifier
        self._rows: dict[bytes, Float32Array] = {}

    def name(self, frame: UInt8Array, corners_px: Sequence[Float32Array]) -> Float32Array:
        """Probabilities (N, 79) of the N cards at `corners_px` in `frame`."""
        new = {key: c for c in corners_px if (key := c.tobytes()) not in self._rows}
        if new:
            self._rows |= dict(zip(new, self._identifier.name(frame, list(new.values())), strict=True))
        return np.stack([self._rows[c.tobytes()] for c in corners_px])


def _is_a_face(sighting: Sighting) -> bool:
    return sighting.face and sighting.looks >= 2


def _is_believed(sighting: Sighting, faces: Sequence[Sighting]) -> bool:
    """Whether one of the `faces` is told as one: what is hardly found must be surely named, and alone in that name."""
    if sighting.best_score >= FAINT:
        return True
    name = _likeliest(sighting)
    return sighting.is_sure() and not any(_likeliest(s) == name for s in faces if s is not sighting)


def _likeliest(sighting: Sighting) -> int:
    return int(sighting.probabilities(ALONE_WORTH)[: len(CARDS)].argmax())


def _told(sighting: Sighting, side: str) -> DetectedCard:
    chances = sighting.probabilities(ALONE_WORTH)[: len(CARDS)]
    likeliest = [int(i) for i in np.argsort(-chances)] if side != BACK_SIDE and sighting.looks else []
    names = tuple((CLASSES[i], float(chances[i])) for i in likeliest)
    return DetectedCard(sighting.corners_px + HALF_PX, side, sighting.best_score, names)


def named_once(cards: Sequence[DetectedCard]) -> list[DetectedCard]:
    """`cards` with the three likeliest names of each, given that a pack has each card once.

    A name that one face surely has is struck from the others, the less sure of two that have it among them.
    """
    told, taken = list(cards), set[str]()
    for index in sorted(
        range(len(cards)), key=lambda k: -max((chance for _, chance in cards[k].names), default=0.0)
    ):
        card = cards[index]
        left = 1.0 - sum(chance for name, chance in card.names if name in taken)
        names = [
            (name, min(1.0, chance / max(left, 1e-6))) for name, chance in card.names if name not in taken
        ]
        told[index] = replace(card, names=tuple(names[:NAMES_TOLD]))
        if card.side == FACE_SIDE and told[index].is_sure:
            taken.add(names[0][0])
    return told


def _each_once(faces: Sequence[Sighting]) -> list[Sighting]:
    """`faces` (best first) without second boxes: one that lies on a better one is of the same card.

    That a face lies half under another is no reason to doubt it. Cards of rows do.
    """
    kept: list[Sighting] = []
    for sighting in faces:
        if not is_second_box(sighting, kept):
            kept.append(sighting)
    return kept


def as_json(cards: Sequence[DetectedCard]) -> list[Mapping[str, object]]:
    """`cards` as `tarok look --format json` prints them: corners in px to 0.01, probabilities to 0.0001."""
    return [
        {
            "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in card.corners_px],
            "side": card.side,
            "score": round(card.score, 4),
            "names": [[name, round(chance, 4)] for name, chance in card.names],
        }
        for card in cards
    ]
