"""Options that several commands have."""

import argparse
from pathlib import Path

from webui.errors import UserError, told_as


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


def add_networks(parser: argparse.ArgumentParser) -> None:
    """The options of a command that can run other networks than the shipped ones."""
    for network in ("finder", "corners", "identifier"):
        parser.add_argument(f"--{network}", type=Path, metavar="ONNX", help="default: the shipped weights")


def make_folder(option: str, folder: Path) -> None:
    """Make the `folder` that `option` names, if it is missing; raises UserError if it cannot be made."""
    with told_as(UserError, f"{option} {folder}"):
        folder.mkdir(parents=True, exist_ok=True)


def port_number(word: str) -> int:
    """A TCP port from the command line; 0 takes a free one."""
    if not (word.isascii() and word.isdecimal() and int(word) < 65536):
        raise argparse.ArgumentTypeError(f"{word!r} is not a port (0 to 65535)")
    return int(word)
