"""The `tarok` command: one table of subcommands, each imported only when it is asked for."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from tracker.errors import TarokError
from vision.errors import VisionError
from webui.errors import (
    UserError as UserError,  # defined elsewhere: run as a script, this module exists twice
)
from webui.errors import one_line
from webui.serving.ending import EndedError, told_to_end
from webui.version import version

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("webui.commands.demo", "watch the bundled recording on the page"),
    "serve": ("webui.commands.serve", "watch a camera and show the table on the page"),
    "watch": ("webui.commands.watch", "read a video or a camera into a session file"),
    "look": ("webui.commands.look", "tell which cards lie in photos, and where"),
    "audit": ("webui.commands.audit", "replay session files: every payment and every breach"),
    "open": ("webui.commands.open", "show the evening of a session file in the browser"),
    "learn": (
        "webui.commands.learn",
        "learn to count on hands that were played, without a table or a camera",
    ),
    "rules": ("webui.commands.rules", "print a rule set with its sources"),
    "print": ("webui.commands.printing", "write the deck, a mat, the rules or score sheets as PDF files"),
    "cameras": ("webui.commands.cameras", "list the cameras of this machine"),
    "decks": ("webui.commands.decks", "teach a deck by showing its cards; list and forget taught decks"),
    "backup": ("webui.commands.backup", "put evenings, decks and settings into one file"),
    "restore": ("webui.commands.restore", "go on from a backup, on this laptop or another"),
    "report": ("webui.commands.report", "see clips of corrections, and pack the chosen ones into one file"),
    "club": ("webui.commands.club", "run the club's server, which many tables report to"),
    "train": ("webui.commands.train", "train the networks, or fit the tables of evidence"),
    "film": ("webui.commands.film", "film a hand of a session file, or one dealt by chance, with its truth"),
    "completion": ("webui.commands.completion", "let the shell complete the words of this command"),
    "bench": ("webui.commands.bench", "measure the rules engine, the recognition or the servers"),
}


_ABOUT = """Watch a Tarok table through a camera: the cards are read as they are played, every payment is booked, and a
page shows it to everybody at the table. Without a command the page is opened, and the table is set up there."""


def build_parser(*commands: str) -> argparse.ArgumentParser:
    """The parser of `tarok`; only the arguments of `commands` are known, so that help stays quick."""
    parser = argparse.ArgumentParser(prog="tarok", description=_ABOUT)
    parser.add_argument("--version", action="version", version=f"tarok {version()}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module_name, summary) in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        if name in commands:
            module = importlib.import_module(module_name)
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run `tarok` with `argv` (default: the process's arguments) and return its exit status.

    Without arguments it serves the page.

    0 is success, 2 a user's error (one line on stderr), 130 an interrupt, 143 SIGTERM, 129 SIGHUP.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments:
        arguments = ["serve", "--again"]  # alone it opens the page, where the table is set up
    command = next((word for word in arguments if not word.startswith("-")), None)
    try:
        args = build_parser(*([command] if command else [])).parse_args(arguments)
        with told_to_end():
            status: int = args.run(args)
        print(end="", flush=True)
        return status
    except (UserError, TarokError, VisionError) as error:
        print(f"tarok: {one_line(str(error))}", file=sys.stderr)
        return 2
    except EndedError as ended:
        try:
            sys.stdout.flush()
        except OSError:  # the terminal is gone
            _speak_to_nobody()
        return 128 + ended.number
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the pipe is gone (`tarok audit … | head`).
        _speak_to_nobody()
        return 0
    except OSError as error:
        print(f"tarok: {error.filename or 'standard output'}: {error.strerror or error}", file=sys.stderr)
        if error.filename is None:  # a full disk under what is printed
            _speak_to_nobody()
        return 2


def _speak_to_nobody() -> None:
    """Discard whatever is still printed."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
