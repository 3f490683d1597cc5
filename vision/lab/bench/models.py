"""`tarok bench models`: the identifier on crops of each difficulty, the finder on rendered tables."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from vision.errors import VisionError
from vision.lab.bench.bare_models import ModelScore, deck_as_json, deck_as_text, score_models
from vision.lab.bench.difficulties import DIFFICULTIES
from vision.lab.bench.mistakes_page import Section, Thumb, check_page, write_page
from vision.lab.bench.targets import CROPS
from vision.picture import NOT_A_CARD
from vision.reading.finder import Finder
from vision.reading.identifier import Identifier


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own arguments."""
    parser.add_argument(
        "--decks", nargs="+", type=Path, required=True, metavar="DIR", help="folders of scans"
    )
    parser.add_argument("--finder", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument("--identifier", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument(
        "--crops", type=int, default=780, metavar="N", help="crops of each difficulty (default: 780)"
    )
    parser.add_argument("--scenes", type=int, default=150, metavar="N", help="rendered tables (default: 150)")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--page", type=Path, metavar="DIR", help="write a page with the crops read wrongly")


def run(args: argparse.Namespace) -> int:
    """Measure the models on each deck, and print the figures."""
    if args.crops < 0 or args.scenes < 0:
        raise VisionError("--crops, --scenes: must not be negative")
    check_page(args.page)
    finder, identifier = Finder(args.finder), Identifier(args.identifier)
    decks = [score_models(d, finder, identifier, crops=args.crops, scenes=args.scenes) for d in args.decks]
    text = "\n\n".join(map(deck_as_text, decks))
    if args.format == "json":
        report = {
            "decks": [deck_as_json(score) for score in decks],
            "targets": {name: asdict(target) for name, target in CROPS.items()},
        }
        print(json.dumps(report, indent=1, ensure_ascii=False))
    else:
        print(text)
    if args.page is not None:
        write_page(args.page, "Crops read wrongly", text, mistakes_of_models(decks))
    return 0


def mistakes_of_models(decks: Sequence[ModelScore]) -> list[Section]:
    """For the page: the wrong crops of each deck by difficulty, surest first."""
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
    return found or [Section("Nothing", "Everything was read right.", ())]
