"""Serving the program in a process of its own, to measure it."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def serving(words: Sequence[str]) -> Iterator[int | None]:
    """Run `tarok` with these `words`; yields the port of the first address that it prints, None if it prints none."""
    process = subprocess.Popen([sys.executable, "-m", "webui.cli", *words], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+?:(\d+)", process.stdout.readline())
        yield int(found[1]) if found is not None else None
    finally:
        process.terminate()
        process.wait()
