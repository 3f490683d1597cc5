"""Measuring the eyes: plays on recordings with truth files, and the bare models on rendered scenes.

`tarok bench vision FOLDER…` watches each recording `NAME.mp4` beside a `NAME.json` (seats, dealer, rules,
plays with the frame their card came to rest in) and counts plays right, wrong, missed and invented.
`tarok bench models --decks DIR…` measures finder and identifier alone.
"""

import difflib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from tracker.events import CardPlayed, Event, PlayCorrected
from vision.arrays import UInt8Array
from vision.capture import frames
from vision.decks import BACK, load_deck
from vision.errors import VisionError
from vision.models import CLASSES, Finder, Identifier, overlap
from vision.plays import Expectation
from vision.scene import NOT_A_CARD, open_studio, render_crop, render_scene
from vision.textures import photos
from vision.watch import Watcher, WatchUpdate


@dataclass(frozen=True)
class TruePlay:
    """A play of a truth file: who, what, and the time in s at which the card came to rest."""

    player: str
    card: str
    rest_s: float


@dataclass(frozen=True)
class Recording:
    """A recording and its truth."""

    video: Path
    sides: dict[str, str]
    dealer: str
    rules: str
    plays: tuple[TruePlay, ...]


def load_recording(truth: Path) -> Recording:
    """Read a truth file; raises `VisionError` naming the file when it cannot be used."""
    try:
        data = json.loads(truth.read_text(encoding="utf-8"))
        seats = dict(seat.split("@") for seat in data["seats"])
        plays = tuple(TruePlay(p["play"], p["card"], p["frame"] / data["fps"]) for p in data["plays"])
        video = next(truth.with_suffix(e) for e in (".mp4", ".avi", ".mkv") if truth.with_suffix(e).is_file())
        return Recording(video, seats, data["dealer"], data["rules"], plays)
    except StopIteration as error:
        raise VisionError(f"{truth}: no video of that name beside it") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise VisionError(f"{truth}: not a truth file ({error!r})") from error


@dataclass(frozen=True)
class PlayScore:
    """How the plays booked from one recording compare with the truth.

    `right` has card, player and order; `wrong` a play in the right place with another card or player;
    `missed` and `invented` the rest. `doubtful` plays were booked with alternatives (counted above as well);
    `confident_wrong` are wrong ones that were not. Latencies in s of video from rest to booking.
    """

    recording: str
    plays: int
    right: int
    wrong: int
    missed: int
    invented: int
    doubtful: int
    confident_wrong: int
    latency_p50_s: float
    latency_p95_s: float
    video_s: float
    wall_s: float
    frames_per_s: float
    slowest_frames_per_s: float


def compare(
    truth: Sequence[tuple[str, str]], booked: Sequence[tuple[str, str]]
) -> tuple[list[tuple[int, int]], int, int, int]:
    """Align two lists of (player, card): pairs (truth index, booked index) that agree, and wrong, missed, invented."""
    matcher = difflib.SequenceMatcher(a=list(truth), b=list(booked), autojunk=False)
    pairs, wrong, missed, invented = [], 0, 0, 0
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            pairs += list(zip(range(a0, a1), range(b0, b1), strict=True))
        else:
            both = min(a1 - a0, b1 - b0)
            wrong += both
            missed += a1 - a0 - both
            invented += b1 - b0 - both
    return pairs, wrong, missed, invented


def score_recording(
    recording: Recording,
    expect: Callable[[], Expectation | None],
    book: Callable[[Event], int],
    finder: Finder,
    identifier: Identifier,
    *,
    every: int = 1,
    mistakes: Path | None = None,
) -> PlayScore:
    """Watch a recording with `finder` and `identifier` and compare its plays with the truth.

    `expect` and `book` are the game's two ends (see `webui.watching`): `book` returns the event's number.
    With `mistakes`, a folder, the picture of each booking that is wrong is written there.
    """
    booked: list[tuple[CardPlayed, float]] = []
    seqs: list[int] = []
    pictures: list[UInt8Array] = []
    spent: list[float] = []
    began = last = time.perf_counter()
    end_s = 0.0
    watcher = Watcher(recording.sides, finder, identifier)
    for frame in frames(str(recording.video), every):
        update = watcher.look(frame.picture, frame.time_s, expect(), frame.progress)
        spent.append(time.perf_counter() - last)
        for event in update.events:
            seq = book(event)
            if isinstance(event, PlayCorrected) and event.card:
                # A later card settled an earlier doubt: the play counts as it now stands.
                at = seqs.index(event.seq)
                booked[at] = (replace(booked[at][0], card=event.card), booked[at][1])
            if isinstance(event, CardPlayed):
                seqs.append(seq)
                booked.append((event, update.time_s))
                pictures.append(_picture(update) if mistakes else update.frame[:1, :1])
        end_s = update.time_s
        last = time.perf_counter()
    wall = time.perf_counter() - began
    truth = [(play.player, play.card) for play in recording.plays]
    pairs, wrong, missed, invented = compare(truth, [(event.player, event.card) for event, _ in booked])
    right_booked = {b for _, b in pairs}
    latencies = [booked[b][1] - recording.plays[a].rest_s for a, b in pairs]
    bad = [b for b in range(len(booked)) if b not in right_booked]
    if mistakes:
        mistakes.mkdir(parents=True, exist_ok=True)
        for b in bad:
            name = f"{recording.video.stem}-{b:02d}-{booked[b][0].player}-{booked[b][0].card}.jpg"
            cv2.imwrite(str(mistakes / name), pictures[b])
    windows = [sum(spent[i : i + 10]) / len(spent[i : i + 10]) for i in range(0, max(1, len(spent) - 9), 5)]
    return PlayScore(
        recording=recording.video.stem, plays=len(truth), right=len(pairs), wrong=wrong, missed=missed,
        invented=invented, doubtful=sum(bool(event.alternatives) for event, _ in booked),
        confident_wrong=sum(not booked[b][0].alternatives for b in bad),
        latency_p50_s=round(float(np.percentile(latencies, 50)), 3) if latencies else 0.0,
        latency_p95_s=round(float(np.percentile(latencies, 95)), 3) if latencies else 0.0,
        video_s=round(end_s, 1), wall_s=round(wall, 1),
        frames_per_s=round(len(spent) / wall, 1), slowest_frames_per_s=round(1 / max(windows), 1),
    )  # fmt: skip


def _picture(update: WatchUpdate) -> UInt8Array:
    from vision.draw import annotate

    return annotate(update)


@dataclass(frozen=True)
class ModelScore:
    """The bare models on rendered scenes of one deck.

    Shares of single crops named right: `clean` (uncovered), `hard` (covered, blurred, glare: the training's
    full range); `hard_top5`; `confident_wrong` is the share of all hard crops that are wrong at 0.95 or
    more. Finder at IoU 0.5 and score 0.35: `recall` and `precision` of faces and backs together, and
    `mean_iou` of what was found. Times in ms, median, one thread: a frame found, a card named.
    """

    deck: str
    clean: float
    hard: float
    hard_top5: float
    confident_wrong: float
    none_right: float
    recall: float
    precision: float
    face_recall: float
    mean_iou: float
    find_ms: float
    name_ms: float
    confusions: tuple[str, ...]


def score_models(
    deck_folder: Path,
    finder: Finder,
    identifier: Identifier,
    *,
    crops: int = 780,
    scenes: int = 150,
    seed: int = 99,
) -> ModelScore:
    """Measure both models on `crops` crops of each kind and `scenes` scenes of the deck in `deck_folder`."""
    deck = load_deck(deck_folder)
    rng = np.random.default_rng(seed)
    studio = open_studio(rng, [deck], cloths=60, backs=20)
    known = [card for card in CARDS if card in deck.faces]
    shares = {}
    confusions: dict[str, int] = {}
    top5 = confident = 0.0
    times = []
    for hardness, label in ((0.0, "clean"), (1.0, "hard")):
        names = [known[i % len(known)] for i in range(crops)]
        right = 0
        for name in names:
            crop = render_crop(rng, studio, name, hardness)
            began = time.perf_counter()
            row = _read_both(identifier, crop)
            times.append(time.perf_counter() - began)
            order = np.argsort(-row)
            guess = CLASSES[int(order[0])]
            right += guess == name
            if label == "hard":
                top5 += name in [CLASSES[int(i)] for i in order[:5]]
                confident += guess != name and row.max() >= 0.95
            if guess != name:
                confusions[f"{name}→{guess}"] = confusions.get(f"{name}→{guess}", 0) + 1
        shares[label] = right / crops
    nothing = [_read_both(identifier, render_crop(rng, studio, NOT_A_CARD)) for _ in range(crops // 4)]
    none_right = float(np.mean([CLASSES[int(row.argmax())] == NOT_A_CARD for row in nothing]))
    hits = total = faces = face_hits = given = 0
    ious, find_times = [], []
    for _ in range(scenes):
        scene = render_scene(rng, studio, (1280, 720))
        began = time.perf_counter()
        found = finder.find(scene.picture)
        find_times.append(time.perf_counter() - began)
        given += len(found)
        free = list(found)
        for card in scene.cards:
            face = card.card != BACK
            total += 1
            faces += face
            best = max(free, key=lambda f: overlap(f.corners_px, card.corners_px), default=None)
            iou = overlap(best.corners_px, card.corners_px) if best is not None else 0.0
            if best is not None and iou >= 0.5 and best.face == face:
                hits += 1
                face_hits += face
                ious.append(iou)
                free = [f for f in free if f is not best]
    worst = sorted(confusions.items(), key=lambda item: -item[1])[:12]
    return ModelScore(
        deck=deck.name, clean=round(shares["clean"], 4), hard=round(shares["hard"], 4),
        hard_top5=round(top5 / crops, 4), confident_wrong=round(confident / crops, 4),
        none_right=round(none_right, 4), recall=round(hits / max(total, 1), 4),
        precision=round(hits / max(given, 1), 4), face_recall=round(face_hits / max(faces, 1), 4),
        mean_iou=round(float(np.mean(ious)), 3) if ious else 0.0,
        find_ms=round(float(np.median(find_times)) * 1e3, 1), name_ms=round(float(np.median(times)) * 1e3, 1),
        confusions=tuple(f"{name} x{count}" for name, count in worst),
    )  # fmt: skip


@dataclass(frozen=True)
class PhotoScore:
    """The finder on real photos with boxes (Pascal VOC files): at IoU 0.5 of upright boxes and score 0.35."""

    photos: int
    cards: int
    recall: float
    precision: float
    missed: tuple[str, ...]


def score_photos(folder: Path, finder: Finder, *, mistakes: Path | None = None) -> PhotoScore:
    """Measure the finder on the photos of `folder` that are held back from training (`vision.textures`).

    With `mistakes`, a folder, each photo with a miss or a false find is written there, both boxes drawn.
    """
    hits = total = given = count = 0
    missed = []
    for path, boxes in photos(folder, held_back=True):
        picture = cv2.imread(str(path))
        if picture is None or not boxes:
            continue
        count += 1
        found = finder.find(picture.astype(np.uint8, copy=False))
        uprights = [(*f.corners_px.min(0), *f.corners_px.max(0)) for f in found]
        total += len(boxes)
        given += len(uprights)
        free = list(uprights)
        good = 0
        for box in boxes:
            best = max(free, key=lambda other: _upright_overlap(box, other), default=None)
            if best is not None and _upright_overlap(box, best) >= 0.5:
                good += 1
                free.remove(best)
        hits += good
        if good < len(boxes):
            missed.append(path.stem)
        if mistakes is not None and (good < len(boxes) or free):
            mistakes.mkdir(parents=True, exist_ok=True)
            for x0, y0, x1, y1 in boxes:
                cv2.rectangle(picture, (x0, y0), (x1, y1), (0, 200, 0), 2)
            for f in found:
                cv2.polylines(picture, [f.corners_px.astype(np.int32)], True, (0, 0, 255), 2)
            cv2.imwrite(str(mistakes / f"{path.stem}.jpg"), picture)
    if not count:
        raise VisionError(f"{folder}: no photo with a box file beside it")
    return PhotoScore(
        count, total, round(hits / max(total, 1), 4), round(hits / max(given, 1), 4), tuple(missed)
    )


def _upright_overlap(a: Sequence[float], b: Sequence[float]) -> float:
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    inter = max(0.0, wide) * max(0.0, high)
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter
    return inter / union if union > 0 else 0.0


def _read_both(identifier: Identifier, crop: UInt8Array) -> np.ndarray:
    rows, _ = identifier.read([crop, np.ascontiguousarray(crop[::-1, ::-1])])
    return np.asarray(np.exp(np.log(np.maximum(rows, 1e-6)).mean(0)))


def as_text(scores: Iterable[PlayScore | ModelScore | PhotoScore]) -> str:
    """The scores as lines of `name value` pairs, a paragraph each."""
    blocks = []
    for score in scores:
        blocks.append("\n".join(f"{key:>22}  {value}" for key, value in asdict(score).items()))
    return "\n\n".join(blocks)
