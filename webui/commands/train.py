"""`tarok train`: train the finder, the corners or the identifier on rendered scenes, or fit the tables of the watch."""

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from vision.resources import models_dir
from webui.cli import UserError

FITTED = ("places", "plays")
KINDS_OF_TRAINING = ("finder", "corners", "identifier", *FITTED)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("kind", choices=KINDS_OF_TRAINING)
    parser.add_argument(
        "--decks",
        nargs="+",
        type=Path,
        default=[],
        metavar="DIR",
        help="deck folders of <CARD>.png|jpg files, for the finder and the identifier",
    )
    parser.add_argument(
        "--films",
        nargs="+",
        type=Path,
        default=[],
        metavar="TRUTH",
        help="truth files of recordings (see tarok film), for places and plays",
    )
    parser.add_argument(
        "--finders",
        nargs="+",
        type=Path,
        default=[],
        metavar="ONNX",
        help="weights of the finders that watch the films (default: the shipped ones)",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the run's folder; a killed run there goes on"
    )
    parser.add_argument("--settings", type=Path, metavar="TOML", help="default: models/training.toml")
    parser.add_argument("--epochs", type=int, help="instead of the settings' number")
    parser.add_argument("--scenes", type=int, help="pictures an epoch, instead of the settings' number")
    parser.add_argument("--hours", type=float, help="fit the number of epochs to this time")
    parser.add_argument("--lr0", type=float, help="first learning rate, instead of the settings' one")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--threads", type=int, default=1, help="processor threads (two jobs side by side use two cores)"
    )
    parser.add_argument("--textures", type=Path, metavar="DIR", help="photos to take table tops from")
    parser.add_argument(
        "--crops", type=Path, metavar="DIR", help="crops of real cards to mix in, <CARD>/*.png (corrections)"
    )
    parser.add_argument(
        "--finder",
        type=Path,
        metavar="ONNX",
        help="for corners: the finder whose boxes are looked at (default: the shipped one)",
    )
    parser.add_argument(
        "--start",
        metavar="WEIGHTS",
        help="weights to begin with: a file, or a name in models/",
    )


def run(args: argparse.Namespace) -> int:
    """Train, then write DIR/<kind>.onnx, or DIR/<kind>.json for what is fitted."""
    if args.kind in FITTED:
        return _fit(args)
    if not args.decks:
        raise UserError(f"give --decks: the folders of the decks that the {args.kind} is to learn")
    for path in args.decks:
        if not path.is_dir():
            raise UserError(f"{path}: no such deck folder")
    if args.textures is not None and not args.textures.is_dir():
        raise UserError(f"{args.textures}: no such folder")
    start = _start(args.start) if args.start is not None else None
    from vision.training.settings import load_settings

    settings = load_settings(args.kind, args.settings)
    changes = {"epochs": args.epochs, "scenes_per_epoch": args.scenes, "lr0": args.lr0}
    settings = dataclasses.replace(
        settings, **{name: value for name, value in changes.items() if value is not None}
    )
    out = args.out / f"{args.kind}.onnx"
    how: dict[str, Any] = {
        "settings": settings, "seed": args.seed, "threads": args.threads, "hours": args.hours, "start": start,
        "textures": args.textures, "say": lambda line: print(line, file=sys.stderr, flush=True),
    }  # fmt: skip
    if args.kind == "corners":
        from vision.training.corners import export_corners, train_corners

        export_corners(train_corners(args.decks, args.out, finder=args.finder, **how), out)
    else:
        from vision.training.train import export_model, train

        checkpoint = train(args.kind, args.decks, args.out, crops=args.crops, **how)
        export_model(checkpoint, args.kind, settings, out)
    print(out)
    return 0


def _fit(args: argparse.Namespace) -> int:
    """Fit a table to films, each watched with each finder."""
    from tracker.events import SessionOpened
    from vision.bench.truth import load_recording
    from vision.training.places import MetPlaces, fit_places
    from vision.training.plays import MetSightings, fit_plays
    from vision.training.watching import watch_film
    from webui.scorekeeper import Scorekeeper

    if not args.films:
        raise UserError(f"give --films: the truth files of the recordings that the {args.kind} are fitted to")
    places, labelled = [], []
    for recording in [load_recording(path) for path in args.films]:
        for finder in args.finders or [None]:
            keeper = Scorekeeper(SessionOpened(recording.rules, (), tuple(recording.sides)), recording.dealer)
            met_places, met_sightings = MetPlaces(), MetSightings()
            note = met_places.note if args.kind == "places" else met_sightings.note
            watch_film(recording, keeper.expectation, keeper.book, note, finder=finder, threads=args.threads)
            places.append(met_places)
            labelled += met_sightings.labelled(recording.plays)
        print(recording.video, file=sys.stderr, flush=True)
    table = fit_places(places) if args.kind == "places" else fit_plays(labelled)
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / f"{args.kind}.json"
    path.write_text(json.dumps(table) + "\n", encoding="utf-8")
    print(path)
    return 0


def _start(name: str) -> Path:
    """The weights called `name`: a file, or one of `models/checkpoints` or `models`, with or without its suffix."""
    places = (Path(name), models_dir() / "checkpoints" / f"{name}.pt", models_dir() / f"{name}.onnx")
    for path in places:
        if path.is_file():
            return path
    here = sorted(p.stem for p in (*models_dir().glob("checkpoints/*.pt"), *models_dir().glob("*.onnx")))
    raise UserError(f"{name}: no such checkpoint; in models/ are {', '.join(dict.fromkeys(here))}")
