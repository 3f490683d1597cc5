"""`tarok bench`: measure the rules engine, the recognition or the servers."""

import argparse
import importlib
from typing import Final

# A benchmark is imported only when it is asked for: the recognition needs OpenCV and its models.
_BENCHMARKS: Final = {
    "rules": "webui.bench.rules",
    "vision": "webui.bench.vision",
    "sensitivity": "webui.bench.sensitivity",
    "models": "vision.lab.bench.models",
    "stills": "webui.bench.stills",
    "start": "webui.bench.start",
    "evening": "webui.bench.evening",
    "crowd": "webui.bench.crowd",
    "club": "webui.bench.club",
    "tournament": "webui.bench.tournament",
    "enrol": "vision.lab.bench.taught_deck",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench`: the benchmark, then its own arguments (`tarok bench rules --help`)."""
    parser.add_argument("benchmark", choices=tuple(_BENCHMARKS))
    parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="...", help="the benchmark's own arguments"
    )


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that is asked for; returns its exit status."""
    module = importlib.import_module(_BENCHMARKS[args.benchmark])
    parser = argparse.ArgumentParser(prog=f"tarok bench {args.benchmark}", description=module.__doc__)
    module.add_arguments(parser)
    status: int = module.run(parser.parse_args(args.arguments))
    return status
