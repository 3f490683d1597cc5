"""The page's benchmark, on a small crowd."""

import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from webui.cli import main

pytestmark = pytest.mark.slow

MANY = """
import resource
from webui.serving.connections import allow_many_files
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
allow_many_files()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], hard)
"""


def test_every_phone_of_a_small_crowd_gets_its_pages_and_the_news(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--phones", "3", "--strangers", "6", "--seconds", "8", "--pages-every", "2"]
    assert main(["bench", "crowd", *words]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^phones +3, of which 3 hear the news", said, re.M)
    assert re.search(r"^slow strangers +6, of which \d held", said, re.M)
    assert re.search(
        r"^a page +\d+ times, p50 \d+ ms, p95 \d+ ms, longest \d+ ms; 0 not answered", said, re.M
    )
    assert re.search(r"^the news +\d+ times, ", said, re.M)


@pytest.mark.parametrize("words", [("--phones", "0"), ("--seconds", "0"), ("--pages-every", "-1")])
def test_a_crowd_of_nobody_is_refused_in_one_line(
    words: tuple[str, str], refused: Callable[..., str]
) -> None:
    assert words[0] in refused("bench", "crowd", *words)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_low_limit_of_open_files_is_raised() -> None:
    done = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, check=True)
    now, hard = map(int, done.stdout.split())
    assert now == (4096 if hard < 0 else min(4096, hard))
