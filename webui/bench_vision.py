"""`tarok bench vision`: watch recordings with truth files; plays right, wrong, missed and invented."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from tracker.events import SessionOpened
from vision.benchmark import PlayScore, as_text, load_recording, score_recording
from vision.models import Finder
from vision.watch import open_identifier
from webui.cli import UserError
from webui.watching import Scorekeeper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own arguments."""
    parser.add_argument(
        "recordings", nargs="+", type=Path, help="folders of NAME.mp4 with NAME.json, or such JSON files"
    )
    parser.add_argument("--finder", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument("--identifier", type=Path, metavar="ONNX", help="default: the shipped weights")
    parser.add_argument("--deck", type=Path, metavar="DIR", help="the folder of a taught deck")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--threads", type=int, default=2, help="processor threads for the models (default: 2)"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="look at every Nth frame")
    parser.add_argument(
        "--mistakes", type=Path, metavar="DIR", help="write a picture of each wrong booking there"
    )


def run(args: argparse.Namespace) -> int:
    """Watch every recording and print its score, then all together."""
    truths = [
        t for path in args.recordings for t in (sorted(path.glob("*.json")) if path.is_dir() else [path])
    ]
    truths = [path for path in truths if path.with_suffix(".mp4").is_file()]
    if not truths:
        raise UserError(f"{args.recordings[0]}: no recording with a truth file beside it")
    if args.every < 1:
        raise UserError(f"--every {args.every}: must be 1 or more")
    scores: list[PlayScore] = []
    for truth in truths:
        recording = load_recording(truth)
        keeper = Scorekeeper(SessionOpened(recording.rules, (), tuple(recording.sides)), recording.dealer)
        scores.append(
            score_recording(
                recording, keeper.expectation, keeper.book,
                Finder(args.finder, args.threads), open_identifier(args.identifier, args.deck, args.threads),
                every=args.every, mistakes=args.mistakes,
            )
        )  # fmt: skip
    if args.format == "json":
        print(json.dumps([asdict(score) for score in scores], indent=1))
    else:
        plays, right = sum(s.plays for s in scores), sum(s.right for s in scores)
        print(as_text(scores))
        print(f"\nin all {right} of {plays} plays right, {sum(s.invented for s in scores)} invented")
    return 0
