"""Measuring `tarok look` on stills with ground truth. There are three kinds of folders:

- Stills: NAME.jpg or NAME.png with NAME.json beside it. Each of its `cards` has `card` (a name, or BACK), `corners`
  (of the whole card, px) and `visible` (its visible share). Stills of one `group` are counted together; `deck` names
  their deck.
- Webcam frames: `truth.json` has for each file its cards, each with `card` (1..10, V, D, R or back) and an
  axis-aligned `box` [x0, y0, x1, y1] px.
- Photos of poker cards: NAME.xml has Pascal VOC boxes of classes ace, two .. king, round what is in view of each card.
  Only the photos that are held back from the table tops of training are counted.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.arrays import Float32Array, UInt8Array
from vision.decks import BACK
from vision.errors import VisionError
from vision.lab.bench.targets import Share, Target
from vision.lab.rendering.textures import photos
from vision.picture import overlap
from vision.watching.sightings import SURE
from vision.watching.still import BACK_SIDE, FACE_SIDE, DetectedCard, read_photo

LEAST_VISIBLE, WHOLLY = 0.35, 0.95
"""Visible shares from which a card counts, and from which it counts as wholly in view."""
SAME_PLACE = 0.5
"""IoU from which a reported card matches a true one."""
NO_CARD_THERE = 0.3
"""IoU below which a reported card lies where no card is."""
CLOSE = 0.04
"""The most that a card's worst corner may be off, as a share of its height."""
WEBCAM = "webcam frames"
"""The group of the webcam frames. Their true cards have a rank and no suit."""
PHOTOS = "photos of poker cards"
"""The group of the photos. They are counted as the webcam frames are."""
_CLASSES = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
)  # fmt: skip
_RANK_OF_CLASS: Final[Mapping[str, str]] = dict(
    zip(_CLASSES, [*(str(pips) for pips in range(1, 11)), "V", "D", "R"], strict=True)
)
"""The rank by the class of a photo's box."""


@dataclass(frozen=True)
class TrueCard:
    """A true card of a still: `card` (a name, a rank, or BACK), its outline (N, 2) px, and its visible share.

    `overlapped`: another card's box overlaps its own (frames with boxes only).
    """

    card: str
    outline_px: Float32Array
    visible: float = 1.0
    overlapped: bool = False


@dataclass(frozen=True)
class TrueStill:
    """A still, its group and deck, and its true cards. Without `corners` their outlines are axis-aligned boxes."""

    path: Path
    group: str
    deck: str
    cards: tuple[TrueCard, ...]
    corners: bool = True


@dataclass(frozen=True)
class FoundFace:
    """A true face and what was reported in its place, if anything.

    `off` is the error of its worst corner, as a share of the card's height.
    """

    true: TrueCard
    seen: DetectedCard | None = None
    off: float | None = None

    @property
    def right(self) -> bool:
        """Whether its likeliest name is right; if the truth is a rank, any suit's card of that rank."""
        name = self.seen.names[0][0] if self.seen is not None and self.seen.names else ""
        return name == self.true.card or (name[:1] in "SHDC" and name[1:] == self.true.card)


@dataclass(frozen=True)
class JudgedStill:
    """One still compared with its truth.

    `faces` are the true faces that count, `backs` is the number of true backs that count. Of the reported faces,
    `strays` match no card, and `backs_as_faces` match a back; one that matches a face too little visible to count is
    ignored. `backs_found` of the true backs were reported as backs. `paper_as_backs` of the reported backs lie where
    no card is. `reported` are all reported cards.
    """

    still: TrueStill
    faces: tuple[FoundFace, ...]
    strays: tuple[DetectedCard, ...]
    backs_as_faces: tuple[DetectedCard, ...]
    backs: int
    backs_found: int
    paper_as_backs: int
    reported: tuple[DetectedCard, ...] = field(default=())

    @property
    def reported_backs(self) -> int:
        """How many cards were reported face down."""
        return sum(card.side == BACK_SIDE for card in self.reported)


def load_stills(folder: Path) -> list[TrueStill]:
    """The stills of a folder with their truth; raises `VisionError` when there is none, or one cannot be used."""
    if (folder / "truth.json").is_file():
        return _load_frames(folder)
    if any(folder.glob("*.xml")):
        return _load_photos(folder)
    stills = []
    for truth in sorted(folder.glob("*.json")):
        path = next((p for e in (".jpg", ".png") if (p := truth.with_suffix(e)).is_file()), None)
        if path is None:
            continue
        try:
            data = json.loads(truth.read_text(encoding="utf-8"))
            cards = tuple(
                TrueCard(c["card"], _points(c["corners"], 4), float(c["visible"])) for c in data["cards"]
            )
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise VisionError(f"{truth}: not the truth file of a still") from error
        stills.append(TrueStill(path, data.get("group", folder.name), data.get("deck", ""), cards))
    if not stills:
        raise VisionError(f"{folder}: has no still with a truth file beside it")
    return stills


def _load_frames(folder: Path) -> list[TrueStill]:
    truth = folder / "truth.json"
    try:
        data = json.loads(truth.read_text(encoding="utf-8"))
        stills = []
        for name, entries in sorted(data.items()):
            names = [BACK if e["card"] == "back" else str(e["card"]) for e in entries]
            boxes = [_points(np.reshape(e["box"], (2, 2)), 2) for e in entries]
            stills.append(TrueStill(folder / name, WEBCAM, "", _boxed(names, boxes), corners=False))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise VisionError(f"{truth}: not the truth file of frames with boxes") from error
    return stills


def _load_photos(folder: Path) -> list[TrueStill]:
    stills = []
    for path, cards in photos(folder, held_back=True):
        unknown = next((card.name for card in cards if card.name not in _RANK_OF_CLASS), None)
        if unknown is not None:
            raise VisionError(f"{path.with_suffix('.xml')}: {unknown!r} is no class of poker card")
        ranks = [_RANK_OF_CLASS[card.name] for card in cards]
        boxes = [_points(np.reshape(card.box, (2, 2)), 2) for card in cards]
        if cards:
            stills.append(TrueStill(path, PHOTOS, "", _boxed(ranks, boxes), corners=False))
    if not stills:
        raise VisionError(f"{folder}: none of the photos held back has boxes beside it")
    return stills


def _boxed(names: Sequence[str], boxes: Sequence[Float32Array]) -> tuple[TrueCard, ...]:
    """The true cards with axis-aligned `boxes`, (2, 2) px each."""
    upright = [_upright(box) for box in boxes]
    return tuple(
        TrueCard(
            name, _rectangle(box), 1.0,
            any(upright_overlap(upright[k], other) > 0 for other in upright[:k] + upright[k + 1 :]),
        )
        for k, (name, box) in enumerate(zip(names, boxes, strict=True))
    )  # fmt: skip


def upright_overlap(a: Sequence[float], b: Sequence[float]) -> float:
    """Intersection over union of two axis-aligned boxes, each (x0, y0, x1, y1) px."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    inter = max(0.0, width) * max(0.0, height)
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter
    return inter / union if union > 0 else 0.0


def _points(values: object, count: int) -> Float32Array:
    points = np.asarray(values, np.float32)
    if points.shape != (count, 2) or not np.isfinite(points).all():
        raise ValueError("not points")
    return points


def _rectangle(box: Float32Array) -> Float32Array:
    (x0, y0), (x1, y1) = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def _upright(points: Float32Array) -> tuple[float, ...]:
    return (*map(float, points.min(0)), *map(float, points.max(0)))


def judge_still(still: TrueStill, seen: Sequence[DetectedCard]) -> JudgedStill:
    """Match what was reported of a still with its truth, one to one, the best match first."""
    reported = [card for card in seen if card.side == FACE_SIDE]
    # Faces that count are matched before those hardly visible, and faces before backs.
    counted = [c for c in still.cards if c.card != BACK and c.visible >= LEAST_VISIBLE]
    pairs = _match(still, counted, reported)
    rest = _without(reported, pairs.values())
    hardly = _match(still, [c for c in still.cards if c.card != BACK and c.visible < LEAST_VISIBLE], rest)
    rest = _without(rest, hardly.values())
    backs = _match(still, [c for c in still.cards if c.card == BACK], rest)
    faces = []
    for index, true in enumerate(counted):
        found = pairs.get(index)
        off = worst_corner(found.corners_px, true.outline_px) if found is not None and still.corners else None
        faces.append(FoundFace(true, found, off))
    strays = _without(rest, backs.values())
    in_view = [c for c in still.cards if c.card == BACK and c.visible >= LEAST_VISIBLE]
    face_down = [card for card in seen if card.side == BACK_SIDE]

    def most(true: Sequence[TrueCard], reported: Sequence[DetectedCard]) -> float:
        return max((_same(still, t.outline_px, r.corners_px) for t in true for r in reported), default=0.0)

    return JudgedStill(
        still,
        tuple(faces),
        tuple(strays),
        tuple(backs.values()),
        len(in_view),
        # A pile's backs lie in one place, so that one report finds them all.
        backs_found=sum(most([back], face_down) >= SAME_PLACE for back in in_view),
        paper_as_backs=sum(most(still.cards, [card]) < NO_CARD_THERE for card in face_down),
        reported=tuple(seen),
    )


def _without(cards: Sequence[DetectedCard], used: Iterable[DetectedCard]) -> list[DetectedCard]:
    gone = {id(card) for card in used}
    return [card for card in cards if id(card) not in gone]


def _match(
    still: TrueStill, true: Sequence[TrueCard], seen: Sequence[DetectedCard]
) -> dict[int, DetectedCard]:
    """By index of `true`, the card of `seen` that matches it."""
    scored = sorted(
        ((_same(still, t.outline_px, s.corners_px), i, j) for i, t in enumerate(true) for j, s in enumerate(seen)),
        reverse=True,
    )  # fmt: skip
    pairs: dict[int, int] = {}
    for iou, i, j in scored:
        if iou >= SAME_PLACE and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return {i: seen[j] for i, j in sorted(pairs.items())}


def _same(still: TrueStill, true_px: Float32Array, seen_px: Float32Array) -> float:
    if still.corners:
        return overlap(_hull(true_px), _hull(seen_px))
    return upright_overlap(_upright(true_px), _upright(seen_px))


def _hull(points_px: Float32Array) -> Float32Array:
    return cv2.convexHull(points_px)[:, 0].astype(np.float32, copy=False)


def worst_corner(corners_px: Float32Array, true_px: Float32Array) -> float:
    """The largest error of `corners_px` (4, 2) against `true_px` (4, 2), as a share of the true card's height.

    Each may begin at any corner and go round either way.
    """
    ways = [np.roll(way, k, axis=0) for way in (corners_px, corners_px[::-1]) for k in range(4)]
    worst = min(float(np.linalg.norm(way - true_px, axis=1).max()) for way in ways)
    sides = np.linalg.norm(true_px - np.roll(true_px, -1, axis=0), axis=1)
    return worst / float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def _least(commit: float, aim: float | None = None) -> Target:
    return Target(commit, commit if aim is None else aim)


def _most(commit: float, aim: float | None = None) -> Target:
    return Target(commit, commit if aim is None else aim, at_least=False)


_TARGETS: Final[Mapping[str, tuple[Target, Target]]] = {
    "faces found": (_least(0.98, 0.995), _least(0.93)),
    "of those reported right": (_least(0.98), _least(0.95)),
    "corners within 4 %, wholly in view": (_least(0.97), _least(0.90)),
    "corners within 4 %, partly": (_least(0.80), _least(0.60)),
    "names, wholly in view": (_least(0.998), _least(0.98)),
    "names, partly": (_least(0.95), _least(0.90)),
    "sure and wrong": (_most(0.001), _most(0.005)),
    "backs called faces": (_most(0.01, 0.001), _most(0.02)),
}
"""By row, the targets on usual tables and on hard ones."""
_WEBCAM_TARGETS: Final[Mapping[str, Target]] = {
    "overlapped faces found": _least(0.95),
    "rank right": _least(0.95),
    "sure and wrong": _most(0.005),
    "backs called faces": _most(0.02),
}


def target(group: str, words: str) -> Target | None:
    """The target of a row of a group, if it has one; an unknown group has the targets of the usual one."""
    if group in (WEBCAM, PHOTOS):
        return _WEBCAM_TARGETS.get(words)
    usual, hard = _TARGETS.get(words, (None, None))
    return hard if group == "hard" else usual


def rows(judged: Sequence[JudgedStill]) -> dict[str, Share]:
    """The figures of the stills of one group, by the words of their rows."""
    faces = [face for j in judged for face in j.faces]
    found = [face for face in faces if face.seen is not None]
    strays, called = [s for j in judged for s in j.strays], sum(len(j.backs_as_faces) for j in judged)
    sure_wrong = sum(not face.right and _is_sure(face.seen) for face in found)

    def share(of: Sequence[FoundFace], holds: Callable[[FoundFace], bool]) -> Share:
        return Share(sum(map(holds, of)), len(of))

    def is_close(face: FoundFace) -> bool:
        return face.off is not None and face.off <= CLOSE

    whole = [face for face in found if face.true.visible >= WHOLLY]
    partly = [face for face in found if face.true.visible < WHOLLY]
    backs = sum(j.backs for j in judged)
    table = {
        "faces found": Share(len(found), len(faces)),
        "of those reported right": Share(len(found), len(found) + len(strays)),
    }
    if judged and not judged[0].still.corners:
        overlapped = [face for face in faces if face.true.overlapped]
        table["overlapped faces found"] = share(overlapped, lambda face: face.seen is not None)
        table["rank right"] = share(found, lambda face: face.right)
    else:
        table["corners within 4 %, wholly in view"] = share(whole, is_close)
        table["corners within 4 %, partly"] = share(partly, is_close)
        table["names, wholly in view"] = share(whole, lambda face: face.right)
        table["names, partly"] = share(partly, lambda face: face.right)
    return table | {
        "sure and wrong": Share(sure_wrong, len(found)),
        "named in doubt": Share(sum(not _is_sure(face.seen) for face in found), len(found)),
        "backs called faces": Share(called, backs),
        "no card there, and named for sure": Share(sum(map(_is_sure, strays)), len(strays)),
        "backs found": Share(sum(j.backs_found for j in judged), backs),
        "no card there, of those called backs": Share(
            sum(j.paper_as_backs for j in judged), sum(j.reported_backs for j in judged)
        ),
    }


def _is_sure(seen: DetectedCard | None) -> bool:
    return seen is not None and bool(seen.names) and seen.names[0][1] >= SURE


def table_as_text(judged: Sequence[JudgedStill]) -> str:
    """A table for each group: shares, counts, and targets with whether they are met."""
    blocks = []
    for group in sorted({j.still.group for j in judged}, key=lambda g: (g == "hard", g)):
        of = [j for j in judged if j.still.group == group]
        decks = sorted({j.still.deck for j in of if j.still.deck})
        lines = [f"{group}: {len(of)} stills{', decks ' + ', '.join(decks) if decks else ''}"]
        for words, share in rows(of).items():
            bound = target(group, words)
            value = "–" if share.share is None else f"{share.share:.1%}"
            counts = f"{share.count} of {share.of}"
            line = f"  {words:<36}{value:>8}{counts:>14}"
            if bound is not None and (verdict := bound.met(share.share)) is not None:
                sign = "" if bound.at_least else "≤ "
                met = {"aim": "met", "commit": "met", "no": "not met"}[verdict]
                line += f"{sign + format(bound.commit, '.1%'):>10}  {met}"
            lines.append(line)
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def table_as_json(judged: Sequence[JudgedStill]) -> dict[str, object]:
    """By group the rows with their counts, and by still its mistakes."""
    groups = {j.still.group for j in judged}
    return {
        "groups": {
            group: {k: v.as_json() for k, v in rows([j for j in judged if j.still.group == group]).items()}
            for group in sorted(groups)
        },
        "mistakes": {
            str(j.still.path): told for j in judged if (told := [f"{m.kind}: {m.words}" for m in mistakes(j)])
        },
    }


@dataclass(frozen=True)
class StillMistake:
    """A mistake in a still: its kind, a description, and the outline (N, 2) px of what it is about."""

    kind: str
    words: str
    about_px: Float32Array


MISSED, STRAY, BACK_AS_FACE, MISREAD, OFF = (
    "not found",
    "no card there",
    "back called face",
    "misread",
    "corners off",
)


def mistakes(judged: JudgedStill) -> list[StillMistake]:
    """What was reported wrongly of a still."""
    told = []
    for face in judged.faces:
        true, seen = face.true, face.seen
        if seen is None:
            told.append(StillMistake(MISSED, f"{true.card}, {true.visible:.0%} in view", true.outline_px))
            continue
        if not face.right:
            told.append(StillMistake(MISREAD, f"{true.card} read as {_named(seen)}", true.outline_px))
        if face.off is not None and face.off > CLOSE:
            told.append(StillMistake(OFF, f"{true.card} by {face.off:.1%} of its height", true.outline_px))
    told += [StillMistake(STRAY, _named(seen), seen.corners_px) for seen in judged.strays]
    told += [StillMistake(BACK_AS_FACE, _named(seen), seen.corners_px) for seen in judged.backs_as_faces]
    return told


def _named(seen: DetectedCard) -> str:
    return f"{seen.names[0][0]} {seen.names[0][1]:.0%}, score {seen.score:.2f}" if seen.names else "unread"


def picture_of(judged: JudgedStill, mistake: StillMistake) -> UInt8Array:
    """The part of the still around a mistake: true faces in green, true backs in blue, reported faces in red."""
    picture = read_photo(judged.still.path)
    for card in judged.still.cards:
        if card.visible > 0.02:
            _draw(picture, card.outline_px, (200, 120, 40) if card.card == BACK else (60, 200, 60))
    for seen in judged.reported:
        _draw(picture, seen.corners_px, (40, 40, 230) if seen.side == FACE_SIDE else (150, 150, 150))
    low, high = mistake.about_px.min(0), mistake.about_px.max(0)
    margin = 0.6 * float((high - low).max())
    x0, y0 = (int(v) for v in np.maximum(low - margin, 0))
    x1, y1 = (int(v) for v in np.maximum(high + margin, 1))
    return picture[min(y0, picture.shape[0] - 1) : y1, min(x0, picture.shape[1] - 1) : x1]


def _draw(picture: UInt8Array, outline_px: Float32Array, color: tuple[int, int, int]) -> None:
    cv2.polylines(picture, [np.round(outline_px).astype(np.int32)], True, color, 1, cv2.LINE_AA)
