"""What a thing at rest may be, weighed by tables fitted to films."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.errors import VisionError
from vision.resources import models_dir
from vision.training.plays import EDGES, fit_plays
from vision.watching.weighing import CARD, PART, TERMS, THING, THING_KINDS, Measured, play_table

CARD_ALONE = Measured(
    score=0.9,
    size=0.0,
    shape=0.6,
    inside=0.0,
    beaten=0.0,
    own=0.8,
    name=8.0,
    none=-9.0,
    face=3.0,
    like=0.0,
    came=1.0,
)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({}, CARD),
        ({"size": -0.7}, PART),
        ({"size": 0.8}, THING),
        ({"own": 0.0, "beaten": 0.6, "score": 0.45}, PART),
        ({"like": 0.95}, PART),
        ({"came": 0.0}, THING),
        ({"size": None, "came": None, "own": None}, CARD),
    ],
    ids=str,
)
def test_the_shipped_table_tells_a_card_from_a_part_and_a_thing(
    change: dict[str, float | None], kind: int
) -> None:
    chances = play_table().weigh(replace(CARD_ALONE, **change))
    assert THING_KINDS[int(chances.argmax())] == THING_KINDS[kind]
    assert chances.sum() == pytest.approx(1)


def test_what_is_not_known_tells_nothing() -> None:
    assert play_table().terms(Measured()) == {}


def test_a_table_is_fitted_to_what_was_met() -> None:
    """Parts are met that show half a card's size and are found as clearly: the size tells."""
    part = replace(CARD_ALONE, size=-0.3)
    fitted = fit_plays([(CARD_ALONE, CARD, 1.0), (part, PART, 1.0)] * 20)
    logs = np.array(fitted["terms"]["size"]["logs"])  # type: ignore[index]
    half, whole = (int(np.searchsorted(EDGES["size"], size)) for size in (-0.3, 0.0))
    assert logs[PART, half] - logs[CARD, half] > logs[PART, whole] - logs[CARD, whole] + 1


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"prior": [0, 0], "terms": {}}'])
def test_a_table_of_plays_that_cannot_be_used_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "plays.json"
    path.write_text(text)
    with pytest.raises(VisionError, match=r"plays\.json"):
        play_table(path)


def test_a_table_of_another_shape_is_refused(tmp_path: Path) -> None:
    data = json.loads((models_dir() / "plays.json").read_text())
    data["terms"][TERMS[0]]["logs"] = [[0.0]]
    (tmp_path / "plays.json").write_text(json.dumps(data))
    with pytest.raises(VisionError, match="shape"):
        play_table(tmp_path / "plays.json")
