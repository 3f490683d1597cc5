"""Serving the program in a process of its own, to measure it."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from webui.errors import UserError


@contextmanager
def serving(what: str, words: Sequence[str]) -> Iterator[int]:
    """Run `tarok` with these `words`, on a free port of this machine alone; yields the port.

    Raises UserError, which names `what` is served, if no address is printed.
    """
    words = [*words, "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen([sys.executable, "-m", "webui.cli", *words], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+?:(\d+)", process.stdout.readline())
        if found is None:
            raise UserError(f"the {what} could not be served")
        yield int(found[1])
    finally:
        process.terminate()
        process.wait()
