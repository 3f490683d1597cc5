"""`tarok look`: which cards lie in a photo, as `tarok watch` would read a table on which nothing moves."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webui.commands.options import add_networks, add_threads, check_threads, make_folder
from webui.errors import UserError, told_as
from webui.paths import deck_dir

if TYPE_CHECKING:
    from vision.arrays import UInt8Array
    from vision.watching.still import DetectedCard


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok look`."""
    parser.add_argument(
        "pictures", nargs="+", type=Path, metavar="PICTURE", help="photos of any size, any way up"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: one line a picture")
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="DIR",
        help="folder for each picture with its cards drawn in, as NAME-seen.jpg",
    )
    parser.add_argument(
        "--whole",
        action="store_true",
        help="look at the whole picture only, as tarok watch does while something moves",
    )
    parser.add_argument("--deck", metavar="NAME", help="a deck that was taught with tarok decks enrol")
    add_networks(parser)
    add_threads(parser)


def run(args: argparse.Namespace) -> int:
    """Look at each picture and print which cards lie there; returns 2 if one of them cannot be read."""
    check_threads(args)
    deck = deck_dir(args.deck) if args.deck else None
    from vision.errors import VisionError  # loads the eyes' libraries, so only once the arguments are right
    from vision.reading.corners import CornerFinder
    from vision.reading.finder import Finder
    from vision.reading.magnified import MagnifyingFinder
    from vision.watching.eyes import open_identifier
    from vision.watching.still import as_json, detected_cards, read_photo

    if args.annotate is not None:
        make_folder("--annotate", args.annotate)
    whole, corners = Finder(args.finder, args.threads), CornerFinder(args.corners, args.threads)
    finder = whole if args.whole else MagnifyingFinder(whole, corners)
    identifier = open_identifier(args.identifier, deck, args.threads)
    status = 0
    saved: set[Path] = set()
    for path in args.pictures:
        try:
            picture = read_photo(path)
        except VisionError as error:
            print(f"tarok: {_printable(str(error))}", file=sys.stderr)
            status = 2
            continue
        cards = detected_cards(picture, finder, identifier, corners)
        if args.format == "json":
            print(json.dumps({"file": str(path), "cards": as_json(cards)}), flush=True)
        else:
            print(as_text(path, cards), flush=True)
        if args.annotate is not None:
            out = _free(args.annotate, path.stem, saved)
            saved.add(out)
            _save(out, picture, cards)
    return status


def as_text(path: Path, cards: Sequence["DetectedCard"]) -> str:
    """The cards in the picture at `path`, a line for each: its middle in px, the side that is up, its names."""
    if not cards:
        return f"{_printable(str(path))}: no cards"
    lines = [f"{_printable(str(path))}: {len(cards)} card{'s' if len(cards) > 1 else ''}"]
    for card in cards:
        x, y = card.corners_px.mean(0)
        names = ", ".join(f"{name} {100 * chance:.0f} %" for name, chance in card.names if chance >= 0.005)
        named = names if card.is_sure or not names else f"perhaps {names}"
        lines.append(f"  {card.side:<8} at {x:4.0f}, {y:4.0f}   {named}".rstrip())
    return "\n".join(lines)


def _printable(name: str) -> str:
    """`name` as it can be printed: a file's name may have bytes that are no text."""
    return name.encode("utf-8", "backslashreplace").decode()


def _free(folder: Path, stem: str, saved: set[Path]) -> Path:
    """The file for the picture of the photo `stem`. Photos with one name in two folders get a number."""
    names = (f"{stem}{number}-seen.jpg" for number in ["", *(f"-{n}" for n in range(2, len(saved) + 3))])
    return next(path for name in names if (path := folder / name) not in saved)


def _save(out: Path, picture: "UInt8Array", cards: Sequence["DetectedCard"]) -> None:
    import cv2

    from vision.watching.drawing import outline
    from vision.watching.eyes import SeenCard
    from vision.watching.still import UNKNOWN_SIDE

    seen = []
    for card in cards:
        face = bool(card.names) and card.side != UNKNOWN_SIDE
        state = "settled" if card.is_sure else "doubtful" if face else "moving"
        name = card.names[0][0] if face else None
        seen.append(SeenCard(card.corners_px, name, card.side != "back", state))
    done, data = cv2.imencode(".jpg", outline(picture, seen))
    assert done
    with told_as(UserError, f"--annotate {out}"):
        out.write_bytes(data.tobytes())
