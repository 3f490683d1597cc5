"""`tarok bench enrol`: what teaching a deck gains, as errors on rendered crops of that deck and of others."""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tracker.cards import CARDS
from vision.arrays import UInt8Array
from vision.decks import load_deck
from vision.errors import VisionError
from vision.lab.rendering.crops import render_crop
from vision.lab.rendering.scene import open_studio
from vision.taught.gallery import TaughtIdentifier
from vision.watching.sightings import SURE

LOOKS = (1, 3)
"""Looks at each card after which the errors are counted."""
HARDNESS = {"clean": 0.0, "hard": 1.0}
"""Hardness of the crops to be named: cards lying alone, and crops as hard as those of training."""
BATCH = 16
"""Crops that are named at once."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench enrol`."""
    parser.add_argument("--deck", type=Path, required=True, metavar="DIR", help="the deck to teach")
    parser.add_argument(
        "--other", type=Path, action="append", default=[], metavar="DIR", help="a deck that is not taught"
    )
    parser.add_argument("--identifier", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument("--prints", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument(
        "--crops", type=int, default=4, metavar="N", help="test crops of each card (default: 4)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Teach the deck with one and with three looks a card, and print the errors."""
    report = measure(args.deck, args.other, args.identifier, args.prints, args.crops)
    if args.json:
        print(json.dumps(report, indent=1))
        return 0
    for row in report:
        print(
            f"{row['deck']:<14} {row['crops']} {row['kind']} crops  "
            f"before: {row['errors_before']:.2%} wrong  "
            f"after {row['looks']} look{'s' if row['looks'] != 1 else ''} a card of {report[0]['deck']}: "
            f"{row['errors_after']:.2%} wrong, {row['sure_and_wrong_after']:.2%} sure and wrong "
            f"({row['sure_and_wrong_before']:.2%} before)"
        )
    slowest = max(row["slowest_card_s"] for row in report)
    print(f"the slowest card was taught and known in {slowest:.2f} s")
    return 0


def measure(
    deck: Path, others: Sequence[Path], identifier: Path | None, prints: Path | None, count: int
) -> list[dict[str, Any]]:
    """A row for each deck, number of looks and kind of crops, measured on `count` test crops of each card.

    `deck` is taught by clean crops. `identifier` and `prints` are weights, None for the shipped ones. Raises
    `VisionError` when `count` is below 1, or a deck or model cannot be used.
    """
    if count < 1:
        raise VisionError("--crops: must be at least 1")
    looks = _crops(deck, 1, max(LOOKS), 0.0)
    tests = {
        (folder.name, kind): _crops(folder, 2, count, hardness)
        for folder in (deck, *others)
        for kind, hardness in HARDNESS.items()
    }
    rows = []
    with tempfile.TemporaryDirectory() as place:
        model = TaughtIdentifier(Path(place) / "deck", identifier, prints=prints)
        before = {test: _errors(model, crops) for test, crops in tests.items()}
        slowest = 0.0
        for shown in range(max(LOOKS)):
            cards = len(looks) // max(LOOKS)
            for card, crop in looks[shown * cards : (shown + 1) * cards]:
                began = time.perf_counter()
                model.gallery.add(card, crop)
                model.name_crops([crop])
                slowest = max(slowest, time.perf_counter() - began)
            if shown + 1 not in LOOKS:
                continue
            for (name, kind), crops in tests.items():
                wrong, sure = _errors(model, crops)
                rows.append({
                    "deck": name, "looks": shown + 1, "kind": kind, "crops": len(crops),
                    "errors_before": before[name, kind][0], "errors_after": wrong,
                    "sure_and_wrong_before": before[name, kind][1], "sure_and_wrong_after": sure,
                    "slowest_card_s": slowest,
                })  # fmt: skip
    return rows


def _crops(folder: Path, seed: int, count: int, hardness: float) -> list[tuple[str, UInt8Array]]:
    deck = load_deck(folder)
    studio = open_studio(np.random.default_rng(seed), [deck], cloths=30, backs=10)
    return [
        (card, render_crop(np.random.default_rng((seed, k, CARDS.index(card))), studio, card, hardness))
        for k in range(count)
        for card in deck.faces
    ]


def _errors(model: TaughtIdentifier, crops: Sequence[tuple[str, UInt8Array]]) -> tuple[float, float]:
    """The shares of `crops` named wrong, and named wrong with a probability of `SURE` or more."""
    model.gallery.begin()
    wrong = sure = 0
    for at in range(0, len(crops), BATCH):
        batch = crops[at : at + BATCH]
        for (card, _), row in zip(batch, model.name_crops([crop for _, crop in batch]), strict=True):
            if int(row[: len(CARDS)].argmax()) != CARDS.index(card):
                wrong += 1
                sure += bool(row[: len(CARDS)].max() >= SURE)
    return wrong / len(crops), sure / len(crops)
