"""`tarok bench stills`: what `tarok look` says of stills with truth, counted and held against the targets."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
from tqdm import tqdm

from vision.lab.bench.mistakes_page import Section, Thumb, check_page, write_page
from vision.lab.bench.stills import (
    BACK_AS_FACE,
    MISREAD,
    MISSED,
    OFF,
    STRAY,
    JudgedStill,
    judge_still,
    load_stills,
    mistakes,
    picture_of,
    table_as_json,
    table_as_text,
)
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.reading.magnified import MagnifyingFinder
from vision.watching.eyes import open_identifier
from vision.watching.still import detected_cards, read_photo
from webui.commands.options import add_networks, add_threads, check_threads
from webui.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench stills`."""
    parser.add_argument(
        "folders", nargs="+", type=Path, metavar="FOLDER",
        help="stills with a JSON file beside each, or webcam frames with one truth.json",
    )  # fmt: skip
    parser.add_argument("--decks", nargs="+", metavar="NAME", help="count the stills of these decks only")
    add_networks(parser)
    parser.add_argument(
        "--whole",
        action="store_true",
        help="look at the whole picture only, as tarok watch does while something moves",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_threads(parser)
    parser.add_argument(
        "--page", type=Path, metavar="DIR", help="write a page with pictures of every mistake there"
    )


def run(args: argparse.Namespace) -> int:
    """Look at every still, and print the figures of each group of stills."""
    check_threads(args)
    check_page(args.page)
    stills = [still for folder in args.folders for still in load_stills(folder)]
    if args.decks:
        stills = [still for still in stills if still.deck in args.decks]
        if not stills:
            raise UserError(f"--decks {' '.join(args.decks)}: no still of such a deck")
    whole, corners = Finder(args.finder, args.threads), CornerFinder(args.corners, args.threads)
    finder = whole if args.whole else MagnifyingFinder(whole, corners)
    identifier = open_identifier(args.identifier, None, args.threads)
    judged = [
        judge_still(still, detected_cards(read_photo(still.path), finder, identifier, corners))
        for still in tqdm(stills, unit=" stills", file=sys.stderr, delay=2)
    ]
    text = table_as_text(judged)
    print(json.dumps(table_as_json(judged), indent=1, ensure_ascii=False) if args.format == "json" else text)
    if args.page is not None:
        write_page(args.page, "What was seen wrongly in stills", text, sections(judged))
    return 0


_SECTIONS = {
    MISSED: "A face with 35 % or more in view, and no face was reported in its place.",
    STRAY: "A face was reported where no card lies, or two of them at one card.",
    BACK_AS_FACE: "A face was reported where a back lies.",
    MISREAD: "Found, and its likeliest name is wrong.",
    OFF: "Found, and its worst corner is more than 4 % of the card's height off.",
}


def sections(judged: Sequence[JudgedStill]) -> list[Section]:
    """The mistakes by kind. True faces are drawn green, true backs blue, reported faces red, other reports grey."""
    thumbs: dict[str, list[Thumb]] = {kind: [] for kind in _SECTIONS}
    for j in judged:
        for mistake in mistakes(j):
            jpeg = cv2.imencode(".jpg", picture_of(j, mistake))[1].tobytes()
            where = f"{mistake.words}, {j.still.path.stem}"
            thumbs[mistake.kind].append(Thumb(jpeg, mistake.kind, where, card=False))
    found = [
        Section(kind.capitalize(), words, thumbs[kind]) for kind, words in _SECTIONS.items() if thumbs[kind]
    ]
    return found or [Section("Nothing", "Everything was seen right.", ())]
