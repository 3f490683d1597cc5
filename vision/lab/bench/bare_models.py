"""The models alone, measured on a deck: the identifier on crops of each difficulty, the finder on whole tables."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.arrays import UInt8Array
from vision.decks import BACK, load_deck
from vision.lab.bench.difficulties import DIFFICULTIES
from vision.lab.bench.targets import CROPS, Share
from vision.lab.rendering.crops import render_crop
from vision.lab.rendering.scene import Scene, Studio, open_studio, render_scene
from vision.picture import NOT_A_CARD, overlap
from vision.reading.finder import Finder, Found
from vision.reading.identifier import CLASSES, Identifier
from vision.watching.sightings import SURE

SEED = 99
"""Seed of the crops and scenes: every run draws the same."""
WORST = 12
"""How many of the cards and confusions with the most mistakes are named."""
HIT_IOU = 0.5
"""IoU from which a box of the finder is a card's."""


@dataclass(frozen=True)
class CropReading:
    """One crop: the true `card` (or NOT_A_CARD), the name `read`, and its `probability`.

    `rank` is the number of names likelier than the right one. `took_s` is the time to read it both ways up.
    `jpeg` is the crop if it was misread, else empty.
    """

    difficulty: str
    card: str
    read: str
    probability: float
    rank: int
    took_s: float
    jpeg: bytes = b""

    @property
    def right(self) -> bool:
        """Whether it was read correctly."""
        return self.read == self.card

    @property
    def confident_wrong(self) -> bool:
        """Whether it was misread with a probability of `SURE` or more, at which a name is booked."""
        return not self.right and self.probability >= SURE


@dataclass(frozen=True)
class FinderScore:
    """The finder at its default least score, and an IoU of `HIT_IOU`.

    `face_recall` is the recall of cards face up. `mean_iou` is that of the true positives, `took_ms` the median time
    of a frame.
    """

    recall: Share
    precision: Share
    face_recall: Share
    mean_iou: float
    took_ms: float


@dataclass(frozen=True)
class ModelScore:
    """Both models on one deck: all `crops` read, those without a card included, and the finder's score."""

    deck: str
    crops: tuple[CropReading, ...]
    finder: FinderScore

    def of(self, difficulty: str) -> list[CropReading]:
        """The crops of one difficulty."""
        return [crop for crop in self.crops if crop.difficulty == difficulty]


def score_models(
    deck_folder: Path, finder: Finder, identifier: Identifier, *, crops: int, scenes: int
) -> ModelScore:
    """Measure both models on `crops` crops of each difficulty and `scenes` scenes of the deck in `deck_folder`.

    A quarter as many crops again show no card. Raises `VisionError` when the folder has no deck.
    """
    deck = load_deck(deck_folder)
    studio = open_studio(np.random.default_rng(SEED), [deck], cloths=60, backs=20)
    known = [card for card in CARDS if card in deck.faces]
    read = []
    for kind, (difficulty, draw) in enumerate(DIFFICULTIES.items()):
        for k in range(crops):
            card = known[k % len(known)]
            crop = draw(np.random.default_rng((SEED, kind, k)), studio, card)
            read.append(_crop_reading(identifier, crop, card, difficulty))
    for k in range(crops // 4):
        crop = render_crop(np.random.default_rng((SEED, len(DIFFICULTIES), k)), studio, NOT_A_CARD)
        read.append(_crop_reading(identifier, crop, NOT_A_CARD, NOT_A_CARD))
    return ModelScore(deck.name, tuple(read), _score_finder(studio, finder, scenes))


def _crop_reading(identifier: Identifier, crop: UInt8Array, card: str, difficulty: str) -> CropReading:
    began = time.perf_counter()
    row = identifier.classify_both_ways([crop])[0]
    took_s = time.perf_counter() - began
    best = int(row.argmax())
    rank = int((row > row[CLASSES.index(card)]).sum())
    jpeg = cv2.imencode(".jpg", crop)[1].tobytes() if rank else b""
    return CropReading(difficulty, card, CLASSES[best], float(row[best]), rank, took_s, jpeg)


def _score_finder(studio: Studio, finder: Finder, scenes: int) -> FinderScore:
    hits = total = faces = face_hits = finds = 0
    ious: list[float] = []
    took_s: list[float] = []
    for k in range(scenes):
        scene = render_scene(np.random.default_rng((SEED, len(DIFFICULTIES) + 1, k)), studio, (1280, 720))
        began = time.perf_counter()
        found = finder.find(scene.picture)
        took_s.append(time.perf_counter() - began)
        matched = _match(scene, found)
        finds += len(found)
        total += len(scene.cards)
        hits += len(matched)
        faces += sum(card.card != BACK for card in scene.cards)
        face_hits += sum(face for face, _ in matched)
        ious += [iou for _, iou in matched]
    return FinderScore(
        Share(hits, total), Share(hits, finds), Share(face_hits, faces),
        round(float(np.mean(ious)), 3) if ious else 0.0,
        round(float(np.median(took_s)) * 1e3, 1) if took_s else 0.0,
    )  # fmt: skip


def _match(scene: Scene, found: Sequence[Found]) -> list[tuple[bool, float]]:
    """For each card of the scene that was found: whether it is a face, and its IoU. A find matches one card at most."""
    free, matched = list(found), []
    for card in scene.cards:
        face = card.card != BACK
        best = max(free, key=lambda f: overlap(f.corners_px, card.corners_px), default=None)
        if best is None or best.face != face:
            continue
        iou = overlap(best.corners_px, card.corners_px)
        if iou >= HIT_IOU:
            matched.append((face, iou))
            free = [f for f in free if f is not best]
    return matched


def crops_right(crops: Sequence[CropReading]) -> Share:
    """The share of `crops` read correctly."""
    return Share(sum(crop.right for crop in crops), len(crops))


def by_card(crops: Sequence[CropReading]) -> dict[str, dict[str, list[int]]]:
    """By card and difficulty, the numbers of right crops and of all: {"T9": {"clean": [10, 10], …}, …}."""
    table: dict[str, dict[str, list[int]]] = {}
    for crop in crops:
        cell = table.setdefault(crop.card, {}).setdefault(crop.difficulty, [0, 0])
        cell[0] += crop.right
        cell[1] += 1
    return table


def confusions(crops: Sequence[CropReading]) -> list[dict[str, str | int]]:
    """All confusions, most frequent first.

    Keys: `card`, `read` (the wrong name), `difficulty`, `count`, and `confident` (how many at `SURE` or more).
    """
    counts: dict[tuple[str, str, str], list[int]] = {}
    for crop in crops:
        if not crop.right:
            cell = counts.setdefault((crop.card, crop.read, crop.difficulty), [0, 0])
            cell[0] += 1
            cell[1] += crop.confident_wrong
    return [
        {"card": card, "read": read, "difficulty": difficulty, "count": count, "confident": confident}
        for (card, read, difficulty), (count, confident) in sorted(
            counts.items(), key=lambda item: (-item[1][0], item[0])
        )
    ]


def deck_as_json(score: ModelScore) -> dict[str, object]:
    """A deck's figures by difficulty and by card, all confusions, the finder's figures, and times in ms."""
    difficulties = {}
    for name in DIFFICULTIES:
        crops = score.of(name)
        right = crops_right(crops)
        difficulties[name] = {
            "right": right.as_json(),
            "in_first_five": Share(sum(c.rank < 5 for c in crops), len(crops)).as_json(),
            "confident_wrong": Share(sum(c.confident_wrong for c in crops), len(crops)).as_json(),
            "met": CROPS[name].met(right.share) if name in CROPS else None,
        }
    cards = [crop for crop in score.crops if crop.card != NOT_A_CARD]
    finder = score.finder
    return {
        "deck": score.deck,
        "difficulties": difficulties,
        "none_right": crops_right(score.of(NOT_A_CARD)).as_json(),
        "cards": by_card(cards),
        "confusions": confusions(cards),
        "finder": {
            "recall": finder.recall.as_json(), "precision": finder.precision.as_json(),
            "face_recall": finder.face_recall.as_json(), "mean_iou": finder.mean_iou, "ms": finder.took_ms,
        },
        "name_ms": _name_ms(score),
    }  # fmt: skip


def deck_as_text(score: ModelScore) -> str:
    """A deck's figures as a table with their targets, and the `WORST` cards and confusions."""
    lines = [
        f"deck {score.deck}",
        f"  {'single crop':<34}{'right':>9}{'commit':>10}{'aim':>10}{'':12}{'first five':>11}{'sure, wrong':>13}",
    ]
    lines += [_difficulty_line(name, score.of(name)) for name in DIFFICULTIES]
    lines.append(f"  no card, read as none             {_percent(crops_right(score.of(NOT_A_CARD))):>9}")
    lines += _worst_lines([crop for crop in score.crops if crop.card != NOT_A_CARD])
    finder = score.finder
    lines.append(
        f"  finder: recall {_percent(finder.recall)}, of faces {_percent(finder.face_recall)}, "
        f"precision {_percent(finder.precision)}, mean IoU {finder.mean_iou}"
    )
    lines.append(
        f"  median, one thread: a frame found {finder.took_ms} ms, a card named {_name_ms(score)} ms"
    )
    return "\n".join(lines)


def _difficulty_line(name: str, crops: Sequence[CropReading]) -> str:
    right = crops_right(crops)
    target = CROPS.get(name)
    bounds = f"{target.commit:>10.2%}{target.aim:>10.2%}" if target else " " * 20
    verdict = {"aim": "aim met", "commit": "commit met", "no": "not met", None: ""}[
        target.met(right.share) if target else None
    ]
    five = Share(sum(c.rank < 5 for c in crops), len(crops))
    sure = Share(sum(c.confident_wrong for c in crops), len(crops))
    return (
        f"  {name:<34}{_percent(right):>9}{bounds}  {verdict:<10}{_percent(five):>11}{_percent(sure):>13}"
        f"   of {len(crops)}"
    )


def _worst_lines(crops: Sequence[CropReading]) -> list[str]:
    """The cards misread most often and the most frequent confusions, `WORST` of each; empty if there are none."""
    table = by_card(crops)
    misread = {card: sum(total - right for right, total in row.values()) for card, row in table.items()}
    cards = sorted((card for card in misread if misread[card]), key=lambda card: -misread[card])[:WORST]
    if not cards:
        return []
    totals = {card: sum(total for _, total in table[card].values()) for card in cards}
    pairs: dict[str, int] = {}
    for row in confusions(crops):
        key = f"{row['card']}→{row['read']}"
        pairs[key] = pairs.get(key, 0) + int(row["count"])
    most = sorted(pairs.items(), key=lambda item: -item[1])[:WORST]
    return [
        f"  cards read wrongly most: {', '.join(f'{card} {misread[card]} of {totals[card]}' for card in cards)}",
        f"  as what: {', '.join(f'{pair} ×{count}' for pair, count in most)}",
    ]


def _name_ms(score: ModelScore) -> float:
    return round(float(np.median([crop.took_s for crop in score.crops])) * 1e3, 1) if score.crops else 0.0


def _percent(share: Share) -> str:
    return "–" if share.share is None else f"{share.share:.2%}"
