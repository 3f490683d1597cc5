"""`tarok decks`: a deck is taught from a folder or a video, interrupted, resumed, and forgotten."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from drawn import film_into, laid

from vision.arrays import UInt8Array
from vision.lab.rendering.film_table import FilmStyle
from vision.lab.rendering.footage import FilmedPlay
from vision.lab.rendering.layouts import place_card
from vision.lab.rendering.pasting import camera_matrix, project
from vision.lab.rendering.props import draw_hand
from vision.lab.rendering.video_file import VideoFile
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.resources import datasets_dir
from vision.taught.enrolment import shown_by_camera
from vision.taught.gallery import TaughtIdentifier
from webui.cli import main
from webui.paths import deck_dir, decks_dir

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("data_folder")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures of three cards and of a back."""
    scans = tmp_path / "scans"
    scans.mkdir()
    for card in ("S7", "HC", "T21"):
        shutil.copy(datasets_dir() / "drawn" / f"{card}.png", scans)
    shutil.copy(scans / "S7.png", scans / "back.png")
    return scans


def test_a_folder_of_named_pictures_is_taught_and_resumed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["decks", "enrol", "Grandma", "--source", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "3 of 78; still missing: S1" in said and "The same command goes on from here." in said
    shutil.copy(datasets_dir() / "drawn" / "F.png", folder)
    assert main(["decks", "enrol", "Grandma", "--source", str(folder)]) == 0
    said = capsys.readouterr().out
    left_out, *others = said.splitlines()
    assert left_out == "Left out, because no card is called so: back.png."
    assert others[0].startswith("3 of 78") and len(others) == 3 and "F. 4 of 78" in said
    assert main(["decks", "list"]) == 0
    assert capsys.readouterr().out == "Grandma  4 of 78 cards\n"
    assert main(["decks", "forget", "Grandma", "F"]) == 0
    assert 'F of Grandma is forgotten; tarok decks enrol "Grandma" asks' in capsys.readouterr().out
    assert main(["decks", "list"]) == 0
    assert capsys.readouterr().out == "Grandma  3 of 78 cards\n"
    assert main(["decks", "forget", "Grandma"]) == 0
    assert main(["decks", "list"]) == 0
    assert "No deck was taught yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["forget", "gone", "S99"], "S99 is not a card; cards are called S7", id="unknown card"),
        pytest.param(["forget", "gone"], "no such deck was taught", id="unknown deck"),
        pytest.param(["enrol", "../x", "--source", "."], "cannot be a deck's name", id="a path for a name"),
        pytest.param(["enrol", "x", "--source", "gone.mp4"], "no such video file", id="missing source"),
        pytest.param(["enrol", "x", "--looks", "0"], "must be 1 to 9", id="no looks"),
    ],
)
def test_bad_arguments_are_reported_in_one_line(
    arguments: list[str], sentence: str, refused: Callable[..., str]
) -> None:
    assert sentence in refused("decks", *arguments)


def test_a_folder_without_a_card_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    assert "no picture named after a card" in refused("decks", "enrol", "x", "--source", tmp_path)


def test_watching_with_an_untaught_deck_says_how_to_teach_it(
    tmp_path: Path, refused: Callable[..., str]
) -> None:
    video = tmp_path / "any.mp4"
    video.write_bytes(b"")
    said = refused("watch", video, "--seats", "Anna@S,Bo@E,Carl@W", "--deck", "gone")
    assert 'tarok decks enrol "gone"' in said


def test_stationary_cards_are_captured_and_named_by_the_person(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    style = FilmStyle(card_height_px=190, difficulty=0.0, pause_s=1.0, tilt_deg=0.0)
    video = tmp_path / "shown.mp4"
    film_into(video, [FilmedPlay("S", "S7"), FilmedPlay("N", "HC")], style)
    answers = io.StringIO("the seven\nS7\nHC\n")
    monkeypatch.setattr("sys.stdin", answers)
    assert main(["decks", "enrol", "filmed", "--source", str(video)]) == 0
    output = capsys.readouterr()
    assert "is not a card" in output.err  # the answer "the seven" was refused
    assert "S7. 1 of 78" in output.out
    assert (deck_dir("filmed") / "crops" / "S7" / "1.png").is_file()
    assert list(decks_dir().iterdir()) == [deck_dir("filmed")]


def lying(card: str, degrees: float) -> UInt8Array:
    """`card` in the middle of a plain table."""
    size = (640, 360)
    seen = project(camera_matrix(size, 130, 5, 0, 0), place_card((0, 0), np.radians(degrees)))
    return laid((card, seen), size=size)


def test_a_card_laid_on_the_last_one_is_captured_and_a_passing_hand_captures_none(tmp_path: Path) -> None:
    path = tmp_path / "pile.mp4"
    first, second = lying("T9", 2), lying("HC", 3)
    rng = np.random.default_rng(1)
    hand = second.copy()
    draw_hand(rng, hand, (300.0, 190.0), 0.0, 60.0)
    with VideoFile(path, (640, 360), 10) as file:
        for picture, count in ((first, 14), (second, 14), (hand, 2), (second, 14)):
            for _ in range(count):
                noise = rng.integers(-2, 3, picture.shape, dtype=np.int16)
                file.write(np.clip(picture.astype(np.int16) + noise, 0, 255).astype(np.uint8))
    identifier = TaughtIdentifier(tmp_path / "deck")
    shown = [
        one for one in shown_by_camera(str(path), Finder(), CornerFinder(), identifier) if one is not None
    ]
    assert [one.guesses[0] for one in shown] == ["T9", "HC"]
