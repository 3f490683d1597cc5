"""`tarok cameras`: the cameras of this machine, one a line."""

import argparse

NAME = "cameras"
HELP = "list the cameras of this machine"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """This command has no arguments."""


def run(args: argparse.Namespace) -> int:
    """Print each camera's number, name and picture size."""
    from vision.camera.capture import list_cameras

    found = list_cameras()
    for number, name in found:
        print(f"{number}  {name}")
    if not found:
        print(
            "No camera was found. Plug one in, or close the program that uses it. "
            "To enter every card by hand: tarok serve none"
        )
    return 0
