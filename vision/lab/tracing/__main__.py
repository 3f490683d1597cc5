"""`python -m vision.lab.tracing stills|films`: path-traced card tables with ground truth."""

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from vision.errors import VisionError
from vision.lab.tracing.films import make_film, write_truth
from vision.lab.tracing.packs import TracedPack, load_pack
from vision.lab.tracing.stills import HARD, USUAL, make_still, write_still
from vision.resources import datasets_dir


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    top = argparse.ArgumentParser(prog="python -m vision.lab.tracing", description=__doc__)
    kinds = top.add_subparsers(dest="kind", required=True)
    for kind, what in (
        ("stills", "stills for `tarok bench stills`"),
        ("films", "films for `tarok bench vision`"),
    ):
        sub = kinds.add_parser(kind, help=what)
        sub.add_argument("--out", type=Path, required=True, metavar="DIR", help=f"where the {kind} go")
        sub.add_argument("--count", type=_at_least(1), default=10, metavar="N", help="how many (default: 10)")
        sub.add_argument(
            "--decks", nargs="+", type=Path, metavar="DIR", help="folders of scans (default: the drawn deck)"
        )
        sub.add_argument("--seed", type=_at_least(0), default=0, help="another one gives others (default: 0)")
        sub.add_argument(
            "--first",
            type=_at_least(0),
            default=0,
            metavar="N",
            help="number of the first one, to extend a set",
        )
        sub.add_argument("--samples", type=_at_least(1), default=4, help="paths per pixel (default: 4)")
        sub.add_argument("--size", type=_size, default="1280x720", help="px (default: 1280x720)")
        if kind == "films":
            sub.add_argument(
                "--tricks", type=_at_least(1), default=8, metavar="N", help="of each film (default: 8)"
            )
        if kind == "stills":
            sub.add_argument(
                "--group", choices=(USUAL, HARD), default=USUAL, help="how hard they are to read"
            )
    return top


def _at_least(least: int) -> Callable[[str], int]:
    """What makes an int of an argument, and refuses one below `least`."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} on")
        return int(text)

    return number


def _size(text: str) -> tuple[int, int]:
    """The width and height in px of a text such as 1280x720."""
    found = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size, such as 1280x720")
    return int(found[1]), int(found[2])


def main(argv: Sequence[str] | None = None) -> int:
    """Make the stills or films. Seed, number and deck determine each. Returns 0, or 2 after a user's error."""
    args = parser().parse_args(argv)
    try:
        packs = [load_pack(folder) for folder in args.decks or [datasets_dir() / "drawn"]]
        args.out.mkdir(parents=True, exist_ok=True)
        for number in range(args.first, args.first + args.count):
            began = time.monotonic()
            pack = packs[number % len(packs)]
            with tempfile.TemporaryDirectory() as folder:
                name = _make(args, number, pack, Path(folder), args.size)
            print(f"{name} {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)
    except (VisionError, OSError) as error:
        said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
        print(f"vision.lab.tracing: {said}", file=sys.stderr)
        return 2
    return 0


def _make(
    args: argparse.Namespace, number: int, pack: TracedPack, folder: Path, size: tuple[int, int]
) -> str:
    """Make and save one still or film; returns its name."""
    if args.kind == "films":
        name = f"film{number:03}_{pack.name}"
        video = args.out / f"{name}.avi"
        rng = np.random.default_rng((args.seed, number, 2))
        write_truth(video, make_film(rng, pack, folder, video, args.tricks, size, args.samples))
        return name
    name = f"{args.group}{number:03}_{pack.name}"
    rng = np.random.default_rng((args.seed, number, args.group == HARD))
    jpeg, truth = make_still(rng, pack, args.group, folder, size, args.samples)
    write_still(args.out, name, jpeg, {"seed": args.seed, **truth})
    return name


if __name__ == "__main__":
    sys.exit(main())
