"""The networks' answers to a film are kept, so that it is watched again without them."""

from pathlib import Path

import numpy as np
import pytest
from drawn import laid

from vision.errors import VisionError
from vision.lab.bench.remembered import Answers, RememberedCorners, RememberedFinder, RememberedNames
from vision.lab.rendering.layouts import place_card
from vision.reading.corners import CloseLook, CornerFinder
from vision.reading.finder import Finder, Found
from vision.reading.identifier import Identifier
from vision.resources import models_dir

WEIGHTS = {name: models_dir() / f"{name}.onnx" for name in ("finder", "corners", "identifier")}
CARD_PX = place_card((320, 240), 0.2, (109, 200))


def asked_of(
    answers: Answers, frame: np.ndarray, finders: Path = WEIGHTS["finder"]
) -> tuple[list[Found], list[CloseLook], np.ndarray]:
    """What finder, corner network and identifier say of `frame`; `finders` are the finder's weights."""
    finder = RememberedFinder(Finder(), answers, [finders])
    corners = RememberedCorners(CornerFinder(), answers, [WEIGHTS["corners"]])
    names = RememberedNames(Identifier(), answers, [WEIGHTS["identifier"]])
    return finder.find(frame, 0.3), corners.close_looks(frame, [CARD_PX]), names.name(frame, [CARD_PX])


def test_what_was_asked_before_is_answered_alike_without_a_network(tmp_path: Path) -> None:
    frame = laid(("T14", CARD_PX), size=(640, 480), shadow=0.3)
    first = Answers(tmp_path / "film.answers")
    (card,), (look,), rows = asked_of(first, frame)
    assert card.face and first.asked == 3
    first.keep()

    again = Answers(tmp_path / "film.answers")
    (same,), (same_look,), same_rows = asked_of(again, frame)
    assert again.asked == 0
    assert np.array_equal(card.corners_px, same.corners_px)
    assert same.face
    assert same.score == pytest.approx(card.score)
    assert np.array_equal(look.corners_px, same_look.corners_px)
    assert np.array_equal(look.sides, same_look.sides)
    assert np.array_equal(rows, same_rows)
    asked_of(again, frame[::-1].copy())
    assert again.asked == 3


def test_another_network_is_asked_anew(tmp_path: Path) -> None:
    """A film is watched with other weights to measure these, not those that watched it before."""
    frame = laid(size=(640, 480))
    first = Answers(tmp_path / "film.answers")
    asked_of(first, frame)
    first.keep()
    other = tmp_path / "finder.onnx"
    other.write_bytes(b"other weights")
    again = Answers(tmp_path / "film.answers")
    asked_of(again, frame, other)
    assert again.asked == 1, "the finder; the other two are the same"


def test_a_file_that_holds_no_answers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.answers"
    path.write_bytes(b"\xff\xff nothing")
    with pytest.raises(VisionError, match="cannot be read as answers"):
        Answers(path)


def test_answers_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    answers = Answers(tmp_path / "gone" / "film.answers")
    answers.rows(b"question", np.zeros((8, 8, 3), np.uint8), b"", 1, lambda: np.zeros((1, 1), np.float32))
    with pytest.raises(VisionError, match=r"film\.answers: cannot be written"):
        answers.keep()
