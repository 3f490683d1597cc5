"""`tarok bench models`: the identifier on crops of each difficulty, the finder on scenes and on real photos."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from vision.errors import VisionError
from vision.lab.bench.bare_models import (
    ModelScore,
    PhotoScore,
    deck_as_json,
    deck_as_text,
    photos_as_json,
    photos_as_text,
    score_models,
    score_photos,
)
from vision.lab.bench.difficulties import DIFFICULTIES
from vision.lab.bench.mistakes_page import Section, Thumb, check_page, write_page
from vision.lab.bench.targets import CROPS
from vision.picture import NOT_A_CARD
from vision.reading.finder import Finder
from vision.reading.identifier import Identifier


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own arguments."""
    parser.add_argument("--decks", nargs="+", type=Path, default=[], metavar="DIR", help="folders of scans")
    parser.add_argument(
        "--photos", type=Path, metavar="DIR", help="real photos with Pascal VOC boxes beside them"
    )
    parser.add_argument("--finder", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument("--identifier", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument(
        "--crops", type=int, default=780, metavar="N", help="crops of each difficulty (default: 780)"
    )
    parser.add_argument("--scenes", type=int, default=150, metavar="N", help="default: 150")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--page",
        type=Path,
        metavar="DIR",
        help="write a page with the crops read wrongly and the photos' misses",
    )


def run(args: argparse.Namespace) -> int:
    """Measure and print: each deck, then the photos."""
    if not args.decks and args.photos is None:
        raise VisionError("bench models: give --decks, --photos or both")
    if args.crops < 0 or args.scenes < 0:
        raise VisionError("--crops, --scenes: must not be negative")
    check_page(args.page)
    finder, identifier = Finder(args.finder), Identifier(args.identifier)
    decks = [score_models(d, finder, identifier, crops=args.crops, scenes=args.scenes) for d in args.decks]
    real = score_photos(args.photos, finder) if args.photos is not None else None
    text = "\n\n".join([*map(deck_as_text, decks), *([photos_as_text(real)] if real else [])])
    if args.format == "json":
        report = {
            "decks": [deck_as_json(score) for score in decks],
            "photos": photos_as_json(real) if real else None,
            "targets": {name: asdict(target) for name, target in CROPS.items()},
        }
        print(json.dumps(report, indent=1, ensure_ascii=False))
    else:
        print(text)
    if args.page is not None:
        write_page(args.page, "Crops read wrongly, cards not found", text, mistakes_of_models(decks, real))
    return 0


def mistakes_of_models(decks: Sequence[ModelScore], real: PhotoScore | None) -> list[Section]:
    """For the page: the wrong crops of each deck by difficulty, surest first, then the photos with mistakes."""
    found = []
    for score in decks:
        for difficulty in (*DIFFICULTIES, NOT_A_CARD):
            wrong = sorted((c for c in score.of(difficulty) if not c.right), key=lambda c: -c.probability)
            thumbs = [
                Thumb(c.jpeg, f"{c.card}, read {c.read}", f"{100 * c.probability:.1f} %") for c in wrong
            ]
            if thumbs:
                of = f"Of {len(score.of(difficulty))} crops, the surest first."
                heading = "no card" if difficulty == NOT_A_CARD else difficulty
                found.append(Section(f"{score.deck}: {heading}", of, thumbs))
    if real is not None and real.mistakes:
        shown = [
            Thumb(m.jpeg, m.name, f"{m.missed} missed, {m.false} false", card=False) for m in real.mistakes
        ]
        found.append(Section("Photos", "Green: where cards are. Red: where they were found.", shown))
    return found or [Section("Nothing", "Everything was read right.", ())]
