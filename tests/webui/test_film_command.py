"""`tarok film`: hands dealt by chance, and what it refuses."""

from pathlib import Path

import pytest

from webui.cli import main
from webui.commands.film import dealt_hand

SEATS = "Anna@S,Bo@E,Carl@W"


@pytest.mark.parametrize("seats", [("Anna", "Bo", "Carl"), ("Anna", "Bo", "Carl", "Dora")])
def test_a_hand_dealt_by_chance_is_complete_and_breaks_no_rule(seats: tuple[str, ...]) -> None:
    hand = dealt_hand(7, seats).hands[0]
    assert hand.complete and len(hand.plays) == 75
    assert not [finding for finding in hand.findings if finding.rule != "DECLX"]
    assert dealt_hand(8, seats).hands[0].plays != hand.plays


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--hand", "1", "--tilt", "50", "--out", "a.mp4"), "--tilt 50: must be 0 to 35 degrees"),
        (("--out", "a.mp4"), "either a session file or --hand"),
        (("no.json", "--hand", "1", "--out", "a.mp4"), "either a session file or --hand"),
        (("--hand", "1", "--codec", "mjpeg", "--out", "a.mp4"), "mjpeg video is written as .avi or .mkv"),
    ],
)
def test_what_cannot_be_filmed_is_refused_in_one_line(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["film", *arguments, "--seats", SEATS]) == 2
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("tarok: ") and words in told
