"""`tarok film`: render a recording of a hand, with a truth file beside it.

It made the demo's recording, and makes recordings of any deck to measure the eyes on.
"""

import argparse
import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from tracker.events import SessionOpened
from tracker.files import PUBLIC, read_at_most, replace_file
from tracker.games import game_of_rules, read_session, rules_named
from tracker.reader import MOST_FILE_BYTES
from tracker.rule_sets import Options
from tracker.session import Session
from webui.bench.filming import FILMED, evening_script, said_in_hand
from webui.errors import UserError, require_within, told_as
from webui.people.seats import parse_seats

if TYPE_CHECKING:
    from vision.lab.rendering.film_table import FilmStyle

SIZES = ("640x480", "854x480", "1280x720", "1920x1080")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok film`."""
    parser.add_argument(
        "session", type=Path, nargs="?", help="the session file whose first hands are filmed (or --hand)"
    )
    parser.add_argument(
        "--hand", type=int, metavar="SEED", help="deal hands by chance and play legal cards by chance"
    )
    parser.add_argument(
        "--hands",
        type=int,
        default=1,
        metavar="N",
        help="film so many hands; between them cards are counted and dealt (default: 1)",
    )
    parser.add_argument(
        "--between",
        type=float,
        default=20.0,
        help="about so many seconds from the deal to the next hand's first card (default: 20)",
    )
    parser.add_argument(
        "--throw-in",
        action="store_true",
        help="with --tricks and --hands: the cards that are left are thrown in, face up",
    )
    parser.add_argument(
        "--rules",
        default="pagat-2024",
        help="rules of the hand dealt by chance: a rule set, or a club's TOML file (default: %(default)s)",
    )
    parser.add_argument(
        "--contract",
        help="contract of the hand dealt by chance, in a game with several (default: by chance)",
    )
    parser.add_argument(
        "--seats", required=True, help="who sits at which side of the picture: Anna@S,Bo@E,Carl@W"
    )
    parser.add_argument("--deck", type=Path, metavar="DIR", help="deck folder (default: the drawn deck)")
    parser.add_argument(
        "--cloth", type=Path, metavar="PICTURE", help="a table top (default: drawn by chance)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="VIDEO",
        help="the video to write; its truth goes beside it",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the filming, not of the hand")
    parser.add_argument(
        "--difficulty", type=float, default=0.2, help="from 0, a tidy table in good light, to 1"
    )
    parser.add_argument(
        "--size", choices=SIZES, default="1280x720", help="width and height of the picture in px"
    )
    parser.add_argument(
        "--card-height",
        type=float,
        help="px (default: as much of the picture as 150 are of 720, or 100 where cards stay on the table)",
    )
    parser.add_argument("--tilt", type=float, default=8.0, help="the camera's lean, degrees 0..35")
    parser.add_argument("--azimuth", type=float, default=0.0, help="which way it leans, degrees")
    parser.add_argument("--fps", type=int, default=10, help="pictures a second (default: 10)")
    parser.add_argument(
        "--condition",
        default="plain",
        help="what makes it hard to watch, as in vision/lab/bench/conditions.py",
    )
    parser.add_argument("--tricks", type=int, metavar="N", help="film only the first N tricks of each hand")
    parser.add_argument("--pause", type=float, default=0.5, help="about so many seconds between plays")
    parser.add_argument(
        "--codec", choices=("h264", "mjpeg"), default="h264", help="mjpeg goes into .avi or .mkv"
    )
    parser.add_argument(
        "--quality",
        type=int,
        help="H.264 rate factor 18..35 (27) or MJPEG quantiser 2..31 (6); less is better",
    )


def run(args: argparse.Namespace) -> int:
    """Film the hands, and write their truth beside the video, as .json."""
    from vision.arrays import UInt8Array
    from vision.decks import load_deck, read_picture
    from vision.lab.bench.conditions import cloth_of
    from vision.lab.rendering.between_hands import FilmedDeal
    from vision.lab.rendering.footage import film, truth
    from vision.lab.rendering.payments import with_payments
    from vision.lab.rendering.video_file import VideoFile
    from vision.resources import datasets_dir

    if (args.session is None) == (args.hand is None):
        raise UserError("give either a session file or --hand SEED")
    truth_path = _truth_path(args.out)
    _check_ranges(args)
    sides = parse_seats(args.seats)
    if args.session is None:
        session = dealt_hands(args.hand, tuple(sides), rules_named(args.rules), args.contract, args.hands)
    else:
        session = _session_in(args.session, args.hands)
    hands = session.hands[: args.hands]
    hand = hands[0]
    if len(hands) > 1 and args.tricks is not None and session.names_game:
        raise UserError(
            "--tricks: the next hand begins once people name its game, so with --hands a hand is filmed to its end"
        )
    style = _style(args, any(one.cards_stay for one in hands))
    if unplaced := sorted({player for one in hands for player in one.active} - sides.keys()):
        raise UserError(f"--seats {args.seats}: no side for {', '.join(unplaced)}")
    game = game_of_rules(session.opened.rules)
    script, begins = evening_script(game, hands, sides, args.tricks, args.between, args.throw_in)
    if args.condition == "dealt":
        around = tuple(dict.fromkeys(sides.values()))
        script = [FilmedDeal(sides.get(hand.dealer, "S"), around), *script]
    if args.condition == "chips":
        script = with_payments(script, args.seed)
    options = dict(session.opened.options)
    cloth = cloth_of(args.condition, args.seed, style.size)
    if args.cloth is not None:
        cloth = read_picture(args.cloth)[:, :, :3]
    deck = load_deck(args.deck or datasets_dir() / "drawn")
    count = 0
    with (
        VideoFile(args.out, style.size, style.fps, args.quality, args.codec) as video,
        tqdm(unit=" frames", file=sys.stderr) as bar,
    ):

        def write(picture: UInt8Array) -> None:
            nonlocal count
            video.write(picture)
            bar.update()
            count += 1

        rested = film(script, deck, write, style=style, seed=args.seed, cloth=cloth)
    said, rules = said_in_hand(game, hand), session.opened.rules
    beside = truth(sides, hand.dealer, rules, style.fps, count, script, rested, said, options, begins)
    if args.condition == "dealt":
        beside["dealing"] = True
    text = json.dumps(beside, indent=1, ensure_ascii=False) + "\n"
    with told_as(UserError, truth_path):
        replace_file(truth_path, text.encode(), PUBLIC)
    return 0


def _style(args: argparse.Namespace, in_rows: bool) -> "FilmStyle":
    """How the hands are filmed; `in_rows`: of one of them the cards stay. Raises UserError for an unknown condition."""
    from vision.lab.bench.conditions import FILM_CONDITIONS, filmed_as
    from vision.lab.rendering.film_table import FilmStyle

    width, height = (int(part) for part in args.size.split("x"))
    if args.condition not in FILM_CONDITIONS:
        raise UserError(f"--condition {args.condition}: must be one of {', '.join(FILM_CONDITIONS)}")
    card_height_px = args.card_height or (100 if in_rows else 150) * height / 720
    style = FilmStyle(
        size=(width, height), fps=args.fps, card_height_px=card_height_px,
        tilt_deg=args.tilt, azimuth_deg=args.azimuth, difficulty=args.difficulty, pause_s=args.pause,
    )  # fmt: skip
    return filmed_as(args.condition, style)


def _check_ranges(args: argparse.Namespace) -> None:
    """Raise UserError that names the first option out of range."""
    height = int(args.size.split("x")[1])
    ranges = {
        "tilt": (0, 35, " degrees"),
        "azimuth": (-360, 360, " degrees"),
        "fps": (1, 60, ""),
        "tricks": (1, 99, ""),
        "hands": (1, 50, ""),
        "between": (0, 600, " s"),
        "card_height": (20, height // 2, " px in a picture of this size"),
        "difficulty": (0, 1, ""),
        "pause": (0, 60, " s"),
        "quality": (*((18, 35) if args.codec == "h264" else (2, 31)), f" for {args.codec}"),
    }
    for name, (low, high, unit) in ranges.items():
        require_within(args, name, low, high, unit)
    if args.seed < 0:
        raise UserError(f"--seed {args.seed}: must be 0 or more")


def _truth_path(video: Path) -> Path:
    """The file for the truth of `video`. Raises UserError if its folder is missing, or the file is no truth file."""
    if not video.resolve().parent.is_dir():
        raise UserError(f"--out {video}: no such folder")
    path = video.with_suffix(".json")
    try:
        there = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        is_truth = there is None or {"plays", "fps", "frames"} <= there.keys()
    except (OSError, ValueError, AttributeError, RecursionError):
        is_truth = False
    if not is_truth:
        raise UserError(f"--out {video}: its truth would overwrite {path}, which is something else")
    return path


def _session_in(path: Path, hands: int) -> Session[Any, Any]:
    """The session in the file at `path`. Raises UserError if one of its first `hands` has no plays."""
    with told_as(UserError, path):
        _, file = read_session(read_at_most(path, MOST_FILE_BYTES))
    session: Session[Any, Any] = file.session()
    for number in range(1, hands + 1):
        if len(session.hands) < number or not session.hands[number - 1].plays:
            raise UserError(f"{path}: hand {number} has no plays")
    return session


def dealt_hands(
    seed: int,
    seats: tuple[str, ...],
    rules: tuple[str, Options] = ("pagat-2024", ()),
    contract: str | None = None,
    hands: int = 1,
) -> Session[Any, Any]:
    """A session of so many random hands: the last of `seats` deals first, and each play is a random legal card.

    `contract` is one of the game's (None: one by chance). Raises UserError for any other.
    """
    base, options = rules
    chance, game = random.Random(seed), game_of_rules(base)
    filmed = FILMED[game.name]
    if contract is not None and contract not in filmed.contracts:
        raise UserError(f"--contract {contract}: {base} has {', '.join(filmed.contracts) or 'no contracts'}")
    session = game.session(SessionOpened(base, options, seats), strict=True)
    for number in range(hands):
        dealer = session.next_dealer if number else seats[-1]
        chosen = contract or (chance.choice(filmed.contracts) if filmed.contracts else "")
        for event in filmed.deal(chance, session, dealer, chosen):
            session.apply(event)
    return session
