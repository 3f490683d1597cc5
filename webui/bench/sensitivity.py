"""`tarok bench sensitivity`: how much of the reading depends on each number of the watching.

Each number is moved by a third, down and up; of a share the odds are moved. The recordings are watched anew from kept
answers of the networks.
"""

import argparse
import ast
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from vision.lab.bench.figures import figures
from webui.bench.vision import find_truths, watch_one
from webui.commands.options import add_threads, check_threads

_MODULES = ("joint_readings", "possible_plays", "no_plays", "plays")
_ROOM = "vision.watching"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench sensitivity`."""
    parser.add_argument(
        "recordings", nargs="+", type=Path, help="folders of NAME.mp4 with NAME.json, or such JSON files"
    )
    parser.add_argument(
        "--answers", type=Path, metavar="DIR", required=True, help="where `tarok bench vision` kept them"
    )
    parser.add_argument(
        "--modules",
        nargs="+",
        default=_MODULES,
        metavar="MODULE",
        help=f"of {_ROOM}; default: {' '.join(_MODULES)}",
    )
    add_threads(parser)


def run(args: argparse.Namespace) -> int:
    """Watch the recordings with each number as it is and moved, and print what changes."""
    check_threads(args)
    args.recordings = find_truths(args.recordings)
    args.finder = args.corners = args.identifier = args.deck = args.page = None
    args.every = 1
    print(f"as it is: {_read(args)}")
    for name in args.modules:
        module = importlib.import_module(f"{_ROOM}.{name}")
        for number, value in numbers_of(module).items():
            told = []
            for factor in (2 / 3, 4 / 3):
                other = moved(value, factor)
                with moved_to(number, value, other):
                    told.append(f"{other:.4g}: {_read(args)}")
            print(f"{name}.{number} = {value}; {'; '.join(told)}", flush=True)
    return 0


def _read(args: argparse.Namespace) -> str:
    read = figures([watch_one(truth, args, None) for truth in args.recordings])
    return (
        f"{read.right.count} right, {read.wrong} wrong, {read.missed} missed, {read.invented} invented,"
        f" {read.questions} asked, known after {read.known_p95_s} s"
    )


def numbers_of(module: ModuleType) -> dict[str, float]:
    """The numbers that `module` itself defines under a name in capitals."""
    assert module.__file__ is not None
    numbers = {}
    for line in ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body:
        for target in line.targets if isinstance(line, ast.Assign) else ():
            for name in ast.walk(target):
                value = getattr(module, name.id, None) if isinstance(name, ast.Name) else None
                if isinstance(name, ast.Name) and name.id.isupper() and isinstance(value, int | float):
                    numbers[name.id] = value
    return numbers


def moved(value: float, factor: float) -> float:
    """`value` times `factor`; of a share the odds change so. A whole number stays whole and changes by at least 1."""
    if isinstance(value, int):
        return value + (round(value * factor) - value or (1 if factor > 1 else -1))
    return value * factor / (1 - value + value * factor) if 0 < value < 1 else value * factor


@contextmanager
def moved_to(name: str, value: float, other: float) -> Iterator[None]:
    """Within the block the number `name` is `other` in all modules of the watching that have it with this `value`."""
    modules = [
        module
        for path, module in list(sys.modules.items())
        if path.startswith(_ROOM) and getattr(module, name, None) == value
    ]
    for module in modules:
        setattr(module, name, other)
    try:
        yield
    finally:
        for module in modules:
            setattr(module, name, value)
