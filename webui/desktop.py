"""The program as it is installed and double-clicked: without a terminal, or with a session file to look at."""

import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from webui.cli import main as run_command
from webui.errors import UserError, told_as
from webui.paths import data_dir

_LOG: Final = "program.log"
"""The file in the data folder with what the program, started last, would have said in a terminal."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `tarok` with `argv`; a file alone is opened. Returns the exit status of `webui.cli.main`.

    After a double click there is no terminal, so messages go to a file in the data folder. If the program then fails,
    the browser shows why.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    is_clicked = not words
    if len(words) == 1 and Path(words[0]).is_file():
        words, is_clicked = ["open", words[0]], True
    if sys.stderr is not None and not (is_clicked and not sys.stderr.isatty()):
        return run_command(words)
    try:
        log = data_dir() / _LOG
        with told_as(UserError, log):
            file = log.open("w", encoding="utf-8", buffering=1)
    except UserError as error:
        _show(str(error))
        return 2
    with file:
        sys.stdout = sys.stderr = file
        status = run_command(words)
    if status == 2:
        _show(log.read_text(encoding="utf-8").splitlines()[-1].removeprefix("tarok: "))
    return status


def _show(sentence: str) -> None:
    """Show `sentence` in the browser, as a page of its own."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="tarok-", suffix=".html", delete=False
    ) as page:
        page.write(
            f'<!doctype html><meta charset="utf-8"><title>Tarok Table</title>'
            f'<p style="font: 1.25rem/1.5 sans-serif; max-width: 40rem; margin: 4rem auto">{escape(sentence)}</p>'
        )
    webbrowser.open(Path(page.name).as_uri())
