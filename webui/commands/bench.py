"""`tarok bench`: measure the rules engine or the recognition."""

import argparse
import importlib
from typing import Final

from webui import bench_rules

NAME = "bench"
HELP = "measure the rules engine or the recognition"

_VISION: Final = "vision.benchmark"


class _VisionArguments(argparse.ArgumentParser):
    """The parser of `bench vision`: its arguments are known only once it is asked for, as they need OpenCV."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        importlib.import_module(_VISION).add_arguments(self)
        return super().parse_known_args(args, namespace)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two benchmarks, each with its own arguments."""
    subparsers = parser.add_subparsers(dest="benchmark", required=True, metavar="rules|vision")
    subparsers._parser_class = argparse.ArgumentParser
    bench_rules.add_arguments(subparsers.add_parser("rules", help="the rules engine and the inference"))
    subparsers._parser_class = _VisionArguments
    subparsers.add_parser("vision", help="the recognition, on a folder of recordings with truth files")


def run(args: argparse.Namespace) -> int:
    """Run the benchmark asked for; its exit status."""
    if args.benchmark == "rules":
        return bench_rules.run(args)
    status: int = importlib.import_module(_VISION).run(args)
    return status
