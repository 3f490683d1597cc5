"""`tarok watch`: a recording or a camera, read into a session file without a page."""

import argparse
import json
import sys
from pathlib import Path

from tqdm import tqdm

from tracker.danish.rulesets import rules_named
from tracker.danish.session import DanishSession
from tracker.danish.words import alert_text
from tracker.events import CardPlayed, SessionOpened
from tracker.files import PUBLIC, replace_file
from tracker.session_file import export
from vision.errors import CameraLost
from webui.commands.serve import RULES_HELP
from webui.errors import UserError, require_positive
from webui.paths import deck_dir
from webui.seats import parse_seats
from webui.watching import Scorekeeper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("source", help="a video file, or the number of a camera")
    parser.add_argument(
        "--seats", required=True, help="who sits at which side of the picture: Anna@S,Bo@E,Carl@W"
    )
    parser.add_argument("--dealer", help="the first dealer (default: the first seat)")
    parser.add_argument("--rules", default="dtf-2011", help=RULES_HELP)
    parser.add_argument("--out", default="-", help="the session file to write (default: standard output)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="look at every Nth frame of a file")
    parser.add_argument("--threads", type=int, default=2, help="processor threads for the models")
    parser.add_argument("--deck", metavar="NAME", help="a deck that was taught with tarok decks enrol")


def run(args: argparse.Namespace) -> int:
    """Watch the source to its end (or an interrupt) and write what was played."""
    sides = parse_seats(args.seats)
    if args.dealer is not None and args.dealer not in sides:
        raise UserError(f"--dealer {args.dealer}: nobody of that name sits at the table")
    require_positive(args, "every", "threads")
    if args.out != "-" and not Path(args.out).resolve().parent.is_dir():
        raise UserError(f"--out {args.out}: no such folder")
    if Path(args.out).is_dir():
        raise UserError(f"--out {args.out}: is a folder")
    base, options = rules_named(args.rules)
    keeper = Scorekeeper(SessionOpened(base, options, tuple(sides)), args.dealer)
    from vision.watching.eyes import watch

    deck = deck_dir(args.deck) if args.deck else None
    # Shown on a terminal only: anywhere else an error stays one line.
    shape = "{l_bar}{bar}| {elapsed}<{remaining} {postfix}"
    bar = tqdm(total=1000, unit="‰", bar_format=shape, delay=1, disable=None)
    doubtful = []
    lost: CameraLost | None = None
    try:
        for update in watch(
            args.source, sides, keeper.expectation, every=args.every, threads=args.threads, deck=deck
        ):
            for event in update.events:
                keeper.book(event)
                if isinstance(event, CardPlayed) and event.alternatives:
                    doubtful.append(event)
            hand = keeper.session.hand
            bar.set_postfix_str(f"{len(hand.plays) if hand else 0} plays", refresh=False)
            bar.update(round(1000 * (update.progress or 0.0)) - bar.n)
    except KeyboardInterrupt:
        pass
    except CameraLost as error:
        lost = error  # what was seen until then is written all the same
    finally:
        bar.close()
    for alert in keeper.session.alerts:
        print(f"tarok watch: {alert_text(alert)}", file=sys.stderr)
    for play in doubtful:
        others = ", ".join(play.alternatives)
        print(
            f"tarok watch: at {play.time_s:.1f} s {play.player} played {play.card}, or perhaps {others}",
            file=sys.stderr,
        )
    text = json.dumps(export(keeper.record, DanishSession), ensure_ascii=False, indent=1)
    if args.out == "-":
        print(text)
    else:
        try:
            replace_file(Path(args.out), (text + "\n").encode(), PUBLIC)
        except OSError as error:
            raise UserError(f"--out {args.out}: {error.strerror}") from error
    if lost is not None:
        raise UserError(str(lost))
    return 0
