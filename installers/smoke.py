"""Tries an installed program: `python installers/smoke.py PROGRAM` runs it as it lies there, and says what failed.

Its version, the page of the demo, and the demo's film watched and audited; `PROGRAM` is the one with a terminal.
It needs nothing but Python's own library.
"""

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

_FILM = Path(__file__).parents[1] / "datasets" / "demo" / "hand.mp4"
_SEATS = "Anna@S,Bo@E,Carl@N,Dora@W"
_LEAST_PLAYS = 60


def main(program: str) -> None:
    """Try `program`; raises AssertionError, or what subprocess raises."""
    said = _said(program, "--version")
    assert re.fullmatch(r"tarok \d+\.\d+\.\d+\S*", said.strip()), said
    print(said.strip())
    print(f"the demo's page has {_page_of_demo(program)} bytes")
    with tempfile.TemporaryDirectory() as folder:
        played = Path(folder, "hand.tarok")
        words = ("--seats", _SEATS, "--dealer", "Dora")
        _said(program, "watch", str(_FILM), *words, "--every", "2", "--out", str(played))
        events = json.loads(played.read_text(encoding="utf-8"))["hands"][0]["events"]
        plays = sum("play" in event for event in events)
        assert plays >= _LEAST_PLAYS, f"{plays} plays read"
        _said(program, "audit", str(played), "--format", "text")
    print(f"{plays} plays read from the film, and audited")


def _said(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True, timeout=900).stdout


def _page_of_demo(program: str) -> int:
    words = [program, "demo", "--no-browser", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            assert process.stdout is not None
            links = [re.search(r"http://\S+", process.stdout.readline()) for _ in range(2)]
            assert links[1] is not None, "no link was printed"
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with browser.open(links[1][0], timeout=60) as answer:
                page: str = answer.read().decode()
        finally:
            process.terminate()
    assert all(name in page for name in ("Anna", "Bo", "Carl", "Dora")), page
    return len(page)


if __name__ == "__main__":
    main(sys.argv[1])
