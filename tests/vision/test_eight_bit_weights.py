"""Networks with 8-bit weights are made by a command, and find what the float ones find."""

from pathlib import Path

import numpy as np
import pytest

from vision.arrays import UInt8Array
from vision.camera.capture import frames
from vision.errors import VisionError
from vision.picture import overlap
from vision.reading.corners import CornerFinder
from vision.reading.finder import Finder
from vision.resources import datasets_dir, models_dir
from webui.cli import main

DECK = datasets_dir() / "drawn"


@pytest.fixture(scope="module")
def tables() -> list[UInt8Array]:
    """Three tables of the demo with cards on them."""
    shown = (frame for frame in frames(str(datasets_dir() / "demo/hand.mp4"), 1))
    wanted, pictures = [6.0, 14.0, 22.0], list[UInt8Array]()
    for frame in shown:
        if frame.time_s >= wanted[len(pictures)]:
            pictures.append(frame.picture)
            if len(pictures) == len(wanted):
                break
    return pictures


def assert_finds_the_same(folder: Path, tables: list[UInt8Array]) -> None:
    """The networks in `folder` find on the `tables` what the float ones find, at nearly the same places."""
    for table in tables:
        ours, theirs = (Finder(where / "finder.onnx").find(table) for where in (folder, models_dir()))
        assert len(ours) == len(theirs)
        for card in theirs:
            same = max(ours, key=lambda box: overlap(box.corners_px, card.corners_px))
            assert same.face == card.face and same.score == pytest.approx(card.score, abs=0.15)
            assert overlap(same.corners_px, card.corners_px) > 0.85
        rough = [card.corners_px for card in theirs]
        close, closer = (
            CornerFinder(where / "corners.onnx").close_looks(table, rough) for where in (folder, models_dir())
        )
        for card, one, other in zip(theirs, close, closer, strict=True):
            np.testing.assert_allclose(one.corners_px, other.corners_px, atol=0.03 * card.height_px)


def test_the_shipped_ones_find_what_the_float_ones_find(tables: list[UInt8Array]) -> None:
    assert_finds_the_same(models_dir() / "int8", tables)


@pytest.mark.training
def test_a_command_makes_them(tables: list[UInt8Array], tmp_path: Path) -> None:
    pytest.importorskip("onnx", reason="needs the train extra")
    pytest.importorskip("sympy", reason="needs the train extra")
    from vision.decks import load_deck
    from vision.lab.rendering.scene import open_studio
    from vision.lab.training.quantising import quantise

    command = ["train", "int8", "--decks", str(DECK), "--scenes", "2", "--out", str(tmp_path)]
    assert main(command) == 0
    for name in ("finder", "corners"):
        made, shipped = tmp_path / f"{name}.onnx", models_dir() / f"{name}.onnx"
        assert made.stat().st_size < 0.8 * shipped.stat().st_size
    assert_finds_the_same(tmp_path, tables)
    studio = open_studio(np.random.default_rng(0), [load_deck(DECK)], cloths=1, backs=1)
    with pytest.raises(VisionError, match="not a network of the corners"):
        quantise("corners", models_dir() / "finder.onnx", studio, 1, 0, tmp_path / "other.onnx")
    assert not (tmp_path / "other.onnx").exists()
