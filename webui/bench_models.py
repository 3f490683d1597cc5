"""`tarok bench models`: the finder and the identifier alone, on rendered scenes of a deck."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from vision.benchmark import ModelScore, PhotoScore, as_text, score_models, score_photos
from vision.models import Finder, Identifier
from webui.cli import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own arguments."""
    parser.add_argument("--decks", nargs="+", type=Path, default=[], metavar="DIR")
    parser.add_argument(
        "--photos", type=Path, metavar="DIR", help="real photos with Pascal VOC boxes beside them"
    )
    parser.add_argument("--mistakes", type=Path, metavar="DIR", help="write the photos with mistakes there")
    parser.add_argument("--finder", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument("--identifier", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument("--crops", type=int, default=780)
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Measure and print, a paragraph for each deck."""
    finder, identifier = Finder(args.finder), Identifier(args.identifier)
    if not args.decks and args.photos is None:
        raise UserError("bench models: give --decks, --photos or both")
    scores: list[ModelScore | PhotoScore] = [
        score_models(deck, finder, identifier, crops=args.crops, scenes=args.scenes) for deck in args.decks
    ]
    if args.photos is not None:
        scores.append(score_photos(args.photos, finder, mistakes=args.mistakes))
    if args.format == "json":
        print(json.dumps([asdict(score) for score in scores], indent=1, ensure_ascii=False))
    else:
        print(as_text(scores))
    return 0
