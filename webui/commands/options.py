"""Options that several commands have."""

import argparse
from pathlib import Path
from typing import Final

from webui.errors import UserError, require_within, told_as

_MOST_THREADS: Final = 64


def add_threads(parser: argparse.ArgumentParser) -> None:
    """The option `--threads` of a command that runs the models."""
    from vision.threads import (
        helping_threads,  # imported here, because the club's command loads nothing of the eyes
    )

    parser.add_argument(
        "--threads",
        type=int,
        default=helping_threads(),
        metavar="N",
        help="processor threads for the models (default: %(default)s here, as many as help)",
    )


def check_threads(args: argparse.Namespace) -> None:
    """Raise UserError if `--threads` is a number with which nothing can be done."""
    require_within(args, "threads", 1, _MOST_THREADS)


def add_networks(parser: argparse.ArgumentParser) -> None:
    """The options of a command that can run other networks than the shipped ones."""
    for network in ("finder", "corners", "identifier"):
        parser.add_argument(
            f"--{network}",
            type=Path,
            metavar="ONNX",
            help="weights to use instead of the shipped ones",
        )


def make_folder(option: str, folder: Path) -> None:
    """Make the `folder` that `option` names, if it is missing; raises UserError if it cannot be made."""
    if folder.is_file():
        raise UserError(f"{option} {folder}: is not a folder")
    with told_as(UserError, f"{option} {folder}"):
        folder.mkdir(parents=True, exist_ok=True)


def port_number(word: str) -> int:
    """A TCP port from the command line; 0 takes a free one."""
    if not (word.isascii() and word.isdecimal() and int(word) < 65536):
        raise argparse.ArgumentTypeError(f"{word!r} is not a port (0 to 65535)")
    return int(word)
