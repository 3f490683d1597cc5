"""`tarok decks`: teach the program a deck by showing its cards, list taught decks, forget a deck."""

import argparse
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.cards import CARDS
from vision.errors import CameraLost
from webui.errors import UserError, require_within
from webui.paths import deck_dir, decks_dir

if TYPE_CHECKING:
    from vision.taught.enrolment import Shown
    from vision.taught.gallery import TaughtIdentifier


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok decks`: `enrol`, `list` and `forget`, each with its own."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    enrol = actions.add_parser(
        "enrol", help="show the 78 cards in any order; can be broken off and taken up again"
    )
    enrol.add_argument("name", metavar="NAME", help="the deck's name")
    enrol.add_argument(
        "--source", default="0", help="camera, video, or folder of <CARD>.png|jpg (default: camera 0)"
    )
    enrol.add_argument("--looks", type=int, default=1, help="times each card is shown, 1 to 9 (default: 1)")
    enrol.add_argument("--yes", action="store_true", help="take every guess that is not doubtful")
    enrol.add_argument("--finder", type=Path, help=argparse.SUPPRESS)
    enrol.add_argument("--identifier", type=Path, help=argparse.SUPPRESS)
    actions.add_parser("list", help="the decks taught so far")
    forget = actions.add_parser("forget", help="delete a taught deck, or one card that was named wrongly")
    forget.add_argument("name", metavar="NAME", help="the deck's name")
    forget.add_argument("card", metavar="CARD", nargs="?", help="only this card, such as S7 or T21")


def run(args: argparse.Namespace) -> int:
    """Carry out the action. Interrupted teaching returns 0, too, because every card that was shown is kept."""
    if args.action == "list":
        return _list()
    if args.action == "forget":
        if args.card not in (None, *CARDS):
            raise UserError(f"{args.card} is not a card; cards are called S7, HC, T21, F and so on")
        from vision.taught.folders import forget_card, forget_deck, open_deck

        folder = open_deck(deck_dir(args.name))
        if args.card is not None:
            forget_card(folder, args.card)
            print(
                f'{args.card} of {args.name} is forgotten; tarok decks enrol "{args.name}" asks for it again.'
            )
        else:
            forget_deck(folder)
            print(f"{args.name} is forgotten.")
            if folder.is_dir() and any(folder.iterdir()):
                print(f"What else lies in {folder} stays: the program did not make it.")
        return 0
    require_within(args, "looks", 1, 9)
    return _enrol(args)


def _list() -> int:
    from vision.taught.folders import taught_decks

    decks = taught_decks(decks_dir())
    for name, cards in decks.items():
        print(f"{name}  {cards} of {len(CARDS)} cards")
    if not decks:
        print("No deck was taught yet; tarok decks enrol NAME teaches one.")
    return 0


def _enrol(args: argparse.Namespace) -> int:
    from vision.taught.enrolment import not_cards
    from vision.taught.gallery import TaughtIdentifier

    identifier = TaughtIdentifier(deck_dir(args.name), args.identifier)
    gallery = identifier.gallery
    gallery.on_table = True
    folder = Path(args.source)
    ask = not args.yes and not folder.is_dir()
    cards = _shown(args, identifier)
    first = next(cards, None)  # opens the source: if that fails, nothing is said but why
    if folder.is_dir() and (others := not_cards(folder)):
        print(f"Left out, because no card is called so: {', '.join(others)}.")
    print(progress(identifier, args.looks))
    try:
        for shown in chain((first,), cards):
            if shown is None or (folder.is_dir() and gallery.looks[shown.guesses[0]] >= args.looks):
                continue
            card = _named(shown) if ask else None if shown.doubtful else shown.guesses[0]
            if card is None:
                print("Not taken; show it again, alone and in good light.")
                continue
            if gallery.looks[card] >= args.looks:
                print(f"{card} is already known.")
                continue
            gallery.add(card, shown.crop)
            print(f"{card}. {progress(identifier, args.looks)}", flush=True)
            if _missing_count(identifier, args.looks) == 0:
                break
    except (EOFError, KeyboardInterrupt):
        print()
    except CameraLost as error:
        print(error, file=sys.stderr)  # the cards that were shown until then are kept
    if _missing_count(identifier, args.looks):
        print(f"The same command goes on from here. {progress(identifier, args.looks)}")
    return 0


def _shown(args: argparse.Namespace, identifier: "TaughtIdentifier") -> "Iterator[Shown | None]":
    from vision.reading.corners import CornerFinder
    from vision.reading.finder import Finder
    from vision.taught.enrolment import shown_by_camera, shown_by_folder

    if Path(args.source).is_dir():
        return shown_by_folder(Path(args.source))
    return shown_by_camera(args.source, Finder(args.finder), CornerFinder(), identifier, looks=args.looks)


def _named(shown: "Shown") -> str | None:
    """The card that the person at the terminal names; None to leave it out. Raises EOFError at the end of input."""
    first = shown.guesses[0]
    if shown.doubtful:
        question = f"Perhaps {', '.join(shown.guesses[:3])}. Which card? (- leaves it out) "
    else:
        question = f"Is this {first}? (Enter is yes, else the card's name; - leaves it out) "
    while True:
        answer = input(question).strip().upper()
        if answer in CARDS:
            return answer
        if answer == "-":
            return None
        if not answer and not shown.doubtful:
            return first
        print(
            f"{answer or 'nothing'} is not a card; cards are called S7, HC, T21, F and so on.",
            file=sys.stderr,
        )


def _missing_count(identifier: "TaughtIdentifier", looks: int) -> int:
    return sum(identifier.gallery.looks[card] < looks for card in CARDS)


def progress(identifier: "TaughtIdentifier", looks: int) -> str:
    """The sentence that says how many of the 78 cards are known, and which are not."""
    missing = [card for card in CARDS if identifier.gallery.looks[card] < looks]
    done = f"{len(CARDS) - len(missing)} of {len(CARDS)}"
    return f"{done}; still missing: {' '.join(missing)}" if missing else f"{done}: the deck is known."
