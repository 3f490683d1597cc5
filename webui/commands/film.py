"""`tarok film`: render a recording of a session file's first hand, with a truth file beside it.

The demo is made so, and recordings of any deck to measure the eyes on.
"""

import argparse
import json
import sys
from pathlib import Path

from tqdm import tqdm

from tracker import session_file
from tracker.session import Session
from webui.cli import UserError
from webui.seats import parse_seats


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("session", type=Path, help="the session file whose first hand is filmed")
    parser.add_argument(
        "--seats", required=True, help="who sits at which side of the picture: Anna@S,Bo@E,Carl@W"
    )
    parser.add_argument("--deck", type=Path, metavar="DIR", help="deck folder (default: the drawn deck)")
    parser.add_argument(
        "--cloth", type=Path, metavar="PICTURE", help="a table top (default: drawn by chance)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="VIDEO", help="its truth goes beside it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--difficulty", type=float, default=0.2, help="0 a tidy table in good light .. 1")
    parser.add_argument("--card-height", type=float, default=150.0, help="px")
    parser.add_argument("--fps", type=int, default=10)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between plays, about")


def run(args: argparse.Namespace) -> int:
    """Film the hand; VIDEO and its truth, VIDEO with the ending .json, are written."""
    from vision.arrays import UInt8Array
    from vision.decks import load_deck, read_picture
    from vision.footage import FilmedPlay, FilmStyle, VideoFile, film, truth
    from vision.resources import datasets_dir

    sides = parse_seats(args.seats)
    try:
        session: Session = session_file.loads(args.session.read_bytes()).session()
    except OSError as error:
        raise UserError(f"{args.session}: {error.strerror}") from error
    if not session.hands or not session.hands[0].plays:
        raise UserError(f"{args.session}: its first hand has no plays")
    hand = session.hands[0]
    if set(hand.active) - sides.keys():
        raise UserError(
            f"--seats {args.seats}: no side for {', '.join(sorted(set(hand.active) - sides.keys()))}"
        )
    script = [
        FilmedPlay(sides[play.player], play.card, sides[trick.winner] if trick.winner and last else None)
        for trick in hand.tricks
        for play in trick.plays
        for last in [play is trick.plays[-1]]
    ]
    style = FilmStyle(
        fps=args.fps, card_height_px=args.card_height, difficulty=args.difficulty, pause_s=args.pause
    )
    cloth = None if args.cloth is None else read_picture(args.cloth)[:, :, :3]
    deck = load_deck(args.deck or datasets_dir() / "drawn")
    count = 0
    with VideoFile(args.out, style.size, style.fps) as video, tqdm(unit=" frames", file=sys.stderr) as bar:

        def write(picture: UInt8Array) -> None:
            nonlocal count
            video.write(picture)
            bar.update()
            count += 1

        rested = film(script, deck, write, style=style, seed=args.seed, cloth=cloth)
    plays = [
        {"play": play.player, "card": play.card, "frame": frame}
        for play, frame in zip((p for t in hand.tricks for p in t.plays), rested, strict=True)
    ]
    beside = truth(sides, hand.dealer, session.opened.rules, style.fps, count, plays)
    args.out.with_suffix(".json").write_text(json.dumps(beside, indent=1, ensure_ascii=False) + "\n")
    return 0
