"""`tarok bench start`: the time from the command to the first page, of a table without a camera and of the demo.

Each run is a process of its own. The clock runs from the start of the process to the last byte of the page behind the
host's link. The first run does not count: it fills the system's cache of files and writes Python's bytecode, as the
first start on a laptop does.
"""

import argparse
import http.cookiejar
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from webui.errors import UserError, require_positive, told_as


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench start`."""
    parser.add_argument("--runs", type=int, default=5, help="default: 5")
    parser.add_argument(
        "--program", help="an installed tarok to be measured (default: the one that runs this)"
    )


def run(args: argparse.Namespace) -> int:
    """Start table and demo several times, and print the median and the slowest time."""
    require_positive(args, "runs")
    program = [args.program] if args.program else [sys.executable, "-m", "webui.cli"]
    with tempfile.TemporaryDirectory(prefix="tarok-start-", ignore_cleanup_errors=True) as folder:
        database = str(Path(folder) / "evening.sqlite3")
        for name, words in (("table", ["serve", "none", "--db", database]), ("demo", ["demo"])):
            taken = [_to_page_s([*program, *words]) for _ in range(args.runs + 1)][1:]
            print(
                f"{name:<6} {statistics.median(taken):.2f} s to the page (slowest of {args.runs}: {max(taken):.2f} s)"
            )
    return 0


def _to_page_s(command: list[str]) -> float:
    """Seconds from the start of `command` to its page. Raises UserError if it shows no page."""
    begun_s = time.perf_counter()
    words = [*command, "--no-browser", "--port", "0"]
    # An environment that forbids bytecode would compile the program anew at every start.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with told_as(UserError, command[0]):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=own)
    try:
        assert process.stdout is not None
        link = next(
            (found[0] for line in process.stdout if (found := re.search(r"http://\S+/laptop/\S+", line))),
            None,
        )
        if link is None:
            raise UserError(f"{' '.join(words)}: it did not serve a page")
        kept = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        with urllib.request.build_opener(kept).open(link, timeout=60) as page:
            page.read()
        return time.perf_counter() - begun_s
    finally:
        process.terminate()
        process.wait()
