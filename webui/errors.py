"""A user's error and a fault of the program's own, each told in one line."""

import argparse
import sys
import traceback

from vision.threads import helping_threads


class UserError(Exception):
    """A command that cannot be carried out; the message is one sentence for the user."""


def require_positive(args: argparse.Namespace, *options: str) -> None:
    """Raise UserError naming the first of these `options` that is below 1."""
    for option in options:
        if getattr(args, option) < 1:
            raise UserError(f"--{option} {getattr(args, option)}: must be 1 or more")


def add_threads(parser: argparse.ArgumentParser) -> None:
    """The option `--threads` of a command that runs the models."""
    parser.add_argument(
        "--threads",
        type=int,
        default=helping_threads(),
        metavar="N",
        help="processor threads for the models (default: %(default)s here, as many as help)",
    )


def tell_fault(doing: str, fault: Exception) -> str:
    """Print on the terminal, in one line, that `doing` failed, why and where in the code; returns why."""
    what = " ".join(f"{type(fault).__name__}: {fault}".split())
    trace = traceback.extract_tb(fault.__traceback__)
    where = f" at {trace[-1].filename}:{trace[-1].lineno}" if trace else ""
    print(f"tarok: {doing} failed{where}: {what}", file=sys.stderr, flush=True)
    return what
