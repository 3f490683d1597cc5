"""What a user can do wrong towards a command, and what the program itself fails at, each said in one line."""

import argparse
import sys
import traceback


class UserError(Exception):
    """A command that cannot be carried out; the message is one sentence for the user."""


def require_positive(args: argparse.Namespace, *options: str) -> None:
    """Raise UserError naming the first of these `options` that is below 1."""
    for option in options:
        if getattr(args, option) < 1:
            raise UserError(f"--{option} {getattr(args, option)}: must be 1 or more")


def tell_fault(doing: str, fault: Exception) -> str:
    """Say on the terminal in one line what the program failed at while `doing`, and where; returns what."""
    what = " ".join(f"{type(fault).__name__}: {fault}".split())
    trace = traceback.extract_tb(fault.__traceback__)
    where = f" at {trace[-1].filename}:{trace[-1].lineno}" if trace else ""
    print(f"tarok: {doing} failed{where}: {what}", file=sys.stderr, flush=True)
    return what
