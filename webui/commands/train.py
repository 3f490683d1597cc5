"""`tarok train`: train the networks on rendered scenes, or fit the tables of evidence."""

import argparse
import dataclasses
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from vision.resources import models_dir
from webui.commands.options import check_threads, make_folder
from webui.errors import UserError, require_within

BELIEF_TABLES = 300
"""Rendered tables to which the belief is fitted without `--scenes`."""
BELIEF_INVENTED = 0.75
"""Share of invented packs on these tables without `--settings`: of the scanned ones the identifier is surer than of a
club's.
"""
CALIBRATION_TABLES = 16
"""Rendered tables on which a network's activations are measured without `--scenes`."""
KINDS = ("finder", "corners", "identifier", "prints", "tables", "belief", "int8")

_RANGES: Final = (
    ("epochs", 1, 100_000),
    ("scenes", 1, 10_000_000),
    ("hours", 0, 10_000),
    ("lr0", 0, 1),
    ("seed", 0, 2**32 - 1),
    ("workers", 0, 64),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok train`."""
    parser.add_argument("kind", choices=KINDS)
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
        help="truth files of recordings (see tarok film), for the tables",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the run's folder; a killed run there goes on"
    )
    parser.add_argument(
        "--settings", type=Path, metavar="TOML", help="how to train (default: models/training.toml)"
    )
    parser.add_argument("--epochs", type=int, help="instead of the settings' number")
    parser.add_argument(
        "--scenes",
        type=int,
        help="pictures an epoch, instead of the settings' number; tables for belief and int8",
    )
    parser.add_argument("--hours", type=float, help="fit the number of epochs to this time")
    parser.add_argument("--lr0", type=float, help="first learning rate, instead of the settings' one")
    parser.add_argument("--seed", type=int, default=0, help="another one draws other scenes (default: 0)")
    parser.add_argument(
        "--threads", type=int, default=1, help="processor threads (two jobs side by side use two cores)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=0,
        help="processes that render scenes beside the training (default: none)",
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
        "--start", metavar="WEIGHTS", help="weights to begin with: a file, or a name in models/"
    )


def run(args: argparse.Namespace) -> int:
    """Train, then write DIR/<kind>.onnx, or DIR/places.json and DIR/seats.json, or DIR/belief.json.

    `int8` writes DIR/finder.onnx and DIR/corners.onnx: the shipped networks with 8-bit weights.
    """
    for option, low, high in _RANGES:
        require_within(args, option, low, high)
    check_threads(args)
    _refuse_what_is_missing(args)
    make_folder("--out", args.out)
    if args.kind == "tables":
        return _fit_tables(args.films, args.out, args.threads)
    if args.kind == "belief":
        return _fit_belief(args)
    if args.kind == "int8":
        return _quantise(args)
    start = _start(args.start) if args.start is not None else None
    from vision.lab.training.settings import Run, load_settings

    settings = load_settings(args.kind, args.settings)
    changes = {"epochs": args.epochs, "scenes_per_epoch": args.scenes, "lr0": args.lr0}
    settings = dataclasses.replace(
        settings, **{name: value for name, value in changes.items() if value is not None}
    )
    out = args.out / f"{args.kind}.onnx"
    how = Run(
        args.decks, args.out, settings, seed=args.seed, threads=args.threads, workers=args.workers,
        hours=args.hours, start=start, textures=args.textures, say=_say,
    )  # fmt: skip
    if args.kind == "corners":
        from vision.lab.training.corners import export_corners, train_corners

        export_corners(train_corners(how, args.finder), out)
    elif args.kind == "prints":
        from vision.lab.training.prints import export_prints, train_prints

        export_prints(train_prints(how), settings, out)
    else:
        from vision.lab.training.train import export_model, train

        export_model(train(args.kind, how, args.crops), args.kind, settings, out)
    print(out)
    return 0


def _refuse_what_is_missing(args: argparse.Namespace) -> None:
    """Raise `UserError` when the films, decks or table tops to learn from are not given, or are not there."""
    if args.kind == "tables":
        if not args.films:
            raise UserError("give --films: the truth files of the recordings that the tables are fitted to")
        return
    if not args.decks:
        raise UserError("give --decks: the folders of the decks to learn from")
    for path in args.decks:
        if not path.is_dir():
            raise UserError(f"{path}: no such deck folder")
    if args.textures is not None and not args.textures.is_dir():
        raise UserError(f"{args.textures}: no such folder")


def _fit_tables(films: list[Path], out: Path, threads: int) -> int:
    from vision.lab.bench.truth import load_recording
    from vision.lab.training.tables import fit_tables, watch_film
    from webui.bench.vision import keeper_of

    samples = []
    for recording in [load_recording(path) for path in films]:
        keeper = keeper_of(recording)
        samples.append(watch_film(recording, keeper.expectation, keeper.book, threads))
        _say(str(recording.video))
    return _write_tables(out, fit_tables(samples))


def _fit_belief(args: argparse.Namespace) -> int:
    from vision.decks import load_deck
    from vision.lab.training.belief import belief_samples, fit_belief
    from vision.lab.training.samples import stock_studio
    from vision.lab.training.settings import load_settings

    decks = [load_deck(path) for path in args.decks]
    settings = load_settings("finder", args.settings)
    if args.settings is None:
        settings = dataclasses.replace(settings, invented_share=BELIEF_INVENTED)
    studio = stock_studio("finder", decks, settings, args.seed, args.textures)
    samples = belief_samples(studio, args.scenes or BELIEF_TABLES, args.seed, args.threads, _say)
    return _write_tables(args.out, {"belief": fit_belief(samples)})


def _quantise(args: argparse.Namespace) -> int:
    import numpy as np

    from vision.decks import load_deck
    from vision.lab.rendering.scene import open_studio
    from vision.lab.rendering.textures import load_textures
    from vision.lab.training.quantising import FLOAT_PARTS, quantise

    tops = load_textures(args.textures) if args.textures is not None else []
    rng, decks = np.random.default_rng(args.seed), [load_deck(path) for path in args.decks]
    studio = open_studio(rng, decks, cloths=24, backs=24, textures=tops)
    for kind in FLOAT_PARTS:
        out = args.out / f"{kind}.onnx"
        quantise(
            kind, models_dir() / f"{kind}.onnx", studio, args.scenes or CALIBRATION_TABLES, args.seed, out
        )
        print(out)
    return 0


def _write_tables(out: Path, tables: Mapping[str, Mapping[str, object]]) -> int:
    """Write each of the `tables`, by its name, to the folder `out`, and print where; returns the exit status."""
    for name, table in tables.items():
        path = out / f"{name}.json"
        path.write_text(json.dumps(table) + "\n", encoding="utf-8")
        print(path)
    return 0


def _say(line: str) -> None:
    """Print a line of progress."""
    print(line, file=sys.stderr, flush=True)


def _start(name: str) -> Path:
    """The weights `name`: a file, or one in `models/checkpoints` or `models`, with or without its suffix."""
    places = (Path(name), models_dir() / "checkpoints" / f"{name}.pt", models_dir() / f"{name}.onnx")
    for path in places:
        if path.is_file():
            return path
    here = sorted(p.stem for p in (*models_dir().glob("checkpoints/*.pt"), *models_dir().glob("*.onnx")))
    raise UserError(f"{name}: no such checkpoint; in models/ are {', '.join(dict.fromkeys(here))}")
