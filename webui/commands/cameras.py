"""`tarok cameras`: list the cameras of this machine, or try one in the network."""

import argparse

from webui.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok cameras`."""
    parser.add_argument(
        "address", nargs="?", help="try the camera at this address in the local network, such as a phone"
    )


def run(args: argparse.Namespace) -> int:
    """Print each camera's number, name and picture size; with an address, what the camera there sends."""
    from vision.camera.capture import list_cameras

    if args.address is not None:
        if args.address.isdecimal():
            raise UserError(
                f"{args.address}: is no address such as 192.168.1.20:8080; tarok serve {args.address} uses the camera "
                "of that number"
            )
        print(_tried(args.address))
        return 0
    found = list_cameras()
    for number, name in found:
        print(f"{number}  {name}")
    if not found:
        print(
            "No camera was found. Plug one in, or close the program that uses it. "
            "To enter every card by hand: tarok serve none"
        )
    return 0


def _tried(words: str) -> str:
    from vision.camera.address import shown_address, whole_address
    from vision.camera.trial import try_camera

    address = whole_address(words)
    trial = try_camera(address)
    width, height = trial.size
    rate = round(trial.frames_per_s)
    return (
        f"{shown_address(address)}  {width}x{height}, {rate} picture{'' if rate == 1 else 's'} a second, "
        f"at most {1000 * trial.longest_wait_s:.0f} ms apart, sharpness {trial.sharpness:.0f}"
    )
