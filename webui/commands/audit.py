"""`tarok audit`: replay session files, and print every payment and every breach."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tracker.catalogue import SOURCE_LANGUAGE, game_languages
from tracker.errors import TarokError
from tracker.files import read_at_most
from tracker.game import Game
from tracker.games import read_session, rule_set_in_file
from tracker.reader import MOST_FILE_BYTES
from tracker.rule_sets import Rules
from tracker.session import Session


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok audit`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="session files; - reads standard input")
    parser.add_argument(
        "--format", choices=("json", "text"), default="json", help="as data or in words (default: json)"
    )
    parser.add_argument(
        "--language",
        choices=game_languages(),
        default=SOURCE_LANGUAGE,
        help="language of the text form, English where the game does not speak it (default: en)",
    )
    parser.add_argument(
        "--rules", metavar="CLUB.TOML", help="a club's own rule set, instead of the one that the file names"
    )


def run(args: argparse.Namespace) -> int:
    """Print the audits. Raises TarokError, with nothing printed, when one of the files cannot be read."""
    rules = rule_set_in_file(args.rules) if args.rules else None
    sessions = [(name, _session_of(name, rules)) for name in args.files]
    # Names may have letters that the console's encoding lacks.
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    for name, (game, session) in sessions:
        if args.format == "text":
            if len(sessions) > 1:
                print(f"### {name}\n")
            print(game.audit_text(session, args.language))
        elif len(sessions) > 1:
            print(json.dumps(game.audit(session), ensure_ascii=False, separators=(",", ":")))
        else:
            print(json.dumps(game.audit(session), ensure_ascii=False, indent=1))
    return 0


def _session_of(name: str, rules: Rules | None) -> tuple[Game, Session[Any, Any]]:
    try:
        if name != "-":
            data = read_at_most(Path(name), MOST_FILE_BYTES)
        else:
            data = sys.stdin.buffer.read(MOST_FILE_BYTES + 1) if sys.stdin is not None else b""
    except OSError as error:
        raise TarokError(f"{name}: {error.strerror or error}") from None
    except ValueError:  # a null byte in the name
        raise TarokError("that is not a file name") from None
    try:
        game, file = read_session(data, rules)
        return game, file.session()
    except TarokError as error:
        raise TarokError(f"{name}: {error}") from None
