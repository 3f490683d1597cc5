"""`tarok watch`: read a recording or a camera into a session file, without a page."""

import argparse
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Final, TextIO

from tqdm import tqdm

from tracker.events import CardPlayed, SessionOpened
from tracker.files import PUBLIC, replace_file
from tracker.games import USUAL_RULES, game_of_rules, rules_named
from tracker.open_questions import open_alerts, open_questions
from tracker.session_file import cardless, export
from vision.errors import CameraLost
from webui.commands.options import add_threads, check_threads
from webui.errors import UserError, require_positive, told_as
from webui.paths import deck_dir
from webui.people.seats import parse_seats
from webui.table.scorekeeper import Scorekeeper, said_in

_TELL_EVERY_S: Final = 60.0
"""Seconds of the film from one line of progress to the next."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok watch`."""
    parser.add_argument("source", help="a video file, or the number of a camera")
    parser.add_argument(
        "--seats", required=True, help="who sits at which side of the picture: Anna@S,Bo@E,Carl@W"
    )
    parser.add_argument("--dealer", help="the first dealer (default: the first seat)")
    parser.add_argument(
        "--rules",
        default=USUAL_RULES,
        help="pagat-2024, pagat-1996, dtf-2011 (default), tarot-1659, american-tarock or french-tarot, or a club's "
        "TOML file",
    )
    parser.add_argument(
        "--said",
        type=Path,
        metavar="SESSION",
        help="what people said before the play in a game with bids, contract and call: a session file, or the truth "
        "that tarok film wrote",
    )
    parser.add_argument("--out", default="-", help="the session file to write (default: standard output)")
    parser.add_argument(
        "--explain",
        type=Path,
        metavar="FILE",
        help="write what each thing was taken for, and why: a line of JSON for each change of mind",
    )
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="read only every Nth frame of a file"
    )
    add_threads(parser)
    parser.add_argument("--deck", metavar="NAME", help="a deck that was taught with tarok decks enrol")


def run(args: argparse.Namespace) -> int:
    """Watch the source to its end (or an interrupt) and write what was played."""
    sides = parse_seats(args.seats)
    _check(args, sides)
    base, options = rules_named(args.rules)
    opened = SessionOpened(base, options, tuple(sides))
    if game_of_rules(base).session.names_game and args.said is None:
        raise UserError(
            f"--rules {args.rules}: give --said SESSION, a file with bids, contract and call: no camera hears them"
        )
    keeper = Scorekeeper(opened, sides, args.dealer, said_in(args.said, opened) if args.said else ())
    lost: CameraLost | None = None
    try:
        with _opened(args.explain) or nullcontext() as explain:
            _watch(args, sides, keeper, explain)
    except KeyboardInterrupt:
        pass
    except CameraLost as error:
        lost = error  # what was seen until then is still written
    _tell_doubts(keeper)
    _write(args.out, json.dumps(export(keeper.record, keeper.game.session), ensure_ascii=False, indent=1))
    if lost is not None:
        raise UserError(str(lost))
    return 0


def _check(args: argparse.Namespace, sides: dict[str, str]) -> None:
    """Raise UserError that names the first option that cannot be used."""
    if args.dealer is not None and args.dealer not in sides:
        raise UserError(f"--dealer {args.dealer}: nobody of that name sits at the table")
    require_positive(args, "every")
    check_threads(args)
    if args.out != "-" and not Path(args.out).resolve().parent.is_dir():
        raise UserError(f"--out {args.out}: no such folder")
    if Path(args.out).is_dir():
        raise UserError(f"--out {args.out}: is a folder")


def _opened(path: Path | None) -> TextIO | None:
    """The file for the explanations, emptied; raises UserError if it cannot be written."""
    with told_as(UserError, f"--explain {path}"):
        return None if path is None else path.open("w", encoding="utf-8")


def _watch(
    args: argparse.Namespace, sides: dict[str, str], keeper: Scorekeeper, explain: TextIO | None
) -> None:
    """Book what is seen with `keeper`, and show a progress bar; the explanations go to `explain`."""
    from vision.watching.eyes import watch

    deck = deck_dir(args.deck) if args.deck else None
    # A terminal gets a bar, anything else a line for each minute of the film.
    told_s = 0.0
    shape = "{l_bar}{bar}| {elapsed}<{remaining} {postfix}"
    with tqdm(total=1000, unit="‰", bar_format=shape, delay=1, disable=None) as bar:
        for update in watch(
            args.source, sides, keeper.expectation, every=args.every, threads=args.threads, deck=deck
        ):
            for event in update.events:
                keeper.book(event, update.time_s)
            for judged in update.judged if explain is not None else ():
                print(json.dumps(judged.as_json(), ensure_ascii=False), file=explain)
            hand = keeper.session.hand
            plays = f"{len(hand.plays) if hand else 0} plays"
            bar.set_postfix_str(plays, refresh=False)
            bar.update(round(1000 * (update.progress or 0.0)) - bar.n)
            if bar.disable and update.time_s >= told_s + _TELL_EVERY_S:
                told_s = update.time_s
                done = f" ({update.progress:.0%})" if update.progress is not None else ""
                minutes, seconds = divmod(int(told_s), 60)
                print(
                    f"tarok watch: {minutes}:{seconds:02} watched{done}, {plays}", file=sys.stderr, flush=True
                )


def _tell_doubts(keeper: Scorekeeper) -> None:
    """Print what people would be asked: what cannot have happened, and which cards were read in doubt."""
    for alert in open_alerts(keeper.session):
        print(f"tarok watch: {keeper.game.words.alert_text(alert)}", file=sys.stderr)
    for reason in cardless(keeper.session):
        print(f"tarok watch: {reason}; it is written without its cards", file=sys.stderr)
    for _, play in open_questions(keeper.session):
        seen = keeper.record[play.seq - 1].event
        at = f"at {seen.time_s:.1f} s " if isinstance(seen, CardPlayed) and seen.time_s is not None else ""
        others = ", ".join(play.alternatives)
        print(f"tarok watch: {at}{play.player} played {play.card}, or perhaps {others}", file=sys.stderr)


def _write(out: str, data: str) -> None:
    """Write the session file to `out`, or to standard output ("-"). Raises UserError."""
    if out == "-":
        print(data)
        return
    with told_as(UserError, f"--out {out}"):
        replace_file(Path(out), (data + "\n").encode(), PUBLIC)
